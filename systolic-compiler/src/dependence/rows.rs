//! Which time rows are loops and which are unrolled.
use super::Ranges;
use crate::model::{Int, Mapping, Places, RowKind};
use crate::target::{limits, tuning};

/// The time rows, outermost first.
pub fn time_rows(places: &Places) -> Vec<usize> {
    (0..places.rows.len()).filter(|k| places.rows[*k].kind == RowKind::Time).collect()
}

/// How many of the innermost time rows are unrolled: those that the map says, or else the innermost one if it is short.
pub fn unrolled_rows(mapping: &Mapping, places: &Places, ranges: &Ranges) -> usize {
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

/// Every time of the unrolled rows, in order.
pub fn unrolled_times(ranges: &Ranges, unrolled: &[usize]) -> Vec<Vec<Int>> {
    let mut all: Vec<Vec<Int>> = vec![Vec::new()];
    for row in unrolled {
        let (low, high) = ranges[*row].unwrap_or((0, 0));
        all = all.iter().flat_map(|u| (low..=high).map(|v| [u.as_slice(), &[v]].concat())).collect();
    }
    all
}
