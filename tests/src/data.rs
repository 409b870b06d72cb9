//! Deterministic data: the same seed gives the same bits on every machine.

use systolic::ndarray::{Array, IntoDimension};
use systolic::{bf16, f16};

/// A stream of random bits (splitmix64).
pub struct Data(u64);

impl Data {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// One element.
    pub fn one<T: Sample>(&mut self) -> T {
        T::sample(self)
    }

    /// An array of a shape.
    pub fn array<T: Sample, S: IntoDimension>(&mut self, shape: S) -> Array<T, S::Dim> {
        Array::from_shape_simple_fn(shape.into_dimension(), || T::sample(self))
    }

    /// An array of letters from an alphabet so small that many are equal.
    pub fn letters<S: IntoDimension>(&mut self, shape: S) -> Array<u8, S::Dim> {
        Array::from_shape_simple_fn(shape.into_dimension(), || b"ACGT"[self.below(4)])
    }

    /// A row for a `const` parameter.
    pub fn row<T: Sample, const Q: usize>(&mut self) -> [T; Q] {
        std::array::from_fn(|_| T::sample(self))
    }

    /// A table for a `const` parameter.
    pub fn table<T: Sample, const P: usize, const Q: usize>(&mut self) -> [[T; Q]; P] {
        std::array::from_fn(|_| self.row())
    }

    /// A cube for a `const` parameter.
    pub fn cube<T: Sample, const O: usize, const P: usize, const Q: usize>(&mut self) -> [[[T; Q]; P]; O] {
        std::array::from_fn(|_| self.table())
    }
}

/// An element type that can be made of random bits.
pub trait Sample {
    /// One element: an integer of any bits, or a float in (−1, 1) whose products and sums have to be rounded.
    fn sample(data: &mut Data) -> Self;
}

macro_rules! integers {
    ($($t:ty),+) => {$(
        impl Sample for $t {
            fn sample(data: &mut Data) -> Self {
                data.bits() as $t
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Sample for bool {
    fn sample(data: &mut Data) -> Self {
        data.bits() & 1 == 1
    }
}

impl Sample for f64 {
    fn sample(data: &mut Data) -> Self {
        (data.bits() as i64 >> 10) as f64 / (1i64 << 53) as f64
    }
}

impl Sample for f32 {
    fn sample(data: &mut Data) -> Self {
        (data.bits() as i64 >> 39) as f32 / (1i64 << 24) as f32
    }
}

impl Sample for f16 {
    fn sample(data: &mut Data) -> Self {
        f16::from_f32(data.one())
    }
}

impl Sample for bf16 {
    fn sample(data: &mut Data) -> Self {
        bf16::from_f32(data.one())
    }
}
