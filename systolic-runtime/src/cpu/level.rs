//! The feature levels. Each has a token type, whose values exist only if the CPU has the level.
#![allow(unsafe_code)]
use super::cast::cast;
use super::launch::Blocks;
use super::rows::Scratch;
use super::vector::{Eights, Element, Sixteens, Vector, low};
use super::window::WIDEST_STEP;
use super::{Block, LANES, Mask};
use crate::error::Failure;
use std::sync::OnceLock;
use systolic_arith::{CastTo, Integer, Type};

/// A feature level, from the slowest to the fastest. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Any CPU.
    Plain,
    /// NEON.
    Neon,
    /// AVX2 and FMA, and the bit operations that all such CPUs have.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Level {
    /// Returns the level of this name. The names are the values of `SYSTOLIC_CPU`.
    fn parse(name: &str) -> Option<Level> {
        let levels = [(Level::Plain, "plain"), (Level::Neon, "neon"), (Level::Avx2, "avx2"), (Level::Avx512, "avx512")];
        levels.into_iter().find(|(_, known)| *known == name).map(|(level, _)| level)
    }

    /// Returns the levels that this CPU has, the slowest first.
    pub fn available() -> Vec<Level> {
        let mut levels = vec![Level::Plain];
        #[cfg(all(optimised, target_arch = "aarch64"))]
        levels.extend(Neon::new().map(|_| Level::Neon));
        #[cfg(all(optimised, target_arch = "x86_64"))]
        {
            levels.extend(Avx2::new().map(|_| Level::Avx2));
            levels.extend(Avx512::new().map(|_| Level::Avx512));
        }
        levels
    }
}

/// Returns the best level of this CPU, which is detected once. The environment variable `SYSTOLIC_CPU` (`plain`, `neon`,
/// `avx2` or `avx512`) can lower it.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let best = Level::available().pop().unwrap_or(Level::Plain);
        let asked = std::env::var("SYSTOLIC_CPU").ok().and_then(|name| Level::parse(&name));
        asked.map_or(best, |asked| asked.min(best))
    })
}

