//! A fault as a compile error on the user's tokens.
use super::wording::internal;
use super::{Fault, message};
use crate::region::{Name, Region};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};

/// `::core::compile_error!{ "…" }`, with the spans of the fault's first and last token on its own first and last token.
pub fn compile_error(fault: &Fault) -> TokenStream {
    error_at(fault.at, &fault.cfg, &message(fault))
}

/// The same for an error of the compiler itself, on the name of the kernel that it was found with.
pub fn internal_error(kernel: &Name, cfg: &[TokenStream], found: &str) -> TokenStream {
    error_at(kernel.at, cfg, &internal(&kernel.text, found))
}

fn error_at(at: Region, cfg: &[TokenStream], message: &str) -> TokenStream {
    let (start, end) = (at.start, at.end);
    let punct = |c, spacing| {
        let mut punct = Punct::new(c, spacing);
        punct.set_span(start);
        TokenTree::Punct(punct)
    };
    let word = |text| TokenTree::Ident(Ident::new(text, start));
    let mut text = Literal::string(message);
    text.set_span(end);
    let mut body = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    body.set_span(end);
    let mut out: TokenStream = cfg.iter().cloned().collect();
    out.extend([
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        word("core"),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        word("compile_error"),
        punct('!', Spacing::Alone),
        TokenTree::Group(body),
    ]);
    out
}
