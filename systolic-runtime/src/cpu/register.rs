//! Registers of a few lanes, and nested pairs of them up to the lanes of a group or a warp. An operation that a register
//! does not override runs lane by lane through memory, by the scalar definition; LLVM vectorises that where it can.
#![allow(unsafe_code)]
use super::lane::{Lane, functions};
use super::{LANES, Mask};

macro_rules! lanewise {
    ($($name:ident($($other:ident),*))+) => {
        $(#[doc = "As `ops` of this name."]
        /// # Safety
        /// The CPU has the features of the register.
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            let mut a = lanes(self);
            $(let $other = lanes($other);)*
            for l in 0..Self::LANES {
                a[l] = <T as Lane>::$name(a[l], $($other[l]),*);
            }
            // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
            unsafe { Self::load(a.as_ptr()) }
        })+
    };
}

macro_rules! compare {
    ($($name:ident = |$a:ident, $b:ident| $holds:expr;)+) => {
        $(#[doc = "As `ops` of this name, lane l as bit l."]
        /// # Safety
        /// The CPU has the features of the register.
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            let (x, y) = (lanes(self), lanes(other));
            let mut mask = 0;
            for l in 0..Self::LANES {
                let ($a, $b) = (x[l], y[l]);
                mask |= Mask::from($holds) << l;
            }
            mask
        })+
    };
}

macro_rules! choose {
    ($($name:ident by $compare:ident)+) => {
        $(#[doc = "The lanes of `a` where the comparison of this name holds, those of `b` elsewhere."]
        /// # Safety
        /// The CPU has the features of the register.
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self, a: Self, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { Self::select(self.$compare(other), a, b) }
        })+
    };
}

macro_rules! shift {
    ($($name:ident)+) => {
        $(#[doc = "As `ops` of this name, by a count a lane."]
        /// # Safety
        /// The CPU has the features of the register; `counts` holds one count per lane.
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, counts: *const u32) -> Self {
            let mut a = lanes(self);
            for l in 0..Self::LANES {
                // SAFETY: l is below the number of lanes.
                a[l] = <T as Lane>::$name(a[l], unsafe { *counts.add(l) });
            }
            // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
            unsafe { Self::load(a.as_ptr()) }
        })+
    };
}

/// Copies the elements in the mask. A loop, since it is used where there is no instruction for it.
/// # Safety
/// The elements in the mask may be read and written.
#[inline(never)]
unsafe fn copy_where<T: Copy>(mask: Mask, from: *const T, to: *mut T) {
    let mut left = mask;
    while left != 0 {
        let l = left.trailing_zeros() as usize;
        left &= left - 1;
        // SAFETY: lane l is in the mask.
        unsafe { to.wrapping_add(l).write(from.wrapping_add(l).read()) };
    }
}

/// Reads elements that are any distance apart.
/// # Safety
/// The elements of this many lanes may be read.
#[inline(never)]
pub(super) unsafe fn far<T: Copy + Default>(from: *const T, apart: isize, lanes: usize) -> [T; LANES] {
    let mut x = [T::default(); LANES];
    for (l, x) in x.iter_mut().enumerate().take(lanes) {
        // SAFETY: the element of lane l.
        *x = unsafe { from.wrapping_offset(apart.wrapping_mul(l as isize)).read() };
    }
    x
}

/// Reads elements at a position of each lane's own.
/// # Safety
/// The positions of this many lanes, and the elements there, may be read.
#[inline(never)]
pub(super) unsafe fn at<T: Copy + Default>(from: *const T, cells: *const i32, lanes: usize) -> [T; LANES] {
    let mut x = [T::default(); LANES];
    for (l, x) in x.iter_mut().enumerate().take(lanes) {
        // SAFETY: the element of lane l.
        *x = unsafe { from.wrapping_offset(*cells.wrapping_add(l) as isize).read() };
    }
    x
}

/// Returns the lanes of a register; lanes beyond its own are zero.
#[cfg_attr(optimised, inline(always))]
fn lanes<T: Lane, R: Register<T>>(register: R) -> [T; LANES] {
    let mut x = [T::default(); LANES];
    // SAFETY: the register exists, so the CPU has the features; it has at most 32 lanes.
    unsafe { register.store(x.as_mut_ptr()) };
    x
}