/// The token of a feature level, for all lanes of a warp or for a group of them. Its existence proves that the CPU has the
/// level.
pub trait Simd: Copy + Send + Sync + 'static {
    /// A vector of the group's lanes.
    type V<T: Element>: Vector<T>;

    /// The name of the level and group.
    const NAME: &'static str;

    /// The number of values of 4 bytes in a register of the level.
    const WORDS: usize;

    /// The number of lanes of the group; 32 if it is the whole warp.
    const WIDTH: usize;

    /// Returns the lane of the warp that is lane 0 of the group.
    fn first(self) -> usize;

    /// Returns the group's bits of a mask of the warp, shifted down to bit 0.
    #[cfg_attr(optimised, inline(always))]
    fn lanes(self, mask: Mask) -> Mask {
        (mask >> self.first()) & const { low(Self::WIDTH) }
    }

    /// Returns the same value in every lane.
    #[cfg_attr(optimised, inline(always))]
    fn splat<T: Element>(self, x: T) -> Self::V<T> {
        // SAFETY: the token exists, so the CPU has the level.
        unsafe { Self::V::<T>::splat(x) }
    }

    /// Returns the group's lanes from those of the warp.
    #[cfg_attr(optimised, inline(always))]
    fn load<T: Element>(self, lanes: &[T; LANES]) -> Self::V<T> {
        self.take(lanes.get(self.first()..).unwrap_or_default())
    }

    /// Returns the first elements of a list, one per lane of the group; all zero if the list is too short.
    #[cfg_attr(optimised, inline(always))]
    fn take<T: Element>(self, list: &[T]) -> Self::V<T> {
        if list.len() < Self::V::<T>::LANES {
            return self.zero();
        }
        // SAFETY: the token exists, so the CPU has the level; there are enough elements.
        unsafe { Self::V::<T>::load(list.as_ptr()) }
    }

    /// Returns every `step`-th element of a list, one per lane of the group; all zero if the list is too short. The step is from
    /// 2 to 9, and a constant after inlining.
    #[cfg_attr(optimised, inline(always))]
    fn apart<T: Element>(self, list: &[T], step: usize) -> Self::V<T> {
        if !(2..=WIDEST_STEP as usize).contains(&step) || list.len() <= (Self::V::<T>::LANES - 1) * step {
            return self.zero();
        }
        // SAFETY: the token exists, so the CPU has the level; there are enough elements.
        unsafe { Self::V::<T>::load_apart(list.as_ptr(), step) }
    }

    /// Returns every `step`-th element of a list from the `phase`-th on, one per lane of the group; all zero if the list does not
    /// have `step` elements per lane. The step is from 2 to 9, the phase is less, and both are constants after inlining.
    #[cfg_attr(optimised, inline(always))]
    fn phase<T: Element>(self, list: &[T], step: usize, phase: usize) -> Self::V<T> {
        if !(2..=WIDEST_STEP as usize).contains(&step) || phase >= step || list.len() < Self::V::<T>::LANES * step {
            return self.zero();
        }
        // SAFETY: the token exists, so the CPU has the level; there are enough elements.
        unsafe { Self::V::<T>::load_phase(list.as_ptr(), step, phase) }
    }

    /// Returns zero in every lane.
    #[cfg_attr(optimised, inline(always))]
    fn zero<T: Element>(self) -> Self::V<T> {
        self.splat(T::default())
    }

    /// `v as U`.
    #[cfg_attr(optimised, inline(always))]
    fn cast<T: Element + CastTo<U>, U: Element>(self, v: Self::V<T>) -> Self::V<U> {
        if const { Self::V::<T>::SHORTS && Self::V::<U>::SHORTS } {
            let mut shorts = [0; LANES];
            v.to_shorts(&mut shorts);
            // SAFETY: the token exists, so the CPU has the level.
            return unsafe { Self::V::<U>::of_shorts(&shorts) };
        }
        // Words as numbers are signed.
        let number = const { !(matches!(T::TYPE, Type::U32) && matches!(U::TYPE, Type::F32)) };
        if const { Self::V::<T>::TO_WORDS && Self::V::<U>::OF_WORDS } && number {
            let mut words = [0; LANES];
            v.to_words(&mut words);
            // SAFETY: the token exists, so the CPU has the level.
            return unsafe { Self::V::<U>::of_words(&words) };
        }
        let from = v.to_lanes();
        let mut to = [U::default(); LANES];
        for l in 0..Self::WIDTH {
            to[l] = cast(from[l]);
        }
        self.take(&to)
    }

    /// `v << counts`; the counts may have any integer type.
    #[cfg_attr(optimised, inline(always))]
    fn shl<T: Element + Integer, U: Element + Integer>(self, v: Self::V<T>, counts: Self::V<U>) -> Self::V<T> {
        v.shl(&shift_counts::<Self, U>(counts))
    }

    /// `v >> counts`; the counts may have any integer type.
    #[cfg_attr(optimised, inline(always))]
    fn shr<T: Element + Integer, U: Element + Integer>(self, v: Self::V<T>, counts: Self::V<U>) -> Self::V<T> {
        v.shr(&shift_counts::<Self, U>(counts))
    }

    /// Returns `true` in the lanes of the mask, `false` elsewhere.
    #[cfg_attr(optimised, inline(always))]
    fn bools(self, mask: Mask) -> Self::V<bool> {
        self.splat(false).with_mask(mask)
    }

    /// Returns the lanes that are `true`.
    #[cfg_attr(optimised, inline(always))]
    fn mask(self, v: Self::V<bool>) -> Mask {
        v.to_mask()
    }
}

#[cfg_attr(optimised, inline(always))]
fn shift_counts<S: Simd, U: Element + Integer>(counts: S::V<U>) -> [u32; LANES] {
    let from = counts.to_lanes();
    let mut to = [0; LANES];
    for l in 0..S::WIDTH {
        to[l] = from[l].shift_count();
    }
    to
}

/// The entry point of a level: runs blocks with the instructions of the level.
pub trait Door: Simd {
    /// Runs blocks one after another, each in groups of lanes or as a whole warp.
    fn run<B: Block>(self, block: &B, blocks: Blocks, scratch: &mut Scratch) -> Result<(), Failure>;
}

