//! Vectors of the lanes of a warp, or of a group of them. Emitted code computes with them.
#![allow(unsafe_code)]
use super::called::Called;
use super::lane::{Lane, functions};
use super::register::{List, Pair, Register};
use super::{ALL, LANES, Mask};
use crate::output::Shaped;
use crate::words::Word;
use std::marker::PhantomData;
use systolic_arith::{bf16, f16};

/// An element type, with its vectors at each feature level.
pub trait Element: Lane + Shaped<1> + Shaped<2> + Shaped<3> + Shaped<4> {
    /// The word of the same size and alignment.
    type Word: Word;
    /// The vector for any CPU.
    type Plain: Vector<Self>;
    /// A single lane.
    type One: Vector<Self>;
    /// The vectors with AVX2 and FMA.
    #[cfg(all(optimised, target_arch = "x86_64"))]
    type Avx2: Eights<Self>;
    /// The vectors with AVX-512 F, BW, DQ and VL.
    #[cfg(all(optimised, target_arch = "x86_64"))]
    type Avx512: Sixteens<Self>;
    /// The vectors with NEON.
    #[cfg(all(optimised, target_arch = "aarch64"))]
    type Neon: Eights<Self>;
}

/// The vectors of a level whose groups have 16 lanes.
pub trait Sixteens<T: Element> {
    /// 16 lanes.
    type By16: Vector<T>;
    /// 32 lanes.
    type By32: Vector<T>;
}

/// The vectors of a level whose groups have 8 or 16 lanes.
pub trait Eights<T: Element>: Sixteens<T> {
    /// 8 lanes.
    type By8: Vector<T>;
}

/// Vectors of one register of 8 lanes, or of several.
#[derive(Debug)]
pub struct Of8<R>(PhantomData<R>);

impl<T: Element, R: Register<T>> Sixteens<T> for Of8<R> {
    type By16 = Lanes<Pair<R>>;
    type By32 = Lanes<Pair<Pair<R>>>;
}

impl<T: Element, R: Register<T>> Eights<T> for Of8<R> {
    type By8 = Lanes<R>;
}

/// Vectors of one register of 16 lanes, or of two.
#[derive(Debug)]
pub struct Of16<R>(PhantomData<R>);

impl<T: Element, R: Register<T>> Sixteens<T> for Of16<R> {
    type By16 = Lanes<R>;
    type By32 = Lanes<Pair<R>>;
}

/// Vectors of a register of 16 lanes, or of one of 32.
#[derive(Debug)]
pub struct Of32<R, W>(PhantomData<(R, W)>);

impl<T: Element, R: Register<T>, W: Register<T>> Sixteens<T> for Of32<R, W> {
    type By16 = Lanes<R>;
    type By32 = Lanes<W>;
}

/// Vectors that are lists.
#[derive(Debug)]
pub struct Lists;

impl<T: Element> Sixteens<T> for Lists {
    type By16 = Lanes<List<T, 16>>;
    type By32 = Lanes<List<T, 32>>;
}

impl<T: Element> Eights<T> for Lists {
    type By8 = Lanes<List<T, 8>>;
}

/// Vectors of `bool`.
#[derive(Debug)]
pub struct Booleans;

impl Sixteens<bool> for Booleans {
    type By16 = Bools<16>;
    type By32 = Bools<32>;
}

impl Eights<bool> for Booleans {
    type By8 = Bools<8>;
}

macro_rules! elements {
    ($($type:ident, $word:ident: $avx2:ty, $avx512:ty, $neon:ty;)+) => {
        $(impl Element for $type {
            type Word = $word;
            type Plain = Lanes<Called<$type>>;
            type One = Lanes<List<$type, 1>>;
            #[cfg(all(optimised, target_arch = "x86_64"))]
            type Avx2 = $avx2;
            #[cfg(all(optimised, target_arch = "x86_64"))]
            type Avx512 = $avx512;
            #[cfg(all(optimised, target_arch = "aarch64"))]
            type Neon = $neon;
        })+
    };
}

#[cfg(all(optimised, target_arch = "aarch64"))]
use super::neon;
#[cfg(all(optimised, target_arch = "x86_64"))]
use super::{avx2, avx512, narrow, narrow512};

