//! ∀ z ∈ D, ∀ read V[z − e] at z whose guards hold: z − e ∈ D
use super::set::{Asked, ask, shifted, source, text, witness, zero};
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

/// The first index of a read that leaves the domain.
fn leaves(kernel: &Kernel, domain: &Formula, read: &Read) -> Option<Fault> {
    let images = shifted(kernel, read.distance);
    for (k, l) in kernel.loops.iter().enumerate() {
        let dim = kernel.loop_dim(k);
        let at_source = &images[dim];
        let (low, high) = (l.low.substitute(&images), l.high.substitute(&images));
        let sides = [
            // (how far inside, the same at the reader itself, bound, below?)
            (at_source - &low, &Form::var(dim) - &l.low, low, true),
            (&high.plus(-1) - at_source, &l.high.plus(-1) - &Form::var(dim), high, false),
        ];
        for (inside, here, bound, below) in sides {
            let slack = &inside - &here;
            if slack.is_constant() && slack.constant >= 0 {
                continue;
            }
            let outside = Formula::AtLeast((-&inside).plus(-1));
            let set = domain.clone().and(read.guard.clone()).and(outside);
            let at = read.index_at[k];
            match ask(kernel.dims(), &set) {
                Asked::Empty => {}
                Asked::GaveUp => return Some(Fault::new(at, DefinedFact::Undecided)),
                Asked::Point(point) => {
                    let other = source(kernel, &point, read.distance);
                    let fact = DefinedFact::Outside {
                        variable: kernel.equations[read.variable].variable.text.clone(),
                        loop_name: l.name.text.clone(),
                        below,
                        index: other[k],
                        bound: bound.eval(&point).unwrap_or_default(),
                    };
                    let mut witness = witness(kernel, &point);
                    witness.other = Some(super::set::named(kernel, &other));
                    return Some(help(kernel, read, at_source, &bound, below, Fault::new(at, fact)).with_witness(witness));
                }
            }
        }
    }
    None
}

/// A guard around the read, with a zero where it has no value.
fn help(kernel: &Kernel, read: &Read, index: &Form, bound: &Form, below: bool, fault: Fault) -> Fault {
    let variable = &kernel.equations[read.variable];
    let indices: Vec<String> =
        shifted(kernel, read.distance)[kernel.sizes.len()..].iter().map(|f| text(kernel, f)).collect();
    let compare = if below { "<" } else { ">=" };
    let code = format!(
        "(if {} {compare} {} {{ {} }} else {{ {}[{}] }})",
        text(kernel, index),
        text(kernel, bound),
        zero(variable.ty),
        variable.variable.text,
        indices.join(", "),
    );
    let why = if read.selected { "; a condition that reads a value guards nothing" } else { "" };
    fault.with_edit(format!("say what stands outside, here zero: `{code}`{why}"), read.at, code.clone())
}
