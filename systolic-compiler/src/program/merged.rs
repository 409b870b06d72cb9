//! Several last axes of an array as one axis, where the elements lie without gaps.
use super::{Frame, never_negative};
use crate::mapping::PlaceForm;
use crate::model::Int;

/// Merges the last axes of an index, which have these lengths, into the axis before them.
pub fn merge_index(index: &mut Vec<PlaceForm>, lengths: &[Int]) {
    let last = index.split_off(index.len().saturating_sub(lengths.len()));
    if let Some(first) = index.last_mut() {
        *first = lengths.iter().zip(last).fold(first.clone(), |all, (n, at)| all.scale(*n, 1).add(&at));
    }
}

/// Whether an index stays inside along the last axes, which have these lengths.
pub fn stays_inside(frame: &Frame, index: &[PlaceForm], lengths: &[Int]) -> bool {
    let last = &index[index.len().saturating_sub(lengths.len())..];
    let inside = |(f, n): (&PlaceForm, &Int)| {
        f.is_plain() && never_negative(frame, f) && never_negative(frame, &f.scale(-1, 1).plus(n - 1))
    };
    last.iter().zip(lengths).all(inside)
}

/// The index of an element before its last axes, which have these lengths, were merged. Along the first of them it may lie outside.
pub fn separate<N: Copy + Into<Int>>(index: &[N], lengths: &[Int]) -> Vec<Int> {
    let mut all: Vec<Int> = index.iter().map(|n| (*n).into()).collect();
    let Some(mut at) = all.pop() else { return all };
    let outer = all.len();
    for n in lengths.iter().rev() {
        all.insert(outer, at.rem_euclid(*n));
        at = at.div_euclid(*n);
    }
    all.insert(outer, at);
    all
}

#[cfg(test)]
mod tests {
    use super::separate;

    #[test]
    fn a_merged_axis_is_separated_from_the_last_on() {
        assert_eq!(separate(&[5i64, 7], &[]), [5, 7]);
        assert_eq!(separate(&[5i64, 7], &[3]), [5, 2, 1]);
        assert_eq!(separate(&[-1i64], &[3]), [-1, 2]);
        assert_eq!(separate(&[11i64], &[2, 3]), [1, 1, 2]);
    }
}
