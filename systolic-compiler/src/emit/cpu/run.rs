//! Runs a kernel by its map on the CPU: the code of a block as a type, and its launch.
use super::super::arguments::Header;
use super::super::body;
use super::super::demand;
use super::super::generated::GeneratedType;
use super::super::literal;
use super::super::names::ours;
use super::block::block;
use super::place::{Tables, bound};
use super::predicates::Predicates;
use super::value::Values;
use super::window::Windows;
use crate::laws::Lawful;
use crate::mapping::Obstacle;
use crate::model::{Kernel, ParameterKind};
use crate::schedule::CpuPlan;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// The last part of `run_into`, after `call` has the sizes. Fails with the reason if no program runs the map.
pub fn code(
    header: &Header<'_>,
    generated: &GeneratedType,
    lawful: &Lawful,
    point_by_point: &TokenStream,
) -> Result<TokenStream, Obstacle> {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let private = quote!(#krate::__private);
    let cpu = quote!(#private::cpu);
    let program = &*header.on_cpu(generated, lawful)?;
    let plan = CpuPlan::new(program);
    let (plain, avx512) = (plan.plain, plan.avx512);
    let without = (!plain).then(|| quote!(if #cpu::is_plain() { return { #point_by_point }; }));
    let tables = Tables::new(krate, program);
    let predicates = Predicates { hoisted: &program.hoisted };
    let (windows, many) = (Windows::default(), program.warp_count() > 1);
    let compares = BTreeMap::new();
    let mut values = Values { krate, kernel, program, tables, predicates, plan: &plan, windows, many, compares };
    let code = block(&mut values);
    let (apart, live) = (plan.apart, Literal::usize_unsuffixed(plan.live));
    // A number per lane and a mask; buffers for fetched elements, pending stores and windows.
    let kept = 264 * values.tables.computed + plan.walks.bytes + values.windows.bytes;
    let frame = Literal::usize_unsuffixed(plan.frame + kept);
    let constants = values.tables.constants();
    let (fields, initialisers) = fields(header, kernel);
    let sizes: Vec<_> = (0..kernel.sizes.len()).map(|k| ours("s", k)).collect();
    let count = Literal::usize_unsuffixed(kernel.sizes.len());
    let grid: Vec<(TokenStream, TokenStream)> =
        program.frame.blocks.iter().map(|b| (bound(&b.low), bound(&b.high))).collect();
    let axis = |k: usize| grid.get(k).cloned().unwrap_or((quote!(0), quote!(0)));
    let (low, high): (Vec<_>, Vec<_>) = (0..3).map(axis).unzip();
    let wide = demand::wide_sizes(krate, program);
    // If most steps of the map have no point, evaluating the equations point by point is cheaper.
    let sparse =
        program.skewed.then(|| quote!(if demand.is_sparse([#(#low),*], [#(#high),*]) { return { #point_by_point }; }));
    let points = demand::points(krate, program);
    let (evaluations, scratch) = (demand::evaluations(krate, program), demand::scratch(krate, program));
    Ok(quote! {
        #without
        #constants
        struct Code<'a> { #(#sizes: i64,)* #fields demand: #private::Demand, marker: #private::PhantomData<&'a ()> }
        impl #cpu::Block for Code<'_> {
            const APART: bool = #apart;
            const LIVE: usize = #live;
            const FRAME: usize = #frame;
            const PLAIN: bool = #plain;
            const AVX512: bool = #avx512;
            fn demand(&self) -> #private::Demand { self.demand }
            #[inline(always)]
            fn run<S: #cpu::Simd>(
                &self,
                simd: S,
                block: [i64; 3],
                scratch: &#cpu::Scratch,
            ) -> #private::Result<(), #krate::Error> {
                use #cpu::Vector as _;
                #code
                #private::Result::Ok(())
            }
        }
        call.check_loops()?;
        let [#(#sizes),*]: [i64; #count] = call.sizes();
        let demand = {
            #wide
            #private::Demand { points: #points, evaluations: #evaluations, scratch: #scratch }
        };
        #sparse
        let code = Code { #(#sizes,)* #initialisers demand, marker: #private::PhantomData };
        #cpu::launch(&code, [#(#low),*], [#(#high),*])
    })
}

/// The fields of a block's code (inputs, constants and outputs) and their initialisers.
fn fields(header: &Header<'_>, kernel: &Kernel) -> (TokenStream, TokenStream) {
    let (krate, kernel_name) = (header.krate, &header.tree.name.text);
    let private = quote!(#krate::__private);
    let (mut fields, mut initialisers) = (TokenStream::new(), TokenStream::new());
    for (k, parameter) in kernel.parameters.iter().enumerate() {
        let name = ours("p", k);
        match &parameter.kind {
            ParameterKind::Array { ty, dims, border } => {
                let (border, ty) = (body::border(krate, *ty, border), literal::ty(krate, *ty));
                let rank = Literal::usize_unsuffixed(dims.len());
                fields.extend(quote!(#name: #private::cpu::In<'a, #ty, #rank>,));
                initialisers.extend(quote!(#name: #private::cpu::In::new(#name, #border)?,));
            }
            ParameterKind::Const { ty, dims } => {
                let ty = literal::ty(krate, *ty);
                let flatten = (1..dims.len()).map(|_| quote!(.as_flattened()));
                let count = literal::number(dims.iter().product());
                fields.extend(quote!(#name: &'a [#ty; #count],));
                // Never fails: the types guarantee this many elements.
                let none = quote!(#krate::Error::NotCompiled { kernel: #kernel_name });
                initialisers.extend(quote!(#name: #name #(#flatten)*.first_chunk().ok_or(#none)?,));
            }
            ParameterKind::Scalar { ty } => {
                let ty = literal::ty(krate, *ty);
                fields.extend(quote!(#name: #ty,));
                initialisers.extend(quote!(#name,));
            }
            ParameterKind::Size => {}
        }
    }
    for (k, constant) in kernel.constants.iter().enumerate() {
        let (name, ty) = (ours("c", k), literal::ty(krate, constant.ty));
        let values = constant.values.iter().map(|value| literal::value(krate, *value));
        if constant.dims.is_empty() {
            fields.extend(quote!(#name: #ty,));
            initialisers.extend(quote!(#name: #(#values)*,));
        } else {
            let count = Literal::usize_unsuffixed(constant.values.len());
            fields.extend(quote!(#name: &'a [#ty; #count],));
            initialisers.extend(quote!(#name: &[#(#values),*],));
        }
    }
    for (k, output) in kernel.outputs.iter().enumerate() {
        let (name, ty) = (ours("o", k), literal::ty(krate, output.ty));
        let rank = Literal::usize_unsuffixed(output.dims.len());
        fields.extend(quote!(#name: #private::cpu::Out<'a, #ty, #rank>,));
        initialisers.extend(quote!(#name: #private::cpu::Out::new(#name),));
    }
    (fields, initialisers)
}
