//! Which sizes every workload is tried at: 1, 2, primes, a tile less one, a tile, a tile and one.
//! The one large size is each test's own, as it depends on the loops.

/// The sizes of one axis that a map tiles by `tile`.
pub fn line(tile: usize) -> Vec<usize> {
    let mut sizes = vec![1, 2, 3, 5, 7, 13, 31, tile - 1, tile, tile + 1];
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Pairs of two axes: every size of each meets 1 and its own rank in the other, and all sizes around the
/// two tiles meet each other.
pub fn plane(rows: &[usize], columns: &[usize], tiles: (usize, usize)) -> Vec<(usize, usize)> {
    let near = |size: usize, tile: usize| size + 1 >= tile && size <= tile + 1;
    let mut pairs = Vec::new();
    for (i, &r) in rows.iter().enumerate() {
        for (j, &c) in columns.iter().enumerate() {
            if i == j || r == 1 || c == 1 || near(r, tiles.0) && near(c, tiles.1) {
                pairs.push((r, c));
            }
        }
    }
    pairs
}
