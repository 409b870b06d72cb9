//! Counts the iteration points of a call from the bounds of its loops.
use crate::signature::Loop;

/// The number of points of these loops, or any number from `enough` on if there are that many. `values` are the sizes, and room for
/// the loops after them; the first of these loops is the dimension with number `outermost`. `None` if a number does not fit, or after
/// `visits` iterations.
///
/// Only loops that others depend on are run: the rest is multiplied.
pub fn count(loops: &[Loop], values: &mut [i128], outermost: usize, enough: i128, visits: &mut i128) -> Option<i128> {
    let Some((outer, inner)) = loops.split_first() else { return Some(1) };
    let (low, high) = (outer.low.value(values)?, outer.high.value(values)?);
    let extent = high.checked_sub(low)?.max(0);
    if extent == 0 || enough <= 0 {
        return Some(0);
    }
    let is_read = |l: &Loop| l.low.coef(outermost) != 0 || l.high.coef(outermost) != 0;
    if !inner.iter().any(is_read) {
        let inside = count(inner, values, outermost + 1, (enough / extent).saturating_add(1), visits)?;
        return Some(extent.saturating_mul(inside));
    }
    let mut total: i128 = 0;
    for value in low..high {
        *visits -= 1;
        if *visits < 0 {
            return None;
        }
        *values.get_mut(outermost)? = value;
        total = total.saturating_add(count(inner, values, outermost + 1, enough - total, visits)?);
        if total >= enough {
            break;
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

    /// All points of three loops are 2 · N for a band, and N · (N + 1) / 2 for a triangle.
    #[test]
    fn bands_and_triangles() {
        let form = |coefs, constant| Form::new(coefs, constant);
        let whole = Loop { name: "i", low: form(&[], 0), high: form(&[1], 0) };
        let band = [whole, Loop { name: "j", low: form(&[0, 1], 0), high: form(&[0, 1], 2) }];
        let triangle = [whole, Loop { name: "j", low: form(&[], 0), high: form(&[0, 1], 1) }];
        let points = |loops: &[Loop], enough| count(loops, &mut [100, 0, 0, 0], 1, enough, &mut 1000);
        assert_eq!(points(&band, i128::MAX), Some(200));
        assert_eq!(points(&triangle, i128::MAX), Some(5050));
        let deep = [band[0], band[1], Loop { name: "k", low: form(&[], 0), high: form(&[], 32) }];
        assert_eq!(points(&deep, i128::MAX), Some(6400));
        assert!(points(&triangle, 60).is_some_and(|found| (60..5050).contains(&found)));
        assert_eq!(points(&[], 1), Some(1));
    }

    /// A loop that ends before it begins has no point.
    #[test]
    fn empty_loops_count_nothing() {
        let form = |coefs, constant| Form::new(coefs, constant);
        let whole = Loop { name: "i", low: form(&[], 0), high: form(&[1], 0) };
        let late = Loop { name: "j", low: form(&[0, 1], 0), high: form(&[], 3) };
        assert_eq!(count(&[whole, late], &mut [10, 0, 0], 1, i128::MAX, &mut 10), Some(6));
        // Most of its iterations are empty, and too many.
        assert_eq!(count(&[whole, late], &mut [10, 0, 0], 1, i128::MAX, &mut 9), None);
        let none = Loop { name: "i", low: form(&[], 5), high: form(&[], 3) };
        assert_eq!(count(&[none, whole], &mut [10, 0, 0], 1, i128::MAX, &mut 10), Some(0));
    }
}
