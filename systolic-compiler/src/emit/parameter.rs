//! A hidden trait per array that a caller passes. It asks for what a trait of the runtime asks for, and is there for
//! rustc's message alone: an argument of another rank or element type gets an error that names the parameter, what was
//! expected and what came.
use super::arguments::{ConstType, Header, Over};
use super::attributes::Attributes;
use super::names;
use crate::region::Name;
use crate::syntax::tree::{ArrayType, ParameterKind};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

/// What a caller passes an array as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Input,
    Constant,
    Output,
}

/// The type of the argument for array parameter `k`, an `impl` of its trait; nothing where the rank is a fault.
pub fn input(header: &Header<'_>, k: usize, array: &ArrayType, lifetime: TokenStream) -> Option<TokenStream> {
    bound(header, Role::Input, k, array, lifetime, None)
}

/// The same for a `const` parameter whose type is `ty`.
pub fn constant(
    header: &Header<'_>,
    k: usize,
    array: &ArrayType,
    lifetime: TokenStream,
    ty: TokenStream,
) -> Option<TokenStream> {
    bound(header, Role::Constant, k, array, lifetime, Some(ty))
}

/// The same for output `k`.
pub fn output(header: &Header<'_>, k: usize, array: &ArrayType, lifetime: TokenStream) -> Option<TokenStream> {
    bound(header, Role::Output, header.parameters.len() + k, array, lifetime, None)
}

