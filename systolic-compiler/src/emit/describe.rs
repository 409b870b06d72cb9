//! `describe`: the blueprint of a map, which the runtime evaluates once the sizes are known.
use super::arguments::{Header, Over};
use super::function::{Function, Public};
use super::generated::{GeneratedType, function_name};
use super::key::key;
use super::launch::{members, on_cpu, reason};
use super::literal;
use super::names::{self, ours};
use crate::compile::{Which, described, which};
use crate::laws::Lawful;
use crate::link::ArtifactStore;
use crate::mapping::Target;
use crate::model::{Formula, Int, RowKind};
use crate::report::{self, Blueprint, Carrier};
use crate::series;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use systolic_sets::Set;

/// The function `describe`: takes one `usize` per size, in the order in which the signature mentions them.
pub fn function<'h>(header: &'h Header<'h>, artifacts: ArtifactStore<'h>) -> Function<'h> {
    let krate = header.krate;
    let sizes = crate::model::size_names(header.tree);
    let usize_type = quote!(#krate::__private::primitive::usize);
    let idents: Vec<_> = sizes.iter().map(|s| names::identifier(s, Span::call_site())).collect();
    let count = sizes.len();
    let hidden_arguments = {
        let usize_type = usize_type.clone();
        move || {
            let taken = (0..count).map(|k| ours("p", k));
            quote!(#(#taken: #usize_type),*)
        }
    };
    let doc = [
        "Describes the machine that the map builds for the kernel at these sizes: places, steps, wires.",
        "",
        "If the instance has no map, describes the one that the compiler finds, and prints it: for a GPU that of the build",
        "script. If it finds none, all numbers are 0, and the design gives the reason.",
    ];
    Function {
        over: None,
        name: function_name("describe"),
        doc: doc.map(String::from).to_vec(),
        public: Some(Public {
            arguments: quote!(#(#idents: #usize_type),*),
            result: quote!(#krate::Design),
            passed: quote!(#(#idents),*),
            ..Public::default()
        }),
        hidden: Box::new(move |_: Over<'_>| (hidden_arguments(), quote!(#krate::Design))),
        body: Box::new(move |generated, lawful| code(header, generated, lawful, artifacts)),
        fallback: quote!(#krate::__private::nothing()),
    }
}

fn code(header: &Header<'_>, generated: &GeneratedType, lawful: &Lawful, artifacts: ArtifactStore<'_>) -> TokenStream {
    let kernel = lawful.kernel();
    let shown = described(generated.map, lawful);
    let program = header.programs.get(lawful, shown, Target::Gpu);
    let mut blueprint = match header.programs.map(lawful, shown, Target::Gpu) {
        Some(map) => report::of_map(kernel, map, program),
        None => report::without_map(lawful),
    };
    // With several maps, a CPU may run a different map than the one described.
    let point_by_point = match which(generated.map, lawful, Target::Cpu) == shown {
        true => on_cpu(header, generated, lawful),
        false => reason(header.krate, None),
    };
    let is_found = match shown {
        Which::Map(position) => kernel.open.contains(&position),
        Which::Default => true,
    };
    if let Some(map) = header.programs.map(lawful, shown, Target::Gpu).filter(|_| is_found) {
        let found = artifacts(&key(header.tree, kernel, shown)).ok().and_then(|compiled| compiled.map);
        let text = || report::map_text(kernel, map.mapping(), &crate::model::taken_names(header.tree));
        blueprint.map = Some(found.unwrap_or_else(text));
    }
    if shown == Which::Default
        && let Some(Ok(members)) = members(&key(header.tree, kernel, shown), artifacts)
    {
        // It runs on a GPU, whether one map does all or not.
        blueprint.without_gpu = None;
        let text = blueprint.map.get_or_insert_default();
        for (k, member) in members.iter().enumerate() {
            let map = member.map.as_deref().unwrap_or_default();
            *text += &format!("    // launch {} of {}\n{map}", k + 1, members.len());
        }
    }
    if shown == Which::Default
        && blueprint.map.is_none()
        && let Some(passes) = header.programs.passes(lawful, shown)
    {
        blueprint.map = Some(series::passes(kernel, &passes.partition));
    }
    let krate = header.krate;
    let data = constant(krate, &blueprint);
    let sizes = (0..kernel.call_sizes()).map(|k| ours("p", k)).map(|name| quote!(#name));
    // All items are as long as they may be.
    let longest = kernel.lengths().map(|length| {
        let most = &length.range.most;
        let (coefs, constant) = (most.coefs.iter().enumerate(), literal::number(most.constant));
        let terms = coefs.filter(|(_, c)| **c != 0).map(|(k, c)| {
            let (size, c) = (ours("p", k), literal::number(*c));
            quote!((#c, #size))
        });
        quote!(#krate::__private::longest(&[#(#terms),*], #constant))
    });
    let sizes = sizes.chain(longest);
    quote! {
        static BLUEPRINT: #krate::__private::Blueprint = #data;
        BLUEPRINT.design(&[#(#sizes),*], #point_by_point)
    }
}

/// The medium of a wire, as the runtime has it.
fn medium(private: &TokenStream, carrier: Carrier) -> TokenStream {
    let variant = match carrier {
        Carrier::Rename => quote!(Rename),
        Carrier::Stays => quote!(Stays),
        Carrier::Shuffle => quote!(Shuffle),
        Carrier::Rotation(delay) => {
            let delay = literal::number(delay);
            quote!(Rotation { delay: #delay })
        }
        Carrier::ShuffleRotation(delay) => {
            let delay = literal::number(delay);
            quote!(ShuffleRotation { delay: #delay })
        }
        Carrier::Shared => quote!(Shared),
        Carrier::Ring(length) => {
            let length = literal::number(length);
            quote!(Ring { length: #length })
        }
        Carrier::ScratchRow => quote!(ScratchRow),
        Carrier::Face => quote!(Face),
        Carrier::Feed => quote!(Feed),
        Carrier::Memory => quote!(Memory),
    };
    quote!(#private::Medium::#variant)
}

fn constant(krate: &TokenStream, blueprint: &Blueprint) -> TokenStream {
    let private = quote!(#krate::__private);
    let names = &blueprint.points.names;
    let text = |formula: &Formula| {
        let set = Set { names: names.clone(), formula: formula.clone() };
        Literal::string(&set.to_string())
    };
    let list = |numbers: &[Int]| {
        let numbers = numbers.iter().map(|n| literal::number(*n));
        quote!(&[#(#numbers),*])
    };
    let rows = blueprint.rows.iter().map(|row| {
        let kind = match row.kind {
            RowKind::Block => quote!(Block),
            RowKind::Warp | RowKind::Lane => quote!(Space),
            RowKind::Time => quote!(Time),
        };
        let coefs: Vec<Int> = (0..names.len()).map(|k| row.form.coef(k)).collect();
        let coefs = list(&coefs);
        quote!(#private::BlueprintRow { kind: #private::RowKind::#kind, coefs: #coefs })
    });
    let wires = blueprint.wires.iter().map(|w| {
        let (variable, reader, medium) = (&w.variable, &w.reader, medium(&private, w.medium));
        let (distance, space, time) = (list(&w.distance), list(&w.space), list(&w.time));
        quote!(#private::BlueprintWire {
            variable: #variable, reader: #reader, distance: #distance, space: #space, time: #time, medium: #medium
        })
    });
    let sizes = Literal::usize_unsuffixed(blueprint.sizes);
    let (points, useful) = (text(&blueprint.points.formula), text(&blueprint.useful));
    let stores = blueprint.stores.iter().map(text);
    let projections = blueprint.projections.iter().map(|p| list(p));
    let (delay, registers) = (literal::number(blueprint.delay), literal::number(blueprint.registers));
    let shuffles = list(&blueprint.shuffles);
    let without_gpu = reason(krate, blueprint.without_gpu);
    let map = match &blueprint.map {
        Some(map) => quote!(#private::Option::Some(#map)),
        None => quote!(#private::Option::None),
    };
    quote! {
        #private::Blueprint {
            sizes: #sizes,
            points: #points,
            useful: #useful,
            stores: &[#(#stores),*],
            rows: &[#(#rows),*],
            projections: &[#(#projections),*],
            wires: &[#(#wires),*],
            longest_delay: #delay,
            registers: #registers,
            shuffles: #shuffles,
            without_gpu: #without_gpu,
            map: #map,
        }
    }
}
