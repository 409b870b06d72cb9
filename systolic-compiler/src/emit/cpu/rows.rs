//! Scratch rows: values of earlier iterations of an outer loop. The innermost loop walks along a part of a row, whose place is found
//! before that loop: `let r0 = m0.part(…)` there, and `r0.get(simd, t1 - low1)` inside.
use super::super::literal;
use super::super::names::ours;
use super::value::Values;
use crate::model::Int;
use crate::program::Row;
use crate::schedule::Near;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The cells of a row that one run of the innermost loop accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// A row whose value lies there.
    row: usize,
    /// How many iterations of the row's loop ago the values were written.
    laps: Int,
    /// How many iterations of each loop between that one and the innermost.
    outer: Vec<Int>,
}

impl Values<'_> {
    /// The memory in which a value of a row lies, and its cell there; a cell that does not exist outside of the row. By the coordinates of
    /// the step, not of the point.
    pub fn row_cell(&mut self, row: usize, laps: Int, inner: &[Int], warps: Int) -> (Ident, TokenStream) {
        match inner.split_last() {
            // With one warp, cells of other warps do not exist.
            Some((back, outer)) if !self.many && warps == 0 => {
                let part = Part { row: self.plan.rows[row], laps, outer: outer.to_vec() };
                let number = self.parts.iter().position(|known| *known == part).unwrap_or_else(|| {
                    self.parts.push(part);
                    self.parts.len() - 1
                });
                let innermost = self.program.frame.loops.len() - 1;
                let (t, low, back) = (ours("t", innermost), ours("low", innermost), literal::number(*back));
                (ours("r", number), quote!(#t - #back - #low))
            }
            _ => (ours("m", self.plan.rows[row]), self.far_cell(row, laps, inner, warps)),
        }
    }

    /// A value of a row at a distance in elements.
    pub fn near(&mut self, near: &Near) -> TokenStream {
        let (row, cell) = self.row_cell(near.row, near.laps, &vec![0; near.loops], 0);
        let back = literal::number(near.back);
        quote!(#row.near::<S, { #back }>(simd, #cell))
    }

    /// Declares the parts of rows, before the innermost loop.
    pub fn parts_of_rows(&self) -> TokenStream {
        let innermost = self.program.frame.loops.len().saturating_sub(1);
        let each = self.parts.iter().enumerate().map(|(number, part)| {
            let (name, row, cpu) = (ours("r", number), ours("m", part.row), self.cpu());
            let (inside, index) = self.place(part.row, part.laps, &part.outer);
            let (low, high) = (ours("low", innermost), ours("high", innermost));
            quote!(let #name = {
                let count = #cpu::not_negative(#high - #low + 1);
                #row.part(if true #inside { #index * count } else { -1 }, count)
            };)
        });
        each.collect()
    }

    /// The cell of a row that belongs to a warp; −1 outside of the row.
    fn far_cell(&self, row: usize, laps: Int, inner: &[Int], warps: Int) -> TokenStream {
        let (count, warps, (inside, index)) = (self.warps(), literal::number(warps), self.place(row, laps, inner));
        quote!({
            let from = warp - #warps;
            if (from as u64) < #count #inside { #index * #count + from } else { -1 }
        })
    }

    /// Whether the iterations before those of the step are in the row, as `&& …`, and their number in the order of time.
    fn place(&self, row: usize, laps: Int, inner: &[Int]) -> (TokenStream, TokenStream) {
        let level = self.program.rows[row].level;
        let (cpu, slots) = (self.cpu(), self.slots(row));
        let (time, laps) = (ours("t", level), literal::number(laps));
        let mut inside = TokenStream::new();
        let mut index = quote!((#time - #laps).rem_euclid(#slots));
        for (k, back) in (level + 1..self.program.frame.loops.len()).zip(inner) {
            let (t, low, high, back) = (ours("t", k), ours("low", k), ours("high", k), literal::number(*back));
            inside.extend(quote!(&& #cpu::is_between(#t - #back, #low, #high)));
            index = quote!((#index * (#high - #low + 1) + (#t - #back - #low)));
        }
        (inside, index)
    }

    /// The number of cells of a row.
    pub fn row_cells(&self, row: usize) -> TokenStream {
        let level = self.program.rows[row].level;
        let (slots, count) = (self.slots(row), self.warps());
        let mut cells = quote!(#slots * #count);
        for k in level + 1..self.program.frame.loops.len() {
            let (low, high) = (ours("low", k), ours("high", k));
            cells.extend(quote!(* (#high - #low + 1).max(0)));
        }
        cells
    }

    /// The slots of a row: the most of all rows that share its cells. Of a long row no more than its loop has iterations: these lie
    /// in different slots whatever they are counted from.
    fn slots(&self, row: usize) -> TokenStream {
        let rows = self.plan.rows.iter().zip(&self.program.rows);
        let shared = || rows.clone().filter(|(holder, _)| **holder == self.plan.rows[row]).map(|(_, r)| r);
        let slots = literal::number(shared().map(Row::slots).max().unwrap_or(1));
        let loops = self.program.frame.loops.len();
        if !shared().any(|r| r.is_long(loops)) {
            return slots;
        }
        let (low, high, cpu) =
            (ours("low", self.program.rows[row].level), ours("high", self.program.rows[row].level), self.cpu());
        quote!(#cpu::slots(#slots, #low, #high))
    }
}
