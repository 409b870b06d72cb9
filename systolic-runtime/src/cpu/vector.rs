//! Vectors of 32 lanes: what emitted code computes with.
#![allow(unsafe_code)]
use super::lane::Lane;
use super::register::{List, Register};
use super::{ALL, LANES, Mask};
use systolic_arith::{bf16, f16};

/// An element type, with its vector of 32 lanes a feature level.
pub trait Element: Lane {
    /// On any CPU.
    type Plain: Vector<Self>;
    /// With AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Vector<Self>;
    /// With AVX-512 F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Vector<Self>;
    /// With NEON.
    #[cfg(target_arch = "aarch64")]
    type Neon: Vector<Self>;
}

macro_rules! elements {
    ($($type:ident: $avx2:ty, $avx512:ty, $neon:ty;)+) => {
        $(impl Element for $type {
            type Plain = Lanes<List<$type>>;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = Lanes<$avx2>;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = Lanes<$avx512>;
            #[cfg(target_arch = "aarch64")]
            type Neon = Lanes<$neon>;
        })+
    };
}

#[cfg(target_arch = "aarch64")]
use super::neon;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

elements! {
    f16: List<f16>, List<f16>, List<f16>;
    bf16: List<bf16>, List<bf16>, List<bf16>;
    f32: avx2::Singles, avx512::Singles, neon::Singles;
    f64: avx2::Doubles, avx512::Doubles, neon::Doubles;
    i8: List<i8>, List<i8>, List<i8>;
    i16: List<i16>, List<i16>, List<i16>;
    i32: avx2::Words, avx512::Words, neon::Words;
    i64: List<i64>, avx512::Longs, List<i64>;
    u8: List<u8>, List<u8>, List<u8>;
    u16: List<u16>, List<u16>, List<u16>;
    u32: avx2::Words, avx512::Words, List<u32>;
    u64: List<u64>, avx512::Longs, List<u64>;
}

impl Element for bool {
    type Plain = Bools;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = Bools;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = Bools;
    #[cfg(target_arch = "aarch64")]
    type Neon = Bools;
}

macro_rules! declare {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*);)+) => {
        $($(#[$doc])*
        fn $name(self, $($other: Self),*) -> Self;)+
    };
}

macro_rules! declare_compare {
    ($($name:ident)+) => {
        $(#[doc = "As `ops` of this name, lane l as bit l."]
        fn $name(self, other: Self) -> Mask;)+
    };
}

/// 32 lanes of `T`. An operation that the type lacks gives `self` back.
pub trait Vector<T: Element>: Copy {
    /// The same value in every lane; [`Simd::splat`](super::Simd::splat) is the safe one.
    /// # Safety
    /// The CPU has the level of this vector.
    unsafe fn splat(x: T) -> Self;

    /// These lanes; [`Simd::load`](super::Simd::load) is the safe one.
    /// # Safety
    /// The CPU has the level of this vector.
    unsafe fn load(lanes: &[T; LANES]) -> Self;

    /// The lanes, written out.
    fn store(self, to: &mut [T; LANES]);

    /// The lanes in the mask, written out; nothing else is touched.
    /// # Safety
    /// `to` may be written for the lanes in the mask.
    unsafe fn store_where(self, mask: Mask, to: *mut T);

    /// The lanes.
    #[cfg_attr(optimised, inline(always))]
    fn to_lanes(self) -> [T; LANES] {
        let mut lanes = [T::default(); LANES];
        self.store(&mut lanes);
        lanes
    }

    declare! {
        /// `self + other`.
        add(other);
        /// `self - other`.
        sub(other);
        /// `self * other`.
        mul(other);
        /// `self / other`; integers give 0 for a zero divisor.
        div(other);
        /// `self % other`; integers give 0 for a zero divisor.
        rem(other);
        /// The smaller; the other one where one is NaN.
        min(other);
        /// The larger; the other one where one is NaN.
        max(other);
        /// `self & other`.
        and(other);
        /// `self | other`.
        or(other);
        /// `self ^ other`.
        xor(other);
        /// `-self`.
        neg();
        /// `!self`.
        not();
        /// The absolute value.
        abs();
        /// The square root.
        sqrt();
        /// e to the power of `self`.
        exp();
        /// The natural logarithm.
        ln();
        /// `self * factor + summand`, rounded once.
        fma(factor, summand);
    }
    declare_compare! { eq ne lt le gt ge }

    /// `self << count`, each count modulo the width.
    fn shl(self, counts: &[u32; LANES]) -> Self;

    /// `self >> count`, each count modulo the width.
    fn shr(self, counts: &[u32; LANES]) -> Self;

    /// The lanes of `a` in the mask, those of `b` elsewhere.
    fn select(mask: Mask, a: Self, b: Self) -> Self;

    /// Lane l gets lane l − N; what would come from outside is zero. N is within −32..=32.
    fn shuffle<const N: i32>(self) -> Self;
}

