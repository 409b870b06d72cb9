//! Advice that was tried: the kernel is changed as the advice says and checked again. Only a change that fixes the fault and
//! adds no other is offered.
mod bools;
mod carry;
mod casts;
mod division;
mod lanes;
mod maps;
mod nest;
mod order;
mod overlap;
mod paths;

use crate::fault::{
    BlocksFact, BroadcastFact, CausalityFact, Edit, Fact, Fault, Help, LanesFact, Law, NamesFact, TypesFact,
    UniformFact,
};
use crate::laws::ONE_LANE;
use crate::region::Region;
use crate::syntax::tree::{GenericList, Kernel};
use crate::target::effort;
use paths::same_place;

/// Holds for every map: its laws are checked only after all laws of the equations hold.
const WITHOUT: &str =
    "without this map the kernel is lawful: the compiler looks for another, or runs it point by point";

/// A changed kernel, and the help that describes the change.
struct Offer {
    kernel: Kernel,
    help: Help,
    /// Offered only if no earlier offer works.
    last_resort: bool,
}

impl Offer {
    fn new(kernel: Kernel, text: impl Into<String>, edits: Vec<Edit>) -> Offer {
        Offer { kernel, help: Help { text: text.into(), edits }, last_resort: false }
    }
}

/// The result of checking a changed kernel.
pub struct Verdict {
    pub faults: Vec<Fault>,
    /// If it is lawful: the numbers of the maps that keep only one lane busy at a time.
    pub one_lane: Vec<usize>,
}

/// Replaces the help of every fault by the first offer that fixes it. Faults that one change fixes together are one mistake
/// and are reported once.
pub fn improve(kernel: &Kernel, faults: Vec<Fault>, judge: &dyn Fn(&Kernel) -> Verdict) -> Vec<Fault> {
    let (mut trials, most) = (0, most_trials(kernel));
    let mut told: Vec<Fault> = Vec::new();
    let mut mended: Vec<usize> = Vec::new();
    for (k, fault) in faults.iter().enumerate() {
        if mended.contains(&k) {
            continue;
        }
        let mut taken: Vec<Help> = Vec::new();
        let mut idle: Option<Help> = None;
        for offer in offers(kernel, fault) {
            if taken.len() == advice_limit(fault) || offer.last_resort && !taken.is_empty() {
                break;
            }
            trials += 1;
            if trials > most {
                break;
            }
            let Verdict { faults: after, one_lane } = judge(&offer.kernel);
            if !mends(&faults, fault, &after) {
                continue;
            }
            let mut help = offer.help;
            if map_of(kernel, fault).is_some_and(|map| one_lane.contains(&map)) {
                help.text.push_str(ONE_LANE);
                idle = idle.or(Some(help));
                continue;
            }
            let gone = |f: &Fault| f.law() == fault.law() && !after.iter().any(|a| same(a, f));
            mended.extend((k + 1..faults.len()).filter(|n| gone(&faults[*n])));
            taken.push(help);
        }
        let mut fault = fault.clone();
        let own = fault.help.take();
        fault.help = joined(taken).or(idle).or(own).or_else(|| words(kernel, &fault));
        told.push(fault);
    }
    told
}

fn most_trials(kernel: &Kernel) -> usize {
    let lengths = kernel.generics.iter().map(|g| match &g.list {
        GenericList::Numbers { values, .. } => values.len(),
        GenericList::Types { values } => values.len(),
    });
    let instances = lengths.fold(1, |all: usize, one| all.saturating_mul(one.max(1)));
    (effort::ADVICE_TRIALS / instances).max(effort::ADVICE_TRIALS_AT_LEAST)
}

/// Advice without a tried change, for a fault that no offer fixes.
fn words(kernel: &Kernel, fault: &Fault) -> Option<Help> {
    if let Fact::Uniform(UniformFact::Index { .. }) = fault.fact {
        return carry::words(kernel, fault.at).map(|text| Help { text, edits: Vec::new() });
    }
    if let Fact::Types(TypesFact::Mismatch { expected, found, .. }) = &fault.fact {
        return casts::words(kernel, fault.at, expected, found).map(|text| Help { text, edits: Vec::new() });
    }
    let map = map_of(kernel, fault)?;
    let text = match &fault.fact {
        Fact::Causality(CausalityFact::Later { look, row }) => order::shifted(kernel, map, &look.variable, row),
        Fact::Blocks(BlocksFact::Crosses { variable, loop_name, .. }) => {
            order::shifted(kernel, map, variable, loop_name)
        }
        Fact::Broadcast(_) | Fact::Lanes(LanesFact::NoLanes) => None,
        _ => return None,
    };
    let text = text.unwrap_or_else(|| WITHOUT.to_string());
    Some(Help { text, edits: Vec::new() })
}

