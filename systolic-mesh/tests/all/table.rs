//! A table of kernels, each run in parts and compared with the bits of one device. The tests run it on threads, and under MPI.
// Every test uses a part of it.
#![allow(dead_code)]

use super::kernels as k;
use systolic::ndarray::{Array, Axis, Dimension, IntoDimension, NdIndex, ShapeBuilder, Slice};
use systolic::{Cpu, Element, Rank, bf16, f16};
use systolic_mesh::{DistributedArray, Error, Mesh};

/// One kernel of the table.
pub struct Case {
    pub name: &'static str,
    /// How many leading axes a mesh can cut.
    pub dims: usize,
    /// Runs the kernel on sizes that follow from these, and compares this rank's part.
    pub run: fn(&Mesh, [usize; 3]) -> Result<(), Error>,
}

/// What is compared with the result of one device.
pub trait Same<W> {
    /// An error unless this rank's part has the bits of the whole.
    fn same(&self, whole: &W) -> Result<(), Error>;
}

impl<T: Element, D: Rank> Same<Array<T, D>> for DistributedArray<T, D> {
    fn same(&self, whole: &Array<T, D>) -> Result<(), Error> {
        let wrong = |why: String| Error::Array { why };
        if self.shape() != whole.shape() {
            return Err(wrong(format!("the shape {:?} is not {:?}", self.shape(), whole.shape())));
        }
        let ranges = self.ranges();
        let expected = whole.slice_each_axis(|axis| {
            let Axis(k) = axis.axis;
            Slice::from(ranges[k].clone())
        });
        match self.part().indexed_iter().zip(&expected).find(|((_, a), b)| a.bits() != b.bits()) {
            Some(((index, a), b)) => Err(wrong(format!("at {index:?} of {ranges:?}: {a:?} is not {b:?}"))),
            None => Ok(()),
        }
    }
}

impl<A: Same<V>, B: Same<W>, V, W> Same<(V, W)> for (A, B) {
    fn same(&self, whole: &(V, W)) -> Result<(), Error> {
        self.0.same(&whole.0)?;
        self.1.same(&whole.1)
    }
}

impl<A: Same<U>, B: Same<V>, C: Same<W>, U, V, W> Same<(U, V, W)> for (A, B, C) {
    fn same(&self, whole: &(U, V, W)) -> Result<(), Error> {
        self.0.same(&whole.0)?;
        self.1.same(&whole.1)?;
        self.2.same(&whole.2)
    }
}

/// The parts of an array that every rank has computed.
pub fn spread<T: Element, D: Rank>(mesh: &Mesh, whole: &Array<T, D>) -> Result<DistributedArray<T, D>, Error>
where
    D::Pattern: NdIndex<D>,
{
    DistributedArray::from_fn(mesh, whole.raw_dim(), |index: D::Pattern| whole[index])
}

/// Different numbers in no order, made from their position.
fn number(at: usize) -> u64 {
    let mut x = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 32
}

fn made<T, I, D>(shape: I, of: impl Fn(u64) -> T) -> Array<T, D>
where
    I: IntoDimension<Dim = D>,
    D: Dimension,
{
    let dim = shape.into_dimension();
    let values = (0..dim.size()).map(|at| of(number(at))).collect();
    Array::from_shape_vec(dim.into_shape_with_order(), values).expect("as many as the shape says")
}

/// Floats of both signs, with few trailing zeros, so that every order of a sum has other bits.
pub fn floats<I: IntoDimension>(shape: I) -> Array<f32, I::Dim> {
    made(shape, |n| (n % 20011) as f32 / 7.0 - 1000.0)
}

fn doubles<I: IntoDimension>(shape: I) -> Array<f64, I::Dim> {
    made(shape, |n| (n % 20011) as f64 / 7.0 - 1000.0)
}

pub fn ints<I: IntoDimension>(shape: I) -> Array<i32, I::Dim> {
    made(shape, |n| (n % 2001) as i32 - 1000)
}

fn bytes<I: IntoDimension>(shape: I, below: u64) -> Array<u8, I::Dim> {
    made(shape, |n| (n % below) as u8)
}

macro_rules! taken {
    (value $x:ident) => {
        $x
    };
    ($how:ident $x:ident) => {
        &$x
    };
}

