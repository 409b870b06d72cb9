//! Windows: rows of inputs that several loads share, or along which the innermost loop moves. Each is located and checked
//! once.
use super::super::literal::number;
use super::super::names::ours;
use super::place::{Split, Tables, shared};
use super::value::{Values, access};
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Border, Int};
use crate::program::Inst;
use crate::schedule::{Ends, Spans, Window, needs_beyond, shared_windows, windows_along_loop};
use crate::target::{cpu, gpu};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The windows of a block.
#[derive(Default)]
pub struct Windows {
    /// The windows that loads can use now.
    open: Vec<Window>,
    /// A buffer declaration for each window so far.
    rooms: TokenStream,
    opened: usize,
    /// An upper bound on the bytes of all buffers.
    pub bytes: usize,
}

impl Windows {
    /// Opens windows and numbers them.
    fn open(&mut self, found: Vec<Window>) -> Vec<Window> {
        let numbered = found.into_iter().map(|w| {
            self.opened += 1;
            Window { number: self.opened - 1, ..w }
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
    fn of(&self, parameter: usize, index: &[PlaceForm]) -> Option<&Window> {
        let (last, rows) = index.split_last()?;
        let serves =
            |w: &&Window| w.parameter == parameter && w.index[..rows.len()] == *rows && w.serves.contains(last);
        self.open.iter().find(serves)
    }
}

impl Values<'_> {
    /// A load from the window that covers it.
    pub fn by_window(&mut self, parameter: usize, index: &[PlaceForm]) -> Option<TokenStream> {
        let window = self.windows.of(parameter, index)?;
        let (last, window) = (index.last()?, window.clone());
        let (name, at) = (ours("a", window.number), shared(&last.sub(window.index.last()?)));
        let Split::Plain { table, .. } = self.tables.split(last) else { return None };
        let fixed = last.sub(window.index.last()?).number();
        let (line, table) = (self.tables.line(table), Tables::name(table));
        let cpu = self.cpu();
        if let Ends::Groups { of, most } = window.ends {
            let [of, most] = [of, most].map(number);
            return Some(quote!(#cpu::within_groups::<S, _, #of, #most>(simd, &#name, #at)));
        }
        Some(match line {
            _ if window.ends == Ends::Masked => {
                let [before, after] = needs_beyond(self.program, parameter, last);
                quote!(#cpu::within_edge::<S, _, #before, #after>(simd, &#name, #at))
            }
            Some((0, 0)) => quote!(#cpu::within_same(simd, #name, #at)),
            Some((1, 0)) => quote!(#cpu::within_row(simd, #name, #at)),
            // The loads of all phases of a stride share registers, if the window has whole strides.
            Some((step @ 2..=cpu::WINDOW_STRIDE, 0)) if fixed.is_some_and(|at| is_whole(&window, at)) => {
                let at = fixed.unwrap_or_default();
                let [from, phase, step] = [at - at % step, at % step, step].map(number);
                quote!(#cpu::within_phase::<S, _, #step, #phase>(simd, #name, #from))
            }
            _ => quote!(#cpu::within(simd, #name, #at, #table)),
        })
    }

    /// Opens windows for values that are computed together, over rows that several loads share. Returns code and their number.
    pub fn share(&mut self, insts: &[(usize, &Inst)]) -> (TokenStream, usize) {
        if self.many {
            return (TokenStream::new(), 0);
        }
        let is_open = |parameter, index: &[PlaceForm]| self.windows.of(parameter, index).is_some();
        let insts = insts.iter().map(|(_, inst)| *inst);
        let shared = shared_windows(self.program, insts, is_open);
        self.declare(shared)
    }

    /// Opens windows for the whole innermost loop, over rows along which it moves.
    pub fn along(&mut self) -> TokenStream {
        let found = if self.many { Vec::new() } else { windows_along_loop(self.program) };
        self.declare(found).0
    }

    /// Opens the windows of spans. Returns the spans with their constructors, the code that takes their parts in a step, and the
    /// number of windows.
    pub fn along_spans(&mut self, spans: &Spans) -> (Vec<(Ident, TokenStream)>, TokenStream, usize) {
        let opened = self.windows.open(spans.loads.clone());
        let (mut made, mut parts) = (Vec::new(), TokenStream::new());
        for window in &opened {
            let (name, span, parameter) =
                (ours("a", window.number), ours("span", window.number), ours("p", window.parameter));
            let length = number((gpu::LANES - 1) * window.step + window.reach + 1);
            let by = self.per_step(&window.index, spans.rows.is_some());
            let (at, lanes) = access(window.index.iter().map(|f| self.tables.split(f)).collect());
            let inner = self.is_inner(Array::Parameter(window.parameter));
            let constructor = if inner { quote!(span_inner) } else { quote!(span) };
            let more = self.more();
            made.push((
                span.clone(),
                quote!(self.#parameter.#constructor::<S, #length>(simd, #at, #lanes, #by, count, #more)),
            ));
            let line = ours("line", made.len() - 1);
            parts.extend(quote!(let #name = #line.part(i);));
        }
        (made, parts, opened.len())
    }

    /// How far an index moves per iteration of the loop around the innermost one, and of the innermost, per axis.
    pub fn per_step(&self, index: &[PlaceForm], rows: bool) -> TokenStream {
        let inner = self.program.frame.loops.len().saturating_sub(1);
        let by = index.iter().map(|f| {
            let step = number(f.coefficient(&Atom::Time(inner)));
            let outer = inner.checked_sub(1).filter(|_| rows).map_or(0, |outer| f.coefficient(&Atom::Time(outer)));
            let row = number(outer);
            quote!([#row, #step])
        });
        quote!([#(#by),*])
    }

    fn declare(&mut self, found: Vec<Window>) -> (TokenStream, usize) {
        let opened = self.windows.open(found);
        let mut code = TokenStream::new();
        for window in &opened {
            let (name, room) = (ours("a", window.number), ours("room", window.number));
            let (cpu, parameter) = (self.cpu(), ours("p", window.parameter));
            if matches!(window.ends, Ends::Masked | Ends::Groups { .. }) {
                let (at, _) = access(window.index.iter().map(|f| self.tables.split(f)).collect());
                let border = &self.program.parameters[window.parameter].border;
                let back = border.as_ref().is_some_and(Border::leads_back);
                code.extend(quote!(let #name = self.#parameter.edge::<S, #back>(simd, #at);));
                continue;
            }
            let length = (gpu::LANES - 1) * window.step + window.reach + 1;
            self.windows.bytes += 8 * usize::try_from(length).unwrap_or(0);
            let length = number(length);
            self.windows.rooms.extend(quote!(let mut #room = #cpu::Room::<_, #length>::new();));
            let (at, lanes) = access(window.index.iter().map(|f| self.tables.split(f)).collect());
            let inner = self.is_inner(Array::Parameter(window.parameter));
            let window = match window.ends {
                Ends::Unneeded => quote!(window_between),
                _ if inner => quote!(window_inner),
                _ => quote!(window),
            };
            code.extend(quote!(let #name = self.#parameter.#window(simd, #at, #lanes, &mut #room);));
        }
        (code, opened.len())
    }
}

/// Whether a window holds whole strides around the elements at a distance from its first one.
fn is_whole(window: &Window, at: Int) -> bool {
    at >= 0 && at - at % window.step + window.step <= window.reach + 1
}