/// How many solutions are shown.
fn advice_limit(fault: &Fault) -> usize {
    if matches!(fault.fact, Fact::Blocks(BlocksFact::Crosses { .. })) { 2 } else { 1 }
}

/// Several solutions in one sentence, with the edits of the first.
fn joined(helps: Vec<Help>) -> Option<Help> {
    helps.into_iter().reduce(|a, b| Help { text: format!("{}; or {}", a.text, b.text), edits: a.edits })
}

/// The number of the map that a fault belongs to.
fn map_of(kernel: &Kernel, fault: &Fault) -> Option<usize> {
    if is_order(fault) {
        return maps::position(kernel, fault.at);
    }
    if fault.law() < Law::Matrix {
        return None;
    }
    let Some(name) = &fault.map else { return (kernel.maps.len() == 1).then_some(0) };
    kernel.maps.iter().position(|m| match &m.name {
        Some(own) => own.text == *name,
        None => name.contains(' '),
    })
}

/// Whether a `reorder` names the wrong loops.
fn is_order(fault: &Fault) -> bool {
    matches!(fault.fact, Fact::Names(NamesFact::Reorder { .. }))
}

/// Possible changes, the best first.
fn offers(kernel: &Kernel, fault: &Fault) -> Vec<Offer> {
    let map = map_of(kernel, fault);
    match &fault.fact {
        Fact::Names(NamesFact::Reorder { .. }) => lanes::without(kernel, fault.at),
        Fact::Bounds(_) | Fact::Defined(_) => nest::offers(kernel, fault.at),
        Fact::Types(TypesFact::Mismatch { expected, found, .. }) => {
            let mut offers = bools::offers(kernel, fault.at, expected, found);
            offers.extend(casts::offers(kernel, fault.at, expected, found));
            offers
        }
        Fact::Uniform(UniformFact::Index { .. }) if fault.help.is_none() => carry::offers(kernel, fault.at),
        Fact::Uniform(UniformFact::LoopDivision { .. }) => division::offers(kernel, fault.at),
        Fact::Causality(CausalityFact::Later { look, row }) if fault.help.is_none() => {
            map.map_or(Vec::new(), |map| order::later(kernel, map, &look.variable, row))
        }
        Fact::Broadcast(fact) if fault.help.is_none() => {
            let warp = match fact {
                BroadcastFact::Warps { row, .. } => Some(row.as_str()),
                _ => None,
            };
            map.map_or(Vec::new(), |map| order::same_step(kernel, map, warp))
        }
        Fact::Blocks(BlocksFact::Crosses { variable, loop_name, reach, .. }) => {
            map.map_or(Vec::new(), |map| order::blocks(kernel, map, loop_name, variable, *reach))
        }
        // Where numbers are written, the law has said which number is wide enough.
        Fact::Blocks(fact @ BlocksFact::Narrow { .. }) => {
            let says_all = fault.help.as_ref().is_some_and(|h| !h.edits.is_empty());
            map.map_or(Vec::new(), |map| overlap::offers(kernel, map, fact, says_all))
        }
        Fact::Lanes(LanesFact::NoLanes) => lanes::none(kernel, fault.at),
        Fact::Lanes(LanesFact::TooMany { extent, .. }) => lanes::fold(kernel, fault.at, *extent, fault.help.as_ref()),
        _ => Vec::new(),
    }
}

/// Whether the fault is gone, and every remaining fault was there before or belongs to a later stage, which was not reached
/// before. A change of a map must add no fault at all.
fn mends(before: &[Fault], fault: &Fault, after: &[Fault]) -> bool {
    let of_a_map = fault.law() >= Law::Matrix || is_order(fault);
    let known = |a: &Fault| before.iter().any(|b| same(a, b));
    let later = |a: &Fault| !of_a_map && a.law().stage() > fault.law().stage();
    after.iter().all(|a| !same(a, fault) && (known(a) || later(a)))
}

/// The same law at the same region.
fn same(a: &Fault, b: &Fault) -> bool {
    a.law() == b.law() && same_place(a.at, b.at) && a.map == b.map
}

/// Replaces the tokens at `at` by `code`.
fn edit(at: Region, code: impl Into<String>) -> Vec<Edit> {
    vec![Edit { at, code: code.into() }]
}
