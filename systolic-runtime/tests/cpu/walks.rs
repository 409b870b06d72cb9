//! Tests windows and walks against single loads and stores.
use crate::random::Random;
use systolic_runtime::emitted::Failure;
use systolic_runtime::emitted::cpu::{
    ALL, Block, Element, Fetched, In, LANES, Level, Mask, Offsets, Out, Pending, Room, Scratch, Simd, Vector,
    launch_on, within,
};
use systolic_runtime::emitted::{Border, Output};
use systolic_runtime::ndarray::{Array, Array2};

const ROUNDS: u64 = if cfg!(debug_assertions) { 30 } else { 300 };

/// Stands for lanes without a constant step.
const MIXED: i64 = 99;

/// The offsets of lanes. They are constants, so that only the needed case of a load is compiled.
const fn offsets(step: i64) -> Offsets {
    if step != MIXED {
        return Offsets::line(0, step);
    }
    let (mut table, mut l) = ([0; LANES], 0);
    while l < LANES {
        table[l] = (l as i64 * 7) % 32;
        l += 1;
    }
    Offsets::new(table)
}

/// Reads and stores step by step in both ways, in groups of the width that `LIVE` live values lead to. Consecutive lanes are
/// `ROWS` rows and `COLUMNS` columns apart.
struct Steps<'a, T, const ROWS: i64, const COLUMNS: i64, const LIVE: usize> {
    input: In<'a, T, 2>,
    walked: Out<'a, T, 2>,
    stored: Out<'a, T, 2>,
    from: [i64; 2],
    to: [i64; 2],
    masks: Vec<Mask>,
    /// After this step the walk skips elements.
    jump: usize,
}

fn bits<T: Element>(lanes: [T; LANES]) -> [u64; LANES] {
    lanes.map(|x| x.bits())
}

impl<T: Element, const ROWS: i64, const COLUMNS: i64, const LIVE: usize> Block for Steps<'_, T, ROWS, COLUMNS, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let lanes = [const { &offsets(ROWS) }, const { &offsets(COLUMNS) }];
        let (mut fetched, mut few, mut pending) = (Fetched::new(), Fetched::new(), Pending::new());
        let mut room = Room::<T, { 31 * 8 + 1 + 60 }>::new();
        let window = self.input.window(simd, self.from, lanes, &mut room);
        for (k, mask) in self.masks.iter().enumerate() {
            let by = k as i64 + if k > self.jump { 3 } else { 0 };
            let (from, to) = ([self.from[0], self.from[1] + by], [self.to[0], self.to[1] + by]);
            let expected = self.input.load(simd, from, lanes);
            let got = self.input.walk::<S, 0>(simd, from, lanes, &mut fetched);
            assert_eq!(bits(got.to_lanes()), bits(expected.to_lanes()), "{} step {k} from {from:?}", S::NAME);
            let got = self.input.walk::<S, 5>(simd, from, lanes, &mut few);
            assert_eq!(bits(got.to_lanes()), bits(expected.to_lanes()), "{} few, {k} from {from:?}", S::NAME);
            if ROWS == 0 && COLUMNS <= 8 {
                let got = within(simd, window, by, lanes[1]);
                assert_eq!(bits(got.to_lanes()), bits(expected.to_lanes()), "{} window {k} from {from:?}", S::NAME);
                // Lanes would store to the same elements, which no map does.
                continue;
            }
            self.stored.store(simd, to, lanes, simd.lanes(*mask), expected);
            if COLUMNS % 2 == 0 {
                self.walked.walk::<S, 0>(simd, to, lanes, simd.lanes(*mask), expected, &mut pending);
            } else {
                self.walked.walk::<S, 4>(simd, to, lanes, simd.lanes(*mask), expected, &mut pending);
            }
        }
        self.walked.finish(simd, lanes, &mut pending);
        // The same steps backwards, with other values.
        let mut fetched = Fetched::new();
        for (k, mask) in self.masks.iter().enumerate().rev() {
            let by = k as i64 + if k > self.jump { 3 } else { 0 };
            let (from, to) = ([self.from[0], self.from[1] + by + 1], [self.to[0], self.to[1] + by]);
            let expected = self.input.load(simd, from, lanes);
            let got = self.input.walk_down(simd, from, lanes, &mut fetched);
            assert_eq!(bits(got.to_lanes()), bits(expected.to_lanes()), "{} down, {k} from {from:?}", S::NAME);
            if ROWS != 0 || COLUMNS > 8 {
                self.stored.store(simd, to, lanes, simd.lanes(*mask), expected);
                self.walked.walk_down(simd, to, lanes, simd.lanes(*mask), expected, &mut pending);
            }
        }
        self.walked.finish(simd, lanes, &mut pending);
        Ok(())
    }
}