/// Returns the number of lanes in which a block runs best: 32, or the widest group whose live values fit in the registers with
/// two to spare, or the narrowest group of several lanes if none fits; never more than the narrowest group that has all lanes
/// of the block. `words` is the number of values of 4 bytes in a register. The groups are listed from wide to narrow.
#[cfg(all(optimised, any(target_arch = "x86_64", target_arch = "aarch64")))]
const fn width<B: Block>(registers: usize, words: usize, groups: &[usize]) -> usize {
    let (mut width, mut next) = (LANES, 0);
    while next < groups.len() {
        // Only AVX-512 has registers in which 32 lanes of 16 bits are no more than 16 lanes.
        let narrow = if words == 16 { B::NARROW } else { 0 };
        let wide = B::LIVE.saturating_sub(narrow);
        let live = wide.saturating_mul(width / words).saturating_add(narrow);
        // Half as many lanes would not help narrow values.
        let many = width > words && live > registers - 2 && wide >= narrow;
        if !(groups[next] >= B::LANES || B::APART && many && groups[next] > 1) {
            break;
        }
        width = groups[next];
        next += 1;
    }
    width
}

/// Implements [`Simd`] for a token: its vectors, its number of lanes, and its first lane.
macro_rules! token {
    ($name:ident, $text:literal, $words:literal, $lanes:expr, |$token:ident| $first:expr, $($vectors:tt)+) => {
        impl Simd for $name {
            type V<T: Element> = $($vectors)+;

            const NAME: &'static str = $text;
            const WORDS: usize = $words;
            const WIDTH: usize = $lanes;

            #[cfg_attr(optimised, inline(always))]
            fn first(self) -> usize {
                let $token = self;
                $first
            }
        }
    };
}

/// A token for groups of lanes of a level, which holds the group's first lane.
macro_rules! group {
    ($name:ident, $text:literal, $words:literal, $lanes:literal, $($vectors:tt)+) => {
        #[doc = concat!("A group of ", $lanes, " lanes.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            first: usize,
        }

        token! { $name, $text, $words, $lanes, |token| token.first, $($vectors)+ }
    };
}

