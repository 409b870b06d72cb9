//! Tests loads, stores, indices and scratch rows against naive implementations.
use crate::random::Random;
use std::sync::Mutex;
use systolic_arith::{CastTo, Scalar};
use systolic_runtime::Error;
use systolic_runtime::emitted::Failure;
use systolic_runtime::emitted::cpu::{
    ALL, Block, Each, Element, In, LANES, Level, Mask, Offsets, Out, Scratch, Simd, Vector, index, launch_on, small,
};
use systolic_runtime::emitted::{Border, Input, Output};
use systolic_runtime::ndarray::{ArrayD, Axis, Dim, Dimension, NdIndex, Slice};

const ROUNDS: u64 = if cfg!(debug_assertions) { 400 } else { 4000 };

fn offsets(random: &mut Random, last: bool) -> &'static Offsets {
    let first = random.between(-40, 40);
    let offsets = match random.below(if last { 6 } else { 3 }) {
        0 => Offsets::line(first, random.one_of(&[0, 1, -1, 2])),
        1 => Offsets::new(std::array::from_fn(|_| random.between(-3, 60))),
        2 if last => Offsets::line(first, random.between(0, 9)),
        3 | 4 => Offsets::line(first, 1),
        _ => Offsets::line(random.between(-2, 2), 0),
    };
    Box::leak(Box::new(offsets))
}

/// An index: mostly near the array, sometimes at the limits of 64 bits.
fn place(random: &mut Random, length: usize) -> i64 {
    match random.below(24) {
        0 => random.one_of(&[i64::MIN, i64::MAX, i64::MIN + 1, 1 << 62, -(1 << 62)]),
        _ => random.between(-40, length as i64 + 8),
    }
}

fn shape<const N: usize>(random: &mut Random) -> [usize; N] {
    std::array::from_fn(|k| {
        random.below(if k == N - 1 { 400 } else { 6 }) as usize * usize::from(random.below(20) != 0)
    })
}

/// An array that is contiguous, transposed, strided or reversed.
fn array<T: Scalar>(random: &mut Random, shape: &[usize]) -> ArrayD<T> {
    let mut wide: Vec<usize> = shape.to_vec();
    let kind = random.below(4);
    if kind == 1 {
        wide.iter_mut().for_each(|n| *n *= 2);
    }
    let mut array = ArrayD::from_shape_simple_fn(wide, || random.value());
    match kind {
        1 => {
            for (k, length) in shape.iter().enumerate() {
                array.slice_axis_inplace(Axis(k), Slice::new(0, Some(*length as isize * 2), 2));
            }
        }
        2 => (0..shape.len()).for_each(|k| array.invert_axis(Axis(k))),
        3 if shape.len() > 1 => {
            let mut turned = shape.to_vec();
            turned.reverse();
            array = ArrayD::from_shape_simple_fn(turned, || random.value()).reversed_axes();
        }
        _ => {}
    }
    array
}

/// Runs in groups of the width that `LIVE` live values lead to.
struct Loads<'a, T, const N: usize, const LIVE: usize> {
    input: &'a In<'a, T, N>,
    at: [i64; N],
    lanes: [&'static Offsets; N],
    got: Mutex<[T; LANES]>,
}

impl<T: Element, const N: usize, const LIVE: usize> Block for Loads<'_, T, N, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        self.input.prefetch(simd, self.at, self.lanes);
        let got = self.input.load(simd, self.at, self.lanes).to_lanes();
        if let Some(first) = row(self.at, self.lanes) {
            let row = match self.lanes[N - 1].step {
                Some(0) => self.input.load_same(simd, first),
                _ => self.input.load_row(simd, first),
            };
            let row = row.to_lanes();
            let same = |l: &usize| row[*l].value().same_bits(got[*l].value());
            assert!((0..S::WIDTH).all(|l| same(&l)), "{} at {first:?}: {row:?}, not {got:?}", S::NAME);
        }
        self.got.lock().unwrap()[simd.first()..][..S::WIDTH].copy_from_slice(&got[..S::WIDTH]);
        Ok(())
    }
}

