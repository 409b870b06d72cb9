//! `run` and `run_into`: a kernel by its map, on the device a caller names.
use super::super::arguments::{Header, Over};
use super::super::body;
use super::super::face::{Face, function_name};
use super::super::function::{self, Function, Public};
use super::super::literal;
use super::super::names::ours;
use super::super::signature;
use super::ahead::hints;
use super::block::block;
use super::live::{apart, frame, live};
use super::place::{Tables, bound};
use super::tests::Tests;
use super::value::Values;
use super::walk::Walks;
use super::window::Windows;
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Target, default_map};
use crate::model::{Kernel, ParameterKind};
use crate::program::{Program, choose};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// `run`: allocates the outputs.
pub fn run<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = move |over: Over<'_>| {
        let outputs = header.outputs(over);
        quote!(#krate::__private::Result<#outputs, #krate::Error>)
    };
    let taking = function::taking(header);
    let (arguments, passed) = (&taking.arguments, &taking.passed);
    let public = Public {
        result: result(Over::Generics),
        arguments: joined([quote!(device: &impl #krate::Device), arguments.clone()]),
        passed: joined([quote!(#krate::Device::target(device)?), passed.clone()]),
        ..taking
    };
    let doc = [
        "The kernel by its map, on a device.",
        "",
        "# Errors",
        "",
        "Shapes that do not fit each other, a condition of the kernel that does not hold, a device that is not there, or",
        "too little memory.",
    ];
    let name = &header.tree.name.text;
    Function {
        name: function_name("run"),
        doc: doc.map(String::from).to_vec(),
        public,
        hidden: Box::new(move |over| {
            let taken = function::taken(header, over);
            (joined([quote!(target: #krate::__private::Target), taken]), result(over))
        }),
        body: Box::new(move |face, lawful| allocate(header, face, lawful)),
        fallback: quote!(#krate::__private::Result::Err(#krate::Error::NotCompiled { kernel: #name })),
    }
}

/// `run_into`: the outputs come last.
pub fn run_into<'h>(header: &'h Header<'h>) -> Function<'h> {
    let krate = header.krate;
    let result = quote!(#krate::__private::Result<(), #krate::Error>);
    let taking = function::taking(header);
    let (arguments, passed, generics) = (&taking.arguments, &taking.passed, &taking.generics);
    let outputs = header.output_views(Over::Generics, quote!('b));
    let into = outputs.iter().map(|(name, view)| quote!(#name: impl #krate::__private::Into<#view>));
    let given = outputs.iter().map(|(name, _)| quote!(#krate::__private::Into::into(#name)));
    let outlive = header.type_generics();
    let bounds = &taking.bounds;
    let public = Public {
        result: result.clone(),
        generics: quote!('b, #generics),
        bounds: quote!(#bounds #(#outlive: 'b,)*),
        arguments: joined([quote!(device: &impl #krate::Device), arguments.clone(), quote!(#(#into),*)]),
        passed: joined([quote!(#krate::Device::target(device)?), passed.clone(), quote!(#(#given),*)]),
        ..taking
    };
    let name = &header.tree.name.text;
    let doc =
        ["As `run`, into arrays that are there.", "", "# Errors", "", "As `run`; also an output of another shape."];
    Function {
        name: function_name("run_into"),
        doc: doc.map(String::from).to_vec(),
        public,
        hidden: Box::new(move |over| {
            let taken = function::taken(header, over);
            let outputs = header.output_views(over, quote!('_)).into_iter().enumerate().map(|(k, (_, view))| {
                let name = ours("o", k);
                quote!(#name: #view)
            });
            let outputs = quote!(#(#outputs),*);
            (joined([quote!(target: #krate::__private::Target), taken, outputs]), result.clone())
        }),
        body: Box::new(move |face, lawful| code(header, face, lawful)),
        fallback: quote!(#krate::__private::Result::Err(#krate::Error::NotCompiled { kernel: #name })),
    }
}

/// Lists one after another, with commas between those that hold something.
fn joined<const N: usize>(lists: [TokenStream; N]) -> TokenStream {
    let lists = lists.into_iter().filter(|list| !list.is_empty());
    quote!(#(#lists),*)
}

/// Outputs of the shapes that follow, then `run_into`.
fn allocate(header: &Header<'_>, face: &Face, lawful: &Lawful) -> TokenStream {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let instance = face.instance();
    let arguments = header.arguments(Over::Instance(&kernel.instance));
    let private = quote!(#krate::__private);
    let signature = signature::constant(krate, kernel);
    let (arrays, sizes) = given(kernel);
    let outputs: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("o", k)).collect();
    let made = kernel.outputs.iter().enumerate().map(|(k, output)| {
        let (name, ty) = (ours("o", k), literal::ty(krate, output.ty));
        let (rank, k) = (Literal::usize_unsuffixed(output.dims.len()), Literal::usize_unsuffixed(k));
        let purpose = format!("output `{}`", output.name.text);
        quote!(let mut #name = #private::Output::<#ty, #rank>::new(call.lengths(#k), #purpose)?.finish()?;)
    });
    let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
    quote! {
        static SIGNATURE: #private::Signature = #signature;
        let call = SIGNATURE.call(&[#(#arrays.shape()),*], &[#(#sizes),*])?;
        #(#made)*
        <Self as #instance<#arguments>>::run_into(target, #(#passed,)* #(#outputs.view_mut()),*)?;
        #private::Result::Ok((#(#outputs),*))
    }
}

/// The arrays and the `size` parameters by name.
fn given(kernel: &Kernel) -> (Vec<proc_macro2::Ident>, Vec<proc_macro2::Ident>) {
    let each = |wanted: fn(&ParameterKind) -> bool| {
        let parameters = kernel.parameters.iter().enumerate().filter(move |(_, p)| wanted(&p.kind));
        parameters.map(|(k, _)| ours("p", k)).collect()
    };
    (each(|kind| matches!(kind, ParameterKind::Array { .. })), each(|kind| matches!(kind, ParameterKind::Size)))
}

/// The program of the map that a type runs on the CPU, or of the default map.
fn program(face: &Face, lawful: &Lawful) -> Option<Program> {
    let kernel = lawful.kernel();
    let fits = |map: &&LawfulMap| match face.map {
        Some(position) => map.mapping().position == position,
        None => map.mapping().on != Some(crate::model::Device::Gpu),
    };
    match lawful.maps().iter().find(fits) {
        Some(map) => choose(kernel, map, Target::Cpu),
        None => choose(kernel, &default_map(lawful)?, Target::Cpu),
    }
}

fn code(header: &Header<'_>, face: &Face, lawful: &Lawful) -> TokenStream {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let private = quote!(#krate::__private);
    let cpu = quote!(#private::cpu);
    let Some(program) = program(face, lawful) else { return point_by_point(header, face, kernel) };
    let tables = Tables::new(krate, &program);
    let tests = Tests::new(&program);
    let (hints, many) = (hints(&program), program.warp_count() > 1);
    let (windows, walks) = (Windows::default(), Walks::new(&program));
    let mut values = Values { krate, kernel, program: &program, tables, tests, hints, windows, walks, many };
    let code = block(&mut values);
    let (apart, live) = (apart(&program), Literal::usize_unsuffixed(live(&program)));
    // A number a lane, and a mask.
    let frame = Literal::usize_unsuffixed(frame(&program) + 264 * values.tables.computed + values.walks.bytes);
    let constants = values.tables.constants();
    let (arrays, size_parameters) = given(kernel);
    let (fields, made) = fields(header, kernel);
    let sizes: Vec<_> = (0..kernel.sizes.len()).map(|k| ours("s", k)).collect();
    let count = Literal::usize_unsuffixed(kernel.sizes.len());
    let loops = Literal::usize_unsuffixed(kernel.loops.len());
    let checks = (0..kernel.outputs.len()).map(|k| {
        let (name, k) = (ours("o", k), Literal::usize_unsuffixed(k));
        quote!(call.check_output(#k, #name.shape())?;)
    });
    let grid: Vec<(TokenStream, TokenStream)> =
        program.frame.blocks.iter().map(|b| (bound(&b.low), bound(&b.high))).collect();
    let axis = |k: usize, high: bool| match grid.get(k) {
        Some((low, top)) => {
            if high {
                top.clone()
            } else {
                low.clone()
            }
        }
        None => quote!(0),
    };
    let (low, high) = ((0..3).map(|k| axis(k, false)), (0..3).map(|k| axis(k, true)));
    let signature = signature::constant(krate, kernel);
    quote! {
        static SIGNATURE: #private::Signature = #signature;
        #constants
        struct Code<'a> { #(#sizes: i64,)* #fields marker: #private::PhantomData<&'a ()> }
        impl #cpu::Block for Code<'_> {
            const APART: bool = #apart;
            const LIVE: usize = #live;
            const FRAME: usize = #frame;
            #[inline(always)]
            fn run<S: #cpu::Simd>(&self, simd: S, block: [i64; 3]) -> #private::Result<(), #krate::Error> {
                use #cpu::Vector as _;
                #code
                #private::Result::Ok(())
            }
        }
        let #private::Target::Cpu = target;
        let call = SIGNATURE.call(&[#(#arrays.shape()),*], &[#(#size_parameters),*])?;
        #(#checks)*
        if call.is_empty() {
            return #private::Result::Ok(());
        }
        let _: [#private::Range; #loops] = call.hull()?;
        let [#(#sizes),*]: [i64; #count] = call.sizes();
        let code = Code { #(#sizes,)* #made marker: #private::PhantomData };
        #cpu::launch(&code, [#(#low),*], [#(#high),*])
    }
}

/// Rows that cannot be undone, or no common order of the variables: the equations themselves, with the same bits.
fn point_by_point(header: &Header<'_>, face: &Face, kernel: &Kernel) -> TokenStream {
    let krate = header.krate;
    let private = quote!(#krate::__private);
    let (instance, arguments) = (face.instance(), header.arguments(Over::Instance(&kernel.instance)));
    let signature = signature::constant(krate, kernel);
    let (arrays, sizes) = given(kernel);
    let checks = (0..kernel.outputs.len()).map(|k| {
        let (name, k) = (ours("o", k), Literal::usize_unsuffixed(k));
        quote!(call.check_output(#k, #name.shape())?;)
    });
    let passed = (0..kernel.parameters.len()).map(|k| ours("p", k));
    let made: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("n", k)).collect();
    let outputs: Vec<_> = (0..kernel.outputs.len()).map(|k| ours("o", k)).collect();
    quote! {
        static SIGNATURE: #private::Signature = #signature;
        let #private::Target::Cpu = target;
        let call = SIGNATURE.call(&[#(#arrays.shape()),*], &[#(#sizes),*])?;
        #(#checks)*
        let (#(#made),*) = <Self as #instance<#arguments>>::reference(#(#passed),*)?;
        #(let mut #outputs = #outputs; #outputs.assign(&#made);)*
        #private::Result::Ok(())
    }
}

/// The fields of a block's code: inputs, constants and outputs; and how they are made.
fn fields(header: &Header<'_>, kernel: &Kernel) -> (TokenStream, TokenStream) {
    let (krate, kernel_name) = (header.krate, &header.tree.name.text);
    let private = quote!(#krate::__private);
    let (mut fields, mut made) = (TokenStream::new(), TokenStream::new());
    for (k, parameter) in kernel.parameters.iter().enumerate() {
        let name = ours("p", k);
        match &parameter.kind {
            ParameterKind::Array { ty, dims, border } => {
                let (border, ty) = (body::border(krate, *ty, border), literal::ty(krate, *ty));
                let rank = Literal::usize_unsuffixed(dims.len());
                fields.extend(quote!(#name: #private::cpu::In<'a, #ty, #rank>,));
                made.extend(quote!(#name: #private::cpu::In::new(#name, #border)?,));
            }
            ParameterKind::Const { ty, dims } => {
                let ty = literal::ty(krate, *ty);
                let flatten = (1..dims.len()).map(|_| quote!(.as_flattened()));
                let count = literal::number(dims.iter().product());
                fields.extend(quote!(#name: &'a [#ty; #count],));
                // There are that many: the types say so.
                let none = quote!(#krate::Error::NotCompiled { kernel: #kernel_name });
                made.extend(quote!(#name: #name #(#flatten)*.first_chunk().ok_or(#none)?,));
            }
            ParameterKind::Scalar { ty } => {
                let ty = literal::ty(krate, *ty);
                fields.extend(quote!(#name: #ty,));
                made.extend(quote!(#name,));
            }
            ParameterKind::Size => {}
        }
    }
    for (k, constant) in kernel.constants.iter().enumerate() {
        let (name, ty) = (ours("c", k), literal::ty(krate, constant.ty));
        let values = constant.values.iter().map(|value| literal::value(krate, *value));
        if constant.dims.is_empty() {
            fields.extend(quote!(#name: #ty,));
            made.extend(quote!(#name: #(#values)*,));
        } else {
            let count = Literal::usize_unsuffixed(constant.values.len());
            fields.extend(quote!(#name: &'a [#ty; #count],));
            made.extend(quote!(#name: &[#(#values),*],));
        }
    }
    for (k, output) in kernel.outputs.iter().enumerate() {
        let (name, ty) = (ours("o", k), literal::ty(krate, output.ty));
        let rank = Literal::usize_unsuffixed(output.dims.len());
        fields.extend(quote!(#name: #private::cpu::Out<'a, #ty, #rank>,));
        made.extend(quote!(#name: #private::cpu::Out::new(#name),));
    }
    (fields, made)
}
