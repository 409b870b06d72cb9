//! The operations and constants on which the elementary functions are written, once for both precisions.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::far;
use super::pair::Pair;
use super::table::{double, single};

/// A float in which a function computes.
pub trait Real:
    Copy
    + 'static
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const NAN: Self;
    const INFINITY: Self;
    /// 1.5 times 2 to the number of fraction bits: the last place of a number of this size is 1.
    const SHIFT: Self;
    /// Beyond these, `exp` is infinity or 0.
    const EXP_RANGE: [Self; 2];
    /// Beyond these, `exp2` is infinity or 0.
    const EXP2_RANGE: [Self; 2];
    /// Beyond this, half of `exp` is infinity.
    const HALF_EXP_MOST: Self;
    /// Beyond this, `tanh` is 1.
    const TANH_MOST: Self;
    /// An exponent of `pow` beyond this gives what this one gives.
    const POW_MOST: Self;
    /// From here on, an angle is reduced by the bits of 2/pi.
    const FAR: Self;

    const LOG2_E: Pair<Self>;
    const LN_2: Pair<Self>;
    const THIRD: Pair<Self>;
    const TWO_OVER_PI: Self;
    const HALF_PI: [Self; 3];
    const ATAN_HIGH: [Self; 5];
    const ATAN_LOW: [Self; 5];
    /// The coefficients of the polynomials, constant term first.
    const EXP: &'static [Self];
    const ATANH: &'static [Self];
    const SIN: &'static [Self];
    const COS: &'static [Self];
    const SINH: &'static [Self];
    const ATAN: &'static [Self];

    /// A number that this type has.
    fn of(x: f64) -> Self;

    /// `self * factor + summand`, rounded once.
    fn fma(self, factor: Self, summand: Self) -> Self;

    fn abs(self) -> Self;

    /// The integer part.
    fn trunc(self) -> Self;

    /// Whether the sign bit is set.
    fn is_negative(self) -> bool;

    /// This number, with its sign bit flipped if the condition holds.
    fn negative_if(self, condition: bool) -> Self;

    /// ln(1 + self), for 1 + self between the roots of 1/2 and 2.
    fn ln_near_one(self) -> Self;

    /// `m` and `e` with `self = m * 2^e` and `m` from the root of 1/2 to the root of 2, for positive finite numbers.
    fn split(self) -> (Self, Self);

    /// `self * 2^n` for the integer n that is the difference of `shifted` from `SHIFT`. Two factors, so that both are
    /// normal and only the last product rounds.
    fn scaled(self, shifted: Self) -> Self;

    /// The integer that is the difference of `shifted` from `SHIFT`, modulo 4.
    fn quadrant(shifted: Self) -> u32;

    /// The quarter turn and the rest of an angle that is not negative, by the bits of 2/pi.
    fn reduced_far(self) -> (u32, Pair<Self>);
}

