//! Which values a compiler may find to be the negative of another. ptxas 13.0 forgets the minus where such a one goes into `min`
//! or `max` of signed integers and it makes one instruction of two; there `veiled` hides it. `neg` hides its own.
use crate::model::{Array, BinaryOp, Type, UnaryOp};
use crate::program::{Inst, Operation, ValueId};
use crate::schedule::Schedule;

/// How an operand of `min` or `max` is written.
pub fn operand(program: &Schedule, id: ValueId, name: &str) -> String {
    let hidden = is_at_risk(program.values[id.0].ty) && !is_plain(program, id);
    if hidden { format!("veiled({name})") } else { name.to_string() }
}

/// What `0 - x`, `x * -1` and `-1 * x` negate: among integers that is the same.
pub fn negated(program: &Schedule, op: BinaryOp, a: ValueId, b: ValueId) -> Option<ValueId> {
    let is = |id: ValueId, number: i64| match &program.values[id.0] {
        Inst { operation: Operation::Literal(bits), ty, .. } if ty.is_integer() => {
            let ones = u64::MAX >> (64 - 8 * ty.bytes());
            bits & ones == number as u64 & ones
        }
        _ => false,
    };
    match op {
        BinaryOp::Sub if is(a, 0) => Some(b),
        BinaryOp::Mul if is(a, -1) => Some(b),
        BinaryOp::Mul if is(b, -1) => Some(a),
        _ => None,
    }
}

/// The types that are compared as `i32`.
fn is_at_risk(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32)
}

/// What is taken away from something else is no negative, as long as nothing can cancel that.
fn is_plain(program: &Schedule, id: ValueId) -> bool {
    let mut sum = Sum { program, terms: Vec::new(), numbers: 0, choices: Vec::new(), takes: false };
    sum.add(id) && sum.is_plain()
}

/// A value as terms that are added or taken away.
struct Sum<'p> {
    program: &'p Schedule,
    terms: Vec<ValueId>,
    /// How many literals are among them, and terms that may be one.
    numbers: usize,
    /// The literals that a term may be: nothing is left of a chosen 0.
    choices: Vec<u64>,
    /// Whether a term is taken away.
    takes: bool,
}

impl Sum<'_> {
    /// False where a value is made in another way.
    fn add(&mut self, id: ValueId) -> bool {
        let made = &self.program.values[id.0];
        match &made.operation {
            Operation::Literal(_) => self.numbers += 1,
            _ if self.has_no_parts(&made.operation) => self.terms.push(id),
            Operation::Binary(BinaryOp::Add, a, b) => return self.add(*a) && self.add(*b),
            Operation::Binary(BinaryOp::Sub, a, b) => {
                if !self.add(*a) {
                    return false;
                }
                let before = self.terms.len();
                let is_known = self.add(*b);
                self.takes |= self.terms.len() > before;
                return is_known;
            }
            _ => match self.choices_of(id) {
                Some(choices) => {
                    self.numbers += usize::from(!choices.is_empty());
                    self.choices.extend(choices);
                    self.terms.push(id);
                }
                None => return false,
            },
        }
        true
    }

    /// The literals that a chosen or carried value may be; none if it may be something with parts.
    fn choices_of(&self, id: ValueId) -> Option<Vec<u64>> {
        match &self.program.values[id.0].operation {
            Operation::Carried { register, .. } => self.choices_of_side(self.program.registers[register.0].value),
            Operation::Select(_, a, b) | Operation::Choose(_, a, b) => {
                Some([self.choices_of_side(*a)?, self.choices_of_side(*b)?].concat())
            }
            _ => None,
        }
    }

    /// The same of what is chosen or carried, no deeper.
    fn choices_of_side(&self, id: ValueId) -> Option<Vec<u64>> {
        let side = |id: ValueId| match &self.program.values[id.0].operation {
            Operation::Literal(bits) => Some(vec![*bits]),
            operation if self.has_no_parts(operation) => Some(Vec::new()),
            _ => None,
        };
        match &self.program.values[id.0].operation {
            Operation::Select(_, a, b) | Operation::Choose(_, a, b) => Some([side(*a)?, side(*b)?].concat()),
            _ => side(id),
        }
    }

    fn is_plain(&self) -> bool {
        let zero = self.choices.contains(&0) || (self.numbers > 1 && !self.choices.is_empty());
        let is_once = |(k, term): (usize, &ValueId)| !self.terms[..k].contains(term);
        !self.takes || (!zero && self.terms.len() > 1 && self.terms.iter().enumerate().all(is_once))
    }

    /// What comes out of memory, of another lane, or of assembly.
    fn has_no_parts(&self, operation: &Operation) -> bool {
        match operation {
            // A constant's element is a literal in the text.
            Operation::Load { array, .. } => matches!(array, Array::Parameter(_)),
            Operation::Staged { .. } | Operation::Shuffle { .. } | Operation::Rotate { .. } => true,
            Operation::Binary(BinaryOp::Min | BinaryOp::Max, ..) | Operation::Unary(UnaryOp::Neg, _) => true,
            Operation::Binary(op, a, b) => negated(self.program, *op, *a, *b).is_some(),
            _ => false,
        }
    }
}
