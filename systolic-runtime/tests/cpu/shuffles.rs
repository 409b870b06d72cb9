//! Tests shuffles and rotations of lanes.
use crate::random::Random;
use systolic_arith::{bf16, f16};
use systolic_runtime::emitted::Failure;
use systolic_runtime::emitted::cpu::{Block, Element, LANES, Level, Scratch, Simd, Vector, launch_on};

struct Shuffles<T, const LIVE: usize>(std::marker::PhantomData<fn() -> T>);

fn check<T: Element, S: Simd, const N: i32>(simd: S, lanes: &[T; LANES]) {
    let group = &lanes[simd.first()..][..S::WIDTH];
    let got = simd.load(lanes).shuffle::<N>().to_lanes();
    for (l, got) in got[..S::WIDTH].iter().enumerate() {
        let from = usize::try_from(l as i32 - N).ok().and_then(|from| group.get(from));
        assert!(got.bits() == from.copied().unwrap_or_default().bits(), "{} by {N} at {}, lane {l}", T::TYPE, S::NAME);
    }
}

/// Checks a rotation of the first BELOW − AROUND lanes.
fn check_rotate<T: Element, S: Simd, const BELOW: i32, const AROUND: i32>(simd: S, lanes: &[T; LANES]) {
    let all = (BELOW - AROUND) as usize;
    let got = simd.load(lanes).rotate::<BELOW, AROUND>().to_lanes();
    for (l, got) in got[..all].iter().enumerate() {
        let from = lanes[(l + all - BELOW as usize) % all];
        assert!(got.bits() == from.bits(), "{} of {all} by {BELOW} at {}, lane {l}", T::TYPE, S::NAME);
    }
}

macro_rules! all {
    ($simd:ident $lanes:ident: $($n:literal)+) => {
        check::<T, S, 0>($simd, &$lanes);
        $(check::<T, S, $n>($simd, &$lanes);
        check::<T, S, { -$n }>($simd, &$lanes);)+
    };
}

impl<T: Element, const LIVE: usize> Block for Shuffles<T, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let lanes = Random(7).lanes::<T>();
        // Constant conditions, so that the whole warp is compiled only once, for `LIVE` 0. Kernels never shuffle in groups, but
        // the operation is defined there.
        if const { S::WIDTH < LANES } {
            all!(simd lanes: 1 7 8 9 16 32);
        } else if const { LIVE == 0 } {
            all!(simd lanes: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
            check_rotate::<T, S, 0, -32>(simd, &lanes);
            check_rotate::<T, S, 1, -31>(simd, &lanes);
            check_rotate::<T, S, 30, -2>(simd, &lanes);
            check_rotate::<T, S, 3, -25>(simd, &lanes);
            check_rotate::<T, S, 0, -7>(simd, &lanes);
        }
        Ok(())
    }
}

macro_rules! types {
    ($($type:ident)+) => {
        $(for level in Level::available() {
            launch_on(level, &Shuffles::<$type, 0>(std::marker::PhantomData), [0; 3], [0; 3]).unwrap();
            // Unoptimised builds have no groups.
            #[cfg(optimised)]
            {
                launch_on(level, &Shuffles::<$type, 5>(std::marker::PhantomData), [0; 3], [0; 3]).unwrap();
                launch_on(level, &Shuffles::<$type, 16>(std::marker::PhantomData), [0; 3], [0; 3]).unwrap();
            }
        })+
    };
}

#[test]
fn lanes_move_by_every_distance() {
    types!(f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);
}
