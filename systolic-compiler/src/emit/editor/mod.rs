//! What an editor sees of a kernel. Editors such as rust-analyzer expand macros too, and look every token of the expansion up in
//! the source by its position. So the expansion for them differs from the one that rustc compiles:
//!
//! - The functions have no code, and no program is made.
//! - Only the name of the kernel stands at its position, as the user's own token. Then the editor shows the documentation of the
//!   type there, and nothing of the functions, and can rename the kernel.
//! - All other tokens of an item stand before that name, where no token of the user's is. So the editor goes there from
//!   `kernel::run`, and finds nothing else when the cursor rests on the name.
//! - Every name of the kernel becomes an item with documentation: see `names`. They come first, because nothing before a word may quote
//!   it.
//!
//! Faults are reported as rustc's expansion reports them.
mod names;
#[cfg(test)]
mod tests;

use super::arguments::{Header, Over};
use super::attributes::{self, Attributes};
use super::doc;
use super::function::Function;
use super::generated::GeneratedType;
use super::names as spelling;
use super::parameter;
use super::scope::{Scope, long_list};
use crate::compile::Programs;
use crate::laws::Lawful;
use crate::region::identity;
use crate::syntax::tree;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// The empty place before a token, which only a compiler or an editor can make.
pub type Before<'b> = &'b dyn Fn(Span) -> Span;

