//! `exp` and `ln` as fixed sequences of IEEE operations, which every executor repeats exactly. The error stays below 2
//! units in the last place, subnormals included.
//!
//! Every step rounds to nearest even, and `fma` is the fused operation: nothing may be contracted, reordered or flushed
//! to zero. The constants are in [`table`]. A polynomial is evaluated by Horner's rule, one fma per coefficient, the
//! last coefficient first. Apparent branches are selections between two computed values.
//!
//! # exp
//!
//! 1. `x` is limited to a range past which the result is 0 or infinity anyway.
//! 2. `shifted = fma(x, LOG2_E, SHIFT)`, where `SHIFT` is so large that the last place is 1: this
//!    rounds to an integer `n`, found as `shifted - SHIFT` and in the low bits of `shifted`.
//! 3. `r = fma(-n, LN_2_LOW, fma(-n, LN_2_HIGH, x))`. The inner one is exact.
//! 4. `p = 1 + fma(r * r, EXP(r), r)`.
//! 5. The result is `p * 2^h * 2^(n - h)`, with `h` the half of `n` rounded down. Both powers are
//!    normal, and only the last product rounds.
//!
//! # ln
//!
//! 1. A subnormal `x` is multiplied by a power of two, which is taken off the exponent in step 2.
//! 2. `x = m * 2^e`, with `m` from the root of 1/2 to the root of 2, by integer operations on the
//!    bits; `f = m - 1`, exactly.
//! 3. For `f32`, `y = fma(f * f, fma(f, LN(f), -1/2), f)`. For `f64` a polynomial in `f` would be
//!    long, so `s = f / (2 + f)`, `z = s * s` and `y = fma(-s, fma(-z, LN(z), f), f)`; this is
//!    2 atanh(s), written as `f` less a correction.
//! 4. The result is `fma(e, LN_2_HIGH, fma(e, LN_2_LOW, y))`, but for the arguments 0, infinity,
//!    NaN and those below 0.

pub mod table;

/// For `f32`, computed in `f32`.
pub mod single {
    use super::{functions, table::single as table};

    functions!(f32, u32, i32, 23, 127, 12_582_912.0, 89.0, -104.0);

    /// ln(1 + f).
    #[inline]
    fn ln_near_one(f: f32) -> f32 {
        (f * f).mul_add(f.mul_add(polynomial(&table::LN, f), -0.5), f)
    }
}

/// For `f64`.
pub mod double {
    use super::{functions, table::double as table};

    functions!(f64, u64, i64, 52, 1023, 6_755_399_441_055_744.0, 710.0, -746.0);

    /// ln(1 + f).
    #[inline]
    fn ln_near_one(f: f64) -> f64 {
        let s = f / (2.0 + f);
        let z = s * s;
        (-s).mul_add((-z).mul_add(polynomial(&table::LN, z), f), f)
    }
}

/// Shared by the two precisions. The parameters are the float type, the unsigned and signed types of its bits, the
/// number of fraction bits, the exponent bias, 1.5 times 2 to the number of fraction bits, and the range of `exp`.
macro_rules! functions {
    ($float:ident, $bits:ident, $int:ident, $fraction:literal, $bias:literal, $shift:literal, $most:literal, $least:literal) => {
        /// e to the power of `x`.
        #[inline]
        pub fn exp(x: $float) -> $float {
            // Comparisons instead of `clamp`, so that NaN passes through.
            let x = if x > $most { $most } else { x };
            let x = if x < $least { $least } else { x };
            let shifted = x.mul_add(table::LOG2_E, $shift);
            let n = shifted - $shift;
            let r = (-n).mul_add(table::LN_2_LOW, (-n).mul_add(table::LN_2_HIGH, x));
            let p = 1.0 + (r * r).mul_add(polynomial(&table::EXP, r), r);
            let shift: $float = $shift;
            let n = shifted.to_bits().wrapping_sub(shift.to_bits()) as $int;
            let half = n >> 1;
            p * power_of_two(half) * power_of_two(n.wrapping_sub(half))
        }

        /// The natural logarithm of `x`.
        #[inline]
        pub fn ln(x: $float) -> $float {
            let small = x < $float::MIN_POSITIVE;
            let scaled = if small { x * power_of_two($fraction) } else { x };
            let taken: $int = if small { $fraction } else { 0 };
            let bits = scaled.to_bits();
            // Subtracting the root of 1/2 moves the borders of the binades there.
            let e = (bits.wrapping_sub(table::ROOT_HALF.to_bits()) as $int) >> $fraction;
            let m = $float::from_bits(bits.wrapping_sub((e as $bits) << $fraction));
            let e = e.wrapping_sub(taken) as $float;
            let y = ln_near_one(m - 1.0);
            let result = e.mul_add(table::LN_2_HIGH, e.mul_add(table::LN_2_LOW, y));
            if x > 0.0 && x < $float::INFINITY {
                result
            } else if x == 0.0 {
                $float::NEG_INFINITY
            } else if x > 0.0 {
                $float::INFINITY
            } else {
                $float::NAN
            }
        }

        /// Horner's rule; the constant term comes first.
        #[inline]
        fn polynomial<const N: usize>(coefficients: &[$float; N], x: $float) -> $float {
            let mut sum = coefficients[N - 1];
            for &coefficient in coefficients[..N - 1].iter().rev() {
                sum = sum.mul_add(x, coefficient);
            }
            sum
        }

        /// 2 to the power of `exponent`. The result is a normal float except if the argument of `exp` is NaN, when it
        /// may be any number.
        #[inline]
        fn power_of_two(exponent: $int) -> $float {
            $float::from_bits((exponent.wrapping_add($bias) as $bits) << $fraction)
        }
    };
}

use functions;
