//! Neighbours in memory that one lane loads or stores in a step: where a fold puts 2 or 4 of them side by side, one wide
//! access serves all. Rows begin and end where such an access does, so that what is loaded with a wanted neighbour is memory of
//! the array, be it an element or not. What is stored may be followed by what lies behind its row's end; where conditions differ in
//! another way it is stored one by one.
use super::super::{Condition, Frame, Line, Operation, Past, Piece, Program, Step, Store, ValueId, Wide};
use super::imply::{any_of, given, in_common, without_implied};
use super::whole;
use crate::mapping::{Index, Target};
use crate::model::{Array, Int};
use crate::planted::planted;
use crate::target::GPU;
use std::collections::{BTreeMap, HashSet};

/// Elements of a wide access, the widest first.
const WIDTHS: [usize; 2] = [4, 2];

/// On a CPU lanes are neighbours, not registers.
pub fn widen(program: &mut Program) {
    if program.target != Target::Gpu {
        return;
    }
    let mut pieces = std::mem::take(&mut program.pieces);
    let within = pieces.first().map(|p| whole::needed_within(&p.step.lines)).unwrap_or_default();
    for Piece { step, when, .. } in &mut pieces {
        let loads = groups(&loads(program, step));
        let load = |members: Vec<usize>| {
            let together = led_together(program, when, step, &members, &within);
            together.unwrap_or_else(|| loaded(program, step, members))
        };
        step.wide_loads = loads.into_iter().map(load).collect();
        let stores = groups(&stores(program, step));
        step.wide_stores = stores.into_iter().map(|members| stored(program, step, members)).collect();
    }
    program.pieces = pieces;
}

/// Where one is stored, if the others are too or lie behind the end of the row; else where all are.
fn stored(program: &Program, step: &Step, members: Vec<usize>) -> Wide {
    let stores: Vec<&Store> = members.iter().map(|n| &step.stores[*n]).collect();
    let wanted: Vec<Wanted<'_>> = stores.iter().map(|s| Wanted { condition: &s.condition, index: &s.index }).collect();
    let (common, rests) = in_common(of_first(&wanted));
    let end = program.ends[stores[0].output].as_ref();
    let to_the_end = |(store, rest): (&&Store, &Condition)| match (end, store.index.last()) {
        (Some(end), Some(last)) => *rest == Condition::AtLeast(end.sub(last).plus(-1)) || planted(55),
        _ => false,
    };
    let (when, wanted) =
        if rests.iter().all(|rest| *rest == Condition::True) || stores.iter().zip(&rests).all(to_the_end) {
            (Condition::True, common.and(rests[0].clone()))
        } else {
            let all = Condition::all(stores.iter().map(|s| s.condition.clone()));
            (without_implied(&program.frame, &all), Condition::True)
        };
    Wide { members, when, wanted, back: Vec::new(), past: Past::default() }
}

/// Where rows are whole, and a border leads back for all neighbours at once: always together. Where a version farther from edges
/// needs them everywhere it matters little if here some are loaded that nothing needs.
fn led_together(
    program: &Program,
    version: &Condition,
    step: &Step,
    members: &[usize],
    within: &HashSet<ValueId>,
) -> Option<Wide> {
    let lines: Vec<&Line> = members.iter().map(|n| &step.lines[*n]).collect();
    let past = whole::past(program, version, &lines)?;
    let last = lines.first().and_then(|line| line.made.inside.len().checked_sub(1))?;
    let mut back = led_back(program, lines[0]);
    back.extend(lines.iter().any(|line| line.made.leads_back(last)).then_some(last));
    let everywhere = lines.iter().all(|line| within.contains(&line.id));
    let wanted = if everywhere { Condition::True } else { any_needed(&program.frame, &lines) };
    Some(Wide { when: Condition::True, wanted, members: members.to_vec(), back, past })
}

/// Where one is needed; where all lie inside their row: along a row, borders that lead back do so one by one. Neighbours differ
/// on the last axis alone, so the first says where a border leads back along the others.
fn loaded(program: &Program, step: &Step, members: Vec<usize>) -> Wide {
    let lines: Vec<&Line> = members.iter().map(|n| &step.lines[*n]).collect();
    let inside = lines.iter().filter_map(|line| line.made.inside.last().filter(|_| !planted(47)).cloned());
    let when = without_implied(&program.frame, &Condition::all(inside));
    let back = lines.first().map(|line| led_back(program, line)).unwrap_or_default();
    let wanted = given(&program.frame, &any_needed(&program.frame, &lines), &when);
    Wide { when, wanted, members, back, past: Past::default() }
}

