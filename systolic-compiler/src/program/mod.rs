//! The warp program: rolled time loops around one straight-line body, run by 32 lanes of every warp of a block.
//! No value of another point is reachable but by a wire: a shuffle, a carried register, shared memory, a row.
mod body;
mod choose;
mod condition;
mod cut;
mod expression;
mod hoist;
#[cfg(feature = "tools")]
mod interpret;
mod large;
mod lower;
mod passes;
#[cfg(feature = "tools")]
mod print;
mod registers;
mod settle;
mod shared;
#[cfg(feature = "tools")]
mod verify;
mod weight;
mod wire;

pub use choose::{as_it_is, choose, chosen, written};
pub use condition::Condition;
pub use hoist::{Hoisted, Named, Use};
#[cfg(feature = "tools")]
pub use interpret::{Race, Trap, interpret, work};
pub use large::{is_large, too_long};
pub use lower::{NoOrder, lower};
use passes::never_negative;
pub use passes::{PASSES, is_fetched, of_condition, of_form, range};
#[cfg(feature = "tools")]
pub use print::{predicates, print};
pub use shared::Shared;
#[cfg(feature = "tools")]
pub use verify::verify;
pub use weight::{is_heavy, weight};

use crate::laws::registers_of;
use crate::mapping::{Atom, Bound, Index, Target};
use crate::model::{Array, BinaryOp, Border, CompareOp, Int, Type, UnaryOp, Value, Wishes};
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

/// A staged box, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageId(pub usize);

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
    /// A cell of a staged box.
    Staged {
        stage: StageId,
        cell: Vec<Index>,
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
    /// The value of the lane `lanes` below, around: below lane 0 lies the last. Lanes are one row.
    Turn {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub operation: Operation,
    pub ty: Type,
    /// Under which condition some lane needs it; asked of loads only. Outside its array nothing is loaded.
    pub needed: Condition,
    /// Where a load by a border which leads back lies inside its array, an axis each: there the border is not asked.
    /// Empty for all else.
    pub inside: Vec<Condition>,
    /// In how many of the rolled loops it lies; fewer than all: made before the inner ones.
    pub level: usize,
    /// How many barriers of the step lie before it.
    pub phase: usize,
    /// A load by a copy that moves over wires of its own: they say already how its elements are shared.
    pub wired: bool,
    /// A name for people: variable and instance.
    pub name: Option<String>,
}

/// A loop of the program; bounds inclusive, the same for all lanes and warps of a block.
#[derive(Clone, Debug)]
pub struct Loop {
    pub name: String,
    pub low: Bound,
    pub high: Bound,
    /// At most this many iterations in any block: of sizes alone.
    pub longest: Bound,
}

/// A value carried from step to step.
#[derive(Clone, Debug)]
pub struct Register {
    /// What is given at the end of a step.
    pub value: ValueId,
    /// The most steps it is carried.
    pub depth: Int,
    /// It holds an element that several reads of an input share; no wire of the kernel asks for it.
    pub reuse: bool,
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

/// A box of an array in shared memory, filled by all lanes of the block between two barriers.
#[derive(Clone, Debug)]
pub struct Stage {
    pub array: Array,
    pub ty: Type,
    /// Filled at the start of every iteration of the loop before this level; 0: once a block.
    pub level: usize,
    /// The element of cell 0: sizes, blocks, and loops outside the level.
    pub low: Vec<Index>,
    pub extents: Vec<Int>,
    /// The length of a row in memory.
    pub pitch: Int,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    pub condition: Condition,
    /// Forms that must be whole, or the place is no point.
    pub whole: Vec<Index>,
    pub output: usize,
    pub index: Vec<Index>,
    pub value: ValueId,
}

/// A value that is made in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub id: ValueId,
    pub made: Made,
    /// Where the step makes it, all lanes alike; elsewhere nothing wants it. Lines of one group stand together.
    pub wanted: Condition,
}

/// What one iteration of the innermost loop does, in order. Operands are lines before, or made before the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub lines: Vec<Line>,
    pub stores: Vec<Store>,
    /// What registers, rings and rows are given.
    pub registers: Vec<ValueId>,
    pub rings: Vec<ValueId>,
    pub rows: Vec<ValueId>,
    /// Lines that load neighbours in memory, and stores to neighbours: one access serves each list.
    pub wide_loads: Vec<Wide>,
    pub wide_stores: Vec<Wide>,
}

/// Lines or stores of a step by number, neighbours in order of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide {
    pub members: Vec<usize>,
    /// Where they are accessed together; elsewhere each is alone.
    pub when: Condition,
    /// Where one of them is wanted, and with it all are accessed: what is not wanted lies where one access reaches, behind the
    /// row's end if it is stored.
    pub wanted: Condition,
    /// The axes along which the border of what is loaded leads back; along the others it lies inside. Along the last it leads
    /// back for all of them together.
    pub back: Vec<usize>,
    pub past: Past,
}

/// Where neighbours that some lane needs may lie along their row, besides inside: there a border leads back for each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Past {
    pub before: bool,
    pub behind: bool,
}

