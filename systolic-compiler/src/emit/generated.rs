//! The types of a kernel, its own and one per named map, and the items of each: the type, the public functions, and the
//! code of its instances.
//!
//! Only the types are in the user's scope. Everything else is in one block, `const _: () = { … }`, where no item of the
//! user's can change the meaning of a name:
//!
//! - The code of the instances is in a module of that block. It sees no item of the user's, and no prelude except the one
//!   that it imports.
//! - The public functions bind the user's names for parameters, and a parameter is a pattern: it would refer to a constant,
//!   static or unit struct of the same name. The block therefore defines a function with each of these names, which hides
//!   such items and which a pattern may shadow.
//! - All names that the block defines differ from those of the kernel.
//!
//! Lints look at the span of a token. All tokens here, even the user's names, are marked as emitted code, so that no lint of
//! the user's reports anything. An `allow` would not do: under a `forbid` it is an error.
use super::arguments::{Header, Over};
use super::attributes::{self, Attributes};
use super::doc;
use super::function::{Function, joined};
use super::literal;
use super::names;
use super::parameter;
use super::scope::{Scope, long_list, shadows};
use crate::laws::Lawful;
use crate::model;
use crate::region::Name;
use crate::syntax::tree;
use crate::target::shown;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

/// A generated type of a kernel.
pub struct GeneratedType {
    pub name: Name,
    /// The number of its map among the kernel's maps; `None` for the kernel's own type.
    pub map: Option<usize>,
}

impl GeneratedType {
    /// The kernel's own type, then one per named map.
    pub fn of(tree: &tree::Kernel) -> Vec<GeneratedType> {
        let mut generated_types = vec![GeneratedType { name: tree.name.clone(), map: None }];
        for (position, map) in tree.maps.iter().enumerate() {
            if let Some(name) = &map.name {
                let text = type_name(&tree.name.text, &name.text);
                generated_types.push(GeneratedType { name: Name { text, at: name.at }, map: Some(position) });
            }
        }
        generated_types
    }

    /// The position of its name as the user's own code: messages there carry no note about macros.
    pub fn span(&self) -> Span {
        self.name.at.start
    }

    /// The same position marked as emitted code, which the user's lints ignore.
    pub fn emitted(&self) -> Span {
        names::emitted(self.span())
    }

    pub fn ident(&self) -> Ident {
        names::user(&self.name)
    }

    /// Its number among the types of the kernel.
    pub fn number(&self) -> usize {
        self.map.map_or(0, |position| position + 1)
    }

    /// The hidden trait, in the module with the code.
    pub fn instance(&self) -> Ident {
        names::ours("Instance", self.number())
    }

    /// The hidden type that implements the trait for each instance.
    pub fn code(&self) -> Ident {
        names::ours("Code", self.number())
    }

