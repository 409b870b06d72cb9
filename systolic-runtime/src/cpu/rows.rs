//! Memory of a block for what waits longer than registers hold it: rings and scratch rows.
use super::{Element, LANES, Simd, Vector};
use crate::error::Error;

/// The lanes of one value, on cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Cell<T>([T; LANES]);

/// Cells of 32 lanes, zero at first. A group keeps its lanes in the first of a cell.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    cells: Vec<Cell<T>>,
}

impl<T: Element> Rows<T> {
    /// So many cells.
    pub fn new(cells: usize) -> Result<Self, Error> {
        let mut rows = Rows { cells: Vec::new() };
        rows.resize(cells)?;
        Ok(rows)
    }

    /// So many cells from now on; new ones are zero.
    pub fn resize(&mut self, cells: usize) -> Result<(), Error> {
        let refuse = |_| Error::Memory {
            purpose: "the scratch rows of a block",
            elements: cells as u128 * LANES as u128,
            bytes: std::mem::size_of::<T>(),
        };
        self.cells.try_reserve_exact(cells.saturating_sub(self.cells.len())).map_err(refuse)?;
        self.cells.resize(cells, Cell([T::default(); LANES]));
        Ok(())
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Keeps a value. A cell that does not exist keeps nothing.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd>(&mut self, _: S, cell: usize, v: S::V<T>) {
        if let Some(Cell(lanes)) = self.cells.get_mut(cell) {
            v.put(lanes);
        }
    }

    /// What a cell keeps; zero where it does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn get<S: Simd>(&self, simd: S, cell: usize) -> S::V<T> {
        match self.cells.get(cell) {
            Some(Cell(lanes)) => simd.take(lanes),
            None => simd.zero(),
        }
    }

    /// One lane of a cell; zero where it does not exist.
    #[cfg_attr(optimised, inline(always))]
    pub fn lane(&self, cell: usize, lane: usize) -> T {
        self.cells.get(cell).and_then(|cell| cell.0.get(lane)).copied().unwrap_or_default()
    }
}
