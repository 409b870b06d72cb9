//! The reduction of large angles: x * 2/pi modulo 4, from those bits of 2/pi that matter for the exponent of `x`
//! (Payne and Hanek's method). It is exact but for bits far below the last place of the result, so `sin`, `cos` and
//! `tan` are right for every finite argument.

use super::pair::Pair;
use super::table::{TWO_OVER_PI_BITS, double::HALF_PI};

/// The number of quarter turns modulo 4, and the rest between -pi/4 and pi/4, of an angle of at least 1. Not a number
/// for infinity and NaN.
pub fn reduced(x: f64) -> (u32, Pair<f64>) {
    let bits = x.to_bits();
    let m = bits & ((1 << 52) - 1) | 1 << 52;
    // x = m * 2^(exponent - 1075). The bit of 2/pi from which on the product counts modulo 4 stands here in the table,
    // whose first bit has the weight 2^63.
    let at = (bits >> 52 & 0x7ff) as usize - (1075 - 62);
    let (word, by) = (at / 64, at % 64);
    let window = |k: usize| TWO_OVER_PI_BITS[word + k] << by | TWO_OVER_PI_BITS[word + k + 1] >> 1 >> (63 - by);
    // The product modulo 2^192 is 4 times 2^190; its upper 128 bits suffice.
    let middle = u128::from(m) * u128::from(window(1));
    let least = (u128::from(m) * u128::from(window(2))) >> 64;
    let product = (u128::from(m.wrapping_mul(window(0))) << 64).wrapping_add(middle).wrapping_add(least);
    let quadrant = (product.wrapping_add(1 << 125) >> 126) as u32;
    // Without the quarter turns, a signed fraction of 128 bits between -1/2 and 1/2.
    let fraction = (product << 2) as i128;
    let magnitude = fraction.unsigned_abs();
    let part = |k: u32| f64::from((magnitude >> (96 - 32 * k)) as u32) * 2_f64.powi(-32 * (k as i32 + 1));
    let sum = Pair::ordered_sum(part(0), part(1));
    let sum = Pair::ordered_sum(sum.high, sum.low + (part(2) + part(3)));
    let rest = Pair { high: HALF_PI[0], low: HALF_PI[1] }.times(sum);
    let sign = if fraction < 0 { -1.0 } else { 1.0 };
    // 0 for a finite x.
    #[allow(clippy::eq_op)]
    let finite = x - x;
    (quadrant, Pair { high: rest.high * sign + finite, low: rest.low * sign })
}
