//! Orders (equation, point) pairs by keys, for kernels that no order of their loops can evaluate.
use crate::error::Error;
use std::cmp::Ordering;

/// One level of an equation's key: a stage number, then an affine form of the loops.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Compared first.
    pub stage: usize,
    /// One coefficient per loop.
    pub row: &'static [i128],
    /// The constant term of the form.
    pub constant: i128,
}

/// The points of a kernel, to be sorted into an order of evaluation.
#[derive(Clone, Debug)]
pub struct Schedule<const N: usize> {
    points: Vec<[i64; N]>,
}

impl<const N: usize> Default for Schedule<N> {
    fn default() -> Self {
        Schedule { points: Vec::new() }
    }
}

impl<const N: usize> Schedule<N> {
    /// Adds a point of the domain. Fails if there is not enough memory.
    pub fn push(&mut self, point: [i64; N]) -> Result<(), Error> {
        if self.points.len() == self.points.capacity() {
            self.points.try_reserve(1).map_err(|_| self.refuse(self.points.len()))?;
        }
        self.points.push(point);
        Ok(())
    }

    /// Returns the points in the order in which they were added.
    pub fn points(&self) -> &[[i64; N]] {
        &self.points
    }

    /// Returns all (equation, point) pairs in the order of their keys. `keys` holds one key per equation. Fails if there is not
    /// enough memory.
    pub fn sorted(&self, keys: &[&[Key]]) -> Result<impl Iterator<Item = (usize, [i64; N])> + '_, Error> {
        let mut items: Vec<(usize, usize)> = Vec::new();
        let count = self.points.len().saturating_mul(keys.len());
        items.try_reserve_exact(count).map_err(|_| self.refuse(count))?;
        for equation in 0..keys.len() {
            items.extend((0..self.points.len()).map(|point| (equation, point)));
        }
        items.sort_unstable_by(|a, b| {
            let side = |item: &(usize, usize)| (keys[item.0], self.points[item.1]);
            let ((a_keys, a_point), (b_keys, b_point)) = (side(a), side(b));
            compare(a_keys, &a_point, b_keys, &b_point).then(a.cmp(b))
        });
        Ok(items.into_iter().map(|(equation, point)| (equation, self.points[point])))
    }

    fn refuse(&self, count: usize) -> Error {
        Error::no_memory("the order of points", count as u128, std::mem::size_of::<[i64; N]>())
    }
}

/// Compares level by level: the stage, then the value of the form. A shorter key is extended by zeros.
fn compare(a: &[Key], a_point: &[i64], b: &[Key], b_point: &[i64]) -> Ordering {
    (0..a.len().max(b.len()))
        .map(|level| part(a, a_point, level).cmp(&part(b, b_point, level)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn part(keys: &[Key], point: &[i64], level: usize) -> (usize, i128) {
    keys.get(level).map_or((0, 0), |key| {
        let terms = key.row.iter().zip(point).map(|(c, z)| c.saturating_mul(i128::from(*z)));
        (key.stage, terms.fold(key.constant, i128::saturating_add))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_equations_and_points() {
        let mut schedule = Schedule::<1>::default();
        for i in 0..3 {
            schedule.push([i]).unwrap();
        }
        // Equation 0 runs downwards, before equation 1 runs upwards.
        let down: &[Key] = &[Key { stage: 0, row: &[-1], constant: 0 }];
        let up: &[Key] = &[Key { stage: 1, row: &[1], constant: 0 }];
        let order: Vec<_> = schedule.sorted(&[down, up]).unwrap().collect();
        assert_eq!(order, [(0, [2]), (0, [1]), (0, [0]), (1, [0]), (1, [1]), (1, [2])]);
    }

    #[test]
    fn levels_interleave_and_short_keys_end_in_zeros() {
        let mut schedule = Schedule::<1>::default();
        schedule.push([1]).unwrap();
        schedule.push([0]).unwrap();
        let first: &[Key] = &[Key { stage: 0, row: &[1], constant: 0 }];
        let second: &[Key] = &[Key { stage: 0, row: &[1], constant: 0 }, Key { stage: 1, row: &[0], constant: 0 }];
        let order: Vec<_> = schedule.sorted(&[second, first]).unwrap().collect();
        assert_eq!(order, [(1, [0]), (0, [0]), (1, [1]), (0, [1])]);
    }
}
