//! The warp program: time loops around one straight-line body, which all 32 lanes of every warp of a block run in step.
//!
//! `lower` builds a [`Program`], `optimise` simplifies it, and `schedule` arranges its innermost loop. In a body a value of
//! another iteration point is reachable only through a wire: a shuffle (another lane), a carried register (an earlier step), a
//! ring in shared memory (another warp) or a row of scratch memory (an earlier iteration of an outer loop).
//!
//! | file | holds |
//! | --- | --- |
//! | `operation` | instructions and stores |
//! | `storage` | registers, rings, rows, staged boxes, barriers |
//! | `condition` | predicates on a place |
//! | `bounds` | what is known of the range of a form |
//! | `access` | which neighbours in memory one wide access covers |
//! | `registers` | how many registers the rotations take |
//! | `shared` | where rings and boxes lie in shared memory |
mod access;
mod bounds;
mod condition;
mod merged;
mod operation;
mod registers;
mod shared;
mod storage;

pub use access::{WIDTHS, is_load_from_memory, row_of, starts_at_multiple, widest};
pub use bounds::{Ranges, above, at_extreme, below, extent, level_of_condition, level_of_form, never_negative, range};
pub use condition::Condition;
pub use merged::{merge_index, separate, stays_inside};
pub use operation::{Inst, Into, Operation, Store, literal};
pub use shared::{Shared, Table};
pub use storage::{Barrier, Face, Register, Ring, Row, Stage};

pub use crate::laws::Tickets;
use crate::laws::registers_of;
use crate::mapping::{Atom, Bound, PlaceForm, Target};
use crate::model::{Array, Border, Int, Wishes};
use crate::planted::planted;

/// The number of a value in the body. Operands have smaller numbers than their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub usize);

/// The number of a carried register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterId(pub usize);

/// The number of a ring in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RingId(pub usize);

/// The number of a row of scratch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub usize);

/// The number of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceId(pub usize);

/// The number of a staged box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageId(pub usize);

/// A loop of the program. Its bounds are inclusive, and the same for all lanes and warps of a block.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The name that the user gave to the row.
    pub name: String,
    /// The first iteration.
    pub low: Bound,
    /// The last iteration.
    pub high: Bound,
    /// An upper limit on the iterations in any block: a bound that depends on sizes only.
    pub longest: Bound,
    /// The first and the last iteration at which some lane may have a point, if the times of outer loops limit that further.
    /// Only these iterations run. Memory that has a place per iteration has one for all.
    pub busy: Option<(Bound, Bound)>,
}

impl Loop {
    /// The first iteration that runs.
    pub fn first(&self) -> &Bound {
        self.busy.as_ref().map_or(&self.low, |(first, _)| first)
    }

    /// The last iteration that runs.
    pub fn last(&self) -> &Bound {
        self.busy.as_ref().map_or(&self.high, |(_, last)| last)
    }
}

/// The grid, the lanes and the loops of a program: everything that decides which places run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// One loop per axis of the grid, after the loops over launches.
    pub blocks: Vec<Loop>,
    /// How many of the first of these are loops over launches.
    pub launches: usize,
    /// Extents of the warp rows. The last one varies fastest.
    pub warps: Vec<Int>,
    /// Extents of the lane rows. The last one varies fastest.
    pub lanes: Vec<Int>,
    /// The time loops, outermost first.
    pub loops: Vec<Loop>,
    /// The sizes that are lengths. A block loads them before anything else.
    pub lengths: Vec<Length>,
}

/// A length of a block: an element of an array, at an index that the coordinates of the block give.
#[derive(Clone, Debug)]
pub struct Length {
    /// Its number among the sizes.
    pub size: usize,
    pub parameter: usize,
    /// Forms of the block's coordinates. Outside the array the length is `least`.
    pub index: Vec<PlaceForm>,
    pub least: Int,
    /// The greatest length, as a form of the other sizes.
    pub most: PlaceForm,
}

impl Frame {
    /// Whether a size is a length.
    pub fn is_length(&self, size: usize) -> bool {
        self.lengths.iter().any(|length| length.size == size)
    }

    /// Whether a bound depends on a length.
    pub fn has_length(&self, bound: &Bound) -> bool {
        bound.mentions(&|atom| matches!(atom, Atom::Size(k) if self.is_length(*k)))
    }
}

