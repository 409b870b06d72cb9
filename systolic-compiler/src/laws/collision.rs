//! ∀ p ≠ q ∈ D: place(p) ≠ place(q)
//!
//! Two points at the same place differ by a vector of the null lattice of the rows. If the lattice is
//! trivial, the law holds.
use super::set::{Asked, ask};
use super::witness::loop_witness;
use crate::fault::{CollisionFact, Fault, Faults};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places};
use systolic_sets::Matrix;

pub fn check(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) {
    let at = mapping.matrix.as_ref().map(|m| m.at).or(mapping.lanes_at).unwrap_or(mapping.at);
    let rows: Vec<Vec<i128>> = places.rows.iter().map(|r| r.coefs.clone()).collect();
    let Some(lattice) = Matrix::from_rows(rows).and_then(|m| m.null_lattice()) else {
        faults.push(Fault::new(at, CollisionFact::Undecided));
        return;
    };
    if lattice.is_empty() {
        return;
    }
    let dims = places.dims();
    let first = places.domain(kernel, mapping);
    let mut images: Vec<Form> = (0..dims).map(Form::var).collect();
    for leaf in 0..mapping.leaves.len() {
        for (n, vector) in lattice.iter().enumerate() {
            let dim = places.sizes + leaf;
            images[dim] = &images[dim] + &Form::var(dims + n).scale(vector[leaf]);
        }
    }
    let second = first.substitute(&images);
    // The first factor that is not 0 is positive; otherwise the two points swap.
    for n in 0..lattice.len() {
        let mut set = first.clone().and(second.clone());
        for j in 0..n {
            set = set.and(Formula::Zero(Form::var(dims + j)));
        }
        set = set.and(Formula::AtLeast(Form::var(dims + n).plus(-1)));
        match ask(dims + lattice.len(), &set) {
            Asked::Empty => {}
            Asked::GaveUp => {
                faults.push(Fault::new(at, CollisionFact::Undecided));
                return;
            }
            Asked::Point(point) => {
                let (point, shift) =
                    of_one_variable(kernel, places, (dims + lattice.len(), &set), &images).unwrap_or((point, &[]));
                let other: Vec<i128> = images.iter().map(|f| f.eval(&point).unwrap_or_default()).collect();
                let mut witness = loop_witness(kernel, places, &point);
                let mut second = loop_witness(kernel, places, &other).point;
                for points in [&mut witness.point, &mut second] {
                    points.iter_mut().zip(shift).for_each(|((_, at), by)| *at -= by);
                }
                witness.other = Some(second);
                let place = places
                    .rows
                    .iter()
                    .map(|r| (r.name.clone(), places.form(r).eval(&point).unwrap_or_default()))
                    .collect();
                faults.push(Fault::new(at, CollisionFact::Same { place }).with_witness(witness));
                return;
            }
        }
    }
}

/// Two points of a set that both belong to one variable, and how far it is shifted. The loops of a map with shifts have points at
/// which some variables have no value; a message should tell others, if there are any.
fn of_one_variable<'k>(
    kernel: &'k Kernel,
    places: &Places,
    (dims, set): (usize, &Formula),
    other: &[Form],
) -> Option<(Vec<Int>, &'k [Int])> {
    let loops = places.images(kernel);
    kernel.equations.iter().filter(|e| !e.shift.is_empty()).find_map(|equation| {
        let runs = equation.runs.substitute(&loops);
        let both = set.clone().and(runs.clone()).and(runs.substitute(other));
        match ask(dims, &both) {
            Asked::Point(point) => Some((point, equation.shift.as_slice())),
            Asked::Empty | Asked::GaveUp => None,
        }
    })
}
