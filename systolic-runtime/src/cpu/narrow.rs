//! Registers of 8 lanes of 8-bit and 16-bit integers, for CPUs with AVX2.
#![allow(unsafe_code)]
use super::Mask;
use super::register::{Register, Unaligned};
use std::arch::x86_64::*;

/// 8 lanes of `i8` or `u8`, in the lower half.
#[derive(Clone, Copy, Debug)]
pub struct Bytes8(__m128i);
/// 8 lanes of `i16` or `u16`.
#[derive(Clone, Copy, Debug)]
pub struct Shorts8(__m128i);

// SAFETY of all functions here: they are called only by methods of registers, whose caller guarantees AVX2 and the access to
// memory.

/// Bytes n, n + 1, … of `low` followed by `high`.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn slide_bytes(low: __m128i, high: __m128i, n: usize) -> __m128i {
    // SAFETY: see above.
    unsafe {
        let counted = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let from = _mm_add_epi8(counted, _mm_set1_epi8(n as i8));
        // The instruction uses only the low four bits of an index, so the same indices work for both registers.
        let (low, high) = (_mm_shuffle_epi8(low, from), _mm_shuffle_epi8(high, from));
        _mm_blendv_epi8(low, high, _mm_cmpgt_epi8(from, _mm_set1_epi8(15)))
    }
}

#[cfg_attr(optimised, inline(always))]
unsafe fn slide_bytes_8(low: __m128i, high: __m128i, n: usize) -> __m128i {
    // SAFETY: see above.
    unsafe { slide_bytes(_mm_unpacklo_epi64(low, high), low, n) }
}

#[cfg_attr(optimised, inline(always))]
unsafe fn slide_shorts_8(low: __m128i, high: __m128i, n: usize) -> __m128i {
    // SAFETY: see above.
    unsafe { slide_bytes(low, high, 2 * n) }
}

/// The products of bytes modulo 256. Bytes at even and at odd positions are multiplied separately, as 16-bit integers.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn product_of_bytes(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: see above.
    unsafe {
        let even = _mm_and_si128(_mm_mullo_epi16(a, b), _mm_set1_epi16(0xff));
        let odd = _mm_mullo_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
        _mm_or_si128(even, _mm_slli_epi16(odd, 8))
    }
}

/// The low bytes of 8 words.
#[cfg_attr(optimised, inline(always))]
unsafe fn bytes_of_words(words: __m256i) -> __m128i {
    // SAFETY: see above.
    unsafe {
        let low = _mm256_set1_epi32(i32::from_le_bytes([0, 4, 8, 12]));
        let low = _mm256_shuffle_epi8(words, low);
        _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256::<1>(low))
    }
}

/// The low halves of 8 words.
#[cfg_attr(optimised, inline(always))]
unsafe fn shorts_of_words(words: __m256i) -> __m128i {
    // SAFETY: see above.
    unsafe {
        let low = _mm256_set1_epi64x(i64::from_le_bytes([0, 1, 4, 5, 8, 9, 12, 13]));
        let low = _mm256_shuffle_epi8(words, low);
        _mm_unpacklo_epi64(_mm256_castsi256_si128(low), _mm256_extracti128_si256::<1>(low))
    }
}

/// Expands a mask: lanes in it are all ones, the others zero.
#[cfg_attr(optimised, inline(always))]
unsafe fn bytes_where_8(mask: Mask) -> __m128i {
    // SAFETY: see above.
    unsafe {
        let bits = _mm_set1_epi64x(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
        _mm_cmpeq_epi8(_mm_and_si128(_mm_set1_epi8(mask as i8), bits), bits)
    }
}

#[cfg_attr(optimised, inline(always))]
unsafe fn shorts_where_8(mask: Mask) -> __m128i {
    // SAFETY: see above.
    unsafe {
        let bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
        _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16(mask as i16), bits), bits)
    }
}

/// Returns the lanes that are all ones. Every lane must be all ones or zero.
#[cfg_attr(optimised, inline(always))]
unsafe fn bytes_set_8(lanes: __m128i) -> Mask {
    // SAFETY: see above.
    unsafe { _mm_movemask_epi8(lanes) as Mask & 0xff }
}

