//! ∀ z ∈ D, ∀ read V[z − e] at z whose guards hold: z − e ∈ D
//!
//! No read of a variable leaves the loops.
use super::lengths::{self, Other};
use super::set::{Asked, ask, shifted, source, text, text_of, witness, zero};
use crate::fault::{DefinedFact, Fault, Faults};
use crate::model::{Form, Formula, Kernel, Read};

pub fn check(kernel: &Kernel, faults: &mut Faults) {
    let domain = kernel.domain();
    for read in kernel.reads() {
        if let Some(fault) = leaves(kernel, &domain, &read) {
            faults.push(fault);
        }
    }
}

/// One bound of one loop, at the point that a read reads (its source).
struct Side {
    /// The loop.
    k: usize,
    /// The distance from the bound to the source, negative where the source lies outside.
    inside: Form,
    bound: Form,
    /// Whether it is the lower bound.
    below: bool,
}

/// The producer of a read, whose lengths may be others than those of the reader.
fn producer(kernel: &Kernel, read: &Read) -> Other {
    let loops = shifted(kernel, read.distance).split_off(kernel.sizes.len());
    lengths::other(kernel, &loops, kernel.dims())
}

/// The bounds that a read can cross: those to which the source can be closer than the reader.
fn sides(kernel: &Kernel, images: &[Form]) -> Vec<Side> {
    let mut sides = Vec::new();
    for (k, l) in kernel.loops.iter().enumerate() {
        let here = Form::var(kernel.loop_dim(k));
        let at_source = &images[kernel.loop_dim(k)];
        let (low, high) = (l.low.substitute(images), l.high.substitute(images));
        let both = [
            (at_source - &low, &here - &l.low, low, true),
            (&high.plus(-1) - at_source, &l.high.plus(-1) - &here, high, false),
        ];
        for (inside, inside_here, bound, below) in both {
            let slack = &inside - &inside_here;
            if !(slack.is_constant() && slack.constant >= 0) {
                sides.push(Side { k, inside, bound, below });
            }
        }
    }
    sides
}

/// The fault of the first index of a read that leaves the domain.
fn leaves(kernel: &Kernel, domain: &Formula, read: &Read) -> Option<Fault> {
    let producer = producer(kernel, read);
    let sides = sides(kernel, &producer.images);
    let crossed = |side: &Side| {
        let outside = Formula::AtLeast((-&side.inside).plus(-1));
        ask(producer.dims, &domain.clone().and(read.guard.clone()).and(producer.known.clone()).and(outside))
    };
    for (n, side) in sides.iter().enumerate() {
        let at = read.index_at[side.k];
        match crossed(side) {
            Asked::Empty => {}
            Asked::GaveUp => return Some(Fault::new(at, DefinedFact::Undecided)),
            Asked::Point(point) => {
                let other = source(kernel, &point, read.distance);
                let fact = DefinedFact::Outside {
                    variable: kernel.equations[read.variable].variable.text.clone(),
                    loop_name: kernel.loops[side.k].name.text.clone(),
                    below: side.below,
                    index: other[side.k],
                    bound: side.bound.eval(&point).unwrap_or_default(),
                };
                let mut witness = witness(kernel, &point);
                for length in kernel.lengths() {
                    let index: Vec<_> = length.index.iter().map(|(l, plus)| other[*l] + plus).collect();
                    let value = producer.images[length.size].eval(&point).unwrap_or_default();
                    let item = lengths::item(kernel, length.parameter, &index, &point);
                    witness.sizes.extend(item.map(|name| (name, value)).filter(|new| !witness.sizes.contains(new)));
                }
                witness.other = Some(super::set::named(kernel, &other));
                // The suggested guard must keep the read inside everywhere, so it checks all bounds that the read crosses.
                let mut all = vec![side];
                all.extend(sides[n + 1..].iter().filter(|s| !matches!(crossed(s), Asked::Empty)));
                return Some(help(kernel, read, &producer, &all, Fault::new(at, fact)).with_witness(witness));
            }
        }
    }
    None
}

/// Adds help: a guard around the read that gives zero outside the domain.
fn help(kernel: &Kernel, read: &Read, producer: &Other, crossed: &[&Side], fault: Fault) -> Fault {
    let variable = &kernel.equations[read.variable];
    let indices: Vec<String> =
        shifted(kernel, read.distance)[kernel.sizes.len()..].iter().map(|f| text(kernel, f)).collect();
    let names = kernel.sizes.iter().map(|s| s.name.as_str()).chain(kernel.loops.iter().map(|l| l.name.text.as_str()));
    let names: Vec<&str> = names.chain(producer.names.iter().map(String::as_str)).collect();
    let guards: Vec<String> = crossed
        .iter()
        .map(|s| format!("{} {} {}", indices[s.k], if s.below { "<" } else { ">=" }, text_of(&s.bound, &names)))
        .collect();
    let code = format!(
        "(if {} {{ {} }} else {{ {}[{}] }})",
        guards.join(" || "),
        zero(variable.ty),
        variable.variable.text,
        indices.join(", "),
    );
    let why = if read.selected { "; a condition that reads a value guards nothing" } else { "" };
    fault.with_edit(format!("say what stands outside, here zero: `{code}`{why}"), read.at, code.clone())
}
