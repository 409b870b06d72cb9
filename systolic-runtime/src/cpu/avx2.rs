//! Registers of AVX2 with FMA: 256 bits.
#![allow(unsafe_code)]
use super::Mask;
use super::divide::{Signed, Unsigned, divide, divided};
use super::long::long_functions;
use super::register::{Pair, Register, Unaligned, native, words_as_they_are};
use std::arch::x86_64::*;

/// 8 lanes of `f32`.
pub type Singles = __m256;
/// 8 lanes of `f64`.
pub type Doubles = Pair<__m256d>;
/// 8 lanes of `i32` or `u32`.
pub type Words = __m256i;

/// Loads, stores, slides and selects. Floats are cast to integers where only those have the instruction.
macro_rules! lanes {
    (
        $type:ident $lanes:literal: $splat:ident($cast:ty) $stream:ident
        $slide:ident $select:ident $store_where:ident $load_where:ident($where:ident) $to_bits:ident $of_bits:ident
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
            // SAFETY: guaranteed by the caller; the register is half a cache line, so an address aligned to a line is aligned.
            unsafe { $stream(to.cast(), self) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $of_bits($slide($to_bits(low), $to_bits(high), n)) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { $select(b, a, $of_bits($where(mask))) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_where(self, mask: Mask, to: *mut $type) {
            // SAFETY: guaranteed by the caller; lanes outside the mask neither write nor fault.
            unsafe { $store_where(to.cast(), $where(mask), self) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_where(mask: Mask, from: *const $type, other: Self) -> Self {
            // SAFETY: guaranteed by the caller; lanes outside the mask neither read nor fault.
            unsafe {
                let lanes = $where(mask);
                $select(other, $load_where(from.cast(), lanes), $of_bits(lanes))
            }
        }
    };
}

/// Comparisons of floats.
macro_rules! compare {
    ($compare:ident, $bits:ident: $($name:ident = $predicate:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller: the CPU has the instruction.
            unsafe { $bits($compare::<$predicate>(self, other)) as Mask }
        })+
    };
}

/// Selects by a comparison of floats: the result of the comparison is used directly, without converting it to a bit mask.
macro_rules! choose {
    ($compare:ident $select:ident: $($name:ident = $predicate:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self, a: Self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller: the CPU has the instructions.
            unsafe { $select(b, a, $compare::<$predicate>(self, other)) }
        })+
    };
}

/// Float operations that are not a single instruction.
macro_rules! float {
    (
        $splat:ident $compare:ident $bits:ident $select:ident; min $min:ident $or:ident; max $max:ident $and:ident;
        $xor:ident $and_not:ident
    ) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn min(self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                // The instruction computes `a < b ? a : b`. The selects correct equal operands (zeros of different sign) and a
                // NaN in `b`.
                let least = $min(self, b);
                let least = $select(least, $or(self, b), $compare::<_CMP_EQ_OQ>(self, b));
                $select(least, self, $compare::<_CMP_UNORD_Q>(b, b))
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn max(self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let most = $max(self, b);
                let most = $select(most, $and(self, b), $compare::<_CMP_EQ_OQ>(self, b));
                $select(most, self, $compare::<_CMP_UNORD_Q>(b, b))
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
            $compare, $bits:
            eq = _CMP_EQ_OQ ne = _CMP_NEQ_UQ lt = _CMP_LT_OQ le = _CMP_LE_OQ gt = _CMP_GT_OQ ge = _CMP_GE_OQ
        }
        choose! {
            $compare $select:
            choose_eq = _CMP_EQ_OQ choose_ne = _CMP_NEQ_UQ choose_lt = _CMP_LT_OQ
            choose_le = _CMP_LE_OQ choose_gt = _CMP_GT_OQ choose_ge = _CMP_GE_OQ
        }
    };
}

/// A constant of 8 words. The intrinsics that set or load them are much code before optimisation.
const fn words(words: [i32; 8]) -> __m256i {
    // SAFETY: both are 32 bytes, and every bit pattern is valid.
    unsafe { std::mem::transmute(words) }
}

/// Returns n, n + 1, … as 8 words.
#[cfg_attr(optimised, inline(always))]
fn words_from(n: usize) -> __m256i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
    unsafe { _mm256_add_epi32(const { words([0, 1, 2, 3, 4, 5, 6, 7]) }, _mm256_set1_epi32(n as i32)) }
}

/// Expands the bits of a mask to 8 words, each all ones or zero.
#[cfg_attr(optimised, inline(always))]
fn words_where(mask: Mask) -> __m256i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
    unsafe {
        let bits = const { words([1, 2, 4, 8, 16, 32, 64, 128]) };
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(mask as i32), bits), bits)
    }
}

