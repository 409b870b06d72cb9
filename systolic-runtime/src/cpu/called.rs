//! The registers of the plain level: lists on which every operation is a function call. So a kernel of thousands of operations
//! compiles to that many calls, and each operation is compiled once per type.
#![allow(unsafe_code)]
use super::lane::{Lane, functions};
use super::register::{List, Register};
use super::{LANES, Mask};

/// All lanes as a list whose operations are calls.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Called<T>(List<T, LANES>);

macro_rules! call {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            #[inline(never)]
            fn $name<T: Lane>(a: &List<T, LANES>, $($other: &List<T, LANES>),*) -> List<T, LANES> {
                // SAFETY: lists need no CPU feature.
                unsafe { Register::$name(*a, $(*$other),*) }
            }
            Called($name(&self.0, $(&$other.0),*))
        })+
    };
}

macro_rules! call_compare {
    ($($name:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            #[inline(never)]
            fn $name<T: Lane>(a: &List<T, LANES>, b: &List<T, LANES>) -> Mask {
                // SAFETY: lists need no CPU feature.
                unsafe { Register::$name(*a, *b) }
            }
            $name(&self.0, &other.0)
        })+
    };
}

macro_rules! call_shift {
    ($($name:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, counts: *const u32) -> Self {
            #[inline(never)]
            unsafe fn $name<T: Lane>(a: &List<T, LANES>, counts: *const u32) -> List<T, LANES> {
                // SAFETY: lists need no CPU feature; the caller guarantees the counts.
                unsafe { Register::$name(*a, counts) }
            }
            // SAFETY: guaranteed by the caller.
            Called(unsafe { $name(&self.0, counts) })
        })+
    };
}

impl<T: Lane> Register<T> for Called<T> {
    const LANES: usize = LANES;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: T) -> Self {
        #[inline(never)]
        fn splat<T: Lane>(x: T) -> List<T, LANES> {
            // SAFETY: lists need no CPU feature.
            unsafe { Register::splat(x) }
        }
        Called(splat(x))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: guaranteed by the caller.
        Called(unsafe { Register::load(from) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.0.store(to) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        #[inline(never)]
        fn slide<T: Lane>(low: &List<T, LANES>, high: &List<T, LANES>, n: usize) -> List<T, LANES> {
            // SAFETY: lists need no CPU feature.
            unsafe { Register::slide(*low, *high, n) }
        }
        Called(slide(&low.0, &high.0, n))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        #[inline(never)]
        fn select<T: Lane>(mask: Mask, a: &List<T, LANES>, b: &List<T, LANES>) -> List<T, LANES> {
            // SAFETY: lists need no CPU feature.
            unsafe { Register::select(mask, *a, *b) }
        }
        Called(select(mask, &a.0, &b.0))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut T) {
        #[inline(never)]
        unsafe fn store_where<T: Lane>(list: &List<T, LANES>, mask: Mask, to: *mut T) {
            // SAFETY: lists need no CPU feature; the caller guarantees that `to` may be written.
            unsafe { list.store_where(mask, to) }
        }
        // SAFETY: guaranteed by the caller.
        unsafe { store_where(&self.0, mask, to) }
    }

    call! {
        add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() fma(b, c)
    }
    functions!(call);
    call_compare! { eq ne lt le gt ge }
    call_shift! { shl shr }
}
