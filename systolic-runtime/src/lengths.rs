//! Lengths: elements of arrays that bound loops.
use systolic_arith::Scalar;

/// Returns the number that an element of an integer type stands for.
#[inline]
pub fn whole<T: Scalar>(element: T) -> i128 {
    // The law `types` admits integers only; nothing else is in any range.
    element.value().integer().unwrap_or(-1)
}

/// Returns a length that a call has checked; outside its array, the least of its range.
#[inline]
pub fn length<T: Scalar>(element: Option<T>, least: i64) -> i64 {
    element.map_or(least, |element| i64::try_from(whole(element)).unwrap_or(least))
}

/// Returns the greatest length at some sizes: Σ c · size + constant.
pub fn longest(terms: &[(i128, usize)], constant: i128) -> usize {
    let sum = terms.iter().fold(constant, |sum, (c, size)| sum.saturating_add(c.saturating_mul(*size as i128)));
    usize::try_from(sum.max(0)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_integer_type_are_lengths() {
        assert_eq!((whole(-1i8), whole(u64::MAX), whole(7u16)), (-1, u64::MAX.into(), 7));
        assert_eq!((length(Some(5u32), 1), length::<u32>(None, 1)), (5, 1));
        assert_eq!((longest(&[(2, 3)], -1), longest(&[(-1, 3)], 0), longest(&[], 4)), (5, 0, 4));
    }
}
