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
    /// Transpose squares of 16 by 16 elements with AVX-512.
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
    #[cfg(target_arch = "x86_64")]
    if std::mem::size_of::<T>() == 4 && rows.is_multiple_of(4) && elements.is_multiple_of(4) {
        let by_16 = how.by_16 && rows.is_multiple_of(16) && elements.is_multiple_of(16);
        let side = if by_16 { 16 } else { 4 };
        for l in (0..rows).step_by(side) {
            for k in (0..elements).step_by(side) {
                let from = Lines { first: from.row(l).wrapping_add(k).cast::<f32>(), ..cast(from) };
                let to = Lines { first: to.row(k).wrapping_add(l).cast::<f32>(), ..cast_mut(to) };
                // SAFETY: guaranteed by the caller; a square begins a multiple of 16 bytes after the start of its row.
                unsafe {
                    match (by_16, how.past) {
                        (true, true) => x86::sixteen::<true>(from, to),
                        (true, false) => x86::sixteen::<false>(from, to),
                        (false, true) => x86::four::<true>(from, to),
                        (false, false) => x86::four::<false>(from, to),
                    }
                }
            }
        }
        return;
    }
    for l in 0..rows {
        for k in 0..elements {
            // SAFETY: guaranteed by the caller.
            unsafe { to.row(k).wrapping_add(l).write(from.row(l).wrapping_add(k).read()) };
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn cast<T>(lines: Lines<*const T>) -> Lines<*const f32> {
    Lines { first: lines.first.cast(), apart: lines.apart }
}

#[cfg(target_arch = "x86_64")]
fn cast_mut<T>(lines: Lines<*mut T>) -> Lines<*mut f32> {
    Lines { first: lines.first.cast(), apart: lines.apart }
}

/// Transposes of squares of elements of 4 bytes.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lines;
    use std::arch::x86_64::*;

    /// Transposes 4 by 4 elements.
    /// # Safety
    /// All elements may be read and written. With `PAST`, the written rows are aligned to 16 bytes.
    #[inline(always)]
    pub unsafe fn four<const PAST: bool>(from: Lines<*const f32>, to: Lines<*mut f32>) {
        // SAFETY: every x86-64 has SSE; the caller guarantees the access to the elements.
        unsafe {
            let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|l| _mm_loadu_ps(from.row(l)));
            _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
            for (k, row) in [a, b, c, d].into_iter().enumerate() {
                if PAST { _mm_stream_ps(to.row(k), row) } else { _mm_storeu_ps(to.row(k), row) }
            }
        }
    }

    /// Transposes 16 by 16 elements: interleaves single elements, then pairs, then shuffles quarters of registers twice.
    /// # Safety
    /// As [`four`], but aligned to 64 bytes; the CPU has AVX-512 F.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Copy + Default + PartialEq + std::fmt::Debug>(value: impl Fn(usize) -> T, by_16: bool) {
        for (rows, elements) in [(32, 16), (16, 16), (8, 16), (32, 5), (7, 3), (16, 1)] {
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
        }
    }
}
