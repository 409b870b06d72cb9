//! Integers and `bool`: all arithmetic wraps, and nothing panics.

use crate::traits::sealed::Sealed;
use crate::{Bits, Integer, Number, Scalar, Type, Value};

/// Implements one integer type, given its unsigned counterpart and its absolute value function.
macro_rules! integer {
    ($name:ident, $unsigned:ident, $variant:ident, $abs:expr) => {
        impl Sealed for $name {}

        impl Scalar for $name {
            const TYPE: Type = Type::$variant;

            #[inline]
            fn bits(self) -> u64 {
                u64::from(self as $unsigned)
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                bits as $name
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
                self == other
            }

            #[inline]
            fn lt(self, other: Self) -> bool {
                self < other
            }

            #[inline]
            fn le(self, other: Self) -> bool {
                self <= other
            }
        }

        impl Number for $name {
            #[inline]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline]
            fn div(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }

            #[inline]
            fn rem(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }

            #[inline]
            fn min(self, other: Self) -> Self {
                if other < self { other } else { self }
            }

            #[inline]
            fn max(self, other: Self) -> Self {
                if other > self { other } else { self }
            }

            #[inline]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }

            #[inline]
            fn abs(self) -> Self {
                $abs(self)
            }

            #[inline]
            fn fma(self, factor: Self, summand: Self) -> Self {
                self.wrapping_mul(factor).wrapping_add(summand)
            }
        }

        impl Bits for $name {
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline]
            fn not(self) -> Self {
                !self
            }
        }

        impl Integer for $name {
            #[inline]
            fn shl(self, count: u32) -> Self {
                self.wrapping_shl(count)
            }

            #[inline]
            fn shr(self, count: u32) -> Self {
                self.wrapping_shr(count)
            }

            #[inline]
            fn shift_count(self) -> u32 {
                // Every width divides 64, so the low six bits of two's complement are the count modulo the width, for
                // either sign.
                (self as u32) & 63
            }
        }
    };
}

integer!(i8, u8, I8, i8::wrapping_abs);
integer!(i16, u16, I16, i16::wrapping_abs);
integer!(i32, u32, I32, i32::wrapping_abs);
integer!(i64, u64, I64, i64::wrapping_abs);
integer!(u8, u8, U8, std::convert::identity);
integer!(u16, u16, U16, std::convert::identity);
integer!(u32, u32, U32, std::convert::identity);
integer!(u64, u64, U64, std::convert::identity);

impl Sealed for bool {}

impl Scalar for bool {
    const TYPE: Type = Type::Bool;

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self)
    }

    #[inline]
    fn of_bits(bits: u64) -> Self {
        bits & 1 == 1
    }

    #[inline]
    fn value(self) -> Value {
        Value::Bool(self)
    }

    #[inline]
    fn of_value(value: Value) -> Option<Self> {
        match value {
            Value::Bool(x) => Some(x),
            _ => None,
        }
    }

    #[inline]
    fn eq(self, other: Self) -> bool {
        self == other
    }

    #[inline]
    fn lt(self, other: Self) -> bool {
        !self & other
    }

    #[inline]
    fn le(self, other: Self) -> bool {
        !self | other
    }
}

impl Bits for bool {
    #[inline]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline]
    fn not(self) -> Self {
        !self
    }
}
