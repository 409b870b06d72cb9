//! Registers of AVX2 with FMA: 256 bits.
#![allow(unsafe_code)]
use super::Mask;
use super::register::{Pair, Register, native};
use std::arch::x86_64::*;

/// 32 lanes of `f32`.
pub type Singles = Pair<Pair<__m256>>;
/// 32 lanes of `f64`.
pub type Doubles = Pair<Pair<Pair<__m256d>>>;
/// 32 lanes of `i32` or `u32`.
pub type Words = Pair<Pair<__m256i>>;

/// Comparisons of floats by a predicate.
macro_rules! compare {
    ($compare:ident, $bits:ident: $($name:ident = $predicate:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            // SAFETY: the caller's: the CPU has the instruction.
            unsafe { $bits($compare::<$predicate>(self, other)) as Mask }
        })+
    };
}

/// n, n + 1, … as 8 words.
#[cfg_attr(optimised, inline(always))]
fn words_from(n: usize) -> __m256i {
    // SAFETY: only methods of registers call this, whose caller has AVX2.
    unsafe { _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(n as i32)) }
}

/// The mask's bits as 8 words, all ones or zero.
#[cfg_attr(optimised, inline(always))]
fn words_where(mask: Mask) -> __m256i {
    // SAFETY: only methods of registers call this, whose caller has AVX2.
    unsafe {
        let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(mask as i32), bits), bits)
    }
}

/// The mask's bits as 4 longs, all ones or zero.
#[cfg_attr(optimised, inline(always))]
fn longs_where(mask: Mask) -> __m256i {
    // SAFETY: only methods of registers call this, whose caller has AVX2.
    unsafe {
        let bits = _mm256_setr_epi64x(1, 2, 4, 8);
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(mask)), bits), bits)
    }
}

/// Words n, n + 1, … of `low` followed by `high`.
#[cfg_attr(optimised, inline(always))]
fn slide_words(low: __m256i, high: __m256i, n: usize) -> __m256i {
    // SAFETY: only methods of registers call this, whose caller has AVX2.
    unsafe {
        // Only the low three bits of a place count, so both sides move alike.
        let from = words_from(n);
        let (low, high) = (_mm256_permutevar8x32_epi32(low, from), _mm256_permutevar8x32_epi32(high, from));
        _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(from, _mm256_set1_epi32(7)))
    }
}

/// 8 counts modulo 32.
#[cfg_attr(optimised, inline(always))]
unsafe fn word_counts(counts: *const u32) -> __m256i {
    // SAFETY: the caller's: AVX2, and 8 counts.
    unsafe { _mm256_and_si256(_mm256_loadu_si256(counts.cast()), _mm256_set1_epi32(31)) }
}

