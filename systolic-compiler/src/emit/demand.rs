//! The steps and the scratch memory of a call, computed from its sizes before it runs: tokens that build a `Demand` of the
//! runtime. The counts are upper bounds, computed in 128 bits with saturation, so that no size overflows them.
use super::names::ours;
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::program::{Frame, Loop, above, below};
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
    product(krate, program.lengths.iter().map(|length| amount(krate, length))).code()
}

/// The demand of a block on a CPU. What does not depend on the sizes is computed here, because it is code of every call.
pub fn on_cpu(krate: &TokenStream, program: &Schedule) -> TokenStream {
    let is_known = program.lengths.iter().all(|length| matches!(amount(krate, length), Amount::Known(_)));
    let wide = (!is_known || program.uneven || !program.rows.is_empty()).then(|| wide_sizes(krate, program));
    let points = points(krate, program);
    let (evaluations, scratch) = (evaluations(krate, program, lanes_apart(program)), scratch(krate, program));
    quote!({ #wide #krate::__private::Demand { points: #points, evaluations: #evaluations, scratch: #scratch } })
}

/// How often a CPU evaluates the equations in a step of a warp: where lanes have to divide to get their loops back, each lane takes
/// as long as all of them take elsewhere.
fn lanes_apart(program: &Schedule) -> Int {
    let mut divides = false;
    program.each_form(&mut |form| {
        divides |= form.denominator() != 1 && form.terms().any(|(atom, _)| matches!(atom, Atom::Lane(_)));
    });
    if divides { gpu::LANES } else { 1 }
}

/// The number of evaluations of the equations by the warps of a block, if each step counts as `each`; 0 if it cannot be far above
/// the number of points.
pub fn evaluations(krate: &TokenStream, program: &Schedule, each: Int) -> TokenStream {
    if !program.uneven {
        return number(0);
    }
    let each = Amount::Known(program.warp_count().saturating_mul(program.copies).saturating_mul(each));
    let longest = program.frame.loops.iter().map(|l| amount(krate, &trips(&program.frame, l)));
    product(krate, [each].into_iter().chain(longest)).code()
}

/// An upper limit on the iterations that run of a loop, as a bound of sizes: where its ends move together with the block or the
/// times of outer loops, these cancel out.
fn trips(frame: &Frame, row: &Loop) -> Bound {
    let ends = [(&row.low, &row.high)].into_iter().chain(row.busy.as_ref().map(|(low, high)| (low, high)));
    let differences = ends.flat_map(|(low, high)| {
        let lows = below(low);
        let to = above(high).into_iter();
        to.flat_map(move |high| lows.iter().map(|low| high.sub(low).plus(1)).collect::<Vec<_>>())
    });
    let is_size = |atom: &Atom| matches!(atom, Atom::Size(k) if !frame.is_length(*k));
    let is_of_sizes = |form: &PlaceForm| !form.is_broken() && form.terms().all(|(atom, _)| is_size(atom));
    let whole = |form: PlaceForm| match form.denominator() {
        1 => Bound::Form(form),
        by => Bound::Form(form.scale(by, 1)).quotient(by),
    };
    let limits = differences.filter(is_of_sizes).map(whole);
    Bound::least([row.longest.clone()].into_iter().chain(limits)).unwrap_or_else(|| row.longest.clone())
}

/// The bytes of scratch memory of a block on a CPU.
fn scratch(krate: &TokenStream, program: &Schedule) -> TokenStream {
    if program.rows.is_empty() {
        return number(0);
    }
    let rows = program.rows.iter().map(|row| {
        let cell = (gpu::LANES * program.values[row.value.0].ty.bytes() as Int).max(cpu::CELL_BYTES);
        let loops = &program.frame.loops;
        let slots = Bound::Form(PlaceForm::constant(row.slots()));
        let slots = match row.is_long(loops.len()) {
            true => Bound::least([slots.clone(), loops[row.level].longest.clone()]).unwrap_or(slots),
            false => slots,
        };
        let each = Amount::Known(program.warp_count().saturating_mul(cell));
        let inner = loops[row.level + 1..].iter().map(|l| amount(krate, &l.longest));
        (1, product(krate, [amount(krate, &slots), each].into_iter().chain(inner)))
    });
    sum(&quote!(#krate::__private::Demand), 0, rows).code()
}

/// A bound as an expression of the sizes.
pub fn bound(krate: &TokenStream, of: &Bound) -> TokenStream {
    amount(krate, of).code()
}

/// A number that is known here, or tokens that compute it. What is known here is computed here, with the same saturation: every
/// call would compute it, and every crate with a kernel would compile it.
enum Amount {
    Known(Int),
    Computed(TokenStream),
}

impl Amount {
    fn code(self) -> TokenStream {
        match self {
            Amount::Known(value) => number(value),
            Amount::Computed(code) => code,
        }
    }
}

fn amount(krate: &TokenStream, of: &Bound) -> Amount {
    let demand = quote!(#krate::__private::Demand);
    let both = |a: &Bound, b: &Bound| (amount(krate, a), amount(krate, b));
    match of {
        Bound::Form(form) => {
            let sizes = form.terms().filter_map(|(atom, c)| match atom {
                Atom::Size(k) => Some((c, ours("s", *k))),
                _ => None,
            });
            let sizes = sizes.map(|(c, size)| (c, Amount::Computed(quote!(#size))));
            sum(&demand, form.offset(), sizes)
        }
        Bound::Sum(terms) => sum(&demand, 0, terms.iter().map(|(c, b)| (*c, amount(krate, b)))),
        Bound::Quotient(of, by) => match amount(krate, of) {
            Amount::Known(of) if *by > 0 => Amount::Known(of.div_euclid(*by)),
            of => {
                let (of, by) = (of.code(), number(*by));
                Amount::Computed(quote!(#demand::quotient(#of, #by)))
            }
        },
        Bound::Least(a, b) => match both(a, b) {
            (Amount::Known(a), Amount::Known(b)) => Amount::Known(a.min(b)),
            (a, b) => {
                let (a, b) = (a.code(), b.code());
                Amount::Computed(quote!(#demand::least(#a, #b)))
            }
        },
        Bound::Greatest(a, b) => match both(a, b) {
            (Amount::Known(a), Amount::Known(b)) => Amount::Known(a.max(b)),
            (a, b) => {
                let (a, b) = (a.code(), b.code());
                Amount::Computed(quote!(#demand::greatest(#a, #b)))
            }
        },
    }
}

/// A sum of terms, each with its factor, and a number.
fn sum(demand: &TokenStream, offset: Int, terms: impl Iterator<Item = (Int, Amount)>) -> Amount {
    let (mut known, mut computed) = (offset, Vec::new());
    for (c, amount) in terms {
        match amount {
            Amount::Known(value) => known = known.saturating_add(c.saturating_mul(value)),
            Amount::Computed(code) if c == 1 => computed.push(code),
            Amount::Computed(code) => {
                let c = number(c);
                computed.push(quote!(#demand::times(#c, #code)));
            }
        }
    }
    if computed.is_empty() {
        return Amount::Known(known);
    }
    let known = (known != 0 || computed.len() > 1).then(|| number(known));
    Amount::Computed(match (known, computed.as_slice()) {
        (None, [alone]) => alone.clone(),
        (known, _) => quote!(#demand::sum(&[#known, #(#computed),*])),
    })
}

/// The bytes of an array of these extents.
pub fn bytes(krate: &TokenStream, each: usize, extents: &[Bound]) -> TokenStream {
    let each = Amount::Known(each as Int);
    product(krate, [each].into_iter().chain(extents.iter().map(|extent| amount(krate, extent)))).code()
}

/// A product of extents; a negative one counts as 0.
fn product(krate: &TokenStream, extents: impl Iterator<Item = Amount>) -> Amount {
    let (mut known, mut computed): (Int, _) = (1, Vec::new());
    for extent in extents {
        match extent {
            Amount::Known(value) => known = known.saturating_mul(value.max(0)),
            Amount::Computed(code) => computed.push(code),
        }
    }
    if computed.is_empty() {
        return Amount::Known(known);
    }
    let known = (known != 1).then(|| number(known)).into_iter();
    Amount::Computed(quote!(#krate::__private::Demand::product(&[#(#known,)* #(#computed),*])))
}

/// A literal of 128 bits.
pub fn number(value: Int) -> TokenStream {
    let digits = Literal::i128_suffixed(value.saturating_abs());
    if value < 0 { quote!((-#digits)) } else { quote!(#digits) }
}
