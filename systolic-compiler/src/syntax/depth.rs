//! Limits on group nesting and on the number of tokens, checked before anything recurses over the tokens.
use super::input::{Result, expected, fault};
use crate::fault::SyntaxFact;
use crate::region::Region;
use crate::target::limits;
use proc_macro2::{TokenStream, TokenTree};

pub(super) fn check(tokens: &TokenStream) -> Result<()> {
    let mut count = 0;
    let mut groups = vec![tokens.clone().into_iter().peekable()];
    while let Some(group) = groups.last_mut() {
        let Some(token) = group.next() else {
            groups.pop();
            continue;
        };
        count += 1;
        if count > limits::TOKENS {
            return Err(fault(Region::of(token.span()), SyntaxFact::TooLong { limit: limits::TOKENS }));
        }
        match token {
            TokenTree::Group(inner) => {
                if groups.len() > limits::NESTING {
                    return Err(fault(Region::of(inner.span_open()), SyntaxFact::TooDeep { limit: limits::NESTING }));
                }
                groups.push(inner.stream().into_iter().peekable());
            }
            // Only tokens built by another macro contain this; syn's cursor would report the end of the input here.
            TokenTree::Punct(quote)
                if quote.as_char() == '\''
                    && (quote.spacing() == proc_macro2::Spacing::Alone
                        || !matches!(group.peek(), Some(TokenTree::Ident(_)))) =>
            {
                return Err(expected(Region::of(quote.span()), "a name after `'`", "`'` alone"));
            }
            _ => {}
        }
    }
    Ok(())
}
