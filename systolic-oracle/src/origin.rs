//! The origin of the lane numbering: the least value of the lane rows. It is fixed at compile time, so it is the same
//! at all sizes.
use crate::maps::WIDTH;
use crate::placement::{Placement, constant_ranges, interval_of_row};
use crate::sizes::few_sizes;
use systolic_compiler::model::{Int, Kernel, Mapping, Places, RowKind};

/// Only sizes with at most this many points are enumerated, and at most this many of them.
const FEW: usize = 2000;
const MOST: usize = 16;

/// The value of every row at lane 0: the least value of the row over the bounding box of its loops, if that box fits
/// into the lanes; otherwise the least value over its points, at enough sizes to see them all.
pub fn origin(placement: &Placement) -> Vec<Int> {
    let (kernel, mapping, places) = (placement.world.kernel, placement.mapping, placement.places);
    let ranges = constant_ranges(kernel, mapping);
    let boxes = places.rows.iter().map(|row| interval_of_row(mapping, &row.coefs, &ranges));
    let low: Option<Vec<Int>> = boxes
        .zip(&places.rows)
        .map(|(b, row)| if row.kind == RowKind::Lane { b.map(|(low, _)| low) } else { Some(0) })
        .collect();
    match low {
        Some(low) if box_count(kernel, mapping, places, RowKind::Lane) <= WIDTH => low,
        _ => least(placement),
    }
}

/// The least value of every row over the points at some sizes.
fn least(placement: &Placement) -> Vec<Int> {
    let (kernel, mapping, places) = (placement.world.kernel, placement.mapping, placement.places);
    let mut least = vec![Int::MAX; places.rows.len()];
    for sizes in few_sizes(kernel, std::slice::from_ref(mapping), FEW, MOST) {
        let placement = Placement::new(kernel, mapping, places, &sizes);
        for instance in placement.space.points().iter().flat_map(|point| placement.instances(point)) {
            least.iter_mut().enumerate().for_each(|(row, low)| *low = placement.row(row, &instance).min(*low));
        }
    }
    least.iter().map(|low| if *low == Int::MAX { 0 } else { *low }).collect()
}

/// The number of lanes or warps of the whole bounding box. Loops without a constant length count as one iteration.
pub fn box_count(kernel: &Kernel, mapping: &Mapping, places: &Places, kind: RowKind) -> Int {
    let still = |range: Option<(Int, Int)>| range.or(Some((0, 0)));
    let ranges: Vec<_> = constant_ranges(kernel, mapping).into_iter().map(still).collect();
    let extent = |coefs: &[Int]| interval_of_row(mapping, coefs, &ranges).map_or(1, |(low, high)| high - low + 1);
    let rows: Vec<_> = places.rows.iter().filter(|row| row.kind == kind).collect();
    let fold = if kind == RowKind::Lane { mapping.fold } else { 1 };
    let last = rows.len().saturating_sub(1);
    let counts = rows.iter().enumerate();
    counts.map(|(k, row)| if k == last { (extent(&row.coefs) + fold - 1) / fold } else { extent(&row.coefs) }).product()
}
