//! ∀ element of an output: exactly one store at exactly one point of its guard writes it; with `rest` at most one does
use super::set::{Asked, ask, named, text, witness};
use crate::fault::{BoundsFact, Fact, Fault, Faults, OutputsFact, Witness};
use crate::model::{Form, Formula, Int, Kernel, Store};
use systolic_sets::{Matrix, project};

pub fn check(kernel: &Kernel, faults: &mut Faults) {
    let domain = kernel.domain();
    for (o, output) in kernel.outputs.iter().enumerate() {
        let stores: Vec<&Store> = kernel.stores.iter().filter(|s| s.output == o).collect();
        let name = &output.name.text;
        if stores.is_empty() {
            let fact = OutputsFact::Never { output: name.clone(), stored_anywhere: false };
            faults.push(Fault::new(output.at, fact));
            continue;
        }
        let mut twice = false;
        for (k, store) in stores.iter().enumerate() {
            let fault = itself(kernel, &domain, store, name)
                .or_else(|| stores[..k].iter().find_map(|first| pair(kernel, &domain, first, store, name)));
            twice |= fault.is_some();
            faults.extend(fault);
        }
        let leaves = |f: &Fault| matches!(&f.fact, Fact::Bounds(BoundsFact::Outside { array, store: true, .. }) if array == name);
        // A store that writes an element twice, or outside, usually also misses one: one mistake, one error.
        if !twice && output.rest.is_none() && !faults.iter().any(leaves) {
            faults.extend(never(kernel, &domain, o, &stores));
        }
    }
}

/// The fault of a store that writes an element at two points: their difference lies in the null lattice of its index.
fn itself(kernel: &Kernel, domain: &Formula, store: &Store, name: &str) -> Option<Fault> {
    let loops = kernel.loops.len();
    let linear = store.index.iter().map(|f| (0..loops).map(|k| f.coef(kernel.loop_dim(k))).collect()).collect();
    let undecided = || {
        Fault::new(
            store.at,
            OutputsFact::Undecided { output: name.to_string(), what: "whether an element is stored twice" },
        )
    };
    let Some(lattice) = Matrix::from_rows(linear).and_then(|m| m.null_lattice()) else { return Some(undecided()) };
    if lattice.is_empty() {
        return None;
    }
    let first = domain.clone().and(store.guard.clone());
    let mut images: Vec<Form> = (0..kernel.dims()).map(Form::var).collect();
    for k in 0..loops {
        for (n, vector) in lattice.iter().enumerate() {
            let dim = kernel.loop_dim(k);
            images[dim] = &images[dim] + &Form::var(kernel.dims() + n).scale(vector[k]);
        }
    }
    let second = first.substitute(&images);
    let dims = kernel.dims() + lattice.len();
    // The first factor that is not 0 is positive; otherwise the two points swap.
    let differs = (0..lattice.len()).map(|n| {
        let mut all: Vec<Formula> = (0..n).map(|j| Formula::Zero(Form::var(kernel.dims() + j))).collect();
        all.push(Formula::AtLeast(Form::var(kernel.dims() + n).plus(-1)));
        Formula::All(all)
    });
    for different in differs {
        match ask(dims, &first.clone().and(second.clone()).and(different)) {
            Asked::Empty => {}
            Asked::GaveUp => return Some(undecided()),
            Asked::Point(point) => {
                let other = images[kernel.sizes.len()..].iter().map(|f| f.eval(&point).unwrap_or_default()).collect();
                let fact = OutputsFact::Twice { output: name.to_string(), same_store: true };
                let fault = Fault::new(store.at, fact).with_witness(double(kernel, &point, other, store));
                return Some(at_one_point(kernel, fault));
            }
        }
    }
    None
}