/// A register of lanes of `T`. Lane 0 is first in memory. Only the low bits of a mask count, one per lane.
pub trait Register<T: Lane>: Copy {
    /// The number of lanes; at most 32.
    const LANES: usize;

    /// Returns the same value in every lane.
    /// # Safety
    /// The CPU has the features of the register.
    unsafe fn splat(x: T) -> Self;

    /// Loads the lanes from memory, without alignment.
    /// # Safety
    /// The CPU has the features of the register; `from` may be read for all lanes.
    unsafe fn load(from: *const T) -> Self;

    /// Stores the lanes to memory, without alignment.
    /// # Safety
    /// The CPU has the features of the register; `to` may be written for all lanes.
    unsafe fn store(self, to: *mut T);

    /// Stores the lanes by a non-temporal store, which bypasses the caches, if there is an instruction for it.
    /// # Safety
    /// As [`store`](Register::store); `to` is aligned to the register's size, or to a cache line.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn stream(self, to: *mut T) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.store(to) }
    }

    /// Returns lanes n, n + 1, … of `low` followed by `high`; n is at most the number of lanes.
    /// # Safety
    /// The CPU has the features of the register.
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self;

    /// Returns the lanes of `a` in the mask, those of `b` elsewhere.
    /// # Safety
    /// The CPU has the features of the register.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        let (a, mut b) = (lanes(a), lanes(b));
        for l in 0..Self::LANES {
            b[l] = if (mask >> l) & 1 == 1 { a[l] } else { b[l] };
        }
        // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
        unsafe { Self::load(b.as_ptr()) }
    }

    /// Stores the lanes in the mask to memory; the memory of other lanes is not touched.
    /// # Safety
    /// The CPU has the features of the register; `to` may be written for the lanes in the mask.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut T) {
        // SAFETY: guaranteed by the caller.
        unsafe { copy_where(mask & super::vector::low(Self::LANES), lanes(self).as_ptr(), to) }
    }

    /// Loads the lanes in the mask from memory; the others are those of `other`.
    /// # Safety
    /// The CPU has the features of the register; `from` may be read for the lanes in the mask.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_where(mask: Mask, from: *const T, other: Self) -> Self {
        let mut x = lanes(other);
        // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
        unsafe {
            copy_where(mask & super::vector::low(Self::LANES), from, x.as_mut_ptr());
            Self::load(x.as_ptr())
        }
    }

    /// Whether [`to_words`](Register::to_words) converts the lanes.
    const TO_WORDS: bool = false;

    /// Whether [`of_words`](Register::of_words) converts the lanes.
    const OF_WORDS: bool = false;

    /// Whether [`to_shorts`](Register::to_shorts) and [`of_shorts`](Register::of_shorts) convert the lanes.
    const SHORTS: bool = false;

    /// Writes every lane as a short of 16 bits, as `as i16` does.
    /// # Safety
    /// The CPU has the features of the register; `to` may be written for all lanes.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn to_shorts(self, _to: *mut i16) {}

    /// Reads every lane from a short of 16 bits, as `as` does from `i16`.
    /// # Safety
    /// The CPU has the features of the register; `from` may be read for all lanes.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_shorts(_from: *const i16) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::splat(T::default()) }
    }

    /// Writes every lane as a word of 32 bits, as `as i32` does.
    /// # Safety
    /// The CPU has the features of the register; `to` may be written for all lanes.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn to_words(self, _to: *mut i32) {}

    /// Reads every lane from a word of 32 bits, as `as` does from `i32`.
    /// # Safety
    /// The CPU has the features of the register; `from` may be read for all lanes.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_words(_from: *const i32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::splat(T::default()) }
    }

    /// Returns the lanes in reverse order.
    /// # Safety
    /// The CPU has the features of the register.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn reverse(self) -> Self {
        let mut x = lanes(self);
        if let Some(x) = x.get_mut(..Self::LANES) {
            x.reverse();
        }
        // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
        unsafe { Self::load(x.as_ptr()) }
    }

    /// Loads every `step`-th element. After inlining the step is a constant.
    /// # Safety
    /// The CPU has the features of the register; `from` may be read up to the element of the last lane; `step` is from 2 to
    /// [`WIDEST_STEP`](super::window::WIDEST_STEP).
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_apart(from: *const T, step: usize) -> Self {
        let mut x = [T::default(); LANES];
        for (l, x) in x.iter_mut().enumerate().take(Self::LANES) {
            // SAFETY: the element of lane l.
            *x = unsafe { from.add(l * step).read() };
        }
        // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
        unsafe { Self::load(x.as_ptr()) }
    }

    /// Loads every `step`-th element from the `phase`-th on. After inlining both are constants.
    /// # Safety
    /// The CPU has the features of the register; all elements, `step` for each lane, may be read; `step` is from 2 to
    /// [`WIDEST_STEP`](super::window::WIDEST_STEP), and `phase` is less.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_phase(from: *const T, step: usize, phase: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_apart(from.add(phase), step) }
    }

    /// Loads elements that are any distance apart.
    /// # Safety
    /// The CPU has the features of the register; the elements of all lanes may be read.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_far(from: *const T, apart: isize) -> Self {
        // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
        unsafe { Self::load(far(from, apart, Self::LANES).as_ptr()) }
    }

    /// Loads elements at a position of each lane's own.
    /// # Safety
    /// The CPU has the features of the register; `cells` may be read for all lanes, and the elements at those positions exist.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_at(from: &[T], cells: *const i32) -> Self {
        // SAFETY: guaranteed by the caller; a list holds at least as many lanes.
        unsafe { Self::load(at(from.as_ptr(), cells, Self::LANES).as_ptr()) }
    }

    /// The most elements of a table from which [`pick`](Register::pick) takes some. It cannot if this is 0.
    const PICKED: usize = 0;

    /// Takes an element of a small table for each lane.
    /// # Safety
    /// The CPU has the features of the register; the table has `COUNT` elements, at most [`PICKED`](Register::PICKED), and those at the
    /// positions of all lanes.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn pick<const COUNT: usize>(_from: &[T], _cells: *const i16) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::splat(T::default()) }
    }

    /// Stores the lanes to every `step`-th element; those between are not touched. After inlining the step is a constant.
    /// # Safety
    /// As [`load_apart`](Register::load_apart); the elements of the lanes may be written.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_apart(self, to: *mut T, step: usize) {
        let x = lanes(self);
        for (l, x) in x.iter().enumerate().take(Self::LANES) {
            // SAFETY: the element of lane l.
            unsafe { to.add(l * step).write(*x) };
        }
    }

    /// Stores lane 0 of every value, then lane 1 of every value, and so on: `STEP` values, one after another.
    /// # Safety
    /// As [`store_apart`](Register::store_apart), for all elements up to the last one.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut T) {
        for (k, value) in values.into_iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { value.store_apart(to.add(k), STEP) };
        }
    }

    /// `self / by`, the same number in every lane.
    /// # Safety
    /// The CPU has the features of the register.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn div_by(self, by: T) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { self.div(Self::splat(by)) }
    }

    /// `self % by`, the same number in every lane.
    /// # Safety
    /// The CPU has the features of the register.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn rem_by(self, by: T) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { self.rem(Self::splat(by)) }
    }

    lanewise! {
        add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() fma(b, c)
    }
    functions!(lanewise);
    compare! {
        eq = |a, b| T::eq(a, b);
        ne = |a, b| !T::eq(a, b);
        lt = |a, b| T::lt(a, b);
        le = |a, b| T::le(a, b);
        gt = |a, b| T::lt(b, a);
        ge = |a, b| T::le(b, a);
    }
    choose! {
        choose_eq by eq choose_ne by ne choose_lt by lt choose_le by le choose_gt by gt choose_ge by ge
    }
    shift! { shl shr }
}

