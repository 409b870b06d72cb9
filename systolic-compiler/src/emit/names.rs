//! Identifiers. What users wrote keeps their spelling and place; what we make is numbered, and never stands where a name
//! of theirs could be meant by it.
use crate::region::Name;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::fmt::Display;

/// Tokens as if they stood at `span`, so that messages point there. What they mean stays as it was.
pub fn at(tokens: &TokenStream, span: Span) -> TokenStream {
    let moved = tokens.clone().into_iter().map(|mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), at(&group.stream(), span)));
        }
        token.set_span(token.span().located_at(span));
        token
    });
    moved.collect()
}

/// The identifier a user wrote, at its place, as emitted text: the user's lints do not judge how it is spelt there.
pub fn user(name: &Name) -> Ident {
    identifier(&name.text, emitted(name.at.start))
}

/// A place of the user's, as emitted text. Variables there differ from those of plain `quote!`, whatever their names: a
/// parameter may be called `device` beside ours.
pub fn emitted(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

/// A visibility, its first word as emitted text: an item begins there, and is the user's or ours as that word is. What it
/// names (`pub(in …)`) is left alone.
pub fn visibility(tokens: &TokenStream) -> TokenStream {
    let mut tokens = tokens.clone().into_iter();
    let first = tokens.next().map(|mut word| {
        word.set_span(emitted(word.span()));
        word
    });
    first.into_iter().chain(tokens).collect()
}

/// One of ours: a letter and a number.
pub fn ours(letter: &str, number: impl Display) -> Ident {
    Ident::new(&format!("{letter}{number}"), Span::mixed_site())
}

/// An identifier of any text. What is no identifier (`$crate` can come out of a user's macro) loses its odd letters.
pub fn identifier(text: &str, span: Span) -> Ident {
    if let Some(raw) = text.strip_prefix("r#")
        && is_plain(raw)
    {
        return Ident::new_raw(raw, span);
    }
    if is_plain(text) {
        return Ident::new(text, span);
    }
    let letters: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    Ident::new(&format!("_{letters}_"), span)
}

fn is_plain(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}
