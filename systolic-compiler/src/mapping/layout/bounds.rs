//! The bounds of the loops of a program and of its grid of blocks.
//!
//! A time row is a sum of leaf loops, so its bounds are the sums of theirs. They are the same for all lanes and warps of a
//! block, and may therefore include times at which some lanes have no point:
//!
//! ```text
//! row t = q + i    with q in 0 ..= 2 and i in 0 ..= N - 1    runs over 0 ..= N + 1
//! row t = q - i                                              runs over 1 - N ..= 2
//! ```
use super::super::bound::Bound;
use super::super::place_form::{Atom, PlaceForm};
use super::intervals::Known;
use super::{Layout, TimeLoop};
use crate::model::Int;
use crate::planted::planted;

/// Σ c · bound.
type Terms = Vec<(Int, Bound)>;

impl Layout<'_> {
    /// The range of a loop of the program, if it is constant. Only then can delays in steps be counted across it.
    pub fn constant_range(&self, number: usize) -> Option<(Int, Int)> {
        match self.loops[number] {
            TimeLoop::Fold => Some((0, self.mapping.fold - 1)),
            TimeLoop::Row(row) => self.ranges[row],
        }
    }

    /// The bounds of a loop of the program, inclusive, the same for all lanes and warps of a block. If delays are counted
    /// across it (`counted`) and its range is constant, it runs over that whole range.
    pub fn loop_bounds(&self, number: usize, counted: bool) -> (Bound, Bound) {
        let TimeLoop::Row(row) = self.loops[number] else {
            return (Bound::number(0), Bound::number(self.mapping.fold - 1));
        };
        if let (Some((low, high)), true) = (self.constant_range(number), counted && !planted(43)) {
            return (Bound::number(low), Bound::number(high));
        }
        let (low, mut high) = self.row_bounds(row, Known::Block);
        if planted(21) {
            high.push((-1, Bound::number(1)));
        }
        (Bound::sum(low), Bound::sum(high))
    }

    /// The bounds of a loop of the program while the loops around it stand at their times; `None` if these do not limit it further.
    /// `counted` is as for `loop_bounds`: delays are counted in iterations that all run.
    ///
    /// ```text
    /// for i in 0..N, j in 0..i + 1, tile i by 32 as (ib, il), rows (ib, il + j)
    ///
    /// time1 = il + j    in a block: 0 ..= N + 30    at time0 = ib: 0 ..= min(N - 1, 32 time0 + 31) + 31
    /// ```
    pub fn busy(&self, number: usize, counted: bool) -> Option<(Bound, Bound)> {
        let TimeLoop::Row(row) = self.loops[number] else { return None };
        // In a box only the last tile of a loop is shorter, which is not worth other bounds.
        if self.kernel.is_box() || counted && self.constant_range(number).is_some() {
            return None;
        }
        let (low, mut high) = self.row_bounds(row, Known::Times(number));
        if planted(105) {
            high.push((-1, Bound::number(1)));
        }
        let busy = (Bound::sum(low), Bound::sum(high));
        let mut limited = false;
        let mut note = |form: &PlaceForm| limited |= form.mentions(&|a| matches!(a, Atom::Time(_)));
        busy.0.each_form(&mut note);
        busy.1.each_form(&mut note);
        // An interval of a nested tile may be wider where only a form is known of the tile around it.
        let (low, high) = self.loop_bounds(number, counted);
        let busy = Bound::greatest([low, busy.0]).zip(Bound::least([high, busy.1]));
        busy.filter(|_| limited)
    }

    /// An upper limit on the iterations of a loop in any block, as a bound of sizes. `counted` is as for `loop_bounds`.
    pub fn longest(&self, number: usize, counted: bool) -> Bound {
        let TimeLoop::Row(row) = self.loops[number] else { return Bound::number(self.mapping.fold) };
        if let (Some((low, high)), true) = (self.ranges[row], counted) {
            return Bound::number(high - low + 1);
        }
        let (low, high) = self.row_bounds(row, Known::Nothing);
        length(low, high)
    }

    /// The least and the greatest value of a block row in the grid.
    pub fn grid(&self, block: usize) -> (Bound, Bound) {
        let leaf = self.places.rows[self.blocks[block]].coefs.iter().position(|c| *c != 0);
        let broken = || (Bound::Form(PlaceForm::broken()), Bound::Form(PlaceForm::broken()));
        leaf.map_or_else(broken, |leaf| self.intervals(Known::Nothing)[self.mapping.leaves[leaf]].clone())
    }

    /// Upper limits on the lengths of the leaf loops inside a block, as bounds of sizes.
    pub fn block_lengths(&self) -> Vec<Bound> {
        let intervals = self.intervals(Known::Nothing);
        let is_inside = |leaf: usize| self.blocks.iter().all(|row| self.places.rows[*row].coefs[leaf] == 0);
        let leaves = self.mapping.leaves.iter().enumerate().filter(|(leaf, _)| is_inside(*leaf));
        leaves
            .map(|(_, node)| intervals[*node].clone())
            .map(|(low, high)| length(vec![(1, low)], vec![(1, high)]))
            .collect()
    }

    /// The least and the greatest value of a time row, as sums over its leaves.
    fn row_bounds(&self, row: usize, known: Known) -> (Terms, Terms) {
        let intervals = self.intervals(known);
        let coefs = self.places.rows[row].coefs.iter().zip(&self.mapping.leaves).filter(|(c, _)| **c != 0);
        let ends = coefs.map(|(c, leaf)| {
            let (low, high) = intervals[*leaf].clone();
            if *c > 0 { ((*c, low), (*c, high)) } else { ((*c, high), (*c, low)) }
        });
        ends.unzip()
    }
}

/// The number of values from one bound to another, both included.
fn length(low: Terms, high: Terms) -> Bound {
    let opposite = low.into_iter().map(|(c, bound)| (-c, bound));
    Bound::sum(high.into_iter().chain(opposite).chain([(1, Bound::number(1))]).collect())
}
