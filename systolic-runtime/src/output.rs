//! An output while it is made.
use crate::alloc::{filled, product};
use crate::error::Error;
use ndarray::{Array, Dim, Dimension, IntoDimension};

/// An output while it is made.
#[derive(Clone, Debug)]
pub struct Output<T, const N: usize> {
    lengths: [usize; N],
    values: Vec<T>,
    purpose: &'static str,
}

impl<T: Copy + Default, const N: usize> Output<T, N> {
    /// Zeros.
    pub fn new(lengths: [usize; N], purpose: &'static str) -> Result<Output<T, N>, Error> {
        let elements = product(lengths.iter().map(|n| *n as u128));
        Ok(Output { lengths, values: filled(elements, purpose)?, purpose })
    }

    /// Stores an element. Every index lies inside.
    pub fn store(&mut self, index: [i64; N], value: T) {
        let mut cell: usize = 0;
        for (i, length) in index.iter().zip(&self.lengths) {
            match usize::try_from(*i) {
                // Below the number of values, which fits.
                Ok(i) if i < *length => cell = cell * length + i,
                _ => return,
            }
        }
        if let Some(place) = self.values.get_mut(cell) {
            *place = value;
        }
    }

    /// The array.
    pub fn finish(self) -> Result<Array<T, Dim<[usize; N]>>, Error>
    where
        Dim<[usize; N]>: Dimension,
        [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
    {
        let Output { lengths, values, purpose } = self;
        // An array without elements may still have lengths whose product ndarray does not hold.
        Array::from_shape_vec(lengths.into_dimension(), values).map_err(|_| Error::Memory {
            purpose,
            elements: product(lengths.iter().filter(|n| **n != 0).map(|n| *n as u128)),
            bytes: std::mem::size_of::<T>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn stores_stand_where_they_were_put() {
        let mut output = Output::new([2, 2], "a test").unwrap();
        output.store([0, 1], 5);
        output.store([1, 0], 7);
        output.store([2, 0], 9);
        output.store([0, -1], 9);
        assert_eq!(output.finish().unwrap(), array![[0, 5], [7, 0]]);
    }

    #[test]
    fn empty_and_impossible_shapes() {
        assert_eq!(Output::<f32, 2>::new([0, 3], "a test").unwrap().finish().unwrap().shape(), [0, 3]);
        assert!(Output::<f32, 2>::new([usize::MAX, 2], "a test").is_err());
        assert!(Output::<f32, 3>::new([0, usize::MAX, 2], "a test").unwrap().finish().is_err());
    }
}
