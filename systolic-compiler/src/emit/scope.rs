//! The names of the block that holds a kernel's functions, chosen so that the user's items do not interfere.
use super::arguments::{Header, Over};
use super::generated::GeneratedType;
use super::names;
use crate::sorted::SortedMap;
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::quote;

/// The names that the block of a kernel defines. They differ from all names of the kernel.
pub struct Scope {
    /// The generics and the types of the kernel, which the block also mentions.
    taken: Vec<String>,
}

impl Scope {
    pub fn of(header: &Header<'_>, generated_types: &[GeneratedType]) -> Scope {
        let generics = header.tree.generics.iter().map(|g| g.name.text.clone());
        Scope { taken: generics.chain(generated_types.iter().map(|generated| generated.name.text.clone())).collect() }
    }

    /// The name, with underscores appended if the kernel uses it.
    fn fresh(&self, name: &str, number: usize) -> Ident {
        let mut tail = String::new();
        while self.taken.contains(&format!("{name}{number}{tail}")) {
            tail.push('_');
        }
        names::ours(name, format!("{number}{tail}"))
    }

    /// The module with the code of the instances.
    pub fn module(&self) -> Ident {
        self.fresh("code", 0)
    }

    /// The type that implements an instance, as a generic of the public functions.
    pub fn code(&self) -> Ident {
        self.fresh("C", 0)
    }

    /// An alias for a type of the kernel that no generic hides.
    pub fn own(&self, generated: &GeneratedType) -> Ident {
        self.fresh("Own", generated.number())
    }

    /// A type that lists the instances.
    pub fn all(&self, generated: &GeneratedType) -> Ident {
        self.fresh("All", generated.number())
    }

    /// `type Own0<G0, const G1: usize> = conv2d<G0, { G1 }>;`
    pub fn alias(&self, header: &Header<'_>, generated: &GeneratedType) -> TokenStream {
        let (own, name) = (self.own(generated), generated.ident());
        let renamed = header.renamed(&|k| self.fresh("G", k));
        let (declared, arguments) = (renamed.declared(), renamed.arguments(Over::Generics));
        if header.generics.is_empty() {
            return quote!(type #own = #name;);
        }
        quote!(type #own<#declared> = #name<#arguments>;)
    }

    /// Replaces every `impl …` in a list of parameters by a generic with its bounds, because some crates forbid `impl` in
    /// parameters.
    pub fn named(&self, parameters: &TokenStream) -> Named {
        let mut named = Named::default();
        let mut tokens = parameters.clone().into_iter().peekable();
        while let Some(token) = tokens.next() {
            let bound = match &token {
                TokenTree::Ident(word) if word == "impl" => {
                    let (mut depth, mut bound) = (0, TokenStream::new());
                    while let Some(token) = tokens.next_if(|token| depth > 0 || !is(token, ',')) {
                        depth += i32::from(is(&token, '<')) - i32::from(is(&token, '>'));
                        bound.extend([token]);
                    }
                    Some(bound)
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    let mut tokens = group.stream().into_iter();
                    let first = tokens.next();
                    matches!(first, Some(TokenTree::Ident(word)) if word == "impl").then(|| tokens.collect())
                }
                _ => None,
            };
            match bound {
                None => named.parameters.extend([token]),
                Some(bound) => {
                    let mut generic = self.fresh("A", named.generics.len());
                    generic.set_span(generic.span().located_at(token.span()));
                    named.parameters.extend(quote!(#generic));
                    named.bounds.extend(quote!(#generic: #bound,));
                    named.generics.push(generic);
                }
            }
        }
        named
    }
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

impl Scope {
    /// Renames parameters that are called like a generic of the kernel, in the list and in the arguments passed on: as a
    /// pattern the name would mean the generic. This concerns only our own parameters, such as `device`.
    pub fn apart(&self, parameters: &TokenStream, passed: &TokenStream) -> (TokenStream, TokenStream) {
        let (mut parameters, mut passed) = (parameters.clone(), passed.clone());
        for name in bound(&parameters).into_iter().filter(|name| self.taken.contains(&name.to_string())) {
            let mut text = name.to_string();
            while self.taken.contains(&text) {
                text.push('_');
            }
            let other = Ident::new(&text, name.span());
            parameters = renamed(parameters, &name, &other, true);
            passed = renamed(passed, &name, &other, false);
        }
        (parameters, passed)
    }
}

/// Tokens in which a variable is renamed; in a parameter list only where it is bound.
fn renamed(tokens: TokenStream, name: &Ident, other: &Ident, bound: bool) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next() {
        let binds = |next: Option<&TokenTree>| matches!(next, Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Alone);
        out.extend([match token {
            TokenTree::Ident(found) if found == *name && (!bound || binds(tokens.peek())) => {
                TokenTree::Ident(other.clone())
            }
            TokenTree::Group(group) if !bound => {
                let inner = renamed(group.stream(), name, other, bound);
                let mut moved = Group::new(group.delimiter(), inner);
                moved.set_span(group.span());
                TokenTree::Group(moved)
            }
            token => token,
        }]);
    }
    out
}

/// A list of parameters in which generics replace `impl`.
#[derive(Default)]
pub struct Named {
    pub generics: Vec<Ident>,
    pub parameters: TokenStream,
    pub bounds: TokenStream,
}

/// The names that a list of parameters binds.
fn bound(parameters: &TokenStream) -> Vec<Ident> {
    let tokens: Vec<TokenTree> = parameters.clone().into_iter().collect();
    let names = tokens.windows(2).filter_map(|pair| match pair {
        // Not the first colon of `::`, which would be part of a path.
        [TokenTree::Ident(name), TokenTree::Punct(colon)]
            if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
        {
            Some(name.clone())
        }
        _ => None,
    });
    names.collect()
}

/// Attributes of a function with more parameters than clippy accepts: the kernel has that many. An `allow` is an error only
/// in a crate that forbids this very lint.
pub fn long_list(parameters: &TokenStream) -> Option<TokenStream> {
    (bound(parameters).len() > 7).then(|| quote!(#[allow(clippy::too_many_arguments)]))
}

/// One empty function per name that these lists of parameters bind. It hides constants, statics and unit structs of that
/// name, to which a pattern would refer instead of binding the name.
pub fn shadows<'t>(lists: impl Iterator<Item = &'t TokenStream>) -> TokenStream {
    let names: SortedMap<String, Ident> = lists.flat_map(bound).map(|name| (name.to_string(), name)).collect();
    let names = names.into_values();
    quote!(#(fn #names() {})*)
}
