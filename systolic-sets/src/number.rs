//! Integer arithmetic for the other modules: greatest common divisors and rounded divisions, without wrap-around or
//! panics.

use crate::Int;

/// The greatest common divisor, never negative. It is zero only for two zeros. Returns `None` if it is 2^127.
pub(crate) fn gcd(a: Int, b: Int) -> Option<Int> {
    let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
    if a <= u64::MAX as u128 && b <= u64::MAX as u128 {
        // The common case. In unoptimised builds a 128-bit remainder costs several times as much.
        let (mut a, mut b) = (a as u64, b as u64);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return Some(a as Int);
    }
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Int::try_from(a).ok()
}

/// a / b rounded down, for b > 0.
pub(crate) fn floor_div(a: Int, b: Int) -> Int {
    if b == 1 { a } else { a.div_euclid(b) }
}

/// a / b rounded up, for b > 0. `None` on overflow.
pub(crate) fn ceil_div(a: Int, b: Int) -> Option<Int> {
    let down = floor_div(a, b);
    if b == 1 || a.rem_euclid(b) == 0 { Some(down) } else { down.checked_add(1) }
}

/// a / b rounded to the nearest, for b ≠ 0. `None` on overflow.
pub(crate) fn nearest_div(a: Int, b: Int) -> Option<Int> {
    let quotient = a.checked_div_euclid(b)?;
    let rest = a.checked_rem_euclid(b)?.unsigned_abs();
    if rest > b.unsigned_abs() / 2 {
        if b > 0 { quotient.checked_add(1) } else { quotient.checked_sub(1) }
    } else {
        Some(quotient)
    }
}

/// The integer of the interval that is nearest to zero. Returns `None` if the interval is empty.
pub(crate) fn nearest_zero(low: Option<Int>, high: Option<Int>) -> Option<Int> {
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        return None;
    }
    match (low, high) {
        (Some(low), _) if low > 0 => Some(low),
        (_, Some(high)) if high < 0 => Some(high),
        _ => Some(0),
    }
}
