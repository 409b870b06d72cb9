//! Reorders the operands of nested `min` or `max` of integers, and removes those that cannot matter.
//!
//! ```text
//! before                       after
//!
//! v3: i32 = 0                  v3: i32 = 0
//! v4: i32 = max v3 v0          v4: i32 = max v0 v1
//! v5: i32 = max v4 v1          v5: i32 = add v2 v2
//! v6: i32 = add v2 v2          v6: i32 = max v4 v5
//! v7: i32 = max v5 v6          v7: i32 = max v6 v3
//! v8: i32 = max v7 v3          (v7, as it is at least 0)
//! ```
//!
//! The order decides which instructions ptxas can merge: it takes three operands in one instruction, with 0 as a fourth if that
//! comes last; and a sum that comes late is added by the other pipeline. The result has the same bits in any order, because
//! there are no NaNs among integers. Values that outer loops leave alone come first, so that they can be merged before the loop.
use crate::mapping::Target;
use crate::model::BinaryOp;
use crate::planted::planted;
use crate::program::{Inst, Operation, Program, ValueId, literal};
use crate::sorted;
use crate::target::tuning;

/// Reorders all trees of `min` and `max`.
pub fn extremes(program: &mut Program) {
    let trees = Trees::of(program);
    let mut values: Vec<Inst> = Vec::with_capacity(program.values.len());
    // The new number of every value. Nothing reads the inner nodes of a tree that is replaced.
    let mut names: Vec<ValueId> = Vec::with_capacity(program.values.len());
    let roots = (0..program.values.len()).map(|k| (!trees.is_inner[k]).then_some(k));
    let replaced: Vec<_> = roots.map(|root| trees.replacement(program, root?)).collect();
    let dropped = trees.dropped(program, &replaced);
    for k in 0..program.values.len() {
        let mut inst = program.values[k].clone();
        if let Some(leaves) = &replaced[k] {
            let leaves: Vec<ValueId> = leaves.iter().map(|id| names[id.0]).collect();
            names.push(chain(&mut values, inst, &leaves));
            continue;
        }
        if !dropped[k] {
            inst.operation.each_operand(&mut |id| *id = names[id.0]);
            values.push(inst);
        }
        names.push(ValueId(values.len().saturating_sub(1)));
    }
    program.values = values;
    program.each_use(&mut |id| *id = names[id.0]);
}

/// Appends the operation of a tree's root over all leaves, from the left. Returns the number of the result.
fn chain(values: &mut Vec<Inst>, root: Inst, leaves: &[ValueId]) -> ValueId {
    let Operation::Binary(op, ..) = root.operation else { return leaves[0] };
    let mut result = leaves[0];
    for (k, leaf) in leaves.iter().enumerate().skip(1) {
        let level = values[result.0].level.max(values[leaf.0].level);
        let name = root.name.clone().filter(|_| k + 1 == leaves.len());
        values.push(Inst { operation: Operation::Binary(op, result, *leaf), level, name, ..root.clone() });
        result = ValueId(values.len() - 1);
    }
    result
}

/// The trees of nested `min` or `max`: which nodes have a parent of the same kind and no other use.
struct Trees {
    is_inner: Vec<bool>,
    /// A bound of every integer that its own operations imply: the least value it may have, and the greatest.
    bounds: Vec<(i128, i128)>,
}

impl Trees {
    fn of(program: &Program) -> Trees {
        let uses = program.uses();
        let mut is_inner = vec![false; program.values.len()];
        for inst in &program.values {
            let Some((op, a, b)) = extreme(inst) else { continue };
            for id in [a, b] {
                let is_same = extreme(&program.values[id.0]).is_some_and(|(inner, ..)| inner == op);
                is_inner[id.0] |= is_same && uses[id.0] == 1;
            }
        }
        let mut bounds = Vec::with_capacity(program.values.len());
        for inst in &program.values {
            bounds.push(bound(inst, &bounds));
        }
        Trees { is_inner, bounds }
    }