fn load<T: Element, const N: usize, const LIVE: usize>(
    level: Level,
    input: &In<'_, T, N>,
    at: [i64; N],
    lanes: [&'static Offsets; N],
) -> [T; LANES] {
    let block = Loads::<T, N, LIVE> { input, at, lanes, got: Mutex::new([T::default(); LANES]) };
    launch_on(level, &block, [0; 3], [0; 3]).unwrap();
    block.got.into_inner().unwrap()
}

fn loads<T: Element, const N: usize>(seed: u64)
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: NdIndex<Dim<[usize; N]>>,
{
    let random = &mut Random(seed);
    for _ in 0..ROUNDS {
        let shape = shape::<N>(random);
        let x = array::<T>(random, &shape).into_dimensionality::<Dim<[usize; N]>>().unwrap();
        let border = match random.below(6) {
            0 => Border::Clamp,
            1 => Border::Wrap,
            2 => Border::Reflect,
            3 => Border::Symmetric,
            4 => Border::Constant(T::default()),
            _ => Border::Constant(random.value()),
        };
        let naive = Input::new(x.view(), border);
        let at: [i64; N] = std::array::from_fn(|k| place(random, shape[k]));
        let lanes: [&Offsets; N] = std::array::from_fn(|k| offsets(random, k == N - 1));
        for level in Level::available() {
            let input = In::new(x.view(), border).unwrap();
            let by_groups = [load::<T, N, 0>, load::<T, N, 5>, load::<T, N, 16>].map(|f| f(level, &input, at, lanes));
            for (l, got) in by_groups.iter().flat_map(|got| got.iter().enumerate()) {
                // An index beyond 64 bits has no defined result; the load must only not crash.
                let Some(index) = exact(at, lanes, l) else { continue };
                let expected = naive.read(index);
                assert!(
                    got.value().same_bits(expected.value()),
                    "{level:?} {shape:?} {border:?} at {at:?}, lane {l} {index:?}: {got:?}, not {expected:?}; {lanes:?}"
                );
            }
        }
    }
}

/// The index of lane 0, if the lanes read consecutive elements of a row or all the same one, and all indices fit in 64 bits.
fn row<const N: usize>(at: [i64; N], lanes: [&Offsets; N]) -> Option<[i64; N]> {
    let along = matches!(lanes[N - 1].step, Some(0 | 1)) && lanes[..N - 1].iter().all(|axis| axis.step == Some(0));
    exact(at, lanes, LANES - 1).filter(|_| along)?;
    exact(at, lanes, 0)
}

fn exact<const N: usize>(at: [i64; N], lanes: [&Offsets; N], l: usize) -> Option<[i64; N]> {
    let mut index = [0; N];
    for k in 0..N {
        index[k] = at[k].checked_add(lanes[k].table[l])?;
    }
    Some(index)
}

/// Runs in groups of the width that `LIVE` live values lead to.
struct Stores<'a, T, const N: usize, const LIVE: usize> {
    output: Out<'a, T, N>,
    at: [i64; N],
    lanes: [&'static Offsets; N],
    mask: Mask,
    values: [T; LANES],
}

impl<T: Element, const N: usize, const LIVE: usize> Block for Stores<'_, T, N, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        self.output.store(simd, self.at, self.lanes, simd.lanes(self.mask), simd.load(&self.values));
        Ok(())
    }
}

fn store<T: Element, const N: usize, const LIVE: usize>(
    level: Level,
    output: Out<T, N>,
    at: [i64; N],
    lanes: [&'static Offsets; N],
    mask: Mask,
    values: [T; LANES],
) {
    let block = Stores::<T, N, LIVE> { output, at, lanes, mask, values };
    launch_on(level, &block, [0; 3], [0; 3]).unwrap();
}

fn stores<T: Element, const N: usize>(seed: u64)
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: NdIndex<Dim<[usize; N]>>,
{
    let random = &mut Random(seed);
    for _ in 0..ROUNDS {
        let shape = shape::<N>(random);
        let mut z = array::<T>(random, &shape).into_dimensionality::<Dim<[usize; N]>>().unwrap();
        let at: [i64; N] = std::array::from_fn(|k| place(random, shape[k]));
        let lanes: [&Offsets; N] = std::array::from_fn(|k| offsets(random, k == N - 1));
        let values = random.lanes::<T>();
        // The laws guarantee that every lane stores its own element, so lanes that share one are masked out.
        let mut mask = if random.below(2) == 0 { ALL } else { random.bits() as Mask };
        let mut seen = Vec::new();
        for l in 0..LANES {
            match exact(at, lanes, l) {
                Some(index) if !seen.contains(&index) => seen.push(index),
                _ => mask &= !(1 << l),
            }
        }
        let before = z.clone();
        let mut expected = before.clone();
        for l in (0..LANES).filter(|l| (mask >> l) & 1 == 1) {
            let inside = exact(at, lanes, l).map(|index| index.map(|i| usize::try_from(i).unwrap_or(usize::MAX)));
            if let Some(element) = inside.and_then(|index| expected.get_mut(index)) {
                *element = values[l];
            }
        }
        for level in Level::available() {
            for store in [store::<T, N, 0>, store::<T, N, 5>, store::<T, N, 16>] {
                z.assign(&before);
                store(level, Out::new(z.view_mut()), at, lanes, mask, values);
                let same = z.iter().zip(&expected).all(|(a, b)| a.bits() == b.bits());
                assert!(same, "{level:?} {shape:?} at {at:?} {mask:x} {lanes:?}");
            }
        }
    }
}

#[test]
fn loads_are_the_naive_ones() {
    loads::<f32, 1>(1);
    loads::<f32, 2>(2);
    loads::<i32, 3>(3);
    loads::<f64, 2>(4);
    loads::<u8, 2>(5);
    loads::<bool, 1>(6);
    loads::<i64, 1>(7);
}

/// Rows of an array without a border, upwards and downwards from `at`, in groups of the width that `LIVE` live values lead to.
struct RowLoads<'a, T, const LIVE: usize> {
    input: In<'a, T, 2>,
    at: [i64; 2],
    got: Mutex<[[T; LANES]; 2]>,
}

