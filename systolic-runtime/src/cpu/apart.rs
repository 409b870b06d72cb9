//! Loads and stores of every `step`-th element with AVX-512, and reversed lanes, by permutations of registers.
//!
//! ```text
//! load, step 3:     a . . b | . . c . | . d . .    registers of 4 lanes, here
//!                   a b . . | . . c . | . . . d    each gives some lanes
//! ```
#![allow(unsafe_code)]
// Constants and not statics: where they are used, in other crates, a compiler then knows what they hold.

/// The tables for registers of some number of lanes, by step and by register of the elements in memory.
macro_rules! tables {
    ($($module:ident: $lanes:literal lanes, $index:ident $mask:ident;)+) => {
        $(// Registers of bytes use other tables than those of words.
        #[allow(dead_code)]
        pub mod $module {
            /// The lane of a register that goes to each lane, and the lanes that get one.
            type Table = ([$index; $lanes], $mask);

            const LANES: usize = $lanes;
            const NONE: Table = ([0; $lanes], 0);

            /// The elements of a load. The last register ends with the element of the last lane.
            pub const PICKED: &[[Table; 9]; 10] = &{
                let mut tables = [[NONE; 9]; 10];
                let mut step = 2;
                while step < 10 {
                    let mut lane = 0;
                    while lane < LANES {
                        let at = lane * step;
                        let last = at / LANES >= step - 1;
                        let k = if last { step - 1 } else { at / LANES };
                        let table = &mut tables[step][k];
                        table.0[lane] = (at - base(k, step)) as $index;
                        table.1 |= 1 << lane;
                        lane += 1;
                    }
                    step += 1;
                }
                tables
            };

            /// The stored elements: the lane that goes to each of them.
            pub const SPREAD: &[[Table; 9]; 10] = &{
                let mut tables = [[NONE; 9]; 10];
                let mut step = 2;
                while step < 10 {
                    let mut at = 0;
                    while at < LANES * step {
                        let table = &mut tables[step][at / LANES];
                        if at % step == 0 {
                            table.0[at % LANES] = (at / step) as $index;
                            table.1 |= 1 << (at % LANES);
                        }
                        at += 1;
                    }
                    step += 1;
                }
                tables
            };

            /// The elements of several values that are stored in turn: the lane that goes to each, and by value the elements that
            /// it gives.
            pub const TOGETHER: &[[([$index; $lanes], [$mask; 9]); 9]; 10] = &{
                let mut tables = [[([0; $lanes], [0; 9]); 9]; 10];
                let mut step = 2;
                while step < 10 {
                    let mut at = 0;
                    while at < LANES * step {
                        let table = &mut tables[step][at / LANES];
                        table.0[at % LANES] = (at / step) as $index;
                        table.1[at % step] |= 1 << (at % LANES);
                        at += 1;
                    }
                    step += 1;
                }
                tables
            };

            /// By step, if it is odd, and by value of several that are stored in turn: the lane that goes to each place in the register
            /// that its element lies in. All lanes have different places.
            pub const MOVED: &[[[$index; $lanes]; 9]; 10] = &{
                let mut tables = [[[0; $lanes]; 9]; 10];
                let mut step = 3;
                while step < 10 {
                    let mut at = 0;
                    while at < LANES * step {
                        tables[step][at % step][at % LANES] = (at / step) as $index;
                        at += 1;
                    }
                    step += 2;
                }
                tables
            };

            /// By odd step and phase: for each lane the place of its element in the register that it lies in, and by register the
            /// places that belong to it. All lanes have different places.
            pub const PHASES: &[[([$index; $lanes], [$mask; 9]); 9]; 10] = &{
                let mut tables = [[([0; $lanes], [0; 9]); 9]; 10];
                let mut step = 3;
                while step < 10 {
                    let mut phase = 0;
                    while phase < step {
                        let mut lane = 0;
                        while lane < LANES {
                            let at = phase + lane * step;
                            tables[step][phase].0[lane] = (at % LANES) as $index;
                            tables[step][phase].1[at / LANES] |= 1 << (at % LANES);
                            lane += 1;
                        }
                        phase += 1;
                    }
                    step += 2;
                }
                tables
            };

            /// The lanes from the last to the first.
            pub const REVERSED: &[$index; $lanes] = &{
                let mut lanes = [0; $lanes];
                let mut lane = 0;
                while lane < LANES {
                    lanes[lane] = (LANES - 1 - lane) as $index;
                    lane += 1;
                }
                lanes
            };

            /// Where register `k` of a load begins.
            #[cfg_attr(optimised, inline(always))]
            pub const fn base(k: usize, step: usize) -> usize {
                if k + 1 == step { (LANES - 1) * (step - 1) } else { LANES * k }
            }
        })+
    };
}