/// All items of a kernel, lawful or not. `block` is the text of all kernels, in which its own tokens are found.
pub fn editor(
    krate: &TokenStream,
    block: &TokenStream,
    tree: &tree::Kernel,
    instances: &[Lawful],
    before: Before<'_>,
) -> TokenStream {
    let header = Header::of(krate, tree, Some(instances).filter(|all| !all.is_empty()), Programs::default());
    let attributes = Attributes::of(&tree.attributes);
    let generated_types = GeneratedType::of(tree);
    let scope = Scope::of(&header, &generated_types);
    let functions = super::functions(&header, &|_| Err(String::new()));
    let cfg = &attributes.cfg;
    // For paths without their beginning.
    let import = quote!(#[allow(unused)] use #krate::{*, __private::*};);
    let names = names::items(&header, &kernel_tokens(block, tree), instances.first().map(Lawful::kernel));
    let mut out = quote!(#(#cfg)* const _: () = { #import #names };);
    let mut inside = parameter::items(&header);
    for generated in &generated_types {
        let place = before(generated.span());
        let listed: Vec<&Lawful> = instances.iter().filter(|lawful| generated.admits(lawful.kernel())).collect();
        out.extend(type_item(&header, generated, &attributes, &listed, place));
        let functions = functions.iter().filter_map(|each| function(&header, &scope, &attributes, each, place));
        let (declared, arguments) = (angled(header.declared()), angled(header.arguments(Over::Generics)));
        let own = spelling::identifier(&generated.name.text, spelling::emitted(place));
        inside.extend(spelling::at(&quote!(impl #declared #own #arguments { #(#functions)* }), place));
    }
    out.extend(quote!(#(#cfg)* const _: () = { #import #inside };));
    out
}

/// `struct conv2d<T, const P: usize> { … }`. The name of a map is not that of its type, so an editor must not rename it: its
/// identifier is marked as emitted code.
fn type_item(
    header: &Header<'_>,
    generated: &GeneratedType,
    attributes: &Attributes,
    listed: &[&Lawful],
    place: Span,
) -> TokenStream {
    let Attributes { cfg, doc, others, .. } = attributes;
    let krate = header.krate;
    let name = match generated.map {
        None => spelling::identifier(&generated.name.text, generated.span()),
        Some(_) => generated.ident(),
    };
    let (words, vis) = (super::generated::words(header, generated, attributes), &header.tree.visibility);
    // Whoever rests the cursor on a call does not see the kernel.
    let mut section = doc::equations(header.tree);
    section.extend(doc::section(header, generated, listed));
    let section = attributes::doc(&section);
    let types = header.type_generics();
    let field = (!types.is_empty()).then(|| quote!(marker: #krate::__private::PhantomData<(#(#types,)*)>));
    let generics = spelling::at(&angled(header.declared()), place);
    let user = (generated.map.is_none() && attributes.has_words()).then(|| quote!(#(#doc)*));
    let words = user.unwrap_or_else(|| spelling::at(&words, place));
    let (section, field) = (spelling::at(&section, place), spelling::at(&quote!({ #field }), place));
    // Editors have lints too.
    let lint = quote_spanned!(place=> #[allow(non_camel_case_types)]);
    let word = quote_spanned!(place=> struct);
    let (vis, others) = match generated.map {
        None => (vis.clone(), quote!(#(#others)*)),
        Some(_) => (spelling::at(vis, place), spelling::at(&quote!(#(#others)*), place)),
    };
    quote!(#(#cfg)* #words #section #lint #others #vis #word #name #generics #field)
}

/// A public function of a type, without code. Its name is the user's, so that the editor goes to one place only.
fn function(
    header: &Header<'_>,
    scope: &Scope,
    attributes: &Attributes,
    function: &Function<'_>,
    place: Span,
) -> Option<TokenStream> {
    let public = function.public.as_ref()?;
    let (doc, fallback) = (attributes::doc(&function.doc), &function.fallback);
    let name = spelling::identifier(&function.name.to_string(), place);
    let (parameters, _) = scope.apart(&public.arguments, &TokenStream::new());
    let (generics, result, bounds) = (angled(public.generics.clone()), &public.result, &public.bounds);
    let (deprecated, long) = (&attributes.deprecated, long_list(&parameters));
    let bounds = (!bounds.is_empty()).then(|| quote!(where #bounds));
    let signature = short(header.krate, quote!(#generics (#parameters) -> #result #bounds));
    Some(spelling::at(&quote!(#doc #(#deprecated)* #long pub fn #name #signature { #fallback }), place))
}

/// Paths without their beginning, which the block imports: an editor shows `Result` and not `systolic::__private::Result`.
fn short(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    let text = |tokens: &[TokenTree]| tokens.iter().map(ToString::to_string).collect::<Vec<_>>();
    let path = |words: TokenStream| text(&words.into_iter().collect::<Vec<_>>());
    let long = [quote!(#krate::__private::primitive::), quote!(#krate::__private::), quote!(#krate::)].map(path);
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut out, mut k) = (TokenStream::new(), 0);
    while k < tokens.len() {
        let is_here = |path: &&Vec<String>| tokens.len() > k + path.len() && text(&tokens[k..k + path.len()]) == **path;
        k += long.iter().find(is_here).map_or(0, Vec::len);
        out.extend([match &tokens[k] {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), short(krate, group.stream()))),
            token => token.clone(),
        }]);
        k += 1;
    }
    out
}

fn angled(inner: TokenStream) -> TokenStream {
    if inner.is_empty() { inner } else { quote!(<#inner>) }
}

/// The tokens of one kernel of a block, without its attributes: those up to the next braces that contain its name.
fn kernel_tokens(block: &TokenStream, tree: &tree::Kernel) -> Vec<TokenTree> {
    let name = identity(tree.name.at.start);
    let is_name = |token: &TokenTree| matches!(token, TokenTree::Ident(_)) && identity(token.span()) == name;
    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let tokens: Vec<TokenTree> = block.clone().into_iter().collect();
    let Some(at) = tokens.iter().position(is_name) else { return Vec::new() };
    let rest = &tokens[at + 1..];
    let end = rest.iter().position(is_body).map_or(rest.len(), |body| body + 1);
    rest[..end].to_vec()
}

/// The groups in braces among some tokens.
fn braces(tokens: &[TokenTree]) -> impl Iterator<Item = &Group> {
    tokens.iter().filter_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    })
}
