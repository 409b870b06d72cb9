//! Where values wait for their consumers: registers, rings, rows and faces; and boxes of arrays in shared memory.
use super::ValueId;
use crate::mapping::{Bound, PlaceForm};
use crate::model::{Array, Int, Type};
use crate::planted::planted;
use crate::target::cpu;

/// A value that is carried from step to step in registers, one register per step of delay.
#[derive(Clone, Debug)]
pub struct Register {
    /// The value that it is given at the end of a step.
    pub value: ValueId,
    /// The largest delay in steps.
    pub delay: Int,
    /// Whether it holds an element that several reads of an input share. No wire of the kernel asks for it.
    pub reuse: bool,
}

/// A ring buffer in shared memory, one slot per step, through which warps exchange values.
#[derive(Clone, Debug)]
pub struct Ring {
    /// The value that every step writes.
    pub value: ValueId,
    /// The largest delay in steps.
    pub delay: Int,
}

/// A row of scratch memory: values of one iteration of a loop that later iterations of it read.
#[derive(Clone, Debug)]
pub struct Row {
    /// The value that every step writes.
    pub value: ValueId,
    /// The number of that loop.
    pub level: usize,
    /// The distance between producer and consumer in lanes. Only the lanes that have a consumer are kept.
    pub lanes: Int,
    /// The largest delay in iterations of the loop.
    pub laps: Int,
    /// Whether a consumer is in another warp. Then a barrier of the block ends each iteration of the loop, else one of the warp.
    pub between_warps: bool,
}

/// Values of a variable in global memory that other blocks or later launches read.
#[derive(Clone, Debug)]
pub struct Face {
    /// The name of the variable, for people.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// Whether it carries values to later launches; otherwise to blocks of the same launch.
    pub launched: bool,
    /// Its extents, as bounds of sizes. Rows are a whole number of wide accesses, so the last one may be longer than needed.
    pub dims: Vec<Bound>,
    /// The elements of a row that hold values, where a row is a loop of the kernel.
    pub end: Option<PlaceForm>,
}

/// A box of an array in shared memory. All lanes of the block fill it together, between two barriers.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The array.
    pub array: Array,
    /// Its element type.
    pub ty: Type,
    /// The number of loops around the filling. At 0 it is filled once per block.
    pub level: usize,
    /// The index of cell 0, one form per axis: of sizes, blocks and the loops around the filling.
    pub low: Vec<PlaceForm>,
    /// Cells per axis.
    pub extents: Vec<Int>,
    /// The distance between two rows in memory, in cells.
    pub pitch: Int,
    /// The neighbours along the last axis that one access brings where rows of the array are aligned.
    pub piece: Int,
    /// The neighbours along the last axis that a lane reads with one access.
    pub together: Int,
    /// Whether it lies in memory twice: while one is read, the other is filled for the next iteration.
    pub is_double: bool,
}

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Barrier {
    /// The lanes of a warp.
    Warp,
    /// The warps of a block.
    Block,
}

impl Ring {
    /// One more than the largest delay, so that no slot is overwritten in the step that still reads it.
    pub fn slots(&self) -> Int {
        self.delay + Int::from(!planted(27) || self.delay == 0)
    }
}

impl Row {
    /// Whether so many iterations may lie between producer and consumer that a call can have far fewer. Then memory is for those
    /// that the call has.
    pub fn is_long(&self, loops: usize) -> bool {
        // Where each step computes its cell anew, dividing by a number that is known only at run time costs much.
        self.slots() >= if self.level + 1 < loops { cpu::LONG_ROW } else { cpu::LONG_INNER_ROW }
    }

    /// One more than the largest delay, so that no slot is overwritten in the iteration that still reads it.
    pub fn slots(&self) -> Int {
        self.laps + Int::from(!planted(22))
    }
}
