//! The types of a kernel, its own and one a named map, and the items of each: the type, the hidden trait of its
//! instances, the public functions, and one implementation an instance.
use super::arguments::{Header, Over};
use super::attributes::{self, Attributes};
use super::doc;
use super::function::Function;
use super::literal;
use super::names;
use crate::laws::Lawful;
use crate::model;
use crate::region::Name;
use crate::syntax::tree;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// A type of a kernel.
pub struct Face {
    pub name: Name,
    /// The position of its map among the kernel's; `None`: the kernel's own type.
    pub map: Option<usize>,
}

impl Face {
    /// The kernel's own type, then one a named map.
    pub fn of(tree: &tree::Kernel) -> Vec<Face> {
        let mut faces = vec![Face { name: tree.name.clone(), map: None }];
        for (position, map) in tree.maps.iter().enumerate() {
            if let Some(name) = &map.name {
                let text = type_name(&tree.name.text, &name.text);
                faces.push(Face { name: Name { text, at: name.at }, map: Some(position) });
            }
        }
        faces
    }

    /// Its name's place as the user's own text: what stands there in a message carries no note about macros.
    pub fn span(&self) -> Span {
        self.name.at.start
    }

    /// The same place as emitted text, which the user's lints leave alone.
    pub fn emitted(&self) -> Span {
        Span::call_site().located_at(self.span())
    }

    pub fn ident(&self) -> Ident {
        names::user(&self.name)
    }

    /// The hidden trait.
    pub fn instance(&self) -> Ident {
        let plain = self.name.text.trim_start_matches("r#");
        names::identifier(&format!("__{plain}_Instance"), self.name.at.start)
    }

