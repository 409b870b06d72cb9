//! Memory of a block for values whose delay is too long for registers: ring buffers and scratch rows.
#![allow(unsafe_code)]
use super::{Element, LANES, Simd, Vector};
use crate::error::{Error, Failure};
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use systolic_arith::Type;

/// The bytes of a cache line, the unit of allocation here.
const LINE: usize = 64;

/// A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// The lanes of one value, which begin on a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Lanes<T>([T; LANES]);

/// The memory of the rows of a block. The blocks of a thread run one after another and reuse it.
///
/// It is owned by the caller that runs blocks, not by the block: code that owns memory needs unwinding code wherever it might
/// panic, and in a block that is at each of its operations.
#[derive(Debug, Default)]
pub struct Scratch {
    rows: RefCell<Vec<Vec<Line>>>,
    /// How many of these the current block uses.
    used: Cell<usize>,
}

thread_local! {
    /// The memory of the last launch on this thread: the pages of new memory would cost more than many a launch.
    static KEPT: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// The most bytes that a thread keeps.
const MOST_KEPT: usize = 8 << 20;

impl Scratch {
    /// Calls `work` with scratch memory, which this thread keeps for the next call if it is not large.
    pub fn with<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
        let mut scratch = KEPT.try_with(Cell::take).ok().flatten().unwrap_or_default();
        let result = work(&mut scratch);
        let lines: usize = scratch.rows.get_mut().iter().map(Vec::capacity).sum();
        if lines > 0 && lines <= MOST_KEPT / LINE {
            // At the end of a thread nothing is kept.
            let _ = KEPT.try_with(|kept| kept.set(Some(scratch)));
        }
        result
    }

    /// Makes all rows available to the next block.
    pub fn reset(&mut self) {
        self.used.set(0);
    }

    /// Returns this many cells, which are zero or hold what an earlier block has left: no block reads a cell before it has
    /// written it, except for lanes without a point. Fails if there is not enough memory.
    pub fn rows<T: Element>(&self, cells: usize) -> Result<Rows<'_, T>, Failure> {
        let bytes = std::mem::size_of::<T>();
        let each = std::mem::size_of::<Lanes<T>>().div_ceil(LINE);
        // One more at each end, so that neighbours of a cell exist. Not every byte is a `bool`.
        let place = self.lines(cells.saturating_add(2), each, bytes, matches!(T::TYPE, Type::Bool))?;
        Ok(Rows { first: place.cast::<Lanes<T>>().wrapping_add(1), count: cells, scratch: PhantomData })
    }

    /// Returns the first of the lines for `cells` cells of `each` lines.
    #[inline(never)]
    fn lines(&self, cells: usize, each: usize, bytes: usize, clear: bool) -> Result<*mut Line, Failure> {
        let elements = cells as u128 * LANES as u128;
        let refuse = || Error::no_memory("the scratch rows of a block", elements, bytes);
        let lines = cells.checked_mul(each).ok_or_else(refuse)?;
        let mut rows = self.rows.borrow_mut();
        let number = self.used.get();
        if number == rows.len() {
            rows.push(Vec::new());
        }
        let row = &mut rows[number];
        if clear || row.len() < lines {
            // Cleared first, so that nothing is copied if the memory is reallocated.
            row.clear();
            row.try_reserve_exact(lines).map_err(|_| refuse())?;
            row.resize(lines, Line([0; LINE]));
        }
        self.used.set(number + 1);
        Ok(row.as_mut_ptr())
    }
}

/// Cells of 32 lanes. A group keeps its lanes in the first ones of a cell. Copies are the same cells.
///
/// The memory of the cells, and of one more at each end, is that of a [`Scratch`]. Nothing else refers to it: until `reset`,
/// which no borrow of the scratch outlives, each call of `rows` returns other lines, and lines do not move when more are added.
/// Any bits are a valid value of every element type except `bool`, whose lines are cleared. No reference to a cell lives longer than
/// the call that makes it, and copies stay on their thread.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'s, T> {
    first: *mut Lanes<T>,
    count: usize,
    scratch: PhantomData<&'s Cell<T>>,
}

