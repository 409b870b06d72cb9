//! A function of a kernel's types: the signature that callers see, and the one that every instance implements.
use super::arguments::{ConstType, Header, Over};
use super::generated::GeneratedType;
use super::names::{self, ours};
use super::parameter;
use crate::laws::Lawful;
use crate::region::Name;
use crate::syntax::tree::{ArrayType, ParameterKind};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

/// A function in two forms: a public one of the kernel's type, and one of the hidden trait, which the public one calls.
pub struct Function<'h> {
    pub name: Ident,
    /// The name and the generic of the hidden one, if it has another name and is generic itself.
    pub over: Option<(Ident, TokenStream)>,
    pub doc: Vec<String>,
    /// The public one, with the user's names; `None` for a function that only emitted code calls.
    pub public: Option<Public>,
    /// Arguments and result of the hidden one.
    pub hidden: Hidden<'h>,
    /// The body of the hidden one, for an instance of a type.
    pub body: Code<'h>,
    /// The body of the public one if the kernel has faults.
    pub fallback: TokenStream,
}

impl Function<'_> {
    /// The name of the hidden one, and its generics.
    pub fn hidden_name(&self) -> (&Ident, TokenStream) {
        match &self.over {
            Some((name, generic)) => (name, quote!(<#generic>)),
            None => (&self.name, TokenStream::new()),
        }
    }
}

/// Returns arguments and result, written with the generics or for an instance.
pub type Hidden<'h> = Box<dyn Fn(Over<'_>) -> (TokenStream, TokenStream) + 'h>;
pub type Code<'h> = Box<dyn Fn(&GeneratedType, &Lawful) -> TokenStream + 'h>;

/// The signature that a caller sees.
#[derive(Default)]
pub struct Public {
    /// `<'a, W0>`, without the brackets.
    pub generics: TokenStream,
    pub arguments: TokenStream,
    pub result: TokenStream,
    /// The arguments that it passes to the hidden one.
    pub passed: TokenStream,
    /// Additional bounds.
    pub bounds: TokenStream,
    /// Associated types of the hidden trait that this function's arguments determine.
    pub fixed: Vec<Ident>,
    /// Whether the hidden one returns its error in a box.
    pub is_boxed: bool,
}

/// The result of a hidden function whose error is in a box.
pub fn boxed(krate: &TokenStream, ty: &TokenStream) -> TokenStream {
    quote!(#krate::__private::Result<#ty, #krate::__private::Failure>)
}

/// Where arrays are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// In host memory: views.
    Host,
    /// In GPU memory.
    Device,
    /// In parts, on the ranks of a mesh.
    #[cfg(feature = "mesh")]
    Mesh,
}

