//! Tables small enough for registers, with AVX-512: one permutation takes elements from two registers, and what several of them take is
//! blended by the bits of the positions. The number of elements is a constant, so all loops are unrolled.
#![allow(unsafe_code)]
use std::arch::x86_64::*;

/// The most elements of these sizes.
pub(super) const SHORTS: usize = 1024;
pub(super) const BYTES: usize = 2 * SHORTS;
pub(super) const WORDS: usize = 256;

/// The most pairs of registers.
const PAIRS: usize = 16;

// SAFETY of all functions here: the caller guarantees AVX-512, and that the bytes of the table may be read.

/// The 64 bytes from `first` on, of those that the table has; zero after its end.
#[cfg_attr(optimised, inline(always))]
unsafe fn part(from: *const u8, bytes: usize, first: usize) -> __m512i {
    // SAFETY: see above; the mask has only bytes of the table.
    unsafe {
        match bytes.saturating_sub(first) {
            0 => _mm512_setzero_si512(),
            left @ 1..64 => _mm512_maskz_loadu_epi8((1 << left) - 1, from.add(first).cast()),
            _ => _mm512_loadu_si512(from.add(first).cast()),
        }
    }
}

/// A function that takes one element per lane: from each pair of registers by the low bits of the positions, then by the others. A
/// shift brings each of these to the sign bit, which makes the mask of a blend.
macro_rules! pick {
    ($name:ident: $one:ident $two:ident $mask:ident $blend:ident, $shift:ident: $($by:literal)+) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(from: *const u8, bytes: usize, cells: __m512i) -> __m512i {
            // SAFETY: see above.
            unsafe {
                if bytes <= 64 {
                    return $one(cells, part(from, bytes, 0));
                }
                let mut some = [_mm512_setzero_si512(); PAIRS];
                let (mut left, mut k) = (bytes.div_ceil(128), 0);
                while k < left && k < PAIRS {
                    some[k] = $two(part(from, bytes, 128 * k), cells, part(from, bytes, 128 * k + 64));
                    k += 1;
                }
                $(if left > 1 {
                    let (mask, mut k) = ($mask($shift::<$by>(cells)), 0);
                    while 2 * k + 1 < left && k < PAIRS / 2 {
                        some[k] = $blend(mask, some[2 * k], some[2 * k + 1]);
                        k += 1;
                    }
                    if left % 2 == 1 && k < PAIRS {
                        some[k] = some[2 * k % PAIRS];
                    }
                    left = left.div_ceil(2);
                })+
                let _ = left;
                some[0]
            }
        }
    };
}

pick! {
    of_shorts: _mm512_permutexvar_epi16 _mm512_permutex2var_epi16 _mm512_movepi16_mask _mm512_mask_blend_epi16,
    _mm512_slli_epi16: 9 8 7 6
}
pick! {
    of_words: _mm512_permutexvar_epi32 _mm512_permutex2var_epi32 _mm512_movepi32_mask _mm512_mask_blend_epi32,
    _mm512_slli_epi32: 26 25 24
}

/// 32 shorts of a table of `COUNT`, at most [`SHORTS`].
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn shorts<const COUNT: usize>(from: *const u8, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe { of_shorts(from, 2 * COUNT, cells) }
}

/// 32 bytes of a table of `COUNT`, at most [`BYTES`], in the low halves of shorts: the shorts that contain them, shifted.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn bytes<const COUNT: usize>(from: *const u8, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let both = of_shorts(from, COUNT, _mm512_srli_epi16::<1>(cells));
        let odd = _mm512_and_si512(cells, _mm512_set1_epi16(1));
        _mm512_srlv_epi16(both, _mm512_slli_epi16::<3>(odd))
    }
}

/// 16 words of a table of `COUNT`, at most [`WORDS`].
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn words<const COUNT: usize>(from: *const u8, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe { of_words(from, 4 * COUNT, cells) }
}
