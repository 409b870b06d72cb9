//! A version for blocks whose outer loops run once: nothing is handed from one iteration to the next, so nothing is read from
//! rows or written to them.
//!
//! ```text
//! before                                          after, where the loop over t0 runs once, with t0 = 0
//!
//! a = carried r0 from 1 step ago                  a = carried r0 from 1 step ago
//! b = row k0 lane + 31, 1 iteration ago           store out[lane] = a
//! c = if lane - 1 >= 0 then a else b
//! store out[lane + 32 t0] = c
//! row k0 = a
//! ```
//!
//! A wavefront over more rows than lanes needs rows in general. Whether it does in a call depends on a size.
use crate::mapping::{Atom, Bound, PlaceForm, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{Condition, Inst, Operation, Program, Store, ValueId};
use crate::sorted;
use crate::target::tuning;

/// When the loops of all rows run once, a condition on sizes and blocks, and the program that is enough then. Its values have the
/// numbers that they have in `program`. `None` if there are no rows, or no such condition.
pub fn alone(program: &Program) -> Option<(Condition, Program)> {
    let is_short = program.values.len() <= tuning::VERSION_WITHOUT_ROWS;
    if program.target != Target::Gpu || program.rows.is_empty() || !is_short {
        return None;
    }
    let mut levels: Vec<usize> = program.rows.iter().map(|row| row.level).collect();
    sorted::sort(&mut levels);
    levels.dedup();
    let mut when = Condition::True;
    let mut alone = Program { rows: Vec::new(), ..program.clone() };
    for level in levels {
        let first = program.frame.loops[level].low.constant()?;
        when = when.and(at_most(&program.frame.loops[level].high, first + Int::from(planted(97)))?);
        alone.frame.loops[level].high = Bound::number(first);
        let fixed = |atom: &Atom| (*atom == Atom::Time(level)).then(|| PlaceForm::constant(first));
        let at = |form: &PlaceForm| form.substitute(&fixed);
        alone.values.iter_mut().for_each(|inst| inst_at(inst, &at));
        alone.stores.iter_mut().for_each(|store| store_at(store, &at));
    }
    forget_rows(&mut alone);
    (when != Condition::False).then_some((when, alone))
}

/// A condition on sizes and blocks under which a bound is at most `limit`.
fn at_most(bound: &Bound, limit: Int) -> Option<Condition> {
    match bound {
        Bound::Form(form) => {
            let is_of_block = !form.mentions(&|a| !matches!(a, Atom::Size(_) | Atom::Block(_)));
            let rest = form.scale(-1, 1).plus(limit);
            (is_of_block && form.denominator() == 1).then_some(Condition::AtLeast(rest))
        }
        Bound::Quotient(of, by) => at_most(of, limit.checked_mul(*by)?.checked_add(by - 1)?),
        Bound::Sum(terms) => match terms.as_slice() {
            [(1, of)] => at_most(of, limit),
            _ => None,
        },
        Bound::Least(a, b) => match (at_most(a, limit), at_most(b, limit)) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.or(b),
        },
        Bound::Greatest(a, b) => Some(at_most(a, limit)?.and(at_most(b, limit)?)),
    }
}

/// Replaces the forms of an instruction.
fn inst_at(inst: &mut Inst, at: &impl Fn(&PlaceForm) -> PlaceForm) {
    match &mut inst.operation {
        Operation::Index(form) => *form = at(form),
        Operation::Load { index, .. } | Operation::Face { index, .. } | Operation::Staged { cell: index, .. } => {
            index.iter_mut().for_each(|form| *form = at(form));
        }
        _ => {}
    }
    inst.each_condition(&mut |condition| *condition = condition_at(condition, at));
}

fn store_at(store: &mut Store, at: &impl Fn(&PlaceForm) -> PlaceForm) {
    store.condition = condition_at(&store.condition, at);
    store.index.iter_mut().chain(&mut store.whole).for_each(|form| *form = at(form));
}

fn condition_at(condition: &Condition, at: &impl Fn(&PlaceForm) -> PlaceForm) -> Condition {
    condition.map(&mut |one| {
        let found = match one {
            Condition::AtLeast(form) => Condition::AtLeast(at(form)),
            Condition::Zero(form) => Condition::Zero(at(form)),
            Condition::Remainder { form, modulus, is } => {
                Condition::Remainder { form: at(form), modulus: *modulus, is: *is }
            }
            other => other.clone(),
        };
        let mut is_constant = true;
        found.each_form(&mut |form| is_constant &= form.number().is_some());
        match is_constant {
            true if found.holds(&|_| 0) => Condition::True,
            true => Condition::False,
            false => found,
        }
    })
}

/// No point reads a row any more: a select between a row and something else takes the other.
fn forget_rows(program: &mut Program) {
    let mut names: Vec<ValueId> = Vec::with_capacity(program.values.len());
    for k in 0..program.values.len() {
        let inst = &mut program.values[k];
        inst.operation.each_operand(&mut |id| *id = names[id.0]);
        if matches!(inst.operation, Operation::Row { .. }) {
            inst.operation = Operation::Poison;
        }
        let is_poison = |id: &ValueId| program.values[id.0].operation == Operation::Poison;
        names.push(match &program.values[k].operation {
            Operation::Select(_, a, b) if is_poison(b) => *a,
            Operation::Select(_, a, b) if is_poison(a) => *b,
            _ => ValueId(k),
        });
    }
    program.each_use(&mut |id| *id = names[id.0]);
}
