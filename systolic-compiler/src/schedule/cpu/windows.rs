//! Windows: rows of an input that several loads share, or along which the innermost loop moves. A CPU finds and checks such a row
//! once, and loads from it without further checks.
use super::live::apart;
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Border, Int};
use crate::program::{Condition, Inst, Operation, Program, never_negative};
use crate::schedule::Schedule;
use crate::target::{cpu, gpu};

/// A window of a parameter.
#[derive(Clone, Debug)]
pub struct Window {
    /// Its number in the block, which the printer gives.
    pub number: usize,
    /// The parameter.
    pub parameter: usize,
    /// Where it begins, independent of the innermost loop.
    pub index: Vec<PlaceForm>,
    /// The distance from its first load to its last.
    pub reach: Int,
    /// The distance between adjacent lanes.
    pub step: Int,
    /// The last index of every load that it covers.
    pub serves: Vec<PlaceForm>,
    /// How its loads read what lies beyond the ends of a row.
    pub ends: Ends,
}

/// How loads read what lies beyond the ends of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// From a copy of the row in memory.
    Copied,
    /// By masks: one element lies before the row, and one after it, however far a load reaches.
    Masked,
    /// By masks, where the border gives groups of this many elements, of which at most so many are needed on each side of a row: an
    /// element before the row is the one as many groups after it as put it into the row.
    Groups { of: Int, most: Int },
    /// Nothing needs it.
    Unneeded,
}

/// Windows over the rows of these loads, whether or not several share them.
pub fn along_rows<'m>(program: &Program, loads: impl Iterator<Item = &'m Inst>) -> Vec<Window> {
    let mut found = Vec::new();
    for (parameter, index) in loads.filter_map(|inst| loaded(program, inst)) {
        note(&mut found, parameter, index, index, (0, 0));
    }
    found
}