/// A register of all 32 lanes. One exists only where the CPU has what it needs: it is made by `splat` and `load`, which
/// ask for that, or from others.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Lanes<R>(R);

macro_rules! pass_on {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, $($other: Self),*) -> Self {
            // SAFETY: `self` exists, so the CPU has what it needs.
            Lanes(unsafe { self.0.$name($($other.0),*) })
        })+
    };
}

macro_rules! pass_compare {
    ($($name:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, other: Self) -> Mask {
            // SAFETY: `self` exists, so the CPU has what it needs.
            unsafe { self.0.$name(other.0) }
        })+
    };
}

impl<T: Element, R: Register<T>> Vector<T> for Lanes<R> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: T) -> Self {
        const { assert!(R::LANES == LANES) };
        // SAFETY: the caller's.
        Lanes(unsafe { R::splat(x) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(lanes: &[T; LANES]) -> Self {
        const { assert!(R::LANES == LANES) };
        // SAFETY: the caller's; there are 32 elements.
        Lanes(unsafe { R::load(lanes.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn store(self, to: &mut [T; LANES]) {
        // SAFETY: `self` exists, so the CPU has what it needs; there are 32 elements.
        unsafe { self.0.store(to.as_mut_ptr()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut T) {
        // SAFETY: `self` exists, so the CPU has what it needs; the rest is the caller's.
        unsafe { self.0.store_where(mask, to) }
    }

    pass_on! {
        add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() exp() ln() fma(b, c)
    }
    pass_compare! { eq ne lt le gt ge }

    #[cfg_attr(optimised, inline(always))]
    fn shl(self, counts: &[u32; LANES]) -> Self {
        // SAFETY: `self` exists, so the CPU has what it needs; there are 32 counts.
        Lanes(unsafe { self.0.shl(counts.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn shr(self, counts: &[u32; LANES]) -> Self {
        // SAFETY: `self` exists, so the CPU has what it needs; there are 32 counts.
        Lanes(unsafe { self.0.shr(counts.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: `a` exists, so the CPU has what it needs.
        Lanes(unsafe { R::select(mask, a.0, b.0) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn shuffle<const N: i32>(self) -> Self {
        const { assert!(-(LANES as i32) <= N && N <= LANES as i32) };
        // SAFETY: `self` exists, so the CPU has what it needs; the lane that the result starts at is within 0..=32.
        Lanes(unsafe {
            let zero = R::splat(T::default());
            if N > 0 {
                R::slide(zero, self.0, LANES - N as usize)
            } else {
                R::slide(self.0, zero, N.unsigned_abs() as usize)
            }
        })
    }
}

/// Lanes of `bool`, a bit each.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Bools(Mask);

macro_rules! lacks {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, $($other: Self),*) -> Self {
            $(let _ = $other;)*
            self
        })+
    };
}

impl Vector<bool> for Bools {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: bool) -> Self {
        Bools(if x { ALL } else { 0 })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(lanes: &[bool; LANES]) -> Self {
        let mut mask = 0;
        for (l, x) in lanes.iter().enumerate() {
            mask |= Mask::from(*x) << l;
        }
        Bools(mask)
    }

    #[cfg_attr(optimised, inline(always))]
    fn store(self, to: &mut [bool; LANES]) {
        for (l, x) in to.iter_mut().enumerate() {
            *x = (self.0 >> l) & 1 == 1;
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut bool) {
        for l in 0..LANES {
            if (mask >> l) & 1 == 1 {
                // SAFETY: lane l is in the mask.
                unsafe { to.wrapping_add(l).write((self.0 >> l) & 1 == 1) };
            }
        }
    }

    lacks!(add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) neg() abs() sqrt() exp() ln() fma(b, c));

    #[cfg_attr(optimised, inline(always))]
    fn and(self, other: Self) -> Self {
        Bools(self.0 & other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn or(self, other: Self) -> Self {
        Bools(self.0 | other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn xor(self, other: Self) -> Self {
        Bools(self.0 ^ other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn not(self) -> Self {
        Bools(!self.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn eq(self, other: Self) -> Mask {
        !(self.0 ^ other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn ne(self, other: Self) -> Mask {
        self.0 ^ other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn lt(self, other: Self) -> Mask {
        !self.0 & other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn le(self, other: Self) -> Mask {
        !self.0 | other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn gt(self, other: Self) -> Mask {
        self.0 & !other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn ge(self, other: Self) -> Mask {
        self.0 | !other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn shl(self, _: &[u32; LANES]) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    fn shr(self, _: &[u32; LANES]) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    fn select(mask: Mask, a: Self, b: Self) -> Self {
        Bools((mask & a.0) | (!mask & b.0))
    }

    #[cfg_attr(optimised, inline(always))]
    fn shuffle<const N: i32>(self) -> Self {
        let n = N.unsigned_abs();
        let shifted = if N > 0 { self.0.checked_shl(n) } else { self.0.checked_shr(n) };
        Bools(shifted.unwrap_or(0))
    }
}
