//! ∃ τ: τ · δ ≥ 1 for every displacement δ between blocks that some point reads across
//!
//! Blocks of a map with `in order` take tickets in the order of τ · block. A block then waits only for blocks with lower tickets, so
//! the block with the lowest ticket that has not ended never waits, however few blocks run at a time.
use super::set::{Asked, ask};
use crate::dependence::{Class, readers};
use crate::fault::{BlocksFact, Fault, Faults};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, RowKind};
use crate::planted::planted;
use crate::region::Region;
use crate::sorted;
use crate::target::limits;

/// The order in which the blocks of a launch take tickets, and for whom each waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tickets {
    /// One number per block loop. Tickets are in the order of the sum of these times the block, then of the block.
    pub order: Vec<Int>,
    /// How far the blocks that a block waits for lie back, along the block loops.
    pub waits: Vec<Vec<Int>>,
}

/// The displacements between blocks that reads cross, each with the first read that does.
#[derive(Default)]
pub struct Crossings {
    found: Vec<(Vec<Int>, Region)>,
}

impl Crossings {
    /// Adds a class that leaves its block, if a point reads so.
    pub fn add(&mut self, kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) {
        let delta = class.between_blocks(places);
        let is_known = self.found.iter().any(|(known, _)| *known == delta);
        if !is_known && !matches!(ask(places.dims(), &readers(kernel, mapping, places, read, class)), Asked::Empty) {
            self.found.push((delta, read.at));
        }
    }

    /// The order of tickets, or the fault that there is none.
    pub fn order(self, mapping: &Mapping, places: &Places, faults: &mut Faults) -> Option<Tickets> {
        let (_, at) = self.found.first()?;
        if self.found.len() > limits::BLOCK_DISPLACEMENTS {
            let fact = BlocksFact::Displacements { count: self.found.len(), limit: limits::BLOCK_DISPLACEMENTS };
            faults.push(Fault::new(*at, fact));
            return None;
        }
        let overlapped = |t: &&crate::model::Tile| t.before > 0 || t.after > 0;
        if let Some(tile) = mapping.nodes.iter().filter_map(|n| n.tile.as_ref()).find(overlapped) {
            let of = mapping.nodes.iter().find(|n| n.tile.as_ref().is_some_and(|t| t.outer == tile.outer));
            let of = of.map(|n| n.name.text.clone()).unwrap_or_default();
            let fact = BlocksFact::OverlapInOrder { of };
            let advice = "leave out the overlap: blocks in order read what lies outside their tile from its owner";
            faults.push(Fault::new(tile.overlap_at.unwrap_or(*at), fact).with_advice(advice));
            return None;
        }
        let waits: Vec<Vec<Int>> = self.found.iter().map(|(delta, _)| delta.clone()).collect();
        if let Some(order) = order(&waits) {
            return Some(Tickets { order, waits });
        }
        let loops = places.of_kind(RowKind::Block).skip(places.launches).map(|row| row.name.clone()).collect();
        let ring = ring(&waits);
        let at = ring.first().map_or(*at, |(k, _)| self.found[*k].1);
        let ring = ring.into_iter().map(|(k, count)| (count, waits[k].clone())).collect();
        let advice = "leave a loop out of `blocks`, so that it runs inside a block, or make it a loop of `launches`";
        faults.push(Fault::new(at, BlocksFact::Ring { loops, ring }).with_advice(advice));
        None
    }
}

/// The sum of the products of an order with a displacement.
fn advance(order: &[Int], delta: &[Int]) -> Int {
    order.iter().zip(delta).map(|(a, b)| a * b).sum()
}

/// A vector along which every displacement advances: a small one if there is one, else any.
fn order(waits: &[Vec<Int>]) -> Option<Vec<Int>> {
    let rank = waits.first()?.len();
    if planted(83) {
        // By rows.
        return Some((0..rank).map(|k| 1 << (20 * (rank - 1 - k))).collect());
    }
    let serves = |order: &Vec<Int>| waits.iter().all(|delta| advance(order, delta) >= 1);
    (1..=limits::SMALL_TICKETS).find_map(|size| small(rank, size).into_iter().find(serves)).or_else(|| {
        let ahead = |delta: &Vec<Int>| Formula::AtLeast(Form::new(delta.clone(), -1));
        match ask(rank, &Formula::All(waits.iter().map(ahead).collect())) {
            Asked::Point(order) => Some(order).filter(serves),
            Asked::Empty | Asked::GaveUp => None,
        }
    })
}

/// All vectors whose largest entry is `size`, those with the smallest sums first, rising along the first loops before others.
fn small(rank: usize, size: Int) -> Vec<Vec<Int>> {
    let mut all: Vec<Vec<Int>> = vec![Vec::new()];
    for _ in 0..rank {
        let longer = |start: &Vec<Int>| {
            let start = start.clone();
            (-size..=size).map(move |next| start.iter().copied().chain([next]).collect::<Vec<Int>>())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|vector| vector.iter().any(|entry| entry.abs() == size));
    sorted::sort_by_key(&mut all, |v| {
        (v.iter().map(|e| e.abs()).sum::<Int>(), v.iter().map(|e| -e).collect::<Vec<Int>>())
    });
    all
}

/// Displacements that lead back to the same block together, each with how often it is taken; empty if none were found.
fn ring(waits: &[Vec<Int>]) -> Vec<(usize, Int)> {
    let count = waits.len();
    let mut all: Vec<Formula> = (0..count).map(|k| Formula::AtLeast(Form::var(k))).collect();
    all.push(Formula::AtLeast(Form::new(vec![1; count], -1)));
    for axis in 0..waits.first().map_or(0, Vec::len) {
        let sum = Form::new(waits.iter().map(|delta| delta[axis]).collect(), 0);
        all.push(Formula::equal(&sum, &Form::constant(0)));
    }
    match ask(count, &Formula::All(all)) {
        Asked::Point(point) => point.into_iter().enumerate().filter(|(_, taken)| *taken > 0).collect(),
        Asked::Empty | Asked::GaveUp => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_orders_come_first() {
        assert_eq!(order(&[vec![1, 0], vec![0, 1], vec![1, 1]]), Some(vec![1, 1]));
        assert_eq!(order(&[vec![1]]), Some(vec![1]));
        assert_eq!(order(&[vec![-1]]), Some(vec![-1]));
        assert_eq!(order(&[vec![1, -1], vec![0, 1]]), Some(vec![2, 1]));
        let far = order(&[vec![1, -9], vec![0, 1]]).expect("an order");
        assert!(far[1] >= 1 && far[0] > 9 * far[1], "{far:?}");
    }

    #[test]
    fn blocks_that_wait_for_each_other_have_none() {
        let waits = [vec![1, -1], vec![-1, 0], vec![0, 2]];
        assert_eq!(order(&waits), None);
        let found = ring(&waits);
        let along = |axis: usize| found.iter().map(|(k, count)| count * waits[*k][axis]).sum::<Int>();
        assert_eq!((along(0), along(1)), (0, 0), "{found:?}");
        assert!(!found.is_empty());
    }
}
