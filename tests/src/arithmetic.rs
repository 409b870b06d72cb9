//! The arithmetic of the language in plain Rust, for hand-written loops.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use systolic::{bf16, f16};

/// The float types of the generic workloads.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
{
    /// Zero.
    const ZERO: Self;
    /// `self · a + b`, rounded once.
    fn fma(self, a: Self, b: Self) -> Self;
    /// The absolute value.
    fn magnitude(self) -> Self;
    /// The square root.
    fn root(self) -> Self;
    /// Whether it is not a number.
    fn nan(self) -> bool;
    /// Whether its sign is negative, zeros and NaNs included.
    fn minus(self) -> bool;
}

macro_rules! reals {
    ($($t:ty),+) => {$(
        impl Real for $t {
            const ZERO: Self = 0.0;

            fn fma(self, a: Self, b: Self) -> Self {
                self.mul_add(a, b)
            }

            fn magnitude(self) -> Self {
                self.abs()
            }

            fn root(self) -> Self {
                self.sqrt()
            }

            fn nan(self) -> bool {
                self.is_nan()
            }

            fn minus(self) -> bool {
                self.is_sign_negative()
            }
        }
    )+};
}

reals!(f32, f64);

/// A float type, and the type in which its operations are computed, each rounded back.
pub trait Float: Copy + PartialOrd {
    /// The type in which operations are computed.
    type Wide: Real;
    /// Converts exactly.
    fn wide(self) -> Self::Wide;
    /// Rounds to nearest even.
    fn narrow(wide: Self::Wide) -> Self;
}

macro_rules! floats {
    ($($t:ty, $wide:ty, $up:expr, $down:expr;)+) => {$(
        impl Float for $t {
            type Wide = $wide;

            fn wide(self) -> $wide {
                $up(self)
            }

            fn narrow(wide: $wide) -> Self {
                $down(wide)
            }
        }
    )+};
}

floats! {
    f16, f32, f16::to_f32, f16::from_f32;
    bf16, f32, bf16::to_f32, bf16::from_f32;
    f32, f32, std::convert::identity, std::convert::identity;
    f64, f64, std::convert::identity, std::convert::identity;
}

/// The larger of two: if one is NaN, the other; −0 is below +0.
pub fn larger<T: Real>(a: T, b: T) -> T {
    if a.nan() || a < b || a == b && a.minus() { b } else { a }
}

/// The smaller of two: if one is NaN, the other; −0 is below +0.
pub fn smaller<T: Real>(a: T, b: T) -> T {
    if a.nan() || b < a || a == b && b.minus() { b } else { a }
}

/// The exact value `integer · 2^exponent`, rounded once to `digits` binary digits, ties to even, where the last digit
/// is worth at least `2^least`. The caller has to turn values beyond the range into infinity.
fn round(integer: i128, exponent: i32, digits: u32, least: i32) -> f64 {
    let magnitude = integer.unsigned_abs();
    let length = 128 - magnitude.leading_zeros();
    let drop = (length.saturating_sub(digits) as i32).max(least - exponent).max(0) as u32;
    let rounded = if drop == 0 {
        magnitude
    } else if drop > 127 {
        0
    } else {
        let (kept, rest, half) = (magnitude >> drop, magnitude & ((1 << drop) - 1), 1 << (drop - 1));
        if rest > half || rest == half && kept & 1 == 1 { kept + 1 } else { kept }
    };
    // At most `digits` + 1 digits are left, so neither factor is rounded.
    let value = rounded as f64 * power(exponent + drop as i32);
    if integer < 0 { -value } else { value }
}

/// `2^exponent`, subnormal powers included.
fn power(exponent: i32) -> f64 {
    if exponent < -1022 { f64::from_bits(1 << (exponent + 1074).max(0)) } else { 2f64.powi(exponent) }
}

/// A finite double as an integer and an exponent.
fn parts(x: f64) -> (i128, i32) {
    let bits = x.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i128;
    let (integer, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    (if x < 0.0 { -integer } else { integer }, exponent)
}

/// A double as a half, rounded once.
pub fn half(x: f64) -> f16 {
    if !x.is_finite() || x == 0.0 {
        return f16::from_f64(x);
    }
    let (integer, exponent) = parts(x);
    narrow_half(round(integer, exponent, 11, -24), x < 0.0)
}

/// A double as a bfloat, rounded once.
pub fn brain(x: f64) -> bf16 {
    if !x.is_finite() || x == 0.0 {
        return bf16::from_f64(x);
    }
    let (integer, exponent) = parts(x);
    narrow_brain(round(integer, exponent, 8, -133), x < 0.0)
}

/// An integer as a half, rounded once.
pub fn half_of_integer(x: i128) -> f16 {
    narrow_half(round(x, 0, 11, -24), x < 0)
}

/// An integer as a bfloat, rounded once.
pub fn brain_of_integer(x: i128) -> bf16 {
    narrow_brain(round(x, 0, 8, -133), x < 0)
}

/// Converts a value that is exactly a half or exceeds all of them; a value rounded to zero keeps its sign.
fn narrow_half(x: f64, minus: bool) -> f16 {
    let x = if x.abs() > 65504.0 { f64::INFINITY.copysign(x) } else { x };
    f16::from_f64(if minus { -x.abs() } else { x })
}

/// Converts a value that is exactly a bfloat or exceeds all of them; a value rounded to zero keeps its sign.
fn narrow_brain(x: f64, minus: bool) -> bf16 {
    let x = if x.abs() > f64::from(f32::from_bits(0x7f7f_0000)) { f64::INFINITY.copysign(x) } else { x };
    bf16::from_f64(if minus { -x.abs() } else { x })
}
