//! The innermost loop in pieces: before, steady and after. In the steady piece every comparison that time alone decides
//! is decided; the others run as they are, but for what numbers decide.
use super::super::{Condition, Frame, Piece, Program, is_heavy};
use super::edges::{Inner, Versions, is_of_place, versions};
use super::given::{Facts, step};
use super::groups;
use super::least::extent;
use super::levels::of_form;
use super::whole;
use crate::mapping::{Atom, Bound, Index, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::target::tuning;
use std::collections::HashSet;

/// Away from edges, where more is known first, and at them: a block runs the first version that fits. One whose steady step a
/// later version comes to as well is left out, and its blocks run that: a cache holds few loops.
pub fn split(program: &mut Program) {
    let at_edges = Inner { when: Condition::True, facts: Facts::new() };
    let Versions { inner, left } = versions(program);
    let versions = inner.into_iter().chain([at_edges]);
    let all: Vec<Parts> = versions.map(|Inner { when, facts }| parts(program, &when, &facts, &left)).collect();
    let serves = |later: &Parts, k: usize| {
        !whole::is_asked(&all[k].steady().when) && later.steady().step == all[k].steady().step
    };
    let is_served = |k: usize| all[k + 1..].iter().any(|later| serves(later, k));
    let last = all.len() - 1;
    let at_edges_alone = last > 0 && !(0..last).any(|k| serves(&all[last], k));
    let kept = (0..all.len()).filter(|k| !is_served(*k)).flat_map(|k| {
        let pieces = all[k].pieces.iter().cloned();
        pieces.map(move |piece| Piece { at_edge: piece.at_edge || k == last && at_edges_alone, ..piece })
    });
    program.pieces = kept.collect();
}

/// The pieces of one version, and which is the steady one.
struct Parts {
    pieces: Vec<Piece>,
    steady: usize,
}

impl Parts {
    fn steady(&self) -> &Piece {
        &self.pieces[self.steady]
    }
}

/// The pieces of blocks where some facts are known, and some comparisons are left to borders: before what edges ask is
/// settled; before what numbers ask is; steady; behind.
fn parts(program: &Program, when: &Condition, known: &Facts, left: &HashSet<Condition>) -> Parts {
    let piece = |low: Bound, high: Bound, facts: &Facts| {
        let facts = known.iter().chain(facts).map(|(c, holds)| (c.clone(), *holds)).collect();
        Piece { ahead: 0, written: 1, when: when.clone(), at_edge: false, low, high, step: step(program, &facts) }
    };
    let whole = |low: Bound, high: Bound| Parts { pieces: vec![piece(low, high, &Facts::new())], steady: 0 };
    let Some(inner) = program.frame.loops.last() else { return whole(Bound::number(0), Bound::number(0)) };
    let frame = &program.frame;
    let middle = Sample::new(frame);
    let comparisons: Vec<Condition> =
        comparisons(program).into_iter().filter(|c| !known.contains_key(c) && !left.contains(c)).collect();
    let steady: Vec<(Condition, Region)> = comparisons
        .iter()
        .filter_map(|c| regions(frame, c).into_iter().find(|r| middle.is_in(r)).map(|r| (c.clone(), r)))
        .collect();
    let long = program.values.len() > tuning::SPLIT_OPERATIONS || program.target == Target::Cpu && is_heavy(program);
    if steady.is_empty() || long || groups::serve(program, known, left) {
        return whole(inner.low.clone(), inner.high.clone());
    }
    let facts = |of: &[(Condition, Region)]| of.iter().map(|(c, r)| (c.clone(), r.holds != planted(37))).collect();
    let from = |of: &[(Condition, Region)]| {
        let from = Bound::greatest(of.iter().filter_map(|(_, r)| r.low.clone()));
        from.map(|b| b.plus(-Int::from(planted(38))))
    };
    let to = Bound::least(steady.iter().filter_map(|(_, r)| r.high.clone()));
    let to = to.map(|b| b.plus(Int::from(planted(39))));
    let settled: Facts = facts(&steady);
    // On a CPU there is one version, and no block is without edges.
    let at_edges = |c: &Condition| program.target == Target::Cpu || is_placed(c);
    let (placed, numbers): (Vec<_>, Vec<_>) = steady.into_iter().partition(|(c, _)| at_edges(c));
    let decided = |low: &Bound, high: &Bound| -> Facts {
        let (Some(low), Some(high)) = (low.constant(), high.constant()) else { return Facts::new() };
        let always = |c: &Condition| regions(frame, c).into_iter().find(|r| r.covers(low, high)).map(|r| r.holds);
        comparisons.iter().filter_map(|c| Some((c.clone(), always(c)?))).collect()
    };
    let least = |bounds: &[Option<&Bound>]| Bound::least(bounds.iter().copied().flatten().cloned());
    let mut pieces = Vec::new();
    let (low, high) = (&inner.low, &inner.high);
    let mut start = low.clone();
    if let Some(from) = from(&placed) {
        let last = from.plus(-1);
        if !empty(&start, &last) {
            let end = least(&[Some(high), Some(&last)]).unwrap_or(last.clone());
            pieces.push(Piece { at_edge: true, ..piece(start.clone(), end, &decided(&start, &last)) });
        }
        start = Bound::greatest([start.clone(), from]).unwrap_or(start);
    }
    // What edges ask may end it before it is steady.
    let ends = to.as_ref().filter(|_| !placed.is_empty());
    let mut behind = start.clone();
    if let Some(from) = from(&numbers) {
        let last = from.plus(-1);
        if !empty(low, &last) {
            let mut facts: Facts = facts(&placed);
            facts.extend(decided(low, &last));
            pieces.push(piece(start.clone(), least(&[Some(high), Some(&last), ends]).unwrap_or(last), &facts));
        }
        let begins = least(&[Some(&from), ends.map(|to| to.plus(1)).as_ref()]).unwrap_or(from);
        start = Bound::greatest([start.clone(), begins]).unwrap_or(start);
    }
    if placed.is_empty() {
        behind = start.clone();
    }
    let end = least(&[Some(high), to.as_ref()]).unwrap_or(high.clone());
    let steady = pieces.len();
    pieces.push(piece(start, end, &settled));
    if let Some(to) = &to {
        let first = to.plus(1);
        if !empty(&first, high) {
            let start = Bound::greatest([behind, first.clone()]).unwrap_or(first.clone());
            let at_edge = !placed.is_empty();
            pieces.push(Piece { at_edge, ..piece(start, high.clone(), &decided(&first, high)) });
        }
    }
    Parts { pieces, steady }
}

/// Whether a comparison asks for sizes or blocks.
fn is_placed(condition: &Condition) -> bool {
    let mut placed = false;
    condition.each_form(&mut |form| placed |= is_of_place(form));
    placed
}

fn empty(low: &Bound, high: &Bound) -> bool {
    matches!((low.constant(), high.constant()), (Some(low), Some(high)) if low > high)
}

/// The comparisons of the innermost loop's time, each once.
fn comparisons(program: &Program) -> Vec<Condition> {
    let innermost = program.frame.loops.len();
    let mut found: Vec<Condition> = Vec::new();
    let mut seen = HashSet::new();
    let mut note = |condition: &Condition| {
        condition.each(&mut |c| {
            let timed = match c {
                Condition::AtLeast(form) | Condition::Zero(form) => of_form(form) == innermost,
                _ => false,
            };
            if timed && seen.insert(c.clone()) {
                found.push(c.clone());
            }
        });
    };
    for made in program.values.iter().filter(|m| m.level == innermost) {
        made.conditions().for_each(&mut note);
    }
    program.stores.iter().for_each(|s| note(&s.condition));
    found
}

/// Times at which a comparison holds in every lane and warp, or in none; an end that is missing is open.
struct Region {
    low: Option<Bound>,
    high: Option<Bound>,
    holds: bool,
}

impl Region {
    fn covers(&self, low: Int, high: Int) -> bool {
        let from = self.low.as_ref().is_none_or(|b| b.constant().is_some_and(|b| b <= low));
        let to = self.high.as_ref().is_none_or(|b| b.constant().is_some_and(|b| b >= high));
        from && to
    }
}

fn regions(frame: &Frame, condition: &Condition) -> Vec<Region> {
    let innermost = frame.loops.len() - 1;
    let (Condition::AtLeast(form) | Condition::Zero(form)) = condition else { return Vec::new() };
    let c = form.coefficient(&Atom::Time(innermost));
    let rest = form.sub(&Index::atom(Atom::Time(innermost)).scale(c, 1));
    // Another mention of the time, inside a remainder, or a form that is not whole everywhere.
    if c == 0 || form.denominator() != 1 || of_form(&rest) == innermost + 1 {
        return Vec::new();
    }
    let (Some(least), Some(most)) = (end(frame, &rest, false), end(frame, &rest, true)) else { return Vec::new() };
    // c · t + rest ≥ 0 from, or up to, some time on.
    let positive = |rest: &Index, holds: bool| bounded(c, rest, holds);
    let negative = |rest: &Index, holds: bool| bounded(-c, &rest.scale(-1, 1).plus(-1), holds);
    match condition {
        Condition::AtLeast(_) => vec![positive(&least, true), negative(&most, false)],
        _ => vec![positive(&least.plus(-1), false), negative(&most, false)]
            .into_iter()
            .chain(root(c, &least, &most))
            .collect(),
    }
}

/// The times at which c · t + rest ≥ 0.
fn bounded(c: Int, rest: &Index, holds: bool) -> Region {
    // c > 0: t ≥ ⌈−rest / c⌉ = −⌊rest / c⌋; c < 0: t ≤ ⌊rest / −c⌋.
    let quotient = Bound::Form(rest.clone()).quotient(c.abs());
    match c > 0 {
        true => Region { low: Some(Bound::sum(vec![(-1, quotient)])), high: None, holds },
        false => Region { low: None, high: Some(quotient), holds },
    }
}

/// The one time at which c · t + rest = 0 in all lanes alike.
fn root(c: Int, least: &Index, most: &Index) -> Option<Region> {
    let at = least.scale(-c.signum(), 1);
    let single = least == most && c.abs() == 1;
    single.then(|| Region { low: Some(Bound::Form(at.clone())), high: Some(Bound::Form(at)), holds: true })
}

/// A form with lanes, warps and remainders at one end of their extents.
pub fn end(frame: &Frame, form: &Index, greatest: bool) -> Option<Index> {
    let mut result = Index::constant(form.offset());
    for (atom, c) in form.terms() {
        let value = match atom {
            Atom::Size(_) | Atom::Block(_) | Atom::Time(_) => Index::atom(atom.clone()),
            other => {
                let (low, high) = extent(frame, other)?;
                Index::constant(if (c > 0) == greatest { high? } else { low })
            }
        };
        result = result.add(&value.scale(c, 1));
    }
    Some(result)
}

/// The middle of everything, at large sizes.
pub struct Sample {
    blocks: Vec<Int>,
    times: Vec<Int>,
}

impl Sample {
    pub fn new(frame: &Frame) -> Sample {
        let mut sample = Sample { blocks: Vec::new(), times: Vec::new() };
        for row in &frame.blocks {
            let middle = sample.middle(&row.low, &row.high);
            sample.blocks.push(middle);
        }
        for row in &frame.loops {
            let middle = sample.middle(&row.low, &row.high);
            sample.times.push(middle);
        }
        sample
    }

    fn middle(&self, low: &Bound, high: &Bound) -> Int {
        (self.value(low) + self.value(high)).div_euclid(2)
    }

    /// A form of sizes, blocks and times.
    pub fn form(&self, form: &Index) -> Int {
        self.value(&Bound::Form(form.clone()))
    }

    fn value(&self, bound: &Bound) -> Int {
        let at = |atom: &Atom| match atom {
            Atom::Size(_) => tuning::STEADY_SIZE,
            Atom::Block(k) => self.blocks.get(*k).copied().unwrap_or_default(),
            Atom::Time(k) => self.times.get(*k).copied().unwrap_or_default(),
            _ => 0,
        };
        bound.value(&at).unwrap_or_default()
    }

    fn is_in(&self, region: &Region) -> bool {
        let time = self.times.last().copied().unwrap_or_default();
        region.low.as_ref().is_none_or(|b| self.value(b) <= time)
            && region.high.as_ref().is_none_or(|b| self.value(b) >= time)
    }
}