/// A piece of the innermost loop; without loops, one that runs once. Bounds inclusive: sizes, blocks, outer loops.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it loads from memory is asked for so many steps ahead.
    pub ahead: usize,
    /// So many steps of its loop are written one behind the other.
    pub written: usize,
    /// The blocks that run it where no version before fits: sizes and blocks alone. Pieces of one version stand together.
    pub when: Condition,
    /// It is of blocks at edges alone, or lies before or behind the steps at which what edges ask is settled: most blocks have
    /// none of it.
    pub at_edge: bool,
    pub low: Bound,
    pub high: Bound,
    pub step: Step,
}

/// The loops of a program and its extents: all that decides which places run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The grid's rows, inclusive bounds.
    pub blocks: Vec<Loop>,
    /// Extents of the warp rows, and of the lane rows; the last is fastest.
    pub warps: Vec<Int>,
    pub lanes: Vec<Int>,
    pub loops: Vec<Loop>,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub frame: Frame,
    /// The lengths of the loops of a block, at most, as bounds of sizes: their product is what it has points.
    pub lengths: Vec<Bound>,
    /// Some time row is a sum of several loops, so steps may have no point; else every step has one, but for last tiles.
    pub skewed: bool,
    /// How often the body stands in a step: written rows times the registers of the fold.
    pub copies: Int,
    /// All values and stores of a step, whatever its time; those outside the innermost loop are made before it.
    pub values: Vec<Made>,
    pub stores: Vec<Store>,
    /// What the innermost loop runs, one piece after the other.
    pub pieces: Vec<Piece>,
    pub registers: Vec<Register>,
    pub rings: Vec<Ring>,
    pub rows: Vec<Row>,
    pub stages: Vec<Stage>,
    /// The parameters that the map stages in shared memory, each with the level at which its box is filled.
    pub staged: Vec<(usize, usize)>,
    /// Those that it stages in registers.
    pub kept: Vec<usize>,
    pub sizes: Vec<String>,
    /// What runs it.
    pub target: Target,
    /// Instructions of a group of lines, about.
    pub group: usize,
    /// What the map asks for.
    pub wishes: Wishes,
    /// The parameters, and the constants of the body.
    pub parameters: Vec<Operand>,
    pub constants: Vec<Operand>,
    /// How long the rows of the outputs are.
    pub ends: Vec<Option<Index>>,
}

/// What loads must know of an array; a scalar has no dimensions.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Forms of the sizes.
    pub dims: Vec<Index>,
    pub border: Option<Border>,
    /// It is not passed by value.
    pub in_memory: bool,
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
    /// Registers that a lane has: the warps of a block share what there is, and so do those that the map wants beside them.
    pub fn room(&self) -> usize {
        let warps = self.warp_count().max(self.wishes.resident.unwrap_or(1));
        registers_of(warps) as usize
    }

    /// Whether blocks at the ends of an axis are launched first on a GPU: those at edges run longest. Short blocks end together
    /// in any order.
    pub fn begins_with_ends(&self) -> bool {
        !self.frame.loops.is_empty() && self.versions().len() > 1
    }

    /// The barrier at the end of every iteration of loop `level`: there rows are handed over.
    pub fn handover(&self, level: usize) -> Option<Barrier> {
        let across = |r: &Row| if r.between_warps && !planted(29) { Barrier::Block } else { Barrier::Warp };
        self.rows.iter().filter(|r| r.level == level && !planted(28)).map(across).max()
    }

    /// The barriers before a box is filled, when nobody reads it any more, and behind, when it is whole.
    pub fn fences(&self) -> (Option<Barrier>, Option<Barrier>) {
        let all = if self.warp_count() > 1 { Barrier::Block } else { Barrier::Warp };
        ((!planted(32)).then_some(all), (!planted(33)).then_some(all))
    }

    /// Whether every step ends with a barrier of the block: there rings are handed over.
    pub fn has_barrier_after_step(&self) -> bool {
        !self.rings.is_empty() && !planted(30)
    }

    pub fn warp_count(&self) -> Int {
        self.frame.warps.iter().product()
    }

    pub fn lane_count(&self) -> Int {
        self.frame.lanes.iter().product()
    }

    /// The pieces of blocks of one kind after the other: those of blocks at edges, where there are others, come last.
    pub fn versions(&self) -> Vec<&[Piece]> {
        self.pieces.chunk_by(|a, b| a.when == b.when).collect()
    }

    /// Whether some step makes a wide access.
    pub fn has_wide(&self) -> bool {
        self.pieces.iter().any(|p| !p.step.wide_loads.is_empty() || !p.step.wide_stores.is_empty())
    }

    /// The parts of a step between barriers.
    pub fn phases(&self) -> usize {
        self.values.iter().map(|m| m.phase).max().unwrap_or(0) + 1
    }

    /// Visits every condition of values and stores.
    pub fn each_condition(&mut self, visit: &mut impl FnMut(&Frame, &mut Condition)) {
        let Program { frame, values, stores, .. } = self;
        values.iter_mut().for_each(|made| made.each_condition(&mut |c| visit(frame, c)));
        stores.iter_mut().for_each(|store| visit(frame, &mut store.condition));
    }

    /// Visits what stores, registers, rings and rows take.
    pub fn each_use(&mut self, visit: &mut impl FnMut(&mut ValueId)) {
        self.stores.iter_mut().for_each(|s| visit(&mut s.value));
        self.registers.iter_mut().for_each(|r| visit(&mut r.value));
        self.rings.iter_mut().for_each(|r| visit(&mut r.value));
        self.rows.iter_mut().for_each(|r| visit(&mut r.value));
    }

    /// The cells of a row at one place of the loops inside its own.
    pub fn cells(&self, row: &Row) -> Int {
        row.slots() * self.warp_count() * (32 - row.lanes.abs())
    }

    /// Words of 4 bytes a lane that registers carry.
    pub fn carried_words(&self) -> Int {
        self.registers.iter().map(|r| r.depth * self.values[r.value.0].ty.words() as Int).sum()
    }

    /// A value behind all others.
    pub fn push(&mut self, made: Made) -> ValueId {
        self.values.push(made);
        ValueId(self.values.len() - 1)
    }

    pub fn operand(&self, array: Array) -> &Operand {
        match array {
            Array::Parameter(k) => &self.parameters[k],
            Array::Constant(k) => &self.constants[k],
        }
    }

    /// Whether an array lies in memory, and is not passed by value.
    pub fn in_memory(&self, array: Array) -> bool {
        self.operand(array).in_memory
    }

    /// Whether the map has the elements of an array kept in registers and sent from lane to lane.
    pub fn keeps(&self, array: Array) -> bool {
        matches!(array, Array::Parameter(k) if self.kept.contains(&k))
    }

    /// Whether its loads say themselves that they lie inside: a GPU reads any address it is given.
    pub fn guards(&self, array: Array) -> bool {
        let leads_back = self.operand(array).border.as_ref().is_some_and(Border::leads_back);
        self.target == Target::Gpu && !leads_back
    }

    /// Whether an axis of an array may have no element.
    pub fn may_be_empty(&self, array: Array, axis: usize) -> bool {
        let length = self.operand(array).dims.get(axis);
        !length.is_some_and(|length| never_negative(&self.frame, &length.plus(-1)))
    }

    pub fn count(&self, wanted: impl Fn(&Operation) -> bool) -> usize {
        self.values.iter().filter(|m| wanted(&m.operation)).count()
    }
}

