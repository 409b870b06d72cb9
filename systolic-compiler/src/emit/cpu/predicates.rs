//! Conditions at their uses. Those that no inner loop changes are bound to variables.
use super::super::names::ours;
use super::place::{Tables, uniform, varies};
use crate::program::Condition;
use crate::schedule::{Hoisted, Use};
use proc_macro2::TokenStream;
use quote::quote;

/// The conditions of a block, those that are bound to variables among them.
pub struct Predicates<'p> {
    pub hoisted: &'p Hoisted,
}

impl Predicates<'_> {
    /// Declares the conditions that are evaluated at this level.
    pub fn at_level(&self, level: usize, tables: &mut Tables<'_>) -> TokenStream {
        let mut code = TokenStream::new();
        for (k, named) in self.hoisted.named.iter().enumerate().filter(|(_, n)| n.level == level) {
            let name = ours("h", k);
            let value =
                if varies(&named.condition) { tables.mask(&named.condition) } else { uniform(&named.condition) };
            code.extend(quote!(let #name = #value;));
        }
        code
    }

    /// A condition: `Ok` with a `bool` if it is the same for all lanes, otherwise `Err` with a mask of the warp.
    pub fn condition(&self, condition: &Condition, tables: &mut Tables<'_>) -> Result<TokenStream, TokenStream> {
        let usage = self.hoisted.usage(condition);
        match varies(condition) {
            true => Err(self.mask_of(&usage, tables)),
            false => Ok(self.bool_of(&usage)),
        }
    }

    /// A condition as a mask of the warp.
    pub fn mask(&self, condition: &Condition, tables: &mut Tables<'_>) -> TokenStream {
        self.mask_of(&self.hoisted.usage(condition), tables)
    }

    fn mask_of(&self, usage: &Use, tables: &mut Tables<'_>) -> TokenStream {
        match usage {
            Use::True => tables.mask(&Condition::True),
            Use::False => tables.mask(&Condition::False),
            Use::Here(condition) => tables.mask(condition),
            Use::Named(k) => {
                let (name, krate) = (ours("h", k), tables.krate);
                match varies(&self.hoisted.named[*k].condition) {
                    true => quote!(#name),
                    false => quote!(#krate::__private::cpu::all_if(#name)),
                }
            }
            Use::All(parts) => {
                let parts = parts.iter().map(|p| self.mask_of(p, tables)).collect::<Vec<_>>();
                quote!((#(#parts)&*))
            }
            Use::Any(parts) => {
                let parts = parts.iter().map(|p| self.mask_of(p, tables)).collect::<Vec<_>>();
                quote!((#(#parts)|*))
            }
            Use::Not(inner) => {
                let inner = self.mask_of(inner, tables);
                quote!((!#inner))
            }
        }
    }

    /// A condition of which no part varies between lanes.
    fn bool_of(&self, usage: &Use) -> TokenStream {
        match usage {
            Use::True => quote!(true),
            Use::False => quote!(false),
            Use::Here(condition) => uniform(condition),
            Use::Named(k) => {
                let name = ours("h", k);
                quote!(#name)
            }
            Use::All(parts) => {
                let parts = parts.iter().map(|p| self.bool_of(p));
                quote!((#(#parts)&&*))
            }
            Use::Any(parts) => {
                let parts = parts.iter().map(|p| self.bool_of(p));
                quote!((#(#parts)||*))
            }
            Use::Not(inner) => {
                let inner = self.bool_of(inner);
                quote!((!#inner))
            }
        }
    }
}
