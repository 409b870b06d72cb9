//! Transposes tiles, so that consecutive elements of a row are in the same lane of consecutive cells.
#![allow(unsafe_code)]
use super::prefetch::ask;
use crate::words::LINE;

/// The prefetch distance in bytes.
const AHEAD: usize = 8 * LINE;

/// Rows of elements: the first begins at `first`, each next one `apart` elements further.
#[derive(Clone, Copy, Debug)]
pub struct Lines<P> {
    pub first: P,
    pub apart: isize,
}

impl<T> Lines<*const T> {
    fn row(&self, k: usize) -> *const T {
        self.first.wrapping_offset(self.apart.wrapping_mul(k as isize))
    }
}

impl<T> Lines<*mut T> {
    fn row(&self, k: usize) -> *mut T {
        self.first.wrapping_offset(self.apart.wrapping_mul(k as isize))
    }
}

/// Options of a transpose.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// The source is probably not in a cache, so later parts of its rows are prefetched.
    pub ahead: bool,
    /// Write with non-temporal stores, which bypass the caches, if the CPU has them.
    pub past: bool,
    /// Transpose squares of 16 by 16 elements of 4 bytes, or 8 by 8 of 8 bytes, with AVX-512.
    pub by_16: bool,
}

/// Transposes `rows` rows of `elements` elements: element k of row l becomes element l of row k.
/// # Safety
/// All these elements may be read and written. With `past`, every written row begins on a cache line and consists of whole
/// lines. With `by_16`, the CPU has AVX-512 F.
pub unsafe fn transpose<T: Copy>(from: Lines<*const T>, to: Lines<*mut T>, rows: usize, elements: usize, how: How) {
    if how.ahead {
        (0..rows).for_each(|l| ask(from.row(l).wrapping_byte_add(AHEAD)));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { squares(from, to, rows, elements, how) }
}

/// Transposes the largest squares that fit, and then what is left beside and below them.
/// # Safety
/// As [`transpose`].
unsafe fn squares<T: Copy>(from: Lines<*const T>, to: Lines<*mut T>, rows: usize, elements: usize, how: How) {
    let side = side::<T>(rows.min(elements), how.by_16);
    if side < 2 {
        for l in 0..rows {
            for k in 0..elements {
                // SAFETY: guaranteed by the caller.
                unsafe { to.row(k).wrapping_add(l).write(from.row(l).wrapping_add(k).read()) };
            }
        }
        return;
    }
    let part = |l: usize, k: usize| {
        let (first, place) = (from.row(l).wrapping_add(k), to.row(k).wrapping_add(l));
        (Lines { first, ..from }, Lines { first: place, ..to })
    };
    let (below, beside) = (rows - rows % side, elements - elements % side);
    for l in (0..below).step_by(side) {
        for k in (0..beside).step_by(side) {
            let (from, to) = part(l, k);
            // SAFETY: guaranteed by the caller; a square begins a multiple of 16 bytes after the start of its row.
            #[cfg(target_arch = "x86_64")]
            unsafe {
                x86::square(from, to, side, how.past);
            }
            #[cfg(not(target_arch = "x86_64"))]
            let _ = (from, to);
        }
    }
    if beside < elements {
        let (from, to) = part(0, beside);
        // SAFETY: guaranteed by the caller.
        unsafe { squares(from, to, below, elements - beside, how) }
    }
    if below < rows {
        let (from, to) = part(below, 0);
        // SAFETY: guaranteed by the caller.
        unsafe { squares(from, to, rows - below, elements, how) }
    }
}

/// The side of the largest square that fits and for which there are instructions, or 1.
fn side<T>(most: usize, by_16: bool) -> usize {
    let bytes = std::mem::size_of::<T>();
    if cfg!(not(target_arch = "x86_64")) || !matches!(bytes, 1 | 2 | 4 | 8) {
        return 1;
    }
    let sides = [if by_16 && matches!(bytes, 4 | 8) { LINE / bytes } else { 1 }, 16 / bytes];
    sides.into_iter().find(|side| *side > 1 && *side <= most).unwrap_or(1)
}

/// Transposes of squares.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lines;
    use std::arch::x86_64::*;

    /// Transposes a square whose side is 16 bytes long, or 64 bytes with elements of 4 or 8.
    /// # Safety
    /// All elements may be read and written. With `past`, the written rows are aligned to their length. For sides of 64 bytes the
    /// CPU has AVX-512 F.
    #[inline(always)]
    pub unsafe fn square<T>(from: Lines<*const T>, to: Lines<*mut T>, side: usize, past: bool) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match (std::mem::size_of::<T>(), side, past) {
                (4, 16, true) => sixteen::<true>(cast(from), cast_mut(to)),
                (4, 16, false) => sixteen::<false>(cast(from), cast_mut(to)),
                (8, 8, true) => eight::<true>(cast(from), cast_mut(to)),
                (8, 8, false) => eight::<false>(cast(from), cast_mut(to)),
                (1, ..) => interleaved(from, to, past, _mm_unpacklo_epi8, _mm_unpackhi_epi8),
                (2, ..) => interleaved(from, to, past, _mm_unpacklo_epi16, _mm_unpackhi_epi16),
                (4, ..) => interleaved(from, to, past, _mm_unpacklo_epi32, _mm_unpackhi_epi32),
                _ => interleaved(from, to, past, _mm_unpacklo_epi64, _mm_unpackhi_epi64),
            }
        }
    }

    /// Transposes a square of 16 bytes a side: in every round each row of the first half is interleaved with one of the second.
    /// # Safety
    /// As [`square`]; `low` and `high` interleave elements of this size.
    #[inline(always)]
    unsafe fn interleaved<T>(
        from: Lines<*const T>,
        to: Lines<*mut T>,
        past: bool,
        low: unsafe fn(__m128i, __m128i) -> __m128i,
        high: unsafe fn(__m128i, __m128i) -> __m128i,
    ) {
        let side = const { 16 / std::mem::size_of::<T>() };
        // SAFETY: every x86-64 has SSE2; the caller guarantees the access to the elements.
        unsafe {
            let mut rows = [_mm_setzero_si128(); 16];
            for (l, row) in rows.iter_mut().enumerate().take(side) {
                *row = _mm_loadu_si128(from.row(l).cast());
            }
            for _ in 0..side.ilog2() {
                let mut next = rows;
                for l in 0..side / 2 {
                    next[2 * l] = low(rows[l], rows[l + side / 2]);
                    next[2 * l + 1] = high(rows[l], rows[l + side / 2]);
                }
                rows = next;
            }
            for (k, row) in rows.into_iter().enumerate().take(side) {
                let place = to.row(k).cast();
                if past { _mm_stream_si128(place, row) } else { _mm_storeu_si128(place, row) }
            }
        }
    }

    fn cast<T, U>(lines: Lines<*const T>) -> Lines<*const U> {
        Lines { first: lines.first.cast(), apart: lines.apart }
    }

    fn cast_mut<T, U>(lines: Lines<*mut T>) -> Lines<*mut U> {
        Lines { first: lines.first.cast(), apart: lines.apart }
    }

    /// Transposes 16 by 16 elements: interleaves single elements, then pairs, then shuffles quarters of registers twice.
    /// # Safety
    /// All elements may be read and written. With `PAST`, the written rows are aligned to 64 bytes. The CPU has AVX-512 F.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn sixteen<const PAST: bool>(from: Lines<*const f32>, to: Lines<*mut f32>) {
        let zero = _mm512_setzero_ps();
        let (mut a, mut b) = ([zero; 16], [zero; 16]);
        for (l, row) in a.iter_mut().enumerate() {
            // SAFETY: guaranteed by the caller.
            *row = unsafe { _mm512_loadu_ps(from.row(l)) };
        }
        for l in (0..16).step_by(2) {
            b[l] = _mm512_unpacklo_ps(a[l], a[l + 1]);
            b[l + 1] = _mm512_unpackhi_ps(a[l], a[l + 1]);
        }
        for l in (0..16).step_by(4) {
            let wide = [0, 1, 2, 3].map(|k| _mm512_castps_pd(b[l + k]));
            a[l] = _mm512_castpd_ps(_mm512_unpacklo_pd(wide[0], wide[2]));
            a[l + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(wide[0], wide[2]));
            a[l + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(wide[1], wide[3]));
            a[l + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(wide[1], wide[3]));
        }
        // Quarter h of a[4 g + k] now has the elements 4 h + k of rows 4 g to 4 g + 3.
        for k in 0..4 {
            b[k] = _mm512_shuffle_f32x4::<0x88>(a[k], a[k + 4]);
            b[k + 4] = _mm512_shuffle_f32x4::<0xdd>(a[k], a[k + 4]);
            b[k + 8] = _mm512_shuffle_f32x4::<0x88>(a[k + 8], a[k + 12]);
            b[k + 12] = _mm512_shuffle_f32x4::<0xdd>(a[k + 8], a[k + 12]);
        }
        for k in 0..4 {
            a[k] = _mm512_shuffle_f32x4::<0x88>(b[k], b[k + 8]);
            a[k + 8] = _mm512_shuffle_f32x4::<0xdd>(b[k], b[k + 8]);
            a[k + 4] = _mm512_shuffle_f32x4::<0x88>(b[k + 4], b[k + 12]);
            a[k + 12] = _mm512_shuffle_f32x4::<0xdd>(b[k + 4], b[k + 12]);
        }
        for (k, row) in a.into_iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { if PAST { _mm512_stream_ps(to.row(k), row) } else { _mm512_storeu_ps(to.row(k), row) } };
        }
    }

    /// Transposes 8 by 8 elements: interleaves single elements, then shuffles quarters of registers twice.
    /// # Safety
    /// All elements may be read and written. With `PAST`, the written rows are aligned to 64 bytes. The CPU has AVX-512 F.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn eight<const PAST: bool>(from: Lines<*const f64>, to: Lines<*mut f64>) {
        let (mut a, mut b) = ([_mm512_setzero_pd(); 8], [_mm512_setzero_pd(); 8]);
        for (l, row) in a.iter_mut().enumerate() {
            // SAFETY: guaranteed by the caller.
            *row = unsafe { _mm512_loadu_pd(from.row(l)) };
        }
        for l in (0..8).step_by(2) {
            b[l] = _mm512_unpacklo_pd(a[l], a[l + 1]);
            b[l + 1] = _mm512_unpackhi_pd(a[l], a[l + 1]);
        }
        // Quarter h of b[2 g + k] now has the elements 2 h + k of rows 2 g and 2 g + 1.
        for k in 0..2 {
            let even = [0, 4].map(|g| _mm512_shuffle_f64x2::<0x88>(b[g + k], b[g + k + 2]));
            let odd = [0, 4].map(|g| _mm512_shuffle_f64x2::<0xdd>(b[g + k], b[g + k + 2]));
            a[k] = _mm512_shuffle_f64x2::<0x88>(even[0], even[1]);
            a[k + 2] = _mm512_shuffle_f64x2::<0x88>(odd[0], odd[1]);
            a[k + 4] = _mm512_shuffle_f64x2::<0xdd>(even[0], even[1]);
            a[k + 6] = _mm512_shuffle_f64x2::<0xdd>(odd[0], odd[1]);
        }
        for (k, row) in a.into_iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { if PAST { _mm512_stream_pd(to.row(k), row) } else { _mm512_storeu_pd(to.row(k), row) } };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Copy + Default + PartialEq + std::fmt::Debug>(value: impl Fn(usize) -> T, by_16: bool) {
        for (rows, elements) in [(32, 16), (16, 16), (8, 16), (32, 5), (7, 3), (16, 1), (31, 13), (20, 15), (1, 16)] {
            let from: Vec<T> = (0..rows * 40).map(&value).collect();
            let mut to = vec![T::default(); 40 * elements];
            let (lines, how) = (Lines { first: from.as_ptr(), apart: 40 }, How { ahead: true, past: false, by_16 });
            // SAFETY: both sides have 40 elements per row, and at least as many rows as are accessed.
            unsafe { transpose(lines, Lines { first: to.as_mut_ptr(), apart: 40 }, rows, elements, how) };
            for k in 0..elements {
                for l in 0..40 {
                    let expected = if l < rows { from[40 * l + k] } else { T::default() };
                    assert_eq!(to[40 * k + l], expected, "{rows} × {elements}, element {k} of row {l}, {by_16}");
                }
            }
        }
    }

    #[test]
    fn every_element_finds_its_place() {
        #[cfg(target_arch = "x86_64")]
        let both = [false, is_x86_feature_detected!("avx512f")];
        #[cfg(not(target_arch = "x86_64"))]
        let both = [false, false];
        for by_16 in both {
            check(|k| k as f32, by_16);
            check(|k| k as u32, by_16);
            check(|k| k as f64, by_16);
            check(|k| k as u16, by_16);
            check(|k| (k * 7 + k / 251) as u8, by_16);
            check(|k| [k as u8; 3], by_16);
        }
    }
}
