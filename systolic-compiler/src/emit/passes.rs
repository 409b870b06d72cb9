//! Runs a kernel in passes on a CPU: the code of a kernel per pass, the arrays between them, and their calls in order.
use super::inner::inner;
use super::literal;
use super::names::ours;
use super::signature;
use crate::compile::Passes;
use crate::model::{Kernel, ParameterKind};
use crate::series::Between;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Why a GPU does not run a pass.
const NO_CODE: &str = "it is one of the passes in which a CPU runs a kernel";

/// The last part of `run_on`, where `call` has the sizes.
pub fn code(krate: &TokenStream, kernel: &Kernel, passes: &Passes) -> TokenStream {
    let arrays = passes.series.between.iter().enumerate().map(|(k, between)| array(krate, k, between));
    let calls = passes.series.members.iter().zip(&passes.programs).enumerate().map(|(k, (member, programs))| {
        let module = ours("pass", k);
        let (items, path) = inner(krate, &module, (&member.tree, &member.lawful), programs.clone(), NO_CODE);
        let passed = kernel.parameters.iter().enumerate().map(|(k, parameter)| {
            let name = ours("p", k);
            if matches!(parameter.kind, ParameterKind::Array { .. }) { quote!(#name.view()) } else { quote!(#name) }
        });
        let (reads, outputs) = (member.reads.iter().map(|k| kept(*k)), member.outputs.iter().map(|k| ours("o", *k)));
        let stores = member.stores.iter().map(|k| kept(*k));
        quote! {
            #items
            #path::run_into(
                &#krate::__private::Site::Cpu, #(#passed,)* #(#reads.view(),)* #(#outputs,)* #(#stores.view_mut(),)*
            )?;
        }
    });
    quote!(#(#arrays)* #(#calls)* #krate::__private::Result::Ok(()))
}

/// The name of an array between passes.
fn kept(number: usize) -> Ident {
    ours("k", number)
}

/// Allocates an array between passes.
fn array(krate: &TokenStream, number: usize, between: &Between) -> TokenStream {
    let private = quote!(#krate::__private);
    let (name, ty) = (kept(number), literal::ty(krate, between.ty));
    let rank = Literal::usize_unsuffixed(between.axes.len());
    let lengths = between.axes.iter().map(|axis| signature::form(krate, &axis.length));
    quote! {
        let mut #name = {
            static LENGTHS: [#private::Form; #rank] = [#(#lengths),*];
            #private::Output::<#ty, #rank>::new(call.lengths_between(&LENGTHS), "values between passes")?.finish()?
        };
    }
}
