//! Vectorised accesses: where a lane accesses neighbours of a row in one step, up to 16 bytes together, one wide access replaces them.
//!
//! ```text
//! before                                    after
//!
//! a = load x[4 lane + 0]                    a, b, c, d = load x[4 lane + 0 ..= 4 lane + 3], one access
//! b = load x[4 lane + 1]
//! c = load x[4 lane + 2]
//! d = load x[4 lane + 3]
//! ```
//!
//! The launch guarantees that rows begin and end at multiples of a wide access, so that an element which is loaded with a needed
//! neighbour is memory of the array, even if it is no element of it. Rows of faces are made that way. A wide store may also
//! write past the end of its row. Where the conditions of the elements differ in another way, they are stored one by one. Only
//! for a GPU; on a CPU the lanes are the neighbours.
use super::whole_rows;
use crate::mapping::{PlaceForm, Target};
use crate::model::{Array, Int};
use crate::optimise::{any_of, given, in_common, without_implied};
use crate::planted::planted;
use crate::program::{
    Condition, FaceId, Frame, Into, Operation, Program, Store, ValueId, WIDTHS, row_of, starts_at_multiple,
};
use crate::schedule::{Line, Past, Step, Version, Wide};
use crate::sorted::SortedMap;
use crate::target::GPU;
use std::collections::HashSet;

/// Finds the wide accesses of every step.
pub fn vectorise(program: &Program, versions: &mut [Version]) {
    if program.target != Target::Gpu {
        return;
    }
    let first = versions.first().and_then(|version| version.sections.first());
    let within = first.map(|section| whole_rows::always_needed(&section.step.lines)).unwrap_or_default();
    for Version { when, sections } in versions {
        for step in sections.iter_mut().map(|section| &mut section.step) {
            let loads = groups(&loads(program, step));
            let load = |members: Vec<usize>| {
                let together = mapped_together(program, when, step, &members, &within);
                together.unwrap_or_else(|| loaded(program, step, members))
            };
            step.wide_loads = loads.into_iter().map(load).collect();
            let stores = groups(&stores(program, step));
            step.wide_stores = stores.into_iter().map(|members| stored(program, step, members)).collect();
        }
    }
}

/// A wide store: where one element is stored, if the others are too or lie after the end of the row; else where all are.
fn stored(program: &Program, step: &Step, members: Vec<usize>) -> Wide {
    let stores: Vec<&Store> = members.iter().map(|n| &step.stores[*n]).collect();
    let accesses: Vec<Guarded<'_>> =
        stores.iter().map(|s| Guarded { condition: &s.condition, index: &s.index }).collect();
    let (common, rests) = in_common(of_first(&accesses));
    let end = program.end(stores[0].into);
    let to_the_end = |(store, rest): (&&Store, &Condition)| match (end, store.index.last()) {
        (Some(end), Some(last)) => *rest == Condition::AtLeast(end.sub(last).plus(-1)) || planted(55),
        _ => false,
    };
    let (when, guard) =
        if rests.iter().all(|rest| *rest == Condition::True) || stores.iter().zip(&rests).all(to_the_end) {
            (Condition::True, common.and(rests[0].clone()))
        } else {
            let all = Condition::all(stores.iter().map(|s| s.condition.clone()));
            (without_implied(&program.frame, &all), Condition::True)
        };
    Wide { members, when, guard, back: Vec::new(), past: Past::default() }
}

/// A wide load from an array whose rows are a whole number of accesses, so that its border maps all neighbours together: they are
/// always loaded together. Loading too much here is fine where the interior version needs these elements anyway.
fn mapped_together(
    program: &Program,
    version: &Condition,
    step: &Step,
    members: &[usize],
    within: &HashSet<ValueId>,
) -> Option<Wide> {
    let lines: Vec<&Line> = members.iter().map(|n| &step.lines[*n]).collect();
    let past = whole_rows::past(program, version, &lines)?;
    let last = lines.first().and_then(|line| line.inst.inside.len().checked_sub(1))?;
    let mut back = applied_axes(program, lines[0]);
    back.extend(lines.iter().any(|line| line.inst.leads_back(last)).then_some(last));
    let everywhere = lines.iter().all(|line| within.contains(&line.id));
    let guard = if everywhere { Condition::True } else { any_needed(&program.frame, &lines) };
    Some(Wide { when: Condition::True, guard, members: members.to_vec(), back, past })
}

/// A wide load where one element is needed and all lie inside their row: along a row, borders map elements one by one. Neighbours
/// differ on the last axis only, so the first one says where a border applies along the others.
fn loaded(program: &Program, step: &Step, members: Vec<usize>) -> Wide {
    let lines: Vec<&Line> = members.iter().map(|n| &step.lines[*n]).collect();
    let inside = lines.iter().filter_map(|line| line.inst.inside.last().filter(|_| !planted(47)).cloned());
    let when = without_implied(&program.frame, &Condition::all(inside));
    let back = lines.first().map(|line| applied_axes(program, line)).unwrap_or_default();
    let guard = given(&program.frame, &any_needed(&program.frame, &lines), &when);
    Wide { when, guard, members, back, past: Past::default() }
}

