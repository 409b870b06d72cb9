//! Registers of AVX-512: 512 bits; comparisons return bit masks.
#![allow(unsafe_code)]
use super::Mask;
use super::apart::{apart, phases};
use super::divide::{Signed, Unsigned, divide, divided};
use super::long::long_functions;
use super::picked;
use super::register::{Pair, Register, Unaligned, far, native, words_as_they_are};
use std::arch::x86_64::*;

/// 16 lanes of `f32`.
pub type Singles = __m512;
/// 16 lanes of `f64`.
pub type Doubles = Pair<__m512d>;
/// 16 lanes of `i32` or `u32`.
pub type Words = __m512i;
/// 16 lanes of `i64` or `u64`.
pub type Longs = Pair<__m512i>;

/// Loads, stores, slides and selects.
macro_rules! lanes {
    (
        $type:ident $lanes:literal $mask:ident: $splat:ident($cast:ty) $stream:ident
        $slide:ident($from:ident) $select:ident $store_where:ident $load_where:ident
    ) => {
        const LANES: usize = $lanes;

        #[cfg_attr(optimised, inline(always))]
        unsafe fn splat(x: $type) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $splat(x as $cast) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load(from: *const $type) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { (*from.cast::<Unaligned<Self>>()).0 }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store(self, to: *mut $type) {
            // SAFETY: guaranteed by the caller.
            unsafe { (*to.cast::<Unaligned<Self>>()).0 = self }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn stream(self, to: *mut $type) {
            // SAFETY: guaranteed by the caller; the register is as large as a cache line.
            unsafe { $stream(to.cast(), self) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $slide(low, $from(n), high) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $select(mask as $mask, b, a) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_where(self, mask: Mask, to: *mut $type) {
            // SAFETY: guaranteed by the caller; lanes outside the mask neither write nor fault.
            unsafe { $store_where(to.cast(), mask as $mask, self) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_where(mask: Mask, from: *const $type, other: Self) -> Self {
            // SAFETY: guaranteed by the caller; lanes outside the mask neither read nor fault.
            unsafe { $load_where(other, mask as $mask, from.cast()) }
        }
    };
}

/// Lanes that are not further apart than this are all reached by an offset of 32 bits.
const NEAR: isize = i32::MAX as isize / 32;

/// Loads of elements that are any distance apart, by a gather where offsets of 32 bits reach them.
macro_rules! gather {
    ($type:ident $lanes:literal: $gather:ident $bytes:literal $cells:ident |$positions:ident| $offsets:expr) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_far(from: *const $type, apart: isize) -> Self {
            // SAFETY: guaranteed by the caller; the offsets of all lanes fit into words.
            unsafe {
                if apart.unsigned_abs() > NEAR as usize {
                    return <Self as Register<$type>>::load(far(from, apart, $lanes).as_ptr());
                }
                let $positions = _mm512_mullo_epi32(words_from(0), _mm512_set1_epi32(apart as i32));
                $gather::<$bytes>($offsets, from.cast())
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_at(from: &[$type], cells: *const i32) -> Self {
            // SAFETY: guaranteed by the caller; the register of positions has those of all lanes, and the gather uses no others.
            unsafe { $gather::<$bytes>((*cells.cast::<Unaligned<$cells>>()).0, from.as_ptr().cast()) }
        }
    };
}

/// Elements of small tables of words.
macro_rules! pick {
    ($type:ident |$taken:ident| $result:expr) => {
        const PICKED: usize = picked::WORDS;

        #[cfg_attr(optimised, inline(always))]
        unsafe fn pick<const COUNT: usize>(from: &[$type], cells: *const i16) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let cells = _mm512_cvtepi16_epi32((*cells.cast::<Unaligned<_>>()).0);
                let $taken = picked::words::<COUNT>(from.as_ptr().cast(), cells);
                $result
            }
        }
    };
}

/// Comparisons.
macro_rules! compare {
    ($compare:ident: $($name:ident = $predicate:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller: the CPU has the instruction.
            Mask::from(unsafe { $compare::<$predicate>(self, other) })
        })+
    };
}

/// Float operations that are not a single instruction.
macro_rules! float {
    (
        $splat:ident $compare:ident; min $min:ident $mask_or:ident; max $max:ident $mask_and:ident;
        $mask_move:ident $xor:ident $and_not:ident
    ) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn min(self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                // The instruction computes `a < b ? a : b`. The masked operations correct equal operands (zeros of different
                // sign) and a NaN in `b`.
                let least = $min(self, b);
                let least = $mask_or(least, $compare::<_CMP_EQ_OQ>(self, b), self, b);
                $mask_move(least, $compare::<_CMP_UNORD_Q>(b, b), self)
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn max(self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let most = $max(self, b);
                let most = $mask_and(most, $compare::<_CMP_EQ_OQ>(self, b), self, b);
                $mask_move(most, $compare::<_CMP_UNORD_Q>(b, b), self)
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn neg(self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $xor(self, $splat(-0.0)) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn abs(self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $and_not($splat(-0.0), self) }
        }

        compare! {
            $compare:
            eq = _CMP_EQ_OQ ne = _CMP_NEQ_UQ lt = _CMP_LT_OQ le = _CMP_LE_OQ gt = _CMP_GT_OQ ge = _CMP_GE_OQ
        }
    };
}

impl Register<f32> for __m512 {
    const OF_WORDS: bool = true;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_words(from: *const i32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm512_cvtepi32_ps(<__m512i as Register<i32>>::load(from)) }
    }

    apart! { f32 words: _mm512_mask_permutexvar_ps _mm512_mask_storeu_ps |x| x, |x| x }
    phases! {
        f32 16: _mm512_permutex2var_ps _mm512_mask_permutexvar_ps _mm512_mask_blend_ps __mmask16
        |step, phase| words_apart(step, phase)
    }
    gather! { f32 16: _mm512_i32gather_ps 4 __m512i |at| at }
    pick! { f32 |taken| _mm512_castsi512_ps(taken) }

    lanes! {
        f32 16 __mmask16: _mm512_set1_ps(f32) _mm512_stream_ps
        _mm512_permutex2var_ps(words_from) _mm512_mask_blend_ps _mm512_mask_storeu_ps _mm512_mask_loadu_ps
    }
    float! {
        _mm512_set1_ps _mm512_cmp_ps_mask; min _mm512_min_ps _mm512_mask_or_ps; max _mm512_max_ps _mm512_mask_and_ps;
        _mm512_mask_mov_ps _mm512_xor_ps _mm512_andnot_ps
    }
    native! {
        add(b) = _mm512_add_ps;
        sub(b) = _mm512_sub_ps;
        mul(b) = _mm512_mul_ps;
        div(b) = _mm512_div_ps;
        fma(b, c) = _mm512_fmadd_ps;
        sqrt() = _mm512_sqrt_ps;
    }
    long_functions! { f32 single 16 ["avx512f" "avx512bw" "avx512dq" "avx512vl"] }
}

impl Register<f64> for __m512d {
    apart! { f64 longs: _mm512_mask_permutexvar_pd _mm512_mask_storeu_pd |x| x, |x| x }
    phases! {
        f64 8: _mm512_permutex2var_pd _mm512_mask_permutexvar_pd _mm512_mask_blend_pd __mmask8
        |step, phase| longs_apart(step, phase)
    }
    gather! { f64 8: _mm512_i32gather_pd 8 __m256i |at| _mm512_castsi512_si256(at) }

    lanes! {
        f64 8 __mmask8: _mm512_set1_pd(f64) _mm512_stream_pd
        _mm512_permutex2var_pd(longs_from) _mm512_mask_blend_pd _mm512_mask_storeu_pd _mm512_mask_loadu_pd
    }
    float! {
        _mm512_set1_pd _mm512_cmp_pd_mask; min _mm512_min_pd _mm512_mask_or_pd; max _mm512_max_pd _mm512_mask_and_pd;
        _mm512_mask_mov_pd _mm512_xor_pd _mm512_andnot_pd
    }
    native! {
        add(b) = _mm512_add_pd;
        sub(b) = _mm512_sub_pd;
        mul(b) = _mm512_mul_pd;
        div(b) = _mm512_div_pd;
        fma(b, c) = _mm512_fmadd_pd;
        sqrt() = _mm512_sqrt_pd;
    }
    long_functions! { f64 double 8 ["avx512f" "avx512bw" "avx512dq" "avx512vl"] }
}

/// Returns n, n + 1, … as 16 words.
#[cfg_attr(optimised, inline(always))]
fn words_from(n: usize) -> __m512i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX-512.
    unsafe {
        // A constant, because the intrinsic that sets them one by one is much code before optimisation.
        let lanes: __m512i = const { std::mem::transmute([0i32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) };
        _mm512_add_epi32(lanes, _mm512_set1_epi32(n as i32))
    }
}

/// Returns `first`, `first + step`, … as 16 words.
#[cfg_attr(optimised, inline(always))]
unsafe fn words_apart(step: usize, first: usize) -> __m512i {
    // SAFETY: guaranteed by the caller: AVX-512.
    unsafe {
        let positions = _mm512_mullo_epi32(words_from(0), _mm512_set1_epi32(step as i32));
        _mm512_add_epi32(positions, _mm512_set1_epi32(first as i32))
    }
}

/// Returns `first`, `first + step`, … as 8 longs.
#[cfg_attr(optimised, inline(always))]
unsafe fn longs_apart(step: usize, first: usize) -> __m512i {
    // SAFETY: guaranteed by the caller: AVX-512.
    unsafe {
        let positions = _mm512_mullo_epi64(longs_from(0), _mm512_set1_epi64(step as i64));
        _mm512_add_epi64(positions, _mm512_set1_epi64(first as i64))
    }
}

/// Returns n, n + 1, … as 8 longs.
#[cfg_attr(optimised, inline(always))]
fn longs_from(n: usize) -> __m512i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX-512.
    unsafe {
        let lanes: __m512i = const { std::mem::transmute([0i64, 1, 2, 3, 4, 5, 6, 7]) };
        _mm512_add_epi64(lanes, _mm512_set1_epi64(n as i64))
    }
}

/// Loads 16 shift counts modulo 32.
#[cfg_attr(optimised, inline(always))]
unsafe fn word_counts(counts: *const u32) -> __m512i {
    // SAFETY: guaranteed by the caller: AVX-512, and 16 counts.
    unsafe { _mm512_and_si512(_mm512_loadu_si512(counts.cast()), _mm512_set1_epi32(31)) }
}

/// Loads 8 shift counts modulo 64.
#[cfg_attr(optimised, inline(always))]
unsafe fn long_counts(counts: *const u32) -> __m512i {
    // SAFETY: guaranteed by the caller: AVX-512, and 8 counts.
    unsafe { _mm512_and_si512(_mm512_cvtepu32_epi64(_mm256_loadu_si256(counts.cast())), _mm512_set1_epi64(63)) }
}

/// The absolute value of unsigned integers: the identity.
#[cfg_attr(optimised, inline(always))]
unsafe fn itself(x: __m512i) -> __m512i {
    x
}

/// Signed and unsigned integers of one width.
macro_rules! integers {
    (
        $lanes:literal $mask:ident $signed:ty: $splat:ident $slide:ident($from:ident) $select:ident $store_where:ident
        $load_where:ident $add:ident $sub:ident $mul:ident $shl:ident($counts:ident) $apart:tt;
        $($type:ident: $min:ident $max:ident $abs:ident $shr:ident $compare:ident $divided:tt;)+
    ) => {
        $(impl Register<$type> for __m512i {
            integers! { @apart $type $store_where $apart }
            integers! { @divided $type $divided }

            lanes! {
                $type $lanes $mask: $splat($signed) _mm512_stream_si512
                $slide($from) $select $store_where $load_where
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn neg(self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { $sub(_mm512_setzero_si512(), self) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn not(self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm512_xor_si512(self, $splat(-1)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn fma(self, b: Self, c: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { $add($mul(self, b), c) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn shl(self, counts: *const u32) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { $shl(self, $counts(counts)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn shr(self, counts: *const u32) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { $shr(self, $counts(counts)) }
            }

            native! {
                add(b) = $add;
                sub(b) = $sub;
                mul(b) = $mul;
                min(b) = $min;
                max(b) = $max;
                and(b) = _mm512_and_si512;
                or(b) = _mm512_or_si512;
                xor(b) = _mm512_xor_si512;
                abs() = $abs;
            }
            compare! {
                $compare:
                eq = _MM_CMPINT_EQ ne = _MM_CMPINT_NE lt = _MM_CMPINT_LT
                le = _MM_CMPINT_LE gt = _MM_CMPINT_NLE ge = _MM_CMPINT_NLT
            }
        })+
    };
    (@apart $type:ident $store:ident { words $permute:ident }) => {
        apart! { $type words: $permute $store |x| x, |x| x }
        phases! {
            $type 16: _mm512_permutex2var_epi32 _mm512_mask_permutexvar_epi32 _mm512_mask_blend_epi32 __mmask16
            |step, phase| words_apart(step, phase)
        }
        gather! { $type 16: _mm512_i32gather_epi32 4 __m512i |at| at }
        pick! { $type |taken| taken }

        words_as_they_are!();
    };
    (@apart $type:ident $store:ident { longs $permute:ident }) => {
        apart! { $type longs: $permute $store |x| x, |x| x }
        phases! {
            $type 8: _mm512_permutex2var_epi64 _mm512_mask_permutexvar_epi64 _mm512_mask_blend_epi64 __mmask8
            |step, phase| longs_apart(step, phase)
        }
        gather! { $type 8: _mm512_i32gather_epi64 8 __m256i |at| _mm512_castsi512_si256(at) }
    };
    (@divided $type:ident { $by:ident }) => {
        divide! { $type |x, by| $by(x, by) }
    };
    (@divided $type:ident {}) => {};
}

/// The upper halves of the products of words.
macro_rules! high_words {
    ($($name:ident = $multiply:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: called only by methods of registers, whose caller guarantees AVX-512.
            unsafe {
                let odd = $multiply(_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
                _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64::<32>($multiply(a, b)), odd)
            }
        })+
    };
}

high_words! { high_signed = _mm512_mul_epi32 high_unsigned = _mm512_mul_epu32 }
divided! {
    words_by: unsigned u32 in __m512i, i32:
        _mm512_set1_epi32 high_unsigned _mm512_add_epi32 _mm512_sub_epi32 _mm512_srl_epi32;
}
divided! {
    signed_words_by: signed i32 in __m512i, i32:
        _mm512_set1_epi32 high_signed _mm512_add_epi32 _mm512_sub_epi32 _mm512_sra_epi32;
}

integers! {
    16 __mmask16 i32: _mm512_set1_epi32 _mm512_permutex2var_epi32(words_from) _mm512_mask_blend_epi32
    _mm512_mask_storeu_epi32 _mm512_mask_loadu_epi32
    _mm512_add_epi32 _mm512_sub_epi32 _mm512_mullo_epi32 _mm512_sllv_epi32(word_counts)
    { words _mm512_mask_permutexvar_epi32 };
    i32: _mm512_min_epi32 _mm512_max_epi32 _mm512_abs_epi32 _mm512_srav_epi32 _mm512_cmp_epi32_mask { signed_words_by };
    u32: _mm512_min_epu32 _mm512_max_epu32 itself _mm512_srlv_epi32 _mm512_cmp_epu32_mask { words_by };
}
integers! {
    8 __mmask8 i64: _mm512_set1_epi64 _mm512_permutex2var_epi64(longs_from) _mm512_mask_blend_epi64
    _mm512_mask_storeu_epi64 _mm512_mask_loadu_epi64
    _mm512_add_epi64 _mm512_sub_epi64 _mm512_mullo_epi64 _mm512_sllv_epi64(long_counts)
    { longs _mm512_mask_permutexvar_epi64 };
    i64: _mm512_min_epi64 _mm512_max_epi64 _mm512_abs_epi64 _mm512_srav_epi64 _mm512_cmp_epi64_mask {};
    u64: _mm512_min_epu64 _mm512_max_epu64 itself _mm512_srlv_epi64 _mm512_cmp_epu64_mask {};
}
