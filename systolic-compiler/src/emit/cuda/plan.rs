//! The launch plan of a unit: everything that the runtime must know to launch it, as Rust tokens that the macro embeds. The
//! macro replaces a placeholder in it by the path of the crate.
use super::super::cpu::bound as rust_bound;
use super::super::demand;
use super::super::literal;
use super::super::names::ours;
use crate::link;
use crate::mapping::{Atom, Bound};
use crate::model::{Array, Int, Kernel, ParameterKind};
use crate::program::{Condition, Into, Loop, Operation};
use crate::schedule::{Schedule, Step};
use crate::sorted::SortedMap;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// How fast a program is, by the cost model.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Seconds per point if all multiprocessors are busy.
    pub busy: f64,
    /// Seconds per point of a block that runs alone.
    pub alone: f64,
    /// The blocks that a multiprocessor holds at a time.
    pub resident: u32,
}

/// The tokens of a launch plan.
pub fn plan(kernel: &Kernel, program: &Schedule, key: &str, name: &str, speed: Option<Speed>) -> String {
    let krate = Ident::new(link::CRATE, Span::call_site());
    let gpu = quote!(#krate::__private::gpu);
    let wide = wide(kernel, program).into_iter().map(|(array, bytes)| {
        let merged = Literal::usize_unsuffixed(merged_axes(kernel, program, array));
        let (array, bytes) = (Literal::usize_unsuffixed(array), Literal::usize_unsuffixed(bytes));
        quote!(#gpu::Wide { array: #array, bytes: #bytes, merged: #merged })
    });
    let (warps, shared) = (literal::number(program.warp_count()), literal::number(program.shared_bytes()));
    let blocks = &program.frame.blocks[program.frame.launches..];
    let sizes = sizes(program);
    let axes = |bounds: Vec<TokenStream>| {
        let zeros = (bounds.len()..3).map(|_| quote!(0));
        quote!([#(#zeros,)* #(#bounds),*])
    };
    let low = axes(blocks.iter().map(|b| rust_bound(&b.low)).collect());
    let high = axes((0..blocks.len()).map(|k| last_block(program, program.frame.launches + k)).collect());
    let launches = program.frame.launches;
    let of_block = (0..launches + blocks.len()).map(|k| {
        let name = ours("b", k);
        let (from, axis) = match k.checked_sub(launches) {
            Some(k) => (quote!(at), 3 - blocks.len() + k),
            None => (quote!(launch), k),
        };
        let axis = Literal::usize_unsuffixed(axis);
        quote!(let #name = #from[#axis];)
    });
    let rows = rows(program);
    let vary = rows_vary(program);
    let magnitude = magnitude(program);
    let path = quote!(#krate);
    let points = demand::points(&path, program);
    let (wide_sizes, evaluations) = (demand::wide_sizes(&path, program), demand::evaluations(&path, program, 1));
    let speed = match speed {
        None => quote!(#gpu::Speed::UNKNOWN),
        Some(Speed { busy, alone, resident }) => {
            let resident = Literal::u32_unsuffixed(resident);
            quote!(#gpu::Speed { busy: #busy, alone: #alone, resident: #resident })
        }
    };
    let far = far(&gpu, program);
    let tokens = quote! {
        #gpu::Plan {
            kernel: #name,
            images: &[],
            why: "",
            entry: #key,
            wide: &[#(#wide),*],
            warps: #warps,
            shared: #shared,
            low: |sizes| { let #sizes = *sizes else { return [0; 3] }; #low },
            high: |sizes| { let #sizes = *sizes else { return [-1; 3] }; #high },
            far: #far,
            rows: |sizes, launch, at| { let #sizes = *sizes else { return 0 }; #(#of_block)* #rows },
            rows_vary: #vary,
            points: |sizes| { let #sizes = *sizes else { return 0 }; #wide_sizes #points },
            evaluations: |sizes| { let #sizes = *sizes else { return i128::MAX }; #wide_sizes #evaluations },
            magnitude: |sizes| { let #sizes = *sizes else { return i128::MAX }; #magnitude },
            speed: #speed,
            variants: &[],
        }
    };
    tokens.to_string()
}

/// The last block along an axis. Where two blocks run as one, they are numbered in pairs from the first one on.
fn last_block(program: &Schedule, axis: usize) -> TokenStream {
    let block = &program.frame.blocks[axis];
    let high = rust_bound(&block.high);
    if program.paired.as_ref().is_none_or(|paired| paired.axis != axis) {
        return high;
    }
    let low = rust_bound(&block.low);
    quote!({ let low = #low; low + i64::div_euclid(#high - low, 2) })
}

/// What blocks leave for other blocks and launches, and the order of both; empty if there is nothing of that.
fn far(gpu: &TokenStream, program: &Schedule) -> TokenStream {
    let launches = &program.frame.blocks[..program.frame.launches];
    if launches.is_empty() && program.faces.is_empty() && program.tickets.is_none() {
        return quote!(&[]);
    }
    let (krate, sizes) = (Ident::new(link::CRATE, Span::call_site()), sizes(program));
    let two = |bounds: Vec<TokenStream>| {
        let zeros = (bounds.len()..2).map(|_| quote!(0));
        quote!([#(#bounds,)* #(#zeros),*])
    };
    let low = two(launches.iter().map(|b| rust_bound(&b.low)).collect());
    let high = two(launches.iter().map(|b| rust_bound(&b.high)).collect());
    let wide = demand::wide_sizes(&quote!(#krate), program);
    let faces = program.faces.iter().map(|face| {
        let dims = face.dims.iter().map(|dim| demand::bound(&quote!(#krate), dim));
        let bytes = Literal::usize_unsuffixed(face.ty.bytes());
        quote!(#gpu::Face {
            bytes: #bytes,
            lengths: |sizes, to| { let #sizes = *sizes else { return }; #wide to.extend_from_slice(&[#(#dims),*]); },
        })
    });
    let three = |vector: &[Int]| {
        let entries = (0..3).map(|k| vector.get((k + vector.len()).wrapping_sub(3)).copied().unwrap_or(0));
        let entries = entries.map(literal::number);
        quote!([#(#entries),*])
    };
    let order = program.tickets.as_ref().map(|tickets| {
        let (order, waits) = (three(&tickets.order), tickets.waits.iter().map(|delta| three(delta)));
        quote!(#gpu::Order { tickets: #order, waits: &[#(#waits),*] })
    });
    let count = Literal::usize_unsuffixed(launches.len());
    quote!(&[#gpu::Far {
        launches: #count,
        low: |sizes| { let #sizes = *sizes else { return [0; 2] }; #low },
        high: |sizes| { let #sizes = *sizes else { return [-1; 2] }; #high },
        faces: &[#(#faces),*],
        order: &[#order],
    }])
}

/// The pattern that binds the sizes of the call: `[s0, s1]`.
pub fn sizes(program: &Schedule) -> TokenStream {
    let names = (0..program.sizes.len()).filter(|k| !program.frame.is_length(*k)).map(|k| ours("s", k));
    quote!([#(#names),*])
}

/// How many of the last axes of an array, by its position among all inputs and outputs, are one with the axis before them.
fn merged_axes(kernel: &Kernel, program: &Schedule, array: usize) -> usize {
    let is_array = |k: &usize| matches!(kernel.parameters[*k].kind, ParameterKind::Array { .. });
    let inputs = (0..kernel.parameters.len()).filter(is_array).map(|k| program.parameters[k].merged.len());
    inputs.chain(program.merged_outputs.iter().map(Vec::len)).nth(array).unwrap_or_default()
}

/// The arrays that have wide accesses, by position among all inputs and outputs, each with the bytes of its widest access.
fn wide(kernel: &Kernel, program: &Schedule) -> SortedMap<usize, usize> {
    let is_array = |k: usize| matches!(kernel.parameters[k].kind, ParameterKind::Array { .. });
    let inputs = (0..kernel.parameters.len()).filter(|k| is_array(*k)).count();
    let mut widest: SortedMap<usize, usize> = SortedMap::new();
    let mut note = |array: usize, bytes: usize| {
        let most = widest.or_default(array);
        *most = bytes.max(*most);
    };
    for stage in program.stages.iter().filter(|stage| stage.piece > 1) {
        if let Array::Parameter(k) = stage.array {
            note((0..k).filter(|k| is_array(*k)).count(), stage.bytes_of_piece());
        }
    }
    for Step { lines, stores, wide_loads, wide_stores, .. } in program.steps() {
        for group in wide_loads {
            let inst = &lines[group.members[0]].inst;
            if let Operation::Load { array: Array::Parameter(k), .. } = &inst.operation {
                note((0..*k).filter(|k| is_array(*k)).count(), inst.ty.bytes() * group.members.len());
            }
        }
        for group in wide_stores {
            if let Into::Output(output) = stores[group.members[0]].into {
                note(inputs + output, kernel.outputs[output].ty.bytes() * group.members.len());
            }
        }
    }
    widest
}

/// The bytes of scratch memory that the rows of a block take. Each row begins at a multiple of 16.
fn rows(program: &Schedule) -> TokenStream {
    let each = program.rows.iter().map(|row| {
        let cells = program.cells(row);
        let mut bytes = literal::number(cells * program.cell_bytes(row.value));
        for inner in &program.frame.loops[row.level + 1..] {
            let iterations = if is_of_lengths(program, inner) {
                // The host does not know the lengths of a block.
                rust_bound(&inner.longest)
            } else {
                let (low, high) = (rust_bound(&inner.low), rust_bound(&inner.high));
                quote!(#high - #low + 1)
            };
            bytes = quote!(i64::saturating_mul(#bytes, i64::max(#iterations, 0)));
        }
        quote!(+ i64::saturating_add(#bytes, 15) / 16 * 16)
    });
    let bytes = quote!(0i64 #(#each)*);
    match program.needs_no_rows().and_then(|when| known_to_host(program, when)) {
        Some(needs_none) => quote!(if #needs_none { 0 } else { #bytes }),
        None => bytes,
    }
}

/// A condition as an expression of the sizes. `None` if the host does not know it, or not for all blocks at once.
fn known_to_host(program: &Schedule, condition: &Condition) -> Option<TokenStream> {
    let all = |parts: &[Condition]| parts.iter().map(|c| known_to_host(program, c)).collect::<Option<Vec<_>>>();
    match condition {
        Condition::AtLeast(form) => {
            let is_known = |atom: &Atom| matches!(atom, Atom::Size(k) if !program.frame.is_length(*k));
            let form = Some(form).filter(|form| !form.mentions(&|atom| !is_known(atom)))?;
            let value = rust_bound(&Bound::Form(form.clone()));
            Some(quote!((#value) >= 0))
        }
        Condition::All(parts) => all(parts).map(|parts| quote!(#((#parts))&&*)),
        Condition::Any(parts) => all(parts).map(|parts| quote!(#((#parts))||*)),
        _ => None,
    }
}

/// Whether the bounds of a loop depend on lengths.
fn is_of_lengths(program: &Schedule, of: &Loop) -> bool {
    [&of.low, &of.high].iter().any(|bound| program.frame.has_length(bound))
}

/// Whether the size of the rows differs between blocks, as far as the host computes it.
fn rows_vary(program: &Schedule) -> bool {
    let inner = program.rows.iter().flat_map(|row| &program.frame.loops[row.level + 1..]);
    let inner = inner.filter(|l| !is_of_lengths(program, l));
    inner.flat_map(|l| [&l.low, &l.high]).any(|bound| bound.mentions(&|a| matches!(a, Atom::Block(_))))
}

/// An upper limit on the absolute value of every index that the kernel computes at these sizes.
fn magnitude(program: &Schedule) -> TokenStream {
    let mut most: SortedMap<Atom, Int> = SortedMap::new();
    let mut constant: Int = 0;
    program.each_form(&mut |form| {
        constant = constant.max(form.offset().abs());
        for (atom, c) in form.terms() {
            let coefficient = most.or_default(atom.clone());
            *coefficient = c.abs().max(*coefficient);
        }
    });
    let frame = &program.frame;
    let mut code = TokenStream::new();
    (0..program.sizes.len()).filter(|k| !frame.is_length(*k)).for_each(|k| {
        let name = ours("s", k);
        code.extend(quote!(let #name = i128::from(#name).abs();));
    });
    for length in &frame.lengths {
        let (name, least) = (ours("s", length.size), literal::number(length.least));
        let most = absolute_bound(program, &Bound::Form(length.most.clone()));
        code.extend(quote!(let #name = i128::max(#least, #most);));
    }
    let rows = frame.blocks.iter().enumerate().map(|(k, b)| (ours("b", k), b));
    for (name, row) in rows.chain(frame.loops.iter().enumerate().map(|(k, l)| (ours("t", k), l))) {
        let (low, high) = (absolute_bound(program, &row.low), absolute_bound(program, &row.high));
        code.extend(quote!(let #name = i128::max(#low, #high) + 1;));
    }
    let terms = most.iter().map(|(atom, c)| {
        let (c, value) = (literal::number(*c), absolute_atom(program, atom));
        quote!(+ #c * #value)
    });
    let terms: Vec<TokenStream> = terms.collect();
    let constant = literal::number(constant);
    quote!(#code #constant #(#terms)*)
}

/// An upper limit on the absolute value of an atom.
fn absolute_atom(program: &Schedule, atom: &Atom) -> TokenStream {
    let plain = |name: Ident| quote!(#name);
    match atom {
        Atom::Size(k) => plain(ours("s", *k)),
        Atom::Block(k) => plain(ours("b", *k)),
        Atom::Time(k) => plain(ours("t", *k)),
        Atom::Lane(k) => literal::number(program.frame.lanes[*k]),
        Atom::Warp(k) => literal::number(program.frame.warps[*k]),
        Atom::Remainder(_, by) => literal::number(*by),
        Atom::Register => quote!(0),
    }
}

fn absolute_bound(program: &Schedule, bound: &Bound) -> TokenStream {
    match bound {
        Bound::Form(form) => {
            let constant = literal::number(form.offset().abs());
            let terms = form.terms().map(|(atom, c)| {
                let (c, value) = (literal::number(c.abs()), absolute_atom(program, atom));
                quote!(+ #c * #value)
            });
            quote!((#constant #(#terms)*))
        }
        Bound::Sum(terms) => {
            let terms = terms.iter().map(|(c, b)| {
                let (c, b) = (literal::number(c.abs()), absolute_bound(program, b));
                quote!(+ #c * #b)
            });
            quote!((0 #(#terms)*))
        }
        Bound::Quotient(of, by) => {
            let (of, by) = (absolute_bound(program, of), literal::number(*by));
            quote!((#of / #by + 1))
        }
        Bound::Least(a, b) | Bound::Greatest(a, b) => {
            let (a, b) = (absolute_bound(program, a), absolute_bound(program, b));
            quote!(i128::max(#a, #b))
        }
    }
}