/// Expands the bits of a mask to the sign bits of 8 words. Selects and masked stores of floats read only the sign bit.
#[cfg_attr(optimised, inline(always))]
fn word_signs(mask: Mask) -> __m256i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
    unsafe { _mm256_sllv_epi32(_mm256_set1_epi32(mask as i32), const { words([31, 30, 29, 28, 27, 26, 25, 24]) }) }
}

/// Expands the bits of a mask to the sign bits of 4 longs.
#[cfg_attr(optimised, inline(always))]
fn long_signs(mask: Mask) -> __m256i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
    unsafe { _mm256_sllv_epi64(_mm256_set1_epi64x(i64::from(mask)), const { words([63, 0, 62, 0, 61, 0, 60, 0]) }) }
}

/// Words n, n + 1, … of `low` followed by `high`.
#[cfg_attr(optimised, inline(always))]
fn slide_words(low: __m256i, high: __m256i, n: usize) -> __m256i {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
    unsafe {
        // The instruction uses only the low three bits of an index, so the same indices work for both registers.
        let from = words_from(n);
        let (low, high) = (_mm256_permutevar8x32_epi32(low, from), _mm256_permutevar8x32_epi32(high, from));
        _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(from, _mm256_set1_epi32(7)))
    }
}

/// Longs n, n + 1, … of `low` followed by `high`.
#[cfg_attr(optimised, inline(always))]
fn slide_longs(low: __m256i, high: __m256i, n: usize) -> __m256i {
    slide_words(low, high, 2 * n)
}

/// Loads 8 shift counts modulo 32.
#[cfg_attr(optimised, inline(always))]
unsafe fn word_counts(counts: *const u32) -> __m256i {
    // SAFETY: guaranteed by the caller: AVX2, and 8 counts.
    unsafe { _mm256_and_si256(_mm256_loadu_si256(counts.cast()), _mm256_set1_epi32(31)) }
}

impl Register<f32> for __m256 {
    const OF_WORDS: bool = true;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_words(from: *const i32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm256_cvtepi32_ps(<__m256i as Register<i32>>::load(from)) }
    }

    lanes! {
        f32 8: _mm256_set1_ps(f32) _mm256_stream_ps
        slide_words _mm256_blendv_ps _mm256_maskstore_ps _mm256_maskload_ps(word_signs) _mm256_castps_si256 _mm256_castsi256_ps
    }
    float! {
        _mm256_set1_ps _mm256_cmp_ps _mm256_movemask_ps _mm256_blendv_ps; min _mm256_min_ps _mm256_or_ps;
        max _mm256_max_ps _mm256_and_ps; _mm256_xor_ps _mm256_andnot_ps
    }
    native! {
        add(b) = _mm256_add_ps;
        sub(b) = _mm256_sub_ps;
        mul(b) = _mm256_mul_ps;
        div(b) = _mm256_div_ps;
        fma(b, c) = _mm256_fmadd_ps;
        sqrt() = _mm256_sqrt_ps;
    }
    long_functions! { f32 single 8 ["avx2" "fma"] }
}

impl Register<f64> for __m256d {
    lanes! {
        f64 4: _mm256_set1_pd(f64) _mm256_stream_pd
        slide_longs _mm256_blendv_pd _mm256_maskstore_pd _mm256_maskload_pd(long_signs) _mm256_castpd_si256 _mm256_castsi256_pd
    }
    float! {
        _mm256_set1_pd _mm256_cmp_pd _mm256_movemask_pd _mm256_blendv_pd; min _mm256_min_pd _mm256_or_pd;
        max _mm256_max_pd _mm256_and_pd; _mm256_xor_pd _mm256_andnot_pd
    }
    native! {
        add(b) = _mm256_add_pd;
        sub(b) = _mm256_sub_pd;
        mul(b) = _mm256_mul_pd;
        div(b) = _mm256_div_pd;
        fma(b, c) = _mm256_fmadd_pd;
        sqrt() = _mm256_sqrt_pd;
    }
    long_functions! { f64 double 4 ["avx2" "fma"] }
}

/// Returns the sign bits of 8 words.
#[cfg_attr(optimised, inline(always))]
fn signs(words: __m256i) -> Mask {
    // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
    unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(words)) as Mask }
}

/// The identity: the cast of an integer register to itself, and the absolute value of unsigned integers.
#[cfg_attr(optimised, inline(always))]
unsafe fn itself(x: __m256i) -> __m256i {
    x
}

