//! Windows: rows of inputs that several loads share, or along which the innermost loop moves. Each is located and checked
//! once.
use super::super::literal::number;
use super::super::names::ours;
use super::place::{Split, Tables, shared};
use super::value::{Values, access};
use crate::mapping::PlaceForm;
use crate::program::Inst;
use crate::schedule::{Window, shared_windows, windows_along_loop};
use crate::target::gpu;
use proc_macro2::TokenStream;
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
    pub fn share(&mut self, insts: &[(usize, &Inst)]) -> (TokenStream, usize) {
        if self.many {
            return (TokenStream::new(), 0);
        }
        let is_open = |parameter, index: &[PlaceForm]| self.windows.of(parameter, index).is_some();
        let found = shared_windows(self.program, insts.iter().map(|(_, inst)| *inst), is_open);
        self.declare(found)
    }

    /// Opens windows for the whole innermost loop, over rows along which it moves.
    pub fn along(&mut self) -> TokenStream {
        let found = if self.many { Vec::new() } else { windows_along_loop(self.program) };
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
