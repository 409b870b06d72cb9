//! The intervals of the loops of the kernel and of its tiles: their least and greatest values, as bounds over sizes and
//! blocks.
//!
//! ```text
//! for n in 0..N, tile n by 64 as (nb, ni)
//!
//!         in all blocks              in a block, if `nb` is a block loop
//! n       0 ..= N - 1                max(0, 64 block0) ..= min(N - 1, 64 block0 + greatest ni)
//! nb      0 ..= ⌊(N - 1) / 64⌋       block0 ..= block0
//! ni      0 ..= 63                   0 ..= min(N - 1 - 64 block0, 63)
//! ```
//!
//! With `overlap n by 2`, `ni` begins at −2 and ends at 65: the tile and its halo.
use super::super::bound::Bound;
use super::super::faces::of_sizes;
use super::super::place_form::{Atom, PlaceForm};
use super::{Layout, TimeLoop};
use crate::model::{Form, Int, Tile};
use crate::planted::planted;
use crate::target::tuning;

/// What is known where an interval is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing: over all blocks.
    Nothing,
    /// The coordinates of the block that runs.
    Block,
    /// These, and the times of all loops of the program before this one.
    Times(usize),
}

/// The least and the greatest value of a loop.
pub(super) type Interval = (Bound, Bound);

impl Layout<'_> {
    /// The intervals of all nodes (the loops of the kernel, then those of tiles). A loop whose value is known has only this one.
    pub(super) fn intervals(&self, known: Known) -> Vec<Interval> {
        let nothing = (Bound::number(0), Bound::number(0));
        let mut nodes: Vec<Interval> = vec![nothing; self.mapping.nodes.len()];
        for (k, l) in self.kernel.loops.iter().enumerate() {
            let low = self.interval_of_form(&l.low, known, &nodes).0;
            let high = self.interval_of_form(&l.high.plus(-1), known, &nodes).1;
            nodes[k] = self.known_value(k, known).unwrap_or((low, high));
            // Its tiles come next, because the bounds of later loops may depend on this one.
            self.fill_tiles(k, known, &mut nodes);
            nodes[k] = self.through_tiles(k, &nodes);
        }
        nodes
    }

    /// The interval of a form over sizes and nodes. A block knows its lengths; over all blocks they have a range.
    fn interval_of_form(&self, form: &Form, known: Known, nodes: &[Interval]) -> Interval {
        let sizes = self.kernel.sizes.len();
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let sum = |form: &Form| {
            let coefs = form.coefs.iter().take(sizes).copied().collect();
            Bound::Form(of_sizes(&Form::new(coefs, form.constant)))
        };
        for (k, c) in form.coefs.iter().enumerate().skip(sizes).filter(|(_, c)| **c != 0) {
            let (a, b) = &nodes[k - sizes];
            let (least, most) = if *c > 0 { (a, b) } else { (b, a) };
            low.push((*c, least.clone()));
            high.push((*c, most.clone()));
        }
        if known != Known::Nothing {
            low.push((1, sum(form)));
            high.push((1, sum(form)));
        } else {
            let least = -&self.kernel.with_greatest_lengths(&-form);
            low.push((1, sum(&least)));
            let most = if planted(95) {
                -&self.kernel.with_greatest_lengths(&-form)
            } else {
                self.kernel.with_greatest_lengths(form)
            };
            high.push((1, sum(&most)));
        }
        (Bound::sum(low), Bound::sum(high))
    }

    /// The only value of a node, if it is known: the coordinate of the block, or the time of a loop whose row is the node alone.
    fn known_value(&self, node: usize, known: Known) -> Option<Interval> {
        let leaf = self.mapping.leaf_of(node)?;
        let block = || self.blocks.iter().position(|b| self.places.rows[*b].coefs[leaf] != 0).map(Atom::Block);
        let alone = |row: usize| {
            let coefs = &self.places.rows[row].coefs;
            coefs[leaf] == 1 && coefs.iter().filter(|c| **c != 0).count() == 1
        };
        let is_time = |k: &usize| matches!(self.loops[*k], TimeLoop::Row(row) if alone(row));
        let atom = match known {
            Known::Nothing => None,
            Known::Block => block(),
            Known::Times(number) => block().or_else(|| (0..number).find(is_time).map(Atom::Time)),
        };
        let value = Bound::Form(PlaceForm::atom(atom?));
        Some((value.clone(), value))
    }

    /// Computes the intervals of the loops that tiles split a loop into, and of the tiles of these.
    fn fill_tiles(&self, node: usize, known: Known, nodes: &mut [Interval]) {
        let mut pending = vec![node];
        while let Some(n) = pending.pop() {
            let Some(tile) = &self.mapping.nodes[n].tile else { continue };
            let (low, high) = nodes[n].clone();
            let outer = (low.quotient(tile.by), high.quotient(tile.by));
            nodes[tile.outer] = self.known_value(tile.outer, known).unwrap_or(outer);
            let inner = inner_interval(tile, &nodes[tile.outer], &nodes[n]);
            nodes[tile.inner] = self.known_value(tile.inner, known).unwrap_or(inner);
            pending.extend([tile.outer, tile.inner]);
        }
    }

    /// The interval of a node, limited by those of its tile loops: in a block, a tiled loop covers its tile only.
    fn through_tiles(&self, node: usize, nodes: &[Interval]) -> Interval {
        let Some(tile) = &self.mapping.nodes[node].tile else { return nodes[node].clone() };
        let outer = self.through_tiles(tile.outer, nodes);
        let inner = self.through_tiles(tile.inner, nodes);
        let whole = nodes[node].clone();
        let low = Bound::sum(vec![(tile.by, outer.0), (1, inner.0)]);
        let high = Bound::sum(vec![(tile.by, outer.1), (1, inner.1)]);
        (Bound::Greatest(Box::new(whole.0), Box::new(low)), Bound::Least(Box::new(whole.1), Box::new(high)))
    }
}

/// The interval of the inner loop of a tile: the tile and its halo. If the block determines the tile, the interval ends
/// where the tiled loop does.
fn inner_interval(tile: &Tile, outer: &Interval, (low, high): &Interval) -> Interval {
    let with_halo = (Bound::number(-tile.before), Bound::number(tile.by + tile.after - 1));
    if outer.0 != outer.1 {
        let length = tile.by + tile.before + tile.after;
        // The first tile begins at or before the start of the loop. So in no tile the inner loop goes further than from
        // there to the end of the loop.
        let farthest = || Bound::sum(vec![(1, high.clone()), (-tile.by, outer.0.clone())]);
        let is_long = length > tuning::LONG_TILE;
        let end = if is_long { Bound::least([farthest(), with_halo.1.clone()]) } else { None };
        return (with_halo.0, end.unwrap_or(with_halo.1));
    }
    // A value of the tiled loop, counted from the start of the tile.
    let in_tile =
        |value: &Bound| Bound::sum(vec![(1, value.clone()), (-tile.by - Int::from(planted(44)), outer.0.clone())]);
    // If the loop begins where a tile does, no tile begins before the loop.
    let is_aligned = low.constant().is_some_and(|low| low.rem_euclid(tile.by) == 0);
    let start = if is_aligned { None } else { Some(in_tile(low)) };
    (
        Bound::greatest(start.into_iter().chain([with_halo.0.clone()])).unwrap_or(with_halo.0),
        Bound::least([in_tile(high), with_halo.1.clone()]).unwrap_or(with_halo.1),
    )
}
