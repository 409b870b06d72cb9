//! Tests accesses to every n-th element, lanes in reverse order, and blocks of few lanes.
use crate::random::Random;
use ndarray::Array1;
use systolic_runtime::emitted::Failure;
use systolic_runtime::emitted::cpu::{Block, Element, LANES, Level, Out, Scratch, Simd, Steps, Vector, launch_on};

/// Elements that a warp reaches with the largest step, and some more.
const ELEMENTS: usize = 9 * LANES + 16;

/// Loads every n-th element, and stores each to every n-th element of an output.
struct Apart<'a, T, const LIVE: usize, const COUNT: usize> {
    from: &'a [T],
    to: Out<'a, T, 1>,
    at: usize,
    step: usize,
    reversed: bool,
}

impl<T: Element, const LIVE: usize, const COUNT: usize> Block for Apart<'_, T, LIVE, COUNT> {
    const APART: bool = true;
    const LIVE: usize = LIVE;
    const LANES: usize = COUNT;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let v = simd.apart(&self.from[self.at + self.step * simd.first()..], self.step);
        for phase in 0..self.step {
            let from = &self.from[self.at + self.step * simd.first()..];
            let of_phase = simd.phase(from, self.step, phase).to_lanes();
            for l in 0..if from.len() < S::WIDTH * self.step { 0 } else { S::WIDTH } {
                let (got, expected) = (of_phase[l].value(), from[phase + l * self.step].value());
                assert!(got.same_bits(expected), "{} step {} phase {phase}, lane {l}", S::NAME, self.step);
            }
        }
        let v = if self.reversed { v.reverse().reverse() } else { v };
        let mask = simd.lanes(if COUNT < LANES { (1 << COUNT) - 1 } else { u32::MAX });
        let at = [self.at as i64];
        match self.step {
            2 => self.to.store_apart::<S, 2>(simd, at, mask, v),
            3 => self.to.store_apart::<S, 3>(simd, at, mask, v),
            4 => self.to.store_apart::<S, 4>(simd, at, mask, v),
            5 => self.to.store_apart::<S, 5>(simd, at, mask, v),
            7 => self.to.store_apart::<S, 7>(simd, at, mask, v),
            8 => self.to.store_apart::<S, 8>(simd, at, mask, v),
            _ => self.to.store_apart::<S, 9>(simd, at, mask, v),
        }
        let turned = v.reverse().to_lanes();
        let lanes = v.to_lanes();
        for l in 0..S::WIDTH {
            assert!(turned[l].value().same_bits(lanes[S::WIDTH - 1 - l].value()), "{} lane {l}", S::NAME);
        }
        Ok(())
    }
}

fn check<T: Element, const LIVE: usize, const COUNT: usize>(random: impl Fn(u64) -> T) {
    let mut numbers = Random(7);
    let from: Vec<T> = (0..ELEMENTS).map(|_| random(numbers.bits())).collect();
    for level in Level::available() {
        for (step, at) in [2, 3, 4, 5, 7, 8, 9].into_iter().flat_map(|step| [0, 1, 7].map(|at| (step, at))) {
            // The second length cuts off the last lanes.
            for length in [ELEMENTS, at + step * (COUNT - 1)] {
                let mut to = Array1::from_elem(length, T::default());
                {
                    let out = Out::new(to.view_mut());
                    let block = Apart::<T, LIVE, COUNT> { from: &from, to: out, at, step, reversed: at == 1 };
                    launch_on(level, &block, [0; 3], [0; 3]).unwrap();
                }
                for (k, got) in to.iter().enumerate() {
                    let stored = k >= at && (k - at) % step == 0 && (k - at) / step < COUNT;
                    let expected = if stored { from[k] } else { T::default() };
                    assert!(got.value().same_bits(expected.value()), "{level:?} step {step} at {at}, element {k}");
                }
            }
        }
    }
}

/// Whole warps, groups, and blocks of few lanes.
fn check_all<T: Element>(random: impl Fn(u64) -> T + Copy) {
    check::<T, 0, LANES>(random);
    check::<T, 16, LANES>(random);
    check::<T, 0, 12>(random);
    check::<T, 0, 7>(random);
    check::<T, 0, 1>(random);
}

