//! The cast `as` between every pair of types that has one.

use crate::halves::{
    bf16_from_f32, bf16_from_f64, bf16_from_integer, f16_from_f32, f16_from_f64, f16_from_integer, f32_from_bf16,
    f32_from_f16,
};
use crate::{CastTo, bf16, f16};

/// Casts from one type to several, all by the same expression.
macro_rules! casts {
    ($from:ident => $($to:ident)+, |$x:ident| $body:expr) => {
        $(impl CastTo<$to> for $from {
            #[inline]
            fn cast(self) -> $to {
                let $x = self;
                $body as $to
            }
        })+
    };
}

/// A cast from one type to one other, by a function.
macro_rules! cast_by {
    ($from:ident => $to:ident, $function:expr) => {
        impl CastTo<$to> for $from {
            #[inline]
            fn cast(self) -> $to {
                $function(self)
            }
        }
    };
}

/// The casts from an integer type.
macro_rules! from_integers {
    ($($from:ident)+) => {
        $(
            casts!($from => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x);
            cast_by!($from => f16, |x| f16_from_integer(i128::from(x)));
            cast_by!($from => bf16, |x| bf16_from_integer(i128::from(x)));
        )+
    };
}

from_integers!(i8 i16 i32 i64 u8 u16 u32 u64);

casts!(bool => i8 i16 i32 i64 u8 u16 u32 u64 bool, |x| x);

casts!(f32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x);
cast_by!(f32 => f16, f16_from_f32);
cast_by!(f32 => bf16, bf16_from_f32);

casts!(f64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| x);
cast_by!(f64 => f16, f16_from_f64);
cast_by!(f64 => bf16, bf16_from_f64);

casts!(f16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| f32_from_f16(x));
cast_by!(f16 => f16, std::convert::identity);
cast_by!(f16 => bf16, |x| bf16_from_f32(f32_from_f16(x)));

casts!(bf16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64, |x| f32_from_bf16(x));
cast_by!(bf16 => f16, |x| f16_from_f32(f32_from_bf16(x)));
cast_by!(bf16 => bf16, std::convert::identity);
