//! The names of the block that holds a kernel's functions, and what keeps the user's items out of it.
use super::arguments::{Header, Over};
use super::face::Face;
use super::names;
use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;

/// Names that the block of a kernel defines. None of them is a name of the kernel's.
pub struct Scope {
    /// The module of the code.
    pub module: Ident,
    /// A tail that makes the other names differ from those of the kernel.
    tail: String,
}

impl Scope {
    pub fn of(header: &Header<'_>, faces: &[Face]) -> Scope {
        let of_faces = faces.iter().map(|face| face.name.text.as_str());
        let taken: Vec<&str> = header.tree.generics.iter().map(|g| g.name.text.as_str()).chain(of_faces).collect();
        let mut tail = String::new();
        let clashes = |tail: &str| taken.iter().any(|name| name.ends_with(&format!("_{tail}")));
        // At first no tail at all: every name below ends in an underscore, which few names of users do.
        while clashes(&tail) {
            tail.push('_');
        }
        Scope { module: names::ours("code_", &tail), tail }
    }

    /// Another name for a type of the kernel: one that no generic hides.
    pub fn own(&self, face: &Face) -> Ident {
        names::ours("Own", format!("{}_{}", face.map.map_or(0, |position| position + 1), self.tail))
    }

    /// The instances that are listed, as a type.
    pub fn all(&self, face: &Face) -> Ident {
        names::ours("All", format!("{}_{}", face.map.map_or(0, |position| position + 1), self.tail))
    }

    /// `type Own0_<G0_, const G1_: usize> = conv2d<G0_, { G1_ }>;`
    pub fn alias(&self, header: &Header<'_>, face: &Face) -> TokenStream {
        let (own, name) = (self.own(face), face.ident());
        let fresh = |k: usize| names::ours("G", format!("{k}_{}", self.tail));
        let renamed = header.renamed(&fresh);
        let (declared, arguments) = (renamed.declared(), renamed.arguments(Over::Generics));
        if header.generics.is_empty() {
            return quote!(type #own = #name;);
        }
        quote!(type #own<#declared> = #name<#arguments>;)
    }
}

/// A function of every name that these lists of parameters bind. It hides constants, statics and unit structs of that
/// name, which a pattern would mean instead of binding it.
pub fn shadows<'t>(lists: impl Iterator<Item = &'t TokenStream>) -> TokenStream {
    let mut bound: BTreeMap<String, Ident> = BTreeMap::new();
    for list in lists {
        let tokens: Vec<TokenTree> = list.clone().into_iter().collect();
        for pair in tokens.windows(2) {
            if let [TokenTree::Ident(name), TokenTree::Punct(colon)] = pair
                && colon.as_char() == ':'
                && colon.spacing() == Spacing::Alone
            {
                bound.insert(name.to_string(), name.clone());
            }
        }
    }
    let names = bound.into_values();
    quote!(#(fn #names() {})*)
}
