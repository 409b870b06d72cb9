//! Conversions between the 16-bit floats and `f32`, and the rounding of wider values to them. The conversions of `half`
//! are not used: from `f64` they round twice or drop bits, depending on the machine.

use std::cmp::Ordering;

use crate::{bf16, f16};

/// Widens exactly.
#[inline]
pub(crate) fn f32_from_f16(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let sign = (bits & 0x8000) << 16;
    let magnitude = (bits & 0x7fff) << 13;
    let widened = if bits & 0x7c00 == 0x7c00 {
        magnitude | 0x7f80_0000
    } else {
        // The exponent biases differ by 112: one exact multiplication corrects the bias and normalises subnormals.
        (f32::from_bits(magnitude) * power_of_two(112)).to_bits()
    };
    f32::from_bits(sign | widened)
}

/// Widens exactly.
#[inline]
pub(crate) fn f32_from_bf16(x: bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// Rounds to nearest even.
#[inline]
pub(crate) fn f16_from_f32(x: f32) -> f16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    let rounded = if magnitude > 0x7f80_0000 {
        0x7e00
    } else if magnitude >= 65536_f32.to_bits() {
        0x7c00
    } else if magnitude < power_of_two(-14).to_bits() {
        // The last place of floats from 1/2 to 1 is 2^-24, like that of subnormal f16, so the addition rounds at the
        // right place.
        (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5_f32.to_bits()
    } else {
        // Adds just under half of the last place that is kept, or exactly half if that place is odd, so that a carry
        // rounds up. The carry may reach the exponent and give infinity, which is correct.
        let odd = (magnitude >> 13) & 1;
        (magnitude - (112 << 23) + 0xfff + odd) >> 13
    };
    f16::from_bits((sign | rounded) as u16)
}

/// Rounds to nearest even.
#[inline]
pub(crate) fn bf16_from_f32(x: f32) -> bf16 {
    let bits = x.to_bits();
    let rounded = if x.is_nan() {
        (bits & 0x8000_0000) | 0x7fc0_0000
    } else {
        // As in f16_from_f32, but with equal exponents. The carry never reaches the sign, because infinity has no
        // fraction.
        bits + 0x7fff + ((bits >> 16) & 1)
    };
    bf16::from_bits((rounded >> 16) as u16)
}

/// Rounds once, from `f64`.
#[inline]
pub(crate) fn f16_from_f64(x: f64) -> f16 {
    f16_from_f32(odd_from_f64(x))
}

/// Rounds once, from `f64`.
#[inline]
pub(crate) fn bf16_from_f64(x: f64) -> bf16 {
    bf16_from_f32(odd_from_f64(x))
}

/// Rounds once, from any integer.
#[inline]
pub(crate) fn f16_from_integer(x: i128) -> f16 {
    f16_from_f32(odd_from_integer(x))
}

/// Rounds once, from any integer.
#[inline]
pub(crate) fn bf16_from_integer(x: i128) -> bf16 {
    bf16_from_f32(odd_from_integer(x))
}

/// Rounds to odd: of the two floats around a value that is not a float, returns the one whose last bit is set. Rounding
/// the result to a 16-bit float equals rounding the value: the last bit shows that the value was inexact, so no false
/// tie can arise.
///
/// `near` is one of those two floats, or the value itself; `side` says how the magnitude of the value compares with
/// that of `near`.
#[inline]
pub(crate) fn odd(near: f32, side: Ordering) -> f32 {
    let bits = near.to_bits();
    match side {
        Ordering::Less if bits & 1 == 0 => f32::from_bits(bits.wrapping_sub(1)),
        Ordering::Greater if bits & 1 == 0 => f32::from_bits(bits | 1),
        _ => near,
    }
}

/// Rounds to odd, from `f64`.
#[inline]
fn odd_from_f64(x: f64) -> f32 {
    let near = x as f32;
    let side = x.abs().partial_cmp(&f64::from(near).abs());
    // NaN has no side and is returned unchanged.
    odd(near, side.unwrap_or(Ordering::Equal))
}

/// Rounds to odd, from any integer.
#[inline]
fn odd_from_integer(x: i128) -> f32 {
    let magnitude = x.unsigned_abs();
    let excess = (u128::BITS - magnitude.leading_zeros()).saturating_sub(f32::MANTISSA_DIGITS);
    let kept = (magnitude >> excess) as u32;
    let lost = u32::from((u128::from(kept) << excess) != magnitude);
    let rounded = (kept | lost) as f32 * power_of_two(excess as i32);
    if x < 0 { -rounded } else { rounded }
}

/// 2 to a power for which the result is a normal `f32`.
#[inline]
const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent) as u32) << 23)
}
