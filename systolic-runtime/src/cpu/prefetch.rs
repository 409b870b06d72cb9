//! Hints to the cache.
#![allow(unsafe_code)]
/// Asks for the lines of so many elements from this one on; there is one at least.
#[cfg_attr(optimised, inline(always))]
pub fn prefetch<T>(first: &T, elements: usize) {
    let first: *const T = first;
    for line in 0..=(elements - 1) * std::mem::size_of::<T>() / 64 {
        ask(first.wrapping_byte_add(64 * line));
    }
    // The last element begins another line where the first does not begin one.
    ask(first.wrapping_add(elements - 1));
}

/// Asks for the lines of so many elements from this address on, to write to them; they may lie anywhere.
#[cfg_attr(optimised, inline(always))]
pub fn ask_to_write<T>(first: *const T, elements: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        for line in 0..=elements * std::mem::size_of::<T>() / 64 {
            // SAFETY: every x86-64 has the instruction or does nothing, and a hint may name any address.
            unsafe { _mm_prefetch::<_MM_HINT_ET0>(first.cast::<i8>().wrapping_add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, elements);
}

/// Asks for the line of this address, which may lie anywhere.
#[cfg_attr(optimised, inline(always))]
pub fn ask<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, and a hint may name any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
