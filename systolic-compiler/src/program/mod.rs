//! The warp program: rolled time loops around one straight-line body, run by 32 lanes of every warp of a block.
//! No value of another point is reachable but by a wire: a shuffle, a carried register, shared memory, a row.
mod body;
mod condition;
mod cut;
mod expression;
mod interpret;
mod levels;
mod lower;
mod print;
mod settle;
mod verify;
mod wire;

pub use condition::Condition;
pub use interpret::{Race, Trap, interpret, work};
pub use lower::{NoOrder, lower};
pub use print::print;
pub use verify::verify;

use crate::mapping::{Bound, Index};
use crate::model::{Array, BinaryOp, CompareOp, Int, Type, UnaryOp, Value};
use crate::planted::planted;

/// A value of the body, by number; operands come before what uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub usize);

/// A carried register, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterId(pub usize);

/// A ring in shared memory, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RingId(pub usize);

/// A row of scratch memory, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub usize);

/// How a value is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The bits of a literal.
    Literal(u64),
    /// A form of the place as an `i64`.
    Index(Index),
    /// A condition on the place as a `bool`.
    Holds(Condition),
    /// An element of a parameter or constant, by its address alone.
    Load {
        array: Array,
        index: Vec<Index>,
    },
    Unary(UnaryOp, ValueId),
    Binary(BinaryOp, ValueId, ValueId),
    Fma(ValueId, ValueId, ValueId),
    Compare(CompareOp, ValueId, ValueId),
    Cast(ValueId),
    /// By a condition on the place.
    Select(Condition, ValueId, ValueId),
    /// By a value.
    Choose(ValueId, ValueId, ValueId),
    /// The value of the lane `lanes` below, this step.
    Shuffle {
        value: ValueId,
        lanes: Int,
    },
    /// What the register was given `depth` steps ago.
    Carried {
        register: RegisterId,
        depth: Int,
    },
    /// What lane − `lanes` of warp − `warps` put into the ring `depth` steps ago; 0: this step, before the last barrier.
    Ring {
        ring: RingId,
        lanes: Int,
        warps: Int,
        depth: Int,
    },
    /// What lane − `lanes` of warp − `warps` put into the row `laps` iterations of its loop ago, `inner` back in those inside.
    Row {
        row: RowId,
        lanes: Int,
        warps: Int,
        laps: Int,
        inner: Vec<Int>,
    },
    /// Nothing: no place of the domain reads it.
    Poison,
}

#[derive(Clone, Debug)]
pub struct Made {
    pub operation: Operation,
    pub ty: Type,
    /// Under which condition some lane needs it; asked of loads only. Outside its array nothing is loaded.
    pub needed: Condition,
    /// In how many of the rolled loops it lies; fewer than all: made before the inner ones.
    pub level: usize,
    /// How many barriers of the step lie before it.
    pub phase: usize,
    /// A name for people: variable and instance.
    pub name: Option<String>,
}

/// A loop of the program; bounds inclusive, the same for all lanes and warps of a block.
#[derive(Clone, Debug)]
pub struct Loop {
    pub name: String,
    pub low: Bound,
    pub high: Bound,
}

/// A value carried from step to step.
#[derive(Clone, Debug)]
pub struct Register {
    /// What is given at the end of a step.
    pub value: ValueId,
    /// The most steps it is carried.
    pub depth: Int,
}

/// A ring of slots in shared memory between warps.
#[derive(Clone, Debug)]
pub struct Ring {
    pub value: ValueId,
    /// One slot more than this.
    pub depth: Int,
}

/// A row of memory past an inner loop.
#[derive(Clone, Debug)]
pub struct Row {
    pub value: ValueId,
    /// The rolled loop whose iterations it reaches over.
    pub level: usize,
    /// The lanes it is read across: only what some lane will fetch is kept.
    pub lanes: Int,
    /// One row more than this.
    pub laps: Int,
    /// Some reader is another warp: a barrier of the block at the end of each iteration, else of the warp.
    pub between_warps: bool,
}

#[derive(Clone, Debug)]
pub struct Store {
    pub condition: Condition,
    /// Forms that must be whole, or the place is no point.
    pub whole: Vec<Index>,
    pub output: usize,
    pub index: Vec<Index>,
    pub value: ValueId,
}

/// A coordinate of warps or lanes: its extent.
#[derive(Clone, Debug)]
pub struct Program {
    /// The grid's rows, inclusive bounds.
    pub blocks: Vec<Loop>,
    /// Extents of the warp rows, and of the lane rows; the last is fastest.
    pub warps: Vec<Int>,
    pub lanes: Vec<Int>,
    pub loops: Vec<Loop>,
    pub values: Vec<Made>,
    pub stores: Vec<Store>,
    pub registers: Vec<Register>,
    pub rings: Vec<Ring>,
    pub rows: Vec<Row>,
    pub sizes: Vec<String>,
}

impl Ring {
    /// One more than the steps it reaches back: what is read is not yet overwritten.
    pub fn slots(&self) -> Int {
        self.depth + Int::from(!planted(27) || self.depth == 0)
    }
}

impl Row {
    /// One more than the laps it reaches back.
    pub fn slots(&self) -> Int {
        self.laps + Int::from(!planted(22))
    }
}

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Barrier {
    Warp,
    Block,
}

impl Program {
    /// The barrier at the end of every iteration of loop `level`: there rows are handed over.
    pub fn handover(&self, level: usize) -> Option<Barrier> {
        let across = |r: &Row| if r.between_warps && !planted(29) { Barrier::Block } else { Barrier::Warp };
        self.rows.iter().filter(|r| r.level == level && !planted(28)).map(across).max()
    }

    /// Whether every step ends with a barrier of the block: there rings are handed over.
    pub fn has_barrier_after_step(&self) -> bool {
        !self.rings.is_empty() && !planted(30)
    }

    pub fn warp_count(&self) -> Int {
        self.warps.iter().product()
    }

    pub fn lane_count(&self) -> Int {
        self.lanes.iter().product()
    }

    pub fn count(&self, wanted: impl Fn(&Operation) -> bool) -> usize {
        self.values.iter().filter(|m| wanted(&m.operation)).count()
    }
}

impl Operation {
    /// The values it takes, in order.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Operation::Unary(_, a) | Operation::Cast(a) | Operation::Shuffle { value: a, .. } => vec![*a],
            Operation::Binary(_, a, b) | Operation::Compare(_, a, b) | Operation::Select(_, a, b) => vec![*a, *b],
            Operation::Fma(a, b, c) | Operation::Choose(a, b, c) => vec![*a, *b, *c],
            _ => Vec::new(),
        }
    }
}

/// A literal's bits back as a value.
pub fn literal(ty: Type, bits: u64) -> Value {
    Value::from_bits(ty, bits)
}