fn run<T: Element, const ROWS: i64, const COLUMNS: i64, const LIVE: usize>(random: &mut Random, level: Level) {
    let most = if COLUMNS > 8 { [3, 4000] } else { [70, 400] };
    let shape = most.map(|n| random.between(1, n) as usize);
    let make = |random: &mut Random| -> Array2<T> { Array::from_shape_simple_fn(shape, || random.value()) };
    let (x, mut walked) = (make(random), make(random));
    let mut stored = walked.clone();
    let border = match random.below(5) {
        0 => Border::Clamp,
        1 => Border::Reflect,
        2 => Border::Wrap,
        3 => Border::Symmetric,
        _ => Border::Constant(random.value()),
    };
    let all = random.below(2) == 0;
    let steps = random.between(1, 55);
    let masks = (0..steps).map(|_| if all { ALL } else { random.bits() as Mask }).collect();
    let place = |random: &mut Random| shape.map(|n| random.between(-20, n as i64 / 2));
    let block = Steps::<T, ROWS, COLUMNS, LIVE> {
        input: In::new(x.view(), border).unwrap(),
        walked: Out::new(walked.view_mut()),
        stored: Out::new(stored.view_mut()),
        from: place(random),
        to: place(random),
        masks,
        jump: random.between(0, 60) as usize,
    };
    launch_on(level, &block, [0; 3], [0; 3]).unwrap();
    assert!(walked.iter().zip(&stored).all(|(a, b)| a.bits() == b.bits()), "{level:?} {shape:?} {ROWS} {COLUMNS}");
}

#[test]
fn steps_are_those_one_by_one() {
    let random = &mut Random(1);
    for level in Level::available() {
        for _ in 0..ROUNDS {
            run::<f32, 1, 0, 0>(random, level);
            run::<f32, 1, 0, 16>(random, level);
            run::<f32, -2, 1, 0>(random, level);
            run::<f32, MIXED, 0, 0>(random, level);
            run::<f64, 1, 1, 0>(random, level);
            run::<u8, 0, 70, 0>(random, level);
        }
    }
}

#[test]
fn windows_are_loads() {
    let random = &mut Random(2);
    for level in Level::available() {
        for _ in 0..ROUNDS {
            run::<f32, 0, 0, 0>(random, level);
            run::<f32, 0, 1, 0>(random, level);
            run::<f32, 0, 1, 16>(random, level);
            run::<u8, 0, 3, 0>(random, level);
            run::<f64, 0, 8, 16>(random, level);
        }
    }
}

/// Copies an array, one row per lane.
struct Copies<'a>(In<'a, f32, 2>, Out<'a, f32, 2>, i64);

impl Block for Copies<'_> {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, [_, _, strip]: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        const LANE: &Offsets = &Offsets::line(0, 1);
        const SAME: &Offsets = &Offsets::line(0, 0);
        let (mut fetched, mut pending) = (Fetched::new(), Pending::new());
        for c in 0..self.2 {
            let v = self.0.walk::<S, 0>(simd, [32 * strip, c], [LANE, SAME], &mut fetched);
            self.1.walk::<S, 0>(simd, [32 * strip, c], [LANE, SAME], ALL, v, &mut pending);
        }
        self.1.finish(simd, [LANE, SAME], &mut pending);
        Ok(())
    }
}

/// In optimised builds the outputs are so large that whole cache lines are written by non-temporal stores. Some have rows that
/// begin on cache lines, others do not.
#[test]
fn large_outputs() {
    for (level, columns) in Level::available().into_iter().flat_map(|l| [(l, 16384), (l, 16389)]) {
        let columns = if cfg!(optimised) { columns } else { columns / 64 };
        let x = Array::from_shape_fn((70, columns), |(r, c)| (r * columns + c) as f32);
        let mut z = Output::<f32, 2>::new([70, columns], "a test").unwrap().finish().unwrap();
        let block = Copies(In::new(x.view(), Border::Clamp).unwrap(), Out::new(z.view_mut()), columns as i64);
        launch_on(level, &block, [0; 3], [0, 0, 2]).unwrap();
        assert!(x == z, "{level:?} {columns}");
    }
}