tables! {
    longs: 8 lanes, i64 u8;
    words: 16 lanes, i32 u16;
    shorts: 32 lanes, u16 u32;
    bytes: 16 lanes, u8 u32;
}

/// Loads of every `step`-th element from the `phase`-th on, by permutations of pairs of registers. Loads of all phases need the same
/// registers, so that a compiler loads each once.
macro_rules! phases {
    ($type:ident $lanes:literal: $permute:ident $one:ident $blend:ident $mask:ident |$step:ident, $phase:ident| $positions:expr) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_phase(from: *const $type, $step: usize, $phase: usize) -> Self {
            // SAFETY: guaranteed by the caller. The instructions use only those bits of a position that tell the lane in a pair of
            // registers, or in one.
            unsafe {
                let at = $positions;
                let load = |k: usize| <Self as Register<$type>>::load(from.add($lanes * k));
                let mut all = $permute(load(0), at, load(1));
                for k in (2..$step).step_by(2) {
                    // The lanes from the first one whose element lies in these registers or later ones.
                    let lanes = (!0u64 << ($lanes * k).saturating_sub($phase).div_ceil($step)) as $mask;
                    all = if k + 1 < $step {
                        $blend(lanes, all, $permute(load(k), at, load(k + 1)))
                    } else {
                        $one(all, lanes, at, load(k))
                    };
                }
                all
            }
        }
    };
}
pub(super) use phases;

/// The methods of a register by these tables: its type of elements, a function that makes it of what the intrinsics take, and one
/// back.
macro_rules! apart {
    ($type:ident $module:ident: $permute:ident $store:ident |$new:ident| $made:expr, |$old:ident| $raw:expr) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn reverse(self) -> Self {
            let $old = self;
            // SAFETY: guaranteed by the caller.
            unsafe {
                let at = _mm512_loadu_si512(super::apart::$module::REVERSED.as_ptr().cast());
                let $new = $permute($raw, !0, at, $raw);
                $made
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_apart(from: *const $type, step: usize) -> Self {
            use super::apart::$module::{PICKED, base};
            // SAFETY: guaranteed by the caller. The last register ends with the element of the last lane.
            unsafe {
                let $old = <Self as Register<$type>>::splat(0 as $type);
                let mut all = $raw;
                for k in 0..step {
                    let (at, lanes) = &PICKED[step % 10][k % 9];
                    let $old = <Self as Register<$type>>::load(from.add(base(k, step)));
                    all = $permute(all, *lanes, _mm512_loadu_si512(at.as_ptr().cast()), $raw);
                }
                let $new = all;
                $made
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_apart(self, to: *mut $type, step: usize) {
            use super::apart::$module::SPREAD;
            let $old = self;
            // SAFETY: guaranteed by the caller; lanes outside the mask neither write nor fault.
            unsafe {
                for k in 0..step {
                    let (at, lanes) = &SPREAD[step % 10][k % 9];
                    let at = _mm512_loadu_si512(at.as_ptr().cast());
                    let to = to.wrapping_add(<Self as Register<$type>>::LANES * k);
                    $store(to.cast(), *lanes, $permute($raw, !0, at, $raw));
                }
            }
        }

        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_together<const STEP: usize>(values: [Self; STEP], to: *mut $type) {
            use super::apart::$module::{MOVED, TOGETHER};
            // SAFETY: guaranteed by the caller.
            unsafe {
                if const { STEP % 2 == 1 } {
                    // Each value is permuted once; then every register takes its elements from all of them.
                    let moved: [Self; STEP] = std::array::from_fn(|k| {
                        let at = _mm512_loadu_si512(MOVED[STEP % 10][k % 9].as_ptr().cast());
                        let $old = values[k];
                        let $new = $permute($raw, !0, at, $raw);
                        $made
                    });
                    for register in 0..STEP {
                        let (_, lanes) = &TOGETHER[STEP % 10][register % 9];
                        let mut all = moved[0];
                        for k in 1..STEP {
                            all = <Self as Register<$type>>::select(lanes[k % 9].into(), moved[k], all);
                        }
                        let to = to.wrapping_add(<Self as Register<$type>>::LANES * register);
                        <Self as Register<$type>>::store(all, to);
                    }
                    return;
                }
                for register in 0..STEP {
                    let (at, lanes) = &TOGETHER[STEP % 10][register % 9];
                    let at = _mm512_loadu_si512(at.as_ptr().cast());
                    let $old = values[0];
                    let mut all = $raw;
                    for k in 0..STEP {
                        let $old = values[k];
                        all = $permute(all, lanes[k % 9], at, $raw);
                    }
                    let $new = all;
                    let to = to.wrapping_add(<Self as Register<$type>>::LANES * register);
                    <Self as Register<$type>>::store($made, to);
                }
            }
        }
    };
}
pub(super) use apart;
