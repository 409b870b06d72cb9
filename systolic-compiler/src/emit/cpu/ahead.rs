//! Hints for strips that walk down rows: as a row of this strip is read, the same row of the strip after next is asked
//! for. The hardware foresees steps along a row, not down a column.
use crate::mapping::{Atom, Index};
use crate::model::{Array, Int, Kernel, ParameterKind};
use crate::program::{Operation, Program};
use std::collections::BTreeMap;

/// So many strips of 32 lanes ahead.
const STRIPS: Int = 2;
/// Hints a step; more would cost more than they bring.
const MOST: usize = 4;

/// Elements to be asked for.
pub struct Hint {
    pub parameter: usize,
    pub index: Vec<Index>,
    /// In how many of the loops it lies.
    pub level: usize,
}

/// The hints of a program, each once: reads that differ by constants share one, for the row that comes last.
pub fn hints(program: &Program, kernel: &Kernel) -> Vec<Hint> {
    let mut found: BTreeMap<(usize, Vec<Index>), Hint> = BTreeMap::new();
    for made in &program.values {
        let Operation::Load { array: Array::Parameter(parameter), index } = &made.operation else { continue };
        let is_array = matches!(kernel.parameters[*parameter].kind, ParameterKind::Array { .. });
        let Some(hint) = hint(program, *parameter, index).filter(|_| is_array) else { continue };
        let key = (*parameter, hint.index.iter().map(|f| f.plus(-f.offset())).collect());
        let first = found.entry(key).or_insert_with(|| Hint { index: hint.index.clone(), ..hint });
        for (kept, new) in first.index.iter_mut().zip(hint.index) {
            if comes_later(&new, kept, hint.level) {
                *kept = new;
            }
        }
    }
    found.into_values().take(MOST).collect()
}

/// Where a load of adjacent lanes moves to another row with some loop.
fn hint(program: &Program, parameter: usize, index: &[Index]) -> Option<Hint> {
    let (last, rows) = index.split_last()?;
    let plain = |f: &Index| f.denominator() == 1 && !f.terms().any(|(a, _)| matches!(a, Atom::Remainder(..)));
    let adjacent = program.frame.lanes.len() == 1 && last.coefficient(&Atom::Lane(0)) == 1;
    let still = |f: &Index| f.coefficient(&Atom::Lane(0)) == 0;
    if !adjacent || program.warp_count() > 1 || !index.iter().all(plain) || !rows.iter().all(still) {
        return None;
    }
    let walks = |k: &usize| rows.iter().any(|f| f.coefficient(&Atom::Time(*k)) != 0);
    let walk = (0..program.frame.loops.len()).rev().find(walks)?;
    // Loops inside start at their first iteration.
    let start = |atom: &Atom| match atom {
        Atom::Time(k) if *k > walk => program.frame.loops[*k].low.constant().map(Index::constant),
        _ => None,
    };
    let mut index: Vec<Index> = index.iter().map(|f| f.substitute(&start)).collect();
    if index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Time(k) if *k > walk))) {
        return None;
    }
    let end = index.len() - 1;
    index[end] = index[end].plus(STRIPS * 32);
    Some(Hint { parameter, index, level: walk + 1 })
}

/// Whether a form differs only in that a later iteration of its loop reads the same.
fn comes_later(new: &Index, old: &Index, level: usize) -> bool {
    let walks = new.coefficient(&Atom::Time(level - 1)).signum();
    (new.offset() - old.offset()) * walks > 0
}