/// A warp program before its innermost loop is scheduled.
#[derive(Clone, Debug)]
pub struct Program {
    /// The loops around the body.
    pub frame: Frame,
    /// Upper limits on the lengths of a block's loops, as bounds of sizes. Their product is at least its number of points.
    pub lengths: Vec<Bound>,
    /// Whether some time row is a sum of several loops, or the bounds of a loop depend on another, so that a step may have no iteration
    /// point. Otherwise every step has one, except in the last tile.
    pub uneven: bool,
    /// Whether some loop runs along the lanes too, so that in every block they begin and end one after another.
    pub wavefront: bool,
    /// How often the equations stand in the body: iterations of unrolled rows times the registers of the fold.
    pub copies: Int,
    /// All instructions. Those whose level is below the number of loops run before the innermost loop.
    pub values: Vec<Inst>,
    /// All stores of a step.
    pub stores: Vec<Store>,
    /// Values that later steps of the same lane or its neighbours read.
    pub registers: Vec<Register>,
    /// Values that other warps of the block read.
    pub rings: Vec<Ring>,
    /// Values that later iterations of an outer loop read.
    pub rows: Vec<Row>,
    /// Values that other blocks or later launches read.
    pub faces: Vec<Face>,
    /// The order of blocks, if values cross them.
    pub tickets: Option<Tickets>,
    /// Boxes of arrays in shared memory.
    pub stages: Vec<Stage>,
    /// The parameters that the map stages in shared memory, each with the level at which its box is filled.
    pub staged: Vec<(usize, usize)>,
    /// The parameters that the map stages in registers.
    pub kept: Vec<usize>,
    /// The names of the sizes.
    pub sizes: Vec<String>,
    /// The machine that runs it.
    pub target: Target,
    /// About how many instructions a group of lines should have: see `schedule/gpu/skip.rs`.
    pub group: usize,
    /// What the map asks for (`resident`, `ahead`).
    pub wishes: Wishes,
    /// The kernel's parameters.
    pub parameters: Vec<Operand>,
    /// The constants of the kernel's body.
    pub constants: Vec<Operand>,
    /// The row length of each output; `None` for a scalar.
    pub ends: Vec<Option<PlaceForm>>,
    /// The lengths of the last axes of each output that are one with the axis before them.
    pub merged_outputs: Vec<Vec<Int>>,
}

/// What a load has to know of its array.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its extents, as forms of the sizes. A scalar has none.
    pub dims: Vec<PlaceForm>,
    /// What a read outside gives, at an affine index.
    pub border: Option<Border>,
    /// Whether it lies in memory. Otherwise it is passed by value.
    pub in_memory: bool,
    /// The lengths of the last axes that are one with the axis before them, because their elements lie without gaps.
    pub merged: Vec<Int>,
    /// How many elements of the last axis the border moves together.
    pub group: Int,
}

impl Program {
    /// The registers that each lane may use: the warps of a block share the register file, and so do the warps that the map
    /// wants resident besides them.
    pub fn room(&self) -> usize {
        let warps = self.warp_count().max(self.wishes.resident.unwrap_or(1));
        registers_of(warps) as usize
    }

    /// The barrier at the end of every iteration of loop `level`. It separates the writers of rows from their readers.
    pub fn handover(&self, level: usize) -> Option<Barrier> {
        let across = |r: &Row| if r.between_warps && !planted(29) { Barrier::Block } else { Barrier::Warp };
        self.rows.iter().filter(|r| r.level == level && !planted(28)).map(across).max()
    }

    /// The barriers around the filling of a box: before, so that nobody reads the old elements any more; after, so that all new
    /// elements are there.
    pub fn fences(&self) -> (Option<Barrier>, Option<Barrier>) {
        let all = self.barrier_of_all();
        ((!planted(32)).then_some(all), (!planted(33)).then_some(all))
    }

    /// The barrier for which all lanes of the block wait.
    pub fn barrier_of_all(&self) -> Barrier {
        if self.warp_count() > 1 { Barrier::Block } else { Barrier::Warp }
    }

    /// Whether every step ends with a barrier of the block. It separates the writers of rings from their readers.
    pub fn has_barrier_after_step(&self) -> bool {
        !self.rings.is_empty() && !planted(30)
    }

