//! Windows and walks against loads and stores one by one.
use crate::random::Random;
use systolic_runtime::Error;
use systolic_runtime::emitted::cpu::{
    ALL, Block, Element, Fetched, In, LANES, Level, Mask, Offsets, Out, Pending, Room, Simd, Vector, launch_on, within,
};
use systolic_runtime::emitted::{Border, Output};
use systolic_runtime::ndarray::{Array, ArrayViewMut, Dim, Dimension, IntoDimension, NdIndex};

const ROUNDS: u64 = if cfg!(debug_assertions) { 60 } else { 600 };

/// Elements of a window, for any step between lanes.
const LONGEST: usize = 31 * 8 + 1 + 40;

/// Reads and stores step by step in both ways, by groups as narrow as `LIVE` values ask for.
struct Steps<'a, T, const N: usize, const LIVE: usize> {
    input: In<'a, T, N>,
    walked: Out<'a, T, N>,
    stored: Out<'a, T, N>,
    from: [i64; N],
    reads: [&'static Offsets; N],
    to: [i64; N],
    stores: [&'static Offsets; N],
    masks: Vec<Mask>,
    /// After this step the walk leaves elements out.
    jump: usize,
}

fn on<const N: usize>(mut at: [i64; N], by: i64) -> [i64; N] {
    at[N - 1] = at[N - 1].wrapping_add(by);
    at
}

fn bits<T: Element, S: Simd>(v: S::V<T>) -> [u64; LANES] {
    v.to_lanes().map(|x| x.bits())
}

impl<T: Element, const N: usize, const LIVE: usize> Block for Steps<'_, T, N, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, _: [i64; 3]) -> Result<(), Error> {
        let (mut fetched, mut pending) = (Fetched::new(), Pending::new());
        for (k, mask) in self.masks.iter().enumerate() {
            let by = k as i64 + if k > self.jump { 3 } else { 0 };
            let (from, to) = (on(self.from, by), on(self.to, by));
            let expected = self.input.load(simd, from, self.reads);
            let got = self.input.walk(simd, from, self.reads, &mut fetched);
            assert_eq!(bits::<T, S>(got), bits::<T, S>(expected), "{} step {k} from {from:?}", S::NAME);
            self.stored.store(simd, to, self.stores, simd.lanes(*mask), expected);
            self.walked.walk(simd, to, self.stores, simd.lanes(*mask), expected, &mut pending);
        }
        self.walked.finish(simd, self.stores, &mut pending);
        let still = self.reads[..N - 1].iter().all(|axis| axis.step == Some(0));
        if still && matches!(self.reads[N - 1].step, Some(0..=8)) {
            let mut room = Room::<T, LONGEST>::new();
            let window = self.input.window(simd, self.from, self.reads, &mut room);
            for k in 0..40 {
                let expected = self.input.load(simd, on(self.from, k), self.reads);
                let got = within(simd, window, k, self.reads[N - 1]);
                assert_eq!(bits::<T, S>(got), bits::<T, S>(expected), "{} {k} behind {:?}", S::NAME, self.from);
            }
        }
        Ok(())
    }
}

fn leak(offsets: Offsets) -> &'static Offsets {
    Box::leak(Box::new(offsets))
}

/// What lanes add where they read.
fn reads<const N: usize>(random: &mut Random) -> [&'static Offsets; N] {
    let along = random.below(2) == 0;
    std::array::from_fn(|k| {
        leak(match (k == N - 1, along, random.below(3)) {
            (true, true, _) => Offsets::line(random.between(-5, 5), random.between(0, 8)),
            (false, true, _) => Offsets::line(random.between(-1, 1), 0),
            (_, _, 0) => Offsets::new(std::array::from_fn(|_| random.between(-3, 60))),
            (_, _, _) => Offsets::line(random.between(-5, 30), random.between(-2, 2)),
        })
    })
}

