//! Spans: for most of the innermost loop, the elements that all its steps access are located and checked once, before the loop.
//!
//! ```text
//! before                                    after
//!
//! for t in 0..=C / 32                       t = 0
//!     find x[r, 32 t - 1..], check it       while t <= C / 32
//!     find y[r, 32 t..], check it               if t = 1 and all of x[r, 31..C] and y[r, 32..C] is there
//!     compute                                       for t in 1..=(C - 33) / 32: compute      nothing is checked
//!                                                   t = (C - 33) / 32 + 1
//!                                               else
//!                                                   find, check, compute                     edges, and all borders
//!                                                   t = t + 1
//! ```
//!
//! The loop between the edges runs the steady state of the schedule; its edges run the step of the program, which is correct at
//! all times.
//!
//! Where no step uses a value of another one, their order is free, and the edges of all rows run first, column by column. What
//! depends on the column only, such as the masks of partial vectors, is then computed once per column:
//!
//! ```text
//! for t in {0, C / 32}: for r in 0..=31: find, check, compute
//! for r in 0..=31: for t in 1..=(C - 33) / 32: compute
//! ```
use super::overlap::overlap;
use super::windows::{Window, along_rows};
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::{Array, Int};
use crate::program::{Condition, Frame, Store};
use crate::schedule::region::regions;
use crate::schedule::specialise::{Facts, specialise};
use crate::schedule::{Schedule, Section, Step, Walks};
use crate::target::{cpu, gpu};

/// The part of the innermost loop that runs along spans.
#[derive(Clone, Debug)]
pub struct Spans {
    /// Its steady step.
    pub steady: Step,
    /// Its first time.
    pub low: Bound,
    /// Its last time.
    pub high: Bound,
    /// The first and the last time of the loop around it, if the spans hold for these together.
    pub rows: Option<(Bound, Bound)>,
    /// The spans of inputs, as windows that move with the time.
    pub loads: Vec<Window>,
    /// The stores of the steady step that have spans, by position.
    pub stores: Vec<usize>,
    /// Of these, the stores to consecutive elements of each lane: lists of positions, in the order of the elements.
    pub together: Vec<Vec<usize>>,
    /// The step at all other times.
    pub others: Step,
    /// Whether all edges run before the rows, column by column.
    pub by_column: bool,
    /// How many lanes have a point from a time on, less one, if the last step of a row overlaps the one before it.
    pub last: Option<PlaceForm>,
}

impl Spans {
    /// The spans of a schedule; `None` where they do not pay.
    pub fn new(program: &Schedule, walks: &Walks) -> Option<Spans> {
        let innermost = program.frame.loops.len().checked_sub(1)?;
        let [version] = program.versions.as_slice() else { return None };
        let inner = &program.frame.loops[innermost];
        let extent = inner.low.constant().zip(inner.high.constant()).map(|(low, high)| high - low + 1);
        if program.warp_count() > 1 || extent.is_some_and(|extent| extent < cpu::STEPS_TOGETHER) {
            return None;
        }
        let steady = steady(&version.sections)?;
        let loads = along_rows(program, steady.step.lines.iter().map(|line| &line.inst));
        let of_walk = |store: &Store| walks.store(store).is_some();
        let stores = steady.step.stores.iter().enumerate();
        let stores: Vec<usize> = stores
            .filter(|(_, s)| s.into.output().is_some() && !of_walk(s) && is_along(program, s))
            .map(|(k, _)| k)
            .collect();
        if loads.is_empty() && stores.is_empty() {
            return None;
        }
        let (mut lows, mut highs) = (vec![steady.low.clone()], vec![steady.high.clone()]);
        for condition in loads.iter().flat_map(|window| inside(program, window)) {
            for region in regions(&program.frame, &condition).into_iter().filter(|region| region.holds) {
                lows.extend(region.low);
                highs.extend(region.high);
            }
        }
        let (low, high) = (Bound::greatest(lows)?, Bound::least(highs)?);
        let others = specialise(program, &Facts::new());
        let rows = rows(program, &loads)
            .filter(|_| ![&low, &high].iter().any(|bound| mentions(bound, innermost.saturating_sub(1))));
        let is_whole = program.frame.loops.iter().all(|l| l.busy.is_none());
        let by_column = is_whole && rows.is_some() && is_free(program, walks);
        let last = if by_column { overlap(program, &others, &loads, stores.len()) } else { None };
        let together = together(&steady.step, &stores);
        Some(Spans { steady: steady.step.clone(), low, high, rows, loads, stores, together, others, by_column, last })
    }
}