macro_rules! spread_or_whole {
    (split $mesh:ident $x:ident) => {
        &spread($mesh, &$x)?
    };
    (whole $mesh:ident $x:ident) => {
        &$x
    };
    (value $mesh:ident $x:ident) => {
        $x
    };
}

/// `(name, axes, kernel, |sizes| (argument: how it is given = value) …)`
macro_rules! cases {
    ($(($name:literal, $dims:literal, $kernel:ty, |$a:tt, $b:tt, $c:tt| $(($x:ident: $how:ident = $value:expr))*))*) => {
        /// All cases.
        pub fn cases() -> Vec<Case> {
            vec![$(Case {
                name: $name,
                dims: $dims,
                run: |mesh, [$a, $b, $c]| {
                    $(let $x = $value;)*
                    let whole = <$kernel>::run(&Cpu, $(taken!($how $x)),*)?;
                    <$kernel>::run_on(mesh, &Cpu, $(spread_or_whole!($how mesh $x)),*)?.same(&whole)
                },
            }),*]
        }
    };
}

cases! {
    ("zero", 2, k::zero2, |r, c, _| (x: split = floats((r, c))))
    ("clamp", 2, k::clamp2, |r, c, _| (x: split = floats((r, c))))
    ("clamp of a whole array", 2, k::clamp2, |r, c, _| (x: whole = floats((r, c))))
    ("reflect", 2, k::reflect2, |r, c, _| (x: split = floats((r, c))))
    ("symmetric", 2, k::symmetric2, |r, c, _| (x: split = floats((r, c))))
    ("wrap", 2, k::wrap2, |r, c, _| (x: split = floats((r, c))))
    ("wrap of a whole array", 2, k::wrap2, |r, c, _| (x: whole = floats((r, c))))
    ("constant", 2, k::constant2, |r, c, _| (x: split = floats((r, c))))
    ("constant that is given", 2, k::given2, |r, c, _| (x: split = doubles((r, c))) (v: value = -3.5))
    ("reflect, far outside", 1, k::far_reflect, |n, _, _| (x: split = ints(n)))
    ("symmetric, far outside", 1, k::far_symmetric, |n, _, _| (x: split = ints(n)))
    ("wrap, far outside", 1, k::far_wrap, |n, _, _| (x: split = ints(n)))
    ("clamp, far outside", 1, k::far_clamp, |n, _, _| (x: split = ints(n)))
    ("zero, far outside", 1, k::far_zero, |n, _, _| (x: split = ints(n)))
    ("on one side", 1, k::before, |n, _, _| (x: split = ints(n).mapv(i64::from)))
    ("two fused steps", 1, k::smooth::<2>, |n, _, _| (x: split = ints(n)))
    ("four fused steps", 1, k::smooth::<4>, |n, _, _| (x: split = ints(n)))
    ("two fused steps around", 1, k::smooth_around::<2>, |n, _, _| (x: split = floats(n)))
    ("three fused steps around", 1, k::smooth_around::<3>, |n, _, _| (x: split = floats(n)))
    ("three fused steps in 2-D", 2, k::jacobi::<3>, |r, c, _| (x: split = floats((r, c))))
    ("systolic convolution", 1, k::conv1d::<5>, |n, _, _|
        (x: split = floats(n + 4)) (w: whole = [0.1, 0.7, -0.3, 0.9, 1.1]))
    ("convolution", 2, k::conv2d::<3, 4>, |r, c, _|
        (x: split = floats((r + 2, c + 3))) (w: whole = [[0.1, 0.2, -0.3, 0.7], [1.5, 0.6, 0.7, 0.1], [0.9, -1.0, 1.1, 3.0]]))
    ("pairs", 1, k::pairs, |n, _, _| (both: split = ints(2 * n)) (first: split = ints(n)))
    ("pairs with a whole array", 1, k::pairs, |n, _, _| (both: split = ints(2 * n)) (first: whole = ints(n)))
    ("shrink", 2, k::shrink, |r, c, _| (x: split = floats((3 * r, 2 * c))))
    ("stretch", 1, k::stretch, |n, _, _| (x: split = ints(n)))
    ("differences", 1, k::differences, |n, _, _| (x: split = ints(n + 1)))
    ("guards at the ends", 1, k::edges, |n, _, _| (x: split = ints(n)) (z: split = ints(n)))
    ("remainders", 2, k::chequered, |r, c, _| (x: split = floats((r, c))))
    ("scan of rows", 1, k::scan_rows, |r, c, _| (x: split = floats((r, c))))
    ("sums of rows", 1, k::row_sums, |r, c, _| (x: split = doubles((r, c))) (w: whole = doubles(c)))
    ("sums of rows, all distributed", 1, k::row_sums, |r, c, _| (x: split = doubles((r, c))) (w: split = doubles(c)))
    ("product", 2, k::product, |i, j, n| (a: whole = floats((i, n))) (b: whole = floats((n, j))))
    ("product of distributed matrices", 2, k::product, |i, j, n| (a: split = floats((i, n))) (b: split = floats((n, j))))
    ("bias", 2, k::bias, |r, c, _| (x: split = floats((r, c))) (row: whole = floats(c)) (column: whole = floats(r)))
    ("table", 2, k::recolour, |r, c, _| (x: split = bytes((r, c), 6)) (t: whole = [3, 1, 4, 1]))
    ("indices that are values", 1, k::lookup, |n, m, _|
        (x: whole = floats(m)) (at: split = made(n, |x| (x % 30) as i64 - 10)))
    ("lengths", 1, k::items, |b, n, _|
        (x: split = ints((b, n))) (l: split = made(b, |x| (x % (n as u64 + 1)) as u32)))
    ("alignments", 1, k::align, |b, n, m| (x: split = bytes((b, n), 4)) (y: split = bytes((b, m), 4)))
    ("clamp in 3-D", 3, k::clamp3, |d, r, c| (x: split = floats((d, r, c))))
    ("wrap in 3-D", 3, k::wrap3, |d, r, c| (x: split = floats((d, r, c))))
    ("zero in 3-D", 3, k::zero3, |d, r, c| (x: split = ints((d, r, c)).mapv(i64::from)))
    ("symmetric in 3-D", 3, k::symmetric3, |d, r, c| (x: split = doubles((d, r, c))))
    ("wrap and reflect", 1, k::both_borders, |n, _, _| (x: split = floats(n)) (z: split = floats(n)))
    ("two types", 1, k::mixed, |n, _, _| (x: split = floats(n)) (z: split = ints(n).mapv(|x| x as i16)))
    ("chain", 1, k::chain, |n, _, _| (x: split = ints(n + 6)))
    ("f16", 2, k::halves::<f16>, |r, c, _|
        (x: split = floats((r, c)).mapv(f16::from_f32)) (a: value = f16::from_f32(0.3)))
    ("bf16", 2, k::halves::<bf16>, |r, c, _|
        (x: split = floats((r, c)).mapv(bf16::from_f32)) (a: value = bf16::from_f32(0.3)))
    ("median", 2, k::median, |r, c, _| (x: split = bytes((r, c), 256)))
    ("guards and a border", 2, k::sides, |r, c, _| (x: split = floats((r, c))))
}

