//! Rows that are a whole number of wide accesses: there neighbours lie inside or outside together, and a border that leads back
//! does so for all of them at once. Blocks at edges then load as others do, without a test for every lane.
use super::super::{Condition, Line, Operation, Past, Program, ValueId};
use super::imply::implied;
use super::least::never_negative;
use super::widen::widest;
use crate::mapping::Index;
use crate::model::{Array, Border, Int};
use crate::planted::planted;
use std::collections::{BTreeMap, HashSet};

/// When the rows are whole in which neighbours may lie outside; `None` where no version is worth it. In a loop a test is little
/// text; where steps are written out it stands at every one of them.
pub fn rows(program: &Program) -> Option<Condition> {
    if !program.frame.loops.is_empty() {
        return None;
    }
    let mut found: BTreeMap<Index, Int> = BTreeMap::new();
    for made in &program.values {
        let Operation::Load { array, index } = &made.operation else { continue };
        let (Some(length), Some(last)) = (row(program, *array), index.last()) else { continue };
        if made.inside.last().is_some_and(|inside| *inside != Condition::True)
            && let Some(count) = widest(made.ty.bytes(), last)
        {
            let most = found.entry(length.clone()).or_insert(count);
            *most = count.max(*most);
        }
    }
    let whole = found.into_iter().filter(|(length, _)| length.number().is_none());
    let all = Condition::all(whole.map(|(form, modulus)| Condition::Remainder { form, modulus, is: 0 }));
    (all != Condition::True).then_some(all)
}

/// Whether a version asks that rows are whole.
pub fn is_asked(when: &Condition) -> bool {
    let mut asked = false;
    when.each(&mut |c| asked |= matches!(c, Condition::Remainder { .. }));
    asked
}

/// Where neighbours may lie that their border leads back together, in blocks of a version; `None` where each goes its own way.
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
    // As multiples of their number: none is before the row unless the last is, none behind it unless the first is.
    let is_needed_past = |inside: &Index| {
        let frame = &program.frame;
        let holds = Condition::AtLeast(inside.clone());
        !never_negative(frame, inside) && !lines.iter().all(|l| implied(frame, &l.made.needed, &holds)) && !planted(56)
    };
    let before = is_needed_past(last.1);
    let behind = is_needed_past(&length.sub(from).plus(-1));
    is_whole.then_some(Past { before, behind })
}

/// What a version farther from edges needs everywhere: elsewhere it may be loaded where nothing needs it.
pub fn needed_within(lines: &[Line]) -> HashSet<ValueId> {
    lines.iter().filter(|l| l.made.needed == Condition::True).map(|l| l.id).collect()
}

fn index<'l>(line: &&'l Line) -> Option<(Array, &'l Index)> {
    match &line.made.operation {
        Operation::Load { array, index } => Some((*array, index.last()?)),
        _ => None,
    }
}

/// The length of the rows of an array whose border leads neighbours back together.
fn row(program: &Program, array: Array) -> Option<&Index> {
    let operand = program.operand(array);
    let together = matches!(operand.border, Some(Border::Clamp | Border::Wrap)) && operand.in_memory;
    operand.dims.last().filter(|_| together)
}
