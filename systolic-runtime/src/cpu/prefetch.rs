//! Prefetch hints.
#![allow(unsafe_code)]
/// Prefetches the cache lines of `elements` elements starting at this one; `elements` is at least 1.
#[cfg_attr(optimised, inline(always))]
pub fn prefetch<T>(first: &T, elements: usize) {
    let first: *const T = first;
    for line in 0..=(elements - 1) * std::mem::size_of::<T>() / 64 {
        ask(first.wrapping_byte_add(64 * line));
    }
    // If the first element is not at the start of a line, the last one may be in one more line.
    ask(first.wrapping_add(elements - 1));
}

/// Prefetches the cache lines of `elements` elements starting at this address, for writing. The address may be invalid.
#[cfg_attr(optimised, inline(always))]
pub fn ask_to_write<T>(first: *const T, elements: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        for line in 0..=elements * std::mem::size_of::<T>() / 64 {
            // SAFETY: an x86-64 without the instruction ignores it, and a prefetch of any address is harmless.
            unsafe { _mm_prefetch::<_MM_HINT_ET0>(first.cast::<i8>().wrapping_add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, elements);
}

/// Prefetches the cache line of this address, which may be invalid.
#[cfg_attr(optimised, inline(always))]
pub fn ask<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, and a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
