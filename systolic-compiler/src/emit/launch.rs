//! `launch`: runs a kernel by its map on arrays of a GPU. Embeds the code that the build script has compiled for it.
use super::arguments::Header;
use super::cpu::is_on_all_cpus;
use super::function::{self, Function, Held, Public, joined};
use super::generated::{GeneratedType, function_name};
use super::key::key;
use super::literal;
use super::names::{self, ours};
use super::parameter;
use super::signature;
use crate::compile::which;
use crate::laws::Lawful;
use crate::link::{self, ArtifactStore, Compiled, Image};
use crate::mapping::{Obstacle, Target};
use crate::model::ParameterKind;
use crate::syntax::tree;
use crate::target::search::VARIANTS;
use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// `launch`: takes device arrays and runs in the order of a stream.
pub fn launch<'h>(header: &'h Header<'h>, artifacts: ArtifactStore<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = quote!(#krate::__private::Result<#krate::Launched, #krate::Error>);
    let taking = function::taking(header, Held::Device);
    let (arguments, passed, names) = (&taking.arguments, &taking.passed, header.output_names());
    let outputs = header.tree.outputs.iter().zip(&names).map(|(output, name)| {
        let at = name.span();
        let ty = parameter::on_device(header, "AskedOutputOnDevice", &output.name, &output.array).unwrap_or_default();
        let ty = names::at(&ty, at);
        quote_spanned!(at=> #name: &mut (#ty))
    });
    let results = names.iter().map(|name| quote!(#krate::__private::DeviceDestination::array(#name)));
    // The generic types need a bound: not every type can be an element of a device array.
    let types = header.type_generics();
    let bounds = &taking.bounds;
    let public = Public {
        result: result.clone(),
        arguments: joined([quote!(stream: &#krate::Stream), arguments.clone(), quote!(#(#outputs),*)]),
        passed: joined([quote!(stream), passed.clone(), quote!(#(#results),*)]),
        bounds: quote!(#bounds #(#types: #krate::Element,)*),
        ..taking
    };
    let doc = [
        "Starts the kernel through its map on arrays of a GPU, in the order of a stream. Does not wait for the result: the",
        "next use of an array waits if it must, and `launch(…)?.await?` waits in any executor.",
        "",
        "# Errors",
        "",
        "Fails if shapes do not fit each other, if a condition of the kernel does not hold, if an array is on another",
        "device, if there is no code for the device, or if the driver reports an error.",
    ];
    Function {
        over: None,
        name: function_name("launch"),
        doc: doc.map(String::from).to_vec(),
        public: Some(public),
        hidden: Box::new(move |over| {
            let taken = function::taken(header, over, Held::Device);
            let outputs = header.tree.outputs.iter().enumerate().map(|(k, output)| {
                let (name, array) = (ours("o", k), header.on_device(&output.array, over));
                quote!(#name: &mut #array)
            });
            (joined([quote!(stream: &#krate::Stream), taken, quote!(#(#outputs),*)]), result.clone())
        }),
        body: Box::new(move |generated, lawful| code(header, generated, lawful, artifacts)),
        fallback: function::refused(header),
    }
}

/// `choice`: where a device runs the kernel, and why.
pub fn choice<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    Function {
        over: None,
        name: function_name("choice"),
        doc: vec!["Tells where `run` runs the kernel if it is given this device, and why.".to_string()],
        public: Some(Public {
            arguments: function::device(krate),
            result: quote!(#krate::Choice),
            passed: quote!(&#krate::Device::site(device)),
            ..Public::default()
        }),
        hidden: Box::new(move |_| (quote!(site: &#krate::__private::Site), quote!(#krate::Choice))),
        body: Box::new(move |generated, lawful| {
            let this = generated.this(header, lawful.kernel());
            let reason = on_cpu(header, generated, lawful);
            quote!(site.choice(#this::plan(), #reason))
        }),
        fallback: quote!(#krate::Choice::nowhere()),
    }
}

/// Why a CPU runs a kernel point by point, as an `Option` for the runtime. If only some CPUs do, the runtime looks where it is.
pub fn on_cpu(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful) -> TokenStream {
    let krate = header.krate;
    if let Some(passes) = header.passes(generated, lawful) {
        let members = passes.series.members.iter().zip(&passes.programs);
        let are_everywhere = members.into_iter().all(|(member, programs)| {
            let program = programs.get(&member.lawful, which(None, &member.lawful, Target::Cpu), Target::Cpu);
            program.is_ok_and(|program| is_on_all_cpus(&program, member.lawful.kernel()))
        });
        return if are_everywhere { reason(krate, None) } else { quote!(#krate::__private::cpu::without_level()) };
    }
    match header.on_cpu(generated, lawful) {
        Err(obstacle) => reason(krate, Some(obstacle)),
        Ok(program) if is_on_all_cpus(&program, lawful.kernel()) => reason(krate, None),
        Ok(_) => quote!(#krate::__private::cpu::without_level()),
    }
}

/// An obstacle as an `Option` for the runtime.
pub fn reason(krate: &TokenStream, obstacle: Option<Obstacle>) -> TokenStream {
    match obstacle.map(|obstacle| obstacle.to_string()) {
        Some(reason) => quote!(#krate::__private::Option::Some(#reason)),
        None => quote!(#krate::__private::Option::None),
    }
}

/// The function `plan`, which the other functions of a type call: how the kernel is launched, with its code.
pub fn plan<'h>(header: &'h Header<'h>, artifacts: ArtifactStore<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = quote!(&'static #krate::__private::gpu::Plan);
    Function {
        over: None,
        name: function_name("plan"),
        doc: Vec::new(),
        public: None,
        hidden: Box::new(move |_| (TokenStream::new(), result.clone())),
        body: Box::new(move |generated, lawful| {
            let plan = embedded(krate, header.tree, generated, lawful, artifacts);
            quote!(static PLAN: #krate::__private::gpu::Plan = #plan; &PLAN)
        }),
        fallback: TokenStream::new(),
    }
}

/// Whether a build script has compiled a type's map for a GPU. If not, no code for a launch is emitted: it would only cost
/// compile time.
pub fn has_code(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful, artifacts: ArtifactStore<'_>) -> bool {
    let key = key(header.tree, lawful.kernel(), which(generated.map, lawful, Target::Gpu));
    artifacts(&key).is_ok_and(|compiled| !compiled.images.is_empty())
        || members(&key, artifacts).is_some_and(|m| m.is_ok())
}

/// The launches of the series that a build script has compiled for a kernel; an error if one has no code, with the reason. `None` if
/// there is no series.
pub fn members(key: &str, artifacts: ArtifactStore<'_>) -> Option<Result<Vec<Compiled>, String>> {
    let first = artifacts(&link::member_key(key, 1)).ok()?;
    first.series.as_ref()?;
    let others = (2..).map_while(|k| artifacts(&link::member_key(key, k)).ok());
    let all: Vec<Compiled> = std::iter::once(first).chain(others).collect();
    let without = all.iter().position(|member| member.images.is_empty());
    let reason = |k: usize| format!("launch {} of {} has no code: {}", k + 1, all.len(), all[k].why);
    Some(match without {
        Some(k) => Err(reason(k)),
        None => Ok(all),
    })
}

fn code(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful, artifacts: ArtifactStore<'_>) -> TokenStream {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let private = quote!(#krate::__private);
    let (this, checks) = (generated.this(header, kernel), signature::checks(kernel));
    let (call, lengths) = (
        signature::call(header, generated, kernel, &signature::arrays(kernel)),
        signature::length_checks_on_device(krate, kernel),
    );
    if !has_code(header, generated, lawful, artifacts) {
        return quote! {
            #call
            #checks
            #lengths
            if call.is_empty() {
                return #private::Result::Ok(#krate::Launched::nothing());
            }
            #private::gpu::without_code(stream, #this::plan())
        };
    }
    let given = kernel.parameters.iter().enumerate().map(|(k, parameter)| {
        let name = ours("p", k);
        match &parameter.kind {
            ParameterKind::Array { .. } => quote!(launch.input(#name)?;),
            ParameterKind::Const { dims, .. } => {
                let flatten = (1..dims.len()).map(|_| quote!(.as_flattened()));
                quote!(launch.constants(&#name #(#flatten)* [..])?;)
            }
            ParameterKind::Scalar { .. } => quote!(launch.scalar(#name)?;),
            ParameterKind::Size => TokenStream::new(),
        }
    });
    let outputs = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let name = ours("o", k);
        match output.rest.map(|rest| literal::value(krate, rest)) {
            Some(rest) => quote!(launch.output_with_rest(#name, #rest)?;),
            None => quote!(launch.output(#name)?;),
        }
    });
    let depends = signature::length_names(kernel).map(|name| quote!(launch.depends_on_elements(#name)?;));
    quote! {
        #call
        #checks
        #lengths
        if call.is_empty() {
            return #private::Result::Ok(#krate::Launched::nothing());
        }
        call.check_loops()?;
        let mut launch = #private::gpu::Launch::new(stream, #this::plan(), &call)?;
        #(#depends)*
        #(#given)*
        #(#outputs)*
        launch.go()
    }
}

/// A launch plan with its code, or with the reason why there is none.
fn embedded(
    krate: &TokenStream,
    tree: &tree::Kernel,
    generated: &GeneratedType,
    lawful: &Lawful,
    artifacts: ArtifactStore<'_>,
) -> TokenStream {
    let kernel = lawful.kernel();
    let key = key(tree, kernel, which(generated.map, lawful, Target::Gpu));
    let gpu = quote!(#krate::__private::gpu);
    let tokens = |text: &str| -> Result<TokenStream, String> {
        let parsed = text.parse::<TokenStream>().map_err(|_| "its launch plan is not valid Rust".to_string())?;
        Ok(replaced(parsed, krate))
    };
    let with_code = |Compiled { plan, images, why, .. }: Compiled, variants: &[TokenStream]| {
        let (plan, images) = (tokens(&plan)?, images.iter().map(|image| self::image(&gpu, image)));
        Ok(quote!(#gpu::Plan { images: &[#(#images),*], why: #why, variants: &[#(#variants),*], ..#plan }))
    };
    let maps = (1..=VARIANTS).filter_map(|k| with_code(artifacts(&link::variant_key(&key, k)).ok()?, &[]).ok());
    let mut variants: Vec<TokenStream> = maps.map(|plan| quote!(#gpu::Variant::Map(#plan))).collect();
    let series = members(&key, artifacts).map(|members| -> Result<TokenStream, String> {
        let members = members?;
        let arrays = tokens(members.first().and_then(|first| first.series.as_deref()).unwrap_or_default())?;
        let plans = members.into_iter().map(|member| with_code(member, &[])).collect::<Result<Vec<_>, String>>()?;
        Ok(quote!(#gpu::Variant::Series(#gpu::Series { members: &[#(#plans),*], ..#arrays })))
    });
    // Why there is no code is what is said of the series, if there is no other way.
    let without = match series {
        Some(Ok(series)) => {
            variants.push(series);
            None
        }
        Some(Err(why)) => Some(why),
        None => None,
    };
    artifacts(&key).and_then(|compiled| with_code(compiled, &variants)).unwrap_or_else(|why: String| {
        let (name, why) = (&tree.name.text, without.unwrap_or(why));
        let variants = (!variants.is_empty()).then(|| quote!(variants: &[#(#variants),*],));
        quote!(#gpu::Plan { kernel: #name, why: #why, #variants ..#gpu::Plan::NOTHING })
    })
}

fn image(gpu: &TokenStream, Image { architecture, is_ptx, file }: &Image) -> TokenStream {
    let (folder, architecture) = (format!("/{}/{file}", link::FOLDER), Literal::u32_unsuffixed(*architecture));
    let bytes = quote!(::core::include_bytes!(::core::concat!(::core::env!("OUT_DIR"), #folder)));
    quote!(#gpu::Image { arch: #architecture, ptx: #is_ptx, bytes: #bytes })
}

/// The plan with the path of the crate inserted.
fn replaced(plan: TokenStream, krate: &TokenStream) -> TokenStream {
    plan.into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(name) if name == link::CRATE => krate.clone(),
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), replaced(group.stream(), krate))).into()
            }
            other => other.into(),
        })
        .collect()
}
