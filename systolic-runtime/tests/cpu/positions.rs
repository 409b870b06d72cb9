//! Tests look-ups at positions of each lane's own, and loads of lanes that are any distance apart.
use crate::random::Random;
use ndarray::ArrayView2;
use systolic_arith::CastTo;
use systolic_runtime::emitted::cpu::{
    Block, Element, In, LANES, Level, Offsets, Scratch, Simd, Vector, launch_on, lookup,
};
use systolic_runtime::emitted::{Border, Failure};

const ROWS: i64 = 40;
const COLUMNS: i64 = 50;

/// Reads elements at positions of each lane's own, and elements that are far apart in an array of two axes.
struct Positions<'a, T, I, const LIVE: usize> {
    all: &'a [T],
    values: &'a [T],
    index: [I; LANES],
    array: In<'a, T, 2>,
    at: [i64; 2],
    lanes: [&'a Offsets; 2],
}

impl<T: Element, I: Element + CastTo<i16> + CastTo<i32> + CastTo<i64>, const LIVE: usize> Block
    for Positions<'_, T, I, LIVE>
{
    const APART: bool = true;
    const LIVE: usize = LIVE;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let index = simd.take(&self.index[simd.first()..]);
        let length = self.values.len() as i64;
        let border = Border::Constant(T::default());
        let got = lookup::<S, T, I, 1, 0, 0>(simd, self.values, [length], border, [index]).to_lanes();
        let far = self.array.load_far(simd, self.at, self.lanes, simd.lanes(u32::MAX)).to_lanes();
        for l in 0..S::WIDTH {
            let lane = simd.first() + l;
            let i: i64 = self.index[lane].cast();
            let expected = usize::try_from(i).ok().and_then(|i| self.values.get(i).copied()).unwrap_or_default();
            assert!(got[l].value().same_bits(expected.value()), "{} lane {lane}: index {i} of {length}", S::NAME);
            let [row, column] = [0, 1].map(|k| self.at[k] + self.lanes[k].table[lane]);
            let inside = (0..ROWS).contains(&row) && (0..COLUMNS).contains(&column);
            let expected = if inside { self.all[(row * COLUMNS + column) as usize] } else { T::default() };
            assert!(far[l].value().same_bits(expected.value()), "{} lane {lane}: [{row}, {column}]", S::NAME);
        }
        Ok(())
    }
}

fn check<T: Element, I: Element + CastTo<i16> + CastTo<i32> + CastTo<i64>, const LIVE: usize>()
where
    i64: CastTo<I>,
{
    let mut random = Random(11);
    let all: Vec<T> = (0..ROWS * COLUMNS).map(|_| random.value()).collect();
    let array = ArrayView2::from_shape((ROWS as usize, COLUMNS as usize), &all).unwrap();
    for round in 0..200 {
        let length = random.one_of(&[1, 2, 3, 4, 5, 24, 100, all.len()]);
        // All inside, or some outside.
        let index: [I; LANES] = std::array::from_fn(|_| {
            let i = random.below(length as u64) as i64 + if round % 2 == 0 { 0 } else { random.between(-3, 3) };
            let index: I = i.cast();
            // A narrow type does not hold every position.
            if CastTo::<i64>::cast(index) == i { index } else { 0i64.cast() }
        });
        let steps = [random.between(-1, 1), random.between(-2, 2)];
        let offsets = steps.map(|step| Offsets::line(random.between(-2, 2), step));
        let at = [random.between(-2, ROWS), random.between(-2, COLUMNS)];
        for level in Level::available() {
            let block = Positions::<T, I, LIVE> {
                all: &all,
                values: &all[..length],
                index,
                array: In::new(array, Border::Constant(T::default())).unwrap(),
                at,
                lanes: [&offsets[0], &offsets[1]],
            };
            launch_on(level, &block, [0; 3], [0; 3]).unwrap();
        }
    }
}

#[test]
fn elements_of_each_lane() {
    check::<f32, i32, 0>();
    check::<f32, u8, 16>();
    check::<f64, u8, 0>();
    check::<i32, u16, 0>();
    check::<i64, i64, 16>();
    check::<u8, u8, 0>();
    check::<i8, i8, 16>();
    check::<i16, u8, 0>();
    check::<u16, u32, 0>();
    check::<bool, u8, 0>();
}

/// Looks up elements of a table with `COUNT` elements per row.
struct Tables<'a, T, const COUNT: usize> {
    all: &'a [T],
    index: [u8; LANES],
    wide: [i16; LANES],
    row: i16,
}

impl<T: Element, const COUNT: usize> Block for Tables<'_, T, COUNT> {
    const APART: bool = true;
    const LIVE: usize = 9;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        let (all, border) = (self.all, Border::Constant(T::default()));
        let (length, rows) = (COUNT as i64, (all.len() / COUNT) as i64);
        let (index, wide) = (simd.take(&self.index[simd.first()..]), simd.take(&self.wide[simd.first()..]));
        let alone = lookup::<S, T, u8, 1, 0, COUNT>(simd, &all[..COUNT], [length], border, [index]).to_lanes();
        let of_row = [simd.splat(self.row), wide];
        let of_row = lookup::<S, T, i16, 2, 1, COUNT>(simd, all, [rows, length], border, of_row).to_lanes();
        for l in 0..S::WIDTH {
            let lane = simd.first() + l;
            let (i, row) = (i64::from(self.wide[lane]), i64::from(self.row));
            let inside = (0..length).contains(&i) && (0..rows).contains(&row);
            let here = if inside { all[(row * length + i) as usize] } else { T::default() };
            let first = all[..COUNT].get(usize::from(self.index[lane])).copied().unwrap_or_default();
            for (got, expected) in [(alone[l], first), (of_row[l], here)] {
                let same = got.value().same_bits(expected.value());
                assert!(same, "{} lane {lane}: [{row}, {i}] of {rows} rows of {length}", S::NAME);
            }
        }
        Ok(())
    }
}

fn check_tables<T: Element, const COUNT: usize>() {
    let mut random = Random(5);
    let all: Vec<T> = (0..3 * COUNT).map(|_| random.value()).collect();
    for round in 0..100 {
        // All inside, or some outside.
        let more = if round % 2 == 0 { 0 } else { 3 };
        let any = |random: &mut Random| random.between(-more, COUNT as i64 - 1 + more);
        let block = Tables::<T, COUNT> {
            all: &all,
            index: std::array::from_fn(|_| any(&mut random).clamp(0, 255) as u8),
            wide: std::array::from_fn(|_| any(&mut random) as i16),
            row: random.between(-more.min(1), 2 + more.min(1)) as i16,
        };
        for level in Level::available() {
            launch_on(level, &block, [0; 3], [0; 3]).unwrap();
        }
    }
}

#[test]
fn elements_of_tables() {
    check_tables::<i16, 24>();
    check_tables::<i16, 64>();
    check_tables::<u16, 65>();
    check_tables::<i16, 576>();
    check_tables::<u16, 1000>();
    check_tables::<i8, 64>();
    check_tables::<u8, 577>();
    check_tables::<u8, 2047>();
    check_tables::<f32, 5>();
    check_tables::<i32, 33>();
    check_tables::<u32, 200>();
    check_tables::<i32, 300>();
    check_tables::<f64, 24>();
    check_tables::<bool, 24>();
}
