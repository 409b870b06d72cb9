//! Tables small enough for registers, with AVX-512: one permutation takes elements from two registers, and what several of them take is
//! blended by the bits of the positions. The numbers of elements are constants after inlining, so only what a table needs is compiled.
#![allow(unsafe_code)]
use std::arch::x86_64::*;

/// The most elements of these sizes.
pub(super) const SHORTS: usize = 1024;
pub(super) const BYTES: usize = 2 * SHORTS;
pub(super) const WORDS: usize = 256;

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

/// Blends of what smaller parts of a table give.
macro_rules! blends {
    ($($name:ident = $half:ident of $bytes:literal by $bit:literal: $shift:ident $mask:ident $blend:ident;)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        pub(super) unsafe fn $name(from: *const u8, bytes: usize, first: usize, cells: __m512i) -> __m512i {
            // SAFETY: see above.
            unsafe {
                let low = $half(from, bytes, first, cells);
                if first + $bytes >= bytes {
                    return low;
                }
                let high = $half(from, bytes, first + $bytes, cells);
                $blend($mask($shift::<$bit>(cells)), low, high)
            }
        })+
    };
}

/// 32 shorts from two registers, by the low six bits of the positions.
#[cfg_attr(optimised, inline(always))]
unsafe fn shorts_of_64(from: *const u8, bytes: usize, first: usize, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let low = part(from, bytes, first);
        if first + 64 >= bytes {
            return _mm512_permutexvar_epi16(cells, low);
        }
        _mm512_permutex2var_epi16(low, cells, part(from, bytes, first + 64))
    }
}

/// 16 words from two registers, by the low five bits of the positions.
#[cfg_attr(optimised, inline(always))]
unsafe fn words_of_32(from: *const u8, bytes: usize, first: usize, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let low = part(from, bytes, first);
        if first + 64 >= bytes {
            return _mm512_permutexvar_epi32(cells, low);
        }
        _mm512_permutex2var_epi32(low, cells, part(from, bytes, first + 64))
    }
}

// The sign bit of the shifted positions is the bit that tells the halves apart.
blends! {
    shorts_of_128 = shorts_of_64 of 128 by 9: _mm512_slli_epi16 _mm512_movepi16_mask _mm512_mask_blend_epi16;
    shorts_of_256 = shorts_of_128 of 256 by 8: _mm512_slli_epi16 _mm512_movepi16_mask _mm512_mask_blend_epi16;
    shorts_of_512 = shorts_of_256 of 512 by 7: _mm512_slli_epi16 _mm512_movepi16_mask _mm512_mask_blend_epi16;
    shorts_of_1024 = shorts_of_512 of 1024 by 6: _mm512_slli_epi16 _mm512_movepi16_mask _mm512_mask_blend_epi16;
    words_of_64 = words_of_32 of 128 by 26: _mm512_slli_epi32 _mm512_movepi32_mask _mm512_mask_blend_epi32;
    words_of_128 = words_of_64 of 256 by 25: _mm512_slli_epi32 _mm512_movepi32_mask _mm512_mask_blend_epi32;
    words_of_256 = words_of_128 of 512 by 24: _mm512_slli_epi32 _mm512_movepi32_mask _mm512_mask_blend_epi32;
}

/// 32 shorts of a table of at most [`SHORTS`].
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn shorts(from: *const u8, count: usize, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe { shorts_of_1024(from, 2 * count, 0, cells) }
}

/// 32 bytes of a table of at most [`BYTES`], in the low halves of shorts: the shorts that contain them, shifted.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn bytes(from: *const u8, count: usize, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let both = shorts_of_1024(from, count, 0, _mm512_srli_epi16::<1>(cells));
        let odd = _mm512_and_si512(cells, _mm512_set1_epi16(1));
        _mm512_srlv_epi16(both, _mm512_slli_epi16::<3>(odd))
    }
}

/// 16 words of a table of at most [`WORDS`].
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn words(from: *const u8, count: usize, cells: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe { words_of_256(from, 4 * count, 0, cells) }
}