elements! {
    f16, u16: Lists, Lists, Lists;
    bf16, u16: Lists, Lists, Lists;
    f32, u32: Of8<avx2::Singles>, Of16<avx512::Singles>, Of8<neon::Singles>;
    f64, u64: Of8<avx2::Doubles>, Of16<avx512::Doubles>, Of8<neon::Doubles>;
    i8, u8: Of8<narrow::Bytes8>, Of32<narrow512::Bytes16, narrow512::Bytes32>, Lists;
    i16, u16: Of8<narrow::Shorts8>, Of32<narrow512::Shorts16, narrow512::Shorts32>, Lists;
    i32, u32: Of8<avx2::Words>, Of16<avx512::Words>, Of8<neon::Words>;
    i64, u64: Lists, Of16<avx512::Longs>, Lists;
    u8, u8: Of8<narrow::Bytes8>, Of32<narrow512::Bytes16, narrow512::Bytes32>, Lists;
    u16, u16: Of8<narrow::Shorts8>, Of32<narrow512::Shorts16, narrow512::Shorts32>, Lists;
    u32, u32: Of8<avx2::Words>, Of16<avx512::Words>, Lists;
    u64, u64: Lists, Of16<avx512::Longs>, Lists;
}

impl Element for bool {
    type Word = u8;
    type Plain = Bools<LANES>;
    type One = Bools<1>;
    #[cfg(all(optimised, target_arch = "x86_64"))]
    type Avx2 = Booleans;
    #[cfg(all(optimised, target_arch = "x86_64"))]
    type Avx512 = Booleans;
    #[cfg(all(optimised, target_arch = "aarch64"))]
    type Neon = Booleans;
}

macro_rules! declare {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*);)+) => {
        $($(#[$doc])*
        fn $name(self, $($other: Self),*) -> Self;)+
    };
}

macro_rules! declare_compare {
    ($($name:ident)+) => {
        $(#[doc = "As `ops` of this name, lane l as bit l."]
        fn $name(self, other: Self) -> Mask;)+
    };
}

macro_rules! declare_choose {
    ($($name:ident by $compare:ident)+) => {
        $(#[doc = "The lanes of `a` where the comparison of this name holds, those of `b` elsewhere."]
        #[cfg_attr(optimised, inline(always))]
        fn $name(self, other: Self, a: Self, b: Self) -> Self {
            Self::select(self.$compare(other), a, b)
        })+
    };
}

/// A vector of lanes of `T`. An operation that the type lacks returns `self`. In masks that are passed in, only the low
/// bits count, one per lane; in masks that are returned, the other bits are 0.
pub trait Vector<T: Element>: Copy {
    /// The number of lanes; at most 32.
    const LANES: usize;

    /// Returns the same value in every lane. [`Simd::splat`](super::Simd::splat) is the safe version.
    /// # Safety
    /// The CPU has the level of this vector.
    unsafe fn splat(x: T) -> Self;

    /// Loads the lanes from memory. [`Simd::take`](super::Simd::take) is the safe version.
    /// # Safety
    /// The CPU has the level of this vector; `from` may be read for all lanes.
    unsafe fn load(from: *const T) -> Self;

    /// Stores the lanes to memory. [`put`](Vector::put) is the safe version.
    /// # Safety
    /// `to` may be written for all lanes.
    unsafe fn store(self, to: *mut T);

    /// Stores the lanes by non-temporal stores, which bypass the caches, if the level has them.
    /// # Safety
    /// `to` may be written for all lanes, and is aligned to the vector's size or to a cache line.
    unsafe fn stream(self, to: *mut T);

    /// Stores the lanes as the first elements of a list.
    fn put(self, to: &mut [T; LANES]);

    /// Stores the lanes in the mask to memory; the memory of other lanes is not touched.
    /// # Safety
    /// `to` may be written for the lanes in the mask.
    unsafe fn store_where(self, mask: Mask, to: *mut T);

    /// Loads the lanes in the mask from memory; the others are those of `other`.
    /// # Safety
    /// `from` may be read for the lanes in the mask.
    unsafe fn load_where(mask: Mask, from: *const T, other: Self) -> Self;

