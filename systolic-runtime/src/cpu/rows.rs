//! Memory of a block for what waits longer than registers hold it: rings and scratch rows.
#![allow(unsafe_code)]
use super::{Element, LANES, Simd, Vector};
use crate::error::Error;
use std::cell::{Cell, RefCell};

/// The bytes of a cache line, in which all of this is counted.
const LINE: usize = 64;

/// A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// The lanes of one value, on cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Lanes<T>([T; LANES]);

/// The memory of the rows of a block. The blocks of a thread run one after the other and have the same.
///
/// It belongs to whoever runs blocks, not to the block: code that owns memory must be able to give it back wherever it might
/// panic, and a block would have such a place at each of its operations.
#[derive(Debug, Default)]
pub struct Scratch {
    rows: RefCell<Vec<Vec<Line>>>,
    /// How many of these the block has.
    used: Cell<usize>,
}

impl Scratch {
    /// Before the next block.
    pub fn reset(&mut self) {
        self.used.set(0);
    }

    /// This many cells, all zero.
    pub fn rows<T: Element>(&self, cells: usize) -> Result<Rows<'_, T>, Error> {
        let bytes = std::mem::size_of::<T>();
        let place = self.lines(cells, std::mem::size_of::<Lanes<T>>().div_ceil(LINE), bytes)?;
        // SAFETY: there are as many lines as the cells take, aligned as cells are, and all bits zero is a value of every
        // element. Nobody else has them: each call gives other lines until `reset`, which no borrow of this outlives, and
        // lines stay where they are when more are added.
        let cells = unsafe { std::slice::from_raw_parts_mut(place.cast::<Lanes<T>>(), cells) };
        Ok(Rows { cells })
    }

    /// The first of the lines that cells of this many lines take, all zero.
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
        // A length that was there is not kept: nothing is copied when the memory is another.
        row.clear();
        row.try_reserve_exact(lines).map_err(|_| refuse())?;
        row.resize(lines, Line([0; LINE]));
        self.used.set(number + 1);
        Ok(row.as_mut_ptr())
    }
}

/// Cells of 32 lanes, zero at first. A group keeps its lanes in the first of a cell.
#[derive(Debug)]
pub struct Rows<'s, T> {
    cells: &'s mut [Lanes<T>],
}

impl<T: Element> Rows<'_, T> {
    /// Keeps a value. A cell that does not exist keeps nothing.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd>(&mut self, _: S, cell: usize, v: S::V<T>) {
        if let Some(Lanes(lanes)) = self.cells.get_mut(cell) {
            v.put(lanes);
        }
    }

    /// What a cell keeps; zero where it does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn get<S: Simd>(&self, simd: S, cell: usize) -> S::V<T> {
        match self.cells.get(cell) {
            Some(Lanes(lanes)) => simd.take(lanes),
            None => simd.zero(),
        }
    }

    /// One lane of a cell; zero where it does not exist.
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
