//! Windows: rows of inputs that several loads share, or along which the innermost loop moves. Each is located and checked
//! once.
use super::super::literal::number;
use super::super::names::ours;
use super::place::{Split, Tables, shared};
use super::value::{Values, access};
use crate::mapping::{Atom, Index};
use crate::model::{Array, Int};
use crate::program::{Inst, Operation};
use crate::schedule::Schedule;
use crate::target::{cpu, gpu};
use proc_macro2::TokenStream;
use quote::quote;

/// A window of a parameter.
#[derive(Clone, Debug)]
pub struct Window {
    number: usize,
    parameter: usize,
    /// Where it begins, independent of the innermost loop.
    index: Vec<Index>,
    /// The distance from its first load to its last.
    reach: Int,
    /// The distance between adjacent lanes.
    step: Int,
    /// The last index of every load that it covers.
    serves: Vec<Index>,
}

/// The windows of a block.
#[derive(Default)]
pub struct Windows {
    /// The windows that loads can use now.
    open: Vec<Window>,
    /// A buffer declaration for each window so far.
    rooms: TokenStream,
    made: usize,
    /// An upper bound on the bytes of all buffers.
    pub bytes: usize,
}

impl Windows {
    /// Opens windows and numbers them.
    fn open(&mut self, found: Vec<Window>) -> Vec<Window> {
        let numbered = found.into_iter().map(|w| {
            self.made += 1;
            Window { number: self.made - 1, ..w }
        });
        let opened: Vec<Window> = numbered.collect();
        self.open.extend(opened.iter().cloned());
        opened
    }

    /// Closes the last `count` windows.
    pub fn close(&mut self, count: usize) {
        self.open.truncate(self.open.len() - count);
    }

    /// The buffers of all windows, to be declared before the loops.
    pub fn rooms(&self) -> &TokenStream {
        &self.rooms
    }

    /// The open window that covers a load.
    fn of(&self, parameter: usize, index: &[Index]) -> Option<&Window> {
        let (last, rows) = index.split_last()?;
        let serves =
            |w: &&Window| w.parameter == parameter && w.index[..rows.len()] == *rows && w.serves.contains(last);
        self.open.iter().find(serves)
    }
}

impl Values<'_> {
    /// A load from the window that covers it.
    pub fn by_window(&mut self, parameter: usize, index: &[Index]) -> Option<TokenStream> {
        let window = self.windows.of(parameter, index)?;
        let (last, name) = (index.last()?, ours("a", window.number));
        let at = shared(&last.sub(window.index.last()?));
        let Split::Plain { table, .. } = self.tables.split(last) else { return None };
        let (cpu, line, table) = (self.cpu(), self.tables.line(table), Tables::name(table));
        Some(match line {
            Some((0, 0)) => quote!(#cpu::within_same(simd, #name, #at)),
            Some((1, 0)) => quote!(#cpu::within_row(simd, #name, #at)),
            _ => quote!(#cpu::within(simd, #name, #at, #table)),
        })
    }

    /// Opens windows for values that are computed together, over rows that several loads share. Returns code and their number.
    pub fn share(&mut self, wanted: &[(usize, &Inst)]) -> (TokenStream, usize) {
        if self.many {
            return (TokenStream::new(), 0);
        }
        let mut found = Vec::new();
        for made in wanted.iter().map(|(_, made)| *made) {
            let Some((parameter, index)) = loaded(self.program, made) else { continue };
            if self.windows.of(parameter, index).is_none() {
                note(&mut found, parameter, index, index, (0, 0));
            }
        }
        found.retain(|w| w.serves.len() > 1);
        self.declare(found)
    }

    /// Opens windows for the whole innermost loop, over rows along which it moves.
    pub fn along(&mut self) -> TokenStream {
        let program = self.program;
        let Some(innermost) = program.frame.loops.len().checked_sub(1).filter(|_| !self.many) else {
            return TokenStream::new();
        };
        let bounds = &program.frame.loops[innermost];
        let (Some(low), Some(high)) = (bounds.low.constant(), bounds.high.constant()) else {
            return TokenStream::new();
        };
        let time = Atom::Time(innermost);
        let mut found = Vec::new();
        for line in program.steps().flat_map(|step| &step.lines) {
            let Some((parameter, index)) = loaded(program, &line.inst) else { continue };
            let Some((last, rows)) = index.split_last() else { continue };
            let by = last.coefficient(&time);
            if by == 0 || rows.iter().any(|f| f.mentions(&|a| *a == time)) {
                continue;
            }
            let (Some(a), Some(b)) = (by.checked_mul(low), by.checked_mul(high)) else { continue };
            let mut start = index.to_vec();
            start[rows.len()] = last.substitute(&|a| (*a == time).then(|| Index::constant(0)));
            note(&mut found, parameter, index, &start, (a.min(b), a.max(b)));
        }
        self.declare(found).0
    }

    fn declare(&mut self, found: Vec<Window>) -> (TokenStream, usize) {
        let opened = self.windows.open(found);
        let mut code = TokenStream::new();
        for window in &opened {
            let (name, room) = (ours("a", window.number), ours("room", window.number));
            let (cpu, parameter) = (self.cpu(), ours("p", window.parameter));
            let length = (gpu::LANES - 1) * window.step + window.reach + 1;
            self.windows.bytes += 8 * usize::try_from(length).unwrap_or(0);
            let length = number(length);
            self.windows.rooms.extend(quote!(let mut #room = #cpu::Room::<_, #length>::new();));
            let (at, lanes) = access(window.index.iter().map(|f| self.tables.split(f)).collect());
            code.extend(quote!(let #name = self.#parameter.window(simd, #at, #lanes, &mut #room);));
        }
        (code, opened.len())
    }
}

/// The parameter and index of a load from memory whose lanes lie along a row.
fn loaded<'m>(program: &Schedule, made: &'m Inst) -> Option<(usize, &'m [Index])> {
    let Operation::Load { array: array @ Array::Parameter(parameter), index } = &made.operation else { return None };
    let (last, rows) = index.split_last()?;
    let still = |f: &Index| !f.mentions(&|a| matches!(a, Atom::Lane(_)));
    let fits = program.in_memory(*array) && index.iter().all(Index::is_plain) && rows.iter().all(still);
    let along = program.frame.lanes.len() == 1 && (0..=cpu::WINDOW_STRIDE).contains(&last.coefficient(&Atom::Lane(0)));
    (fits && along).then_some((*parameter, index))
}

/// Adds a load to a window of its row. The load reads from `start + ends.0` to `start + ends.1`.
fn note(found: &mut Vec<Window>, parameter: usize, index: &[Index], start: &[Index], ends: (Int, Int)) {
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
        found.push(Window { number: 0, parameter, index, reach: ends.1 - ends.0, step, serves: vec![load.clone()] });
    }
}
