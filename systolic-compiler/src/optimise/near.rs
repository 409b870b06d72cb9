//! Elements that another lane has loaded, but that are cheaper to load again than to shuffle. `reuse` leaves these loads
//! alone.
//!
//! Two or more neighbours that lie in one wide access cost one instruction. Sending them would cost a shuffle and a select
//! each, and a load by the outermost lanes. The cache holds the elements, because another lane loads them. It serves as many
//! lines for a few bytes per lane as for many, so the neighbours must have at least 8 bytes together. Single words are loaded
//! again only in a program without loops that has many of them.
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Int};
use crate::program::{Inst, Operation, Program, ValueId, row_of, widest};
use crate::sorted::{SortedMap, SortedSet};
use crate::target::{GPU, tuning};

/// The loads of a row from elements of other lanes, by the wide access in which they lie.
type Row = SortedMap<Int, Vec<ValueId>>;

/// The loads of all rows in which loading again pays. Elements of an array that the map stages in registers are always sent.
pub fn near(program: &Program) -> SortedSet<ValueId> {
    let mut rows: SortedMap<(Array, Vec<PlaceForm>), Row> = SortedMap::new();
    // The elements that all these loads would bring, if each were a wide access.
    let mut reached = 0;
    for (k, inst) in program.values.iter().enumerate() {
        let Operation::Load { array, index } = &inst.operation else { continue };
        let Some(last) = index.last() else { continue };
        let Some(width) = widest(inst.ty.bytes(), last) else { continue };
        if !is_own(inst) && !program.keeps(*array) {
            let row = rows.or_default((*array, row_of(index)));
            row.or_default(last.offset().div_euclid(width)).push(ValueId(k));
            reached += width;
        }
    }
    let bytes = |id: &ValueId| program.values[id.0].ty.bytes();
    // In a loop, single elements are better sent: they are carried from step to step in any case.
    let are_many = program.frame.loops.is_empty() && reached > tuning::EXCHANGED_STORES * program.stores.len() as Int;
    let pays = |ids: &Vec<ValueId>| {
        let together = ids.len() > 1 && ids.iter().map(bytes).sum::<usize>() >= tuning::EXCHANGED_BYTES;
        together || are_many && ids.iter().all(|id| bytes(id) >= GPU.word_bytes)
    };
    let pays = |row: &Row| row.values().any(pays);
    rows.into_values().filter(pays).flat_map(|row| row.into_values().flatten()).collect()
}

/// Whether a load reads an element of its own lane: 0 ≤ offset < distance between the first elements of two adjacent lanes.
pub fn is_own(inst: &Inst) -> bool {
    let Operation::Load { index, .. } = &inst.operation else { return false };
    let Some(last) = index.last() else { return false };
    let apart: Int = last.terms().filter(|(a, _)| matches!(a, Atom::Lane(_))).map(|(_, c)| c.abs()).max().unwrap_or(0);
    (0..apart).contains(&last.offset())
}
