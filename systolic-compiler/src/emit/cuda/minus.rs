//! Works around a bug of ptxas 13.0 for sm_90 and sm_100: when it turns `max(max(a, -b), c)` of signed integers into one
//! instruction, it drops the minus; the same with `min`. So no operand may be a negative that ptxas can recognise.
//!
//! ```text
//! before              after
//!
//! max(0 - x, y)       max(neg(x), y)          an explicit negative: `neg` hides it from ptxas
//! max(a * b, y)       max(veiled(a * b), y)   may be a negative
//! max(x - y, z)       max(x - y, z)           no negative: x is not 0
//! ```
//!
//! A value is a sum of terms that are added or subtracted; a term is what a compiler cannot see into. The sum is a negative if
//! nothing that is added remains: a select may take a literal instead, or terms may cancel each other. `veiled` costs an
//! instruction, so what is known of every sum decides, on the safe side.
use crate::model::{Array, BinaryOp, Border, Int, Kernel, Type, UnaryOp};
use crate::program::{Inst, Operation, Table, ValueId};
use crate::schedule::Schedule;
use crate::sorted::SortedSet;
use crate::target::effort::TERMS;

/// For every value, whether `min` and `max` must take it by `veiled`.
pub fn veiled(kernel: &Kernel, program: &Schedule, tables: &[(Table, Int)]) -> Vec<bool> {
    let sums = sums(kernel, program, tables);
    let is_at_risk = |ty: Type| matches!(ty, Type::I8 | Type::I16 | Type::I32);
    program.values.iter().zip(&sums).map(|(inst, sum)| is_at_risk(inst.ty) && sum.may_be_negative()).collect()
}

/// The value `x` of `0 - x`, `x * -1` and `-1 * x`. Of integers all three are the negative of `x`.
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

/// A value as a sum. Where it is one of several sums, that of any of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    /// The terms that may be added and subtracted.
    added: Terms,
    subtracted: Terms,
    /// How many literals it has at most. Two may cancel each other.
    numbers: u8,
    /// Whether it may have no term that is added, and whether it may have no literal but 0 either.
    may_lack_terms: bool,
    may_be_zero: bool,
}

/// Terms by their numbers, or more than are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Terms {
    Of(SortedSet<usize>),
    Many,
}

/// What is known of every value.
fn sums(kernel: &Kernel, program: &Schedule, tables: &[(Table, Int)]) -> Vec<Sum> {
    let is_hidden = |inst: &Inst| is_hidden(kernel, program, tables, &inst.operation);
    let hidden: Vec<bool> = program.values.iter().map(is_hidden).collect();
    let wild = settled(program, |program, wild, k| is_wild(program, &hidden, wild, k));
    settled(program, |program, sums, k| sum(program, &hidden, &wild, sums, k))
}

/// A fact about every value. Carried registers lead back to later values, so all facts are computed again until none changes. That
/// ends, because a fact only grows when those that it follows from have grown.
fn settled<F: Clone + Default + PartialEq>(program: &Schedule, fact: impl Fn(&Schedule, &[F], usize) -> F) -> Vec<F> {
    let mut facts = vec![F::default(); program.values.len()];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for k in 0..facts.len() {
            let found = fact(program, &facts, k);
            has_changed |= found != facts[k];
            facts[k] = found;
        }
    }
    facts
}

/// Whether nothing is known about the sign of a value.
fn is_wild(program: &Schedule, hidden: &[bool], wild: &[bool], k: usize) -> bool {
    let inst = &program.values[k];
    match &inst.operation {
        Operation::Binary(BinaryOp::Min | BinaryOp::Max, a, b)
        | Operation::Select(_, a, b)
        | Operation::Choose(_, a, b) => wild[a.0] && wild[b.0],
        _ if hidden[k] => inst.ty.is_signed(),
        Operation::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => wild[a.0] || wild[b.0],
        Operation::Carried { register, .. } => wild[program.registers[register.0].value.0],
        _ => false,
    }
}