impl<'s, T: Element> Rows<'s, T> {
    /// Returns `count` cells from `first` on; none if not all of them exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn part(&self, first: i64, count: i64) -> Rows<'s, T> {
        // As unsigned numbers, negative ones are too large.
        let (first, count, all) = (first as u64, count as u64, self.count as u64);
        let is_inside = count <= all && first <= all - count;
        let (first, count) = if is_inside { (first as usize, count as usize) } else { (0, 0) };
        Rows { first: self.first.wrapping_add(first), count, scratch: PhantomData }
    }

    /// Returns a cell, if it exists.
    #[cfg_attr(optimised, inline(always))]
    fn cell(&self, cell: i64) -> Option<*mut Lanes<T>> {
        // As unsigned numbers, negative ones are too large.
        ((cell as u64) < self.count as u64).then(|| self.first.wrapping_add(cell as usize))
    }

    /// Stores a value in a cell. Does nothing if the cell does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd>(&self, _: S, cell: i64, v: S::V<T>) {
        if let Some(cell) = self.cell(cell) {
            // SAFETY: the cell exists.
            v.put(unsafe { &mut (*cell).0 });
        }
    }

    /// Returns the value of a cell; zero if the cell does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn get<S: Simd>(&self, simd: S, cell: i64) -> S::V<T> {
        match self.cell(cell) {
            // SAFETY: the cell exists.
            Some(cell) => simd.take(unsafe { &(*cell).0 }),
            None => simd.zero(),
        }
    }

    /// Returns the elements that begin `BACK` elements before a cell, at most 32, as if all cells were one list; zero if the cell
    /// does not exist. Only for elements of more than one byte, whose cells lie side by side.
    #[cfg_attr(optimised, inline(always))]
    pub fn near<S: Simd, const BACK: i64>(&self, simd: S, cell: i64) -> S::V<T> {
        let whole = std::mem::size_of::<Lanes<T>>() == LANES * std::mem::size_of::<T>();
        match self.cell(cell) {
            Some(cell) if BACK.unsigned_abs() <= LANES as u64 && whole => {
                // SAFETY: the cell exists, and so do the ones beside it, without padding between them.
                simd.take(unsafe { std::slice::from_raw_parts(cell.cast::<T>().offset(-BACK as isize), LANES) })
            }
            _ => simd.zero(),
        }
    }

    /// Returns one lane of a cell; zero if it does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn lane(&self, cell: i64, lane: usize) -> T {
        match self.cell(cell) {
            // SAFETY: the cell exists.
            Some(cell) if lane < LANES => unsafe { (&(*cell).0)[lane] },
            _ => T::default(),
        }
    }
}

/// Returns how many slots a row needs that keeps values for `most` − 1 iterations of a loop from `low` to `high`, inclusive; at
/// least 1.
#[cfg_attr(optimised, inline(always))]
pub fn slots(most: i64, low: i64, high: i64) -> i64 {
    match high.checked_sub(low) {
        Some(less) if less < most => less.max(0) + 1,
        _ => most,
    }
}