/// A kernel with faults asks for the trait of the runtime: its name may be another kernel's too.
fn bound(
    header: &Header<'_>,
    role: Role,
    k: usize,
    array: &ArrayType,
    lifetime: TokenStream,
    ty: Option<TokenStream>,
) -> Option<TokenStream> {
    rank(array)?;
    if !header.is_lawful() {
        let asked = asked(header, role, array, &lifetime, ty);
        return Some(quote!(impl #asked));
    }
    let (name, arguments) = (name(header, k, Span::call_site()), list(header.arguments(Over::Generics)));
    Some(quote!(impl #name<#lifetime, #arguments #ty>))
}

/// What the runtime asks of an argument.
fn asked(
    header: &Header<'_>,
    role: Role,
    array: &ArrayType,
    lifetime: &TokenStream,
    ty: Option<TokenStream>,
) -> TokenStream {
    let (krate, element) = (header.krate, header.element(&array.element, Over::Generics));
    let rank = Literal::usize_unsuffixed(array.dims.len());
    let name = match role {
        Role::Input => quote!(Argument),
        Role::Constant => quote!(Constant),
        Role::Output => quote!(Destination),
    };
    let ty = ty.map(|ty| quote!(, #ty));
    quote!(#krate::__private::#name<#lifetime, #element, #rank #ty>)
}

/// The traits of a lawful kernel's arrays.
pub fn items(header: &Header<'_>) -> TokenStream {
    let mut items = TokenStream::new();
    for (k, parameter) in header.tree.parameters.iter().enumerate() {
        match &parameter.kind {
            ParameterKind::Array { array, .. } => items.extend(item(header, Role::Input, k, &parameter.name, array)),
            ParameterKind::Const { array } => {
                if !matches!(header.constant(k, array, Over::Generics), ConstType::Unknown) {
                    items.extend(item(header, Role::Constant, k, &parameter.name, array));
                }
            }
            ParameterKind::Scalar { .. } | ParameterKind::Size => {}
        }
    }
    for (k, output) in header.tree.outputs.iter().enumerate() {
        items.extend(item(header, Role::Output, header.parameters.len() + k, &output.name, &output.array));
    }
    items
}

fn item(header: &Header<'_>, role: Role, k: usize, parameter: &Name, array: &ArrayType) -> Option<TokenStream> {
    let rank = rank(array)?;
    // Text of ours, which the user's lints leave alone.
    let at = Span::call_site().located_at(parameter.at.start);
    let (cfg, vis, name) = (Attributes::of(&header.tree.attributes).cfg, &header.tree.visibility, name(header, k, at));
    let (declared, arguments) = (list(header.declared()), list(header.arguments(Over::Generics)));
    let nested = (role == Role::Constant).then(|| names::identifier(NESTED, at));
    let passed = names::identifier("__A", at);
    let asked = asked(header, role, array, &quote!('a), nested.as_ref().map(|nested| quote!(#nested)));
    let nested = nested.map(|nested| quote!(#nested,));
    let Words { expected, note } = words(header, role, rank, parameter, array);
    let message = format!("`{}` of `{}`: expected {expected}, found `{{Self}}`", parameter.text, header.tree.name.text);
    let label = format!("expected {expected}");
    Some(quote_spanned! {at=>
        #(#cfg)*
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        #vis trait #name<'a, #declared #nested>: #asked {}

        // Else the message would be about the trait of the runtime.
        #(#cfg)*
        #[diagnostic::do_not_recommend]
        impl<'a, #declared #nested #passed: #asked> #name<'a, #arguments #nested> for #passed {}
    })
}

/// The type of a `const` parameter, in its trait.
const NESTED: &str = "__W";

struct Words {
    expected: String,
    /// What is taken.
    note: String,
}

fn words(header: &Header<'_>, role: Role, rank: usize, parameter: &Name, array: &ArrayType) -> Words {
    let (name, element) = (&parameter.text, element(header, &array.element));
    let dimensions = if rank == 1 { "1 dimension".to_string() } else { format!("{rank} dimensions") };
    let expected = format!("an array of {dimensions} of `{element}`");
    let owned = format!("Array{rank}<{element}>");
    match (role, rank) {
        (Role::Constant, 1) => Words {
            expected: format!("`{{{NESTED}}}`"),
            note: format!(
                "`{name}` takes `&{{{NESTED}}}`, or as many elements as `&[{element}]`, `&Vec<{element}>`, `&{owned}` or a view"
            ),
        },
        (Role::Constant, _) => Words {
            expected: format!("`{{{NESTED}}}`"),
            note: format!(
                "`{name}` takes `&{{{NESTED}}}`, or the same shape as `&{owned}`, a view, or `(&[{element}], [usize; {rank}])`"
            ),
        },
        (Role::Input, 1) => {
            Words { expected, note: format!("`{name}` takes `&{owned}`, a view, `&[{element}]` or `&Vec<{element}>`") }
        }
        (Role::Input, _) => Words {
            expected,
            note: format!(
                "`{name}` takes `&{owned}`, a view, or a slice with its shape, `(&[{element}], [usize; {rank}])`"
            ),
        },
        (Role::Output, 1) => Words {
            expected,
            note: format!("`{name}` takes `&mut {owned}`, a view, `&mut [{element}]` or `&mut Vec<{element}>`"),
        },
        (Role::Output, _) => Words {
            expected,
            note: format!(
                "`{name}` takes `&mut {owned}`, a view, or a slice with its shape, `(&mut [{element}], [usize; {rank}])`"
            ),
        },
    }
}

/// An element type as rustc writes it into the message: a generic one is what the caller's instance has.
fn element(header: &Header<'_>, name: &Name) -> String {
    let types = header.type_generics();
    match types.iter().find(|generic| generic.to_string() == name.text) {
        Some(generic) => format!("{{{generic}}}"),
        None => name.text.clone(),
    }
}

/// `__turn_0`. It ends in a number, as no other hidden name of a kernel does.
fn name(header: &Header<'_>, k: usize, at: Span) -> Ident {
    let kernel = header.tree.name.text.trim_start_matches("r#");
    names::identifier(&format!("__{kernel}_{k}"), at)
}

fn rank(array: &ArrayType) -> Option<usize> {
    Some(array.dims.len()).filter(|rank| (1..=4).contains(rank))
}

/// With a comma after it, if there is something.
fn list(items: TokenStream) -> TokenStream {
    if items.is_empty() { items } else { quote!(#items,) }
}
