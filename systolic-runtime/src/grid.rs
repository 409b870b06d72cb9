//! The values of one variable: a box of points, or its last few layers if older ones are never read again.
use crate::call::Range;
use crate::cpu::Element;
use crate::error::Failure;
use crate::words::{Word, of_words};

/// The values of a variable over the hull of its loops.
#[derive(Clone, Debug)]
pub struct Grid<T, const N: usize> {
    low: [i64; N],
    extent: [i64; N],
    values: Vec<T>,
}

impl<T: Element, const N: usize> Grid<T, N> {
    /// Allocates a value for every point of the hull. Along axis `k` only the last `keep[k]` layers are kept: layer `i`
    /// overwrites layer `i - keep[k]`. Fails if there is not enough memory; `purpose` goes into the error.
    pub fn new(hull: [Range; N], keep: [i64; N], purpose: &'static str) -> Result<Grid<T, N>, Failure> {
        let (mut low, mut extent) = ([0; N], [0; N]);
        for k in 0..N {
            (low[k], extent[k]) = (hull[k].low, hull[k].layers(keep[k]));
        }
        Ok(Grid { low, extent, values: of_words(T::Word::filled(&extent, purpose)?) })
    }

    /// Returns the value at a point, which must have been set before.
    pub fn get(&self, point: [i64; N]) -> T {
        self.cell(point).and_then(|cell| self.values.get(cell)).copied().unwrap_or_default()
    }

    /// Sets the value at a point.
    pub fn set(&mut self, point: [i64; N], value: T) {
        if let Some(cell) = self.cell(point).and_then(|cell| self.values.get_mut(cell)) {
            *cell = value;
        }
    }

    /// [`get`](Grid::get), not inlined: bodies with many of them compile faster.
    #[inline(never)]
    pub fn get_called(&self, point: [i64; N]) -> T {
        self.get(point)
    }

    /// [`set`](Grid::set), not inlined.
    #[inline(never)]
    pub fn set_called(&mut self, point: [i64; N], value: T) {
        self.set(point, value);
    }

    fn cell(&self, point: [i64; N]) -> Option<usize> {
        let mut cell: i64 = 0;
        for (k, z) in point.into_iter().enumerate() {
            let (mut layer, extent) = (z.wrapping_sub(self.low[k]), self.extent[k]);
            if layer < 0 || layer >= extent {
                layer = layer.checked_rem_euclid(extent)?;
            }
            // Stays below the number of values, so it does not overflow.
            cell = cell * extent + layer;
        }
        usize::try_from(cell).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: i64, high: i64) -> Range {
        Range { low, high }
    }

    #[test]
    fn every_point_has_its_own_cell() {
        let mut grid = Grid::new([range(-2, 3), range(4, 7)], [i64::MAX; 2], "a test").unwrap();
        for i in -2..3 {
            for j in 4..7 {
                grid.set([i, j], 10 * i + j);
            }
        }
        for i in -2..3 {
            for j in 4..7 {
                assert_eq!(grid.get([i, j]), 10 * i + j);
            }
        }
    }

    #[test]
    fn kept_layers_are_the_last_ones() {
        let mut grid = Grid::new([range(0, 100)], [3], "a test").unwrap();
        for i in 0..100 {
            grid.set([i], i);
            for back in 0..3.min(i + 1) {
                assert_eq!(grid.get([i - back]), i - back);
            }
        }
    }

    #[test]
    fn an_empty_hull_has_no_cell() {
        let mut grid = Grid::<f32, 2>::new([range(0, 0), range(0, 5)], [i64::MAX; 2], "a test").unwrap();
        grid.set([0, 0], 1.0);
        assert_eq!(grid.get([0, 0]), 0.0);
    }

    #[test]
    fn too_large_is_an_error() {
        let wide = range(0, 1 << 40);
        assert!(Grid::<f32, 4>::new([wide; 4], [i64::MAX; 4], "a test").is_err());
    }
}