#[cfg_attr(optimised, inline(always))]
unsafe fn shorts_set_8(lanes: __m128i) -> Mask {
    // SAFETY: see above.
    unsafe { _mm_movemask_epi8(_mm_packs_epi16(lanes, _mm_setzero_si128())) as Mask }
}

/// By step and by register of 16 bytes: the byte that goes to each lane, or 128 if it lies in another register. The last register
/// ends with the element of the last lane.
const PICKED: &[[[u8; 16]; 9]; 10] = &picked();

const fn picked() -> [[[u8; 16]; 9]; 10] {
    let mut tables = [[[128; 16]; 9]; 10];
    let mut step = 2;
    while step < 10 {
        let mut lane = 0;
        while lane < 16 {
            let (at, last) = (lane * step, step - 1);
            let k = at / 16;
            let k = if k > last { last } else { k };
            let base = if k == last { 15 * step - 15 } else { 16 * k };
            tables[step][k][lane] = (at - base) as u8;
            lane += 1;
        }
        step += 1;
    }
    tables
}

/// Loads every `step`-th byte into 16 lanes.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn bytes_apart(from: *const u8, step: usize) -> __m128i {
    // SAFETY: see above. The last register ends with the element of the last lane.
    unsafe {
        let mut all = _mm_setzero_si128();
        for k in 0..step {
            let base = if k + 1 == step { 15 * step - 15 } else { 16 * k };
            let table = _mm_loadu_si128(PICKED[step % 10][k % 9].as_ptr().cast());
            all = _mm_or_si128(all, _mm_shuffle_epi8(_mm_loadu_si128(from.add(base).cast()), table));
        }
        all
    }
}

/// By step, by register of 16 stored bytes and by value: the lane that goes to each byte, or 128 if another value gives it.
const MIXED: &[[[[u8; 16]; 9]; 9]; 10] = &mixed();

const fn mixed() -> [[[[u8; 16]; 9]; 9]; 10] {
    let mut tables = [[[[128; 16]; 9]; 9]; 10];
    let mut step = 2;
    while step < 10 {
        let mut at = 0;
        while at < 16 * step {
            tables[step][at / 16][at % step][at % 16] = (at / step) as u8;
            at += 1;
        }
        step += 1;
    }
    tables
}

/// Stores lane 0 of every value, then lane 1 of every value, and so on, for 16 lanes of bytes.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn bytes_together<const STEP: usize>(values: [__m128i; STEP], to: *mut u8) {
    // SAFETY: see above.
    unsafe {
        for register in 0..STEP {
            let mut all = _mm_setzero_si128();
            for (k, value) in values.iter().enumerate() {
                let table = _mm_loadu_si128(MIXED[STEP % 10][register % 9][k % 9].as_ptr().cast());
                all = _mm_or_si128(all, _mm_shuffle_epi8(*value, table));
            }
            _mm_storeu_si128(to.add(16 * register).cast(), all);
        }
    }
}

/// The absolute value of unsigned integers: the identity.
#[cfg_attr(optimised, inline(always))]
unsafe fn itself<R>(x: R) -> R {
    x
}

/// Operations of a register that are one expression each.
macro_rules! lanewise {
    ($register:ident $($name:ident($($other:ident),*) = |$x:ident| $result:expr;)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            let $x = self.0;
            // SAFETY: guaranteed by the caller.
            $register(unsafe { $result })
        })+
    };
}
pub(super) use lanewise;

