//! The elementary functions as fixed sequences of IEEE operations, which every executor repeats exactly. The error stays
//! below 2 units in the last place, subnormals included; most functions stay below 1.
//!
//! Every step rounds to nearest even, and `fma` is the fused operation: nothing may be contracted, reordered or flushed
//! to zero. The constants are in [`table`]. A polynomial is evaluated by Horner's rule, one fma per coefficient, the
//! last coefficient first. Apparent branches are selections between two computed values, except for the reduction of
//! large angles. A *pair* is an unevaluated sum of two floats.
//!
//! # exp, exp2
//!
//! 1. `x` is limited to a range past which the result is 0 or infinity anyway.
//! 2. `shifted = fma(x, LOG2_E, SHIFT)`, where `SHIFT` is so large that the last place is 1: this
//!    rounds to an integer `n`, found as `shifted - SHIFT` and in the low bits of `shifted`.
//! 3. `r = fma(-n, LN_2_LOW, fma(-n, LN_2_HIGH, x))`. The inner one is exact.
//! 4. `p = 1 + fma(r * r, EXP(r), r)`.
//! 5. The result is `p * 2^h * 2^(n - h)`, with `h` the half of `n` rounded down. Both powers are
//!    normal, and only the last product rounds.
//!
//! `exp2` rounds `x` itself to `n`, and takes `x - n` times ln 2 as a pair for `r`.
//!
//! # ln, log2
//!
//! 1. A subnormal `x` is multiplied by a power of two, which is taken off the exponent in step 2.
//! 2. `x = m * 2^e`, with `m` from the root of 1/2 to the root of 2, by integer operations on the
//!    bits; `f = m - 1`, exactly.
//! 3. For `f32`, `y = fma(f * f, fma(f, LN(f), -1/2), f)`. For `f64` a polynomial in `f` would be
//!    long, so `s = f / (2 + f)`, `z = s * s` and `y = fma(-s, fma(-z, LN(z), f), f)`; this is
//!    2 atanh(s), written as `f` less a correction.
//! 4. The result is `fma(e, LN_2_HIGH, fma(e, LN_2_LOW, y))`, but for the arguments 0, infinity,
//!    NaN and those below 0. `log2` multiplies `y` instead, by 1 / ln 2, and adds `e`.
//!
//! # pow
//!
//! The logarithm of the magnitude to base 2, as a pair: `e` and 2 atanh(s) / ln 2 with `s = f / (m + 1)`. Its product with
//! the exponent is a pair `h + l`, and the result is that of `exp2` with `l` times ln 2 added to `r`. The special cases
//! are those of IEEE 754: `pow(x, 0)` and `pow(1, y)` are 1 even for NaN, and a negative number has only powers whose
//! exponent is an integer.
//!
//! # sin, cos, tan
//!
//! 1. `|x|` is a number of quarter turns and a rest of at most pi/4, which is a pair. Below `FAR` the number is found as in
//!    `exp`, and its product with pi/2, the sum of three floats, is subtracted. From there on the product with 2/pi is
//!    computed with integers, from as many bits of 2/pi as matter: no argument is too large.
//! 2. Sine and cosine of the rest are polynomials in its square, each result a pair.
//! 3. The quarter turns modulo 4 choose one of them and its sign. The tangent is the quotient of the two pairs.
//!
//! # atan, sinh, cosh, tanh
//!
//! `atan` takes off the nearest of five angles and is a polynomial of the rest. `tanh` is `u / (u + 2)` with the pair
//! `u = e^2x - 1`. `cosh` and `sinh` add and subtract half of `e^x` and half of `e^-x`; `sinh` below 1 is a polynomial.

mod angles;
mod far;
mod hyperbolic;
mod pair;
mod powers;
mod real;
pub mod table;

/// Defines the functions of one precision.
macro_rules! functions {
    ($float:ident) => {
        use super::{angles, hyperbolic, powers};

        /// e to the power of `x`.
        #[inline]
        pub fn exp(x: $float) -> $float {
            powers::exp(x)
        }

        /// The natural logarithm of `x`.
        #[inline]
        pub fn ln(x: $float) -> $float {
            powers::ln(x)
        }

        functions! { $float:
            /// 2 to the power of `x`.
            exp2(x) = powers::exp2(x);
            /// The logarithm of `x` to base 2.
            log2(x) = powers::log2(x);
            /// `x` to the power of `y`.
            pow(x, y) = powers::pow(x, y);
            /// The sine of `x`.
            sin(x) = angles::sin(x, angles::reduced(x.abs()));
            /// The cosine of `x`.
            cos(x) = angles::cos(angles::reduced(x.abs()));
            /// The tangent of `x`.
            tan(x) = angles::tan(x, angles::reduced(x.abs()));
            /// The angle from -pi/2 to pi/2 whose tangent is `x`.
            atan(x) = angles::atan(x);
            /// The hyperbolic sine of `x`.
            sinh(x) = hyperbolic::sinh(x);
            /// The hyperbolic cosine of `x`.
            cosh(x) = hyperbolic::cosh(x);
            /// The hyperbolic tangent of `x`.
            tanh(x) = hyperbolic::tanh(x);
        }

        /// The functions that depend on the size of an angle, for those below [`FAR`](near::FAR) in magnitude: without
        /// branches, so that loops over them can be vectorised. Larger angles give any number.
        pub mod near {
            use super::super::{angles, real::Real};

            /// From here on, only the functions of the parent module are right.
            pub const FAR: $float = <$float as Real>::FAR;

            functions! { $float:
                /// The sine of `x`.
                sin(x) = angles::sin(x, angles::reduced_near(x.abs()));
                /// The cosine of `x`.
                cos(x) = angles::cos(angles::reduced_near(x.abs()));
                /// The tangent of `x`.
                tan(x) = angles::tan(x, angles::reduced_near(x.abs()));
            }
        }
    };
    ($float:ident: $($(#[$doc:meta])* $name:ident($($argument:ident),+) = $result:expr;)+) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name($($argument: $float),+) -> $float {
                $result
            }
        )+
    };
}

use functions;

/// For `f32`, computed in `f32`.
pub mod single {
    super::functions!(f32);
}

/// For `f64`.
pub mod double {
    super::functions!(f64);
}
