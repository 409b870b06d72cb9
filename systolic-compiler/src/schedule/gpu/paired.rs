//! Two blocks in one: a program that computes in 16 bits or fewer may run two neighbouring blocks of its grid together, one in
//! each half of its registers.
//!
//! ```text
//! before, in block 6           and in block 7               after, in one block for both
//!
//! v1: i16 = load a[6, lane]    v1: i16 = load a[7, lane]    v1: two of i16 = load a[6, lane], load a[7, lane]
//! v2: i16 = add v1 v0          v2: i16 = add v1 v0          v2: two of i16 = add v1 v0
//! v3: i16 = max v2 v4          v3: i16 = max v2 v4          v3: two of i16 = max v2 v4
//! ```
//!
//! Additions, minima and maxima of two halves are one instruction on sm_90 and later, so such a block takes little longer than one
//! of the two. Both run the same steps: nothing but the addresses of loads and stores, and where these are needed, may depend on
//! the coordinate along which the two are neighbours. Where the grid ends with a single block, the other half computes the same
//! once more, and stores nothing.
use crate::mapping::{Atom, Bound, PlaceForm, Target};
use crate::model::{BinaryOp, Int, Type, UnaryOp};
use crate::planted::{ALL_PAIRS, planted};
use crate::program::{Condition, Inst, Operation, Program, ValueId, is_load_from_memory};
use crate::schedule::{Section, Version};
use crate::target::tuning;

/// How two blocks run as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paired {
    /// The axis of the grid along which they are neighbours, among `Frame::blocks`.
    pub axis: usize,
    /// For every value, whether the blocks may have different ones.
    differs: Vec<bool>,
}

impl Paired {
    /// Whether the blocks may have different values.
    pub fn differs(&self, id: ValueId) -> bool {
        self.differs[id.0]
    }

    /// The last pair along an axis, if these are its first and its last block. Pairs are numbered from the first block on. Along any
    /// other axis it is the last block.
    pub fn last(&self, axis: usize, low: Int, high: Int) -> Int {
        if axis == self.axis { low + (high - low).div_euclid(2) } else { high }
    }
}

/// How blocks of a program run in pairs; `None` if they cannot, or if it would not be faster.
pub fn paired(program: &Program, versions: &[Version]) -> Option<Paired> {
    let frame = &program.frame;
    let has_others = !program.faces.is_empty() || program.tickets.is_some() || frame.launches > 0;
    let has_more = !frame.lengths.is_empty() || !program.rings.is_empty() || !program.stages.is_empty();
    if program.target != Target::Gpu || has_others || has_more || frame.loops.is_empty() {
        return None;
    }
    // What differs begins with elements that are loaded at different places.
    let is_narrow_load = |inst: &Inst| matches!(inst.operation, Operation::Load { .. }) && is_narrow(inst.ty);
    if !program.values.iter().any(is_narrow_load) {
        return None;
    }
    let candidates = (0..frame.blocks.len()).rev().map(|axis| Candidate { program, versions, axis });
    candidates.filter(Candidate::runs_the_same_steps).find_map(|candidate| {
        let differs = candidate.differs();
        let is_taken = candidate.fits_halves(&differs) && candidate.is_worth_it(&differs);
        is_taken.then_some(Paired { axis: candidate.axis, differs })
    })
}

/// An axis of the grid along which blocks may become pairs.
struct Candidate<'p> {
    program: &'p Program,
    versions: &'p [Version],
    axis: usize,
}

impl<'p> Candidate<'p> {
    fn sections(&self) -> impl Iterator<Item = &'p Section> + use<'p> {
        self.versions.iter().flat_map(|version| &version.sections)
    }

    /// The instructions that run: those before the innermost loop, and those of its steps.
    fn insts(&self) -> impl Iterator<Item = (ValueId, &'p Inst)> + use<'p> {
        let innermost = self.program.frame.loops.len();
        let before = self.program.values.iter().enumerate().map(|(k, inst)| (ValueId(k), inst));
        let lines = self.sections().flat_map(|section| &section.step.lines).map(|line| (line.id, &line.inst));
        before.filter(move |(_, inst)| inst.level < innermost).chain(lines)
    }

    /// What steps hand to registers and rows: the value by whose number they are known, and the one that is given.
    fn given(&self) -> impl Iterator<Item = (ValueId, ValueId)> + use<'p> {
        let program = self.program;
        self.sections().flat_map(|section| {
            let registers = program.registers.iter().map(|r| r.value).zip(section.step.registers.iter().copied());
            let rows = program.rows.iter().map(|r| r.value).zip(section.step.rows.iter().copied());
            registers.chain(rows)
        })
    }

    fn is_axis(&self, form: &PlaceForm) -> bool {
        form.mentions(&|atom| *atom == Atom::Block(self.axis))
    }

    fn is_in_bound(&self, bound: &Bound) -> bool {
        bound.mentions(&|atom| *atom == Atom::Block(self.axis))
    }

    fn is_in_condition(&self, condition: &Condition) -> bool {
        condition.mentions(&|atom| *atom == Atom::Block(self.axis))
    }

    /// Whether an instruction gives different values to the blocks by itself, whatever its operands are.
    fn reads_the_axis(&self, inst: &Inst) -> bool {
        match &inst.operation {
            Operation::Index(form) => self.is_axis(form),
            Operation::Load { index, .. } => {
                let conditions = [&inst.needed].into_iter().chain(&inst.inside);
                index.iter().any(|form| self.is_axis(form)) || conditions.into_iter().any(|c| self.is_in_condition(c))
            }
            operation => operation.condition().is_some_and(|condition| self.is_in_condition(condition)),
        }
    }

