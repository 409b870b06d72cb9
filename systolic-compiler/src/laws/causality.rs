//! ∀ active class of a read: Δlaunch is not negative, in lexicographic order, and where it is zero neither is Δtime; of a copy
//! only where no tile is left
use super::set::{Asked, ask};
use super::witness::read_witness;
use crate::dependence::{Class, readers};
use crate::fault::{CausalityFact, Fault, Look};
use crate::model::{Int, Kernel, Mapping, Places, Read, RowKind};

/// The fault of a class whose time runs backwards, if a point reads so.
pub fn check(kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) -> Option<Fault> {
    let delta = &class.displacement;
    let decides = (0..delta.len()).find(|k| places.rows[*k].kind == RowKind::Time && delta[*k] != 0)?;
    if delta[decides] > 0 {
        return None;
    }
    let row = &places.rows[decides];
    let at = if row.matrix_row.is_some() { row.at } else { read.at };
    let variable = kernel.equations[read.variable].variable.text.clone();
    match ask(places.dims(), &readers(kernel, mapping, places, read, class)) {
        Asked::Empty => None,
        Asked::GaveUp => Some(Fault::new(at, CausalityFact::Undecided { variable })),
        Asked::Point(point) => {
            let look = look(kernel, places, read, delta, &point);
            let witness = read_witness(kernel, places, read, &point);
            Some(Fault::new(at, CausalityFact::Later { look, row: row.name.clone() }).with_witness(witness))
        }
    }
}

/// The fault of a class that reads a value of a later launch, if a point reads so.
pub fn launches(kernel: &Kernel, mapping: &Mapping, places: &Places, read: &Read, class: &Class) -> Option<Fault> {
    let decides = (0..places.launches).find(|k| class.displacement[*k] != 0)?;
    if class.displacement[decides] > 0 {
        return None;
    }
    let row = &places.rows[decides];
    let variable = kernel.equations[read.variable].variable.text.clone();
    match ask(places.dims(), &readers(kernel, mapping, places, read, class)) {
        Asked::Empty => None,
        Asked::GaveUp => Some(Fault::new(read.at, CausalityFact::Undecided { variable })),
        Asked::Point(point) => {
            let runs = places.form(row).eval(&point).unwrap_or_default();
            let computed = runs - class.displacement[decides];
            let fact = CausalityFact::LaterLaunch { variable, row: row.name.clone(), runs, computed };
            Some(Fault::new(read.at, fact).with_witness(read_witness(kernel, places, read, &point)))
        }
    }
}

/// When a reader runs and when its value is computed.
pub fn look(kernel: &Kernel, places: &Places, read: &Read, delta: &[Int], point: &[Int]) -> Look {
    let times = || places.rows.iter().zip(delta).filter(|(r, _)| r.kind == RowKind::Time);
    let value = |r| places.form(r).eval(point).unwrap_or_default();
    Look {
        variable: kernel.equations[read.variable].variable.text.clone(),
        runs: times().map(|(r, _)| (r.name.clone(), value(r))).collect(),
        computed: times().map(|(r, d)| (r.name.clone(), value(r) - d)).collect(),
    }
}