/// A register: its loads, stores and lane moves, then the operations of each element type. Unsigned comparisons flip the sign
/// bits of both sides (`$half`) and compare as signed.
macro_rules! narrow {
    (
        $register:ident $lanes:literal: $load:ident $store:ident $splat:ident($signed:ty) $slide:ident $where:ident $set:ident
        $blend:ident $zero:ident $add:ident $sub:ident $mul:ident $and:ident $or:ident $xor:ident $equal:ident $greater:ident
        $of_words:ident
        $($type:ident: $min:ident $max:ident $abs:ident $to_words:ident $half:expr;)+
    ) => {
        $(impl Register<$type> for $register {
            const LANES: usize = $lanes;

            const TO_WORDS: bool = true;
            const OF_WORDS: bool = true;

            #[cfg_attr(optimised, inline(always))]
            unsafe fn to_words(self, to: *mut i32) {
                // SAFETY: guaranteed by the caller.
                unsafe { (*to.cast::<Unaligned<_>>()).0 = $to_words(self.0) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn of_words(from: *const i32) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $of_words((*from.cast::<Unaligned<_>>()).0) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn splat(x: $type) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $splat(x as $signed) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn load(from: *const $type) -> Self {
                // SAFETY: guaranteed by the caller; the instruction needs no alignment.
                $register(unsafe { $load(from.cast()) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store(self, to: *mut $type) {
                // SAFETY: guaranteed by the caller; the instruction needs no alignment.
                unsafe { $store(to.cast(), self.0) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $slide(low.0, high.0, n) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $blend(b.0, a.0, $where(mask)) })
            }

            lanewise! { $register
                add(b) = |x| $add(x, b.0);
                sub(b) = |x| $sub(x, b.0);
                mul(b) = |x| $mul(x, b.0);
                fma(b, c) = |x| $add($mul(x, b.0), c.0);
                min(b) = |x| $min(x, b.0);
                max(b) = |x| $max(x, b.0);
                and(b) = |x| $and(x, b.0);
                or(b) = |x| $or(x, b.0);
                xor(b) = |x| $xor(x, b.0);
                neg() = |x| $sub($zero(), x);
                not() = |x| $xor(x, $splat(-1));
                abs() = |x| $abs(x);
            }

            narrow! { @compare $register $set $blend
                eq, choose_eq = false, |x, y| $equal(x, y);
                ne, choose_ne = true, |x, y| $equal(x, y);
                gt, choose_gt = false, |x, y| $greater($xor(x, $splat($half)), $xor(y, $splat($half)));
                le, choose_le = true, |x, y| $greater($xor(x, $splat($half)), $xor(y, $splat($half)));
                lt, choose_lt = false, |x, y| $greater($xor(y, $splat($half)), $xor(x, $splat($half)));
                ge, choose_ge = true, |x, y| $greater($xor(y, $splat($half)), $xor(x, $splat($half)));
            }
        })+
    };
    // Only `==` and `>` are instructions; with `$not` the result is negated.
    (@compare $register:ident $set:ident $blend:ident
     $($name:ident, $choose:ident = $not:literal, |$x:ident, $y:ident| $holds:expr;)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            let ($x, $y) = (self.0, other.0);
            // SAFETY: guaranteed by the caller.
            let lanes = unsafe { $set($holds) };
            if $not { lanes ^ super::vector::low(Self::COUNT) } else { lanes }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn $choose(self, other: Self, a: Self, b: Self) -> Self {
            let ($x, $y) = (self.0, other.0);
            let (a, b) = if $not { (b, a) } else { (a, b) };
            // SAFETY: guaranteed by the caller.
            $register(unsafe { $blend(b.0, a.0, $holds) })
        })+
    };
}

impl Bytes8 {
    const COUNT: usize = 8;
}
impl Shorts8 {
    const COUNT: usize = 8;
}

narrow! {
    Bytes8 8: _mm_loadl_epi64 _mm_storel_epi64 _mm_set1_epi8(i8) slide_bytes_8 bytes_where_8 bytes_set_8
    _mm_blendv_epi8 _mm_setzero_si128 _mm_add_epi8 _mm_sub_epi8 product_of_bytes _mm_and_si128 _mm_or_si128 _mm_xor_si128
    _mm_cmpeq_epi8 _mm_cmpgt_epi8 bytes_of_words
    i8: _mm_min_epi8 _mm_max_epi8 _mm_abs_epi8 _mm256_cvtepi8_epi32 0;
    u8: _mm_min_epu8 _mm_max_epu8 itself _mm256_cvtepu8_epi32 i8::MIN;
}

narrow! {
    Shorts8 8: _mm_loadu_si128 _mm_storeu_si128 _mm_set1_epi16(i16) slide_shorts_8 shorts_where_8 shorts_set_8
    _mm_blendv_epi8 _mm_setzero_si128 _mm_add_epi16 _mm_sub_epi16 _mm_mullo_epi16 _mm_and_si128 _mm_or_si128 _mm_xor_si128
    _mm_cmpeq_epi16 _mm_cmpgt_epi16 shorts_of_words
    i16: _mm_min_epi16 _mm_max_epi16 _mm_abs_epi16 _mm256_cvtepi16_epi32 0;
    u16: _mm_min_epu16 _mm_max_epu16 itself _mm256_cvtepu16_epi32 i16::MIN;
}
