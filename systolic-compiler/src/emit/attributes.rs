//! What a user wrote above a kernel, sorted by which of its items it goes to.
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The attributes of a kernel.
pub struct Attributes {
    /// `cfg`: whether the kernel exists. Goes to every item.
    pub cfg: Vec<TokenStream>,
    /// Doc comments, with the text of a plain one. Goes to the kernel's type.
    pub doc: Vec<TokenStream>,
    /// All others. Goes to the kernel's type.
    pub others: Vec<TokenStream>,
}

impl Attributes {
    pub fn of(attributes: &[TokenStream]) -> Attributes {
        let mut sorted = Attributes { cfg: Vec::new(), doc: Vec::new(), others: Vec::new() };
        for attribute in attributes {
            let list = match name(attribute).as_deref() {
                Some("cfg") => &mut sorted.cfg,
                Some("doc") => &mut sorted.doc,
                _ => &mut sorted.others,
            };
            list.push(attribute.clone());
        }
        sorted
    }

    /// Whether the user described the kernel in words: `#[doc(alias = "…")]` is none.
    pub fn has_words(&self) -> bool {
        self.doc.iter().any(|attribute| inside(attribute).nth(1).is_some_and(|t| t.to_string() == "="))
    }
}

/// The name of `#[name …]`.
fn name(attribute: &TokenStream) -> Option<String> {
    match inside(attribute).next() {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// The tokens between the brackets.
fn inside(attribute: &TokenStream) -> impl Iterator<Item = TokenTree> + use<> {
    let group = attribute.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    group.unwrap_or_default().into_iter()
}

/// Lines of text as doc comments.
pub fn doc(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}