    /// Whether [`to_words`](Vector::to_words) converts the lanes.
    const TO_WORDS: bool = false;

    /// Whether [`of_words`](Vector::of_words) converts the lanes.
    const OF_WORDS: bool = false;

    /// Whether [`to_shorts`](Vector::to_shorts) and [`of_shorts`](Vector::of_shorts) convert the lanes.
    const SHORTS: bool = false;

    /// Writes every lane as a short of 16 bits, as `as i16` does, if the type and the level have that.
    #[cfg_attr(optimised, inline(always))]
    fn to_shorts(self, _to: &mut [i16; LANES]) {}

    /// Reads every lane from a short of 16 bits, as `as` does from `i16`, if the type and the level have that.
    /// # Safety
    /// The CPU has the level of this vector.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_shorts(_from: &[i16; LANES]) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::splat(T::default()) }
    }

    /// Writes every lane as a word of 32 bits, as `as i32` does, if the type and the level have that.
    #[cfg_attr(optimised, inline(always))]
    fn to_words(self, _to: &mut [i32; LANES]) {}

    /// Reads every lane from a word of 32 bits, as `as` does from `i32`, if the type and the level have that.
    /// # Safety
    /// The CPU has the level of this vector.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_words(_from: &[i32; LANES]) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::splat(T::default()) }
    }

    /// Returns the lanes in reverse order.
    fn reverse(self) -> Self;

    /// Loads every `step`-th element. After inlining the step is a constant.
    /// # Safety
    /// The CPU has the level of this vector; `from` may be read up to the element of the last lane; `step` is from 2 to 9.
    unsafe fn load_apart(from: *const T, step: usize) -> Self;

    /// Loads every `step`-th element from the `phase`-th on. After inlining both are constants.
    /// # Safety
    /// The CPU has the level of this vector; all elements, `step` for each lane, may be read; `step` is from 2 to 9, and `phase`
    /// is less.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_phase(from: *const T, step: usize, phase: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_apart(from.add(phase), step) }
    }

    /// Loads elements that are any distance apart.
    /// # Safety
    /// The CPU has the level of this vector; the elements of all lanes may be read.
    unsafe fn load_far(from: *const T, apart: isize) -> Self;

    /// Loads elements at a position of each lane's own.
    /// # Safety
    /// The CPU has the level of this vector; the elements at the positions of all lanes exist.
    unsafe fn load_at(from: &[T], cells: &[i32; LANES]) -> Self;

    /// The most elements of a table from which [`pick`](Vector::pick) takes some. It cannot if this is 0.
    const PICKED: usize = 0;

    /// Takes an element of a small table for each lane.
    /// # Safety
    /// The CPU has the level of this vector; the table has `COUNT` elements, at most [`PICKED`](Vector::PICKED), and those at the positions of
    /// all lanes.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn pick<const COUNT: usize>(from: &[T], cells: &[i16; LANES]) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_at(from, &cells.map(i32::from)) }
    }

    /// Stores the lanes to every `step`-th element; those between are not touched. After inlining the step is a constant.
    /// # Safety
    /// The elements of all lanes may be written; `step` is from 2 to 9.
    unsafe fn store_apart(self, to: *mut T, step: usize);

    /// Stores lane 0 of every value, then lane 1 of every value, and so on.
    /// # Safety
    /// All elements up to the last one may be written; `STEP` is from 2 to 9.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut T) {
        for (k, value) in values.into_iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { value.store_apart(to.wrapping_add(k), STEP) };
        }
    }

    /// Returns the lanes as a list; elements beyond them are zero.
    #[cfg_attr(optimised, inline(always))]
    fn to_lanes(self) -> [T; LANES] {
        let mut lanes = [T::default(); LANES];
        self.put(&mut lanes);
        lanes
    }

    declare! {
        /// `self + other`.
        add(other);
        /// `self - other`.
        sub(other);
        /// `self * other`.
        mul(other);
        /// `self / other`; integers give 0 for a zero divisor.
        div(other);
        /// `self % other`; integers give 0 for a zero divisor.
        rem(other);
        /// The smaller of two; if one is NaN, the other.
        min(other);
        /// The larger of two; if one is NaN, the other.
        max(other);
        /// `self & other`.
        and(other);
        /// `self | other`.
        or(other);
        /// `self ^ other`.
        xor(other);
        /// `-self`.
        neg();
        /// `!self`.
        not();
        /// The absolute value.
        abs();
        /// The square root.
        sqrt();
        /// e to the power of `self`.
        exp();
        /// The natural logarithm.
        ln();
        /// 2 to the power of `self`.
        exp2();
        /// The logarithm to base 2.
        log2();
        /// `self` to the power of `other`.
        pow(other);
        /// The sine.
        sin();
        /// The cosine.
        cos();
        /// The tangent.
        tan();
        /// The angle whose tangent this is.
        atan();
        /// The hyperbolic sine.
        sinh();
        /// The hyperbolic cosine.
        cosh();
        /// The hyperbolic tangent.
        tanh();
        /// The nearest integer that is not greater.
        floor();
        /// The nearest integer that is not smaller.
        ceil();
        /// The nearest integer; halves go away from zero.
        round();
        /// The nearest integer; halves go to the even one.
        round_even();
        /// The integer part.
        trunc();
        /// `self * factor + summand`, rounded once.
        fma(factor, summand);
    }
    /// `self / by`, the same number in every lane, which is a constant after inlining.
    fn div_by(self, by: T) -> Self;

    /// `self % by`, the same number in every lane, which is a constant after inlining.
    fn rem_by(self, by: T) -> Self;

    /// [`div`](Vector::div), not inlined: CPUs have no integer division of vectors, and the division of every lane is much
    /// code.
    #[cfg_attr(optimised, inline(always))]
    fn div_called(self, other: Self) -> Self {
        self.with_lanes(each_lane(&self.to_lanes(), &other.to_lanes(), T::div))
    }

    /// [`rem`](Vector::rem), not inlined.
    #[cfg_attr(optimised, inline(always))]
    fn rem_called(self, other: Self) -> Self {
        self.with_lanes(each_lane(&self.to_lanes(), &other.to_lanes(), T::rem))
    }

    /// Returns the first elements of a list as lanes. `self` only proves that the CPU has the level.
    fn with_lanes(self, lanes: [T; LANES]) -> Self;

    declare_compare! { eq ne lt le gt ge }
    declare_choose! {
        choose_eq by eq choose_ne by ne choose_lt by lt choose_le by le choose_gt by gt choose_ge by ge
    }

    /// `self << count`, each count modulo the width.
    fn shl(self, counts: &[u32; LANES]) -> Self;

    /// `self >> count`, each count modulo the width.
    fn shr(self, counts: &[u32; LANES]) -> Self;

    /// Returns the lanes of `a` in the mask, those of `b` elsewhere.
    fn select(mask: Mask, a: Self, b: Self) -> Self;

    /// Returns the lanes that are `true`; for numbers none.
    #[cfg_attr(optimised, inline(always))]
    fn to_mask(self) -> Mask {
        0
    }

    /// For `bool`, returns `true` in the lanes of the mask and `false` elsewhere, whatever `self` is. For numbers, returns
    /// `self`.
    #[cfg_attr(optimised, inline(always))]
    fn with_mask(self, _: Mask) -> Self {
        self
    }

    /// Shifts lanes: lane l gets lane l − N, or zero if there is no such lane.
    fn shuffle<const N: i32>(self) -> Self;

    /// Rotates lanes: lane l gets lane l − BELOW. The first BELOW lanes, for which there is no such lane, get lane l − AROUND.
    #[cfg_attr(optimised, inline(always))]
    fn rotate<const BELOW: i32, const AROUND: i32>(self) -> Self {
        let first = const { low(if BELOW > 0 { BELOW as usize } else { 0 }) };
        Self::select(first, self.shuffle::<AROUND>(), self.shuffle::<BELOW>())
    }
}