macro_rules! listwise {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            let mut x = self.0;
            for l in 0..N {
                x[l] = <T as Lane>::$name(x[l], $($other.0[l]),*);
            }
            List(x)
        })+
    };
}

macro_rules! list_compare {
    ($($name:ident = |$a:ident, $b:ident| $holds:expr;)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            let mut mask = 0;
            for l in 0..N {
                let ($a, $b) = (self.0[l], other.0[l]);
                mask |= Mask::from($holds) << l;
            }
            mask
        })+
    };
}

/// Lanes as a list.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct List<T, const N: usize>([T; N]);

impl<T: Lane, const N: usize> Register<T> for List<T, N> {
    const LANES: usize = N;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: T) -> Self {
        List([x; N])
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller guarantees that it is readable for all lanes; an array has the alignment of its elements.
        List(unsafe { *from.cast::<[T; N]>() })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller guarantees that it is writable for all lanes.
        unsafe { *to.cast::<[T; N]>() = self.0 };
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        let mut x = [T::default(); N];
        for (l, x) in x.iter_mut().enumerate() {
            *x = if l + n < N { low.0[l + n] } else { high.0[(l + n) % N] };
        }
        List(x)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        let mut x = b.0;
        for (l, (x, a)) in x.iter_mut().zip(a.0).enumerate() {
            *x = if (mask >> l) & 1 == 1 { a } else { *x };
        }
        List(x)
    }

    // As the default methods, but without a copy to a list of 32 lanes.
    listwise! {
        add(b) sub(b) mul(b) div(b) rem(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() fma(b, c)
    }
    functions!(listwise);

    #[cfg_attr(optimised, inline(always))]
    unsafe fn min(self, b: Self) -> Self {
        let mut x = self.0;
        for (x, b) in x.iter_mut().zip(b.0) {
            *x = if N == 1 { x.min_alone(b) } else { <T as Lane>::min(*x, b) };
        }
        List(x)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn max(self, b: Self) -> Self {
        let mut x = self.0;
        for (x, b) in x.iter_mut().zip(b.0) {
            *x = if N == 1 { x.max_alone(b) } else { <T as Lane>::max(*x, b) };
        }
        List(x)
    }

    list_compare! {
        eq = |a, b| T::eq(a, b);
        ne = |a, b| !T::eq(a, b);
        lt = |a, b| T::lt(a, b);
        le = |a, b| T::le(a, b);
        gt = |a, b| T::lt(b, a);
        ge = |a, b| T::le(b, a);
    }
}

/// Two registers as one of twice the lanes.
#[derive(Clone, Copy, Debug)]
pub struct Pair<R>(R, R);

macro_rules! both {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { Pair(self.0.$name($($other.0),*), self.1.$name($($other.1),*)) }
        })+
    };
}