    /// Warps per block.
    pub fn warp_count(&self) -> Int {
        self.frame.warps.iter().product()
    }

    /// Lanes per warp that have points.
    pub fn lane_count(&self) -> Int {
        self.frame.lanes.iter().product()
    }

    /// The number of parts of a step that barriers separate.
    pub fn phases(&self) -> usize {
        self.values.iter().map(|m| m.phase).max().unwrap_or(0) + 1
    }

    /// Visits every condition of values and stores.
    pub fn each_condition(&mut self, visit: &mut impl FnMut(&mut Condition)) {
        self.values.iter_mut().for_each(|inst| inst.each_condition(visit));
        self.stores.iter_mut().for_each(|store| visit(&mut store.condition));
    }

    /// Visits the values that stores, registers, rings and rows take.
    pub fn each_use(&mut self, visit: &mut impl FnMut(&mut ValueId)) {
        self.stores.iter_mut().for_each(|s| visit(&mut s.value));
        self.registers.iter_mut().for_each(|r| visit(&mut r.value));
        self.rings.iter_mut().for_each(|r| visit(&mut r.value));
        self.rows.iter_mut().for_each(|r| visit(&mut r.value));
    }

    /// The values that stores, registers, rings and rows take.
    pub fn kept(&self) -> impl Iterator<Item = ValueId> {
        let stored = self.stores.iter().map(|s| s.value).chain(self.registers.iter().map(|r| r.value));
        stored.chain(self.rings.iter().map(|r| r.value)).chain(self.rows.iter().map(|r| r.value))
    }

    /// How many instructions, stores, registers, rings and rows take each value.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.values.len()];
        let operands = self.values.iter().flat_map(|inst| inst.operation.operands());
        self.kept().chain(operands).for_each(|id| uses[id.0] += 1);
        uses
    }

    /// The cells of a row per iteration of the loops inside its own.
    pub fn cells(&self, row: &Row) -> Int {
        row.slots() * self.warp_count() * (32 - row.lanes.abs())
    }

    /// Words of 4 bytes per lane that registers carry from step to step.
    pub fn carried_words(&self) -> Int {
        self.registers.iter().map(|r| r.delay * self.values[r.value.0].ty.words() as Int).sum()
    }

    /// Appends an instruction.
    pub fn push(&mut self, inst: Inst) -> ValueId {
        self.values.push(inst);
        ValueId(self.values.len() - 1)
    }

    /// The description of a parameter or constant.
    pub fn operand(&self, array: Array) -> &Operand {
        match array {
            Array::Parameter(k) => &self.parameters[k],
            Array::Constant(k) => &self.constants[k],
        }
    }

    /// The row length of what a store goes into; `None` for a scalar, and where a row of a face is not a loop.
    pub fn end(&self, into: Into) -> Option<&PlaceForm> {
        match into {
            Into::Output(k) => self.ends[k].as_ref(),
            Into::Face(face) => self.faces[face.0].end.as_ref(),
        }
    }

    /// Whether an array lies in memory. Otherwise it is passed by value.
    pub fn in_memory(&self, array: Array) -> bool {
        self.operand(array).in_memory
    }

    /// Whether the map keeps the elements of an array in registers and sends them from lane to lane.
    pub fn keeps(&self, array: Array) -> bool {
        matches!(array, Array::Parameter(k) if self.kept.contains(&k))
    }

    /// Whether a load of the array must be guarded by its own condition, because a GPU reads any address it is given.
    pub fn guards(&self, array: Array) -> bool {
        let leads_back = self.operand(array).border.as_ref().is_some_and(Border::leads_back);
        self.target == Target::Gpu && !leads_back
    }

    /// Whether an axis of an array may have no element.
    pub fn may_be_empty(&self, array: Array, axis: usize) -> bool {
        let length = self.operand(array).dims.get(axis);
        !length.is_some_and(|length| never_negative(&self.frame, &length.plus(-1)))
    }

    /// The number of instructions with such an operation.
    pub fn count(&self, is_counted: impl Fn(&Operation) -> bool) -> usize {
        self.values.iter().filter(|m| is_counted(&m.operation)).count()
    }
}
