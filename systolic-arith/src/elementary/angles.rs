//! The functions of angles.

use super::pair::Pair;
use super::real::{Real, polynomial};

/// An angle as a number of quarter turns modulo 4 and a rest of at most an eighth turn.
#[derive(Clone, Copy)]
pub struct Turned<F> {
    quadrant: u32,
    rest: Pair<F>,
}

/// Any angle that is not negative.
#[inline(always)]
pub fn reduced<F: Real>(a: F) -> Turned<F> {
    if a < F::FAR {
        reduced_near(a)
    } else {
        let (quadrant, rest) = a.reduced_far();
        Turned { quadrant, rest }
    }
}

/// An angle from 0 to `FAR`. The first difference is exact, and pi/2 has the digits of three floats.
#[inline(always)]
pub fn reduced_near<F: Real>(a: F) -> Turned<F> {
    let shifted = a.fma(F::TWO_OVER_PI, F::SHIFT);
    let n = shifted - F::SHIFT;
    let r = (-n).fma(F::HALF_PI[0], a);
    let second = Pair::product(n, F::HALF_PI[1]);
    let r = Pair::sum(r, -second.high);
    let low = (-n).fma(F::HALF_PI[2], r.low - second.low);
    Turned { quadrant: F::quadrant(shifted), rest: Pair::ordered_sum(r.high, low) }
}

/// The sine and the cosine of the rest.
#[inline(always)]
fn both<F: Real>(rest: Pair<F>) -> (Pair<F>, Pair<F>) {
    let (one, half) = (F::of(1.0), F::of(0.5));
    let (r, low) = (rest.high, rest.low);
    let z = Pair::product(r, r);
    let tilt = low * (-half).fma(z.high, one);
    let sine = Pair::ordered_sum(r, (r * z.high).fma(polynomial(F::SIN, z.high), tilt));
    let halved = z.high * half;
    let w = one - halved;
    let lost = (-half).fma(z.low, (one - w) - halved);
    let tail = lost + (z.high * z.high).fma(polynomial(F::COS, z.high), -(r * low));
    (sine, Pair::ordered_sum(w, tail))
}

/// The sine of `x`, given `x` without its sign, turned.
#[inline(always)]
pub fn sin<F: Real>(x: F, turned: Turned<F>) -> F {
    let (sine, cosine) = both(turned.rest);
    let value = if turned.quadrant & 1 == 0 { sine.high } else { cosine.high };
    value.negative_if((turned.quadrant & 2 != 0) != x.is_negative())
}

/// The cosine of an angle.
#[inline(always)]
pub fn cos<F: Real>(turned: Turned<F>) -> F {
    let (sine, cosine) = both(turned.rest);
    let value = if turned.quadrant & 1 == 0 { cosine.high } else { sine.high };
    value.negative_if((turned.quadrant + 1) & 2 != 0)
}

/// The tangent of `x`, given `x` without its sign, turned.
#[inline(always)]
pub fn tan<F: Real>(x: F, turned: Turned<F>) -> F {
    let (sine, cosine) = both(turned.rest);
    let odd = turned.quadrant & 1 != 0;
    let choose = |condition: bool, a: Pair<F>, b: Pair<F>| Pair {
        high: if condition { a.high } else { b.high },
        low: if condition { a.low } else { b.low },
    };
    let value = choose(odd, cosine, sine).over(choose(odd, sine, cosine));
    value.negative_if(odd != x.is_negative())
}

/// The angle whose tangent is `x`, from -pi/2 to pi/2. With t one of 0, 1/2, 1, 3/2 and infinity, it is
/// atan(t) + atan((x - t) / (1 + x t)).
#[inline(always)]
pub fn atan<F: Real>(x: F) -> F {
    let a = x.abs();
    let of = F::of;
    let (one, two) = (of(1.0), of(2.0));
    let steps = [of(0.4375), of(0.6875), of(1.1875), of(2.4375)];
    let choose = |by: [F; 5]| {
        let far = if a < steps[3] { by[3] } else { by[4] };
        let near = if a < steps[1] { by[1] } else { by[2] };
        let outer = if a < steps[2] { near } else { far };
        if a < steps[0] { by[0] } else { outer }
    };
    let above = choose([a, a + a - one, a - one, a - of(1.5), -one]);
    let below = choose([one, a + two, a + one, a.fma(of(1.5), one), a]);
    let s = above / below;
    let z = s * s;
    let sum = Pair::ordered_sum(choose(F::ATAN_HIGH), s);
    let tail = (s * z).fma(polynomial(F::ATAN, z), choose(F::ATAN_LOW));
    let value = sum.high + (sum.low + tail);
    value.negative_if(x.is_negative())
}
