//! What the body of a program computes: instructions, each of which defines one value, and stores.
use super::{Condition, FaceId, RegisterId, RingId, RowId, StageId, ValueId};
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, BinaryOp, CompareOp, Int, Type, UnaryOp, Value};

/// How a value is computed. "Place" is the block, warp, lane and times at which an instruction runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A literal, by its bits.
    Literal(u64),
    /// An affine form of the place, as an `i64`.
    Index(PlaceForm),
    /// A condition on the place, as a `bool`.
    Holds(Condition),
    /// An element of a parameter or constant.
    Load {
        /// Where the element stands.
        array: Array,
        /// One form per axis.
        index: Vec<PlaceForm>,
    },
    /// An element of an array with a border, at indices that are values of type `i64`.
    Lookup {
        /// Where the element stands.
        array: Array,
        /// One value per axis.
        index: Vec<ValueId>,
    },
    /// A value that another block or an earlier launch left in a face.
    Face {
        /// Which face.
        face: FaceId,
        /// One form per axis.
        index: Vec<PlaceForm>,
    },
    /// A cell of a staged box.
    Staged {
        /// Which box.
        stage: StageId,
        /// One form per axis of the box.
        cell: Vec<PlaceForm>,
    },
    /// An operation on one value.
    Unary(UnaryOp, ValueId),
    /// An operation on two values.
    Binary(BinaryOp, ValueId, ValueId),
    /// a · b + c, rounded once.
    Fma(ValueId, ValueId, ValueId),
    /// A comparison of two values, as a `bool`.
    Compare(CompareOp, ValueId, ValueId),
    /// A conversion to the type of the instruction.
    Cast(ValueId),
    /// One of two values, selected by a condition on the place.
    Select(Condition, ValueId, ValueId),
    /// One of two values, selected by the first, a `bool`.
    Choose(ValueId, ValueId, ValueId),
    /// The value that lane − `lanes` has in this step.
    Shuffle {
        /// The value that is sent.
        value: ValueId,
        /// The distance between the lanes.
        lanes: Int,
    },
    /// Like a shuffle, but modulo the number of lanes: lane 0 reads from the last lanes. Only where lanes are one row.
    Rotate {
        /// The value that is sent.
        value: ValueId,
        /// The distance between the lanes.
        lanes: Int,
    },
    /// The value that a register was given `delay` steps ago.
    Carried {
        /// Which register.
        register: RegisterId,
        /// The delay in steps, at least 1.
        delay: Int,
    },
    /// The value that lane − `lanes` of warp − `warps` put into a ring.
    Ring {
        /// Which ring.
        ring: RingId,
        /// The distance between the lanes.
        lanes: Int,
        /// The distance between the warps.
        warps: Int,
        /// The delay in steps; 0 means this step, before its last barrier.
        delay: Int,
    },
    /// The value that lane − `lanes` of warp − `warps` put into a row.
    Row {
        /// Which row.
        row: RowId,
        /// The distance between the lanes.
        lanes: Int,
        /// The distance between the warps.
        warps: Int,
        /// The delay in iterations of the row's loop.
        laps: Int,
        /// The delay in each of the loops inside that loop.
        inner: Vec<Int>,
    },
    /// An undefined value, which no iteration point uses.
    Poison,
}

/// An instruction: it defines the value whose number is its position in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// How the value is computed.
    pub operation: Operation,
    /// Its type.
    pub ty: Type,
    /// Of a load: the lanes that need it. In the others, nothing is loaded. All other instructions run in every lane.
    pub needed: Condition,
    /// Of a load from an array with a border that maps indices back inside (`clamp`, `wrap`, …): one condition per axis under
    /// which the index lies inside, so that the border need not be applied. Empty for everything else.
    pub inside: Vec<Condition>,
    /// How many of the time loops it lies in. Below the number of loops, it runs before the inner ones.
    pub level: usize,
    /// How many barriers of the step come before it.
    pub phase: usize,
    /// Of a load: the kernel has a variable that carries the element from point to point, so that wires share it already.
    pub wired: bool,
    /// A name for people: variable and instance.
    pub name: Option<String>,
}

/// Where a store goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Into {
    /// An output, by number.
    Output(usize),
    /// A face.
    Face(FaceId),
}

impl Into {
    /// The number of the output.
    pub fn output(self) -> Option<usize> {
        match self {
            Into::Output(k) => Some(k),
            Into::Face(_) => None,
        }
    }
}

/// A store to an output or a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Where the equation stores.
    pub condition: Condition,
    /// Forms that must be integers. Where one is not, the place is no iteration point.
    pub whole: Vec<PlaceForm>,
    /// Where it goes.
    pub into: Into,
    /// One form per axis.
    pub index: Vec<PlaceForm>,
    /// The value that is stored.
    pub value: ValueId,
}

impl Inst {
    /// All its conditions: that of its operation, where it is needed, where it lies inside.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.operation.condition().into_iter().chain([&self.needed]).chain(&self.inside)
    }

    /// Visits all its conditions.
    pub fn each_condition(&mut self, visit: &mut impl FnMut(&mut Condition)) {
        if let Operation::Holds(condition) | Operation::Select(condition, ..) = &mut self.operation {
            visit(condition);
        }
        visit(&mut self.needed);
        self.inside.iter_mut().for_each(visit);
    }

    /// Whether the border must be applied along an axis.
    pub fn leads_back(&self, axis: usize) -> bool {
        self.inside.get(axis) != Some(&Condition::True)
    }
}

impl Operation {
    /// Whether it costs nothing in a step: the value is in a register already, or is the same for all lanes.
    pub fn is_free(&self) -> bool {
        match self {
            Operation::Literal(_) | Operation::Carried { .. } | Operation::Poison => true,
            Operation::Load { index, .. } => !index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Lane(_)))),
            _ => false,
        }
    }

    /// The condition on the place that it evaluates.
    pub fn condition(&self) -> Option<&Condition> {
        match self {
            Operation::Holds(condition) | Operation::Select(condition, ..) => Some(condition),
            _ => None,
        }
    }

    /// Visits its operands.
    pub fn each_operand(&mut self, visit: &mut impl FnMut(&mut ValueId)) {
        match self {
            Operation::Unary(_, a)
            | Operation::Cast(a)
            | Operation::Shuffle { value: a, .. }
            | Operation::Rotate { value: a, .. } => visit(a),
            Operation::Binary(_, a, b) | Operation::Compare(_, a, b) | Operation::Select(_, a, b) => {
                visit(a);
                visit(b);
            }
            Operation::Fma(a, b, c) | Operation::Choose(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Operation::Lookup { index, .. } => index.iter_mut().for_each(visit),
            _ => {}
        }
    }

    /// Its operands, in order.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Operation::Unary(_, a)
            | Operation::Cast(a)
            | Operation::Shuffle { value: a, .. }
            | Operation::Rotate { value: a, .. } => vec![*a],
            Operation::Binary(_, a, b) | Operation::Compare(_, a, b) | Operation::Select(_, a, b) => vec![*a, *b],
            Operation::Fma(a, b, c) | Operation::Choose(a, b, c) => vec![*a, *b, *c],
            Operation::Lookup { index, .. } => index.clone(),
            _ => Vec::new(),
        }
    }
}

/// The value that a literal's bits stand for.
pub fn literal(ty: Type, bits: u64) -> Value {
    Value::from_bits(ty, bits)
}
