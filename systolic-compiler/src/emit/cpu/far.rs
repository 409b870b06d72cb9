//! What goes beyond a block: the loops over launches, the order of blocks, and the memory for values between them.
use super::super::demand;
use super::super::literal;
use super::super::names::ours;
use super::place::bound;
use crate::model::Int;
use crate::schedule::Schedule;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The first and the last block of a launch along three axes; 0 along those that it does not have.
pub fn grid(program: &Schedule) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let axes = &program.frame.blocks[program.frame.launches..];
    let bounds = axes.iter().map(|axis| (bound(&axis.low), bound(&axis.high)));
    bounds.chain((axes.len()..3).map(|_| (quote!(0), quote!(0)))).unzip()
}

/// The launch of all blocks; with loops over launches, one after another.
pub fn launch(krate: &TokenStream, program: &Schedule, (low, high): (&[TokenStream], &[TokenStream])) -> TokenStream {
    let cpu = quote!(#krate::__private::cpu);
    let mut launch = match &program.tickets {
        None => quote!(#cpu::launch(&code, [#(#low),*], [#(#high),*])),
        Some(tickets) => {
            let three = |vector: &[Int]| {
                let entries = (0..3).map(|k| literal::number(vector.get(k).copied().unwrap_or(0)));
                quote!([#(#entries),*])
            };
            let (order, waits) = (three(&tickets.order), tickets.waits.iter().map(|delta| three(delta)));
            let order = quote!(#cpu::Order { tickets: #order, waits: &[#(#waits),*] });
            quote!(#cpu::launch_in_order(&code, [#(#low),*], [#(#high),*], #order))
        }
    };
    if program.frame.launches == 0 {
        return launch;
    }
    launch = quote!(#launch?;);
    for (k, row) in program.frame.blocks[..program.frame.launches].iter().enumerate().rev() {
        let (b, low, high) = (ours("b", k), bound(&row.low), bound(&row.high));
        launch = quote!(for #b in #low..#high + 1 {
            code.#b = #b;
            #launch
        });
    }
    quote!(#launch #krate::__private::Result::Ok(()))
}

/// The launch and the faces of a program: fields of the block's code, their initialisers, and the memory that they borrow.
pub struct Faces {
    pub fields: TokenStream,
    pub memory: TokenStream,
    pub initialisers: TokenStream,
}

impl Faces {
    pub fn new(krate: &TokenStream, program: &Schedule) -> Faces {
        let (private, cpu) = (quote!(#krate::__private), quote!(#krate::__private::cpu));
        let names: Vec<Ident> = (0..program.faces.len()).map(|k| ours("f", k)).collect();
        let (mut fields, mut memory, mut bytes) = (TokenStream::new(), TokenStream::new(), Vec::new());
        let launches: Vec<Ident> = (0..program.frame.launches).map(|k| ours("b", k)).collect();
        fields.extend(quote!(#(#launches: i64,)*));
        let initialisers = quote!(#(#launches: 0,)* #(#names: &#names,)*);
        for (name, face) in names.iter().zip(&program.faces) {
            let (ty, rank) = (literal::ty(krate, face.ty), Literal::usize_unsuffixed(face.dims.len()));
            let dims: Vec<TokenStream> = face.dims.iter().map(|dim| demand::bound(krate, dim)).collect();
            fields.extend(quote!(#name: &'a #cpu::Face<#ty, #rank>,));
            memory.extend(quote!(#cpu::Face::<#ty, #rank>::new([#(#dims),*])?,));
            bytes.push(demand::bytes(krate, face.ty.bytes(), &face.dims));
        }
        if names.is_empty() {
            return Faces { fields, memory, initialisers };
        }
        let wide = demand::wide_sizes(krate, program);
        let memory = quote!(let (#(#names,)*) = {
            #wide
            #cpu::check_faces(#private::Demand::sum(&[#(#bytes),*]))?;
            (#memory)
        };);
        Faces { fields, memory, initialisers }
    }
}