/// Whether no step uses a value of another one, and only a few values are computed per row.
fn is_free(program: &Schedule, walks: &Walks) -> bool {
    let apart = program.registers.is_empty() && program.rings.is_empty() && program.rows.is_empty();
    let of_row = program.values.iter().filter(|inst| inst.level + 1 == program.frame.loops.len()).count();
    apart && walks.loads.is_empty() && walks.stores.is_empty() && of_row <= cpu::HELD_VALUES
}

/// The times of the loop around the innermost one at which the rows of arrays with a border lie inside.
fn rows(program: &Schedule, loads: &[Window]) -> Option<(Bound, Bound)> {
    let outer = program.frame.loops.len().checked_sub(2)?;
    let frame = Frame { loops: program.frame.loops[..=outer].to_vec(), ..program.frame.clone() };
    let (mut lows, mut highs) = (vec![frame.loops[outer].low.clone()], vec![frame.loops[outer].high.clone()]);
    for window in loads {
        let operand = program.operand(Array::Parameter(window.parameter));
        let axes = window.index.iter().zip(&operand.dims).take(window.index.len() - 1);
        let plain = |f: &PlaceForm| f.coefficient(&Atom::Time(outer + 1)) == 0;
        for (at, length) in axes.filter(|(at, _)| operand.border.is_some() && plain(at)) {
            let inside = [Condition::AtLeast(at.clone()), Condition::AtLeast(length.sub(at).plus(-1))];
            for region in inside.iter().flat_map(|c| regions(&frame, c)).filter(|region| region.holds) {
                lows.extend(region.low);
                highs.extend(region.high);
            }
        }
    }
    Some((Bound::greatest(lows)?, Bound::least(highs)?))
}

/// Whether a bound depends on the time of a loop.
fn mentions(bound: &Bound, of: usize) -> bool {
    let mut found = false;
    bound.each_form(&mut |form| found |= form.mentions(&|a| *a == Atom::Time(of)));
    found
}

/// The section of the steady state: the one that decides most.
fn steady(sections: &[Section]) -> Option<&Section> {
    let left = |section: &&Section| {
        let conditions = section.step.stores.iter().filter(|s| s.condition != Condition::True).count();
        (section.at_edge, conditions, section.step.lines.len())
    };
    sections.iter().min_by_key(left)
}

/// Whether a store writes along a row, at a constant distance between lanes, in all lanes or in none.
fn is_along(program: &Schedule, store: &Store) -> bool {
    let Some((last, rows)) = store.index.split_last() else { return false };
    let lane = Atom::Lane(0);
    let still = rows.iter().all(|f| !f.mentions(&|a| matches!(a, Atom::Lane(_))));
    let mut alike = true;
    store.condition.each_form(&mut |f| alike &= f.is_plain() && !f.mentions(&|a| matches!(a, Atom::Lane(_))));
    let one = program.frame.lanes.len() == 1 && alike && store.whole.is_empty();
    let apart = last.coefficient(&lane);
    let near = apart == 1 || program.lane_count() == gpu::LANES && (2..=cpu::WINDOW_STRIDE).contains(&apart);
    one && still && (near || program.lane_count() == 1) && store.index.iter().all(|f| f.is_plain())
}

/// The stores along spans that together fill all elements from lane to lane, such as both parts of complex numbers.
fn together(step: &Step, stores: &[usize]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for first in stores {
        let Some((last, rows)) = step.stores[*first].index.split_last() else { continue };
        let next = |by: Int| {
            let like = |k: &&usize| {
                let (one, other) = (&step.stores[*first], &step.stores[**k]);
                let index = other.index.split_last();
                one.into == other.into
                    && one.condition == other.condition
                    && index.is_some_and(|(there, others)| others == rows && *there == last.plus(by))
            };
            stores.iter().find(like).copied()
        };
        let apart = last.coefficient(&Atom::Lane(0));
        if let Some(all) = (0..apart).map(next).collect::<Option<Vec<usize>>>()
            && apart > 1
            && !found.iter().flatten().any(|k| all.contains(k))
        {
            found.push(all);
        }
    }
    found
}

/// The comparisons that hold where a window lies inside the rows of an array with a border.
fn inside(program: &Schedule, window: &Window) -> Vec<Condition> {
    let operand = program.operand(Array::Parameter(window.parameter));
    let (Some(first), Some(length)) = (window.index.last(), operand.dims.last()) else { return Vec::new() };
    if operand.border.is_none() {
        return Vec::new();
    }
    let last: Int = window.reach + 1;
    vec![Condition::AtLeast(first.clone()), Condition::AtLeast(length.sub(first).plus(-last))]
}
