//! Hints to the cache.
#![allow(unsafe_code)]

/// Asks for the lines of the first 32 elements of a window.
#[inline(always)]
pub fn prefetch<T>(window: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let bytes = std::mem::size_of_val(window).min(super::LANES * std::mem::size_of::<T>());
        for line in 0..bytes.div_ceil(64) {
            // SAFETY: every x86-64 has the instruction, and a hint reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(window.as_ptr().cast::<i8>().wrapping_add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = window;
}
