//! Which time rows are loops and which are written out, and how many steps lie between making a value and reading it.
use super::lanes::Ranges;
use crate::model::{Int, Mapping, Places, RowKind};
use crate::target::{limits, tuning};

/// The time rows, outermost first.
pub fn time_rows(places: &Places) -> Vec<usize> {
    (0..places.rows.len()).filter(|k| places.rows[*k].kind == RowKind::Time).collect()
}

/// How many of the innermost time rows are written out: what the map says, else a short innermost one.
pub fn written_rows(mapping: &Mapping, places: &Places, ranges: &Ranges) -> usize {
    let mut product: Int = mapping.fold;
    let mut count = 0;
    for row in time_rows(places).into_iter().rev() {
        let Some((low, high)) = ranges[row] else { break };
        let extent = high - low + 1;
        let asked =
            places.rows[row].unrolled || (mapping.unroll.is_empty() && count == 0 && extent <= tuning::UNROLLED_LOOP);
        product = product.saturating_mul(extent);
        if !asked || product > limits::BODIES {
            break;
        }
        count += 1;
    }
    count
}

/// Every value of the written rows, in order of time.
pub fn written_times(ranges: &Ranges, written: &[usize]) -> Vec<Vec<Int>> {
    let mut all: Vec<Vec<Int>> = vec![Vec::new()];
    for row in written {
        let (low, high) = ranges[*row].unwrap_or((0, 0));
        all = all.iter().flat_map(|u| (low..=high).map(|v| [u.as_slice(), &[v]].concat())).collect();
    }
    all
}

/// The time between making a value and reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    Steps(Int),
    /// Not a constant number of steps.
    Varies,
    /// Further along an inner loop than that loop goes.
    Never,
}

/// The delay of a wire that goes `steps[level]` iterations of loop `level` back, and no loop outside it; `range` gives
/// the loops of constant extent.
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
