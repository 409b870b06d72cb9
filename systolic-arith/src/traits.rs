//! The operations of each type. The traits are sealed, because the set of types is part of the definition.

use std::fmt::Debug;

use crate::{Type, Value};

/// A type listed in [`Type`].
pub trait Scalar: sealed::Sealed + Copy + Debug + Default + Send + Sync + 'static {
    /// This type as data.
    const TYPE: Type;

    /// The bits, zero-extended.
    fn bits(self) -> u64;

    /// The value of these bits; those above the width are ignored.
    fn of_bits(bits: u64) -> Self;

    /// This as a [`Value`].
    fn value(self) -> Value;

    /// The content of a value; `None` if it has another type.
    fn of_value(value: Value) -> Option<Self>;

    /// `self == other`.
    fn eq(self, other: Self) -> bool;

    /// `self < other`; false if one is NaN.
    fn lt(self, other: Self) -> bool;

    /// `self <= other`; false if one is NaN.
    fn le(self, other: Self) -> bool;
}

/// A type with arithmetic.
pub trait Number: Scalar {
    /// `self + other`.
    fn add(self, other: Self) -> Self;

    /// `self - other`.
    fn sub(self, other: Self) -> Self;

    /// `self * other`.
    fn mul(self, other: Self) -> Self;

    /// `self / other`; integers give 0 for a zero divisor.
    fn div(self, other: Self) -> Self;

    /// `self % other`; integers give 0 for a zero divisor.
    fn rem(self, other: Self) -> Self;

    /// The smaller value; if one is NaN, the other.
    fn min(self, other: Self) -> Self;

    /// The larger value; if one is NaN, the other.
    fn max(self, other: Self) -> Self;

    /// `-self`.
    fn neg(self) -> Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// `self * factor + summand`, rounded once.
    fn fma(self, factor: Self, summand: Self) -> Self;
}

/// A float type.
pub trait Float: Number {
    /// The square root.
    fn sqrt(self) -> Self;

    /// e to the power of `self`.
    fn exp(self) -> Self;

    /// The natural logarithm.
    fn ln(self) -> Self;

    /// 2 to the power of `self`.
    fn exp2(self) -> Self;

    /// The logarithm to base 2.
    fn log2(self) -> Self;

    /// `self` to the power of `exponent`.
    fn pow(self, exponent: Self) -> Self;

    /// The sine.
    fn sin(self) -> Self;

    /// The cosine.
    fn cos(self) -> Self;

    /// The tangent.
    fn tan(self) -> Self;

    /// The angle from -pi/2 to pi/2 whose tangent this is.
    fn atan(self) -> Self;

    /// The hyperbolic sine.
    fn sinh(self) -> Self;

    /// The hyperbolic cosine.
    fn cosh(self) -> Self;

    /// The hyperbolic tangent.
    fn tanh(self) -> Self;

    /// The nearest integer that is not greater.
    fn floor(self) -> Self;

    /// The nearest integer that is not smaller.
    fn ceil(self) -> Self;

    /// The nearest integer; halves go away from zero.
    fn round(self) -> Self;

    /// The nearest integer; halves go to the even one.
    fn round_even(self) -> Self;

    /// The integer part.
    fn trunc(self) -> Self;
}

/// A type with bitwise operations: the integers and `bool`.
pub trait Bits: Scalar {
    /// `self & other`.
    fn and(self, other: Self) -> Self;

    /// `self | other`.
    fn or(self, other: Self) -> Self;

    /// `self ^ other`.
    fn xor(self, other: Self) -> Self;

    /// `!self`.
    fn not(self) -> Self;
}

/// An integer type.
pub trait Integer: Number + Bits {
    /// `self << count`, the count taken modulo the width.
    fn shl(self, count: u32) -> Self;

    /// `self >> count`, the count taken modulo the width.
    fn shr(self, count: u32) -> Self;

    /// This as a shift count: congruent to `self` modulo every width, and never negative.
    fn shift_count(self) -> u32;
}

/// The cast `as`.
pub trait CastTo<To: Scalar>: Scalar {
    /// `self as To`.
    fn cast(self) -> To;
}

pub(crate) mod sealed {
    /// Implemented only for the types of this crate.
    pub trait Sealed {}
}
