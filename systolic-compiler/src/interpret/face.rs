//! A face while a program runs: global memory that blocks leave values in for other blocks and later launches.
use super::{Trap, bound, count};
use crate::model::{Int, Value};
use crate::program;

pub struct Face {
    lengths: Vec<usize>,
    /// `None` is poison.
    values: Vec<Option<Value>>,
}

impl Face {
    pub fn new(face: &program::Face, sizes: &[Int]) -> Result<Face, Trap> {
        let lengths = face.dims.iter().map(|dim| count(Int::from(bound(dim, sizes, &[])?.max(0))));
        let lengths = lengths.collect::<Result<Vec<usize>, Trap>>()?;
        let cells = lengths.iter().try_fold(1usize, |cells, n| cells.checked_mul(*n)).ok_or(Trap::TooLarge)?;
        Ok(Face { lengths, values: vec![None; cells] })
    }

    fn cell(&self, index: &[i64]) -> Result<usize, Trap> {
        let mut cell = 0;
        for (i, n) in index.iter().zip(&self.lengths) {
            match usize::try_from(*i) {
                Ok(i) if i < *n => cell = cell * n + i,
                _ => return Err(Trap::Malformed("an access outside a face")),
            }
        }
        Ok(cell)
    }

    /// Whether its rows have an element at this index.
    pub fn has_column(&self, at: Option<Int>) -> bool {
        let length = self.lengths.last().map_or(0, |n| *n as Int);
        at.is_some_and(|at| (0..length).contains(&at))
    }

    /// Leaves a value. A later launch may replace it.
    pub fn store(&mut self, index: &[i64], value: Option<Value>) -> Result<(), Trap> {
        let cell = self.cell(index)?;
        if value.is_none() {
            return Err(Trap::Malformed("poison is left in a face"));
        }
        self.values[cell] = value;
        Ok(())
    }

    /// Returns a value; poison where nothing was left.
    pub fn load(&self, index: &[i64]) -> Result<Option<Value>, Trap> {
        Ok(self.values[self.cell(index)?])
    }
}
