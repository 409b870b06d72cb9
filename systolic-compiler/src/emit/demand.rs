//! The steps and the scratch memory of a call, computed from its sizes before it runs: tokens that build a `Demand` of the
//! runtime. The counts are upper bounds, computed in 128 bits with saturation, so that no size overflows them.
use super::names::ours;
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::schedule::Schedule;
use crate::target::{cpu, gpu};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The sizes of the call in 128 bits, with the same names.
pub fn wide_sizes(krate: &TokenStream, program: &Schedule) -> TokenStream {
    let each = (0..program.sizes.len()).filter(|k| !program.frame.is_length(*k)).map(|k| {
        let name = ours("s", k);
        quote!(let #name = <#krate::__private::primitive::i128 as #krate::__private::From<_>>::from(#name);)
    });
    each.collect()
}

/// The number of points of a block, with partial tiles counted as whole ones.
pub fn points(krate: &TokenStream, program: &Schedule) -> TokenStream {
    let lengths = program.lengths.iter().map(|length| bound(krate, length));
    quote!(#krate::__private::Demand::product(&[#(#lengths),*]))
}

/// The demand of a block on a CPU. What does not depend on the sizes is computed here, because it is code of every call.
pub fn on_cpu(krate: &TokenStream, program: &Schedule) -> TokenStream {
    let lengths: Option<Vec<Int>> = program.lengths.iter().map(Bound::constant).collect();
    let product = |lengths: Vec<Int>| lengths.into_iter().fold(1, |all: Int, n| all.saturating_mul(n.max(0)));
    let constant = lengths.map(product);
    let wide = (constant.is_none() || program.skewed || !program.rows.is_empty()).then(|| wide_sizes(krate, program));
    let points = constant.map_or_else(|| points(krate, program), number);
    let (evaluations, scratch) = (evaluations(krate, program), scratch(krate, program));
    quote!({ #wide #krate::__private::Demand { points: #points, evaluations: #evaluations, scratch: #scratch } })
}

/// The number of evaluations of the equations by the warps of a block; 0 if it cannot be far above the number of points.
pub fn evaluations(krate: &TokenStream, program: &Schedule) -> TokenStream {
    if !program.skewed {
        return number(0);
    }
    let each = number(program.warp_count().saturating_mul(program.copies));
    let longest = program.frame.loops.iter().map(|l| bound(krate, &l.longest));
    quote!(#krate::__private::Demand::product(&[#each, #(#longest),*]))
}

/// The bytes of scratch memory of a block on a CPU.
fn scratch(krate: &TokenStream, program: &Schedule) -> TokenStream {
    if program.rows.is_empty() {
        return number(0);
    }
    let rows = program.rows.iter().map(|row| {
        let cell = (gpu::LANES * program.values[row.value.0].ty.bytes() as Int).max(cpu::CELL_BYTES);
        let bytes = number(row.slots().saturating_mul(program.warp_count()).saturating_mul(cell));
        let inner = program.frame.loops[row.level + 1..].iter().map(|l| bound(krate, &l.longest));
        quote!(#krate::__private::Demand::product(&[#bytes, #(#inner),*]))
    });
    quote!(#krate::__private::Demand::sum(&[#(#rows),*]))
}

/// A bound as an expression of the sizes.
pub fn bound(krate: &TokenStream, of: &Bound) -> TokenStream {
    let demand = quote!(#krate::__private::Demand);
    match of {
        Bound::Form(form) => sum(krate, form),
        Bound::Sum(terms) => {
            let terms = terms.iter().map(|(c, b)| {
                let (c, b) = (number(*c), bound(krate, b));
                quote!(#demand::times(#c, #b))
            });
            quote!(#demand::sum(&[#(#terms),*]))
        }
        Bound::Quotient(of, by) => {
            let (of, by) = (bound(krate, of), number(*by));
            quote!(#demand::quotient(#of, #by))
        }
        Bound::Least(a, b) => {
            let (a, b) = (bound(krate, a), bound(krate, b));
            quote!(#demand::least(#a, #b))
        }
        Bound::Greatest(a, b) => {
            let (a, b) = (bound(krate, a), bound(krate, b));
            quote!(#demand::greatest(#a, #b))
        }
    }
}

fn sum(krate: &TokenStream, form: &PlaceForm) -> TokenStream {
    let offset = number(form.offset());
    let sizes = form.terms().filter_map(|(atom, c)| match atom {
        Atom::Size(k) => Some((ours("s", *k), number(c))),
        _ => None,
    });
    let terms: Vec<_> = sizes.map(|(size, c)| quote!(#krate::__private::Demand::times(#c, #size))).collect();
    if terms.is_empty() { offset } else { quote!(#krate::__private::Demand::sum(&[#offset, #(#terms),*])) }
}

/// A literal of 128 bits.
pub fn number(value: Int) -> TokenStream {
    let digits = Literal::i128_suffixed(value.saturating_abs());
    if value < 0 { quote!((-#digits)) } else { quote!(#digits) }
}
