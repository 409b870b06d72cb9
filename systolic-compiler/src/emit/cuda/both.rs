//! Two blocks that run as one: values that differ between them are a `Both` of the header `both.cuh`. What is loaded and stored is
//! loaded and stored for each of them, at the place of its own.
use super::body::Body;
use super::names::Names;
use crate::mapping::Atom;
use crate::model::{BinaryOp, CompareOp, Type};
use crate::program::{Condition, Inst, Operation, Store, ValueId};
use crate::schedule::{Paired, Step};

/// The coordinate of the second block, and whether there is one. Without one it is the first block again.
const BESIDE: &str = "beside";
pub const HAS_BESIDE: &str = "has_beside";

impl Names {
    /// The same names, for the second block.
    fn beside(&self, paired: &Paired) -> Names {
        let mut names = self.clone();
        names.blocks[paired.axis] = BESIDE.to_string();
        names
    }
}

impl<'p> Body<'p> {
    /// The type of a value.
    pub fn ty(&self, id: ValueId) -> String {
        let ty = self.program.values[id.0].ty;
        if self.program.differs(id) { format!("Both<{ty}>") } else { ty.to_string() }
    }

    /// The value 0 of the type of a value.
    pub fn zero(&self, id: ValueId) -> String {
        let ty = self.program.values[id.0].ty;
        if self.program.differs(id) { format!("Both<{ty}>{{}}") } else { format!("zero<{ty}>()") }
    }

    /// A value as the type of another one, of which it is a case.
    pub fn value_as(&self, of: ValueId, id: ValueId) -> String {
        let name = self.names.value(id);
        match self.program.differs(of) && !self.program.differs(id) {
            true => format!("both({name})"),
            false => name.to_string(),
        }
    }

    /// Declares the coordinates of both blocks of a pair. `pair` is the first block plus the number of the pair, also where a launch
    /// has only some of the pairs.
    pub fn coordinates_of_pair(&self, axis: usize, pair: &str) -> [String; 3] {
        let (name, row) = (&self.names.blocks[axis], &self.program.frame.blocks[axis]);
        let (first, last) = (self.names.bound(&row.low), self.names.bound(&row.high));
        [
            format!("const I {name} = 2 * {pair} - ({first});"),
            format!("const bool {HAS_BESIDE} = {name} < {last};"),
            format!("const I {BESIDE} = {HAS_BESIDE} ? {name} + 1 : {name};"),
        ]
    }

    /// Writes something of the second block.
    pub fn beside<T>(&self, write: impl FnOnce(&Body<'_>) -> T) -> Option<T> {
        let names = self.names.beside(self.program.paired.as_ref()?);
        Some(write(&Body { names: &names, is_beside: true, ..*self }))
    }

    /// Whether a condition is another one for the second block.
    pub fn is_of_pair(&self, condition: &Condition) -> bool {
        let Some(paired) = &self.program.paired else { return false };
        condition.mentions(&|atom| *atom == Atom::Block(paired.axis))
    }

    /// Whether a line is never written: an index, which is computed from its halves where it is used.
    pub fn is_index_of_both(&self, id: ValueId) -> bool {
        self.program.differs(id) && self.program.values[id.0].ty == Type::I64
    }

    /// A value that differs between the blocks, from values some of which may not.
    pub fn expression_of_both(&self, step: Option<&Step>, id: ValueId, inst: &Inst, old: Option<&str>) -> String {
        let ty = inst.ty;
        let lifted = |of: &ValueId| self.value_as(id, *of);
        let name = |of: &ValueId| self.names.value(*of);
        let differs = |of: &ValueId| self.program.differs(*of);
        match &inst.operation {
            Operation::Load { .. } | Operation::Lookup { .. } => {
                let half = |body: &Body<'_>, of: &str| match &inst.operation {
                    Operation::Lookup { array, index } => {
                        body.lookup(*array, index, &|index| body.index_of_half(step, index, of))
                    }
                    _ => body.loaded(inst, old.map(|old| format!("{of}({old})")).as_deref()),
                };
                let (first, second) = (half(self, "lower"), self.beside(|body| half(body, "upper")));
                format!("both<{ty}>({first}, {})", second.unwrap_or_default())
            }
            Operation::Binary(BinaryOp::Sub, a, b) if differs(a) && !differs(b) => {
                format!("sub({}, {})", name(a), name(b))
            }
            Operation::Binary(op, a, b) => format!("{}({}, {})", super::value::word(op.name()), lifted(a), lifted(b)),
            Operation::Unary(op, a) => format!("{}({})", super::value::word(op.name()), lifted(a)),
            Operation::Compare(op, a, b) => format!("{}({}, {})", op.name(), lifted(a), lifted(b)),
            Operation::Cast(a) => format!("cast<{ty}>({})", lifted(a)),
            Operation::Select(condition, a, b) => format!("{} ? {} : {}", self.test(condition), lifted(a), lifted(b)),
            Operation::Choose(which, a, b) if differs(which) => {
                let [a, b] = if differs(a) || differs(b) {
                    [lifted(a), lifted(b)]
                } else {
                    [name(a), name(b)].map(String::from)
                };
                match self.opposite(step, *which) {
                    Some(opposite) => format!("choose({opposite}, {b}, {a})"),
                    None => format!("choose({}, {a}, {b})", name(which)),
                }
            }
            Operation::Choose(which, a, b) => format!("{} ? {} : {}", name(which), lifted(a), lifted(b)),
            Operation::Shuffle { value, .. } | Operation::Rotate { value, .. } if !differs(value) => {
                format!("both({})", self.expression(inst))
            }
            // What is read from registers and rows has their type, which is that of this value.
            Operation::Shuffle { .. } | Operation::Rotate { .. } | Operation::Carried { .. } => self.expression(inst),
            Operation::Row { .. } => self.expression_with(inst, &self.zero(id)),
            Operation::Poison => self.zero(id),
            _ => format!("both<{ty}>({})", self.expression(inst)),
        }
    }

    /// An index of one of the blocks. Where it differs, it is a narrow integer that was cast.
    fn index_of_half(&self, step: Option<&Step>, id: ValueId, half: &str) -> String {
        match self.inst_in(step, id).operation {
            Operation::Cast(from) if self.program.differs(id) => format!("{half}({})", self.names.value(from)),
            _ => self.names.value(id).to_string(),
        }
    }

    /// The comparison that holds where this one does not, if that takes fewer instructions.
    fn opposite(&self, step: Option<&Step>, id: ValueId) -> Option<String> {
        let Operation::Compare(op, a, b) = self.inst_in(step, id).operation else { return None };
        let opposite = match op {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Ge => CompareOp::Lt,
            _ => return None,
        };
        Some(format!("{}({}, {})", opposite.name(), self.value_as(id, a), self.value_as(id, b)))
    }

    /// The instruction of a value as a step has it, simplified.
    fn inst_in<'a>(&'a self, step: Option<&'a Step>, id: ValueId) -> &'a Inst {
        step.and_then(|step| step.line(id)).map_or(&self.program.values[id.0], |line| &line.inst)
    }

    /// The values that a store writes: each block its own, if there are two.
    pub fn stored_halves(&self, store: &Store) -> Option<[String; 2]> {
        self.program.paired.as_ref()?;
        let name = self.names.value(store.value);
        Some(match self.program.differs(store.value) {
            true => ["lower", "upper"].map(|half| format!("{half}({name})")),
            false => [name.to_string(), name.to_string()],
        })
    }
}