    /// For every value, whether the blocks may have different ones.
    fn differs(&self) -> Vec<bool> {
        let program = self.program;
        let mut differs = vec![false; program.values.len()];
        for (id, inst) in self.insts() {
            differs[id.0] |= self.reads_the_axis(inst);
        }
        loop {
            let before = differs.clone();
            for (id, inst) in self.insts() {
                differs[id.0] |= inst.operation.operands().iter().any(|operand| differs[operand.0]);
                differs[id.0] |= match inst.operation {
                    Operation::Carried { register, .. } => differs[program.registers[register.0].value.0],
                    Operation::Row { row, .. } => differs[program.rows[row.0].value.0],
                    _ => false,
                };
            }
            for (known, given) in self.given() {
                differs[known.0] |= differs[given.0];
            }
            if differs == before {
                return differs;
            }
        }
    }

    /// Whether blocks that differ in this coordinate run the same steps of the same sections.
    fn runs_the_same_steps(&self) -> bool {
        let frame = &self.program.frame;
        let blocks = frame.blocks.iter().flat_map(|l| [&l.low, &l.high]);
        let busy = frame.loops.iter().filter_map(|l| l.busy.as_ref()).flat_map(|(first, last)| [first, last]);
        let loops = frame.loops.iter().flat_map(|l| [&l.low, &l.high, &l.longest]).chain(busy);
        let sections = self.sections().flat_map(|section| [&section.low, &section.high]);
        let lines = self.sections().flat_map(|section| &section.step.lines);
        !blocks.chain(loops).chain(sections).any(|bound| self.is_in_bound(bound))
            && !lines.into_iter().any(|line| self.is_in_condition(&line.guard))
    }

    /// Whether all that differs is computed by operations that exist on halves.
    fn fits_halves(&self, differs: &[bool]) -> bool {
        let is_more_than_index = self.more_than_indices();
        self.insts().filter(|(id, _)| differs[id.0]).all(|(id, inst)| {
            let is_possible = match &inst.operation {
                Operation::Load { .. }
                | Operation::Lookup { .. }
                | Operation::Compare(..)
                | Operation::Choose(..)
                | Operation::Shuffle { .. }
                | Operation::Rotate { .. }
                | Operation::Carried { .. }
                | Operation::Row { .. }
                | Operation::Literal(_)
                | Operation::Poison => true,
                Operation::Select(condition, ..) => !self.is_in_condition(condition),
                Operation::Unary(op, _) => matches!(op, UnaryOp::Neg | UnaryOp::Not | UnaryOp::Abs),
                Operation::Binary(op, ..) => is_of_halves(*op),
                Operation::Cast(from) => is_narrow(self.program.values[from.0].ty),
                _ => false,
            };
            let compares_narrow = match inst.operation {
                Operation::Compare(_, a, _) => is_narrow(self.program.values[a.0].ty),
                _ => true,
            };
            is_possible && compares_narrow && (is_narrow(inst.ty) || (is_index(inst) && !is_more_than_index[id.0]))
        })
    }

    /// For every value, whether it is used for more than the index of an array.
    fn more_than_indices(&self) -> Vec<bool> {
        let mut found = vec![false; self.program.values.len()];
        let others = self.insts().filter(|(_, inst)| !matches!(inst.operation, Operation::Lookup { .. }));
        let operands = others.flat_map(|(_, inst)| inst.operation.operands());
        let given = self.sections().flat_map(|section| section.step.uses()).chain(self.program.kept());
        operands.chain(given).for_each(|id| found[id.0] = true);
        found
    }

    /// Whether the step that most blocks run computes much more than it loads and stores: those are not shared.
    fn is_worth_it(&self, differs: &[bool]) -> bool {
        if planted(ALL_PAIRS) {
            return true;
        }
        let steady = self.sections().filter(|section| !section.at_edge).max_by_key(|section| section.step.lines.len());
        let longest = steady.or_else(|| self.sections().max_by_key(|section| section.step.lines.len()));
        let Some(longest) = longest else { return false };
        let step = &longest.step;
        let lines = || step.lines.iter().filter(|line| differs[line.id.0]).map(|line| &line.inst.operation);
        let computed = lines().filter(|operation| {
            use Operation::{Binary, Choose, Compare, Unary};
            matches!(operation, Unary(..) | Binary(..) | Compare(..) | Choose(..))
        });
        let accessed = lines().filter(|operation| {
            let is_far = matches!(operation, Operation::Lookup { array, .. } if self.program.in_memory(*array));
            is_far || is_load_from_memory(self.program, operation)
        });
        computed.count() >= tuning::PAIRED_WORK * (accessed.count() + step.stores.len()).max(1)
    }
}

/// Integers that fit half a register, and what comparisons give.
fn is_narrow(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::Bool)
}

/// A narrow value that became an index.
fn is_index(inst: &Inst) -> bool {
    inst.ty == Type::I64 && matches!(inst.operation, Operation::Cast(_))
}

/// Operations that take few instructions on two halves.
fn is_of_halves(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Max, Min, Or, Sub, Xor};
    matches!(op, Add | Sub | Min | Max | And | Or | Xor)
}