macro_rules! both_compare {
    ($($name:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, other: Self) -> Mask {
            // SAFETY: guaranteed by the caller.
            unsafe { self.0.$name(other.0) | (self.1.$name(other.1) << R::LANES) }
        })+
    };
}

macro_rules! both_shift {
    ($($name:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, counts: *const u32) -> Self {
            // SAFETY: guaranteed by the caller; the upper half's counts follow the lower's.
            unsafe { Pair(self.0.$name(counts), self.1.$name(counts.wrapping_add(R::LANES))) }
        })+
    };
}

impl<T: Lane, R: Register<T>> Register<T> for Pair<R> {
    const LANES: usize = 2 * R::LANES;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: T) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(R::splat(x), R::splat(x)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: guaranteed by the caller; the upper half follows the lower.
        unsafe { Pair(R::load(from), R::load(from.wrapping_add(R::LANES))) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: guaranteed by the caller; the upper half follows the lower.
        unsafe {
            self.0.store(to);
            self.1.store(to.wrapping_add(R::LANES));
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn stream(self, to: *mut T) {
        // SAFETY: guaranteed by the caller; the upper half follows the lower, so it is aligned to its size too.
        unsafe {
            self.0.stream(to);
            self.1.stream(to.wrapping_add(R::LANES));
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn slide(low: Self, high: Self, n: usize) -> Self {
        // SAFETY: guaranteed by the caller; n is at most twice the lanes of a half.
        unsafe {
            // Chooses the registers first, so that there are two slides and not four, which would be sixteen in a pair of
            // pairs.
            let (a, b, c, n) =
                if n < R::LANES { (low.0, low.1, high.0, n) } else { (low.1, high.0, high.1, n - R::LANES) };
            Pair(R::slide(a, b, n), R::slide(b, c, n))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(R::select(mask, a.0, b.0), R::select(mask >> R::LANES, a.1, b.1)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut T) {
        // SAFETY: guaranteed by the caller. `wrapping_add`, because the upper half may be outside the array.
        unsafe {
            self.0.store_where(mask, to);
            self.1.store_where(mask >> R::LANES, to.wrapping_add(R::LANES));
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_where(mask: Mask, from: *const T, other: Self) -> Self {
        // SAFETY: guaranteed by the caller. `wrapping_add`, because the upper half may be outside the array.
        unsafe {
            Pair(
                R::load_where(mask, from, other.0),
                R::load_where(mask >> R::LANES, from.wrapping_add(R::LANES), other.1),
            )
        }
    }

    const TO_WORDS: bool = R::TO_WORDS;
    const OF_WORDS: bool = R::OF_WORDS;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn to_words(self, to: *mut i32) {
        // SAFETY: guaranteed by the caller; the upper half follows the lower.
        unsafe {
            self.0.to_words(to);
            self.1.to_words(to.wrapping_add(R::LANES));
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_words(from: *const i32) -> Self {
        // SAFETY: guaranteed by the caller; the upper half follows the lower.
        unsafe { Pair(R::of_words(from), R::of_words(from.wrapping_add(R::LANES))) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn reverse(self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(self.1.reverse(), self.0.reverse()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_apart(from: *const T, step: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(R::load_apart(from, step), R::load_apart(from.add(R::LANES * step), step)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_phase(from: *const T, step: usize, phase: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(R::load_phase(from, step, phase), R::load_phase(from.add(R::LANES * step), step, phase)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_far(from: *const T, apart: isize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let high = from.wrapping_offset(apart.wrapping_mul(R::LANES as isize));
            Pair(R::load_far(from, apart), R::load_far(high, apart))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_at(from: &[T], cells: *const i32) -> Self {
        // SAFETY: guaranteed by the caller; the upper half's positions follow the lower's.
        unsafe { Pair(R::load_at(from, cells), R::load_at(from, cells.wrapping_add(R::LANES))) }
    }

    const PICKED: usize = R::PICKED;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn pick<const COUNT: usize>(from: &[T], cells: *const i16) -> Self {
        // SAFETY: guaranteed by the caller; the upper half's positions follow the lower's.
        unsafe { Pair(R::pick::<COUNT>(from, cells), R::pick::<COUNT>(from, cells.wrapping_add(R::LANES))) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_apart(self, to: *mut T, step: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            self.0.store_apart(to, step);
            self.1.store_apart(to.add(R::LANES * step), step);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut T) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            R::store_together(values.map(|value| value.0), to);
            R::store_together(values.map(|value| value.1), to.add(R::LANES * STEP));
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn div_by(self, by: T) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(self.0.div_by(by), self.1.div_by(by)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn rem_by(self, by: T) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Pair(self.0.rem_by(by), self.1.rem_by(by)) }
    }

    both! {
        add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() fma(b, c)
    }
    functions!(both);
    both! {
        choose_eq(o, a, b) choose_ne(o, a, b) choose_lt(o, a, b) choose_le(o, a, b) choose_gt(o, a, b) choose_ge(o, a, b)
    }
    both_compare! { eq ne lt le gt ge }
    both_shift! { shl shr }
}

/// A register in memory, without alignment. Reading or writing the field is a single LLVM instruction before optimisation; the
/// intrinsics for that are a dozen.
#[cfg(all(optimised, target_arch = "x86_64"))]
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub struct Unaligned<R>(pub R);

/// Operations of a register that are one instruction each.
macro_rules! native {
    ($($name:ident($($other:ident),*) = $instruction:path;)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        unsafe fn $name(self, $($other: Self),*) -> Self {
            // SAFETY: guaranteed by the caller: the CPU has the instruction.
            unsafe { $instruction(self, $($other),*) }
        })+
    };
}
pub(super) use native;

/// The conversions of a register whose lanes are words already.
#[cfg(all(optimised, target_arch = "x86_64"))]
macro_rules! words_as_they_are {
    () => {
        const TO_WORDS: bool = true;
        const OF_WORDS: bool = true;

        #[cfg_attr(optimised, inline(always))]
        unsafe fn to_words(self, to: *mut i32) {
            // SAFETY: guaranteed by the caller.
            unsafe { <Self as Register<i32>>::store(self, to) }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn of_words(from: *const i32) -> Self {
            // SAFETY: guaranteed by the caller.
            unsafe { <Self as Register<i32>>::load(from) }
        }
    };
}
#[cfg(all(optimised, target_arch = "x86_64"))]
pub(super) use words_as_they_are;