impl Register<f32> for __m256 {
    const LANES: usize = 8;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: f32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_set1_ps(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_ps(to, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let (low, high) = (_mm256_castps_si256(low), _mm256_castps_si256(high));
            _mm256_castsi256_ps(slide_words(low, high, n))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_blendv_ps(b, a, _mm256_castsi256_ps(words_where(mask))) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut f32) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm256_maskstore_ps(to, words_where(mask), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn min(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            // `a < b ? a : b`, then zeros of either sign, then NaN on the right.
            let least = _mm256_min_ps(self, b);
            let least = _mm256_blendv_ps(least, _mm256_or_ps(self, b), _mm256_cmp_ps::<_CMP_EQ_OQ>(self, b));
            _mm256_blendv_ps(least, self, _mm256_cmp_ps::<_CMP_UNORD_Q>(b, b))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn max(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let most = _mm256_max_ps(self, b);
            let most = _mm256_blendv_ps(most, _mm256_and_ps(self, b), _mm256_cmp_ps::<_CMP_EQ_OQ>(self, b));
            _mm256_blendv_ps(most, self, _mm256_cmp_ps::<_CMP_UNORD_Q>(b, b))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_xor_ps(self, _mm256_set1_ps(-0.0)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self) }
    }

    native! {
        add(b) = _mm256_add_ps;
        sub(b) = _mm256_sub_ps;
        mul(b) = _mm256_mul_ps;
        div(b) = _mm256_div_ps;
        fma(b, c) = _mm256_fmadd_ps;
        sqrt() = _mm256_sqrt_ps;
    }
    compare! {
        _mm256_cmp_ps, _mm256_movemask_ps:
        eq = _CMP_EQ_OQ ne = _CMP_NEQ_UQ lt = _CMP_LT_OQ le = _CMP_LE_OQ gt = _CMP_GT_OQ ge = _CMP_GE_OQ
    }
}

impl Register<f64> for __m256d {
    const LANES: usize = 4;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_set1_pd(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_loadu_pd(from) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_pd(to, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let (low, high) = (_mm256_castpd_si256(low), _mm256_castpd_si256(high));
            _mm256_castsi256_pd(slide_words(low, high, 2 * n))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_blendv_pd(b, a, _mm256_castsi256_pd(longs_where(mask))) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut f64) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm256_maskstore_pd(to, longs_where(mask), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn min(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            // `a < b ? a : b`, then zeros of either sign, then NaN on the right.
            let least = _mm256_min_pd(self, b);
            let least = _mm256_blendv_pd(least, _mm256_or_pd(self, b), _mm256_cmp_pd::<_CMP_EQ_OQ>(self, b));
            _mm256_blendv_pd(least, self, _mm256_cmp_pd::<_CMP_UNORD_Q>(b, b))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn max(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let most = _mm256_max_pd(self, b);
            let most = _mm256_blendv_pd(most, _mm256_and_pd(self, b), _mm256_cmp_pd::<_CMP_EQ_OQ>(self, b));
            _mm256_blendv_pd(most, self, _mm256_cmp_pd::<_CMP_UNORD_Q>(b, b))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_xor_pd(self, _mm256_set1_pd(-0.0)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self) }
    }

    native! {
        add(b) = _mm256_add_pd;
        sub(b) = _mm256_sub_pd;
        mul(b) = _mm256_mul_pd;
        div(b) = _mm256_div_pd;
        fma(b, c) = _mm256_fmadd_pd;
        sqrt() = _mm256_sqrt_pd;
    }
    compare! {
        _mm256_cmp_pd, _mm256_movemask_pd:
        eq = _CMP_EQ_OQ ne = _CMP_NEQ_UQ lt = _CMP_LT_OQ le = _CMP_LE_OQ gt = _CMP_GT_OQ ge = _CMP_GE_OQ
    }
}

/// The signs of 8 words.
#[cfg_attr(optimised, inline(always))]
fn signs(words: __m256i) -> Mask {
    // SAFETY: only methods of registers call this, whose caller has AVX2.
    unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(words)) as Mask }
}

impl Register<i32> for __m256i {
    const LANES: usize = 8;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: i32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_set1_epi32(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut i32) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_si256(to.cast(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        slide_words(low, high, n)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_blendv_epi8(b, a, words_where(mask)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut i32) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm256_maskstore_epi32(to.cast(), words_where(mask), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_sub_epi32(_mm256_setzero_si256(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn not(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_xor_si256(self, _mm256_set1_epi32(-1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_abs_epi32(self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_add_epi32(_mm256_mullo_epi32(self, b), c) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shl(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_sllv_epi32(self, word_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shr(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_srav_epi32(self, word_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn eq(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        signs(unsafe { _mm256_cmpeq_epi32(self, other) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn ne(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        0xff ^ unsafe { <Self as Register<i32>>::eq(self, other) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn gt(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        signs(unsafe { _mm256_cmpgt_epi32(self, other) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn lt(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        unsafe { <Self as Register<i32>>::gt(other, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn le(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        0xff ^ unsafe { <Self as Register<i32>>::gt(self, other) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn ge(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        0xff ^ unsafe { <Self as Register<i32>>::gt(other, self) }
    }

    native! {
        add(b) = _mm256_add_epi32;
        sub(b) = _mm256_sub_epi32;
        mul(b) = _mm256_mullo_epi32;
        min(b) = _mm256_min_epi32;
        max(b) = _mm256_max_epi32;
        and(b) = _mm256_and_si256;
        or(b) = _mm256_or_si256;
        xor(b) = _mm256_xor_si256;
    }
}

impl Register<u32> for __m256i {
    const LANES: usize = 8;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_set1_epi32(x as i32) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_si256(to.cast(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        slide_words(low, high, n)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_blendv_epi8(b, a, words_where(mask)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut u32) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm256_maskstore_epi32(to.cast(), words_where(mask), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_sub_epi32(_mm256_setzero_si256(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn not(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_xor_si256(self, _mm256_set1_epi32(-1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_add_epi32(_mm256_mullo_epi32(self, b), c) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shl(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_sllv_epi32(self, word_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shr(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm256_srlv_epi32(self, word_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn eq(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        signs(unsafe { _mm256_cmpeq_epi32(self, other) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn ne(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        0xff ^ unsafe { <Self as Register<u32>>::eq(self, other) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn gt(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        signs(unsafe {
            {
                // Moved by half the range, unsigned order is signed order.
                let half = _mm256_set1_epi32(i32::MIN);
                _mm256_cmpgt_epi32(_mm256_xor_si256(self, half), _mm256_xor_si256(other, half))
            }
        })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn lt(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        unsafe { <Self as Register<u32>>::gt(other, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn le(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        0xff ^ unsafe { <Self as Register<u32>>::gt(self, other) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn ge(self, other: Self) -> Mask {
        // SAFETY: the caller's.
        0xff ^ unsafe { <Self as Register<u32>>::gt(other, self) }
    }

    native! {
        add(b) = _mm256_add_epi32;
        sub(b) = _mm256_sub_epi32;
        mul(b) = _mm256_mullo_epi32;
        min(b) = _mm256_min_epu32;
        max(b) = _mm256_max_epu32;
        and(b) = _mm256_and_si256;
        or(b) = _mm256_or_si256;
        xor(b) = _mm256_xor_si256;
    }
}