/// Applies a function lane by lane.
#[inline(never)]
fn each_lane<T: Element>(a: &[T; LANES], b: &[T; LANES], by: fn(T, T) -> T) -> [T; LANES] {
    std::array::from_fn(|l| by(a[l], b[l]))
}

/// A register of all lanes of a group. It exists only if the CPU has the features that it needs: `splat` and `load`, whose
/// callers guarantee that, are the only ways to create one without another.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Lanes<R>(R);

macro_rules! pass_on {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, $($other: Self),*) -> Self {
            // SAFETY: `self` exists, so the CPU has the features.
            Lanes(unsafe { self.0.$name($($other.0),*) })
        })+
    };
}

macro_rules! pass_compare {
    ($($name:ident)+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, other: Self) -> Mask {
            // SAFETY: `self` exists, so the CPU has the features.
            unsafe { self.0.$name(other.0) }
        })+
    };
}

impl<T: Element, R: Register<T>> Vector<T> for Lanes<R> {
    const LANES: usize = R::LANES;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: T) -> Self {
        // SAFETY: guaranteed by the caller.
        Lanes(unsafe { R::splat(x) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: guaranteed by the caller.
        Lanes(unsafe { R::load(from) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: `self` exists, so the CPU has the features; the caller guarantees that `to` may be written.
        unsafe { self.0.store(to) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn stream(self, to: *mut T) {
        // SAFETY: `self` exists, so the CPU has the features; the caller guarantees that `to` may be written.
        unsafe { self.0.stream(to) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn put(self, to: &mut [T; LANES]) {
        const { assert!(R::LANES <= LANES) };
        // SAFETY: `self` exists, so the CPU has the features; the array has 32 elements.
        unsafe { self.0.store(to.as_mut_ptr()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut T) {
        // SAFETY: `self` exists, so the CPU has the features; the caller guarantees the rest.
        unsafe { self.0.store_where(mask, to) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_where(mask: Mask, from: *const T, other: Self) -> Self {
        // SAFETY: `other` exists, so the CPU has the features; the caller guarantees the rest.
        Lanes(unsafe { R::load_where(mask, from, other.0) })
    }

    const TO_WORDS: bool = R::TO_WORDS;
    const OF_WORDS: bool = R::OF_WORDS;
    const SHORTS: bool = R::SHORTS;

    #[cfg_attr(optimised, inline(always))]
    fn to_shorts(self, to: &mut [i16; LANES]) {
        // SAFETY: `self` exists, so the CPU has the features; the array has 32 shorts.
        unsafe { self.0.to_shorts(to.as_mut_ptr()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_shorts(from: &[i16; LANES]) -> Self {
        // SAFETY: guaranteed by the caller; the array has 32 shorts.
        Lanes(unsafe { R::of_shorts(from.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn to_words(self, to: &mut [i32; LANES]) {
        // SAFETY: `self` exists, so the CPU has the features; the array has 32 words.
        unsafe { self.0.to_words(to.as_mut_ptr()) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn of_words(from: &[i32; LANES]) -> Self {
        // SAFETY: guaranteed by the caller; the array has 32 words.
        Lanes(unsafe { R::of_words(from.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn reverse(self) -> Self {
        // SAFETY: `self` exists, so the CPU has the features.
        Lanes(unsafe { self.0.reverse() })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_apart(from: *const T, step: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        Lanes(unsafe { R::load_apart(from, step) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_phase(from: *const T, step: usize, phase: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        Lanes(unsafe { R::load_phase(from, step, phase) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_far(from: *const T, apart: isize) -> Self {
        // SAFETY: guaranteed by the caller.
        Lanes(unsafe { R::load_far(from, apart) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_at(from: &[T], cells: &[i32; LANES]) -> Self {
        // SAFETY: guaranteed by the caller; there are as many positions as lanes.
        Lanes(unsafe { R::load_at(from, cells.as_ptr()) })
    }

    const PICKED: usize = R::PICKED;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn pick<const COUNT: usize>(from: &[T], cells: &[i16; LANES]) -> Self {
        // SAFETY: guaranteed by the caller; there are as many positions as lanes.
        Lanes(unsafe { R::pick::<COUNT>(from, cells.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_apart(self, to: *mut T, step: usize) {
        // SAFETY: guaranteed by the caller; `self` exists, so the CPU has the features.
        unsafe { self.0.store_apart(to, step) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut T) {
        // SAFETY: guaranteed by the caller; the values exist, so the CPU has the features.
        unsafe { R::store_together(values.map(|value| value.0), to) }
    }

    pass_on! {
        add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) and(b) or(b) xor(b)
        neg() not() abs() sqrt() fma(b, c)
        choose_eq(o, a, b) choose_ne(o, a, b) choose_lt(o, a, b) choose_le(o, a, b) choose_gt(o, a, b) choose_ge(o, a, b)
    }
    functions!(pass_on);

    #[cfg_attr(optimised, inline(always))]
    fn div_by(self, by: T) -> Self {
        // SAFETY: `self` exists, so the CPU has the features.
        Lanes(unsafe { self.0.div_by(by) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn rem_by(self, by: T) -> Self {
        // SAFETY: `self` exists, so the CPU has the features.
        Lanes(unsafe { self.0.rem_by(by) })
    }

    pass_compare! { eq ne lt le gt ge }

    #[cfg_attr(optimised, inline(always))]
    fn with_lanes(self, lanes: [T; LANES]) -> Self {
        // SAFETY: `self` exists, so the CPU has the features; the array has 32 elements.
        Lanes(unsafe { R::load(lanes.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn shl(self, counts: &[u32; LANES]) -> Self {
        // SAFETY: `self` exists, so the CPU has the features; the array has 32 counts.
        Lanes(unsafe { self.0.shl(counts.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn shr(self, counts: &[u32; LANES]) -> Self {
        // SAFETY: `self` exists, so the CPU has the features; the array has 32 counts.
        Lanes(unsafe { self.0.shr(counts.as_ptr()) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn select(mask: Mask, a: Self, b: Self) -> Self {
        // SAFETY: `a` exists, so the CPU has the features.
        Lanes(unsafe { R::select(mask, a.0, b.0) })
    }

    #[cfg_attr(optimised, inline(always))]
    fn shuffle<const N: i32>(self) -> Self {
        let n = const { if N.unsigned_abs() as usize > R::LANES { R::LANES } else { N.unsigned_abs() as usize } };
        // SAFETY: `self` exists, so the CPU has the features; n is at most the number of lanes.
        Lanes(unsafe {
            let zero = R::splat(T::default());
            if N > 0 { R::slide(zero, self.0, R::LANES - n) } else { R::slide(self.0, zero, n) }
        })
    }
}

/// Lanes of `bool`, one bit per lane.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Bools<const N: usize>(Mask);

/// Returns the mask of the first `lanes` lanes.
#[cfg_attr(optimised, inline(always))]
pub const fn low(lanes: usize) -> Mask {
    if lanes < LANES { (1 << lanes) - 1 } else { ALL }
}

macro_rules! lacks {
    ($($name:ident($($other:ident),*))+) => {
        $(#[cfg_attr(optimised, inline(always))]
        fn $name(self, $($other: Self),*) -> Self {
            $(let _ = $other;)*
            self
        })+
    };
}

impl<const N: usize> Bools<N> {
    /// The mask of all lanes. A constant, because a call of `low` would add two basic blocks each time.
    const EVERY: Mask = low(N);
}

impl<const N: usize> Vector<bool> for Bools<N> {
    const LANES: usize = N;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(x: bool) -> Self {
        Bools(Mask::from(x).wrapping_neg() & Self::EVERY)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(from: *const bool) -> Self {
        let mut mask = 0;
        for l in 0..N {
            // SAFETY: lane l is below the number of lanes, and the caller guarantees that all lanes are readable.
            mask |= Mask::from(unsafe { *from.add(l) }) << l;
        }
        Bools(mask)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store(self, to: *mut bool) {
        for l in 0..N {
            // SAFETY: lane l is below the number of lanes, and the caller guarantees that all lanes are writable.
            unsafe { to.add(l).write((self.0 >> l) & 1 == 1) };
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn reverse(self) -> Self {
        Bools((self.0.reverse_bits() >> (LANES - N)) & Self::EVERY)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_apart(from: *const bool, step: usize) -> Self {
        let mut mask = 0;
        for l in 0..N {
            // SAFETY: the element of lane l, which the caller guarantees to be readable.
            mask |= Mask::from(unsafe { *from.add(l * step) }) << l;
        }
        Bools(mask)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_far(from: *const bool, apart: isize) -> Self {
        let mut mask = 0;
        for l in 0..N {
            // SAFETY: the element of lane l, which the caller guarantees to be readable.
            mask |= Mask::from(unsafe { from.wrapping_offset(apart.wrapping_mul(l as isize)).read() }) << l;
        }
        Bools(mask)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_at(from: &[bool], cells: &[i32; LANES]) -> Self {
        let lanes = cells.iter().enumerate().take(N);
        Bools(lanes.fold(0, |mask, (l, cell)| mask | Mask::from(from.get(*cell as usize) == Some(&true)) << l))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_apart(self, to: *mut bool, step: usize) {
        for l in 0..N {
            // SAFETY: the element of lane l, which the caller guarantees to be writable.
            unsafe { to.add(l * step).write((self.0 >> l) & 1 == 1) };
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn stream(self, to: *mut bool) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.store(to) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn put(self, to: &mut [bool; LANES]) {
        for (l, x) in to.iter_mut().enumerate().take(N) {
            *x = (self.0 >> l) & 1 == 1;
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_where(mask: Mask, from: *const bool, other: Self) -> Self {
        let mut lanes = other.0;
        for l in (0..N).filter(|l| (mask >> l) & 1 == 1) {
            // SAFETY: lane l is in the mask.
            let bit = Mask::from(unsafe { from.wrapping_add(l).read() });
            lanes = lanes & !(1 << l) | bit << l;
        }
        Bools(lanes)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_where(self, mask: Mask, to: *mut bool) {
        for l in 0..N {
            if (mask >> l) & 1 == 1 {
                // SAFETY: lane l is in the mask.
                unsafe { to.wrapping_add(l).write((self.0 >> l) & 1 == 1) };
            }
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn with_lanes(self, lanes: [bool; LANES]) -> Self {
        // SAFETY: the array has 32 elements.
        unsafe { Self::load(lanes.as_ptr()) }
    }

    lacks!(add(b) sub(b) mul(b) div(b) rem(b) min(b) max(b) neg() abs() sqrt() fma(b, c));
    functions!(lacks);

    #[cfg_attr(optimised, inline(always))]
    fn div_by(self, _: bool) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    fn rem_by(self, _: bool) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    fn and(self, other: Self) -> Self {
        Bools(self.0 & other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn or(self, other: Self) -> Self {
        Bools(self.0 | other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn xor(self, other: Self) -> Self {
        Bools(self.0 ^ other.0)
    }

    #[cfg_attr(optimised, inline(always))]
    fn not(self) -> Self {
        Bools(!self.0 & Self::EVERY)
    }

    #[cfg_attr(optimised, inline(always))]
    fn eq(self, other: Self) -> Mask {
        !(self.0 ^ other.0) & Self::EVERY
    }

    #[cfg_attr(optimised, inline(always))]
    fn ne(self, other: Self) -> Mask {
        self.0 ^ other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn lt(self, other: Self) -> Mask {
        !self.0 & other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn le(self, other: Self) -> Mask {
        (!self.0 | other.0) & Self::EVERY
    }

    #[cfg_attr(optimised, inline(always))]
    fn gt(self, other: Self) -> Mask {
        self.0 & !other.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn ge(self, other: Self) -> Mask {
        (self.0 | !other.0) & Self::EVERY
    }

    #[cfg_attr(optimised, inline(always))]
    fn shl(self, _: &[u32; LANES]) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    fn shr(self, _: &[u32; LANES]) -> Self {
        self
    }

    #[cfg_attr(optimised, inline(always))]
    fn select(mask: Mask, a: Self, b: Self) -> Self {
        Bools((mask & a.0) | (!mask & b.0))
    }

    #[cfg_attr(optimised, inline(always))]
    fn to_mask(self) -> Mask {
        self.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn with_mask(self, mask: Mask) -> Self {
        Bools(mask & Self::EVERY)
    }

    #[cfg_attr(optimised, inline(always))]
    fn shuffle<const BY: i32>(self) -> Self {
        let n = BY.unsigned_abs();
        let shifted = if BY > 0 { self.0.checked_shl(n) } else { self.0.checked_shr(n) };
        Bools(shifted.unwrap_or(0) & Self::EVERY)
    }
}
