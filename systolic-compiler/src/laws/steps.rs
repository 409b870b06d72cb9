//! Which time rows are loops of the program and which are written out (unrolled), and how many steps pass between the
//! computation of a value and its use.
use super::lanes::Ranges;
use crate::model::{Int, Mapping, Places, RowKind};
use crate::target::{limits, tuning};

/// The time rows, outermost first.
pub fn time_rows(places: &Places) -> Vec<usize> {
    (0..places.rows.len()).filter(|k| places.rows[*k].kind == RowKind::Time).collect()
}

/// The number of innermost time rows that are written out: those that the map unrolls or, if it says nothing, a short innermost
/// one.
pub fn written_rows(mapping: &Mapping, places: &Places, ranges: &Ranges) -> usize {
    let mut product: Int = mapping.fold;
    let mut count = 0;
    for row in time_rows(places).into_iter().rev() {
        let Some((low, high)) = ranges[row] else { break };
        let extent = high - low + 1;
        let is_unrolled =
            places.rows[row].unrolled || (mapping.unroll.is_empty() && count == 0 && extent <= tuning::UNROLLED_LOOP);
        product = product.saturating_mul(extent);
        if !is_unrolled || product > limits::BODIES {
            break;
        }
        count += 1;
    }
    count
}

/// All values of the rows that are written out, in order of time.
pub fn written_times(ranges: &Ranges, written: &[usize]) -> Vec<Vec<Int>> {
    let mut all: Vec<Vec<Int>> = vec![Vec::new()];
    for row in written {
        let (low, high) = ranges[*row].unwrap_or((0, 0));
        all = all.iter().flat_map(|u| (low..=high).map(|v| [u.as_slice(), &[v]].concat())).collect();
    }
    all
}

/// The time between the computation of a value and its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// This number of steps.
    Steps(Int),
    /// Not a constant number of steps.
    Varies,
    /// No point reads so: the distance along an inner loop exceeds the length of that loop.
    Never,
}

/// The delay of a wire that goes back by `steps[level]` iterations of loop `level`, by `steps[k]` of every loop k inside it,
/// and by none of the loops outside it. `range` returns the range of a loop, if it is constant.
pub fn delay(steps: &[Int], level: usize, range: impl Fn(usize) -> Option<(Int, Int)>) -> Delay {
    let mut depth = steps[level];
    for (k, step) in steps.iter().enumerate().skip(level + 1) {
        let Some((low, high)) = range(k) else { return Delay::Varies };
        if step.abs() > high - low {
            return Delay::Never;
        }
        match depth.checked_mul(high - low + 1).and_then(|d| d.checked_add(*step)) {
            Some(d) => depth = d,
            None => return Delay::Varies,
        }
    }
    Delay::Steps(depth)
}
