//! Limits, checked before anything recurses over the tokens: how deep groups nest and how many tokens there are.
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
            // Only hand-made tokens have it; syn's cursor would stop in front of it as at an end.
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