/// The parameters of a kernel as a caller sees them. The result is left empty.
pub fn taking(header: &Header<'_>, held: Held) -> Public {
    let mut lifetimes = TokenStream::new();
    let (mut types, mut fixed) = (Vec::new(), Vec::new());
    let (mut arguments, mut passed) = (Vec::new(), Vec::new());
    for (k, (name, parameter)) in header.parameters.iter().zip(&header.tree.parameters).enumerate() {
        // Messages about an argument point at the parameter.
        let at = name.span();
        let krate = header.krate;
        let private = quote_spanned!(at=> #krate::__private);
        let (ty, pass) = match &parameter.kind {
            ParameterKind::Array { array, .. } => match header.view(array, Over::Generics, quote!('a)) {
                Some(_) if held == Held::Device => {
                    let ty = parameter::on_device(header, "AskedOnDevice", &parameter.name, array).unwrap_or_default();
                    (quote_spanned!(at=> &(#ty)), quote!(#private::DeviceArgument::array(#name)))
                }
                #[cfg(feature = "mesh")]
                Some(_) if held == Held::Mesh => {
                    lifetimes = quote!('a);
                    (super::parts::given(header, array), quote!(#private::Given::given(#name)))
                }
                Some(_) => {
                    lifetimes = quote!('a);
                    let text = &parameter.name.text;
                    let ty = parameter::input(header, &parameter.name, array, quote!('a)).unwrap_or_default();
                    (ty, quote!(#private::Argument::argument(#name, #text)?))
                }
                None => (quote_spanned!(at=> impl #private::Sized), quote!(#name)),
            },
            ParameterKind::Const { array, .. } => match header.constant(k, array, Over::Generics) {
                ConstType::Plain(ty) => {
                    lifetimes = quote!('a);
                    constant(header, name, &parameter.name, array, ty)
                }
                ConstType::Associated(ty) => {
                    lifetimes = quote!('a);
                    types.push(quote!(#ty: 'a));
                    fixed.push(ty.clone());
                    constant(header, name, &parameter.name, array, quote!(#ty))
                }
                ConstType::Unknown => (quote_spanned!(at=> impl #private::Sized), quote!(#name)),
            },
            ParameterKind::Scalar { ty } => (header.element(ty, Over::Generics), quote!(#name)),
            ParameterKind::Size => (quote_spanned!(at=> #private::primitive::usize), quote!(#name)),
        };
        let ty = names::at(&ty, at);
        arguments.push(quote_spanned!(at=> #name: #ty));
        passed.push(pass);
    }
    let mut bounds = TokenStream::new();
    let mut generics = TokenStream::new();
    if !lifetimes.is_empty() {
        let outlive = header.type_generics();
        bounds.extend(quote!(#(#outlive: 'a,)*));
        generics.extend(quote!('a,));
    }
    generics.extend(quote!(#(#types),*));
    let (arguments, passed) = (quote!(#(#arguments),*), quote!(#(#passed),*));
    Public { generics, arguments, result: TokenStream::new(), passed, bounds, fixed, is_boxed: false }
}

/// The type of the argument for a `const` parameter, and the expression passed on: a reference to the nested array.
fn constant(
    header: &Header<'_>,
    name: &Ident,
    parameter: &Name,
    array: &ArrayType,
    ty: TokenStream,
) -> (TokenStream, TokenStream) {
    let (krate, text) = (header.krate, &parameter.text);
    let bound = parameter::constant(header, parameter, array, quote!('a), ty).unwrap_or_default();
    (bound, quote!(&*#krate::__private::Constant::constant(#name, #text)?))
}

/// The parameters of the hidden function: `p0, p1, …`.
pub fn taken(header: &Header<'_>, over: Over<'_>, held: Held) -> TokenStream {
    let krate = header.krate;
    let arguments = header.tree.parameters.iter().enumerate().map(|(k, parameter)| {
        let name = ours("p", k);
        let ty = match &parameter.kind {
            ParameterKind::Array { array, .. } if held == Held::Device => {
                let array = header.on_device(array, over);
                quote!(&#array)
            }
            #[cfg(feature = "mesh")]
            ParameterKind::Array { array, .. } if held == Held::Mesh => super::parts::input(header, array, over),
            ParameterKind::Array { array, .. } => header.view(array, over, quote!('_)).unwrap_or_default(),
            ParameterKind::Const { array, .. } => match header.constant(k, array, over) {
                ConstType::Plain(ty) => quote!(&#ty),
                ConstType::Associated(ty) => quote!(&Self::#ty),
                ConstType::Unknown => quote!(()),
            },
            ParameterKind::Scalar { ty } => header.element(ty, over),
            ParameterKind::Size => quote!(#krate::__private::primitive::usize),
        };
        quote!(#name: #ty)
    });
    quote!(#(#arguments),*)
}

/// The argument for a device; accepts `&dyn Device` too.
pub fn device(krate: &TokenStream) -> TokenStream {
    quote!(device: &(impl #krate::Device + ?#krate::__private::Sized))
}

/// The result of a function of a kernel with faults.
pub fn refused(header: &Header<'_>) -> TokenStream {
    let (krate, name) = (header.krate, &header.tree.name.text);
    quote!(#krate::__private::Result::Err(#krate::Error::NotCompiled { kernel: #name }))
}

/// Joins the lists that are not empty with commas.
pub fn joined<const N: usize>(lists: [TokenStream; N]) -> TokenStream {
    let lists = lists.into_iter().filter(|list| !list.is_empty());
    quote!(#(#lists),*)
}
