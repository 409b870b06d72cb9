//! Sizes worth a look: all small ones together, and some around the tiles of a map.
use systolic_compiler::model::{Int, Kernel, Mapping};

/// Every size the same, from small to around the largest tile, and a few mixed ones.
pub fn some_sizes(kernel: &Kernel, mapping: &Mapping) -> Vec<Vec<Int>> {
    let count = kernel.sizes.len();
    let tiles = mapping.nodes.iter().filter_map(|n| n.tile.as_ref().map(|t| t.by));
    let mut values: Vec<Int> = (1..=7).chain(tiles.flat_map(|by| [by - 1, by, by + 1, 2 * by + 1])).collect();
    values.extend([12, 20, 40]);
    values.retain(|v| *v >= 1);
    values.sort_unstable();
    values.dedup();
    let mut all: Vec<Vec<Int>> = values.iter().map(|v| vec![*v; count]).collect();
    if count > 1 {
        for k in 0..count {
            // One long, the others short: a large tile whole, with few points.
            let longest = values.last().copied().unwrap_or(1);
            for (small, large) in [(1, 5), (2, 9), (3, 40), (2, longest)] {
                let mut sizes = vec![small; count];
                sizes[k] = large;
                all.push(sizes);
            }
        }
    }
    all
}