/// Where one of some neighbours is needed.
fn any_needed(frame: &Frame, lines: &[&Line]) -> Condition {
    let wanted = lines.iter().filter_map(|line| match &line.made.operation {
        Operation::Load { index, .. } => Some(Wanted { condition: &line.made.needed, index }),
        _ => None,
    });
    let (common, rests) = in_common(of_first(&wanted.collect::<Vec<_>>()));
    if planted(54) {
        return common.and(rests[0].clone());
    }
    common.and(any_of(frame, rests))
}

/// When an element is accessed.
struct Wanted<'s> {
    condition: &'s Condition,
    index: &'s [Index],
}

/// The conditions of neighbours. The first is a multiple of their number: a comparison with another multiple says the same of all
/// of them, and is written as one of the first.
fn of_first(wanted: &[Wanted<'_>]) -> Vec<Condition> {
    let count = wanted.len() as Int;
    let Some(first) = wanted.first().and_then(|w| w.index.last()) else { return Vec::new() };
    let compared = |part: &Condition, own: &Index| match part {
        Condition::AtLeast(form) => {
            let beyond = form.sub(own).number().filter(|beyond| beyond % count == 0 && form.denominator() == 1);
            beyond.map(|beyond| Condition::AtLeast(first.plus(beyond)))
        }
        _ => None,
    };
    let one = |w: &Wanted<'_>| {
        let own = w.index.last().unwrap_or(first);
        w.condition.map(&mut |part| compared(part, own).unwrap_or_else(|| part.clone()))
    };
    wanted.iter().map(one).collect()
}

/// The axes but the last along which the border of a load leads back.
fn led_back(program: &Program, line: &Line) -> Vec<usize> {
    match &line.made.operation {
        Operation::Load { array, index } if !program.guards(*array) && !planted(53) => {
            (0..index.len() - 1).filter(|axis| line.made.leads_back(*axis)).collect()
        }
        _ => Vec::new(),
    }
}

/// An access: what it is among its kind, its array, its size and its index.
struct Access<'s> {
    number: usize,
    array: usize,
    bytes: usize,
    index: &'s [Index],
}

fn loads<'s>(program: &Program, step: &'s Step) -> Vec<Access<'s>> {
    let load = |(number, line): (usize, &'s Line)| match &line.made.operation {
        Operation::Load { array: array @ Array::Parameter(k), index } if program.in_memory(*array) => {
            Some(Access { number, array: *k, bytes: line.made.ty.bytes(), index })
        }
        _ => None,
    };
    step.lines.iter().enumerate().filter_map(load).collect()
}

fn stores<'s>(program: &Program, step: &'s Step) -> Vec<Access<'s>> {
    let store = |(number, s): (usize, &'s Store)| {
        let bytes = program.values[s.value.0].ty.bytes();
        Access { number, array: s.output, bytes, index: &s.index }
    };
    step.stores.iter().enumerate().map(store).collect()
}

/// Numbers of accesses to neighbours, in order of memory.
fn groups(accesses: &[Access<'_>]) -> Vec<Vec<usize>> {
    let mut rows: BTreeMap<(usize, Vec<Index>), BTreeMap<Int, &Access<'_>>> = BTreeMap::new();
    for access in accesses {
        let Some(last) = access.index.last() else { continue };
        rows.entry((access.array, row_of(access.index))).or_default().insert(last.offset(), access);
    }
    let mut found = Vec::new();
    for ((_, key), row) in &rows {
        let Some(last) = key.last() else { continue };
        let mut taken = Vec::new();
        for width in WIDTHS {
            for (from, access) in row {
                let all: Option<Vec<usize>> =
                    (0..width as Int).map(|k| row.get(&(from + k)).map(|a| a.number)).collect();
                let fits = access.bytes * width <= GPU.access_bytes && lies_so(last, *from, width as Int);
                if let Some(all) = all.filter(|all| fits && all.iter().all(|n| !taken.contains(n))) {
                    taken.extend(&all);
                    found.push(all);
                }
            }
        }
    }
    found
}

/// An index without the constant of its last axis: what neighbours in a row share.
pub fn row_of(index: &[Index]) -> Vec<Index> {
    let mut row = index.to_vec();
    if let Some(last) = row.last_mut() {
        *last = last.plus(-last.offset());
    }
    row
}

/// How many elements an access takes at most, where a lane's lie so; `None` where that is one.
pub fn widest(bytes: usize, last: &Index) -> Option<Int> {
    WIDTHS.into_iter().filter(|n| bytes * n <= GPU.access_bytes).map(|n| n as Int).find(|n| lies_so(last, 0, *n))
}

/// Whether the first is a whole number of them from the start of a row, in every lane.
fn lies_so(last: &Index, from: Int, width: Int) -> bool {
    last.denominator() == 1 && last.terms().all(|(_, c)| c % width == 0) && from % width == 0
}