impl<T: Element, const LIVE: usize> Block for RowLoads<'_, T, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let rows = [self.input.row_inner(simd, self.at), self.input.row_down(simd, self.at)].map(|row| row.to_lanes());
        for (to, from) in self.got.lock().unwrap().iter_mut().zip(rows) {
            to[simd.first()..][..S::WIDTH].copy_from_slice(&from[..S::WIDTH]);
        }
        Ok(())
    }
}

fn rows<T: Element, const LIVE: usize>(seed: u64) {
    let random = &mut Random(seed);
    for _ in 0..ROUNDS {
        // Short rows, so that often only a part of a vector lies inside the array.
        let shape: [usize; 2] = [random.below(6) as usize, random.below(50) as usize];
        let x = array::<T>(random, &shape).into_dimensionality::<Dim<[usize; 2]>>().unwrap();
        let at: [i64; 2] = std::array::from_fn(|k| place(random, shape[k]));
        for level in Level::available() {
            let (input, got) = (In::unbordered(x.view()).unwrap(), Mutex::new([[T::default(); LANES]; 2]));
            let block = RowLoads::<T, LIVE> { input, at, got };
            launch_on(level, &block, [0; 3], [0; 3]).unwrap();
            for (got, step) in block.got.into_inner().unwrap().iter().zip([1, -1]) {
                for (l, got) in got.iter().enumerate() {
                    // Outside the array any value is right; the load must only not crash.
                    let column = at[1].saturating_add(step * l as i64);
                    let index = [at[0], column].map(|i| usize::try_from(i).unwrap_or(usize::MAX));
                    let Some(expected) = x.get(index) else { continue };
                    assert!(
                        got.value().same_bits(expected.value()),
                        "{level:?} {shape:?} at {at:?}, lane {l} by {step}"
                    );
                }
            }
        }
    }
}

#[test]
fn rows_without_a_border_have_every_element_inside() {
    rows::<f32, 0>(1);
    rows::<f32, 16>(2);
    rows::<i32, 5>(3);
    rows::<u32, 0>(4);
    rows::<f64, 0>(5);
    rows::<f64, 16>(6);
    rows::<i64, 5>(7);
    rows::<u8, 0>(8);
    rows::<i16, 16>(9);
    rows::<bool, 0>(10);
}

#[test]
fn stores_are_the_naive_ones() {
    stores::<f32, 1>(1);
    stores::<f32, 2>(2);
    stores::<i32, 3>(3);
    stores::<f64, 2>(4);
    stores::<u8, 2>(5);
    stores::<bool, 1>(6);
    stores::<u64, 1>(7);
}

struct Others<const LIVE: usize>;

