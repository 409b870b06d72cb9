//! Registers of 16 and 32 lanes of 8-bit and 16-bit integers with AVX-512: 128 to 512 bits; comparisons return bit masks.
#![allow(unsafe_code)]
use super::Mask;
use super::apart::{apart, bytes as byte_tables};
use super::divide::{Signed, Unsigned, divide, divided};
use super::narrow::{bytes_apart, bytes_together, lanewise, product_of_bytes, slide_bytes};
use super::picked;
use super::register::{Register, Unaligned, at};
use std::arch::x86_64::*;

/// 16 lanes of `i8` or `u8`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes16(__m128i);
/// 16 lanes of `i16` or `u16`.
#[derive(Clone, Copy, Debug)]
pub struct Shorts16(__m256i);
/// 32 lanes of `i8` or `u8`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes32(__m256i);
/// 32 lanes of `i16` or `u16`.
#[derive(Clone, Copy, Debug)]
pub struct Shorts32(__m512i);

// SAFETY of all functions here: they are called only by methods of registers, whose caller guarantees AVX-512 and the access to
// memory.

/// The products of bytes modulo 256.
#[cfg_attr(optimised, inline(always))]
unsafe fn product_of_bytes_32(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: see above.
    unsafe { _mm512_cvtepi16_epi8(_mm512_mullo_epi16(_mm512_cvtepu8_epi16(a), _mm512_cvtepu8_epi16(b))) }
}

/// Bytes n, n + 1, … of `low` followed by `high`; n is at most 32.
#[cfg_attr(optimised, inline(always))]
unsafe fn slide_32(low: __m256i, high: __m256i, n: usize) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let halves = |x| (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
        let ((a, b), (c, d)) = (halves(low), halves(high));
        let (a, b, c, n) = if n < 16 { (a, b, c, n) } else { (b, c, d, n - 16) };
        _mm256_set_m128i(slide_bytes(b, c, n), slide_bytes(a, b, n))
    }
}

/// Shorts n, n + 1, … of `low` followed by `high`; n is at most 16.
#[cfg_attr(optimised, inline(always))]
unsafe fn slide_shorts_16(low: __m256i, high: __m256i, n: usize) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        _mm256_permutex2var_epi16(low, _mm256_add_epi16(lanes, _mm256_set1_epi16(n as i16)), high)
    }
}

/// Shorts n, n + 1, … of `low` followed by `high`; n is at most 32.
#[cfg_attr(optimised, inline(always))]
unsafe fn slide_shorts(low: __m512i, high: __m512i, n: usize) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let lanes: __m512i = const {
            let mut lanes = [0u16; 32];
            let mut l = 0;
            while l < 32 {
                lanes[l] = l as u16;
                l += 1;
            }
            std::mem::transmute(lanes)
        };
        _mm512_permutex2var_epi16(low, _mm512_add_epi16(lanes, _mm512_set1_epi16(n as i16)), high)
    }
}

/// Loads every `step`-th byte into 32 lanes.
#[cfg_attr(optimised, inline(always))]
unsafe fn bytes_apart_32(from: *const u8, step: usize) -> __m256i {
    // SAFETY: see above.
    unsafe { _mm256_set_m128i(bytes_apart(from.add(16 * step), step), bytes_apart(from, step)) }
}

/// Loads every `step`-th byte from the `phase`-th on into 32 lanes. The step is odd, so the elements of 16 lanes have different
/// places modulo 16: blends collect them, and one shuffle sorts them.
#[cfg_attr(optimised, inline(always))]
unsafe fn bytes_of_phase(from: *const u8, step: usize, phase: usize) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let (at, places) = &byte_tables::PHASES[step % 10][phase % 9];
        let part = |k: usize| _mm_loadu_si128(from.add(16 * k).cast());
        let both = |k: usize| _mm256_set_m128i(part(step + k), part(k));
        let mut all = both(0);
        for k in 1..step {
            all = _mm256_mask_blend_epi8(places[k % 9] * 0x1_0001, all, both(k));
        }
        _mm256_shuffle_epi8(all, _mm256_broadcastsi128_si256(_mm_loadu_si128(at.as_ptr().cast())))
    }
}

