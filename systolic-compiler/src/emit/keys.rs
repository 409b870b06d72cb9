//! Visits points and equations in the order of keys, for kernels that no loop nest can evaluate.
use super::body::Body;
use super::literal::number;
use super::names::ours;
use super::nest;
use crate::laws::{Direction, Key};
use crate::model::Kernel;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Collects the points, evaluates every (equation, point) in the order of its key, then runs the stores.
pub fn statements(krate: &TokenStream, kernel: &Kernel, keys: &[Vec<Key>], body: &mut Body<'_>) -> TokenStream {
    let private = quote!(#krate::__private);
    let rank = Literal::usize_unsuffixed(kernel.loops.len());
    let point = body.point(&[]);
    // Bounds depend on earlier loops only, so in the order of the `for` they are exact.
    let written: Vec<_> = (0..kernel.loops.len()).map(|l| (l, Direction::Up)).collect();
    let collect = nest::loops(krate, kernel, &written, quote!(schedule.push(#point)?;));
    let keys = keys.iter().map(|key| {
        let levels = key.iter().map(|Key { stage, row, constant }| {
            let (stage, row) = (Literal::usize_unsuffixed(*stage), row.iter().map(|c| number(*c)));
            let constant = number(*constant);
            quote!(#private::Key { stage: #stage, row: &[#(#row),*], constant: #constant })
        });
        quote!(&[#(#levels),*])
    });
    let arms = kernel.equations.iter().enumerate().map(|(n, equation)| {
        body.forget();
        let (code, n) = (body.equation(n, equation), Literal::usize_unsuffixed(n));
        quote!(#n => { #code })
    });
    let arms: TokenStream = arms.collect();
    body.forget();
    let stores: TokenStream = kernel.stores.iter().map(|store| body.store(store)).collect();
    let loops = (0..kernel.loops.len()).map(|l| ours("i", l));
    let names = quote!([#(#loops),*]);
    let lengths: TokenStream = kernel.lengths().map(|length| nest::length(kernel, &length)).collect();
    quote! {
        let mut schedule = #private::Schedule::<#rank>::default();
        #collect
        for (equation, #names) in schedule.sorted(&[#(#keys),*])? {
            #lengths
            match equation { #arms _ => {} }
        }
        for &#names in schedule.points() { #lengths #stores }
    }
}
