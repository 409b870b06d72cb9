//! Prefetch hints for strips that move down rows. When a row of this strip is accessed, the same row of a later strip is
//! prefetched, or a later row of the same strip if the strip is long. The hardware predicts steps along a row, but not down a
//! column.
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Int};
use crate::program::{Operation, range};
use crate::schedule::Schedule;
use crate::sorted;
use crate::target::cpu;

/// An array in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Input(usize),
    Output(usize),
}

/// Elements to prefetch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    pub side: Side,
    pub index: Vec<PlaceForm>,
    /// The number of loops around it.
    pub level: usize,
}

/// The hints of a program, each once.
pub fn hints(program: &Schedule) -> Vec<Hint> {
    if program.frame.lanes.len() != 1 || program.warp_count() > 1 {
        return Vec::new();
    }
    let loads = program.values.iter().filter_map(|inst| match &inst.operation {
        Operation::Load { array: array @ Array::Parameter(k), index } if program.in_memory(*array) => {
            Some((Side::Input(*k), index))
        }
        _ => None,
    });
    let stores = program.stores.iter().filter_map(|store| Some((Side::Output(store.into.output()?), &store.index)));
    let mut found: Vec<Hint> = loads.chain(stores).filter_map(|(side, index)| hint(program, side, index)).collect();
    sorted::sort_by_key(&mut found, |h| {
        (h.side, h.level, h.index.iter().map(PlaceForm::offset).rev().collect::<Vec<_>>())
    });
    let mut hints: Vec<Hint> = Vec::new();
    for hint in found {
        match hints.iter_mut().rev().find(|kept| is_covered(&hint, kept)) {
            // For the same columns, the leading row.
            Some(kept) => {
                let rows = later(&hint, kept);
                kept.index[..rows.len()].clone_from_slice(&rows);
            }
            None => hints.push(hint),
        }
    }
    let firsts = hints.clone();
    for hint in &mut hints {
        shift(program, hint, &firsts);
    }
    hints.truncate(cpu::PREFETCHES);
    hints
}

/// A hint for an access whose lanes are adjacent in a row and some loop changes the row.
fn hint(program: &Schedule, side: Side, index: &[PlaceForm]) -> Option<Hint> {
    let (last, rows) = index.split_last()?;
    let still = |f: &PlaceForm| f.coefficient(&Atom::Lane(0)) == 0;
    if last.coefficient(&Atom::Lane(0)) != 1 || !index.iter().all(PlaceForm::is_plain) || !rows.iter().all(still) {
        return None;
    }
    let walks = |k: &usize| rows.iter().any(|f| f.coefficient(&Atom::Time(*k)) != 0);
    let walk = (0..program.frame.loops.len()).rev().find(walks)?;
    // The hardware predicts a loop that moves far along a row inside the loop over the rows.
    if last.mentions(&|a| matches!(a, Atom::Time(k) if *k > walk && is_far(program, last, *k))) {
        return None;
    }
    // Loops inside the one that changes the row stay at their first iteration.
    let start = |atom: &Atom| match atom {
        Atom::Time(k) if *k > walk => program.frame.loops[*k].low.constant().map(PlaceForm::constant),
        _ => None,
    };
    let index: Vec<PlaceForm> = index.iter().map(|f| f.substitute(&start)).collect();
    let starts = !index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Time(k) if *k > walk)));
    starts.then_some(Hint { side, index, level: walk + 1 })
}

/// Whether a loop moves further along a row than a narrow strip is wide.
fn is_far(program: &Schedule, last: &PlaceForm, along: usize) -> bool {
    let row = &program.frame.loops[along];
    let trips = range(&row.low, &row.high).map(|(low, high)| high - low);
    trips.is_none_or(|trips| trips * last.coefficient(&Atom::Time(along)).abs() >= cpu::NARROW_STRIP)
}

/// Whether two hints differ by constants, and in columns by less than one hint covers.
fn is_covered(hint: &Hint, kept: &Hint) -> bool {
    let differ: Option<Vec<Int>> = hint.index.iter().zip(&kept.index).map(|(a, b)| a.sub(b).number()).collect();
    let same = (hint.side, hint.level) == (kept.side, kept.level);
    same && differ.is_some_and(|d| d.last().is_some_and(|columns| (0..cpu::PREFETCH_COVERS).contains(columns)))
}

/// The rows of the hint that leads in the direction of the loop.
fn later(new: &Hint, old: &Hint) -> Vec<PlaceForm> {
    let walk = Atom::Time(new.level - 1);
    let rows = new.index.iter().zip(&old.index).take(new.index.len() - 1);
    let later = |a: &PlaceForm, b: &PlaceForm| (a.offset() - b.offset()) * a.coefficient(&walk).signum() > 0;
    rows.map(|(a, b)| if later(a, b) { a.clone() } else { b.clone() }).collect()
}

/// Moves a hint from the accessed elements to those to prefetch.
fn shift(program: &Schedule, hint: &mut Hint, all: &[Hint]) {
    let walk = &program.frame.loops[hint.level - 1];
    let extent = range(&walk.low, &walk.high).map(|(low, high)| high - low + 1);
    if extent.is_none_or(|extent| extent > cpu::LONG_STRIP) {
        let ahead = |atom: &Atom| {
            (*atom == Atom::Time(hint.level - 1)).then(|| PlaceForm::atom(atom.clone()).plus(cpu::PREFETCHED_ROWS))
        };
        hint.index = hint.index.iter().map(|f| f.substitute(&ahead)).collect();
        return;
    }
    let Some((last, rows)) = hint.index.split_last_mut() else { return };
    let beside = all.iter().filter(|other| other.side == hint.side && other.index[..rows.len()] == *rows);
    let columns = beside.filter_map(|other| other.index.last()?.sub(last).number());
    let (least, most) = columns.fold((0, 0), |(low, high), n| (n.min(low), n.max(high)));
    *last = last.plus((most - least + cpu::PREFETCH_COVERS).max(cpu::PREFETCHED_ELEMENTS));
}
