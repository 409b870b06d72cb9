//! The four float types. `f16` and `bf16` are widened to `f32`, computed there, and rounded back.

use crate::halves::{bf16_from_f32, f16_from_f32, f32_from_bf16, f32_from_f16};
use crate::traits::sealed::Sealed;
use crate::{Float, Number, Scalar, Type, Value, bf16, elementary, f16};

/// Implements one float type, given the integer type of its bits, its sign bit, and the conversions to and from the
/// type in which it computes.
macro_rules! float {
    ($name:ident, $variant:ident, $bits:ident, $sign:literal, $functions:ident, $widen:path, $narrow:path) => {
        impl Sealed for $name {}

        impl Scalar for $name {
            const TYPE: Type = Type::$variant;

            #[inline]
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                $name::from_bits(bits as $bits)
            }

            #[inline]
            fn value(self) -> Value {
                Value::$variant(self)
            }

            #[inline]
            fn of_value(value: Value) -> Option<Self> {
                match value {
                    Value::$variant(x) => Some(x),
                    _ => None,
                }
            }

            #[inline]
            fn eq(self, other: Self) -> bool {
                $widen(self) == $widen(other)
            }

            #[inline]
            fn lt(self, other: Self) -> bool {
                $widen(self) < $widen(other)
            }

            #[inline]
            fn le(self, other: Self) -> bool {
                $widen(self) <= $widen(other)
            }
        }

        impl Number for $name {
            #[inline]
            fn add(self, other: Self) -> Self {
                $narrow($widen(self) + $widen(other))
            }

            #[inline]
            fn sub(self, other: Self) -> Self {
                $narrow($widen(self) - $widen(other))
            }

            #[inline]
            fn mul(self, other: Self) -> Self {
                $narrow($widen(self) * $widen(other))
            }

            #[inline]
            fn div(self, other: Self) -> Self {
                $narrow($widen(self) / $widen(other))
            }

            #[inline]
            fn rem(self, other: Self) -> Self {
                $narrow($widen(self) % $widen(other))
            }

            #[inline]
            fn min(self, other: Self) -> Self {
                let (a, b) = ($widen(self), $widen(other));
                if a == b {
                    // Equal floats differ at most in the sign of zero; min returns the negative one.
                    $name::from_bits(self.to_bits() | other.to_bits())
                } else if a < b || b.is_nan() {
                    self
                } else {
                    other
                }
            }

            #[inline]
            fn max(self, other: Self) -> Self {
                let (a, b) = ($widen(self), $widen(other));
                if a == b {
                    // As in min, but max returns the positive zero.
                    $name::from_bits(self.to_bits() & other.to_bits())
                } else if a > b || b.is_nan() {
                    self
                } else {
                    other
                }
            }

            #[inline]
            fn neg(self) -> Self {
                $name::from_bits(self.to_bits() ^ $sign)
            }

            #[inline]
            fn abs(self) -> Self {
                $name::from_bits(self.to_bits() & !$sign)
            }

            #[inline]
            fn fma(self, factor: Self, summand: Self) -> Self {
                $narrow($widen(self).mul_add($widen(factor), $widen(summand)))
            }
        }

        impl Float for $name {
            #[inline]
            fn sqrt(self) -> Self {
                $narrow($widen(self).sqrt())
            }

            float! { @elementary $functions $widen, $narrow:
                exp() ln() exp2() log2() pow(y) sin() cos() tan() atan() sinh() cosh() tanh()
            }
            float! { @exact $widen, $narrow:
                floor = floor, ceil = ceil, round = round, round_even = round_ties_even, trunc = trunc,
            }
        }
    };
    (@elementary $functions:ident $widen:path, $narrow:path: $($name:ident($($other:ident)?))+) => {
        $(
            #[inline]
            fn $name(self, $($other: Self)?) -> Self {
                $narrow(elementary::$functions::$name($widen(self), $($widen($other))?))
            }
        )+
    };
    (@exact $widen:path, $narrow:path: $($name:ident = $exact:ident,)+) => {
        $(
            #[inline]
            fn $name(self) -> Self {
                $narrow($widen(self).$exact())
            }
        )+
    };
}

float!(f16, F16, u16, 0x8000_u16, single, f32_from_f16, f16_from_f32);
float!(bf16, Bf16, u16, 0x8000_u16, single, f32_from_bf16, bf16_from_f32);
float!(f32, F32, u32, 0x8000_0000_u32, single, f32::from, f32::from);
float!(f64, F64, u64, 0x8000_0000_0000_0000_u64, double, f64::from, f64::from);
