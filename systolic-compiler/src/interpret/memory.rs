//! Shared memory and scratch rows, with a race detector. Two accesses of a cell by different lanes, at least one of them a
//! write, need a barrier in between: one of the block if the lanes are in different warps, any barrier otherwise.
use super::{Race, Trap};
use crate::model::Value;
use crate::target::effort;

/// Who accesses a cell, and after how many barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    pub warp: usize,
    pub lane: usize,
    /// Barriers of the block so far.
    pub block_barriers: u64,
    /// Barriers of any kind so far.
    pub barriers: u64,
}

impl Who {
    /// Whether no barrier separates the two accesses.
    fn clashes(&self, other: &Who) -> bool {
        match self.warp == other.warp {
            false => self.block_barriers == other.block_barriers,
            true => self.lane != other.lane && self.barriers == other.barriers,
        }
    }
}

#[derive(Clone, Default)]
struct Cell {
    value: Option<Value>,
    written: Option<Who>,
    /// The readers since it was last written. A read after another barrier of the block drops the older ones.
    read: Vec<Who>,
}

/// The cells of a ring, a row or a staged box, poison at first.
pub struct Memory {
    cells: Vec<Cell>,
}

impl Memory {
    /// As many cells as the product of the extents. Fails if they are too many.
    pub fn new(extents: &[usize]) -> Result<Memory, Trap> {
        let count =
            extents.iter().try_fold(1usize, |n, e| n.checked_mul(*e)).filter(|n| *n <= effort::INTERPRETER_CELLS);
        Ok(Memory { cells: vec![Cell::default(); count.ok_or(Trap::TooLarge)?] })
    }

    /// Reads a cell. Fails if that is a race.
    pub fn load(&mut self, at: usize, who: Who) -> Result<Option<Value>, Trap> {
        let cell = self.cells.get_mut(at).ok_or(Trap::Malformed("a cell outside its memory"))?;
        if cell.written.is_some_and(|w| w.clashes(&who)) {
            return Err(Trap::Race(Race::ReadAfterWrite));
        }
        if !cell.read.contains(&who) {
            cell.read.retain(|r| r.block_barriers == who.block_barriers);
            cell.read.push(who);
        }
        Ok(cell.value)
    }

    /// Writes a cell. Fails if that is a race.
    pub fn store(&mut self, at: usize, value: Option<Value>, who: Who) -> Result<(), Trap> {
        let cell = self.cells.get_mut(at).ok_or(Trap::Malformed("a cell outside its memory"))?;
        if cell.read.iter().any(|r| r.clashes(&who)) {
            return Err(Trap::Race(Race::WriteAfterRead));
        }
        if cell.written.is_some_and(|w| w.clashes(&who)) {
            return Err(Trap::Race(Race::WriteAfterWrite));
        }
        cell.read.clear();
        (cell.value, cell.written) = (value, Some(who));
        Ok(())
    }
}
