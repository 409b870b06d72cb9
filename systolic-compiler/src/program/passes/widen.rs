//! Neighbours in memory that one lane loads or stores in a step: where a fold puts 2 or 4 of them side by side, one wide
//! access serves all. Each keeps its own condition: where they differ, the access is made one by one.
use super::super::{Condition, Frame, Line, Operation, Piece, Program, Step, Store, Wide};
use super::imply::without_implied;
use crate::mapping::{Index, Target};
use crate::model::{Array, Int};
use crate::planted::planted;
use std::collections::BTreeMap;

/// Elements of a wide access, the widest first.
const WIDTHS: [usize; 2] = [4, 2];
/// Bytes that one access takes at most.
const WIDEST: usize = 16;

/// On a CPU lanes are neighbours, not registers.
pub fn widen(program: &mut Program) {
    if program.target != Target::Gpu {
        return;
    }
    let mut pieces = std::mem::take(&mut program.pieces);
    for Piece { step, .. } in &mut pieces {
        let load = |n: &usize| loaded(&step.lines[*n]);
        let back = |n: &usize| led_back(program, &step.lines[*n]);
        step.wide_loads = together(&program.frame, groups(&loads(program, step)), load, back);
        let store = |n: &usize| step.stores[*n].condition.clone();
        step.wide_stores = together(&program.frame, groups(&stores(program, step)), store, |_| Vec::new());
    }
    program.pieces = pieces;
}

/// Groups as they are accessed; neighbours differ on the last axis alone, so the first says where a border leads back.
fn together(
    frame: &Frame,
    groups: Vec<Vec<usize>>,
    wanted: impl Fn(&usize) -> Condition,
    back: impl Fn(&usize) -> Vec<usize>,
) -> Vec<Wide> {
    let wide = |members: Vec<usize>| {
        let when = without_implied(frame, &Condition::all(members.iter().map(&wanted)));
        let back = members.first().map(&back).unwrap_or_default();
        Wide { members, when, back }
    };
    groups.into_iter().map(wide).collect()
}

/// Where an element is loaded and lies inside its row: along a row, borders that lead back do so one by one.
fn loaded(line: &Line) -> Condition {
    let needed = line.made.needed.clone();
    match line.made.inside.last() {
        Some(inside) if !planted(47) => needed.and(inside.clone()),
        _ => needed,
    }
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
        let Some((last, outer)) = access.index.split_last() else { continue };
        let mut key = outer.to_vec();
        key.push(last.plus(-last.offset()));
        rows.entry((access.array, key)).or_default().insert(last.offset(), access);
    }
    let mut found = Vec::new();
    for ((_, key), row) in &rows {
        let Some(last) = key.last() else { continue };
        let mut taken = Vec::new();
        for width in WIDTHS {
            for (from, access) in row {
                let all: Option<Vec<usize>> =
                    (0..width as Int).map(|k| row.get(&(from + k)).map(|a| a.number)).collect();
                let fits = access.bytes * width <= WIDEST && lies_so(last, *from, width as Int);
                if let Some(all) = all.filter(|all| fits && all.iter().all(|n| !taken.contains(n))) {
                    taken.extend(&all);
                    found.push(all);
                }
            }
        }
    }
    found
}

/// Whether the first is a whole number of them from the start of a row, in every lane.
fn lies_so(last: &Index, from: Int, width: Int) -> bool {
    last.denominator() == 1 && last.terms().all(|(_, c)| c % width == 0) && from % width == 0
}