/// Stores lane 0 of every value, then lane 1 of every value, and so on, for 32 lanes of bytes.
#[cfg_attr(optimised, inline(always))]
unsafe fn bytes_in_turn<const STEP: usize>(values: [__m256i; STEP], to: *mut u8) {
    // SAFETY: see above.
    unsafe {
        let pair = |k: usize| {
            let [low, high] = [k % STEP, (k + 1) % STEP].map(|k| _mm512_cvtepu8_epi16(values[k]));
            _mm512_or_si512(low, _mm512_slli_epi16::<8>(high))
        };
        match STEP {
            2 => _mm512_storeu_si512(to.cast(), pair(0)),
            4 => {
                let (a, b) = (pair(0), pair(2));
                let (low, high) = (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b));
                let order = [[0i64, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]];
                for (k, order) in order.iter().enumerate() {
                    let order = _mm512_loadu_si512(order.as_ptr().cast());
                    _mm512_storeu_si512(to.add(64 * k).cast(), _mm512_permutex2var_epi64(low, order, high));
                }
            }
            3 | 5 | 7 | 9 => {
                let moved: [__m256i; STEP] = std::array::from_fn(|k| {
                    let at = _mm_loadu_si128(byte_tables::MOVED[STEP % 10][k % 9].as_ptr().cast());
                    _mm256_shuffle_epi8(values[k], _mm256_broadcastsi128_si256(at))
                });
                for register in 0..STEP {
                    let (_, lanes) = &byte_tables::TOGETHER[STEP % 10][register % 9];
                    let mut all = moved[0];
                    for k in 1..STEP {
                        all = _mm256_mask_blend_epi8(lanes[k % 9] * 0x1_0001, all, moved[k]);
                    }
                    _mm_storeu_si128(to.add(16 * register).cast(), _mm256_castsi256_si128(all));
                    let high = to.add(16 * (STEP + register));
                    _mm_storeu_si128(high.cast(), _mm256_extracti128_si256::<1>(all));
                }
            }
            _ => {
                bytes_together(values.map(|value| _mm256_castsi256_si128(value)), to);
                let high = values.map(|value| _mm256_extracti128_si256::<1>(value));
                bytes_together(high, to.add(16 * STEP));
            }
        }
    }
}

/// The absolute value of unsigned integers: the identity.
#[cfg_attr(optimised, inline(always))]
unsafe fn itself<R>(x: R) -> R {
    x
}

/// Loads 32 shift counts modulo 16.
#[cfg_attr(optimised, inline(always))]
unsafe fn counts_of(counts: *const u32) -> __m512i {
    // SAFETY: see above: 32 counts.
    unsafe {
        let low = _mm512_cvtepi32_epi16(_mm512_loadu_si512(counts.cast()));
        let high = _mm512_cvtepi32_epi16(_mm512_loadu_si512(counts.add(16).cast()));
        _mm512_and_si512(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high), _mm512_set1_epi16(15))
    }
}

/// Comparisons.
macro_rules! compare {
    ($compare:ident: $($name:ident = $predicate:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller: the CPU has the instruction.
            unsafe { $compare::<$predicate>(self.0, other.0) as Mask }
        })+
    };
}

