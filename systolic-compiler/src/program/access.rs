//! Which elements of a row one wide access covers: neighbours, as many as fit it, from an index that is a multiple of their number.
use super::{Operation, Program};
use crate::mapping::PlaceForm;
use crate::model::{Array, Int};
use crate::target::GPU;

/// Elements per wide access, the widest first: 16 of one byte, 8 of two.
pub const WIDTHS: [usize; 4] = [16, 8, 4, 2];

/// Whether an operation loads an element from memory, and not from a value that was passed. Also from a face: what a block finds
/// there was left before it began.
pub fn is_load_from_memory(program: &Program, operation: &Operation) -> bool {
    match operation {
        Operation::Load { array, .. } => matches!(array, Array::Parameter(_)) && program.in_memory(*array),
        Operation::Face { .. } => true,
        _ => false,
    }
}

/// An index without the constant of its last axis. Two elements of one row that a lane accesses have this in common.
pub fn row_of(index: &[PlaceForm]) -> Vec<PlaceForm> {
    let mut row = index.to_vec();
    if let Some(last) = row.last_mut() {
        *last = last.plus(-last.offset());
    }
    row
}

/// The most elements of this many bytes that one access can take along the last axis; `None` where that is one.
pub fn widest(bytes: usize, last: &PlaceForm) -> Option<Int> {
    let fitting = WIDTHS.into_iter().filter(|n| bytes * n <= GPU.access_bytes).map(|n| n as Int);
    fitting.into_iter().find(|n| starts_at_multiple(last, 0, *n))
}

/// Whether the index plus `from` is a multiple of `width` in every lane.
pub fn starts_at_multiple(last: &PlaceForm, from: Int, width: Int) -> bool {
    last.denominator() == 1 && last.terms().all(|(_, c)| c % width == 0) && from % width == 0
}
