//! Hints to the cache.
#![allow(unsafe_code)]
/// Asks for the lines of so many elements from this one on; there is one at least.
#[cfg_attr(optimised, inline(always))]
pub fn prefetch<T>(first: &T, elements: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first: *const T = first;
        // The last element begins another line where the first does not begin one.
        for line in 0..=(elements - 1) * std::mem::size_of::<T>() / 64 {
            // SAFETY: every x86-64 has the instruction, and a hint may name any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.cast::<i8>().wrapping_add(64 * line)) };
        }
        // SAFETY: as above.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(elements - 1).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, elements);
}