    /// The path to functions of the same instance, from within the hidden trait: `<Self as …>`.
    pub fn this(&self, header: &Header<'_>, kernel: &model::Kernel) -> TokenStream {
        let (instance, arguments) = (self.instance(), header.arguments(Over::Instance(&kernel.instance)));
        quote!(<Self as #instance<#arguments>>)
    }

    /// The path to functions of the same instance of the kernel's own type, for anything that a map does not change.
    pub fn own(header: &Header<'_>, kernel: &model::Kernel) -> TokenStream {
        let own = GeneratedType { name: header.tree.name.clone(), map: None };
        let (code, instance, arguments) =
            (own.code(), own.instance(), header.arguments(Over::Instance(&kernel.instance)));
        quote!(<#code<#arguments> as #instance<#arguments>>)
    }

    /// Whether the type has this instance: a map's `where` may exclude some.
    pub fn admits(&self, kernel: &model::Kernel) -> bool {
        self.map.is_none_or(|position| kernel.has_map(position))
    }
}

/// The name of the type of a map.
fn type_name(kernel: &str, map: &str) -> String {
    let plain = |text: &str| text.trim_start_matches("r#").to_string();
    format!("{}_{}", plain(kernel), plain(map))
}

/// All items of a lawful kernel.
pub fn items(
    header: &Header<'_>,
    generated_types: &[GeneratedType],
    functions: &[Function<'_>],
    instances: &[Lawful],
) -> TokenStream {
    let attributes = Attributes::of(&header.tree.attributes);
    let scope = Scope::of(header, generated_types);
    let (mut types, mut code, mut public) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    for generated in generated_types {
        let listed: Vec<&Lawful> = instances.iter().filter(|lawful| generated.admits(lawful.kernel())).collect();
        types.extend(type_item(header, generated, &attributes, &listed));
        // Without generics there is no bound that could fail: if the map excludes the only instance, it has no functions.
        if header.generics.is_empty() && listed.is_empty() {
            continue;
        }
        code.extend(trait_item(header, generated, functions));
        code.extend(
            listed.iter().map(|lawful| implementation(header, generated, functions, lawful)).collect::<TokenStream>(),
        );
        public.extend(listed_items(header, generated, &scope, &listed));
        public.extend(public_functions(header, generated, &scope, &attributes, functions, false));
    }
    let (krate, module, asked) = (header.krate, scope.module(), parameter::items(header));
    let code = quote!(mod #module { use #krate::__private::scope::*; #code });
    let block = block(&scope, &attributes, functions, quote!(#code #asked #public));
    quote!(#types #block)
}

/// The trait of a kernel's own type and its one instance, for code that no user calls.
pub fn hidden(header: &Header<'_>, functions: &[Function<'_>], lawful: &Lawful) -> TokenStream {
    let own = GeneratedType { name: header.tree.name.clone(), map: None };
    let (item, code) = (trait_item(header, &own, functions), implementation(header, &own, functions, lawful));
    quote!(#item #code)
}

/// The items of a kernel with faults.
pub fn stub_items(header: &Header<'_>, generated_types: &[GeneratedType], functions: &[Function<'_>]) -> TokenStream {
    let attributes = Attributes::of(&header.tree.attributes);
    let scope = Scope::of(header, generated_types);
    let types = generated_types.iter().map(|generated| type_item(header, generated, &attributes, &[]));
    let types: TokenStream = types.collect();
    let public = generated_types
        .iter()
        .map(|generated| public_functions(header, generated, &scope, &attributes, functions, true));
    let asked = parameter::items(header);
    let block = block(&scope, &attributes, functions, [asked].into_iter().chain(public).collect());
    quote!(#types #block)
}

/// The block that holds everything except the types.
fn block(scope: &Scope, attributes: &Attributes, functions: &[Function<'_>], items: TokenStream) -> TokenStream {
    let cfg = &attributes.cfg;
    let parameters = functions.iter().filter_map(|f| f.public.as_ref()).map(|public| &public.arguments);
    let parameters: Vec<TokenStream> = parameters.map(|list| scope.apart(list, &TokenStream::new()).0).collect();
    let shadows = shadows(parameters.iter());
    quote!(#(#cfg)* const _: () = { #shadows #items };)
}

/// `struct conv2d<T, const P: usize> { … }`. It only serves as a type: it has no values.
fn type_item(
    header: &Header<'_>,
    generated: &GeneratedType,
    attributes: &Attributes,
    listed: &[&Lawful],
) -> TokenStream {
    let Attributes { cfg, others, .. } = attributes;
    let (vis, name) = (names::visibility(&header.tree.visibility), generated.ident());
    let words = words(header, generated, attributes);
    let section = attributes::doc(&doc::section(header, generated, listed));
    let item = struct_item(header, generated, &name);
    quote_spanned! {generated.emitted()=>
        #(#cfg)*
        #words
        #section
        #(#others)*
        #vis #item
    }
}

/// What the documentation of a type begins with: the user's words, or a line that says which kernel it is.
pub fn words(header: &Header<'_>, generated: &GeneratedType, attributes: &Attributes) -> TokenStream {
    let doc = &attributes.doc;
    match generated.map {
        None if attributes.has_words() => quote!(#(#doc)*),
        None => {
            let words = attributes::doc(&[format!("The kernel `{}`.", header.tree.name.text)]);
            quote!(#words #(#doc)*)
        }
        Some(position) => {
            let map = header.tree.maps.get(position).and_then(|map| map.name.as_ref()).map_or("", |name| &name.text);
            attributes::doc(&[format!("The kernel [`{}`] with its map `{map}`.", header.tree.name.text)])
        }
    }
}

/// A struct with the kernel's generics. Its field is private, so that no code outside can construct a value.
fn struct_item(header: &Header<'_>, generated: &GeneratedType, name: &Ident) -> TokenStream {
    let (krate, types) = (header.krate, header.type_generics());
    let generics = angled(generated, header.declared());
    quote_spanned!(generated.emitted()=> struct #name #generics { marker: #krate::__private::PhantomData<(#(#types,)*)> })
}

/// The trait that instances implement, and the type that they implement it for.
fn trait_item(header: &Header<'_>, generated: &GeneratedType, functions: &[Function<'_>]) -> TokenStream {
    let (name, code) = (generated.instance(), struct_item(header, generated, &generated.code()));
    let generics = angled(generated, header.declared());
    let associated = header.associated().into_iter().map(|(_, name)| quote!(type #name;));
    let signatures = functions.iter().map(|function| {
        let (arguments, result) = (function.hidden)(Over::Generics);
        let ((name, over), long) = (function.hidden_name(), long_list(&arguments));
        quote_spanned!(generated.emitted()=> #long fn #name #over (#arguments) -> #result;)
    });
    quote_spanned! {generated.emitted()=>
        pub #code
        pub trait #name #generics { #(#associated)* #(#signatures)* }
    }
}

/// The list of instances, which the public functions require and rustc shows.
fn listed_items(header: &Header<'_>, generated: &GeneratedType, scope: &Scope, listed: &[&Lawful]) -> TokenStream {
    if header.generics.is_empty() {
        return scope.alias(header, generated);
    }
    let krate = header.krate;
    let (own, all, module, code) = (scope.own(generated), scope.all(generated), scope.module(), generated.code());
    let instance = |lawful: &&Lawful| header.arguments(Over::Instance(&lawful.kernel().instance));
    let shown: Vec<TokenStream> = listed.iter().take(shown::INSTANCES).map(instance).collect();
    let more = listed.len() - shown.len();
    let more = (more > 0).then(|| {
        let count = literal::number(more as model::Int);
        quote!(#krate::__private::More<#count>,)
    });
    let shown = match shown.as_slice() {
        [one] => quote!(#own<#one>),
        _ => quote!((#(#own<#shown>,)* #more)),
    };
    let each = listed.iter().map(|lawful| {
        let arguments = instance(lawful);
        quote! {
            impl #krate::__private::Instance<#all> for #own<#arguments> { type Code = #module::#code<#arguments>; }
        }
    });
    let alias = scope.alias(header, generated);
    quote!(#alias type #all = #shown; #(#each)*)
}

fn public_functions(
    header: &Header<'_>,
    generated: &GeneratedType,
    scope: &Scope,
    attributes: &Attributes,
    functions: &[Function<'_>],
    stub: bool,
) -> TokenStream {
    let krate = header.krate;
    let (vis, module, instance) = (names::visibility(&header.tree.visibility), scope.module(), generated.instance());
    let (declared, arguments) = (header.declared(), header.arguments(Over::Generics));
    let deprecated = &attributes.deprecated;
    // The type whose functions are called, and the bounds that a caller must satisfy.
    let (code, all, found) = (generated.code(), scope.all(generated), scope.code());
    let is_generic = !header.generics.is_empty();
    let code = if is_generic { quote!(#found) } else { quote!(#module::#code) };
    let found = is_generic.then_some(found);
    let functions = functions.iter().filter_map(|function| Some((function, function.public.as_ref()?)));
    let functions = functions.map(|(function, public)| {
        let (doc, mut name) = (attributes::doc(&function.doc), function.name.clone());
        name.set_span(generated.span());
        let (parameters, passed) = scope.apart(&public.arguments, &public.passed);
        let long = long_list(&parameters);
        let named = scope.named(&parameters);
        let (first, further) = (ended(public.generics.clone()), &named.generics);
        let found = found.as_ref().filter(|_| !stub);
        let further = further.iter().chain(found);
        let (generics, takes) = (angled(generated, quote!(#first #(#further),*)), &named.parameters);
        let result = names::at(&public.result, generated.span());
        let (first, further) = (&public.bounds, &named.bounds);
        let bounds = quote!(#first #further);
        if stub {
            let fallback = &function.fallback;
            return quote_spanned! {generated.emitted()=>
                #doc #(#deprecated)* #long #vis fn #name #generics (#takes) -> #result where #bounds { #fallback }
            };
        }
        let own = angled(generated, arguments.clone());
        let (hidden, _) = function.hidden_name();
        let fixed = &public.fixed;
        let asked = joined([arguments.clone(), quote!(#(#fixed = #fixed),*)]);
        // A bound without generics would cause a warning and say nothing. The implementing type is a generic of the
        // function, which rustc infers. As a projection in a bound, rustc would resolve it before it knows the instance.
        let asks = found.map(|found| {
            quote_spanned!(generated.emitted()=>
                Self: #krate::__private::Listed<#all, Code = #found>, #found: #module::#instance<#asked>,)
        });
        let unboxed = public.is_boxed.then(|| quote!(.map_err(#krate::__private::From::from)));
        quote_spanned! {generated.emitted()=>
            #doc
            #(#deprecated)*
            #long
            #vis fn #name #generics (#takes) -> #result where #asks #bounds {
                <#code as #module::#instance #own>::#hidden(#passed)#unboxed
            }
        }
    });
    let unused = decoy(generated);
    let (declared, arguments) = (angled(generated, declared), angled(generated, arguments.clone()));
    let alias = stub.then(|| scope.alias(header, generated));
    let own = scope.own(generated);
    quote_spanned! {generated.emitted()=>
        #alias
        impl #declared #own #arguments { #(#functions)* #unused }
    }
}

/// A function that is never called. The names of the public functions have the span of the kernel's name, as code of the
/// user's, so that errors of rustc carry no note about macros. But then rustc would report unused functions of a kernel as
/// the user's dead code. It reports all unused functions of a type together, and stays silent if one of them is emitted
/// code, as this one is.
fn decoy(generated: &GeneratedType) -> TokenStream {
    quote_spanned!(generated.emitted()=> #[doc(hidden)] fn systolic_unused() {})
}

fn implementation(
    header: &Header<'_>,
    generated: &GeneratedType,
    functions: &[Function<'_>],
    lawful: &Lawful,
) -> TokenStream {
    let kernel = lawful.kernel();
    let over = Over::Instance(&kernel.instance);
    let (code, instance) = (generated.code(), generated.instance());
    let arguments = angled(generated, header.arguments(over));
    let associated = header.associated().into_iter().filter_map(|(k, name)| {
        let model::ParameterKind::Const { ty, dims, .. } = &kernel.parameters.get(k)?.kind else { return None };
        let element = literal::ty(header.krate, *ty);
        let ty = dims.iter().rev().fold(element, |inner, dim| {
            let dim = literal::number(*dim);
            quote!([#inner; #dim])
        });
        Some(quote!(type #name = #ty;))
    });
    let functions = functions.iter().map(|function| {
        let (takes, result) = (function.hidden)(over);
        let ((name, over), body) = (function.hidden_name(), (function.body)(generated, lawful));
        quote_spanned!(generated.emitted()=> fn #name #over (#takes) -> #result { #body })
    });
    quote_spanned! {generated.emitted()=>
        impl #instance #arguments for #code #arguments { #(#associated)* #(#functions)* }
    }
}

/// `<…>`, or nothing.
fn angled(generated: &GeneratedType, inner: TokenStream) -> TokenStream {
    if inner.is_empty() {
        return inner;
    }
    let inner = names::at(&inner, generated.span());
    quote_spanned!(generated.emitted()=> <#inner>)
}

/// The list with a trailing comma, if it is not empty.
fn ended(list: TokenStream) -> TokenStream {
    match list.clone().into_iter().last() {
        Some(TokenTree::Punct(comma)) if comma.as_char() == ',' => list,
        Some(_) => quote!(#list,),
        None => list,
    }
}

/// The name of one of our functions.
pub fn function_name(name: &str) -> Ident {
    format_ident!("{name}")
}