/// A register: its loads, stores and lane moves, then the operations of each element type.
macro_rules! register {
    (
        $register:ident of $lanes:literal, $mask:ident: $splat:ident($signed:ty) $slide:ident $select:ident $load_where:ident $store_where:ident
        $zero:ident $add:ident $sub:ident $mul:ident $and:ident $or:ident $xor:ident;
        $($type:ident: $min:ident $max:ident $abs:ident $compare:ident { $($more:tt)* };)+
    ) => {
        $(impl Register<$type> for $register {
            const LANES: usize = $lanes;

            #[cfg_attr(optimised, inline(always))]
            unsafe fn splat(x: $type) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $splat(x as $signed) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn load(from: *const $type) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { (*from.cast::<Unaligned<_>>()).0 })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store(self, to: *mut $type) {
                // SAFETY: guaranteed by the caller.
                unsafe { (*to.cast::<Unaligned<_>>()).0 = self.0 }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $slide(low.0, high.0, n) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                $register(unsafe { $select(mask as $mask, b.0, a.0) })
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store_where(self, mask: Mask, to: *mut $type) {
                // SAFETY: guaranteed by the caller; lanes outside the mask neither write nor fault.
                unsafe { $store_where(to.cast(), mask as $mask, self.0) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn load_where(mask: Mask, from: *const $type, other: Self) -> Self {
                // SAFETY: guaranteed by the caller; lanes outside the mask neither read nor fault.
                $register(unsafe { $load_where(other.0, mask as $mask, from.cast()) })
            }

            const TO_WORDS: bool = true;
            const OF_WORDS: bool = true;

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

            compare! {
                $compare:
                eq = _MM_CMPINT_EQ ne = _MM_CMPINT_NE lt = _MM_CMPINT_LT
                le = _MM_CMPINT_LE gt = _MM_CMPINT_NLE ge = _MM_CMPINT_NLT
            }

            $($more)*
        })+
    };
}

/// 16 words whose low bits are the elements of `BYTES` bytes at these positions, of at least a word of elements in memory. Each word
/// begins at its element, or ends with the last element of all.
#[cfg_attr(optimised, inline(always))]
unsafe fn words_at<const BYTES: i32>(from: *const u8, count: usize, cells: *const i32) -> __m512i {
    // SAFETY: see above; the caller guarantees that the elements exist.
    unsafe {
        let cells: __m512i = (*cells.cast::<Unaligned<_>>()).0;
        let base = _mm512_min_epi32(cells, _mm512_set1_epi32(count as i32 - 4 / BYTES));
        let bits = _mm512_mullo_epi32(_mm512_sub_epi32(cells, base), _mm512_set1_epi32(8 * BYTES));
        _mm512_srlv_epi32(_mm512_i32gather_epi32::<BYTES>(base, from.cast()), bits)
    }
}

/// What only bytes have.
macro_rules! bytes {
    ($type:ident $words:ident $shorts:ident $by:ident) => {
        const SHORTS: bool = true;

        divide! { $type |x, by| Bytes32(_mm512_cvtepi16_epi8($by($shorts(x.0), by.into()))) }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_apart(from: *const $type, step: usize) -> Self {
            // SAFETY: guaranteed by the caller.
            Bytes32(unsafe { bytes_apart_32(from.cast(), step) })
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_phase(from: *const $type, step: usize, phase: usize) -> Self {
            // SAFETY: guaranteed by the caller. Elements that lie in one larger integer are shifted out of it.
            unsafe {
                let all = |k: usize| (*from.add(64 * k).cast::<Unaligned<__m512i>>()).0;
                let count = _mm_cvtsi32_si128(8 * phase as i32);
                match step {
                    2 => Bytes32(_mm512_cvtepi16_epi8(_mm512_srl_epi16(all(0), count))),
                    4 => {
                        let [low, high] = [0, 1].map(|k| _mm512_cvtepi32_epi8(_mm512_srl_epi32(all(k), count)));
                        Bytes32(_mm256_set_m128i(high, low))
                    }
                    3 | 5 | 7 | 9 => Bytes32(bytes_of_phase(from.cast(), step, phase)),
                    _ => <Self as Register<$type>>::load_apart(from.add(phase), step),
                }
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_at(from: &[$type], cells: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                if !(4..i32::MAX as usize).contains(&from.len()) {
                    return <Self as Register<$type>>::load(at(from.as_ptr(), cells, 32).as_ptr());
                }
                let half = |k: usize| words_at::<1>(from.as_ptr().cast(), from.len(), cells.add(k));
                Bytes32(_mm256_set_m128i(_mm512_cvtepi32_epi8(half(16)), _mm512_cvtepi32_epi8(half(0))))
            }
        }

        const PICKED: usize = picked::BYTES;

        #[cfg_attr(optimised, inline(always))]
        unsafe fn pick<const COUNT: usize>(from: &[$type], cells: *const i16) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let cells = (*cells.cast::<Unaligned<__m512i>>()).0;
                Bytes32(_mm512_cvtepi16_epi8(picked::bytes::<COUNT>(from.as_ptr().cast(), cells)))
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut $type) {
            // SAFETY: guaranteed by the caller.
            unsafe { bytes_in_turn(values.map(|value| value.0), to.cast()) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn to_words(self, to: *mut i32) {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let [low, high] = [_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)];
                (*to.cast::<Unaligned<_>>()).0 = $words(low);
                (*to.add(16).cast::<Unaligned<_>>()).0 = $words(high);
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn of_words(from: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let low = _mm512_cvtepi32_epi8((*from.cast::<Unaligned<_>>()).0);
                let high = _mm512_cvtepi32_epi8((*from.add(16).cast::<Unaligned<_>>()).0);
                Bytes32(_mm256_set_m128i(high, low))
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn to_shorts(self, to: *mut i16) {
            // SAFETY: guaranteed by the caller.
            unsafe { (*to.cast::<Unaligned<_>>()).0 = $shorts(self.0) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn of_shorts(from: *const i16) -> Self {
            // SAFETY: guaranteed by the caller.
            Bytes32(unsafe { _mm512_cvtepi16_epi8((*from.cast::<Unaligned<_>>()).0) })
        }
    };
}

/// What only shorts have.
macro_rules! shorts {
    ($type:ident $words:ident $shr:ident $by:ident) => {
        const SHORTS: bool = true;

        divide! { $type |x, by| Shorts32($by(x.0, by)) }
        apart! { $type shorts: _mm512_mask_permutexvar_epi16 _mm512_mask_storeu_epi16 |x| Shorts32(x), |x| x.0 }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_phase(from: *const $type, step: usize, phase: usize) -> Self {
            // SAFETY: guaranteed by the caller. Elements that lie in one larger integer are shifted out of it.
            unsafe {
                let all = |k: usize| (*from.add(32 * k).cast::<Unaligned<__m512i>>()).0;
                if step % 2 == 1 {
                    // The elements of all lanes have different places modulo 32: blends collect them, and one permutation sorts them.
                    let (at, places) = &super::apart::shorts::PHASES[step % 10][phase % 9];
                    let mut picked = all(0);
                    for k in 1..step {
                        picked = _mm512_mask_blend_epi16(places[k % 9], picked, all(k));
                    }
                    return Shorts32(_mm512_permutexvar_epi16(_mm512_loadu_si512(at.as_ptr().cast()), picked));
                }
                if step != 2 {
                    return <Self as Register<$type>>::load_apart(from.add(phase), step);
                }
                let count = _mm_cvtsi32_si128(16 * phase as i32);
                let [low, high] = [0, 1].map(|k| _mm512_cvtepi32_epi16(_mm512_srl_epi32(all(k), count)));
                Shorts32(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_at(from: &[$type], cells: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                if !(2..i32::MAX as usize).contains(&from.len()) {
                    return <Self as Register<$type>>::load(at(from.as_ptr(), cells, 32).as_ptr());
                }
                let half = |k: usize| words_at::<2>(from.as_ptr().cast(), from.len(), cells.add(k));
                let low = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(half(0)));
                Shorts32(_mm512_inserti64x4::<1>(low, _mm512_cvtepi32_epi16(half(16))))
            }
        }

        const PICKED: usize = picked::SHORTS;

        #[cfg_attr(optimised, inline(always))]
        unsafe fn pick<const COUNT: usize>(from: &[$type], cells: *const i16) -> Self {
            // SAFETY: guaranteed by the caller.
            Shorts32(unsafe { picked::shorts::<COUNT>(from.as_ptr().cast(), (*cells.cast::<Unaligned<_>>()).0) })
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn stream(self, to: *mut $type) {
            // SAFETY: guaranteed by the caller; the register is as large as a cache line.
            unsafe { _mm512_stream_si512(to.cast(), self.0) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn shl(self, counts: *const u32) -> Self {
            // SAFETY: guaranteed by the caller.
            Shorts32(unsafe { _mm512_sllv_epi16(self.0, counts_of(counts)) })
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn shr(self, counts: *const u32) -> Self {
            // SAFETY: guaranteed by the caller.
            Shorts32(unsafe { $shr(self.0, counts_of(counts)) })
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn to_words(self, to: *mut i32) {
            // SAFETY: guaranteed by the caller.
            unsafe {
                (*to.cast::<Unaligned<_>>()).0 = $words(_mm512_castsi512_si256(self.0));
                (*to.add(16).cast::<Unaligned<_>>()).0 = $words(_mm512_extracti64x4_epi64::<1>(self.0));
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn of_words(from: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let low = _mm512_cvtepi32_epi16((*from.cast::<Unaligned<_>>()).0);
                let high = _mm512_cvtepi32_epi16((*from.add(16).cast::<Unaligned<_>>()).0);
                Shorts32(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn to_shorts(self, to: *mut i16) {
            // SAFETY: guaranteed by the caller.
            unsafe { (*to.cast::<Unaligned<_>>()).0 = self.0 }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn of_shorts(from: *const i16) -> Self {
            // SAFETY: guaranteed by the caller.
            Shorts32(unsafe { (*from.cast::<Unaligned<_>>()).0 })
        }
    };
}

/// What bytes and shorts have in 16 lanes.
macro_rules! sixteen {
    ($register:ident $type:ident $bytes:literal $words:ident $of_words:ident $picked:ident $most:ident |$taken:ident| $low:expr) => {
        const PICKED: usize = picked::$most;

        #[cfg_attr(optimised, inline(always))]
        unsafe fn pick<const COUNT: usize>(from: &[$type], cells: *const i16) -> Self {
            // SAFETY: guaranteed by the caller. The upper half of the positions is not used.
            unsafe {
                let cells = _mm512_castsi256_si512((*cells.cast::<Unaligned<_>>()).0);
                let $taken = picked::$picked::<COUNT>(from.as_ptr().cast(), cells);
                $register($low)
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_at(from: &[$type], cells: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe {
                if !(4 / $bytes..i32::MAX as usize).contains(&from.len()) {
                    return <Self as Register<$type>>::load(at(from.as_ptr(), cells, 16).as_ptr());
                }
                $register($of_words(words_at::<$bytes>(from.as_ptr().cast(), from.len(), cells)))
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn to_words(self, to: *mut i32) {
            // SAFETY: guaranteed by the caller.
            unsafe { (*to.cast::<Unaligned<_>>()).0 = $words(self.0) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn of_words(from: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            $register(unsafe { $of_words((*from.cast::<Unaligned<_>>()).0) })
        }
    };
    (bytes $type:ident) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_apart(from: *const $type, step: usize) -> Self {
            // SAFETY: guaranteed by the caller.
            Bytes16(unsafe { bytes_apart(from.cast(), step) })
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut $type) {
            // SAFETY: guaranteed by the caller.
            unsafe { bytes_together(values.map(|value| value.0), to.cast()) }
        }
    };
}

register! {
    Bytes16 of 16, __mmask16: _mm_set1_epi8(i8) slide_bytes _mm_mask_blend_epi8 _mm_mask_loadu_epi8 _mm_mask_storeu_epi8
    _mm_setzero_si128 _mm_add_epi8 _mm_sub_epi8 product_of_bytes _mm_and_si128 _mm_or_si128 _mm_xor_si128;
    i8: _mm_min_epi8 _mm_max_epi8 _mm_abs_epi8 _mm_cmp_epi8_mask {
        sixteen! { bytes i8 }
        sixteen! {
            Bytes16 i8 1 _mm512_cvtepi8_epi32 _mm512_cvtepi32_epi8
            bytes BYTES |taken| _mm256_castsi256_si128(_mm512_cvtepi16_epi8(taken))
        }
    };
    u8: _mm_min_epu8 _mm_max_epu8 itself _mm_cmp_epu8_mask {
        sixteen! { bytes u8 }
        sixteen! {
            Bytes16 u8 1 _mm512_cvtepu8_epi32 _mm512_cvtepi32_epi8
            bytes BYTES |taken| _mm256_castsi256_si128(_mm512_cvtepi16_epi8(taken))
        }
    };
}

register! {
    Shorts16 of 16, __mmask16: _mm256_set1_epi16(i16) slide_shorts_16 _mm256_mask_blend_epi16 _mm256_mask_loadu_epi16
    _mm256_mask_storeu_epi16 _mm256_setzero_si256 _mm256_add_epi16 _mm256_sub_epi16 _mm256_mullo_epi16 _mm256_and_si256
    _mm256_or_si256 _mm256_xor_si256;
    i16: _mm256_min_epi16 _mm256_max_epi16 _mm256_abs_epi16 _mm256_cmp_epi16_mask {
        sixteen! {
            Shorts16 i16 2 _mm512_cvtepi16_epi32 _mm512_cvtepi32_epi16
            shorts SHORTS |taken| _mm512_castsi512_si256(taken)
        }
    };
    u16: _mm256_min_epu16 _mm256_max_epu16 itself _mm256_cmp_epu16_mask {
        sixteen! {
            Shorts16 u16 2 _mm512_cvtepu16_epi32 _mm512_cvtepi32_epi16
            shorts SHORTS |taken| _mm512_castsi512_si256(taken)
        }
    };
}

register! {
    Bytes32 of 32, __mmask32: _mm256_set1_epi8(i8) slide_32 _mm256_mask_blend_epi8 _mm256_mask_loadu_epi8 _mm256_mask_storeu_epi8
    _mm256_setzero_si256 _mm256_add_epi8 _mm256_sub_epi8 product_of_bytes_32 _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256;
    i8: _mm256_min_epi8 _mm256_max_epi8 _mm256_abs_epi8 _mm256_cmp_epi8_mask {
        bytes! { i8 _mm512_cvtepi8_epi32 _mm512_cvtepi8_epi16 signed_shorts_by }
    };
    u8: _mm256_min_epu8 _mm256_max_epu8 itself _mm256_cmp_epu8_mask {
        bytes! { u8 _mm512_cvtepu8_epi32 _mm512_cvtepu8_epi16 shorts_by }
    };
}

register! {
    Shorts32 of 32, __mmask32: _mm512_set1_epi16(i16) slide_shorts _mm512_mask_blend_epi16 _mm512_mask_loadu_epi16 _mm512_mask_storeu_epi16
    _mm512_setzero_si512 _mm512_add_epi16 _mm512_sub_epi16 _mm512_mullo_epi16 _mm512_and_si512 _mm512_or_si512
    _mm512_xor_si512;
    i16: _mm512_min_epi16 _mm512_max_epi16 _mm512_abs_epi16 _mm512_cmp_epi16_mask {
        shorts! { i16 _mm512_cvtepi16_epi32 _mm512_srav_epi16 signed_shorts_by }
    };
    u16: _mm512_min_epu16 _mm512_max_epu16 itself _mm512_cmp_epu16_mask {
        shorts! { u16 _mm512_cvtepu16_epi32 _mm512_srlv_epi16 shorts_by }
    };
}

divided! {
    shorts_by: unsigned u16 in __m512i, i16:
        _mm512_set1_epi16 _mm512_mulhi_epu16 _mm512_add_epi16 _mm512_sub_epi16 _mm512_srl_epi16;
}
divided! {
    signed_shorts_by: signed i16 in __m512i, i16:
        _mm512_set1_epi16 _mm512_mulhi_epi16 _mm512_add_epi16 _mm512_sub_epi16 _mm512_sra_epi16;
}
