//! Sorts the attributes of a kernel by the emitted items that they apply to.
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The attributes of a kernel.
pub struct Attributes {
    /// `cfg`: whether the kernel exists. Applies to every item.
    pub cfg: Vec<TokenStream>,
    /// Doc comments and other `doc` attributes. Apply to the kernel's type.
    pub doc: Vec<TokenStream>,
    /// `deprecated`. Applies to the functions: on the type it would warn in all emitted code.
    pub deprecated: Vec<TokenStream>,
    /// All others. Apply to the kernel's type.
    pub others: Vec<TokenStream>,
    /// `#[allow(point_by_point)]` suppresses the warning. Applies to no item, because rustc does not know this lint.
    pub silent: bool,
}

/// Our own word in `#[allow(…)]`.
const POINT_BY_POINT: &str = "point_by_point";

impl Attributes {
    pub fn of(attributes: &[TokenStream]) -> Attributes {
        let mut sorted =
            Attributes { cfg: Vec::new(), doc: Vec::new(), deprecated: Vec::new(), others: Vec::new(), silent: false };
        for attribute in attributes.iter().flat_map(separated) {
            let (attribute, found) = without_our_word(&attribute);
            sorted.silent |= found;
            let Some(attribute) = attribute else { continue };
            let list = match name(&attribute).as_deref() {
                Some("cfg") => &mut sorted.cfg,
                Some("doc") => &mut sorted.doc,
                Some("deprecated") => &mut sorted.deprecated,
                _ => &mut sorted.others,
            };
            list.push(attribute);
        }
        sorted
    }

    /// Whether the user documented the kernel in words, which `#[doc(alias = "…")]` does not.
    pub fn has_words(&self) -> bool {
        self.doc.iter().any(|attribute| inside(attribute).nth(1).is_some_and(|t| t.to_string() == "="))
    }
}

/// An attribute without our word in `#[allow(…)]`, and whether the word was there; `None` if nothing else is left.
fn without_our_word(attribute: &TokenStream) -> (Option<TokenStream>, bool) {
    let same = (Some(attribute.clone()), false);
    if name(attribute).as_deref() != Some("allow") {
        return same;
    }
    let Some(TokenTree::Group(list)) = inside(attribute).nth(1) else { return same };
    let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
    let is_ours = |words: &&[TokenTree]| matches!(words, [TokenTree::Ident(word)] if word == POINT_BY_POINT);
    let is_reason = |words: &&[TokenTree]| matches!(words, [TokenTree::Ident(word), _, ..] if word == "reason");
    let items: Vec<&[TokenTree]> = tokens.split(is_comma).filter(|words| !words.is_empty()).collect();
    if !items.iter().any(is_ours) {
        return same;
    }
    let others: Vec<&[TokenTree]> = items.into_iter().filter(|words| !is_ours(words)).collect();
    if others.iter().all(is_reason) {
        return (None, true);
    }
    let others = others.iter().map(|words| words.iter().cloned().collect::<TokenStream>());
    (Some(quote!(#[allow(#(#others),*)])), true)
}

/// The name of `#[name …]`; for `#[cfg_attr(…, name …)]` the name of the inner attribute.
fn name(attribute: &TokenStream) -> Option<String> {
    let first = |tokens: TokenStream| match tokens.into_iter().next() {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    };
    match conditional(attribute).as_deref() {
        Some([_, given]) => first(given.clone()),
        _ => first(inside(attribute).collect()),
    }
}

/// Splits `#[cfg_attr(condition, a, b)]` into one attribute each; returns any other unchanged.
fn separated(attribute: &TokenStream) -> Vec<TokenStream> {
    match conditional(attribute).as_deref() {
        Some([condition, given @ ..]) if given.len() > 1 => {
            given.iter().map(|given| quote!(#[cfg_attr(#condition, #given)])).collect()
        }
        _ => vec![attribute.clone()],
    }
}

/// The parts of a `cfg_attr`: the condition and the attributes.
fn conditional(attribute: &TokenStream) -> Option<Vec<TokenStream>> {
    let mut tokens = inside(attribute);
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(parts))) if name == "cfg_attr" => {
            let parts: Vec<TokenTree> = parts.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
            let parts = parts.split(is_comma).map(|part| part.iter().cloned().collect());
            Some(parts.filter(|part: &TokenStream| !part.is_empty()).collect())
        }
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