#[test]
fn elements_apart() {
    check_all(|x| x as f32);
    check_all(|x| x as f64);
    check_all(|x| x as u8);
    check_all(|x| x as i16);
    check_all(|x| x as u16);
    check_all(|x| x);
    check_all(|x| x as i32);
    check_all(|x| x as u32);
    check_all(|x| x as i64);
    check_all(|x| x % 2 == 0);
}

/// Copies `STEP` consecutive elements per lane, in several steps and one more that overlaps the last.
struct Together<'a, T, const LIVE: usize, const STEP: usize> {
    from: &'a [T],
    to: Out<'a, T, 1>,
    count: Steps,
    more: i64,
}

impl<T: Element, const LIVE: usize, const STEP: usize> Block for Together<'_, T, LIVE, STEP> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let per_step = (LANES * STEP) as i64;
        let reach = self.to.reach::<S, STEP, STEP>(simd, [0], LANES, [[0, per_step]], self.count, self.more);
        for is_last in [false, true] {
            let line = reach.either(is_last).line(0);
            for i in 0..line.steps() {
                let lanes = if is_last { LANES as i64 * (self.count.steps - 1) + self.more } else { LANES as i64 * i };
                let values =
                    std::array::from_fn(|k| simd.apart(&self.from[(lanes as usize + simd.first()) * STEP + k..], STEP));
                line.put_together::<S, STEP>(simd, i, simd.lanes(u32::MAX), values);
            }
        }
        Ok(())
    }
}

fn together<T: Element, const LIVE: usize, const STEP: usize>(random: impl Fn(u64) -> T) {
    let mut numbers = Random(8);
    for lanes in [LANES, LANES + 1, 2 * LANES, 3 * LANES - 1] {
        // Elements beyond the end, so that a list has all elements of its lanes.
        let from: Vec<T> = (0..lanes * STEP + STEP).map(|_| random(numbers.bits())).collect();
        let (count, more) = (Steps { rows: 1, steps: (lanes / LANES) as i64 }, (lanes % LANES) as i64);
        for (level, missing) in Level::available().into_iter().flat_map(|level| [(level, 0), (level, 1)]) {
            let mut to = Array1::from_elem(lanes * STEP - missing, T::default());
            let block = Together::<T, LIVE, STEP> { from: &from, to: Out::new(to.view_mut()), count, more };
            launch_on(level, &block, [0; 3], [0; 3]).unwrap();
            let stored =
                |x: &T, k: usize| x.value().same_bits(if missing == 0 { from[k] } else { T::default() }.value());
            // Groups whose lanes all fit store even if others do not.
            let begins = if missing == 0 { 0 } else { (lanes - 1) * STEP };
            assert!(
                (begins..to.len()).all(|k| stored(&to[k], k)),
                "{level:?} {lanes} lanes of {STEP}, {missing} missing"
            );
        }
    }
}

#[test]
fn elements_together() {
    together::<f32, 0, 2>(|x| x as f32);
    together::<f32, 16, 3>(|x| x as f32);
    together::<u32, 0, 4>(|x| x as u32);
    together::<i32, 0, 8>(|x| x as i32);
    together::<f64, 16, 2>(|x| x as f64);
    together::<u8, 0, 3>(|x| x as u8);
    together::<u8, 0, 4>(|x| x as u8);
    together::<i8, 16, 2>(|x| x as i8);
    together::<u8, 0, 2>(|x| x as u8);
    together::<u8, 0, 5>(|x| x as u8);
    together::<i8, 0, 6>(|x| x as i8);
    together::<u8, 0, 9>(|x| x as u8);
    together::<u16, 0, 2>(|x| x as u16);
    together::<u16, 0, 3>(|x| x as u16);
    together::<f32, 0, 5>(|x| x as f32);
    together::<i32, 16, 7>(|x| x as i32);
    together::<f32, 0, 9>(|x| x as f32);
    together::<f64, 0, 3>(|x| x as f64);
    together::<i64, 16, 9>(|x| x as i64);
    together::<u8, 16, 7>(|x| x as u8);
    together::<i16, 0, 5>(|x| x as i16);
    together::<bool, 0, 2>(|x| x % 2 == 0);
}