fn sum(program: &Schedule, hidden: &[bool], wild: &[bool], sums: &[Sum], k: usize) -> Sum {
    let of = |id: &ValueId| &sums[id.0];
    match &program.values[k].operation {
        Operation::Literal(bits) => Sum::literal(*bits == 0),
        // What lies outside a row or a ring is 0.
        Operation::Row { .. } | Operation::Ring { .. } | Operation::Poison => Sum::term(k).or(&Sum::literal(true)),
        Operation::Lookup { .. } if !hidden[k] => Sum::term(k).or(&Sum::literal(true)),
        Operation::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => {
            // It is a constant if both sides are, or if one is and the sign of the other is known.
            let keeps = |a: &ValueId, b: &ValueId| !of(a).may_vanish() && (wild[a.0] || !of(b).may_vanish());
            if keeps(a, b) || keeps(b, a) { Sum::term(k) } else { Sum::term(k).or(&Sum::literal(true)) }
        }
        _ if hidden[k] => Sum::term(k),
        Operation::Binary(BinaryOp::Add, a, b) => of(a).plus(of(b)),
        Operation::Binary(BinaryOp::Sub, a, b) => of(a).minus(of(b)),
        Operation::Select(_, a, b) | Operation::Choose(_, a, b) => of(a).or(of(b)),
        Operation::Carried { register, .. } => of(&program.registers[register.0].value).clone(),
        _ => Sum::unknown(),
    }
}

/// Whether a compiler cannot see how the value was computed: it comes from memory, from another lane, or from inline assembly.
fn is_hidden(kernel: &Kernel, program: &Schedule, tables: &[(Table, Int)], operation: &Operation) -> bool {
    match operation {
        // An element of a constant may be emitted as a literal.
        Operation::Load { array, .. } => matches!(array, Array::Parameter(_)),
        // Shared memory holds what lies outside, too.
        Operation::Lookup { array, .. } if tables.iter().any(|(table, _)| table.array == *array) => true,
        // Where the border gives a number instead of an element, it may be a literal.
        Operation::Lookup { array: array @ Array::Parameter(_), .. } => {
            kernel.border(*array).is_none_or(Border::leads_back)
        }
        Operation::Staged { .. } | Operation::Shuffle { .. } | Operation::Rotate { .. } | Operation::Face { .. } => {
            true
        }
        Operation::Unary(UnaryOp::Neg, _) => true,
        Operation::Binary(op, a, b) => negated(program, *op, *a, *b).is_some(),
        _ => false,
    }
}

impl Sum {
    /// A literal, which is 0 or not.
    fn literal(is_zero: bool) -> Sum {
        Sum { numbers: 1, may_lack_terms: true, may_be_zero: is_zero, ..Sum::default() }
    }

    /// A value that a compiler cannot see into.
    fn term(k: usize) -> Sum {
        Sum { added: Terms::Of([k].into()), ..Sum::default() }
    }

    fn unknown() -> Sum {
        let (added, subtracted) = (Terms::Many, Terms::Many);
        Sum { added, subtracted, numbers: 2, may_lack_terms: true, may_be_zero: true }
    }

    fn plus(&self, other: &Sum) -> Sum {
        Sum {
            added: self.added.or(&other.added),
            subtracted: self.subtracted.or(&other.subtracted),
            numbers: (self.numbers + other.numbers).min(2),
            may_lack_terms: self.may_lack_terms && other.may_lack_terms,
            may_be_zero: self.may_be_zero && other.may_be_zero,
        }
    }

    /// What is left of `self` after `other` has been subtracted. A term that `other` subtracts may be there or not.
    fn minus(&self, other: &Sum) -> Sum {
        let negative = Sum {
            added: other.subtracted.clone(),
            subtracted: other.added.clone(),
            may_lack_terms: true,
            may_be_zero: true,
            ..*other
        };
        self.plus(&negative)
    }

    /// One of two sums.
    fn or(&self, other: &Sum) -> Sum {
        Sum {
            added: self.added.or(&other.added),
            subtracted: self.subtracted.or(&other.subtracted),
            numbers: self.numbers.max(other.numbers),
            may_lack_terms: self.may_lack_terms || other.may_lack_terms,
            may_be_zero: self.may_be_zero || other.may_be_zero,
        }
    }

    /// Whether nothing that is added may remain.
    fn may_vanish(&self) -> bool {
        let has_number = !self.may_be_zero && self.numbers < 2;
        (self.may_lack_terms && !has_number) || self.added.meet(&self.subtracted)
    }

    /// Whether it may be the negative of a value.
    fn may_be_negative(&self) -> bool {
        self.subtracted != Terms::default() && self.may_vanish()
    }
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::Of(SortedSet::new())
    }
}

impl Terms {
    fn or(&self, other: &Terms) -> Terms {
        let (Terms::Of(a), Terms::Of(b)) = (self, other) else { return Terms::Many };
        let mut both = a.clone();
        both.extend(b.iter().copied());
        if both.len() <= TERMS { Terms::Of(both) } else { Terms::Many }
    }

    fn meet(&self, other: &Terms) -> bool {
        match (self, other) {
            (Terms::Of(a), Terms::Of(b)) => !a.is_disjoint(b),
            (a, b) => *a != Terms::default() && *b != Terms::default(),
        }
    }
}