impl<const LIVE: usize> Block for Others<LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], scratch: &Scratch) -> Result<(), Failure> {
        let group = simd.first()..simd.first() + S::WIDTH;
        let lanes = Offsets::line(-3, 5);
        for at in [0, 17, -9, i64::MAX] {
            let expected = lanes.table.map(|offset| at.wrapping_add(offset));
            assert_eq!(index(simd, at, &lanes).to_lanes()[..S::WIDTH], expected[group.clone()]);
            assert_eq!(Each::of(at, &lanes).values(simd).to_lanes()[..S::WIDTH], expected[group.clone()]);
        }
        let square: [i16; 36] = std::array::from_fn(|k| k as i16 + 1);
        let mixed = Offsets::new(std::array::from_fn(|l| l as i64 % 7 - 1));
        for across in [Offsets::line(2, 0), Offsets::line(-4, 1), mixed] {
            let got = small(simd, &square, [6, 6], [3, 1], [&Offsets::line(0, 0), &across]).to_lanes();
            for (l, got) in group.clone().zip(got) {
                let column = 1 + across.table[l];
                let expected = if (0..6).contains(&column) { square[18 + column as usize] } else { 0 };
                assert_eq!(got, expected, "lane {l} of {across:?}");
            }
        }
        let rows = scratch.rows::<f32>(3)?;
        let value: [f32; LANES] = std::array::from_fn(|l| l as f32);
        let same = |got: S::V<f32>, expected: &[f32]| assert_eq!(got.to_lanes()[..S::WIDTH], *expected);
        rows.put(simd, 2, simd.load(&value));
        rows.put(simd, 3, simd.load(&value));
        same(rows.get(simd, 2), &value[group.clone()]);
        same(rows.get(simd, 1), &[0.0; LANES][group.clone()]);
        same(rows.get(simd, -1), &[0.0; LANES][group.clone()]);
        assert_eq!((rows.lane(2, 7), rows.lane(2, 32), rows.lane(9, 0)), (value[group.start + 7], 0.0, 0.0));
        let refused = scratch.rows::<f64>(usize::MAX).map(drop).map_err(|failure| *failure);
        assert!(matches!(refused, Err(Error::OutOfMemory { .. })));
        Ok(())
    }
}

#[test]
fn indices_and_rows() {
    for level in Level::available() {
        launch_on(level, &Others::<0>, [0; 3], [0; 3]).unwrap();
        launch_on(level, &Others::<5>, [0; 3], [0; 3]).unwrap();
        launch_on(level, &Others::<16>, [0; 3], [0; 3]).unwrap();
    }
}

/// Many blocks write their own strips concurrently, in groups of the width that `LIVE` live values lead to.
struct Fill<'a, T, const LIVE: usize>(Out<'a, T, 2>);

impl<T: Element, const LIVE: usize> Block for Fill<'_, T, LIVE>
where
    i64: CastTo<T>,
{
    const APART: bool = true;
    const LIVE: usize = LIVE;

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, [_, row, strip]: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        const SAME: &Offsets = &Offsets::line(0, 0);
        const NEXT: &Offsets = &Offsets::line(0, 1);
        let v = simd.cast::<i64, T>(index(simd, 1000 * row + 32 * strip, NEXT));
        self.0.store(simd, [row, 32 * strip], [SAME, NEXT], ALL, v);
        Ok(())
    }
}

/// In optimised builds some outputs are so large that whole cache lines are written by non-temporal stores. Of those, some have
/// rows that begin on cache lines.
fn fill<T: Element, const LIVE: usize>()
where
    i64: CastTo<T>,
{
    for (level, lengths) in Level::available().into_iter().flat_map(|level| {
        let bytes = if cfg!(optimised) { 5 << 20 } else { 5 << 14 };
        let large = bytes / (2048 * std::mem::size_of::<T>());
        [[100, 777], [large, 2048], [2 * large, 1029]].map(|lengths| (level, lengths))
    }) {
        let mut z = Output::<T, 2>::new(lengths, "a test").unwrap().finish().unwrap();
        let last = [0, lengths[0] as i64 - 1, (lengths[1] as i64 - 1) / 32];
        launch_on(level, &Fill::<T, LIVE>(Out::new(z.view_mut())), [0; 3], last).unwrap();
        let expected = |r: usize, c: usize| CastTo::<T>::cast((1000 * r + c) as i64).bits();
        assert!(z.indexed_iter().all(|((r, c), x)| x.bits() == expected(r, c)), "{level:?} {} {lengths:?}", T::TYPE);
    }
}

#[test]
fn blocks_share_an_output() {
    fill::<f32, 0>();
    fill::<f32, 5>();
    fill::<f32, 16>();
    fill::<f64, 0>();
    fill::<f64, 16>();
    fill::<u32, 0>();
    fill::<i64, 0>();
    fill::<i64, 16>();
    fill::<u8, 0>();
}
