//! Registers of AVX-512: 512 bits, comparisons give masks.
#![allow(unsafe_code)]
use super::Mask;
use super::register::{Pair, Register, native};
use std::arch::x86_64::*;

/// 32 lanes of `f32`.
pub type Singles = Pair<__m512>;
/// 32 lanes of `f64`.
pub type Doubles = Pair<Pair<__m512d>>;
/// 32 lanes of `i32` or `u32`.
pub type Words = Pair<__m512i>;
/// 32 lanes of `i64` or `u64`.
pub type Longs = Pair<Pair<__m512i>>;

/// Comparisons by a predicate.
macro_rules! compare {
    ($compare:ident: $($name:ident = $predicate:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            // SAFETY: the caller's: the CPU has the instruction.
            Mask::from(unsafe { $compare::<$predicate>(self, other) })
        })+
    };
}

impl Register<f32> for __m512 {
    const LANES: usize = 16;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: f32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_set1_ps(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_ps(to, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_permutex2var_ps(low, words_from(n), high) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_blend_ps(mask as __mmask16, b, a) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut f32) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm512_mask_storeu_ps(to, mask as __mmask16, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn min(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            // `a < b ? a : b`, then zeros of either sign, then NaN on the right.
            let least = _mm512_min_ps(self, b);
            let least = _mm512_mask_or_ps(least, _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self, b), self, b);
            _mm512_mask_mov_ps(least, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(b, b), self)
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn max(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let most = _mm512_max_ps(self, b);
            let most = _mm512_mask_and_ps(most, _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self, b), self, b);
            _mm512_mask_mov_ps(most, _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(b, b), self)
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_xor_ps(self, _mm512_set1_ps(-0.0)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_andnot_ps(_mm512_set1_ps(-0.0), self) }
    }

    native! {
        add(b) = _mm512_add_ps;
        sub(b) = _mm512_sub_ps;
        mul(b) = _mm512_mul_ps;
        div(b) = _mm512_div_ps;
        fma(b, c) = _mm512_fmadd_ps;
        sqrt() = _mm512_sqrt_ps;
    }
    compare! {
        _mm512_cmp_ps_mask:
        eq = _CMP_EQ_OQ ne = _CMP_NEQ_UQ lt = _CMP_LT_OQ le = _CMP_LE_OQ gt = _CMP_GT_OQ ge = _CMP_GE_OQ
    }
}

impl Register<f64> for __m512d {
    const LANES: usize = 8;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_set1_pd(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_loadu_pd(from) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_pd(to, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_permutex2var_pd(low, longs_from(n), high) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_blend_pd(mask as __mmask8, b, a) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut f64) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm512_mask_storeu_pd(to, mask as __mmask8, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn min(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            // `a < b ? a : b`, then zeros of either sign, then NaN on the right.
            let least = _mm512_min_pd(self, b);
            let least = _mm512_mask_or_pd(least, _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self, b), self, b);
            _mm512_mask_mov_pd(least, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(b, b), self)
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn max(self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let most = _mm512_max_pd(self, b);
            let most = _mm512_mask_and_pd(most, _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self, b), self, b);
            _mm512_mask_mov_pd(most, _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(b, b), self)
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_xor_pd(self, _mm512_set1_pd(-0.0)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_andnot_pd(_mm512_set1_pd(-0.0), self) }
    }

    native! {
        add(b) = _mm512_add_pd;
        sub(b) = _mm512_sub_pd;
        mul(b) = _mm512_mul_pd;
        div(b) = _mm512_div_pd;
        fma(b, c) = _mm512_fmadd_pd;
        sqrt() = _mm512_sqrt_pd;
    }
    compare! {
        _mm512_cmp_pd_mask:
        eq = _CMP_EQ_OQ ne = _CMP_NEQ_UQ lt = _CMP_LT_OQ le = _CMP_LE_OQ gt = _CMP_GT_OQ ge = _CMP_GE_OQ
    }
}

/// n, n + 1, … as 16 words.
#[cfg_attr(optimised, inline(always))]
fn words_from(n: usize) -> __m512i {
    // SAFETY: only methods of registers call this, whose caller has AVX-512.
    unsafe {
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        _mm512_add_epi32(lanes, _mm512_set1_epi32(n as i32))
    }
}

/// n, n + 1, … as 8 longs.
#[cfg_attr(optimised, inline(always))]
fn longs_from(n: usize) -> __m512i {
    // SAFETY: only methods of registers call this, whose caller has AVX-512.
    unsafe { _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(n as i64)) }
}

/// 16 counts modulo 32.
#[cfg_attr(optimised, inline(always))]
unsafe fn word_counts(counts: *const u32) -> __m512i {
    // SAFETY: the caller's: AVX-512, and 16 counts.
    unsafe { _mm512_and_si512(_mm512_loadu_si512(counts.cast()), _mm512_set1_epi32(31)) }
}

/// 8 counts modulo 64.
#[cfg_attr(optimised, inline(always))]
unsafe fn long_counts(counts: *const u32) -> __m512i {
    // SAFETY: the caller's: AVX-512, and 8 counts.
    unsafe { _mm512_and_si512(_mm512_cvtepu32_epi64(_mm256_loadu_si256(counts.cast())), _mm512_set1_epi64(63)) }
}

impl Register<i32> for __m512i {
    const LANES: usize = 16;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: i32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_set1_epi32(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut i32) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_permutex2var_epi32(low, words_from(n), high) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_blend_epi32(mask as __mmask16, b, a) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut i32) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), mask as __mmask16, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sub_epi32(_mm512_setzero_si512(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn not(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_xor_si512(self, _mm512_set1_epi32(-1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_abs_epi32(self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_add_epi32(_mm512_mullo_epi32(self, b), c) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shl(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sllv_epi32(self, word_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shr(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_srav_epi32(self, word_counts(counts)) }
    }

    native! {
        add(b) = _mm512_add_epi32;
        sub(b) = _mm512_sub_epi32;
        mul(b) = _mm512_mullo_epi32;
        min(b) = _mm512_min_epi32;
        max(b) = _mm512_max_epi32;
        and(b) = _mm512_and_si512;
        or(b) = _mm512_or_si512;
        xor(b) = _mm512_xor_si512;
    }
    compare! {
        _mm512_cmp_epi32_mask:
        eq = _MM_CMPINT_EQ ne = _MM_CMPINT_NE lt = _MM_CMPINT_LT le = _MM_CMPINT_LE gt = _MM_CMPINT_NLE ge = _MM_CMPINT_NLT
    }
}

impl Register<u32> for __m512i {
    const LANES: usize = 16;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_set1_epi32(x as i32) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_permutex2var_epi32(low, words_from(n), high) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_blend_epi32(mask as __mmask16, b, a) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut u32) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm512_mask_storeu_epi32(to.cast(), mask as __mmask16, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sub_epi32(_mm512_setzero_si512(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn not(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_xor_si512(self, _mm512_set1_epi32(-1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_add_epi32(_mm512_mullo_epi32(self, b), c) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shl(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sllv_epi32(self, word_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shr(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_srlv_epi32(self, word_counts(counts)) }
    }

    native! {
        add(b) = _mm512_add_epi32;
        sub(b) = _mm512_sub_epi32;
        mul(b) = _mm512_mullo_epi32;
        min(b) = _mm512_min_epu32;
        max(b) = _mm512_max_epu32;
        and(b) = _mm512_and_si512;
        or(b) = _mm512_or_si512;
        xor(b) = _mm512_xor_si512;
    }
    compare! {
        _mm512_cmp_epu32_mask:
        eq = _MM_CMPINT_EQ ne = _MM_CMPINT_NE lt = _MM_CMPINT_LT le = _MM_CMPINT_LE gt = _MM_CMPINT_NLE ge = _MM_CMPINT_NLT
    }
}

impl Register<i64> for __m512i {
    const LANES: usize = 8;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: i64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_set1_epi64(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const i64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut i64) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_permutex2var_epi64(low, longs_from(n), high) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_blend_epi64(mask as __mmask8, b, a) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut i64) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm512_mask_storeu_epi64(to.cast(), mask as __mmask8, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sub_epi64(_mm512_setzero_si512(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn not(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_xor_si512(self, _mm512_set1_epi64(-1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_abs_epi64(self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_add_epi64(_mm512_mullo_epi64(self, b), c) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shl(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sllv_epi64(self, long_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shr(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_srav_epi64(self, long_counts(counts)) }
    }

    native! {
        add(b) = _mm512_add_epi64;
        sub(b) = _mm512_sub_epi64;
        mul(b) = _mm512_mullo_epi64;
        min(b) = _mm512_min_epi64;
        max(b) = _mm512_max_epi64;
        and(b) = _mm512_and_si512;
        or(b) = _mm512_or_si512;
        xor(b) = _mm512_xor_si512;
    }
    compare! {
        _mm512_cmp_epi64_mask:
        eq = _MM_CMPINT_EQ ne = _MM_CMPINT_NE lt = _MM_CMPINT_LT le = _MM_CMPINT_LE gt = _MM_CMPINT_NLE ge = _MM_CMPINT_NLT
    }
}

impl Register<u64> for __m512i {
    const LANES: usize = 8;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: u64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_set1_epi64(x as i64) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_permutex2var_epi64(low, longs_from(n), high) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_blend_epi64(mask as __mmask8, b, a) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut u64) {
        // SAFETY: the caller's; lanes outside the mask neither write nor fault.
        unsafe { _mm512_mask_storeu_epi64(to.cast(), mask as __mmask8, self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn neg(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sub_epi64(_mm512_setzero_si512(), self) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn not(self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_xor_si512(self, _mm512_set1_epi64(-1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn abs(self) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fma(self, b: Self, c: Self) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_add_epi64(_mm512_mullo_epi64(self, b), c) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shl(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_sllv_epi64(self, long_counts(counts)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn shr(self, counts: *const u32) -> Self {
        // SAFETY: the caller's.
        unsafe { _mm512_srlv_epi64(self, long_counts(counts)) }
    }

    native! {
        add(b) = _mm512_add_epi64;
        sub(b) = _mm512_sub_epi64;
        mul(b) = _mm512_mullo_epi64;
        min(b) = _mm512_min_epu64;
        max(b) = _mm512_max_epu64;
        and(b) = _mm512_and_si512;
        or(b) = _mm512_or_si512;
        xor(b) = _mm512_xor_si512;
    }
    compare! {
        _mm512_cmp_epu64_mask:
        eq = _MM_CMPINT_EQ ne = _MM_CMPINT_NE lt = _MM_CMPINT_LT le = _MM_CMPINT_LE gt = _MM_CMPINT_NLE ge = _MM_CMPINT_NLT
    }
}