/// A level: its token, its CPU features, and its entry point.
macro_rules! level {
    (
        $(#[$doc:meta])* $name:ident, $text:literal, $detected:ident[$first:tt $($feature:tt)*];
        $registers:literal registers of $words:literal; $($lanes:literal: $group:ident),+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// Returns the token if the CPU has the level.
            pub fn new() -> Option<Self> {
                let has = std::arch::$detected!($first) $(&& std::arch::$detected!($feature))*;
                has.then_some($name(()))
            }
        }

        token! { $name, $text, $words, LANES, |_token| 0, <T::$name as Sixteens<T>>::By32 }

        impl Door for $name {
            fn run<B: Block>(self, block: &B, blocks: Blocks, scratch: &mut Scratch) -> Result<(), Failure> {
                #[target_feature(enable = $first)]
                $(#[target_feature(enable = $feature)])*
                fn with<B: Block>(
                    simd: $name,
                    block: &B,
                    mut blocks: Blocks,
                    scratch: &mut Scratch,
                ) -> Result<(), Failure> {
                    while let Some(at) = blocks.take() {
                        // A constant, so that only this width is compiled.
                        match const { width::<B>($registers, $words, &[$($lanes),+]) } {
                            $($lanes => {
                                // No iterator, because every kernel would compile its code.
                                let mut first = 0;
                                while first < B::LANES {
                                    scratch.reset();
                                    block.run($group { first }, at, scratch)?;
                                    first += $lanes;
                                }
                            })+
                            _ => {
                                scratch.reset();
                                block.run(simd, at, scratch)?;
                            }
                        }
                    }
                    Ok(())
                }
                // SAFETY: the token exists, so the CPU has these features.
                unsafe { with(self, block, blocks, scratch) }
            }
        }
    };
}

/// Makes non-temporal stores visible to other threads.
pub fn fence() {
    #[cfg(all(optimised, target_arch = "x86_64"))]
    // SAFETY: every x86-64 has the instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(all(optimised, target_arch = "x86_64"))]
level! {
    /// AVX-512.
    Avx512, "avx512", is_x86_feature_detected["avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "fma" "bmi1" "bmi2" "lzcnt"];
    32 registers of 16; 16: Avx512By16, 8: Avx512By8, 1: Avx512By1
}
#[cfg(all(optimised, target_arch = "x86_64"))]
group! { Avx512By16, "avx512 by 16", 16, 16, <T::Avx512 as Sixteens<T>>::By16 }
#[cfg(all(optimised, target_arch = "x86_64"))]
group! { Avx512By8, "avx512 by 8", 16, 8, <T::Avx2 as Eights<T>>::By8 }
#[cfg(all(optimised, target_arch = "x86_64"))]
group! { Avx512By1, "avx512 by 1", 16, 1, T::One }

#[cfg(all(optimised, target_arch = "x86_64"))]
level! {
    /// AVX2 and FMA.
    Avx2, "avx2", is_x86_feature_detected["avx2" "fma" "bmi1" "bmi2" "lzcnt"];
    16 registers of 8; 16: Avx2By16, 8: Avx2By8, 1: Avx2By1
}
#[cfg(all(optimised, target_arch = "x86_64"))]
group! { Avx2By16, "avx2 by 16", 8, 16, <T::Avx2 as Sixteens<T>>::By16 }
#[cfg(all(optimised, target_arch = "x86_64"))]
group! { Avx2By8, "avx2 by 8", 8, 8, <T::Avx2 as Eights<T>>::By8 }
#[cfg(all(optimised, target_arch = "x86_64"))]
group! { Avx2By1, "avx2 by 1", 8, 1, T::One }

#[cfg(all(optimised, target_arch = "aarch64"))]
level! {
    /// NEON.
    Neon, "neon", is_aarch64_feature_detected["neon"];
    32 registers of 4; 16: NeonBy16, 8: NeonBy8, 1: NeonBy1
}
#[cfg(all(optimised, target_arch = "aarch64"))]
group! { NeonBy16, "neon by 16", 4, 16, <T::Neon as Sixteens<T>>::By16 }
#[cfg(all(optimised, target_arch = "aarch64"))]
group! { NeonBy8, "neon by 8", 4, 8, <T::Neon as Eights<T>>::By8 }
#[cfg(all(optimised, target_arch = "aarch64"))]
group! { NeonBy1, "neon by 1", 4, 1, T::One }

/// Any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Simd for Plain {
    type V<T: Element> = T::Plain;

    const NAME: &'static str = "plain";
    const WORDS: usize = 1;
    const WIDTH: usize = LANES;

    #[cfg_attr(optimised, inline(always))]
    fn first(self) -> usize {
        0
    }

    #[cfg_attr(optimised, inline(always))]
    fn cast<T: Element + CastTo<U>, U: Element>(self, v: Self::V<T>) -> Self::V<U> {
        #[inline(never)]
        fn cast<T: Element + CastTo<U>, U: Element>(v: &T::Plain) -> U::Plain {
            Plain.take(&v.to_lanes().map(T::cast))
        }
        cast::<T, U>(&v)
    }

    #[cfg_attr(optimised, inline(always))]
    fn shl<T: Element + Integer, U: Element + Integer>(self, v: Self::V<T>, counts: Self::V<U>) -> Self::V<T> {
        v.shl(&plain_counts::<U>(&counts))
    }

    #[cfg_attr(optimised, inline(always))]
    fn shr<T: Element + Integer, U: Element + Integer>(self, v: Self::V<T>, counts: Self::V<U>) -> Self::V<T> {
        v.shr(&plain_counts::<U>(&counts))
    }
}

/// Not inlined, like all operations of the plain level.
#[inline(never)]
fn plain_counts<U: Element + Integer>(counts: &U::Plain) -> [u32; LANES] {
    shift_counts::<Plain, U>(*counts)
}

impl Door for Plain {
    fn run<B: Block>(self, block: &B, mut blocks: Blocks, scratch: &mut Scratch) -> Result<(), Failure> {
        while let Some(at) = blocks.take() {
            scratch.reset();
            block.run(self, at, scratch)?;
        }
        Ok(())
    }
}
