//! Inverts the rows of a map: every leaf loop as a form of the place, so that a place knows its iteration point.
//!
//! ```text
//! rows                    inverse
//!
//! p = 4 a + b             b = p mod 4
//! with 0 ≤ b ≤ 3          a = (p − p mod 4) / 4
//! ```
//!
//! The rows need be neither square nor unimodular. Their Hermite normal form tells which directions of the leaf loops the place
//! determines; the others are free. A narrow form, one with a small constant range over all points, determines a free direction
//! if the values that it can take at one place lie further apart than its range: its value is then a remainder, like `b`.
use super::narrow::Narrow;
use super::place_form::PlaceForm;
use crate::model::{Int, gcd};
use crate::planted::planted;
use systolic_sets::Matrix;

/// The inverse of the rows of a map.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// Every leaf loop as a form of the place.
    pub leaves: Vec<PlaceForm>,
    /// Forms that are 0 at every place that is an iteration point.
    pub consistent: Vec<PlaceForm>,
}

/// Inverts rows, each given by its coefficients over the leaves and its value as a form of the place. The forms `narrow` keep
/// to their ranges at every point. Returns `None` if no inverse was found.
pub fn invert(rows: &[(Vec<Int>, PlaceForm)], narrow: &[Narrow]) -> Option<Inverse> {
    let count = rows.first().map_or(0, |(coefs, _)| coefs.len());
    let equations = rows.iter().map(|(coefs, place)| Equation { coefs: coefs.clone(), place: place.clone() });
    let mut system = System { equations: equations.collect(), solved: vec![None; count] };
    for (leaf, value) in narrow.iter().filter_map(Narrow::single) {
        system.set(leaf, value);
    }
    loop {
        while let Some((leaf, value)) = system.single_unknown() {
            system.set(leaf, value);
        }
        let basis = system.basis()?;
        if basis.is_complete() {
            return system.finish(&basis);
        }
        let closed = narrow.iter().find_map(|form| system.close(&basis, form))?;
        system.equations.push(closed);
    }
}

/// One row: Σ coefs · leaves = place.
struct Equation {
    coefs: Vec<Int>,
    place: PlaceForm,
}

/// The equations that remain, and the leaves that are solved.
struct System {
    equations: Vec<Equation>,
    solved: Vec<Option<PlaceForm>>,
}

/// Independent directions that span the unsolved leaves: leaves = Σ step · direction. The first steps are known as forms of the
/// place; the others are free.
struct Basis {
    /// The unsolved leaves.
    leaves: Vec<usize>,
    directions: Matrix,
    /// The known steps.
    steps: Vec<PlaceForm>,
    /// Forms that are 0 at every place that is an iteration point.
    agree: Vec<PlaceForm>,
}

impl Basis {
    fn is_complete(&self) -> bool {
        self.steps.len() == self.leaves.len()
    }
}

impl System {
    /// Puts the value of a leaf into all equations.
    fn set(&mut self, leaf: usize, value: PlaceForm) {
        for e in &mut self.equations {
            let c = std::mem::take(&mut e.coefs[leaf]);
            e.place = e.place.sub(&value.scale(c, 1));
        }
        self.solved[leaf] = Some(value);
    }

    /// A leaf that is the only unknown of an equation, and its value.
    fn single_unknown(&self) -> Option<(usize, PlaceForm)> {
        self.equations.iter().find_map(|e| {
            let mut unknown = (0..e.coefs.len()).filter(|k| e.coefs[*k] != 0);
            match (unknown.next(), unknown.next()) {
                (Some(leaf), None) => Some((leaf, e.place.scale(1, e.coefs[leaf]))),
                _ => None,
            }
        })
    }

    fn basis(&self) -> Option<Basis> {
        let leaves: Vec<usize> = (0..self.solved.len()).filter(|l| self.solved[*l].is_none()).collect();
        let columns = leaves.iter().map(|l| self.equations.iter().map(|e| e.coefs[*l]).collect()).collect();
        let (form, directions) = Matrix::from_rows(columns)?.hermite()?;
        let (mut steps, mut agree): (Vec<PlaceForm>, Vec<PlaceForm>) = (Vec::new(), Vec::new());
        for (k, e) in self.equations.iter().enumerate() {
            let known = |place: PlaceForm, (j, step): (usize, &PlaceForm)| place.sub(&step.scale(form.get(j, k), 1));
            let left = steps.iter().enumerate().fold(e.place.clone(), known);
            match form.get(steps.len(), k) {
                0 if left.number() == Some(0) => {}
                0 => agree.push(left),
                pivot => steps.push(left.scale(1, pivot)),
            }
        }
        Some(Basis { leaves, directions, steps, agree })
    }

    /// The value of a narrow form as another equation, if the values that it can take at one place lie further apart than its
    /// range.
    fn close(&self, basis: &Basis, form: &Narrow) -> Option<Equation> {
        let open: Vec<Int> = basis.leaves.iter().map(|l| form.coefs[*l]).collect();
        let moved = basis.directions.apply(&open)?;
        let (fixed, free) = moved.split_at(basis.steps.len());
        let apart = free.iter().fold(0, |g, m| gcd(g, *m));
        if apart == 0 || form.high - form.low >= apart {
            return None;
        }
        let solved = form.coefs.iter().zip(&self.solved).filter_map(|(c, s)| Some(s.as_ref()?.scale(*c, 1)));
        let known = solved.fold(form.rest.clone(), |sum, s| sum.add(&s));
        let steps = fixed.iter().zip(&basis.steps).map(|(m, step)| step.scale(nearest(*m, apart), 1));
        let start = if planted(26) { 0 } else { form.low };
        let value = match form.low == form.high {
            true => PlaceForm::constant(form.low),
            false => steps.fold(known.plus(-start), |sum, s| sum.add(&s)).remainder(apart).plus(start),
        };
        let mut coefs = vec![0; self.solved.len()];
        basis.leaves.iter().for_each(|l| coefs[*l] = form.coefs[*l]);
        Some(Equation { coefs, place: value.sub(&known) })
    }

    fn finish(mut self, basis: &Basis) -> Option<Inverse> {
        for (n, leaf) in basis.leaves.iter().enumerate() {
            let steps = basis.steps.iter().enumerate().map(|(j, step)| step.scale(basis.directions.get(j, n), 1));
            self.solved[*leaf] = Some(steps.fold(PlaceForm::constant(0), |sum, s| sum.add(&s)));
        }
        let leaves = self.solved.into_iter().collect::<Option<Vec<PlaceForm>>>()?;
        let consistent = basis.agree.clone();
        let whole = leaves.iter().chain(&consistent).all(|i| !i.is_broken());
        whole.then_some(Inverse { leaves, consistent })
    }
}

/// The number nearest to 0 that is congruent to `c` modulo `by`.
fn nearest(c: Int, by: Int) -> Int {
    let least = c.rem_euclid(by);
    if least > by / 2 { least - by } else { least }
}
