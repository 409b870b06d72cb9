//! Lists whose every operation is a call: what the plain level computes with. Code of thousands of operations then
//! compiles as so many calls; one instance a type and operation serves them all.
#![allow(unsafe_code)]
use super::lane::Lane;
use super::register::{List, Register};
use super::{LANES, Mask};

/// All lanes as a list behind calls.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Called<T>(List<T, LANES>);

macro_rules! call {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            #[inline(never)]
            fn $name<T: Lane>(a: &List<T, LANES>, $($other: &List<T, LANES>),*) -> List<T, LANES> {
                // SAFETY: lists need nothing of the CPU.
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
                // SAFETY: lists need nothing of the CPU.
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
                // SAFETY: lists need nothing of the CPU; the counts are the caller's.
                unsafe { Register::$name(*a, counts) }
            }
            // SAFETY: the caller's.
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
            // SAFETY: lists need nothing of the CPU.
            unsafe { Register::splat(x) }
        }
        Called(splat(x))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's.
        Called(unsafe { Register::load(from) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller's.
        unsafe { self.0.store(to) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        #[inline(never)]
        fn slide<T: Lane>(low: &List<T, LANES>, high: &List<T, LANES>, n: usize) -> List<T, LANES> {
            // SAFETY: lists need nothing of the CPU.
            unsafe { Register::slide(*low, *high, n) }
        }
        Called(slide(&low.0, &high.0, n))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        #[inline(never)]
        fn select<T: Lane>(mask: Mask, a: &List<T, LANES>, b: &List<T, LANES>) -> List<T, LANES> {
            // SAFETY: lists need nothing of the CPU.
            unsafe { Register::select(mask, *a, *b) }
        }
        Called(select(mask, &a.0, &b.0))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut T) {
        #[inline(never)]
        unsafe fn store_where<T: Lane>(list: &List<T, LANES>, mask: Mask, to: *mut T) {
            // SAFETY: lists need nothing of the CPU; the place is the caller's.
            unsafe { list.store_where(mask, to) }
        }
        // SAFETY: the caller's.
        unsafe { store_where(&self.0, mask, to) }
    }

    call! {
        add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() exp() ln() fma(b, c)
    }
    call_compare! { eq ne lt le gt ge }
    call_shift! { shl shr }
}