/// Sizes with at least six rows along every axis: parts of one row, of several, and of different numbers of rows.
pub const SIZES: [[usize; 3]; 4] = [[6, 6, 6], [7, 13, 9], [19, 8, 6], [40, 33, 7]];

/// All meshes of up to three dimensions with this many ranks.
pub fn meshes(ranks: usize) -> Vec<Vec<usize>> {
    let divisors: Vec<usize> = (1..=ranks).filter(|k| ranks.is_multiple_of(*k)).collect();
    let mut meshes = vec![vec![ranks]];
    for a in &divisors {
        meshes.push(vec![*a, ranks / a]);
        let rest = ranks / a;
        meshes.extend(divisors.iter().filter(|b| rest.is_multiple_of(**b)).map(|b| vec![*a, *b, rest / b]));
    }
    meshes
}

/// Runs the whole table on a mesh, and returns how many runs there were. An error names the case.
pub fn run_all(mesh: &Mesh) -> Result<usize, String> {
    let mut runs = 0;
    for case in cases().iter().filter(|case| case.dims >= mesh.shape().len()) {
        for sizes in SIZES {
            let told = |error: Error| format!("{} at {sizes:?} on {mesh:?}: {error}", case.name);
            (case.run)(mesh, sizes).map_err(told)?;
            runs += 1;
        }
    }
    Ok(runs)
}
