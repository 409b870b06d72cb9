//! `run_on`: runs a kernel in parts, one per rank of a mesh. What a rank does is written in `systolic-mesh`; emitted code
//! names the kernel's types for it, and holds the data that says how the kernel can be cut.
use super::arguments::{Header, Over};
use super::function::{self, Function, Held, Public, joined};
use super::generated::{GeneratedType, function_name};
use super::literal::number;
use super::names::{identifier, ours};
use super::relays::{self, relays};
use super::signature;
use crate::laws::Lawful;
use crate::laws::split::{Along, Outside, Split, split};
use crate::model::{Int, Kernel, ParameterKind};
use crate::relay::Relay;
use crate::syntax::tree::ArrayType;
use crate::target::limits;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// `run_on`: takes a mesh and a device, then the parameters.
pub fn run_on<'h>(header: &'h Header<'h>) -> Function<'h> {
    let (krate, mesh) = (header.krate, generic(header));
    let result = {
        let mesh = mesh.clone();
        move |over: Over<'_>| {
            let arrays = header.tree.outputs.iter().map(|output| array(header, &output.array, over));
            let arrays: Vec<TokenStream> = arrays.collect();
            let arrays = if let [one] = arrays.as_slice() { one.clone() } else { quote!((#(#arrays),*)) };
            quote!(#krate::__private::Result<#arrays, <#mesh as #krate::__private::Arrangement>::Error>)
        }
    };
    let taking = function::taking(header, Held::Mesh);
    let (arguments, passed, generics) = (&taking.arguments, &taking.passed, &taking.generics);
    let (bounds, elements) = (&taking.bounds, header.type_generics());
    let generics = if generics.is_empty() { quote!(#mesh) } else { joined([trimmed(generics), quote!(#mesh)]) };
    let public = Public {
        result: result(Over::Generics),
        generics,
        bounds: quote!(#bounds #mesh: #krate::__private::Arrangement, #(#elements: #krate::Element,)*),
        arguments: joined([quote!(mesh: &#mesh), function::device(krate), arguments.clone()]),
        passed: joined([quote!((mesh, &#krate::Device::site(device))), passed.clone()]),
        ..taking
    };
    let doc = [
        "Runs the kernel in parts, one per rank of a mesh, and returns this rank's parts of the outputs. An input is an array",
        "that is distributed over the mesh, or a whole one that all ranks have.",
        "",
        "# Errors",
        "",
        "Fails on all ranks, before any data moves, if the kernel cannot be cut along the dimensions of the mesh, if shapes do",
        "not fit, or if the ranks do not all make the same call. Fails if a rank is lost, or if `run` would fail.",
    ];
    Function {
        name: function_name("run_on"),
        over: Some((function_name("run_in_parts"), quote!(#mesh: #krate::__private::Arrangement))),
        doc: doc.map(String::from).to_vec(),
        public: Some(public),
        hidden: Box::new(move |over| {
            let mesh = generic(header);
            let at = quote!(at: (&#mesh, &#krate::__private::Site));
            let (takes, result) = (joined([at, function::taken(header, over, Held::Mesh)]), result(over));
            match over {
                // Of a generic type the trait has to say what every instance knows.
                Over::Generics if !elements.is_empty() => {
                    (takes, quote!(#result where #(#elements: #krate::Element),*))
                }
                _ => (takes, result),
            }
        }),
        body: Box::new(move |generated, lawful| code(header, generated, lawful.kernel())),
        fallback: refused(header),
    }
}

/// The result for a kernel with faults.
fn refused(header: &Header<'_>) -> TokenStream {
    let (krate, name) = (header.krate, &header.tree.name.text);
    let error = quote!(#krate::__private::From::from(#krate::Error::NotCompiled { kernel: #name }));
    quote!(#krate::__private::Result::Err(#error))
}

/// The list without its last comma.
fn trimmed(list: &TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = list.clone().into_iter().collect();
    if matches!(tokens.last(), Some(proc_macro2::TokenTree::Punct(comma)) if comma.as_char() == ',') {
        tokens.pop();
    }
    tokens.into_iter().collect()
}

/// The generic for the mesh, with underscores appended if the kernel has a generic of that name.
fn generic(header: &Header<'_>) -> Ident {
    let mut name = "M".to_string();
    while header.tree.generics.iter().any(|generic| generic.name.text == name) {
        name.push('_');
    }
    identifier(&name, Span::call_site())
}

/// The argument for an array, as `impl` of a trait.
pub fn given(header: &Header<'_>, array: &ArrayType) -> TokenStream {
    let (krate, mesh) = (header.krate, generic(header));
    let (element, rank) = header.element_and_rank(array, Over::Generics);
    quote!(impl #krate::__private::Given<'a, #mesh, #element, #rank>)
}

/// The array as the hidden function takes it.
pub fn input(header: &Header<'_>, array: &ArrayType, over: Over<'_>) -> TokenStream {
    let (krate, mesh) = (header.krate, generic(header));
    let (element, rank) = header.element_and_rank(array, over);
    quote!(<#mesh as #krate::__private::Arrangement>::Input<'_, #element, #rank>)
}

/// A distributed array.
fn array(header: &Header<'_>, array: &ArrayType, over: Over<'_>) -> TokenStream {
    let (krate, mesh) = (header.krate, generic(header));
    let (element, rank) = header.element_and_rank(array, over);
    quote!(<#mesh as #krate::__private::Arrangement>::Array<#element, #rank>)
}

/// Solves for the sizes of the whole, sends what others read, and computes this rank's part piece by piece.
fn code(header: &Header<'_>, generated: &GeneratedType, kernel: &Kernel) -> TokenStream {
    let (krate, this, mesh) = (header.krate, generated.this(header, kernel), generic(header));
    let arrangement = quote!(<#mesh as #krate::__private::Arrangement>);
    let inputs = signature::arrays(kernel);
    let count = Literal::usize_unsuffixed(inputs.len());
    let numbers: Vec<Literal> = (0..inputs.len()).map(Literal::usize_unsuffixed).collect();
    let is_array = |k: &usize| matches!(kernel.parameters[*k].kind, ParameterKind::Array { .. });
    let all = || 0..kernel.parameters.len();
    let sizes = all().filter(|k| matches!(kernel.parameters[*k].kind, ParameterKind::Size)).map(|k| ours("p", k));
    let values = all().filter(|k| !is_array(k)).map(|k| ours("p", k));
    // Arrays are numbered among themselves.
    let mut arrays = numbers.iter();
    let passed = all().map(|k| {
        let name = ours("p", k);
        if !is_array(&k) {
            return quote!(#name);
        }
        let number = arrays.next();
        quote!(#arrangement::local(&plan, #number, &mut #name)?)
    });
    let passed: Vec<TokenStream> = passed.collect();
    let outputs: Vec<Ident> = (0..kernel.outputs.len()).map(|k| ours("o", k)).collect();
    let places: Vec<Literal> = (0..kernel.outputs.len()).map(Literal::usize_unsuffixed).collect();
    let relays = relays(header, kernel);
    let refusals = refusals(krate, kernel, &relays);
    let stored = outputs.iter().zip(&places).map(|(o, k)| quote!(#arrangement::place(&plan, #k, &mut #o)?));
    let stored: Vec<TokenStream> = stored.collect();
    let keeps = quote!(#(#arrangement::keep(&plan, #places, &mut #outputs)?;)*);
    let data = relays::constant(krate, &relays);
    let pipelines = relays.iter().flatten().map(|relay| {
        let (axis, pieces) = (Literal::usize_unsuffixed(relay.axis), (&*passed, &*stored, &keeps));
        let pieces = relays::pieces(krate, relay, &arrangement, pieces);
        quote!(#krate::__private::Option::Some(#axis) => { #pieces })
    });
    quote! {
        const { #krate::__private::can_be_cut::<#mesh>([#(#refusals),*]) };
        let (mesh, site) = at;
        let outlines: [#krate::__private::Outline<'_>; #count] = [#(#arrangement::outline(&#inputs)),*];
        let call = #this::signature().call(&[#(outlines[#numbers].shape),*], &[#(#sizes),*]);
        let call = call.map_err(<#krate::Error as #krate::__private::From<_>>::from);
        let mut plan = #arrangement::plan(mesh, (#this::parts(), #data), call, &outlines, &[#(&#values),*])?;
        #(let mut #inputs = #arrangement::send(&plan, #numbers, #inputs)?;)*
        #(let mut #outputs = #arrangement::room(&plan, #places)?;)*
        match #arrangement::relay(&plan) {
            #(#pipelines)*
            _ => while #arrangement::next(&mut plan) {
                #this::run_into(site, #(#passed,)* #(#stored),*)
                    .map_err(<#krate::Error as #krate::__private::From<_>>::from)?;
                #keeps
            }
        }
        #krate::__private::Result::Ok((#(#arrangement::output(&mut plan, #places, #outputs)),*))
    }
}

/// Per axis, why a kernel cannot be cut along it.
fn refusals<'r>(
    krate: &'r TokenStream,
    kernel: &'r Kernel,
    relays: &'r [Result<Relay, String>],
) -> impl Iterator<Item = TokenStream> {
    let name = name(kernel);
    splits(kernel).zip(relays).enumerate().map(move |(axis, (split, relay))| match (split, relay) {
        (Err(_), Err(why)) => {
            let told = format!("`{name}` cannot be split along dimension {axis}: {why}");
            quote!(#krate::__private::Option::Some(#told))
        }
        _ => quote!(#krate::__private::Option::None),
    })
}

/// The function `parts`, which gives the data.
pub fn function<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    Function {
        name: function_name("parts"),
        over: None,
        doc: Vec::new(),
        public: None,
        hidden: Box::new(move |_| (TokenStream::new(), quote!(&'static #krate::__private::Parts))),
        body: Box::new(move |generated, lawful| {
            if generated.map.is_some() {
                let own = GeneratedType::own(header, lawful.kernel());
                return quote!(#own::parts());
            }
            let parts = constant(krate, lawful);
            quote!(static PARTS: #krate::__private::Parts = #parts; &PARTS)
        }),
        fallback: TokenStream::new(),
    }
}

/// The kernel and its instance.
fn name(kernel: &Kernel) -> String {
    format!("{}{}", kernel.name.text, kernel.instance)
}

/// How each of the leading axes can be cut.
fn splits(kernel: &Kernel) -> impl Iterator<Item = Result<Split, String>> {
    (0..limits::MESH_AXES).map(|axis| split(kernel, axis))
}

fn constant(krate: &TokenStream, lawful: &Lawful) -> TokenStream {
    let (private, kernel) = (quote!(#krate::__private), lawful.kernel());
    let name = name(kernel);
    let axes = splits(kernel).map(|split| match split {
        Ok(split) => {
            let split = axis_of(&private, &split);
            quote!(#private::Result::Ok(#split))
        }
        Err(why) => quote!(#private::Result::Err(#why)),
    });
    quote!(#private::Parts { kernel: #name, axes: [#(#axes),*] })
}

/// A `Split` of the runtime.
pub fn axis_of(private: &TokenStream, split: &Split) -> TokenStream {
    let Split { loop_name, .. } = split;
    let size = Literal::usize_unsuffixed(split.size);
    let [behind, ahead, before, after, modulus, least] =
        [split.behind, split.ahead, split.before, split.after, split.modulus, split.least].map(number);
    let fixed = match &split.fixed {
        Some(why) => quote!(#private::Option::Some(#why)),
        None => quote!(#private::Option::None),
    };
    let inputs = split.inputs.iter().map(|input| match input {
        Some(along) => {
            let along = along_of(private, along);
            quote!(#private::Option::Some(#along))
        }
        None => quote!(#private::Option::None),
    });
    let outputs = split.outputs.iter().map(|along| along_of(private, along));
    quote!(#private::Split {
        size: #size, loop_name: #loop_name, behind: #behind, ahead: #ahead, before: #before, after: #after,
        modulus: #modulus, least: #least, fixed: #fixed, inputs: &[#(#inputs),*], outputs: &[#(#outputs),*],
    })
}

/// An `Along` of the runtime.
pub fn along_of(private: &TokenStream, along: &Along) -> TokenStream {
    let axis = Literal::usize_unsuffixed(along.axis);
    let [stride, rest, low, high]: [TokenStream; 4] =
        [along.stride, along.rest, along.low, along.high].map(|n: Int| number(n));
    let outside = match along.outside {
        Outside::Nothing => quote!(Nothing),
        Outside::Value => quote!(Value),
        Outside::Clamp => quote!(Clamp),
        Outside::Reflect => quote!(Reflect),
        Outside::Symmetric => quote!(Symmetric),
        Outside::Wrap => quote!(Wrap),
    };
    quote!(#private::Along {
        axis: #axis, stride: #stride, rest: #rest, low: #low, high: #high, outside: #private::Outside::#outside
    })
}
