//! The scalar operations of all element types in one trait. An operation that a type lacks returns its first operand; emitted
//! code never calls it.
use systolic_arith::{Bits, Float, Integer, Number, Scalar, bf16, f16};

/// The operations of one lane, defined for all types.
pub trait Lane: Scalar {
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `self / other`.
    fn div(self, other: Self) -> Self;
    /// `self % other`.
    fn rem(self, other: Self) -> Self;
    /// The smaller of two.
    fn min(self, other: Self) -> Self;
    /// The larger of two.
    fn max(self, other: Self) -> Self;
    /// `self & other`.
    fn and(self, other: Self) -> Self;
    /// `self | other`.
    fn or(self, other: Self) -> Self;
    /// `self ^ other`.
    fn xor(self, other: Self) -> Self;
    /// `-self`.
    fn neg(self) -> Self;
    /// `!self`.
    fn not(self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
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
    /// `self` to the power of `other`.
    fn pow(self, other: Self) -> Self;
    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
    /// The tangent.
    fn tan(self) -> Self;
    /// The angle whose tangent this is.
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
    /// `self * factor + summand`, rounded once.
    fn fma(self, factor: Self, summand: Self) -> Self;
    /// [`min`](Lane::min), for one lane whose next step waits for it.
    #[cfg_attr(optimised, inline(always))]
    fn min_alone(self, other: Self) -> Self {
        Lane::min(self, other)
    }
    /// [`max`](Lane::max), for one lane whose next step waits for it.
    #[cfg_attr(optimised, inline(always))]
    fn max_alone(self, other: Self) -> Self {
        Lane::max(self, other)
    }
    /// `self << count`, with the count modulo the width.
    fn shl(self, count: u32) -> Self;
    /// `self >> count`, with the count modulo the width.
    fn shr(self, count: u32) -> Self;
}

/// Applies a macro to the list of the elementary functions and roundings of floats, after any other tokens.
macro_rules! functions {
    ($each:ident $($before:tt)*) => {
        $each! {
            $($before)*
            exp() ln() exp2() log2() pow(b) sin() cos() tan() atan() sinh() cosh() tanh()
            floor() ceil() round() round_even() trunc()
        }
    };
}
pub(super) use functions;

/// Operations that a trait of `systolic_arith` has.
macro_rules! has {
    ($of:ident: $($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, $($other: Self),*) -> Self {
            $of::$name(self, $($other),*)
        })+
    };
}

/// Operations that the type lacks.
macro_rules! lacks {
    ($($name:ident($($other:ident $(: $type:ty)?),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, $(_: lacks!(@type $($type)?)),*) -> Self {
            self
        })+
    };
    (@type $type:ty) => { $type };
    (@type) => { Self };
}

macro_rules! shifts {
    () => {
        #[cfg_attr(optimised, inline(always))]
        fn shl(self, count: u32) -> Self {
            Integer::shl(self, count)
        }
        #[cfg_attr(optimised, inline(always))]
        fn shr(self, count: u32) -> Self {
            Integer::shr(self, count)
        }
    };
}

macro_rules! numbers {
    () => {
        has!(Number: add(o) sub(o) mul(o) div(o) rem(o) min(o) max(o) neg() abs() fma(b, c));
    };
}

macro_rules! floats {
    ($($type:ident $alone:tt)+) => {
        $(impl Lane for $type {
            numbers!();
            has!(Float: sqrt());
            functions!(has Float:);
            lacks!(and(o: Self) or(o: Self) xor(o: Self) not() shl(n: u32) shr(n: u32));
            alone!($alone);
        })+
    };
}

/// The smaller or larger of two floats as one instruction and a branch that is hardly ever taken: the instruction is exact
/// unless its result is a zero, of either sign, or no number.
macro_rules! alone {
    ({}) => {};
    ({ $zero:literal }) => {
        // Not `!=`, which holds for what is no number.
        #[allow(clippy::double_comparisons)]
        #[cfg_attr(optimised, inline(always))]
        fn min_alone(self, other: Self) -> Self {
            let least = if self < other { self } else { other };
            if least < $zero || least > $zero { least } else { rarely(self, other, Lane::min) }
        }
        #[allow(clippy::double_comparisons)]
        #[cfg_attr(optimised, inline(always))]
        fn max_alone(self, other: Self) -> Self {
            let most = if self > other { self } else { other };
            if most < $zero || most > $zero { most } else { rarely(self, other, Lane::max) }
        }
    };
}

#[cold]
#[inline(never)]
fn rarely<T>(a: T, b: T, by: fn(T, T) -> T) -> T {
    by(a, b)
}

macro_rules! integers {
    ($($type:ident)+) => {
        $(impl Lane for $type {
            numbers!();
            has!(Bits: and(o) or(o) xor(o) not());
            lacks!(sqrt());
            functions!(lacks);
            shifts!();
        })+
    };
}

floats!(f16 {} bf16 {} f32 { 0.0 } f64 { 0.0 });
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Lane for bool {
    has!(Bits: and(o) or(o) xor(o) not());
    lacks!(add(o: Self) sub(o: Self) mul(o: Self) div(o: Self) rem(o: Self) min(o: Self) max(o: Self));
    lacks!(neg() abs() sqrt() fma(b: Self, c: Self) shl(n: u32) shr(n: u32));
    functions!(lacks);
}
