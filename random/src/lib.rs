//! Support for running compiled random kernels: reads the inputs and outputs of the evaluator back from their bits.
use systolic::ndarray::{Array, Dimension};
use systolic::{bf16, f16};

/// The data that `build` wrote for all kernels, in the order of reading.
pub struct Data<'d>(&'d [u8]);

impl<'d> Data<'d> {
    /// The data from its beginning.
    pub fn new(bytes: &'d [u8]) -> Self {
        Self(bytes)
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn word(&mut self) -> u64 {
        let (word, rest) = self.0.split_first_chunk::<8>().expect("as many words as were written");
        self.0 = rest;
        u64::from_le_bytes(*word)
    }

    /// A number: the number of runs that follow, or the value of a size.
    pub fn number(&mut self) -> usize {
        self.word() as usize
    }

    /// A scalar.
    pub fn one<T: Bits>(&mut self) -> T {
        T::of_bits(self.word())
    }

    /// A `const` parameter.
    pub fn row<T: Bits, const Q: usize>(&mut self) -> [T; Q] {
        std::array::from_fn(|_| self.one())
    }

    /// An array: its shape, then its elements.
    pub fn array<T: Bits, D: Dimension>(&mut self) -> Array<T, D> {
        let mut shape = D::default();
        shape.slice_mut().iter_mut().for_each(|n| *n = self.number());
        Array::from_shape_simple_fn(shape, || self.one())
    }
}

/// An array to store into, filled with a pattern that is not a result.
pub fn untouched<T: Bits, D: Dimension>(like: &Array<T, D>) -> Array<T, D> {
    Array::from_elem(like.raw_dim(), T::of_bits(0xa5a5_a5a5_a5a5_a5a5))
}

/// An element type that can be built from bits; those above its width are ignored.
pub trait Bits: Clone {
    /// The element with these bits.
    fn of_bits(bits: u64) -> Self;
}

macro_rules! floats {
    ($($t:ty),+) => {$(
        impl Bits for $t {
            fn of_bits(bits: u64) -> Self {
                <$t>::from_bits(bits as _)
            }
        }
    )+};
}

macro_rules! integers {
    ($($t:ty),+) => {$(
        impl Bits for $t {
            fn of_bits(bits: u64) -> Self {
                bits as $t
            }
        }
    )+};
}

floats!(f16, bf16, f32, f64);
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Bits for bool {
    fn of_bits(bits: u64) -> Self {
        bits & 1 == 1
    }
}
