//! Registers of NEON: 128 bits. Only simple operations are here; the rest runs lane by lane.
#![allow(unsafe_code)]
use super::lane::Lane;
use super::register::{Pair, Register, native};
use super::{LANES, Mask};
use std::arch::aarch64::*;

/// 8 lanes of `f32`.
pub type Singles = Pair<float32x4_t>;
/// 8 lanes of `f64`.
pub type Doubles = Pair<Pair<float64x2_t>>;
/// 8 lanes of `i32`.
pub type Words = Pair<int32x4_t>;

/// Lanes n, n + 1, … of `low` followed by `high`, through memory.
#[inline(always)]
unsafe fn slide<T: Lane, R: Register<T>>(low: R, high: R, n: usize) -> R {
    let mut both = [T::default(); LANES];
    // SAFETY: two registers of at most 4 lanes fit, and n is at most the lanes of one.
    unsafe {
        low.store(both.as_mut_ptr());
        high.store(both.as_mut_ptr().add(R::LANES));
        R::load(both.as_ptr().add(n))
    }
}

/// Returns the lanes that are all ones. Every lane must be all ones or zero.
#[inline(always)]
fn words_mask(lanes: uint32x4_t) -> Mask {
    // SAFETY: called only by methods of registers, whose caller guarantees NEON; the array has 4 words.
    unsafe { vaddvq_u32(vandq_u32(lanes, vld1q_u32([1, 2, 4, 8].as_ptr()))) }
}

/// Returns the lanes that are all ones. Every lane must be all ones or zero.
#[inline(always)]
fn longs_mask(lanes: uint64x2_t) -> Mask {
    // SAFETY: called only by methods of registers, whose caller guarantees NEON; the array has 2 words.
    unsafe { vaddvq_u64(vandq_u64(lanes, vld1q_u64([1, 2].as_ptr()))) as Mask }
}

/// Expands a mask: lanes in it are all ones, the others zero.
#[inline(always)]
fn words_where(mask: Mask) -> uint32x4_t {
    // SAFETY: as in `words_mask`.
    unsafe { vtstq_u32(vdupq_n_u32(mask), vld1q_u32([1, 2, 4, 8].as_ptr())) }
}

/// Expands a mask: lanes in it are all ones, the others zero.
#[inline(always)]
fn longs_where(mask: Mask) -> uint64x2_t {
    // SAFETY: as in `longs_mask`.
    unsafe { vtstq_u64(vdupq_n_u64(u64::from(mask)), vld1q_u64([1, 2].as_ptr())) }
}

/// Comparisons. Those without an instruction swap the operands or negate the result.
macro_rules! compare {
    ($bits:ident, $all:literal: $eq:ident $gt:ident $ge:ident) => {
        #[inline(always)]
        unsafe fn eq(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            $bits(unsafe { $eq(self, other) })
        }

        #[inline(always)]
        unsafe fn ne(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            $all ^ $bits(unsafe { $eq(self, other) })
        }

        #[inline(always)]
        unsafe fn lt(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            $bits(unsafe { $gt(other, self) })
        }

        #[inline(always)]
        unsafe fn le(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            $bits(unsafe { $ge(other, self) })
        }

        #[inline(always)]
        unsafe fn gt(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            $bits(unsafe { $gt(self, other) })
        }

        #[inline(always)]
        unsafe fn ge(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            $bits(unsafe { $ge(self, other) })
        }
    };
}

impl Register<f32> for float32x4_t {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(x: f32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vdupq_n_f32(x) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vld1q_f32(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: guaranteed by the caller.
        unsafe { vst1q_f32(to, self) }
    }

    #[inline(always)]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { slide::<f32, Self>(low, high, n) }
    }

    #[inline(always)]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vbslq_f32(words_where(mask), a, b) }
    }

    #[inline(always)]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vfmaq_f32(c, self, b) }
    }

    native! {
        add(b) = vaddq_f32;
        sub(b) = vsubq_f32;
        mul(b) = vmulq_f32;
        div(b) = vdivq_f32;
        neg() = vnegq_f32;
        abs() = vabsq_f32;
        sqrt() = vsqrtq_f32;
    }
    compare! { words_mask, 0b1111: vceqq_f32 vcgtq_f32 vcgeq_f32 }
}

impl Register<f64> for float64x2_t {
    const LANES: usize = 2;

    #[inline(always)]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vdupq_n_f64(x) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vld1q_f64(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: guaranteed by the caller.
        unsafe { vst1q_f64(to, self) }
    }

    #[inline(always)]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { slide::<f64, Self>(low, high, n) }
    }

    #[inline(always)]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vbslq_f64(longs_where(mask), a, b) }
    }

    #[inline(always)]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vfmaq_f64(c, self, b) }
    }

    native! {
        add(b) = vaddq_f64;
        sub(b) = vsubq_f64;
        mul(b) = vmulq_f64;
        div(b) = vdivq_f64;
        neg() = vnegq_f64;
        abs() = vabsq_f64;
        sqrt() = vsqrtq_f64;
    }
    compare! { longs_mask, 0b11: vceqq_f64 vcgtq_f64 vcgeq_f64 }
}

impl Register<i32> for int32x4_t {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(x: i32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vdupq_n_s32(x) }
    }

    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vld1q_s32(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i32) {
        // SAFETY: guaranteed by the caller.
        unsafe { vst1q_s32(to, self) }
    }

    #[inline(always)]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { slide::<i32, Self>(low, high, n) }
    }

    #[inline(always)]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vbslq_s32(words_where(mask), a, b) }
    }

    #[inline(always)]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { vmlaq_s32(c, self, b) }
    }

    native! {
        add(b) = vaddq_s32;
        sub(b) = vsubq_s32;
        mul(b) = vmulq_s32;
        min(b) = vminq_s32;
        max(b) = vmaxq_s32;
        and(b) = vandq_s32;
        or(b) = vorrq_s32;
        xor(b) = veorq_s32;
        neg() = vnegq_s32;
        not() = vmvnq_s32;
        abs() = vabsq_s32;
    }
    compare! { words_mask, 0b1111: vceqq_s32 vcgtq_s32 vcgeq_s32 }
}
