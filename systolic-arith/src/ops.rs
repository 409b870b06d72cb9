//! The operations as free functions, one name for all types, called by generated code.

use crate::{Bits, CastTo, Float, Integer, Number, Scalar};

/// Defines functions that forward to a trait.
macro_rules! functions {
    ($bound:ident: $($(#[$doc:meta])* $name:ident($($argument:ident),+) -> $result:ty;)+) => {
        $(
            $(#[$doc])*
            #[inline]
            pub fn $name<T: $bound>($($argument: T),+) -> $result {
                <T as $bound>::$name($($argument),+)
            }
        )+
    };
}

functions! { Number:
    /// `a + b`.
    add(a, b) -> T;
    /// `a - b`.
    sub(a, b) -> T;
    /// `a * b`.
    mul(a, b) -> T;
    /// `a / b`; integers give 0 for a zero divisor.
    div(a, b) -> T;
    /// `a % b`; integers give 0 for a zero divisor.
    rem(a, b) -> T;
    /// The smaller value; if one is NaN, the other.
    min(a, b) -> T;
    /// The larger value; if one is NaN, the other.
    max(a, b) -> T;
    /// `-a`.
    neg(a) -> T;
    /// The absolute value.
    abs(a) -> T;
    /// `a * b + c`, rounded once.
    fma(a, b, c) -> T;
}

functions! { Float:
    /// The square root.
    sqrt(a) -> T;
    /// e to the power of `a`.
    exp(a) -> T;
    /// The natural logarithm.
    ln(a) -> T;
    /// 2 to the power of `a`.
    exp2(a) -> T;
    /// The logarithm to base 2.
    log2(a) -> T;
    /// `a` to the power of `b`.
    pow(a, b) -> T;
    /// The sine.
    sin(a) -> T;
    /// The cosine.
    cos(a) -> T;
    /// The tangent.
    tan(a) -> T;
    /// The angle from -pi/2 to pi/2 whose tangent is `a`.
    atan(a) -> T;
    /// The hyperbolic sine.
    sinh(a) -> T;
    /// The hyperbolic cosine.
    cosh(a) -> T;
    /// The hyperbolic tangent.
    tanh(a) -> T;
    /// The nearest integer that is not greater.
    floor(a) -> T;
    /// The nearest integer that is not smaller.
    ceil(a) -> T;
    /// The nearest integer; halves go away from zero.
    round(a) -> T;
    /// The nearest integer; halves go to the even one.
    round_even(a) -> T;
    /// The integer part.
    trunc(a) -> T;
}

functions! { Bits:
    /// `a & b`.
    and(a, b) -> T;
    /// `a | b`.
    or(a, b) -> T;
    /// `a ^ b`.
    xor(a, b) -> T;
    /// `!a`.
    not(a) -> T;
}

functions! { Scalar:
    /// `a == b`.
    eq(a, b) -> bool;
    /// `a < b`.
    lt(a, b) -> bool;
    /// `a <= b`.
    le(a, b) -> bool;
}

/// `a != b`.
#[inline]
pub fn ne<T: Scalar>(a: T, b: T) -> bool {
    !eq(a, b)
}

/// `a > b`.
#[inline]
pub fn gt<T: Scalar>(a: T, b: T) -> bool {
    lt(b, a)
}

/// `a >= b`.
#[inline]
pub fn ge<T: Scalar>(a: T, b: T) -> bool {
    le(b, a)
}

/// `a << n`, with `n` taken modulo the width of `a`.
#[inline]
pub fn shl<T: Integer, N: Integer>(a: T, n: N) -> T {
    a.shl(n.shift_count())
}

/// `a >> n`, with `n` taken modulo the width of `a`.
#[inline]
pub fn shr<T: Integer, N: Integer>(a: T, n: N) -> T {
    a.shr(n.shift_count())
}

/// `x as To`.
#[inline]
pub fn cast<From: CastTo<To>, To: Scalar>(x: From) -> To {
    x.cast()
}
