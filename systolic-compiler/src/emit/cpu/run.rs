//! Runs a kernel by its map on the CPU: the code of a block as a type, and its launch.
use super::super::arguments::Header;
use super::super::body;
use super::super::demand;
use super::super::generated::GeneratedType;
use super::super::literal;
use super::super::names::ours;
use super::block::block;
use super::far::{Faces, grid, launch};
use super::place::Tables;
use super::predicates::Predicates;
use super::value::Values;
use super::window::Windows;
use crate::compile::{Which, which};
use crate::laws::Lawful;
use crate::mapping::{Joined, Obstacle, Target};
use crate::model::{Kernel, ParameterKind};
use crate::schedule::{CpuPlan, Merged, Schedule};
use crate::sorted::SortedMap;
use crate::target::gpu;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The last part of `run_into`, after `call` has the sizes. Fails with the reason if no program runs the map.
pub fn code(
    header: &Header<'_>,
    generated: &GeneratedType,
    lawful: &Lawful,
    point_by_point: &TokenStream,
) -> Result<TokenStream, Obstacle> {
    let (krate, kernel) = (header.krate, lawful.kernel());
    let private = quote!(#krate::__private);
    let cpu = quote!(#private::cpu);
    let mut program = (*header.on_cpu(generated, lawful)?).clone();
    let merged = program.merge_axes(kernel);
    let program = &program;
    let plan = CpuPlan::new(program);
    let (plain, avx512) = (plan.plain, plan.avx512);
    let without = (!plain).then(|| quote!(if #cpu::is_plain() { return { #point_by_point }; }));
    let Inside { code, constants, kept } = Inside::new(krate, kernel, program, &plan);
    let (live, narrow) = (Literal::usize_unsuffixed(plan.live.words), Literal::usize_unsuffixed(plan.live.narrow));
    let apart = plan.apart;
    let frame = Literal::usize_unsuffixed(plan.frame + kept);
    // A map says itself which loops are tiled and which are blocks.
    let is_default = which(generated.map, lawful, Target::Cpu) == Which::Default;
    let joined = if is_default { Joined::of(kernel) } else { None };
    let (fields, initialisers) = fields(header, kernel, &merged, joined.as_ref());
    let join = joined.map(|joined| join(&cpu, &joined));
    let standard = in_standard_layout(&merged, point_by_point);
    let lanes = few_lanes(program);
    let sizes: Vec<_> = (0..kernel.call_sizes()).map(|k| ours("s", k)).collect();
    let count = Literal::usize_unsuffixed(sizes.len());
    let (low, high) = grid(program);
    // If most steps of the map have no point, evaluating the equations point by point is cheaper.
    let sparse = program
        .uneven
        .then(|| quote!(if demand.is_sparse(&call, [#(#low),*], [#(#high),*]) { return { #point_by_point }; }));
    // A map that nobody has written must not fail because its values wait for long.
    let long = is_default && program.rows.iter().any(|row| row.is_long(program.frame.loops.len()));
    let long = long.then(|| quote!(if demand.concurrent_blocks().is_err() { return { #point_by_point }; }));
    let demand = demand::on_cpu(krate, program);
    let Faces { fields: face_fields, memory: face_memory, initialisers: faces } = Faces::new(krate, program);
    let launch = launch(krate, program, (&low, &high));
    let mutable = (program.frame.launches > 0).then(|| quote!(mut));
    Ok(quote! {
        #without
        #standard
        #constants
        struct Code<'a> { #(#sizes: i64,)* #fields #face_fields demand: #private::Demand, marker: #private::PhantomData<&'a ()> }
        impl #cpu::Block for Code<'_> {
            const APART: bool = #apart;
            #lanes
            const LIVE: usize = #live;
            const NARROW: usize = #narrow;
            const FRAME: usize = #frame;
            const PLAIN: bool = #plain;
            const AVX512: bool = #avx512;
            fn demand(&self) -> #private::Demand { self.demand }
            #[inline(always)]
            fn run<S: #cpu::Simd>(
                &self,
                simd: S,
                block: [i64; 3],
                scratch: &#cpu::Scratch,
            ) -> #private::Result<(), #private::Failure> {
                use #cpu::Vector as _;
                #code
                #private::Result::Ok(())
            }
        }
        call.check_loops()?;
        let [#(#sizes),*]: [i64; #count] = call.sizes();
        #join
        let demand = #demand;
        #sparse
        #long
        #face_memory
        let #mutable code = Code { #(#sizes,)* #initialisers #faces demand, marker: #private::PhantomData };
        #launch
    })
}

/// Whether a program has code for every CPU, and not only for those with vector instructions.
pub fn is_on_all_cpus(program: &Schedule, kernel: &Kernel) -> bool {
    let mut program = program.clone();
    program.merge_axes(kernel);
    CpuPlan::new(&program).plain
}

/// The code of a block.
pub struct Inside {
    /// The body of its `run`.
    pub code: TokenStream,
    /// The tables that it reads.
    pub constants: TokenStream,
    /// The bytes that it takes besides values and registers.
    kept: usize,
}

impl Inside {
    /// The code of a schedule whose axes are merged already.
    pub fn new(krate: &TokenStream, kernel: &Kernel, program: &Schedule, plan: &CpuPlan) -> Inside {
        let tables = Tables::new(krate, program);
        let predicates = Predicates { hoisted: &program.hoisted };
        let (windows, many) = (Windows::default(), program.warp_count() > 1);
        let (compares, casts, spanned) = (SortedMap::new(), SortedMap::new(), Vec::new());
        let (near, lazy) = (SortedMap::new(), SortedMap::new());
        let mut values = Values {
            krate,
            kernel,
            program,
            tables,
            predicates,
            plan,
            windows,
            spanned,
            near,
            lazy,
            many,
            compares,
            casts,
            parts: Vec::new(),
        };
        let code = block(&mut values);
        // A number per lane and a mask; buffers for fetched elements, pending stores and windows.
        let kept = 264 * values.tables.computed + plan.walks.bytes() + values.windows.bytes;
        Inside { code, constants: values.tables.constants(), kept }
    }
}

/// Runs the equations point by point if an output whose axes are merged is not in standard layout: only those can be merged.
fn in_standard_layout(merged: &Merged, point_by_point: &TokenStream) -> TokenStream {
    let outputs = merged.outputs.iter().enumerate().filter(|(_, axes)| **axes > 0).map(|(k, _)| ours("o", k));
    outputs.map(|o| quote!(if !#o.is_standard_layout() { return { #point_by_point }; })).collect()
}

/// Chooses other sizes if loops may run as one: the last of them takes all iterations.
fn join(cpu: &TokenStream, joined: &Joined) -> TokenStream {
    let sizes: Vec<_> = joined.sizes.iter().map(|k| ours("s", *k)).collect();
    let outputs = (0..joined.outputs.len()).map(|k| ours("o", k));
    let count = Literal::usize_unsuffixed(sizes.len());
    quote! {
        let is_contiguous = true #(&& #outputs.is_standard_layout())*;
        let (is_joined, [#(#sizes),*]): (bool, [i64; #count]) = #cpu::joined([#(#sizes),*], is_contiguous);
    }
}

/// The call that joins the axes of an array, where the first of them is known.
fn joined_axes(joined: Option<&Joined>, first: impl Fn(&Joined) -> Option<usize>) -> Option<TokenStream> {
    let joined = joined?;
    let (first, count) = (Literal::usize_unsuffixed(first(joined)?), Literal::usize_unsuffixed(joined.sizes.len()));
    Some(quote!(.joined(is_joined, #first, #count)))
}

/// Tells the runtime how many lanes have points, if there are fewer than a warp has: a shorter vector then serves them.
fn few_lanes(program: &Schedule) -> Option<TokenStream> {
    let lanes = Some(program.lane_count()).filter(|lanes| *lanes < gpu::LANES).map(literal::number)?;
    Some(quote!(const LANES: usize = #lanes;))
}

/// The fields of a block's code (inputs, constants and outputs) and their initialisers.
fn fields(
    header: &Header<'_>,
    kernel: &Kernel,
    merged: &Merged,
    joined: Option<&Joined>,
) -> (TokenStream, TokenStream) {
    let (krate, kernel_name) = (header.krate, &header.tree.name.text);
    let private = quote!(#krate::__private);
    let (mut fields, mut initialisers) = (TokenStream::new(), TokenStream::new());
    for (k, parameter) in kernel.parameters.iter().enumerate() {
        let name = ours("p", k);
        match &parameter.kind {
            ParameterKind::Array { ty, dims, border, .. } => {
                let constructor = match border {
                    None => quote!(unbordered(#name)),
                    _ => {
                        let border = body::border(krate, *ty, border);
                        quote!(new(#name, #border))
                    }
                };
                let ty = literal::ty(krate, *ty);
                let axes = merged.inputs.get(k).copied().unwrap_or_default();
                let rank = Literal::usize_unsuffixed(dims.len() - axes.saturating_sub(1));
                let merge = (axes > 0).then(|| quote!(.merged()));
                fields.extend(quote!(#name: #private::cpu::In<'a, #ty, #rank>,));
                let join = joined_axes(joined, |joined| joined.inputs[k]);
                initialisers.extend(quote!(#name: #private::cpu::In::#constructor? #join #merge,));
            }
            ParameterKind::Const { ty, dims, .. } => {
                let ty = literal::ty(krate, *ty);
                let flatten = (1..dims.len()).map(|_| quote!(.as_flattened()));
                let count = literal::number(dims.iter().product());
                fields.extend(quote!(#name: &'a [#ty; #count],));
                // Never fails: the types guarantee this many elements.
                let none = quote!(#krate::Error::NotCompiled { kernel: #kernel_name });
                initialisers.extend(quote!(#name: #name #(#flatten)*.first_chunk().ok_or(#none)?,));
            }
            ParameterKind::Scalar { ty } => {
                let ty = literal::ty(krate, *ty);
                fields.extend(quote!(#name: #ty,));
                initialisers.extend(quote!(#name,));
            }
            ParameterKind::Size => {}
        }
    }
    for (k, constant) in kernel.constants.iter().enumerate() {
        let (name, ty) = (ours("c", k), literal::ty(krate, constant.ty));
        let values = constant.values.iter().map(|value| literal::value(krate, *value));
        if constant.dims.is_empty() {
            fields.extend(quote!(#name: #ty,));
            initialisers.extend(quote!(#name: #(#values)*,));
        } else {
            let count = Literal::usize_unsuffixed(constant.values.len());
            fields.extend(quote!(#name: &'a [#ty; #count],));
            initialisers.extend(quote!(#name: &[#(#values),*],));
        }
    }
    for (k, output) in kernel.outputs.iter().enumerate() {
        let (name, ty) = (ours("o", k), literal::ty(krate, output.ty));
        let axes = merged.outputs.get(k).copied().unwrap_or_default();
        let rank = Literal::usize_unsuffixed(output.dims.len() - axes.saturating_sub(1));
        let merge = (axes > 0).then(|| quote!(.merged()));
        fields.extend(quote!(#name: #private::cpu::Out<'a, #ty, #rank>,));
        let join = joined_axes(joined, |joined| joined.outputs[k]);
        initialisers.extend(quote!(#name: #private::cpu::Out::new(#name) #join #merge,));
    }
    (fields, initialisers)
}
