//! The cast of a lane, written so that LLVM vectorises it. It does not vectorise saturating casts from floats by itself.
#![allow(unsafe_code)]
use systolic_arith::{CastTo, Scalar, Type};

/// Returns `x as U`, with the bits of `systolic_arith`.
#[cfg_attr(optimised, inline(always))]
pub fn cast<T: CastTo<U>, U: Scalar>(x: T) -> U {
    let limits = match (T::TYPE, U::TYPE) {
        (Type::F32, Type::I8) => (i8::MIN.into(), i8::MAX.into()),
        (Type::F32, Type::U8) => (0, u8::MAX.into()),
        (Type::F32, Type::I16) => (i16::MIN.into(), i16::MAX.into()),
        (Type::F32, Type::U16) => (0, u16::MAX.into()),
        (Type::F32, Type::I32) => (i32::MIN, i32::MAX),
        _ => return x.cast(),
    };
    U::of_bits(saturate(f32::from_bits(x.bits() as u32), limits) as u64)
}

/// Rounds a float towards zero and saturates it at the limits; NaN becomes 0.
#[cfg_attr(optimised, inline(always))]
fn saturate(x: f32, (low, high): (i32, i32)) -> i32 {
    // `low` is exact as a float; `high` may round up to a float that is no `i32`.
    let above = x >= high as f32;
    let inside = if x >= low as f32 && !above { x } else { 0.0 };
    // SAFETY: the float is 0, or at least `low` and less than `high` rounded up, so it is in the range of `i32`.
    let whole = unsafe { inside.to_int_unchecked::<i32>() };
    let whole = if above { high } else { whole };
    if x < low as f32 { low } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<U: Scalar>()
    where
        f32: CastTo<U>,
    {
        // Every 4,099th float, and the neighbours of every power of two and of the limits of each type.
        let powers = (0..=u32::MAX).step_by(1 << 23).flat_map(|bits| (-3..4).map(move |k| bits.wrapping_add_signed(k)));
        let edges = [127.0, 128.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0, 65536.0f32];
        let edges = edges.into_iter().flat_map(|x| [x, -x, x + 0.5, -x - 0.5, x - 0.5]).map(f32::to_bits);
        for bits in (0..u32::MAX).step_by(4099).chain(powers).chain(edges) {
            let x = f32::from_bits(bits);
            let expected: U = CastTo::cast(x);
            assert_eq!(cast::<f32, U>(x).bits(), expected.bits(), "{x:e}");
        }
    }

    #[test]
    fn saturating_casts_have_the_bits_of_the_arithmetic() {
        check::<i8>();
        check::<u8>();
        check::<i16>();
        check::<u16>();
        check::<i32>();
    }
}