/// Windows over the rows that several of these loads share, and over rows of arrays with a border that need no copy, except loads
/// that an open window covers.
pub fn shared_windows<'m>(
    program: &Program,
    loads: impl Iterator<Item = &'m Inst>,
    is_open: impl Fn(usize, &[PlaceForm]) -> bool,
) -> Vec<Window> {
    let closed = |(parameter, index): &(usize, &'m [PlaceForm])| !is_open(*parameter, index);
    let mut found = Vec::new();
    for (parameter, index) in loads.filter_map(|inst| loaded(program, inst)).filter(closed) {
        note(&mut found, parameter, index, index, (0, 0));
    }
    for window in &mut found {
        window.ends = ends(program, window);
    }
    found.retain(|w| w.ends != Ends::Copied || w.serves.len() > 1);
    found
}

/// How the loads of a window read what lies beyond the ends of its row.
fn ends(program: &Program, window: &Window) -> Ends {
    let operand = &program.parameters[window.parameter];
    let Some(border) = &operand.border else { return Ends::Copied };
    let beyond = if window.step == 1 { beyond(program, window) } else { None };
    if beyond == Some(0) {
        return Ends::Unneeded;
    }
    let fits = window.step == 1 && window.reach <= cpu::EDGE_REACH;
    if operand.group > 1 && border.leads_back() {
        let groups = beyond.map(|elements| (elements + operand.group - 1) / operand.group);
        let clamped = groups.filter(|_| matches!(border, Border::Clamp) && fits);
        return clamped.map_or(Ends::Copied, |most| Ends::Groups { of: operand.group, most });
    }
    let same = !border.leads_back() || matches!(border, Border::Clamp);
    if fits && (same || beyond == Some(1)) { Ends::Masked } else { Ends::Copied }
}

/// How many elements beyond the ends of its row the loads of a window need, if it is known to be 0 or 1, or a few groups.
fn beyond(program: &Program, window: &Window) -> Option<Int> {
    let (first, length) = (window.index.last()?, program.parameters[window.parameter].dims.last()?);
    let room = length.sub(first).plus(-1 - window.reach);
    let group = program.parameters[window.parameter].group;
    let groups = (1..=cpu::GROUPS_BEYOND).map(|n| n * group);
    [0].into_iter()
        .chain(groups)
        .find(|by| [first, &room].iter().all(|form| is_needed_from_0(program, &form.plus(*by))))
}

/// Whether a load at this index along the last axis of an array may need what lies before its row, and after it.
pub fn needs_beyond(program: &Program, parameter: usize, last: &PlaceForm) -> [bool; 2] {
    let Some(length) = program.parameters[parameter].dims.last() else { return [true; 2] };
    [last.clone(), length.sub(last).plus(-1)].map(|form| !is_needed_from_0(program, &form))
}

/// Whether a form is at least 0 in all lanes whose values something needs. Only known of a program in which stores are all that
/// needs them: those lanes store.
fn is_needed_from_0(program: &Program, form: &PlaceForm) -> bool {
    let stored = program.registers.is_empty() && program.rings.is_empty() && program.rows.is_empty() && apart(program);
    let stores = || program.stores.iter().all(|store| implies(&store.condition, form));
    stored && (stores() || never_negative(&program.frame, form))
}

/// Whether a form is at least 0 wherever a condition holds, by one of its comparisons.
fn implies(condition: &Condition, form: &PlaceForm) -> bool {
    match condition {
        Condition::AtLeast(known) => form.sub(known).number().is_some_and(|more| more >= 0),
        Condition::All(parts) => parts.iter().any(|part| implies(part, form)),
        _ => false,
    }
}

/// Windows for the whole innermost loop, over the rows along which it moves.
pub fn windows_along_loop(program: &Schedule) -> Vec<Window> {
    let mut found = Vec::new();
    let Some(innermost) = program.frame.loops.len().checked_sub(1) else { return found };
    let bounds = &program.frame.loops[innermost];
    let (Some(low), Some(high)) = (bounds.low.constant(), bounds.high.constant()) else { return found };
    let time = Atom::Time(innermost);
    for line in program.steps().flat_map(|step| &step.lines) {
        let Some((parameter, index)) = loaded(program, &line.inst) else { continue };
        let Some((last, rows)) = index.split_last() else { continue };
        let by = last.coefficient(&time);
        if by == 0 || rows.iter().any(|f| f.mentions(&|a| *a == time)) {
            continue;
        }
        let (Some(a), Some(b)) = (by.checked_mul(low), by.checked_mul(high)) else { continue };
        let mut start = index.to_vec();
        start[rows.len()] = last.substitute(&|a| (*a == time).then(|| PlaceForm::constant(0)));
        note(&mut found, parameter, index, &start, (a.min(b), a.max(b)));
    }
    found
}

/// The parameter and index of a load from memory whose lanes lie along a row.
fn loaded<'m>(program: &Program, inst: &'m Inst) -> Option<(usize, &'m [PlaceForm])> {
    let Operation::Load { array: array @ Array::Parameter(parameter), index } = &inst.operation else { return None };
    let (last, rows) = index.split_last()?;
    let still = |f: &PlaceForm| !f.mentions(&|a| matches!(a, Atom::Lane(_)));
    let fits = program.in_memory(*array) && index.iter().all(PlaceForm::is_plain) && rows.iter().all(still);
    let along = program.frame.lanes.len() == 1 && (0..=cpu::WINDOW_STRIDE).contains(&last.coefficient(&Atom::Lane(0)));
    (fits && along).then_some((*parameter, index))
}

/// Adds a load to a window of its row. The load reads from `start + ends.0` to `start + ends.1`.
fn note(found: &mut Vec<Window>, parameter: usize, index: &[PlaceForm], start: &[PlaceForm], ends: (Int, Int)) {
    let (Some((last, rows)), Some(load)) = (start.split_last(), index.last()) else { return };
    let step = last.coefficient(&Atom::Lane(0));
    let longest = cpu::WINDOW_ELEMENTS - (gpu::LANES - 1) * step;
    let end = rows.len();
    for window in found.iter_mut().filter(|w| w.parameter == parameter && w.index[..end] == *rows) {
        let Some(behind) = last.sub(&window.index[end]).number() else { continue };
        let (low, high) = ((behind + ends.0).min(0), (behind + ends.1).max(window.reach));
        if high - low < longest {
            window.index[end] = window.index[end].plus(low);
            window.reach = high - low;
            if !window.serves.contains(load) {
                window.serves.push(load.clone());
            }
            return;
        }
    }
    if ends.1 - ends.0 < longest {
        let mut index = start.to_vec();
        index[end] = last.plus(ends.0);
        let (reach, serves) = (ends.1 - ends.0, vec![load.clone()]);
        found.push(Window { number: 0, parameter, index, reach, step, serves, ends: Ends::Copied });
    }
}