/// Adds advice if the two points differ in only one loop: a guard on that loop keeps one of them.
fn at_one_point(kernel: &Kernel, fault: Fault) -> Fault {
    let Some(Witness { point, other: Some(other), .. }) = &fault.witness else { return fault };
    let mut differ = (0..point.len()).filter(|k| point[*k].1 != other[*k].1);
    let (Some(k), None) = (differ.next(), differ.next()) else { return fault };
    let (name, last) = (&kernel.loops[k].name.text, text(kernel, &kernel.loops[k].high.plus(-1)));
    let words = format!("store at one point of `{name}`, such as the last: `if {name} == {last} {{ … }}`");
    fault.with_advice(words)
}

/// The fault of two stores that write the same element.
fn pair(kernel: &Kernel, domain: &Formula, first: &Store, second: &Store, name: &str) -> Option<Fault> {
    let loops = kernel.loops.len();
    let mut images: Vec<Form> = (0..kernel.sizes.len()).map(Form::var).collect();
    images.extend((0..loops).map(|k| Form::var(kernel.dims() + k)));
    let mut set = domain.clone().and(second.guard.clone());
    set = set.and(domain.clone().and(first.guard.clone()).substitute(&images));
    for (a, b) in second.index.iter().zip(&first.index) {
        set = set.and(Formula::equal(a, &b.substitute(&images)));
    }
    match ask(kernel.dims() + loops, &set) {
        Asked::Empty => None,
        Asked::GaveUp => {
            let what = "whether two stores write one element";
            Some(Fault::new(second.at, OutputsFact::Undecided { output: name.to_string(), what }))
        }
        Asked::Point(point) => {
            let other = point[kernel.dims()..].to_vec();
            let fact = OutputsFact::Twice { output: name.to_string(), same_store: false };
            Some(Fault::new(second.at, fact).with_witness(double(kernel, &point, other, second)))
        }
    }
}

/// A witness of two points that write the same element.
fn double(kernel: &Kernel, point: &[Int], other: Vec<Int>, store: &Store) -> Witness {
    let mut witness = witness(kernel, point);
    witness.other = Some(named(kernel, &other));
    witness.element = Some(store.index.iter().map(|f| f.eval(point).unwrap_or_default()).collect());
    witness
}

/// The fault of an element that no store writes: it lies in the shape, but not in the image of any store.
fn never(kernel: &Kernel, domain: &Formula, output: usize, stores: &[&Store]) -> Option<Fault> {
    let declared = &kernel.outputs[output];
    let (sizes, loops, rank) = (kernel.sizes.len(), kernel.loops.len(), declared.dims.len());
    // The dimensions are the sizes, the element, and the loops, which are projected away.
    let dims = sizes + rank + loops;
    let mut images: Vec<Form> = (0..sizes).map(Form::var).collect();
    images.extend((0..loops).map(|k| Form::var(sizes + rank + k)));
    let keep: Vec<bool> = (0..dims).map(|k| k < sizes + rank).collect();
    let mut missed = kernel.assumptions();
    for (axis, length) in declared.dims.iter().enumerate() {
        missed = missed.and(Formula::within(&Form::var(sizes + axis), &Form::constant(0), length));
    }
    let at = stores.first().map_or(declared.at, |s| s.at);
    for store in stores {
        let mut image = domain.clone().and(store.guard.clone()).substitute(&images);
        for (axis, form) in store.index.iter().enumerate() {
            image = image.and(Formula::equal(&Form::var(sizes + axis), &form.substitute(&images)));
        }
        let Some(written) = project(dims, &image, &keep) else {
            let what = "whether every element is stored";
            return Some(Fault::new(at, OutputsFact::Undecided { output: declared.name.text.clone(), what }));
        };
        missed = missed.and(written.negate());
    }
    match ask(sizes + rank, &missed) {
        Asked::Empty => None,
        Asked::GaveUp => {
            let what = "whether every element is stored";
            Some(Fault::new(at, OutputsFact::Undecided { output: declared.name.text.clone(), what }))
        }
        Asked::Point(point) => {
            let mut witness = witness(kernel, &point[..sizes]);
            witness.point.clear();
            witness.element = Some(point[sizes..].to_vec());
            let fact = OutputsFact::Never { output: declared.name.text.clone(), stored_anywhere: true };
            Some(Fault::new(at, fact).with_witness(witness))
        }
    }
}
