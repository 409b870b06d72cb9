//! Compares compact time rows with the rows as written: any two instances must have the same order, or the same step,
//! under both.
use crate::placement::Placement;
use systolic_compiler::model::{Int, Kernel, Mapping, Places, RowKind};

/// Describes two instances that compact rows put into another order at these sizes, if there are any.
pub fn reordered(kernel: &Kernel, mapping: &Mapping, written: &Places, sizes: &[Int]) -> Option<String> {
    let compact = written.compact();
    let before = Placement::new(kernel, mapping, written, sizes);
    let after = Placement::new(kernel, mapping, &compact, sizes);
    let instances = before.space.points().into_iter().flat_map(|point| before.instances(&point));
    let mut times: Vec<(Vec<Int>, Vec<Int>)> =
        instances.map(|i| (before.rows(RowKind::Time, &i), after.rows(RowKind::Time, &i))).collect();
    times.sort();
    let wrong = times.windows(2).find(|pair| pair[0].0.cmp(&pair[1].0) != pair[0].1.cmp(&pair[1].1))?;
    Some(format!("steps {:?} and {:?} became {:?} and {:?}", wrong[0].0, wrong[1].0, wrong[0].1, wrong[1].1))
}