impl Line {
    /// Whether it costs something in a step.
    pub fn is_operation(&self) -> bool {
        !self.made.operation.is_free()
    }
}

impl Step {
    /// How many of its lines cost something.
    pub fn operations(&self) -> usize {
        self.lines.iter().filter(|l| l.is_operation()).count()
    }

    /// What stores, registers, rings and rows take.
    pub fn uses(&self) -> impl Iterator<Item = ValueId> {
        let given = self.registers.iter().chain(&self.rings).chain(&self.rows).copied();
        self.stores.iter().map(|s| s.value).chain(given)
    }
}

impl Made {
    /// Its condition, under which it is needed, and where it lies inside.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.operation.condition().into_iter().chain([&self.needed]).chain(&self.inside)
    }

    pub fn each_condition(&mut self, visit: &mut impl FnMut(&mut Condition)) {
        if let Operation::Holds(condition) | Operation::Select(condition, ..) = &mut self.operation {
            visit(condition);
        }
        visit(&mut self.needed);
        self.inside.iter_mut().for_each(visit);
    }

    /// Whether the border is asked along an axis.
    pub fn leads_back(&self, axis: usize) -> bool {
        self.inside.get(axis) != Some(&Condition::True)
    }
}

impl Operation {
    /// Whether it costs nothing in a step: a register, or a number that all lanes share.
    pub fn is_free(&self) -> bool {
        match self {
            Operation::Literal(_) | Operation::Carried { .. } | Operation::Poison => true,
            Operation::Load { index, .. } => !index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Lane(_)))),
            _ => false,
        }
    }

    /// The condition on the place that decides it.
    pub fn condition(&self) -> Option<&Condition> {
        match self {
            Operation::Holds(condition) | Operation::Select(condition, ..) => Some(condition),
            _ => None,
        }
    }

    /// Visits the values it takes.
    pub fn each_operand(&mut self, visit: &mut impl FnMut(&mut ValueId)) {
        match self {
            Operation::Unary(_, a)
            | Operation::Cast(a)
            | Operation::Shuffle { value: a, .. }
            | Operation::Turn { value: a, .. } => visit(a),
            Operation::Binary(_, a, b) | Operation::Compare(_, a, b) | Operation::Select(_, a, b) => {
                visit(a);
                visit(b);
            }
            Operation::Fma(a, b, c) | Operation::Choose(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            _ => {}
        }
    }

    /// The values it takes, in order.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Operation::Unary(_, a)
            | Operation::Cast(a)
            | Operation::Shuffle { value: a, .. }
            | Operation::Turn { value: a, .. } => vec![*a],
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
