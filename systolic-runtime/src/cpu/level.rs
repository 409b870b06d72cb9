//! The feature levels: a token each, which exists only where the CPU has the level.
#![allow(unsafe_code)]
use super::launch::Blocks;
use super::vector::{Element, Vector};
use super::{Block, LANES, Mask};
use crate::error::Error;
use std::sync::OnceLock;
use systolic_arith::{CastTo, Integer};

/// A feature level, from the slowest to the fastest. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Any CPU.
    Plain,
    /// NEON.
    Neon,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Level {
    /// The level of this name; the names are those of `SYSTOLIC_CPU`.
    fn parse(name: &str) -> Option<Level> {
        let levels = [(Level::Plain, "plain"), (Level::Neon, "neon"), (Level::Avx2, "avx2"), (Level::Avx512, "avx512")];
        levels.into_iter().find(|(_, known)| *known == name).map(|(level, _)| level)
    }

    /// The levels that this CPU has, the slowest first.
    pub fn available() -> Vec<Level> {
        let mut levels = vec![Level::Plain];
        #[cfg(target_arch = "aarch64")]
        levels.extend(Neon::new().map(|_| Level::Neon));
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx2::new().map(|_| Level::Avx2));
            levels.extend(Avx512::new().map(|_| Level::Avx512));
        }
        levels
    }
}

/// The best level of this CPU, asked once. `SYSTOLIC_CPU=plain`, `avx2` or `avx512` in the environment lowers it.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let best = Level::available().pop().unwrap_or(Level::Plain);
        let asked = std::env::var("SYSTOLIC_CPU").ok().and_then(|name| Level::parse(&name));
        asked.map_or(best, |asked| asked.min(best))
    })
}

/// A feature level's token. That there is one says that the CPU has the level.
pub trait Simd: Copy + Send + Sync + 'static {
    /// 32 lanes of `T`.
    type V<T: Element>: Vector<T>;

    /// The name.
    const NAME: &'static str;

    /// The same value in every lane.
    fn splat<T: Element>(self, x: T) -> Self::V<T>;

    /// These lanes.
    fn load<T: Element>(self, lanes: &[T; LANES]) -> Self::V<T>;

    /// Runs blocks one after the other, compiled for this level.
    #[doc(hidden)]
    fn run<B: Block>(self, block: &B, blocks: Blocks) -> Result<(), Error>;

    /// Zero in every lane.
    #[cfg_attr(optimised, inline(always))]
    fn zero<T: Element>(self) -> Self::V<T> {
        self.splat(T::default())
    }

    /// `v as U`.
    #[cfg_attr(optimised, inline(always))]
    fn cast<T: Element + CastTo<U>, U: Element>(self, v: Self::V<T>) -> Self::V<U> {
        let from = v.to_lanes();
        let mut to = [U::default(); LANES];
        for l in 0..LANES {
            to[l] = from[l].cast();
        }
        self.load(&to)
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

    /// The lanes in the mask as `true`.
    #[cfg_attr(optimised, inline(always))]
    fn bools(self, mask: Mask) -> Self::V<bool> {
        Self::V::<bool>::select(mask, self.splat(true), self.splat(false))
    }

    /// The lanes that are `true`.
    #[cfg_attr(optimised, inline(always))]
    fn mask(self, v: Self::V<bool>) -> Mask {
        v.eq(self.splat(true))
    }
}

#[cfg_attr(optimised, inline(always))]
fn shift_counts<S: Simd, U: Element + Integer>(counts: S::V<U>) -> [u32; LANES] {
    let from = counts.to_lanes();
    let mut to = [0; LANES];
    for l in 0..LANES {
        to[l] = from[l].shift_count();
    }
    to
}

/// One level: its token, the features the CPU is asked for, and the door through which blocks run with them.
macro_rules! level {
    ($(#[$doc:meta])* $name:ident, $text:literal, $detected:ident: $first:tt $($feature:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// The token, where the CPU has the level.
            pub fn new() -> Option<Self> {
                let has = std::arch::$detected!($first) $(&& std::arch::$detected!($feature))*;
                has.then_some($name(()))
            }
        }

        impl Simd for $name {
            type V<T: Element> = T::$name;

            const NAME: &'static str = $text;

            #[cfg_attr(optimised, inline(always))]
            fn splat<T: Element>(self, x: T) -> Self::V<T> {
                // SAFETY: the token exists, so the CPU has the level.
                unsafe { <T::$name as Vector<T>>::splat(x) }
            }

            #[cfg_attr(optimised, inline(always))]
            fn load<T: Element>(self, lanes: &[T; LANES]) -> Self::V<T> {
                // SAFETY: the token exists, so the CPU has the level.
                unsafe { <T::$name as Vector<T>>::load(lanes) }
            }

            fn run<B: Block>(self, block: &B, blocks: Blocks) -> Result<(), Error> {
                #[target_feature(enable = $first)]
                $(#[target_feature(enable = $feature)])*
                fn with<B: Block>(simd: $name, block: &B, mut blocks: Blocks) -> Result<(), Error> {
                    while let Some(at) = blocks.take() {
                        block.run(simd, at)?;
                    }
                    Ok(())
                }
                // SAFETY: the token exists, so the CPU has these features.
                unsafe { with(self, block, blocks) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
level! {
    /// AVX-512.
    Avx512, "avx512", is_x86_feature_detected: "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "fma"
}
#[cfg(target_arch = "x86_64")]
level! {
    /// AVX2 and FMA.
    Avx2, "avx2", is_x86_feature_detected: "avx2" "fma"
}
#[cfg(target_arch = "aarch64")]
level! {
    /// NEON.
    Neon, "neon", is_aarch64_feature_detected: "neon"
}

/// Any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Simd for Plain {
    type V<T: Element> = T::Plain;

    const NAME: &'static str = "plain";

    #[cfg_attr(optimised, inline(always))]
    fn splat<T: Element>(self, x: T) -> Self::V<T> {
        // SAFETY: lists need nothing of the CPU.
        unsafe { <T::Plain as Vector<T>>::splat(x) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn load<T: Element>(self, lanes: &[T; LANES]) -> Self::V<T> {
        // SAFETY: lists need nothing of the CPU.
        unsafe { <T::Plain as Vector<T>>::load(lanes) }
    }

    fn run<B: Block>(self, block: &B, mut blocks: Blocks) -> Result<(), Error> {
        while let Some(at) = blocks.take() {
            block.run(self, at)?;
        }
        Ok(())
    }
}