    /// An instance of it, as the hidden trait sees it: `<Self as …>`.
    pub fn this(&self, header: &Header<'_>, kernel: &model::Kernel) -> TokenStream {
        let (instance, arguments) = (self.instance(), header.arguments(Over::Instance(&kernel.instance)));
        quote!(<Self as #instance<#arguments>>)
    }

    /// The same instance of the kernel's own type, for what a map does not change.
    pub fn own(header: &Header<'_>, kernel: &model::Kernel) -> TokenStream {
        let own = Face { name: header.tree.name.clone(), map: None };
        let (ty, instance, arguments) =
            (own.ident(), own.instance(), header.arguments(Over::Instance(&kernel.instance)));
        quote!(<#ty<#arguments> as #instance<#arguments>>)
    }

    /// Whether an instance belongs to it: a map's `where` may exclude some.
    pub fn admits(&self, kernel: &model::Kernel) -> bool {
        self.map.is_none_or(|position| kernel.maps.iter().any(|map| map.position == position))
    }
}

/// The type of map `map` of kernel `kernel`.
fn type_name(kernel: &str, map: &str) -> String {
    let plain = |text: &str| text.trim_start_matches("r#").to_string();
    format!("{}_{}", plain(kernel), plain(map))
}

/// All items of a lawful kernel's type.
pub fn items(header: &Header<'_>, face: &Face, functions: &[Function<'_>], instances: &[Lawful]) -> TokenStream {
    let listed: Vec<&Lawful> = instances.iter().filter(|lawful| face.admits(lawful.kernel())).collect();
    let attributes = Attributes::of(&header.tree.attributes);
    let ty = type_item(header, face, &attributes, &listed);
    // Without generics there is nothing to ask for: if the map excludes all, it has no functions.
    if header.generics.is_empty() && listed.is_empty() {
        return ty;
    }
    let hidden = trait_item(header, face, &attributes, functions, &listed);
    let public = public_functions(header, face, &attributes, functions, false);
    let codes = listed.iter().map(|lawful| implementation(header, face, &attributes, functions, lawful));
    quote!(#ty #hidden #public #(#codes)*)
}

/// The items of the type of a kernel with faults.
pub fn stub_items(header: &Header<'_>, face: &Face, functions: &[Function<'_>]) -> TokenStream {
    let attributes = Attributes::of(&header.tree.attributes);
    let ty = type_item(header, face, &attributes, &[]);
    let public = public_functions(header, face, &attributes, functions, true);
    quote!(#ty #public)
}

/// `struct conv2d<T, const P: usize> { … }`. It is a type alone: no value of it is ever made.
fn type_item(header: &Header<'_>, face: &Face, attributes: &Attributes, listed: &[&Lawful]) -> TokenStream {
    let Attributes { cfg, doc, others, .. } = attributes;
    let (krate, vis, name) = (header.krate, &header.tree.visibility, face.ident());
    let generics = angled(face, header.declared());
    let types = header.type_generics();
    let marker = (!types.is_empty()).then(|| quote!(marker: #krate::__private::PhantomData<(#(#types,)*)>));
    let words = match face.map {
        None if attributes.has_words() => quote!(#(#doc)*),
        None => {
            let words = attributes::doc(&[format!("The kernel `{}`.", header.tree.name.text)]);
            quote!(#words #(#doc)*)
        }
        Some(position) => {
            let map = header.tree.maps.get(position).and_then(|map| map.name.as_ref()).map_or("", |name| &name.text);
            attributes::doc(&[format!("The kernel [`{}`] with its map `{map}`.", header.tree.name.text)])
        }
    };
    let section = attributes::doc(&doc::section(header, face, listed));
    quote_spanned! {face.span()=>
        #(#cfg)*
        #words
        #section
        #(#others)*
        #[allow(
            non_camel_case_types, non_upper_case_globals, dead_code, missing_debug_implementations,
            missing_copy_implementations, clippy::all, clippy::pedantic
        )]
        #vis struct #name #generics { #marker }
    }
}

/// The trait that instances implement. Its message is what a caller of another instance reads.
fn trait_item(
    header: &Header<'_>,
    face: &Face,
    attributes: &Attributes,
    functions: &[Function<'_>],
    listed: &[&Lawful],
) -> TokenStream {
    let (cfg, vis, name) = (&attributes.cfg, &header.tree.visibility, face.instance());
    let generics = angled(face, header.declared());
    let associated = header.associated().into_iter().map(|(_, name)| quote!(type #name;));
    let signatures = functions.iter().map(|function| {
        let (arguments, result) = (function.hidden)(Over::Generics);
        let name = &function.name;
        quote_spanned!(face.span()=> fn #name(#arguments) -> #result;)
    });
    let message = format!("`{{Self}}` is not an instance of the kernel `{}`", face.name.text);
    let label = doc::listed(listed);
    quote_spanned! {face.span()=>
        #(#cfg)*
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message, label = #label)]
        #[allow(non_camel_case_types, non_upper_case_globals, dead_code, clippy::all)]
        #vis trait #name #generics { #(#associated)* #(#signatures)* }
    }
}

fn public_functions(
    header: &Header<'_>,
    face: &Face,
    attributes: &Attributes,
    functions: &[Function<'_>],
    stub: bool,
) -> TokenStream {
    let (cfg, vis, name, instance) = (&attributes.cfg, &header.tree.visibility, face.ident(), face.instance());
    let (declared, arguments) = (header.declared(), header.arguments(Over::Generics));
    let functions = functions.iter().filter_map(|function| Some((function, function.public.as_ref()?)));
    let functions = functions.map(|(function, public)| {
        let (doc, mut name) = (attributes::doc(&function.doc), function.name.clone());
        name.set_span(face.span());
        let (generics, takes) = (angled(face, public.generics.clone()), &public.arguments);
        let result = names::at(&public.result, face.span());
        let (bounds, passed) = (&public.bounds, &public.passed);
        let own = angled(face, arguments.clone());
        if stub {
            let fallback = &function.fallback;
            return quote_spanned! {face.span()=>
                #doc #vis fn #name #generics (#takes) -> #result where #bounds { #fallback }
            };
        }
        let mut asked = arguments.clone();
        for fixed in &public.fixed {
            asked = if asked.is_empty() { quote!(#fixed = #fixed) } else { quote!(#asked, #fixed = #fixed) };
        }
        let asked = angled(face, asked);
        // A bound without generics would be a warning, and says nothing.
        let asks = (!header.generics.is_empty()).then(|| quote_spanned!(face.span()=> Self: #instance #asked,));
        quote_spanned! {face.span()=>
            #doc
            #vis fn #name #generics (#takes) -> #result where #asks #bounds {
                <Self as #instance #own>::#name(#passed)
            }
        }
    });
    let (declared, arguments) = (angled(face, declared), angled(face, arguments.clone()));
    quote_spanned! {face.emitted()=>
        #(#cfg)*
        #[allow(
            non_camel_case_types, non_upper_case_globals, non_snake_case, dead_code, deprecated, unused_variables,
            single_use_lifetimes, clippy::all, clippy::pedantic
        )]
        impl #declared #name #arguments { #(#functions)* }
    }
}

fn implementation(
    header: &Header<'_>,
    face: &Face,
    attributes: &Attributes,
    functions: &[Function<'_>],
    lawful: &Lawful,
) -> TokenStream {
    let kernel = lawful.kernel();
    let over = Over::Instance(&kernel.instance);
    let (cfg, name, instance) = (&attributes.cfg, face.ident(), face.instance());
    let arguments = angled(face, header.arguments(over));
    let associated = header.associated().into_iter().filter_map(|(k, name)| {
        let model::ParameterKind::Const { ty, dims } = &kernel.parameters.get(k)?.kind else { return None };
        let element = literal::ty(header.krate, *ty);
        let ty = dims.iter().rev().fold(element, |inner, dim| {
            let dim = literal::number(*dim);
            quote!([#inner; #dim])
        });
        Some(quote!(type #name = #ty;))
    });
    let functions = functions.iter().map(|function| {
        let (takes, result) = (function.hidden)(over);
        let (name, body) = (&function.name, (function.body)(face, lawful));
        quote_spanned!(face.emitted()=> fn #name(#takes) -> #result { #body })
    });
    quote_spanned! {face.emitted()=>
        #(#cfg)*
        #[diagnostic::do_not_recommend]
        #[allow(non_camel_case_types, deprecated, unused, clippy::all)]
        impl #instance #arguments for #name #arguments { #(#associated)* #(#functions)* }
    }
}

/// `<…>`, or nothing.
fn angled(face: &Face, inner: TokenStream) -> TokenStream {
    if inner.is_empty() {
        return inner;
    }
    let inner = names::at(&inner, face.span());
    quote_spanned!(face.span()=> <#inner>)
}

/// The name of a function of ours.
pub fn function_name(name: &str) -> Ident {
    format_ident!("{name}")
}