/// Implements one precision: the float, the unsigned and signed types of its bits, the number of fraction bits, the
/// exponent bias, and the numbers at which functions reach a limit.
macro_rules! real {
    (
        $float:ident, $bits:ident, $int:ident, $fraction:literal, $bias:literal, $table:ident,
        $shift:literal $exp:tt $exp2:tt $half_exp:literal $tanh:literal $pow:literal $far:literal,
        $ln_near_one:ident, $widen:expr, $narrow:expr
    ) => {
        impl Real for $float {
            const NAN: Self = $float::NAN;
            const INFINITY: Self = $float::INFINITY;
            const SHIFT: Self = $shift;
            const EXP_RANGE: [Self; 2] = $exp;
            const EXP2_RANGE: [Self; 2] = $exp2;
            const HALF_EXP_MOST: Self = $half_exp;
            const TANH_MOST: Self = $tanh;
            const POW_MOST: Self = $pow;
            const FAR: Self = $far;
            const LOG2_E: Pair<Self> = Pair { high: $table::LOG2_E, low: $table::LOG2_E_LOW };
            const LN_2: Pair<Self> = Pair { high: $table::LN_2_HIGH, low: $table::LN_2_LOW };
            const THIRD: Pair<Self> = Pair { high: $table::THIRD[0], low: $table::THIRD[1] };
            const TWO_OVER_PI: Self = $table::TWO_OVER_PI;
            const HALF_PI: [Self; 3] = $table::HALF_PI;
            const ATAN_HIGH: [Self; 5] = $table::ATAN_HIGH;
            const ATAN_LOW: [Self; 5] = $table::ATAN_LOW;
            const EXP: &'static [Self] = &$table::EXP;
            const ATANH: &'static [Self] = &$table::ATANH;
            const SIN: &'static [Self] = &$table::SIN;
            const COS: &'static [Self] = &$table::COS;
            const SINH: &'static [Self] = &$table::SINH;
            const ATAN: &'static [Self] = &$table::ATAN;

            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $float
            }

            #[inline(always)]
            fn fma(self, factor: Self, summand: Self) -> Self {
                self.mul_add(factor, summand)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                $float::trunc(self)
            }

            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }

            #[inline(always)]
            fn negative_if(self, condition: bool) -> Self {
                $float::from_bits(self.to_bits() ^ ((condition as $bits) << ($bits::BITS - 1)))
            }

            #[inline(always)]
            fn ln_near_one(self) -> Self {
                $ln_near_one(self)
            }

            #[inline(always)]
            fn split(self) -> (Self, Self) {
                let small = self < $float::MIN_POSITIVE;
                let scaled = if small { self * power_of_two::$float($fraction) } else { self };
                let taken: $int = if small { $fraction } else { 0 };
                let bits = scaled.to_bits();
                // Subtracting the root of 1/2 moves the borders of the binades there.
                let e = (bits.wrapping_sub($table::ROOT_HALF.to_bits()) as $int) >> $fraction;
                let m = $float::from_bits(bits.wrapping_sub((e as $bits) << $fraction));
                (m, e.wrapping_sub(taken) as $float)
            }

            #[inline(always)]
            fn scaled(self, shifted: Self) -> Self {
                let shift: $float = $shift;
                let n = shifted.to_bits().wrapping_sub(shift.to_bits()) as $int;
                let half = n >> 1;
                self * power_of_two::$float(half) * power_of_two::$float(n.wrapping_sub(half))
            }

            #[inline(always)]
            fn quadrant(shifted: Self) -> u32 {
                shifted.to_bits() as u32 & 3
            }

            fn reduced_far(self) -> (u32, Pair<Self>) {
                let (quadrant, rest) = far::reduced($widen(self));
                let high = $narrow(rest.high);
                (quadrant, Pair { high, low: $narrow(rest.high - $widen(high) + rest.low) })
            }
        }
    };
}

real!(
    f32, u32, i32, 23, 127, single,
    12_582_912.0 [-104.0, 89.0] [-151.0, 129.0] 90.0 10.0 17_179_869_184.0 32_768.0,
    ln_near_one_single, f64::from, |x: f64| x as f32
);
real!(
    f64, u64, i64, 52, 1023, double,
    6_755_399_441_055_744.0 [-746.0, 710.0] [-1076.0, 1025.0] 711.0 20.0 36_893_488_147_419_103_232.0 1_073_741_824.0,
    ln_near_one_double, f64::from, f64::from
);

/// 2 to the power of an exponent. The result is a normal float except if the argument of a function is NaN, when it may
/// be any number.
mod power_of_two {
    #[inline(always)]
    pub fn f32(exponent: i32) -> f32 {
        f32::from_bits((exponent.wrapping_add(127) as u32) << 23)
    }

    #[inline(always)]
    pub fn f64(exponent: i64) -> f64 {
        f64::from_bits((exponent.wrapping_add(1023) as u64) << 52)
    }
}

/// ln(1 + f) by a polynomial in f.
#[inline(always)]
fn ln_near_one_single(f: f32) -> f32 {
    (f * f).mul_add(f.mul_add(polynomial(&single::LN, f), -0.5), f)
}

/// ln(1 + f) as 2 atanh(s): a polynomial in f would be long.
#[inline(always)]
fn ln_near_one_double(f: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    (-s).mul_add((-z).mul_add(polynomial(&double::LN, z), f), f)
}

/// Horner's rule; the constant term comes first.
#[inline(always)]
pub fn polynomial<F: Real>(coefficients: &[F], x: F) -> F {
    let Some((&last, others)) = coefficients.split_last() else {
        return F::NAN;
    };
    others.iter().rev().fold(last, |sum, &coefficient| sum.fma(x, coefficient))
}
