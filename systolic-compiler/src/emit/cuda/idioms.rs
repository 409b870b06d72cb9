//! Where a value is written in a form that nvcc and ptxas compile to fewer or cheaper instructions. None changes a bit.
//!
//! ```text
//! plain                              written
//!
//! max(a * b, y)                      max(veiled(a * b), y)             around a bug of ptxas: see `minus`
//! eq(x, y), of bytes, x before       extended_3 = extended(x)          else nvcc clears the upper bits of x in every step
//!     the loop                       eq(extended_3, i32(y))
//! add(a, c ? x : y)                  add_either(a, c, x, y)            a predicated addition in place of a select: the
//!                                                                      pipeline that selects is the busier one
//! ```
use super::body::Body;
use super::minus;
use crate::model::{BinaryOp, Int, Kernel, Type};
use crate::program::{Inst, Operation, Shared, Table, ValueId};
use crate::schedule::{Schedule, Step};

/// Which form every value has, and which tables are read from shared memory.
pub struct Idioms {
    /// Whether `min` and `max` take it by `veiled`.
    pub veiled: Vec<bool>,
    /// Whether it is compared in the innermost loop, computed before it, and narrower than a register.
    pub extended: Vec<bool>,
    /// Whether it has exactly one use.
    is_used_once: Vec<bool>,
    /// The tables in shared memory, each with its offset.
    pub tables: Vec<(Table, Int)>,
}

impl Idioms {
    pub fn of(kernel: &Kernel, program: &Schedule) -> Idioms {
        let innermost = program.frame.loops.len();
        let mut extended = vec![false; program.values.len()];
        let is_compared = |inst: &Inst| matches!(inst.operation, Operation::Compare(..)) && inst.level == innermost;
        for (k, inst) in program.values.iter().enumerate() {
            if program.differs(ValueId(k)) || !is_compared(inst) {
                continue;
            }
            for id in inst.operation.operands() {
                let value = &program.values[id.0];
                let is_literal = matches!(value.operation, Operation::Literal(_));
                extended[id.0] |= is_narrow(value.ty) && value.level < innermost && !is_literal;
            }
        }
        let is_used_once = program.uses().into_iter().map(|count| count == 1).collect();
        let tables = Shared::of(program).tables;
        let veiled = minus::veiled(kernel, program, &tables);
        Idioms { veiled, extended, is_used_once, tables }
    }
}

fn is_narrow(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::U8 | Type::I16 | Type::U16)
}

impl Body<'_> {
    /// An operand of `min` or `max`.
    pub fn extreme_operand(&self, id: ValueId) -> String {
        let name = self.names.value(id);
        if self.idioms.veiled[id.0] { format!("veiled({name})") } else { name.to_string() }
    }

    /// The declaration of the extended form of a value that is computed before the innermost loop.
    pub fn extension(&self, id: ValueId) -> Option<String> {
        let name = self.names.value(id);
        self.idioms.extended[id.0].then(|| format!("const i32 {} = extended({name});", extended_name(id)))
    }

    /// The operands of a comparison. If one of them has an extended form, both are compared in that.
    pub fn compared(&self, operands: [ValueId; 2]) -> [String; 2] {
        let is_extended = |id: &ValueId| self.idioms.extended[id.0];
        if !operands.iter().any(is_extended) {
            return operands.map(|id| self.names.value(id).to_string());
        }
        operands.map(|id| if is_extended(&id) { extended_name(id) } else { format!("i32({})", self.names.value(id)) })
    }

    /// The sum of a value and a chosen one, if that is all this line is.
    pub fn sum_with_either(&self, step: &Step, inst: &Inst) -> Option<String> {
        let Operation::Binary(BinaryOp::Add, a, b) = inst.operation else { return None };
        if !matches!(inst.ty, Type::I32 | Type::U32) {
            return None;
        }
        let chosen = |id: ValueId| -> Option<&Operation> {
            let line = step.line(id)?;
            self.idioms.is_used_once[id.0].then_some(&line.inst.operation)
        };
        let name = |id: &ValueId| self.names.value(*id);
        [(a, b), (b, a)].iter().find_map(|(other, id)| match chosen(*id)? {
            Operation::Choose(which, x, y) => {
                Some(format!("add_either({}, {}, {}, {})", name(other), name(which), name(x), name(y)))
            }
            _ => None,
        })
    }
}

fn extended_name(id: ValueId) -> String {
    format!("extended_{}", id.0)
}
