//! Sizes to test: all combinations of equal small sizes, and some around the tiles of maps.
use crate::maps::WIDTH;
use crate::world::{World, holds};
use systolic_compiler::model::{Int, Kernel, Loop, Mapping};

/// Larger sizes have too many points to enumerate.
const LONGEST: Int = 1 << 16;

/// All sizes equal, from small to around the largest tile; then each size in turn, with the others small.
pub fn some_sizes(kernel: &Kernel, maps: &[Mapping]) -> Vec<Vec<Int>> {
    let count = kernel.call_sizes();
    let tiles = maps.iter().flat_map(|m| &m.nodes).filter_map(|n| n.tile.as_ref().map(|t| t.by));
    let mut around: Vec<Int> = tiles.flat_map(|by| [by - 1, by, by + 1, 2 * by + 1]).filter(|v| *v > 1).collect();
    around.extend([3, 5]);
    let same = (1..=7).chain(around.iter().copied()).chain([12, 20, 40]);
    let mut all: Vec<Vec<Int>> = same.map(|v| vec![v; count]).collect();
    for k in 0..if count > 1 { count } else { 0 } {
        let long = around.iter().flat_map(|v| [(1, *v), (3, *v)]);
        for (small, large) in long.chain([(1, 5), (2, 9), (3, 40)]) {
            let mut sizes = vec![small; count];
            sizes[k] = large;
            all.push(sizes);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Among the sizes that the kernel allows, those with at most `points` points. At most about `most` of them, spread
/// over all; if there are none, up to two larger ones.
pub fn few_sizes(kernel: &Kernel, maps: &[Mapping], points: usize, most: usize) -> Vec<Vec<Int>> {
    let mut all = some_sizes(kernel, maps);
    all.retain(|s| World::new(kernel, s).is_assumed());
    let small = |most: usize| move |s: &&Vec<Int>| !World::new(kernel, s).has_more_points_than(most);
    let fit: Vec<Vec<Int>> = all.iter().filter(small(points)).cloned().collect();
    match fit.len() {
        0 => all.iter().filter(small(100_000)).take(2).cloned().collect(),
        n => fit.iter().step_by(n.div_ceil(most)).chain(fit.last()).cloned().collect(),
    }
}

/// Sizes at which rows need more lanes than there are, if that ever happens: all sizes long, then each in turn. "Long"
/// means longer than lanes times fold. If tiles of several loops move together, it also means long enough that all
/// combinations of their offsets occur, plus the constants in the bounds of growing loops. Each size is raised to the
/// next that the kernel allows.
pub fn sizes_of_many_lanes(kernel: &Kernel, mapping: &Mapping) -> Vec<Vec<Int>> {
    let count = kernel.call_sizes();
    let tiles = mapping.nodes.iter().filter_map(|n| n.tile.as_ref().map(|t| t.by));
    let meet = tiles.fold(1, |all: Int, by| (by / divisor(all, by)).saturating_mul(all).min(LONGEST));
    let grows = |l: &&Loop| (0..kernel.sizes.len()).any(|size| l.low.coef(size) != 0 || l.high.coef(size) != 0);
    let left_out = |l: &Loop| l.low.constant.abs().saturating_add(l.high.constant.abs()).min(LONGEST);
    let ends: Int = kernel.loops.iter().filter(grows).map(left_out).sum();
    let mut all = Vec::new();
    for long in [2 * WIDTH, meet + 1 + ends, WIDTH * (mapping.fold.min(LONGEST / WIDTH) + 1)] {
        all.push(vec![long; count]);
        for (k, small) in (0..count).flat_map(|k| [(k, 1), (k, 2), (k, 3)]) {
            let mut sizes = vec![small; count];
            sizes[k] = long;
            all.push(sizes);
        }
    }
    let mut all: Vec<Vec<Int>> = all.into_iter().map(|sizes| next_assumed(kernel, sizes)).collect();
    all.dedup();
    all
}

/// Raises each size to a value at which most conditions of the kernel hold: a `where` may require a remainder.
fn next_assumed(kernel: &Kernel, mut sizes: Vec<Int>) -> Vec<Int> {
    for k in 0..sizes.len() {
        let met = |v: &Int| {
            let at: Vec<Int> = sizes.iter().enumerate().map(|(n, size)| if n == k { *v } else { *size }).collect();
            kernel.conditions.iter().filter(|c| holds(&c.formula, &at)).count()
        };
        // `max_by_key` returns the last of equal elements; in reverse order that is the least size.
        sizes[k] = (sizes[k]..=sizes[k] + WIDTH).rev().max_by_key(met).unwrap_or(sizes[k]);
    }
    sizes
}

fn divisor(a: Int, b: Int) -> Int {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// These sizes, all increased by 1, 2, 4 and so on, at most by `most`.
pub fn raised_sizes(sizes: &[Int], most: Int) -> Vec<Vec<Int>> {
    let steps =
        std::iter::successors(Some(1), |step: &Int| Some(step * 2)).take_while(|step| *step <= most.min(LONGEST));
    steps.map(|step| sizes.iter().map(|size| size + step).collect()).collect()
}
