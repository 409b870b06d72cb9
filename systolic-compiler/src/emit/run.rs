//! `run` and `run_into`: run a kernel by its map, on the device that the caller passes.
use super::arguments::{Header, Over};
use super::cpu;
use super::function::{self, Function, Held, Public, joined};
use super::generated::{GeneratedType, function_name};
use super::launch::has_code;
use super::literal;
use super::names::{self, ours};
use super::parameter;
use super::passes;
use super::signature;
use crate::compile::which;
use crate::laws::Lawful;
use crate::link::ArtifactStore;
use crate::mapping::Target;
use crate::model::{Kernel, ParameterKind};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

/// `run`: allocates the outputs.
pub fn run<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = move |over: Over<'_>| {
        let outputs = header.outputs(over);
        quote!(#krate::__private::Result<#outputs, #krate::Error>)
    };
    let taking = function::taking(header, Held::Host);
    let (arguments, passed) = (&taking.arguments, &taking.passed);
    let public = Public {
        result: result(Over::Generics),
        arguments: joined([function::device(krate), arguments.clone()]),
        passed: joined([quote!(&#krate::Device::site(device)), passed.clone()]),
        is_boxed: true,
        ..taking
    };
    let doc = [
        "Runs the kernel through its map on a device, and returns the outputs.",
        "",
        "# Errors",
        "",
        "Fails if shapes do not fit each other, if a condition of the kernel does not hold, if the device is not",
        "available, or if there is too little memory.",
    ];
    Function {
        over: None,
        name: function_name("run"),
        doc: doc.map(String::from).to_vec(),
        public: Some(public),
        hidden: Box::new(move |over| {
            let taken = function::taken(header, over, Held::Host);
            (joined([quote!(site: &#krate::__private::Site), taken]), function::boxed(krate, &header.outputs(over)))
        }),
        body: Box::new(move |generated, lawful| allocate(header, generated, lawful)),
        fallback: function::refused(header),
    }
}

/// `run_into`: takes the outputs as the last arguments.
pub fn run_into<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = quote!(#krate::__private::Result<(), #krate::Error>);
    let taking = function::taking(header, Held::Host);
    let (arguments, passed, generics) = (&taking.arguments, &taking.passed, &taking.generics);
    let names = header.output_names();
    let listed = || header.tree.outputs.iter().zip(&names);
    let into = listed().map(|(output, name)| {
        if output.is_scalar {
            let element = header.element(&output.array.element, Over::Generics);
            return quote_spanned!(name.span()=> #name: &'b mut #element);
        }
        let ty = parameter::output(header, &output.name, &output.array, quote!('b));
        let ty = ty.unwrap_or_else(|| quote!(impl #krate::__private::Sized));
        let ty = names::at(&ty, name.span());
        quote_spanned!(name.span()=> #name: #ty)
    });
    let given = listed().map(|(output, name)| {
        let text = &output.name.text;
        if output.is_scalar {
            return quote!(#krate::__private::one_element(#name));
        }
        quote!(#krate::__private::Destination::destination(#name, #text)?)
    });
    let outlive = header.type_generics();
    let bounds = &taking.bounds;
    let public = Public {
        result: result.clone(),
        generics: quote!('b, #generics),
        bounds: quote!(#bounds #(#outlive: 'b,)*),
        arguments: joined([function::device(krate), arguments.clone(), quote!(#(#into),*)]),
        passed: joined([quote!(&#krate::Device::site(device)), passed.clone(), quote!(#(#given),*)]),
        is_boxed: true,
        ..taking
    };
    let doc = [
        "As `run`, but stores the outputs in existing arrays.",
        "",
        "# Errors",
        "",
        "Fails if `run` would fail, or if the shape of an output is not the one that follows from the inputs.",
    ];
    Function {
        over: None,
        name: function_name("run_into"),
        doc: doc.map(String::from).to_vec(),
        public: Some(public),
        hidden: Box::new(move |over| {
            let taken = function::taken(header, over, Held::Host);
            let outputs = outputs(header, over);
            (joined([quote!(site: &#krate::__private::Site), taken, outputs]), function::boxed(krate, &quote!(())))
        }),
        body: Box::new(move |generated, lawful| checked(header, generated, lawful)),
        fallback: function::refused(header),
    }
}

/// `run_on`, which both call once the sizes are solved and the outputs have their shapes.
pub fn run_on<'h>(header: &'h Header<'h>, artifacts: ArtifactStore<'h>) -> Function<'h> {
    let krate = header.krate;
    Function {
        over: None,
        name: function_name("run_on"),
        doc: Vec::new(),
        public: None,
        hidden: Box::new(move |over| {
            let taken = function::taken(header, over, Held::Host);
            // One argument for both, because clippy counts arguments.
            let call = quote!(at: (&#krate::__private::Call, &#krate::__private::Site));
            let takes = joined([call, taken, outputs(header, over)]);
            (takes, function::boxed(krate, &quote!(())))
        }),
        body: Box::new(move |generated, lawful| code(header, generated, lawful, artifacts)),
        fallback: TokenStream::new(),
    }
}

/// The outputs as the hidden function takes them: `o0, o1, …`.
fn outputs(header: &Header<'_>, over: Over<'_>) -> TokenStream {
    let outputs = header.output_views(over, quote!('_)).into_iter().enumerate().map(|(k, (_, view))| {
        let name = ours("o", k);
        quote!(#name: #view)
    });
    quote!(#(#outputs),*)
}

/// Solves for the sizes, checks the shapes of the outputs, then calls `run_on`.
fn checked(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful) -> TokenStream {
    let kernel = lawful.kernel();
    let (this, call) = (generated.this(header, kernel), signature::near_call(header, generated, kernel));
    let checks = signature::near_checks(header.krate, kernel);
    let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
    let outputs = (0..kernel.outputs.len()).map(|k| ours("o", k));
    quote! {
        #call
        #checks
        #this::run_on((&call, site), #(#passed,)* #(#outputs),*)
    }
}

/// Allocates outputs of the required shapes, then calls `run_on`.
fn allocate(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful) -> TokenStream {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let private = quote!(#krate::__private);
    let (this, call) = (generated.this(header, kernel), signature::near_call(header, generated, kernel));
    let outputs: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("o", k)).collect();
    let allocations = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let (name, ty) = (ours("o", k), literal::ty(krate, output.ty));
        let (rank, k) = (Literal::usize_unsuffixed(output.dims.len()), Literal::usize_unsuffixed(k));
        let purpose = format!("output `{}`", output.name.text);
        quote!(let mut #name = #private::Output::<#ty, #rank>::new(call.lengths(#k), #purpose)?.finish()?;)
    });
    let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
    let returned = kernel.outputs.iter().zip(&outputs).map(|(output, name)| match output.is_scalar {
        true => quote!(#private::only_element(&#name)),
        false => quote!(#name),
    });
    quote! {
        #call
        #(#allocations)*
        #this::run_on((&call, site), #(#passed,)* #(#outputs.view_mut()),*)?;
        #private::Result::Ok((#(#returned),*))
    }
}

/// Runs on the GPU if one is selected, otherwise on the CPU.
fn code(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful, artifacts: ArtifactStore<'_>) -> TokenStream {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let private = quote!(#krate::__private);
    if let Some(twin) = twin(header, generated, lawful) {
        return twin;
    }
    let gpu = match has_code(header, generated, lawful, artifacts) {
        true => on_gpu(header, generated, kernel),
        false => {
            let this = generated.this(header, kernel);
            quote!(site.without_gpu(#this::plan())?;)
        }
    };
    let by_points = point_by_point(header, generated, kernel);
    let (cpu, rests) = match header.passes(generated, lawful) {
        // Each pass fills what it stores.
        Some(in_passes) => (passes::code(krate, kernel, in_passes), TokenStream::new()),
        None => (cpu::code(header, generated, lawful, &by_points).unwrap_or(by_points), rests(krate, kernel)),
    };
    quote! {
        let (call, site) = at;
        if call.is_empty() {
            return #private::Result::Ok(());
        }
        #gpu
        #rests
        #cpu
    }
}

/// Fills every output that has a `rest` before anything is stored.
fn rests(krate: &TokenStream, kernel: &Kernel) -> TokenStream {
    let outputs = kernel.outputs.iter().enumerate();
    let each = outputs.filter_map(|(k, output)| {
        let (name, rest) = (ours("o", k), literal::value(krate, output.rest?));
        Some(quote!(let mut #name = #name; #krate::__private::fill(&mut #name, #rest);))
    });
    each.collect()
}

/// If the kernel's own type runs the same map on every target, the type of a named map calls its code.
fn twin(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful) -> Option<TokenStream> {
    let kernel = lawful.kernel();
    let own = GeneratedType { name: header.tree.name.clone(), map: None };
    let same =
        [Target::Cpu, Target::Gpu].iter().all(|t| which(generated.map, lawful, *t) == which(own.map, lawful, *t));
    generated.map.filter(|_| same)?;
    let own = GeneratedType::own(header, kernel);
    let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
    let outputs = (0..kernel.outputs.len()).map(|k| ours("o", k));
    Some(quote!(#own::run_on(at, #(#passed,)* #(#outputs),*)))
}

/// Copies arrays to the device, launches, and copies the outputs back.
fn on_gpu(header: &Header<'_>, generated: &GeneratedType, kernel: &Kernel) -> TokenStream {
    let krate = header.krate;
    let this = generated.this(header, kernel);
    let arrays: Vec<_> = signature::arrays(kernel);
    let passed = kernel.parameters.iter().enumerate().map(|(k, parameter)| {
        let name = ours("p", k);
        if matches!(parameter.kind, ParameterKind::Array { .. }) { quote!(&#name) } else { quote!(#name) }
    });
    let outputs: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("o", k)).collect();
    let on_device: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("n", k)).collect();
    quote! {
        if let #krate::__private::Option::Some(gpu) = site.gpu(#this::plan())? {
            #(let #arrays = gpu.upload(#arrays)?;)*
            #(let mut #on_device = gpu.room(#outputs.raw_dim())?;)*
            #this::launch(gpu.own_stream(), #(#passed,)* #(&mut #on_device),*)?;
            #(#on_device.download_into(#outputs)?;)*
            return #krate::__private::Result::Ok(());
        }
    }
}

/// Evaluates the equations point by point, if no program runs the map; with the same bits.
fn point_by_point(header: &Header<'_>, generated: &GeneratedType, kernel: &Kernel) -> TokenStream {
    let krate = header.krate;
    let this = generated.this(header, kernel);
    let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
    let computed: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("n", k)).collect();
    let copies = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let (value, to) = (ours("n", k), ours("o", k));
        match output.is_scalar {
            true => quote!(#krate::__private::put_element(#value, #to);),
            false => quote!(#krate::__private::copy_into(#value, #to);),
        }
    });
    quote! {
        let (#(#computed),*) = #this::reference(#(#passed),*)?;
        #(#copies)*
        #krate::__private::Result::Ok(())
    }
}