/// Where at least one of some neighbours is needed.
fn any_needed(frame: &Frame, lines: &[&Line]) -> Condition {
    let accesses = lines.iter().filter_map(|line| match &line.inst.operation {
        Operation::Load { index, .. } | Operation::Face { index, .. } => {
            Some(Guarded { condition: &line.inst.needed, index })
        }
        _ => None,
    });
    let (common, rests) = in_common(of_first(&accesses.collect::<Vec<_>>()));
    if planted(54) {
        return common.and(rests[0].clone());
    }
    common.and(any_of(frame, rests))
}

/// An element and when it is accessed.
struct Guarded<'s> {
    condition: &'s Condition,
    index: &'s [PlaceForm],
}

/// The conditions of neighbours. The index of the first is a multiple of their number, so that a comparison of any of them with
/// another multiple has the same value for all; it is written as a comparison of the first.
fn of_first(accesses: &[Guarded<'_>]) -> Vec<Condition> {
    let count = accesses.len() as Int;
    let Some(first) = accesses.first().and_then(|w| w.index.last()) else { return Vec::new() };
    let compared = |part: &Condition, own: &PlaceForm| match part {
        Condition::AtLeast(form) => {
            let beyond = form.sub(own).number().filter(|beyond| beyond % count == 0 && form.denominator() == 1);
            beyond.map(|beyond| Condition::AtLeast(first.plus(beyond)))
        }
        _ => None,
    };
    let one = |w: &Guarded<'_>| {
        let own = w.index.last().unwrap_or(first);
        w.condition.map(&mut |part| compared(part, own).unwrap_or_else(|| part.clone()))
    };
    accesses.iter().map(one).collect()
}

/// The axes, except the last, along which the border of a load applies.
fn applied_axes(program: &Program, line: &Line) -> Vec<usize> {
    match &line.inst.operation {
        Operation::Load { array, index } if !program.guards(*array) && !planted(53) => {
            (0..index.len() - 1).filter(|axis| line.inst.leads_back(*axis)).collect()
        }
        _ => Vec::new(),
    }
}

/// What is accessed: an input or output by its number, or a face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Memory {
    Array(usize),
    Face(FaceId),
}

/// A load or store: its position among those of the step, what it accesses, its size and its index.
struct Access<'s> {
    number: usize,
    memory: Memory,
    bytes: usize,
    index: &'s [PlaceForm],
}

fn loads<'s>(program: &Program, step: &'s Step) -> Vec<Access<'s>> {
    let load = |(number, line): (usize, &'s Line)| match &line.inst.operation {
        Operation::Load { array: array @ Array::Parameter(k), index } if program.in_memory(*array) => {
            Some(Access { number, memory: Memory::Array(*k), bytes: line.inst.ty.bytes(), index })
        }
        Operation::Face { face, index } => {
            Some(Access { number, memory: Memory::Face(*face), bytes: line.inst.ty.bytes(), index })
        }
        _ => None,
    };
    step.lines.iter().enumerate().filter_map(load).collect()
}

fn stores<'s>(program: &Program, step: &'s Step) -> Vec<Access<'s>> {
    let store = |(number, s): (usize, &'s Store)| {
        let bytes = program.values[s.value.0].ty.bytes();
        let memory = match s.into {
            Into::Output(k) => Memory::Array(k),
            Into::Face(face) => Memory::Face(face),
        };
        Access { number, memory, bytes, index: &s.index }
    };
    step.stores.iter().enumerate().map(store).collect()
}

/// The groups of accesses to neighbours, by their positions in the order of memory.
fn groups(accesses: &[Access<'_>]) -> Vec<Vec<usize>> {
    let mut rows: SortedMap<(Memory, Vec<PlaceForm>), SortedMap<Int, &Access<'_>>> = SortedMap::new();
    for access in accesses {
        let Some(last) = access.index.last() else { continue };
        rows.or_default((access.memory, row_of(access.index))).insert(last.offset(), access);
    }
    let mut found = Vec::new();
    for ((_, key), row) in rows.iter() {
        let Some(last) = key.last() else { continue };
        let mut taken = Vec::new();
        for width in WIDTHS {
            for (from, access) in row.iter() {
                let all: Option<Vec<usize>> =
                    (0..width as Int).map(|k| row.get(&(from + k)).map(|a| a.number)).collect();
                let fits = access.bytes * width <= GPU.access_bytes && starts_at_multiple(last, *from, width as Int);
                if let Some(all) = all.filter(|all| fits && all.iter().all(|n| !taken.contains(n))) {
                    taken.extend(&all);
                    found.push(all);
                }
            }
        }
    }
    found
}