/// What lanes add where they store: every lane has a row or a part of a row of its own.
fn stores<const N: usize>(random: &mut Random) -> [&'static Offsets; N] {
    std::array::from_fn(|k| {
        leak(match (N, k) {
            (1, _) => Offsets::line(random.between(0, 3), random.between(60, 70)),
            (_, 0) if random.below(4) == 0 => Offsets::new(std::array::from_fn(|l| (l as i64 * 7) % 32)),
            (_, 0) if random.below(3) == 0 => Offsets::line(31, -1),
            (_, 0) => Offsets::line(0, random.between(1, 2)),
            _ => Offsets::line(random.between(-2, 2), random.between(0, 1)),
        })
    })
}

fn run<T: Element, const N: usize, const LIVE: usize>(random: &mut Random, level: Level, shape: [usize; N])
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: NdIndex<Dim<[usize; N]>> + IntoDimension<Dim = Dim<[usize; N]>>,
{
    let make = |random: &mut Random| Array::from_shape_simple_fn(shape, || random.value::<T>());
    let (x, mut walked) = (make(random), make(random));
    let mut stored = walked.clone();
    let border = match random.below(3) {
        0 => Border::Clamp,
        1 => Border::Reflect,
        _ => Border::Constant(random.value()),
    };
    let all = random.below(2) == 0;
    let steps = random.between(1, 55);
    let masks = (0..steps).map(|_| if all { ALL } else { random.bits() as Mask }).collect();
    let place = |random: &mut Random| std::array::from_fn(|k| random.between(-20, shape[k] as i64 / 2));
    fn view<T, const N: usize>(z: &mut Array<T, Dim<[usize; N]>>) -> ArrayViewMut<'_, T, Dim<[usize; N]>>
    where
        Dim<[usize; N]>: Dimension,
    {
        z.view_mut()
    }
    let block = Steps::<T, N, LIVE> {
        input: In::new(x.view(), border).unwrap(),
        walked: Out::new(view(&mut walked)),
        stored: Out::new(view(&mut stored)),
        from: place(random),
        reads: reads(random),
        to: place(random),
        stores: stores(random),
        masks,
        jump: random.between(0, 60) as usize,
    };
    launch_on(level, &block, [0; 3], [0; 3]).unwrap();
    assert!(walked.iter().zip(&stored).all(|(a, b)| a.bits() == b.bits()), "{level:?} {shape:?}");
}

fn check<T: Element, const N: usize>(seed: u64)
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: NdIndex<Dim<[usize; N]>> + IntoDimension<Dim = Dim<[usize; N]>>,
{
    let random = &mut Random(seed);
    for _ in 0..ROUNDS {
        let shape = std::array::from_fn(|k| random.between(1, if k == N - 1 { 2400 / N as i64 } else { 70 }) as usize);
        for level in Level::available() {
            run::<T, N, 0>(random, level, shape);
            run::<T, N, 16>(random, level, shape);
        }
    }
}

#[test]
fn steps_are_those_one_by_one() {
    check::<f32, 1>(1);
    check::<f32, 2>(2);
    check::<f64, 2>(3);
    check::<u8, 2>(4);
}

/// A copy, a lane a row.
struct Copies<'a>(In<'a, f32, 2>, Out<'a, f32, 2>, i64);

impl Block for Copies<'_> {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, [_, _, strip]: [i64; 3]) -> Result<(), Error> {
        const LANE: &Offsets = &Offsets::line(0, 1);
        const SAME: &Offsets = &Offsets::line(0, 0);
        let (mut fetched, mut pending) = (Fetched::new(), Pending::new());
        for c in 0..self.2 {
            let v = self.0.walk(simd, [32 * strip, c], [LANE, SAME], &mut fetched);
            self.1.walk(simd, [32 * strip, c], [LANE, SAME], ALL, v, &mut pending);
        }
        self.1.finish(simd, [LANE, SAME], &mut pending);
        Ok(())
    }
}

/// So large that whole lines are written past the caches, where optimised; with rows on lines and off them.
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