/// Returns the number, or 0 if it is negative.
#[cfg_attr(optimised, inline(always))]
pub fn not_negative(number: i64) -> i64 {
    if number < 0 { 0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Plain;
    use crate::error::Memory;

    #[test]
    fn a_row_has_no_more_slots_than_its_loop_has_iterations() {
        assert_eq!([slots(5, 0, 9), slots(5, 0, 4), slots(5, -2, 1), slots(5, 3, 3), slots(5, 3, 1)], [5, 5, 4, 1, 1]);
        assert_eq!([slots(i64::MAX, 0, 1), slots(5, i64::MIN, i64::MAX)], [2, 5]);
    }

    #[test]
    fn rows_are_apart() {
        let mut scratch = Scratch::default();
        for _ in 0..3 {
            scratch.reset();
            let small = scratch.rows::<u8>(3).unwrap();
            let large = scratch.rows::<f64>(100).unwrap();
            let none = scratch.rows::<f32>(0).unwrap();
            for cell in 0..100 {
                assert_eq!(none.lane(cell, 31), 0.0);
                small.put(Plain, cell, Plain.splat(7u8));
                large.put(Plain, cell, Plain.splat(cell as f64));
            }
            for cell in 0..100 {
                let expected = if cell < 3 { 7 } else { 0 };
                assert_eq!((small.lane(cell, 0), large.lane(cell, 0)), (expected, cell as f64));
            }
        }
    }

    #[test]
    fn truth_values_are_cleared() {
        let mut scratch = Scratch::default();
        let mut bytes = scratch.rows::<u8>(2).unwrap();
        bytes.put(Plain, 1, Plain.splat(7u8));
        scratch.reset();
        let lanes = scratch.rows::<bool>(2).unwrap();
        assert!(!lanes.lane(1, 5));
    }

    #[test]
    fn neighbours_lie_in_the_cells_beside() {
        let scratch = Scratch::default();
        let rows = scratch.rows::<u16>(3).unwrap();
        for cell in 0..3 {
            rows.put(
                Plain,
                cell,
                Plain.take(&std::array::from_fn::<u16, LANES, _>(|l| (100 * cell + l as i64) as u16)),
            );
        }
        let (before, after) = (rows.near::<_, 1>(Plain, 1).to_lanes(), rows.near::<_, -2>(Plain, 1).to_lanes());
        assert_eq!((before[0], before[1]), (31, 100));
        assert_eq!((after[29], after[30]), (131, 200));
        assert_eq!((rows.near::<_, 1>(Plain, 0).to_lanes()[1], rows.near::<_, -1>(Plain, 2).to_lanes()[30]), (0, 231));
        assert_eq!(rows.near::<_, 1>(Plain, 3).to_lanes(), [0; LANES]);
    }

    #[test]
    fn parts_are_the_same_cells() {
        let scratch = Scratch::default();
        let rows = scratch.rows::<i32>(10).unwrap();
        let part = rows.part(4, 3);
        for cell in -1..4 {
            part.put(Plain, cell, Plain.splat(cell as i32 + 1));
        }
        let held: Vec<i32> = (-1..11).map(|cell| rows.lane(cell, 31)).collect();
        assert_eq!(held, [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0]);
        assert_eq!((part.lane(2, 0), part.lane(3, 0), part.lane(i64::MIN, 0)), (3, 0, 0));
        assert_eq!((part.near::<_, 1>(Plain, 1).to_lanes()[0], part.near::<_, 1>(Plain, 3).to_lanes()[0]), (1, 0));
        for (first, count) in
            [(-1, 3), (8, 3), (11, 0), (0, 11), (0, -1), (i64::MAX, 1), (1, i64::MAX), (i64::MIN, i64::MIN)]
        {
            let none = rows.part(first, count);
            assert_eq!((none.lane(0, 0), none.lane(first.wrapping_neg(), 0), none.count), (0, 0, 0), "{first} {count}");
        }
        assert_eq!((rows.part(10, 0).count, rows.part(0, 10).count, rows.part(9, 1).count), (0, 10, 1));
    }

    #[test]
    fn too_much_is_an_error() {
        for cells in [usize::MAX, usize::MAX / 2, 1 << 55] {
            let error = Scratch::default().rows::<f64>(cells).map(drop).unwrap_err();
            assert!(
                matches!(*error, Error::OutOfMemory { memory: Memory::Host, bytes, .. } if bytes > 1 << 58),
                "{error:?}"
            );
        }
    }
}
