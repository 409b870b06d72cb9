//! Division of all lanes by one number, as a multiplication and shifts: CPUs have no integer division of vectors. The factors are
//! those of Granlund and Montgomery, "Division by invariant integers using multiplication", figures 4.1 and 5.1.

/// x / by = (h + ((x − h) >> first)) >> second, where h is the upper half of x · factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsigned {
    pub factor: u64,
    pub first: u32,
    pub second: u32,
}

impl Unsigned {
    /// Returns the factor and shifts for numbers of `bits` bits, at most 32; `None` for division by 0.
    #[cfg_attr(optimised, inline(always))]
    pub const fn new(by: u64, bits: u32) -> Option<Unsigned> {
        if by == 0 {
            return None;
        }
        let length = (u64::BITS - (by - 1).leading_zeros()) as u64;
        let factor = (((1 << length) - by) << bits) / by + 1;
        let (first, second) = if length == 0 { (0, 0) } else { (1, length as u32 - 1) };
        Some(Unsigned { factor, first, second })
    }
}

/// x / by = ± ((x + h) >> shift − sign of x), where h is the upper half of x · factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    /// As a number of `bits` bits it may be negative.
    pub factor: i64,
    pub shift: u32,
    pub negate: bool,
}

impl Signed {
    /// Returns the factor and shift for numbers of `bits` bits, at most 32; `None` for division by 0.
    #[cfg_attr(optimised, inline(always))]
    pub const fn new(by: i64, bits: u32) -> Option<Signed> {
        if by == 0 {
            return None;
        }
        let size = by.unsigned_abs();
        let length = u64::BITS - (size - 1).leading_zeros();
        let length = if length == 0 { 1 } else { length };
        let factor = (1u64 << (bits + length - 1)) / size + 1;
        Some(Signed { factor: factor as i64 - (1i64 << bits), shift: length - 1, negate: by < 0 })
    }
}

/// Functions that divide vectors of one level by one number.
#[cfg(all(optimised, target_arch = "x86_64"))]
macro_rules! divided {
    ($($name:ident: unsigned $type:ident in $vector:ty, $signed:ty: $splat:ident $high:ident $add:ident $sub:ident $right:ident;)+) => {
        $(/// `x / by` in every lane; 0 for division by 0.
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(x: $vector, by: $type) -> $vector {
            // SAFETY: called only by methods of registers, whose caller guarantees the level.
            unsafe {
                let Some(number) = Unsigned::new(by as u64, $type::BITS) else { return $splat(0) };
                let high = $high(x, $splat(number.factor as $signed));
                let left = $right($sub(x, high), _mm_cvtsi32_si128(number.first as i32));
                $right($add(high, left), _mm_cvtsi32_si128(number.second as i32))
            }
        })+
    };
    ($($name:ident: signed $type:ident in $vector:ty, $signed:ty: $splat:ident $high:ident $add:ident $sub:ident $right:ident;)+) => {
        $(/// `x / by` in every lane; 0 for division by 0.
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(x: $vector, by: $type) -> $vector {
            // SAFETY: called only by methods of registers, whose caller guarantees the level.
            unsafe {
                let Some(number) = Signed::new(by as i64, $type::BITS) else { return $splat(0) };
                let sum = $add(x, $high(x, $splat(number.factor as $signed)));
                let sign = $right(x, _mm_cvtsi32_si128($type::BITS as i32 - 1));
                let quotient = $sub($right(sum, _mm_cvtsi32_si128(number.shift as i32)), sign);
                if number.negate { $sub($splat(0), quotient) } else { quotient }
            }
        })+
    };
}

/// The methods of a register that divide by one number, by such a function.
#[cfg(all(optimised, target_arch = "x86_64"))]
macro_rules! divide {
    ($type:ident |$x:ident, $by:ident| $quotient:expr) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn div_by(self, $by: $type) -> Self {
            let $x = self;
            // SAFETY: guaranteed by the caller.
            unsafe { $quotient }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn rem_by(self, by: $type) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let all = <Self as Register<$type>>::splat(by);
                if by == 0 {
                    return all;
                }
                let whole = <Self as Register<$type>>::mul(<Self as Register<$type>>::div_by(self, by), all);
                <Self as Register<$type>>::sub(self, whole)
            }
        }
    };
}
#[cfg(all(optimised, target_arch = "x86_64"))]
pub(super) use {divide, divided};

#[cfg(test)]
mod tests {
    use super::{Signed, Unsigned};

    /// The quotient that the factor and shifts give, for numbers of `bits` bits.
    fn unsigned(x: u64, by: u64, bits: u32) -> u64 {
        let mask = (1 << bits) - 1;
        let number = Unsigned::new(by, bits).unwrap();
        let high = (x * (number.factor & mask)) >> bits;
        let left = (x.wrapping_sub(high) & mask) >> number.first;
        ((high + left) & mask) >> number.second
    }

    fn signed(x: i64, by: i64, bits: u32) -> i64 {
        let wrapped = |x: i64| x << (64 - bits) >> (64 - bits);
        let number = Signed::new(by, bits).unwrap();
        let sum = wrapped(x + ((x * wrapped(number.factor)) >> bits));
        let quotient = (sum >> number.shift) - (x >> 63);
        wrapped(if number.negate { -quotient } else { quotient })
    }

    #[test]
    fn quotients_of_all_bytes() {
        for by in 1..256 {
            (0..256).for_each(|x| assert_eq!(unsigned(x, by, 8), x / by, "{x} / {by}"));
        }
        for by in (-128..128).filter(|by| *by != 0) {
            for x in -128..128 {
                assert_eq!(signed(x, by, 8), i64::from((x as i8).wrapping_div(by as i8)), "{x} / {by}");
            }
        }
        assert_eq!((Unsigned::new(0, 8), Signed::new(0, 8)), (None, None));
    }

    #[test]
    fn quotients_of_shorts_and_words() {
        let sizes =
            [1u32, 2, 3, 5, 7, 10, 127, 128, 129, 255, 641, 1000, 32767, 32768, 65535, 65536, 1 << 31, u32::MAX];
        for by in sizes {
            let around = |x: u32| [x.wrapping_sub(1), x, x.wrapping_add(1)];
            let multiples =
                (0..200u32).flat_map(|k| around(k.wrapping_mul(by))).chain((0..31).flat_map(|k| around(1 << k)));
            for x in multiples.chain([0, u32::MAX, u32::MAX - by, 1 << 31]) {
                assert_eq!(unsigned(x.into(), by.into(), 32), u64::from(x / by), "{x} / {by}");
                let (a, b) = (x as i32, by as i32);
                assert_eq!(signed(a.into(), b.into(), 32), i64::from(a.wrapping_div(b)), "{a} / {b}");
                let (a, b) = (x as u16, by as u16);
                if b != 0 {
                    assert_eq!(unsigned(a.into(), b.into(), 16), u64::from(a / b), "{a} / {b}");
                    let (a, b) = (a as i16, b as i16);
                    assert_eq!(signed(a.into(), b.into(), 16), i64::from(a.wrapping_div(b)), "{a} / {b}");
                }
            }
        }
    }
}
