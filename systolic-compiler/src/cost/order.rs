//! What the order of launches and blocks costs: launches follow each other, and a block waits for those whose values it reads.
//!
//! ```text
//! 4 × 6 blocks, each waits for those above and to the left: 9 levels of 1, 2, 3, 4, 4, 4, 3, 2, 1 blocks
//! ```
use super::place;
use crate::model::Int;
use crate::schedule::Schedule;
use crate::target::effort;

/// The order of a program's launches and blocks.
#[derive(Clone, Debug)]
pub struct Order {
    /// The launches, one after another.
    pub launches: f64,
    /// Groups of blocks that may run at the same time, in order: how many such groups have this many blocks. Empty if no block waits
    /// for another.
    pub levels: Vec<Level>,
}

/// Groups of blocks of the same size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    pub groups: f64,
    pub blocks: f64,
}

impl Order {
    pub fn of(program: &Schedule, sizes: &[Int]) -> Order {
        let extents: Vec<Int> = place::axes(program, sizes).iter().map(|(low, high)| (high - low + 1).max(0)).collect();
        let (launches, blocks) = extents.split_at(program.frame.launches);
        let launches = launches.iter().map(|n| *n as f64).product();
        let levels = program.tickets.as_ref().map_or(Vec::new(), |tickets| levels(blocks, &tickets.order));
        Order { launches, levels }
    }

    /// The groups of blocks of a launch.
    pub fn groups(&self) -> f64 {
        self.levels.iter().map(|level| level.groups).sum()
    }
}

/// The levels of a grid of these extents, whose blocks are in the order of the sum of their coordinates times these factors.
fn levels(extents: &[Int], factors: &[Int]) -> Vec<Level> {
    let factors = factors.iter().map(|factor| usize::try_from(factor.unsigned_abs()).unwrap_or(usize::MAX));
    let axes: Vec<(usize, usize)> =
        extents.iter().map(|n| usize::try_from(*n).unwrap_or(0)).zip(factors).filter(|(n, _)| *n > 0).collect();
    let all: f64 = axes.iter().map(|(n, _)| *n as f64).product();
    let last = axes.iter().fold(0_usize, |sum, (n, factor)| sum.saturating_add((n - 1).saturating_mul(*factor)));
    if last >= effort::LEVELS {
        let groups = last as f64 + 1.0;
        return vec![Level { groups, blocks: (all / groups).max(1.0) }];
    }
    // How many blocks are at each level, axis by axis.
    let mut counts = vec![0.0; last + 1];
    counts[0] = 1.0;
    for (n, factor) in axes {
        if factor == 0 {
            counts.iter_mut().for_each(|count| *count *= n as f64);
            continue;
        }
        // The sum over the last n levels of this residue.
        let mut sums = counts.clone();
        for k in factor..=last {
            sums[k] += sums[k - factor];
        }
        let back = n.saturating_mul(factor);
        for k in 0..=last {
            counts[k] = sums[k] - if k >= back { sums[k - back] } else { 0.0 };
        }
    }
    let mut levels: Vec<Level> = Vec::new();
    for blocks in counts {
        match levels.last_mut() {
            Some(level) if level.blocks == blocks => level.groups += 1.0,
            _ => levels.push(Level { groups: 1.0, blocks }),
        }
    }
    levels.retain(|level| level.blocks > 0.0);
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonals_of_a_grid() {
        let widths = |extents: &[Int], factors: &[Int]| -> Vec<(f64, f64)> {
            levels(extents, factors).iter().map(|level| (level.groups, level.blocks)).collect()
        };
        let rise_and_fall = vec![(1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (3.0, 4.0), (1.0, 3.0), (1.0, 2.0), (1.0, 1.0)];
        assert_eq!(widths(&[4, 6], &[1, 1]), rise_and_fall);
        assert_eq!(widths(&[4, 6], &[-1, 0]), vec![(4.0, 6.0)]);
        assert_eq!(widths(&[5], &[2]), vec![(1.0, 1.0); 5]);
        assert_eq!(widths(&[2, 2], &[2, 1]), vec![(4.0, 1.0)]);
    }
}