    /// The operands of a root, from the left.
    fn leaves(&self, program: &Program, root: usize) -> Vec<ValueId> {
        let mut leaves = Vec::new();
        let mut open = vec![ValueId(root)];
        while let Some(id) = open.pop() {
            match extreme(&program.values[id.0]) {
                Some((_, a, b)) if id.0 == root || self.is_inner[id.0] => open.extend([b, a]),
                _ => leaves.push(id),
            }
        }
        leaves
    }

    /// The operands of a root in their new order. `None` if it is no root, or if nothing changes.
    fn replacement(&self, program: &Program, root: usize) -> Option<Vec<ValueId>> {
        let (op, ..) = extreme(&program.values[root])?;
        let old = Some(self.leaves(program, root)).filter(|old| old.len() <= tuning::REORDERED_OPERANDS)?;
        let mut leaves: Vec<ValueId> = Vec::new();
        for id in &old {
            let is_twice = leaves.contains(id);
            if !is_twice && !self.is_implied(program, op, *id, &old) {
                leaves.push(*id);
            }
        }
        let of = |id: &ValueId| &program.values[id.0];
        sorted::sort_by_key(&mut leaves, |id| match (&of(id).operation, program.target) {
            (Operation::Literal(_), Target::Gpu) => (usize::MAX, true),
            (Operation::Binary(BinaryOp::Add | BinaryOp::Sub, ..), Target::Gpu) => (of(id).level, true),
            _ => (of(id).level, false),
        });
        (leaves != old).then_some(leaves)
    }

    /// Whether a literal among the operands cannot be the result, because another operand is always as extreme.
    fn is_implied(&self, program: &Program, op: BinaryOp, id: ValueId, all: &[ValueId]) -> bool {
        let Operation::Literal(_) = program.values[id.0].operation else { return false };
        let (number, _) = self.bounds[id.0];
        let is_as_extreme = |other: &ValueId| {
            let (least, greatest) = self.bounds[other.0];
            let is_literal = matches!(program.values[other.0].operation, Operation::Literal(_));
            let covers = planted(98) || if op == BinaryOp::Max { least >= number } else { greatest <= number };
            // Of two equal literals one has to stay.
            covers && (!is_literal || least != number)
        };
        all.iter().any(|other| *other != id && is_as_extreme(other))
    }

    /// The inner nodes of the trees that are replaced.
    fn dropped(&self, program: &Program, replaced: &[Option<Vec<ValueId>>]) -> Vec<bool> {
        let mut dropped = vec![false; replaced.len()];
        for k in (0..replaced.len()).rev() {
            let Some((_, a, b)) = extreme(&program.values[k]) else { continue };
            if replaced[k].is_some() || dropped[k] {
                for id in [a, b] {
                    dropped[id.0] |= self.is_inner[id.0];
                }
            }
        }
        dropped
    }
}

const UNBOUNDED: (i128, i128) = (i128::MIN, i128::MAX);

/// The operands of a `min` or `max` of integers.
fn extreme(inst: &Inst) -> Option<(BinaryOp, ValueId, ValueId)> {
    match inst.operation {
        Operation::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) if inst.ty.is_integer() => Some((op, a, b)),
        _ => None,
    }
}

/// The least and the greatest value that an instruction may have, from the bounds of its operands.
fn bound(inst: &Inst, bounds: &[(i128, i128)]) -> (i128, i128) {
    let of = |id: &ValueId| bounds[id.0];
    match &inst.operation {
        Operation::Literal(bits) => literal(inst.ty, *bits).integer().map_or(UNBOUNDED, |number| (number, number)),
        Operation::Binary(BinaryOp::Max, a, b) => (of(a).0.max(of(b).0), of(a).1.max(of(b).1)),
        Operation::Binary(BinaryOp::Min, a, b) => (of(a).0.min(of(b).0), of(a).1.min(of(b).1)),
        Operation::Select(_, a, b) | Operation::Choose(_, a, b) => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
        _ => UNBOUNDED,
    }
}
