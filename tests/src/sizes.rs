//! The sizes at which every workload is tested: 1, 2, primes, and for every tile of its maps its size, one less and one
//! more. Each test adds one large size of its own, which depends on the loops.

/// Sizes that do not depend on tiles.
const SMALL: [usize; 7] = [1, 2, 3, 5, 7, 13, 31];

/// The sizes of one axis whose maps have these tiles.
pub fn line(tiles: &[usize]) -> Vec<usize> {
    let mut sizes = SMALL.to_vec();
    sizes.extend(around(tiles));
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The sizes around tiles.
fn around(tiles: &[usize]) -> Vec<usize> {
    let mut sizes: Vec<usize> = tiles.iter().flat_map(|&tile| tile.saturating_sub(1)..=tile + 1).collect();
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Pairs of sizes of two axes, each with the tiles of its maps. Every size of each axis is paired with 1 and with the
/// size of the same index in the other, and all sizes around tiles are paired with each other.
pub fn plane(rows: &[usize], columns: &[usize]) -> Vec<(usize, usize)> {
    let (near_rows, near_columns) = (around(rows), around(columns));
    let mut pairs = Vec::new();
    for (i, r) in line(rows).into_iter().enumerate() {
        for (j, c) in line(columns).into_iter().enumerate() {
            if i == j || r == 1 || c == 1 || near_rows.contains(&r) && near_columns.contains(&c) {
                pairs.push((r, c));
            }
        }
    }
    pairs
}

/// Triples of sizes of three axes, each with the tiles of its maps. Every size of each axis is combined with 1 in the
/// others, and every size around a tile occurs in some triple of such sizes.
pub fn volume(tiles: [&[usize]; 3]) -> Vec<(usize, usize, usize)> {
    let [layers, rows, columns] = tiles.map(line);
    let mut triples = vec![(2, 2, 2), (3, 5, 7), (2, 13, 3), (5, 3, 31)];
    triples.extend(layers.into_iter().map(|l| (l, 1, 1)));
    triples.extend(rows.into_iter().map(|r| (1, r, 1)));
    triples.extend(columns.into_iter().map(|c| (1, 1, c)));
    let near = tiles.map(|tiles| if tiles.is_empty() { vec![2] } else { around(tiles) });
    for turn in 0..near.iter().map(Vec::len).max().unwrap_or(0) {
        let at = |axis: usize| near[axis][(turn + axis) % near[axis].len()];
        triples.push((at(0), at(1), at(2)));
    }
    triples
}
