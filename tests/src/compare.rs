//! Comparison bit by bit; NaNs count as equal.

use std::fmt::Debug;

use systolic::ndarray::{Array, Dimension};
use systolic::{bf16, f16};

/// An element whose bits can be compared.
pub trait Element: Copy + Debug {
    /// Whether two elements have the same bits, or are both NaN.
    fn same(self, other: Self) -> bool;
}

macro_rules! exact {
    ($($t:ty),+) => {$(
        impl Element for $t {
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )+};
}

macro_rules! floats {
    ($($t:ty),+) => {$(
        impl Element for $t {
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )+};
}

/// A scalar output.
macro_rules! scalars {
    ($($t:ty),+) => {$(
        impl Same for $t {
            fn difference(&self, wanted: &Self) -> Option<String> {
                (!self.same(*wanted)).then(|| format!("{self:?}, wanted {wanted:?}"))
            }

            fn elements(&self) -> usize {
                1
            }
        }
    )+};
}

scalars!(i32, u32, f32, f64);
exact!(i8, i16, i32, i64, u8, u16, u32, u64, bool);
floats!(f16, bf16, f32, f64);

/// A result of a kernel: an array, a scalar, or a tuple of them.
pub trait Same {
    /// Describes the first difference, if there is one.
    fn difference(&self, wanted: &Self) -> Option<String>;
    /// The number of elements of the largest array.
    fn elements(&self) -> usize;
}

impl<T: Element, D: Dimension> Same for Array<T, D> {
    fn difference(&self, wanted: &Self) -> Option<String> {
        if self.shape() != wanted.shape() {
            return Some(format!("shape {:?}, wanted {:?}", self.shape(), wanted.shape()));
        }
        let (at, got, want) = self
            .indexed_iter()
            .zip(wanted)
            .map(|((at, &got), &want)| (at, got, want))
            .find(|&(_, got, want)| !got.same(want))?;
        Some(format!("{got:?} at {at:?} of {:?}, wanted {want:?}", self.shape()))
    }

    fn elements(&self) -> usize {
        self.len()
    }
}

macro_rules! tuples {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Same),+> Same for ($($name,)+) {
            fn difference(&self, wanted: &Self) -> Option<String> {
                $(if let Some(difference) = self.$index.difference(&wanted.$index) {
                    return Some(format!("output {}: {difference}", $index));
                })+
                None
            }

            fn elements(&self) -> usize {
                [$(self.$index.elements()),+].into_iter().max().unwrap_or_default()
            }
        }
    };
}

tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

/// Panics if a result is not bit-identical to the expected one.
#[track_caller]
pub fn assert_same<T: Same>(call: &str, got: &T, wanted: &T) {
    if let Some(difference) = got.difference(wanted) {
        panic!("{call}: {difference}");
    }
}
