//! The element that an index outside an axis of `n` elements refers to.

/// The nearest element.
pub fn clamp(index: i64, n: usize) -> usize {
    index.clamp(0, n as i64 - 1) as usize
}

/// The position after `index` steps of a walk between the two ends that reverses at each end.
pub fn reflect(index: i64, n: usize) -> usize {
    if n == 1 {
        return 0;
    }
    if let Some(index) = inside(index, n) {
        return index;
    }
    // The mirror image is symmetric around 0, so only the distance counts.
    walk(index.abs(), n, false)
}

/// The same for a walk that stays for one step at each end before it reverses.
pub fn symmetric(index: i64, n: usize) -> usize {
    // Symmetric around −1/2: index −1 is the image of 0.
    let steps = if index < 0 { -index - 1 } else { index };
    inside(steps, n).unwrap_or_else(|| walk(steps, n, true))
}

/// The position of a walk from 0 after these steps. It reverses at each end, and may stay there for one step.
fn walk(steps: i64, n: usize, stays: bool) -> usize {
    let (mut at, mut step) = (0i64, 1i64);
    for _ in 0..steps {
        let turns = at + step < 0 || at + step >= n as i64;
        if turns {
            step = -step;
        }
        if !(turns && stays) {
            at += step;
        }
    }
    at as usize
}

/// The element of the periodically repeated axis.
pub fn wrap(index: i64, n: usize) -> usize {
    index.rem_euclid(n as i64) as usize
}

/// The element, if the index is inside.
pub fn inside(index: i64, n: usize) -> Option<usize> {
    (0..n as i64).contains(&index).then_some(index as usize)
}