/// Unsigned comparison: with the sign bits of both sides flipped, signed order is unsigned order.
#[cfg_attr(optimised, inline(always))]
unsafe fn greater_unsigned(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: guaranteed by the caller: AVX2.
    unsafe {
        let half = _mm256_set1_epi32(i32::MIN);
        _mm256_cmpgt_epi32(_mm256_xor_si256(a, half), _mm256_xor_si256(b, half))
    }
}

/// Signed and unsigned words. Only `==` and `>` are instructions; the other comparisons swap operands or negate the result.
macro_rules! words {
    ($($type:ident: $min:ident $max:ident $abs:ident $shr:ident $greater:ident $by:ident;)+) => {
        $(impl Register<$type> for __m256i {
            divide! { $type |x, by| $by(x, by) }

            lanes! {
                $type 8: _mm256_set1_epi32(i32) _mm256_stream_si256
                slide_words _mm256_blendv_epi8 _mm256_maskstore_epi32 _mm256_maskload_epi32(words_where) itself itself
            }

            words_as_they_are!();

            #[cfg_attr(optimised, inline(always))]
            unsafe fn neg(self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_sub_epi32(_mm256_setzero_si256(), self) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn not(self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_xor_si256(self, _mm256_set1_epi32(-1)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn fma(self, b: Self, c: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_add_epi32(_mm256_mullo_epi32(self, b), c) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn shl(self, counts: *const u32) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_sllv_epi32(self, word_counts(counts)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn shr(self, counts: *const u32) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { $shr(self, word_counts(counts)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn eq(self, other: Self) -> Mask {
                // SAFETY: guaranteed by the caller.
                signs(unsafe { _mm256_cmpeq_epi32(self, other) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn ne(self, other: Self) -> Mask {
                // SAFETY: guaranteed by the caller.
                0xff ^ signs(unsafe { _mm256_cmpeq_epi32(self, other) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn gt(self, other: Self) -> Mask {
                // SAFETY: guaranteed by the caller.
                signs(unsafe { $greater(self, other) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn lt(self, other: Self) -> Mask {
                // SAFETY: guaranteed by the caller.
                signs(unsafe { $greater(other, self) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn le(self, other: Self) -> Mask {
                // SAFETY: guaranteed by the caller.
                0xff ^ signs(unsafe { $greater(self, other) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn ge(self, other: Self) -> Mask {
                // SAFETY: guaranteed by the caller.
                0xff ^ signs(unsafe { $greater(other, self) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn choose_eq(self, other: Self, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi32(self, other)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn choose_ne(self, other: Self, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_blendv_epi8(a, b, _mm256_cmpeq_epi32(self, other)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn choose_gt(self, other: Self, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_blendv_epi8(b, a, $greater(self, other)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn choose_lt(self, other: Self, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_blendv_epi8(b, a, $greater(other, self)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn choose_le(self, other: Self, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_blendv_epi8(a, b, $greater(self, other)) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn choose_ge(self, other: Self, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_blendv_epi8(a, b, $greater(other, self)) }
            }

            native! {
                add(b) = _mm256_add_epi32;
                sub(b) = _mm256_sub_epi32;
                mul(b) = _mm256_mullo_epi32;
                min(b) = $min;
                max(b) = $max;
                and(b) = _mm256_and_si256;
                or(b) = _mm256_or_si256;
                xor(b) = _mm256_xor_si256;
                abs() = $abs;
            }
        })+
    };
}

words! {
    i32: _mm256_min_epi32 _mm256_max_epi32 _mm256_abs_epi32 _mm256_srav_epi32 _mm256_cmpgt_epi32 signed_words_by;
    u32: _mm256_min_epu32 _mm256_max_epu32 itself _mm256_srlv_epi32 greater_unsigned words_by;
}

/// The upper halves of the products of words.
macro_rules! high_words {
    ($($name:ident = $multiply:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: called only by methods of registers, whose caller guarantees AVX2.
            unsafe {
                let odd = $multiply(_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
                _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>($multiply(a, b)), odd)
            }
        })+
    };
}

high_words! { high_signed = _mm256_mul_epi32 high_unsigned = _mm256_mul_epu32 }
divided! {
    words_by: unsigned u32 in __m256i, i32:
        _mm256_set1_epi32 high_unsigned _mm256_add_epi32 _mm256_sub_epi32 _mm256_srl_epi32;
}
divided! {
    signed_words_by: signed i32 in __m256i, i32:
        _mm256_set1_epi32 high_signed _mm256_add_epi32 _mm256_sub_epi32 _mm256_sra_epi32;
}
