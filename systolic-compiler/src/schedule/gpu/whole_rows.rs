//! Whole rows: where the length of a row is a multiple of a wide access, neighbours lie inside or outside together, and a border
//! that maps indices back maps all of them at once. Boundary blocks then load as interior blocks do, without a test per lane.
use crate::mapping::PlaceForm;
use crate::model::{Array, Border, Int};
use crate::optimise::implied;
use crate::planted::planted;
use crate::program::{Condition, Operation, Program, ValueId, never_negative, widest};
use crate::schedule::{Line, Past};
use crate::sorted::SortedMap;
use std::collections::HashSet;

/// The condition under which the rows are whole whose neighbours may lie outside; `None` where a version for it does not pay. In a
/// loop a test per load is little code; an unrolled program repeats it at every load.
pub fn condition(program: &Program) -> Option<Condition> {
    if !program.frame.loops.is_empty() {
        return None;
    }
    let mut found: SortedMap<PlaceForm, Int> = SortedMap::new();
    for inst in &program.values {
        let Operation::Load { array, index } = &inst.operation else { continue };
        let (Some(length), Some(last)) = (row(program, *array), index.last()) else { continue };
        if inst.inside.last().is_some_and(|inside| *inside != Condition::True)
            && let Some(count) = widest(inst.ty.bytes(), last)
        {
            let most = found.or_insert(length.clone(), count);
            *most = count.max(*most);
        }
    }
    let whole = found.into_iter().filter(|(length, _)| length.number().is_none());
    let all = Condition::all(whole.map(|(form, modulus)| Condition::Remainder { form, modulus, is: 0 }));
    (all != Condition::True).then_some(all)
}

/// Whether a version requires that rows are whole.
pub fn is_required(when: &Condition) -> bool {
    let mut asked = false;
    when.each(&mut |c| asked |= matches!(c, Condition::Remainder { .. }));
    asked
}

/// On which sides of their row neighbours may lie whose border maps them together, in blocks of a version; `None` where the border
/// maps each on its own.
pub fn past(program: &Program, when: &Condition, lines: &[&Line]) -> Option<Past> {
    let (Some(first), Some(last)) = (index(lines.first()?), index(lines.last()?)) else { return None };
    let (array, from) = first;
    let length = row(program, array)?;
    let count = lines.len() as Int;
    let mut is_whole = planted(57);
    when.each(&mut |c| {
        is_whole |=
            matches!(c, Condition::Remainder { form, modulus, is: 0 } if form == length && modulus % count == 0);
    });
    // Their indices start at a multiple of their number: none lies before the row unless the last does, and none after it unless
    // the first does.
    let may_lie_past = |inside: &PlaceForm| {
        let frame = &program.frame;
        let holds = Condition::AtLeast(inside.clone());
        !never_negative(frame, inside) && !lines.iter().all(|l| implied(frame, &l.inst.needed, &holds)) && !planted(56)
    };
    let before = may_lie_past(last.1);
    let after = may_lie_past(&length.sub(from).plus(-1));
    is_whole.then_some(Past { before, after })
}

/// The values that every lane needs at all times.
pub fn always_needed(lines: &[Line]) -> HashSet<ValueId> {
    lines.iter().filter(|l| l.inst.needed == Condition::True).map(|l| l.id).collect()
}

fn index<'l>(line: &&'l Line) -> Option<(Array, &'l PlaceForm)> {
    match &line.inst.operation {
        Operation::Load { array, index } => Some((*array, index.last()?)),
        _ => None,
    }
}

/// The length of the rows of an array whose border maps neighbours together where rows are whole.
fn row(program: &Program, array: Array) -> Option<&PlaceForm> {
    let operand = program.operand(array);
    let together = match operand.border {
        // Of merged axes, `clamp` repeats the last elements, as many as a group has.
        Some(Border::Clamp) => operand.in_memory && operand.group == 1,
        Some(Border::Wrap) => operand.in_memory,
        _ => false,
    };
    operand.dims.last().filter(|_| together)
}
