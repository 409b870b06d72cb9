//! Loops over short rows that run as one loop, where rows follow each other in memory.
use crate::call::LARGEST_SIZE;

/// Rows of at least this many elements run one by one: their ends take little of the time.
const LONG_ROW: i64 = 2048;

/// Returns whether loops of these lengths run as one, and the lengths with which they run: the last takes all iterations.
#[inline]
pub fn joined<const N: usize>(lengths: [i64; N], is_contiguous: bool) -> (bool, [i64; N]) {
    let product = lengths.iter().try_fold(1i64, |product, length| product.checked_mul(*length));
    match (product, lengths.last()) {
        (Some(product), Some(last))
            if is_contiguous && *last < LONG_ROW && *last < product && product <= LARGEST_SIZE =>
        {
            let mut joined = lengths;
            join(&mut joined, 0, N);
            (true, joined)
        }
        _ => (false, lengths),
    }
}

/// Gives the last of `count` lengths from the first one on their product, and the others 1.
#[inline]
pub fn join(lengths: &mut [i64], first: usize, count: usize) {
    let Some(lengths) = lengths.get_mut(first..first.saturating_add(count)) else { return };
    let product = lengths.iter().fold(1i64, |product, length| product.wrapping_mul(*length));
    lengths.fill(1);
    if let Some(last) = lengths.last_mut() {
        *last = product;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_rows_are_joined() {
        assert_eq!(joined([1000, 8], true), (true, [1, 8000]));
        assert_eq!(joined([2, 3, 5], true), (true, [1, 1, 30]));
        assert_eq!(joined([1000, 8], false), (false, [1000, 8]), "rows that lie apart");
        assert_eq!(joined([1, 8], true), (false, [1, 8]), "one row");
        assert_eq!(joined([1000, 5000], true), (false, [1000, 5000]), "long rows");
        assert_eq!(joined([1 << 36, 8], true), (false, [1 << 36, 8]), "too many elements");
        assert!(!joined([i64::MAX, i64::MAX], true).0);
    }
}
