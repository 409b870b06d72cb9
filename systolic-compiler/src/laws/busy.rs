//! ∃ p, q ∈ D: block, warp and time of p and q are equal, and their lanes differ
//!
//! If there is no such pair, only one lane works at a time. Such a map is lawful, but gains nothing.
use super::LawfulMap;
use super::set::{Asked, ask};
use crate::model::{Form, Formula, Kernel, RowKind};

/// Whether the map has several lanes, but no two of them ever have a point in the same step.
pub fn one_lane(kernel: &Kernel, map: &LawfulMap) -> bool {
    let (kernel, mapping, places) = (map.kernel(kernel), map.mapping(), map.places());
    let rows = || places.rows.iter().enumerate();
    let lanes = |k: usize| map.ranges()[k].is_none_or(|(low, high)| high > low);
    if !rows().any(|(k, r)| r.kind == RowKind::Lane && lanes(k)) {
        return false;
    }
    let (dims, leaves) = (places.dims(), mapping.leaves.len());
    let first = places.domain(kernel, mapping);
    let mut images: Vec<Form> = (0..dims).map(Form::var).collect();
    for leaf in 0..leaves {
        images[places.sizes + leaf] = Form::var(dims + leaf);
    }
    let mut set = first.clone().and(first.substitute(&images));
    let mut apart = Vec::new();
    for (_, row) in rows() {
        let form = places.form(row);
        let difference = &form.substitute(&images) - &form;
        match row.kind {
            RowKind::Lane => apart.push(Formula::differs(&difference, &Form::constant(0))),
            _ => set = set.and(Formula::Zero(difference)),
        }
    }
    matches!(ask(dims + leaves, &set.and(Formula::Any(apart))), Asked::Empty)
}
