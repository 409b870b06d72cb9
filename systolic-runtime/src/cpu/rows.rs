//! Memory of a block for values whose delay is too long for registers: ring buffers and scratch rows.
#![allow(unsafe_code)]
use super::{Element, LANES, Simd, Vector};
use crate::error::Error;
use std::cell::{Cell, RefCell};

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

    /// Returns this many cells, all zero. Fails if there is not enough memory.
    pub fn rows<T: Element>(&self, cells: usize) -> Result<Rows<'_, T>, Error> {
        let bytes = std::mem::size_of::<T>();
        let place = self.lines(cells, std::mem::size_of::<Lanes<T>>().div_ceil(LINE), bytes)?;
        // SAFETY: there are as many lines as the cells need, with the alignment of cells, and all-zero bits are a valid value
        // of every element type. Nothing else refers to them: until `reset`, which no borrow of `self` outlives, each call
        // returns other lines, and lines do not move when more are added.
        let cells = unsafe { std::slice::from_raw_parts_mut(place.cast::<Lanes<T>>(), cells) };
        Ok(Rows { cells })
    }

    /// Returns the first of zeroed lines for `cells` cells of `each` lines.
    #[inline(never)]
    fn lines(&self, cells: usize, each: usize, bytes: usize) -> Result<*mut Line, Error> {
        let elements = cells as u128 * LANES as u128;
        let refuse = || Error::Memory { purpose: "the scratch rows of a block", elements, bytes };
        let lines = cells.checked_mul(each).ok_or_else(refuse)?;
        let mut rows = self.rows.borrow_mut();
        let number = self.used.get();
        if number == rows.len() {
            rows.push(Vec::new());
        }
        let row = &mut rows[number];
        // Cleared first, so that nothing is copied if the memory is reallocated.
        row.clear();
        row.try_reserve_exact(lines).map_err(|_| refuse())?;
        row.resize(lines, Line([0; LINE]));
        self.used.set(number + 1);
        Ok(row.as_mut_ptr())
    }
}

/// Cells of 32 lanes, initially zero. A group keeps its lanes in the first ones of a cell.
#[derive(Debug)]
pub struct Rows<'s, T> {
    cells: &'s mut [Lanes<T>],
}

impl<T: Element> Rows<'_, T> {
    /// Stores a value in a cell. Does nothing if the cell does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd>(&mut self, _: S, cell: usize, v: S::V<T>) {
        if let Some(Lanes(lanes)) = self.cells.get_mut(cell) {
            v.put(lanes);
        }
    }

    /// Returns the value of a cell; zero if the cell does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn get<S: Simd>(&self, simd: S, cell: usize) -> S::V<T> {
        match self.cells.get(cell) {
            Some(Lanes(lanes)) => simd.take(lanes),
            None => simd.zero(),
        }
    }

    /// Returns one lane of a cell; zero if it does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn lane(&self, cell: usize, lane: usize) -> T {
        self.cells.get(cell).and_then(|cell| cell.0.get(lane)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Plain;

    #[test]
    fn rows_are_apart_and_zero_again_in_the_next_block() {
        let mut scratch = Scratch::default();
        for _ in 0..3 {
            scratch.reset();
            let mut small = scratch.rows::<u8>(3).unwrap();
            let mut large = scratch.rows::<f64>(100).unwrap();
            let none = scratch.rows::<f32>(0).unwrap();
            for cell in 0..100 {
                assert_eq!((small.lane(cell, 31), large.lane(cell, 31), none.lane(cell, 31)), (0, 0.0, 0.0));
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
    fn too_much_is_an_error() {
        for cells in [usize::MAX, usize::MAX / 2, 1 << 55] {
            let error = Scratch::default().rows::<f64>(cells).map(drop).unwrap_err();
            assert!(matches!(error, Error::Memory { bytes: 8, .. }), "{error:?}");
        }
    }
}
