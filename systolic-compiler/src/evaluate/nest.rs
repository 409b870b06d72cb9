//! The iteration points at given sizes. Every point has a cell in the smallest box around them, so that values lie in flat
//! vectors.
use super::{Arrays, EvaluateError};
use crate::model::{Int, Kernel};
use crate::target::effort;

/// The box around the points, and which of its cells are points.
pub(super) struct Nest {
    low: Vec<Int>,
    extent: Vec<Int>,
    inside: Vec<bool>,
}

impl Nest {
    pub(super) fn new(kernel: &Kernel, sizes: &[Int], arrays: &Arrays) -> Result<Nest, EvaluateError> {
        let points = Points::new(kernel, sizes, arrays);
        let (mut low, mut high): (Vec<Int>, Vec<Int>) = (Vec::new(), Vec::new());
        // Two passes over the points: the first finds the smallest box, for bounds of any shape.
        let mut walk = points.clone();
        let mut count: usize = 0;
        while let Some(point) = walk.next_point()? {
            count += 1;
            if count > effort::EVALUATOR_VALUES {
                return Err(EvaluateError::TooLarge);
            }
            if count == 1 {
                (low, high) = (point.to_vec(), point.to_vec());
            }
            for (k, v) in point.iter().enumerate() {
                low[k] = low[k].min(*v);
                high[k] = high[k].max(*v);
            }
        }
        if count == 0 {
            let none = vec![0; kernel.loops.len()];
            return Ok(Nest { low: none.clone(), extent: none, inside: Vec::new() });
        }
        let extent: Vec<Int> = low.iter().zip(&high).map(|(l, h)| h - l + 1).collect();
        let mut cells: usize = 1;
        for e in &extent {
            let e = usize::try_from(*e).map_err(|_| EvaluateError::TooLarge)?;
            cells = cells.checked_mul(e).filter(|c| *c <= effort::EVALUATOR_VALUES).ok_or(EvaluateError::TooLarge)?;
        }
        let mut nest = Nest { low, extent, inside: vec![false; cells] };
        let mut walk = points;
        while let Some(point) = walk.next_point()? {
            if let Some(cell) = nest.cell(point) {
                nest.inside[cell] = true;
            }
        }
        Ok(nest)
    }

    pub(super) fn cells(&self) -> usize {
        self.inside.len()
    }

    pub(super) fn is_point(&self, cell: usize) -> bool {
        self.inside[cell]
    }

    /// The cell of a point; `None` outside the box.
    fn cell(&self, point: &[Int]) -> Option<usize> {
        let mut cell = 0;
        for ((v, low), extent) in point.iter().zip(&self.low).zip(&self.extent) {
            let at = v - low;
            if at < 0 || at >= *extent {
                return None;
            }
            cell = cell * extent + at;
        }
        usize::try_from(cell).ok().filter(|c| *c < self.inside.len())
    }

    /// The cell of the point `point − distance`; `None` if there is no such point.
    pub(super) fn source(&self, point: &[Int], distance: &[Int]) -> Option<usize> {
        let mut cell = 0;
        for (k, (v, d)) in point.iter().zip(distance).enumerate() {
            let at = v.checked_sub(*d)?.checked_sub(self.low[k])?;
            if at < 0 || at >= self.extent[k] {
                return None;
            }
            cell = cell * self.extent[k] + at;
        }
        usize::try_from(cell).ok().filter(|c| *c < self.inside.len() && self.inside[*c])
    }

    /// Writes the coordinates of a cell.
    pub(super) fn coordinates(&self, cell: usize, point: &mut [Int]) {
        let mut rest = cell as Int;
        for k in (0..self.extent.len()).rev() {
            point[k] = self.low[k] + rest % self.extent[k];
            rest /= self.extent[k];
        }
    }
}

/// Walks the points in the order of the nest, without recursion.
#[derive(Clone)]
struct Points<'k> {
    kernel: &'k Kernel,
    arrays: &'k Arrays<'k>,
    /// Sizes and lengths, then loops.
    at: Vec<Int>,
    /// One past the last value of each loop.
    end: Vec<Int>,
    started: bool,
}

impl<'k> Points<'k> {
    fn new(kernel: &'k Kernel, sizes: &[Int], arrays: &'k Arrays<'k>) -> Points<'k> {
        let mut at = sizes.to_vec();
        at.resize(kernel.dims(), 0);
        Points { kernel, arrays, at, end: vec![0; kernel.loops.len()], started: false }
    }

    fn next_point(&mut self) -> Result<Option<&[Int]>, EvaluateError> {
        let (first, depth) = (self.kernel.sizes.len(), self.kernel.loops.len());
        // The loop to enter next; `depth` if the point is complete.
        let mut level = if self.started { depth } else { 0 };
        let mut advance = self.started;
        self.started = true;
        loop {
            if advance {
                // Advance the innermost loop that has a value left.
                loop {
                    if level == 0 {
                        self.end.fill(0);
                        return Ok(None);
                    }
                    level -= 1;
                    self.at[first + level] += 1;
                    if self.at[first + level] < self.end[level] {
                        level += 1;
                        break;
                    }
                }
                advance = false;
            }
            if level == depth {
                return Ok(Some(&self.at[first..]));
            }
            // The bounds may have lengths of the loops outside.
            self.arrays.set_lengths(self.kernel, &mut self.at);
            let l = &self.kernel.loops[level];
            let outer = &self.at[..first + level];
            let low = l.low.eval(outer).ok_or(EvaluateError::TooLarge)?;
            let high = l.high.eval(outer).ok_or(EvaluateError::TooLarge)?;
            if high.checked_sub(low).is_none_or(|length| length > effort::EVALUATOR_VALUES as Int) {
                return Err(EvaluateError::TooLarge);
            }
            self.at[first + level] = low;
            self.end[level] = high;
            if low < high {
                level += 1;
            } else {
                advance = true;
            }
        }
    }
}
