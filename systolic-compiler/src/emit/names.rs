//! Identifiers. The user's names keep their spelling and position. Our own are numbered and never clash with the user's.
use crate::region::Name;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::fmt::Display;

/// Tokens with their positions moved to `span`, so that messages point there. Their name resolution is unchanged.
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

/// The user's identifier at its position, marked as emitted code, so that the user's lints ignore its spelling.
pub fn user(name: &Name) -> Ident {
    identifier(&name.text, emitted(name.at.start))
}

/// The user's position, marked as emitted code. Variables there are distinct from those of plain `quote!`, even if their names
/// are equal: a parameter may be called `device` like ours.
pub fn emitted(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

/// A visibility whose first word is marked as emitted code: the item starts there, and lints judge the whole item by it. The
/// path in `pub(in …)` is unchanged.
pub fn visibility(tokens: &TokenStream) -> TokenStream {
    let mut tokens = tokens.clone().into_iter();
    let first = tokens.next().map(|mut word| {
        word.set_span(emitted(word.span()));
        word
    });
    first.into_iter().chain(tokens).collect()
}

/// An identifier of our own: a letter and a number.
pub fn ours(letter: &str, number: impl Display) -> Ident {
    Ident::new(&format!("{letter}{number}"), Span::mixed_site())
}

/// An identifier for any text. Text that is not an identifier, such as `$crate` from a user's macro, loses the characters that
/// are not allowed.
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
