//! Elements that other lanes hold, and that are loaded all the same: two or more of them lie in one wide access, which is one
//! instruction for what would be a shuffle and a choice each, and a load by the outermost lanes. A cache has what another
//! lane loads. It hands out as many lines for a few bytes a lane as for many, so it is asked for no less than 8; for single
//! words only where they are many.
use crate::mapping::{Atom, Index};
use crate::model::{Array, Int};
use crate::program::{Inst, Operation, Program, ValueId, row_of, widest};
use crate::target::{GPU, tuning};
use std::collections::{BTreeMap, BTreeSet};

/// Elements of a row that a lane reads beyond its own, by the wide access that they lie in.
type Row = BTreeMap<Int, Vec<ValueId>>;

/// The loads of rows in which it pays. A map that stages an array in registers has its elements sent.
pub fn near(program: &Program) -> BTreeSet<ValueId> {
    let mut rows: BTreeMap<(Array, Vec<Index>), Row> = BTreeMap::new();
    // What as many accesses would reach in all.
    let mut reached = 0;
    for (k, made) in program.values.iter().enumerate() {
        let Operation::Load { array, index } = &made.operation else { continue };
        let Some(last) = index.last() else { continue };
        let Some(width) = widest(made.ty.bytes(), last) else { continue };
        if !is_own(made) && !program.keeps(*array) {
            let row = rows.entry((*array, row_of(index))).or_default();
            row.entry(last.offset().div_euclid(width)).or_default().push(ValueId(k));
            reached += width;
        }
    }
    let bytes = |id: &ValueId| program.values[id.0].ty.bytes();
    // In a loop they are carried from step to step anyhow, and sent from there.
    let are_many = program.frame.loops.is_empty() && reached > tuning::EXCHANGED_STORES * program.stores.len() as Int;
    let pays = |ids: &Vec<ValueId>| {
        let together = ids.len() > 1 && ids.iter().map(bytes).sum::<usize>() >= tuning::EXCHANGED_BYTES;
        together || are_many && ids.iter().all(|id| bytes(id) >= GPU.word_bytes)
    };
    let pays = |row: &Row| row.values().any(pays);
    rows.into_values().filter(pays).flat_map(|row| row.into_values().flatten()).collect()
}

/// Whether a lane's element lies between its lane's first one and the next lane's: 0 ≤ offset < lanes' distance.
pub fn is_own(made: &Inst) -> bool {
    let Operation::Load { index, .. } = &made.operation else { return false };
    let Some(last) = index.last() else { return false };
    let apart: Int = last.terms().filter(|(a, _)| matches!(a, Atom::Lane(_))).map(|(_, c)| c.abs()).max().unwrap_or(0);
    (0..apart).contains(&last.offset())
}
