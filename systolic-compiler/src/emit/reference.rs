//! `reference`: evaluates the equations point by point, in plain Rust.
use super::arguments::{Header, Over};
use super::body::{self, Body, Place};
use super::function::{self, Function, Held, Public};
use super::generated::{GeneratedType, function_name};
use super::keys;
use super::literal;
use super::names::ours;
use super::nest::{self, Storage};
use super::signature;
use crate::laws::{Lawful, Order};
use crate::model::{Kernel, ParameterKind};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The function `reference`.
pub fn function<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = move |over: Over<'_>| {
        let outputs = header.outputs(over);
        quote!(#krate::__private::Result<#outputs, #krate::Error>)
    };
    let doc = [
        "Evaluates the equations point by point, on one thread, in an order in which every value is computed before it is",
        "read.",
        "",
        "# Errors",
        "",
        "Fails if shapes do not fit each other, if a condition of the kernel does not hold, or if there is too little",
        "memory.",
    ];
    Function {
        over: None,
        name: function_name("reference"),
        doc: doc.map(String::from).to_vec(),
        public: Some(Public { result: result(Over::Generics), is_boxed: true, ..function::taking(header, Held::Host) }),
        hidden: Box::new(move |over| {
            (function::taken(header, over, Held::Host), function::boxed(krate, &header.outputs(over)))
        }),
        body: Box::new(move |generated, lawful| code(header, generated, lawful)),
        fallback: function::refused(header),
    }
}

fn code(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful) -> TokenStream {
    let (krate, kernel) = (header.krate, lawful.kernel());
    if generated.map.is_some() {
        // A map changes no value, so the kernel's own `reference` gives the same.
        let own = GeneratedType::own(header, kernel);
        let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
        return quote!(#own::reference(#(#passed),*));
    }
    let private = quote!(#krate::__private);
    let solved = signature::call(header, generated, kernel, &signature::arrays(kernel));
    let outputs = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let (name, ty) = (ours("o", k), literal::ty(krate, output.ty));
        let (rank, k) = (Literal::usize_unsuffixed(output.dims.len()), Literal::usize_unsuffixed(k));
        let purpose = format!("output `{}`", output.name.text);
        match output.rest.map(|rest| literal::value(krate, rest)) {
            Some(rest) => {
                quote!(let mut #name = #private::Output::<#ty, #rank>::with_rest(call.lengths(#k), #rest, #purpose)?;)
            }
            None => quote!(let mut #name = #private::Output::<#ty, #rank>::new(call.lengths(#k), #purpose)?;),
        }
    });
    let finished = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let name = ours("o", k);
        match output.is_scalar {
            true => quote!(#private::only_element(&#name.finish()?)),
            false => quote!(#name.finish()?),
        }
    });
    let (computed, finished) = (computation(krate, lawful), quote!((#(#finished),*)));
    let lengths = signature::length_checks(krate, kernel);
    quote! {
        #solved
        #lengths
        #(#outputs)*
        if !call.is_empty() { #computed }
        #private::Result::Ok(#finished)
    }
}

/// Evaluates and stores all points.
fn computation(krate: &TokenStream, lawful: &Lawful) -> TokenStream {
    let (private, kernel) = (quote!(#krate::__private), lawful.kernel());
    let storage = match lawful.order() {
        Order::Nest { loops, .. } => nest::storage(kernel, loops),
        Order::Keys(_) => nest::everything(kernel),
    };
    let places: Vec<Place> = storage.iter().map(|s| s.place).collect();
    let mut body = Body::new(krate, kernel, &places);
    let points = match lawful.order() {
        Order::Nest { loops, equations } => {
            let mut inner = TokenStream::new();
            for n in equations {
                if let Some(equation) = kernel.equations.get(*n) {
                    inner.extend(body.equation(*n, equation));
                }
            }
            inner.extend(kernel.stores.iter().map(|store| body.store(store)).collect::<TokenStream>());
            nest::loops(krate, kernel, loops, inner)
        }
        Order::Keys(keys) => keys::statements(krate, kernel, keys, &mut body),
    };
    let i64 = literal::ty(krate, systolic_arith::Type::I64);
    let sizes = (0..kernel.call_sizes()).map(|k| ours("s", k));
    let (count, rank) = (Literal::usize_unsuffixed(kernel.call_sizes()), Literal::usize_unsuffixed(kernel.loops.len()));
    let (inputs, grids) = (inputs(krate, kernel), grids(krate, kernel, &storage));
    quote! {
        let [#(#sizes),*]: [#i64; #count] = call.sizes();
        let hull: [#private::Range; #rank] = call.hull()?;
        #inputs
        #grids
        #points
    }
}

/// Parameters and constants in the form in which they are read.
fn inputs(krate: &TokenStream, kernel: &Kernel) -> TokenStream {
    let private = quote!(#krate::__private);
    let parameters = kernel.parameters.iter().enumerate().map(|(k, parameter)| {
        let name = ours("p", k);
        match &parameter.kind {
            ParameterKind::Array { ty, border, .. } => {
                let border = body::border(krate, *ty, border);
                quote!(let #name = #private::Input::new(#name, #border);)
            }
            // Flattens nested arrays to one slice.
            ParameterKind::Const { dims, .. } => {
                let flatten = (1..dims.len()).map(|_| quote!(.as_flattened()));
                quote!(let #name = #name #(#flatten)*;)
            }
            ParameterKind::Scalar { .. } | ParameterKind::Size => TokenStream::new(),
        }
    });
    let constants = kernel.constants.iter().enumerate().filter(|(_, c)| !c.dims.is_empty()).map(|(k, constant)| {
        let (name, ty) = (ours("c", k), literal::ty(krate, constant.ty));
        let values = constant.values.iter().map(|value| literal::value(krate, *value));
        quote!(let #name: &[#ty] = &[#(#values),*];)
    });
    parameters.chain(constants).collect()
}

fn grids(krate: &TokenStream, kernel: &Kernel, storage: &[Storage]) -> TokenStream {
    let private = quote!(#krate::__private);
    let i64 = literal::ty(krate, systolic_arith::Type::I64);
    let rank = Literal::usize_unsuffixed(kernel.loops.len());
    let each = kernel.equations.iter().zip(storage).enumerate();
    each.filter(|(_, (_, storage))| storage.place != Place::Local)
        .map(|(n, (equation, storage))| {
            let (name, ty) = (ours("g", n), literal::ty(krate, equation.ty));
            let keep = storage.keep.iter().map(|keep| match keep {
                Some(layers) => literal::number((*layers).into()),
                None => quote!(<#i64>::MAX),
            });
            let purpose = format!("variable `{}`", equation.variable.text);
            let keep = quote!([#(#keep),*]);
            let each = Literal::usize_unsuffixed(equation.ty.bytes());
            // A box has a point everywhere.
            let check = (!kernel.is_box()).then(|| quote!(call.check_box(&hull, &#keep, #each, #purpose)?;));
            quote!(#check let mut #name = #private::Grid::<#ty, #rank>::new(hull, #keep, #purpose)?;)
        })
        .collect()
}
