//! The arguments that a caller may pass for an array: types that implement a trait of the runtime. The trait takes a marker
//! type named after the parameter, which serves rustc's message alone: an argument of the wrong rank or element type gets an
//! error that names the parameter, what was expected and what was found.
use super::arguments::{ConstType, Header, Over};
use super::names;
use crate::region::Name;
use crate::sorted::SortedSet;
use crate::syntax::tree::{ArrayType, ParameterKind};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// The type of the argument for an array parameter, as `impl` of the trait; `None` if the rank is a fault.
pub fn input(header: &Header<'_>, name: &Name, array: &ArrayType, lifetime: TokenStream) -> Option<TokenStream> {
    bound(header, "Asked", name, array, lifetime, None)
}

/// The same for a `const` parameter whose type is `ty`.
pub fn constant(
    header: &Header<'_>,
    name: &Name,
    array: &ArrayType,
    lifetime: TokenStream,
    ty: TokenStream,
) -> Option<TokenStream> {
    bound(header, "AskedConstant", name, array, lifetime, Some(ty))
}

/// The same for an output.
pub fn output(header: &Header<'_>, name: &Name, array: &ArrayType, lifetime: TokenStream) -> Option<TokenStream> {
    bound(header, "AskedOutput", name, array, lifetime, None)
}

fn bound(
    header: &Header<'_>,
    asked: &str,
    name: &Name,
    array: &ArrayType,
    lifetime: TokenStream,
    ty: Option<TokenStream>,
) -> Option<TokenStream> {
    let rank = Literal::usize_unsuffixed(rank(array)?);
    let (krate, element) = (header.krate, header.element(&array.element, Over::Generics));
    let (asked, marker) = (names::identifier(asked, Span::call_site()), marker(header, name));
    let ty = ty.map(|ty| quote!(, #ty));
    Some(quote!(impl #krate::__private::#asked<#lifetime, #marker, #element, #rank #ty>))
}

/// The type of an array on a GPU, behind the reference that `launch` takes. The bound is on the array and not on the reference,
/// so that a `&mut` can be used again after the call. A scalar is an array of one element.
pub fn on_device(header: &Header<'_>, asked: &str, name: &Name, array: &ArrayType) -> Option<TokenStream> {
    let rank = if array.dims.is_empty() { 1 } else { rank(array)? };
    let rank = Literal::usize_unsuffixed(rank);
    let (krate, element) = (header.krate, header.element(&array.element, Over::Generics));
    let (asked, marker) = (names::identifier(asked, Span::call_site()), marker(header, name));
    Some(quote!(impl #krate::__private::#asked<#marker, #element, #rank>))
}

/// The marker types named after the arrays of a kernel, each once.
pub fn items(header: &Header<'_>) -> TokenStream {
    let parameters = header.tree.parameters.iter().enumerate().filter_map(|(k, p)| match &p.kind {
        ParameterKind::Array { array, .. } => Some((&p.name, array)),
        ParameterKind::Const { array, .. } => {
            let is_known = !matches!(header.constant(k, array, Over::Generics), ConstType::Unknown);
            is_known.then_some((&p.name, array))
        }
        ParameterKind::Scalar { .. } | ParameterKind::Size => None,
    });
    let outputs = header.tree.outputs.iter().map(|output| (&output.name, &output.array));
    let arrays = parameters.chain(outputs).filter(|(_, array)| array.dims.is_empty() || rank(array).is_some());
    let markers: SortedSet<Ident> = arrays.map(|(name, _)| marker(header, name)).collect();
    let markers = markers.into_iter();
    // With braces: a unit struct is also a value, to which a parameter of the same name could refer.
    quote!(#(pub struct #markers {})*)
}

/// `x_of_turn`, with underscores appended if a generic or a type of the kernel has that name.
fn marker(header: &Header<'_>, name: &Name) -> Ident {
    let plain = |text: &str| text.trim_start_matches("r#").to_string();
    let mut text = format!("{}_of_{}", plain(&name.text), plain(&header.tree.name.text));
    let is_type = |text: &str| {
        super::generated::GeneratedType::of(header.tree).iter().any(|generated| generated.name.text == text)
    };
    while is_type(&text) || header.generics.iter().any(|(generic, _)| *generic == text) {
        text.push('_');
    }
    names::identifier(&text, Span::mixed_site())
}

fn rank(array: &ArrayType) -> Option<usize> {
    Some(array.dims.len()).filter(|rank| (1..=4).contains(rank))
}
