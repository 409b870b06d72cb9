//! Regions of the user's source, from a first token to a last one.
use crate::sorted;
use proc_macro2::{Span, TokenStream, TokenTree};
use std::collections::HashMap;

/// A range of tokens. A macro on stable Rust cannot join spans, so both ends are kept.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub start: Span,
    pub end: Span,
}

impl Region {
    /// A single token.
    pub fn of(span: Span) -> Region {
        Region { start: span, end: span }
    }

    /// From the start of this region to the end of `last`.
    pub fn to(self, last: Region) -> Region {
        Region { start: self.start, end: last.end }
    }
}

/// A name where it was written.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub at: Region,
}

impl Name {
    pub fn new(text: impl Into<String>, span: Span) -> Name {
        Name { text: text.into(), at: Region::of(span) }
    }
}

/// Names are equal if their text is equal, wherever they stand.
impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl Eq for Name {}

/// Sorts things by the position of their first tokens. Spans cannot be compared on stable Rust, so tokens are counted.
/// Only called when there is something to report.
pub fn sort_by_place<T>(tokens: &TokenStream, things: &mut Vec<T>, at: impl Fn(&T) -> Region) {
    if things.len() < 2 {
        return;
    }
    let mut order: HashMap<String, usize> = HashMap::new();
    let mut open = vec![tokens.clone().into_iter()];
    while let Some(stream) = open.last_mut() {
        match stream.next() {
            None => {
                open.pop();
            }
            Some(tree) => {
                let count = order.len();
                let span = match &tree {
                    TokenTree::Group(group) => group.span_open(),
                    other => other.span(),
                };
                order.entry(identity(span)).or_insert(count);
                if let TokenTree::Group(group) = &tree {
                    open.push(group.stream().into_iter());
                }
            }
        }
    }
    sorted::sort_by_key(things, |t| order.get(&identity(at(t).start)).copied().unwrap_or(usize::MAX));
}

/// A text that tells one span from another.
pub fn identity(span: Span) -> String {
    format!("{span:?}")
}
