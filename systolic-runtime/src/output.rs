//! An output while it is made.
use crate::alloc::product;
use crate::cpu;
use crate::error::Error;
use ndarray::{Array, Array1, Dim, Dimension, IntoDimension, s};
use systolic_arith::Scalar;

/// The bytes of a cache line, on which an output begins.
const LINE: usize = 64;

/// An output while it is made.
#[derive(Clone, Debug)]
pub struct Output<T, const N: usize> {
    lengths: [usize; N],
    // A line more than the elements, so that one of them begins a line: the first.
    values: Vec<T>,
    first: usize,
    purpose: &'static str,
}

impl<T: Scalar, const N: usize> Output<T, N> {
    /// Zeros.
    pub fn new(lengths: [usize; N], purpose: &'static str) -> Result<Output<T, N>, Error> {
        let elements = product(lengths.iter().map(|n| *n as u128));
        let (bytes, count) = (std::mem::size_of::<T>(), usize::try_from(elements));
        let values = count.ok().and_then(|count| cpu::zeros::<T>(count.checked_add(LINE / bytes)?));
        let values = values.ok_or(Error::Memory { purpose, elements, bytes })?;
        // A count of elements, and fewer than a line has.
        let first = values.as_ptr().align_offset(LINE) % (LINE / bytes);
        Ok(Output { lengths, values, first, purpose })
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
        if let Some(place) = self.values.get_mut(self.first + cell) {
            *place = value;
        }
    }

    /// [`store`](Output::store) as a call: bodies with many of them are compiled sooner.
    #[inline(never)]
    pub fn store_called(&mut self, index: [i64; N], value: T) {
        self.store(index, value);
    }

    /// The array, in standard layout; its first element begins a cache line.
    pub fn finish(self) -> Result<Array<T, Dim<[usize; N]>>, Error>
    where
        Dim<[usize; N]>: Dimension,
        [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
    {
        let Output { lengths, values, first, purpose } = self;
        let elements = values.len() - LINE / std::mem::size_of::<T>();
        let values = Array1::from_vec(values).slice_move(s![first..first + elements]);
        // An array without elements may still have lengths whose product ndarray does not hold.
        values.into_shape_with_order(lengths.into_dimension()).map_err(|_| Error::Memory {
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
    fn arrays_begin_on_cache_lines_in_standard_layout() {
        // What is allocated between moves the next one.
        let mut others = Vec::new();
        for n in 1..50 {
            let mut output = Output::<u16, 2>::new([n, 3], "a test").unwrap();
            output.store([n as i64 - 1, 2], 9);
            let array = output.finish().unwrap();
            assert_eq!(array.as_ptr().addr() % LINE, 0);
            assert!(array.is_standard_layout());
            assert_eq!((array.len(), array[[n - 1, 2]], array.sum()), (3 * n, 9, 9));
            others.push((vec![0u8; n], array));
        }
    }

    #[test]
    fn empty_and_impossible_shapes() {
        assert_eq!(Output::<f32, 2>::new([0, 3], "a test").unwrap().finish().unwrap().shape(), [0, 3]);
        assert!(Output::<f32, 2>::new([usize::MAX, 2], "a test").is_err());
        assert!(Output::<f32, 3>::new([0, usize::MAX, 2], "a test").unwrap().finish().is_err());
    }
}
