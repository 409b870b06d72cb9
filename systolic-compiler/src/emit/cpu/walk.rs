//! Loads and stores that walk along rows, as Rust: buffers for fetched elements and for pending stores.
use super::super::literal;
use super::super::names::ours;
use super::value::Values;
use crate::schedule::{Walk, Walks};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Declares the buffers, before the loops.
pub fn declared(walks: &Walks, cpu: &TokenStream) -> TokenStream {
    let fetched = (0..walks.loads.len()).map(fetched);
    let pending = (0..walks.stores.len()).map(pending);
    quote! {
        #(let mut #fetched = #cpu::Fetched::new();)*
        #(let mut #pending = #cpu::Pending::new();)*
    }
}

impl Values<'_> {
    /// Writes the pending elements after all loops.
    pub fn finish(&mut self) -> TokenStream {
        let mut code = TokenStream::new();
        for (k, walk) in self.plan.walks.stores.iter().enumerate() {
            let (_, lanes) = super::value::access(walk.index.iter().map(|f| self.tables.split(f)).collect());
            let (output, pending) = (ours("o", walk.array), pending(k));
            code.extend(quote!(self.#output.finish(simd, #lanes, &mut #pending);));
        }
        code
    }
}

/// The method of the runtime that takes a step.
pub fn name(walk: &Walk) -> TokenStream {
    let reach = literal::number(walk.reach);
    if walk.down { quote!(walk_down::<S>) } else { quote!(walk::<S, #reach>) }
}

/// The buffer of a load.
pub fn fetched(walk: usize) -> Ident {
    ours("fetched", walk)
}

/// The buffer of a store.
pub fn pending(walk: usize) -> Ident {
    ours("pending", walk)
}
