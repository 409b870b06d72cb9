//! Advice that was tried: the kernel is changed as the advice says and proved again, and only what mends the fault and
//! breaks nothing else is offered.
mod casts;
mod division;
mod lanes;
mod maps;
mod nest;
mod paths;

use crate::fault::{Edit, Fact, Fault, Help, LanesFact, Law, TypesFact, UniformFact};
use crate::region::Region;
use crate::syntax::tree::Kernel;
use paths::same_place;

/// How many changes of one kernel are tried.
const MOST_TRIALS: usize = 60;
/// Longer code is not shown in a message.
const LONGEST: usize = 120;

/// A changed kernel, and the help that says how to get there.
struct Offer {
    kernel: Kernel,
    help: Help,
}

impl Offer {
    fn new(kernel: Kernel, text: impl Into<String>, edits: Vec<Edit>) -> Offer {
        Offer { kernel, help: Help { text: text.into(), edits } }
    }
}

/// Gives every fault the first offer that mends it, in place of its own help. Faults that the same change mends are one
/// mistake, and told once. `judge` has the faults of a kernel.
pub fn improve(kernel: &Kernel, faults: Vec<Fault>, judge: &dyn Fn(&Kernel) -> Vec<Fault>) -> Vec<Fault> {
    let mut trials = 0;
    let mut told: Vec<Fault> = Vec::new();
    let mut mended: Vec<usize> = Vec::new();
    for (k, fault) in faults.iter().enumerate() {
        if mended.contains(&k) {
            continue;
        }
        let mut fault = fault.clone();
        for offer in offers(kernel, &fault) {
            trials += 1;
            if trials > MOST_TRIALS {
                break;
            }
            let after = judge(&offer.kernel);
            if mends(&faults, &fault, &after) {
                let gone = |f: &Fault| f.law() == fault.law() && !after.iter().any(|a| same(a, f));
                mended.extend((k + 1..faults.len()).filter(|n| gone(&faults[*n])));
                fault.help = Some(offer.help);
                break;
            }
        }
        told.push(fault);
    }
    told
}

/// What could be written instead, the best first.
fn offers(kernel: &Kernel, fault: &Fault) -> Vec<Offer> {
    match &fault.fact {
        Fact::Bounds(_) | Fact::Defined(_) => nest::offers(kernel, fault.at),
        Fact::Types(TypesFact::Mismatch { expected, found, .. }) => casts::offers(kernel, fault.at, expected, found),
        Fact::Uniform(UniformFact::LoopDivision { .. }) => division::offers(kernel, fault.at),
        Fact::Lanes(LanesFact::NoLanes) => lanes::none(kernel, fault.at),
        Fact::Lanes(LanesFact::TooMany { extent, .. }) => lanes::fold(kernel, fault.at, *extent, fault.help.as_ref()),
        _ => Vec::new(),
    }
}

/// The fault is gone, and whatever is left was there before or belongs to a later stage, which was not reached.
/// A change of a map must leave nothing behind that was not there.
fn mends(before: &[Fault], fault: &Fault, after: &[Fault]) -> bool {
    let of_a_map = fault.law() >= Law::Matrix;
    let known = |a: &Fault| before.iter().any(|b| same(a, b));
    let later = |a: &Fault| !of_a_map && a.law().stage() > fault.law().stage();
    after.iter().all(|a| !same(a, fault) && (known(a) || later(a)))
}

/// The same law at the same place.
fn same(a: &Fault, b: &Fault) -> bool {
    a.law() == b.law() && same_place(a.at, b.at) && a.map == b.map
}

/// `at` replaced by `code`.
fn edit(at: Region, code: impl Into<String>) -> Vec<Edit> {
    vec![Edit { at, code: code.into() }]
}
