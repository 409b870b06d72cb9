//! ∀ element of an output: exactly one store at exactly one point of its guard writes it; with `rest` at most one does
use super::lengths;
use super::set::{Asked, ask, named, text, witness, zero};
use crate::fault::{BoundsFact, Fact, Fault, Faults, OutputsFact, Witness};
use crate::model::{Form, Formula, Int, Kernel, Store};
use crate::planted::planted;
use systolic_sets::{Matrix, project};

pub fn check(kernel: &Kernel, faults: &mut Faults) {
    let domain = kernel.domain();
    for (o, output) in kernel.outputs.iter().enumerate() {
        let stores: Vec<&Store> = kernel.stores.iter().filter(|s| s.output == o).collect();
        let name = &output.name.text;
        if stores.is_empty() {
            let fact = OutputsFact::Never { output: name.clone(), is_scalar: output.is_scalar, stored_anywhere: false };
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
        if !twice && output.rest.is_none() && !planted(94) && !faults.iter().any(leaves) {
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
    let other = lengths::other(kernel, &images[kernel.sizes.len()..], kernel.dims() + lattice.len());
    let (all, second) = (&other.images, first.substitute(&other.images).and(other.known.clone()));
    let dims = other.dims;
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
                let other: Vec<Int> = all.iter().map(|f| f.eval(&point).unwrap_or_default()).collect();
                let (lengths, other) = other.split_at(kernel.sizes.len());
                let fact = twice(kernel, store, true);
                let fault = Fault::new(store.at, fact).with_witness(double(kernel, &point, (lengths, other), store));
                return Some(at_one_point(kernel, fault));
            }
        }
    }
    None
}

fn twice(kernel: &Kernel, store: &Store, same_store: bool) -> OutputsFact {
    let output = &kernel.outputs[store.output];
    OutputsFact::Twice { output: output.name.text.clone(), is_scalar: output.is_scalar, same_store }
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
    let there: Vec<Form> = (0..loops).map(|k| Form::var(kernel.dims() + k)).collect();
    let other = lengths::other(kernel, &there, kernel.dims() + loops);
    let images = &other.images;
    let mut set = domain.clone().and(second.guard.clone()).and(other.known.clone());
    set = set.and(domain.clone().and(first.guard.clone()).substitute(images));
    for (a, b) in second.index.iter().zip(&first.index) {
        set = set.and(Formula::equal(a, &b.substitute(images)));
    }
    match ask(other.dims, &set) {
        Asked::Empty => None,
        Asked::GaveUp => {
            let what = "whether two stores write one element";
            Some(Fault::new(second.at, OutputsFact::Undecided { output: name.to_string(), what }))
        }
        Asked::Point(point) => {
            let other: Vec<Int> = images.iter().map(|f| f.eval(&point).unwrap_or_default()).collect();
            let fact = twice(kernel, second, false);
            let other = other.split_at(kernel.sizes.len());
            Some(Fault::new(second.at, fact).with_witness(double(kernel, &point, other, second)))
        }
    }
}

/// A witness of two points that write the same element: the first, and the sizes and the loops of the other.
fn double(kernel: &Kernel, point: &[Int], (sizes, other): (&[Int], &[Int]), store: &Store) -> Witness {
    let mut witness = witness(kernel, point);
    for size in lengths::sizes(kernel, sizes, other) {
        if !witness.sizes.contains(&size) {
            witness.sizes.push(size);
        }
    }
    witness.other = Some(named(kernel, other));
    witness.element = Some(store.index.iter().map(|f| f.eval(point).unwrap_or_default()).collect());
    witness
}

/// The fault of an element that no store writes: it lies in the shape, but not in the image of any store.
fn never(kernel: &Kernel, domain: &Formula, output: usize, stores: &[&Store]) -> Option<Fault> {
    let declared = &kernel.outputs[output];
    let at = stores.first().map_or(declared.at, |s| s.at);
    let undecided = || {
        let what = "whether every element is stored";
        Fault::new(at, OutputsFact::Undecided { output: declared.name.text.clone(), what })
    };
    let element = Element::new(kernel, stores);
    if !element.tells_items() && !stores.iter().all(|store| one_item(kernel, domain, store)) {
        return Some(undecided());
    }
    let Some(missed) = missed(kernel, domain, output, stores, &element) else { return Some(undecided()) };
    let dims = element.dims(kernel, output, stores.len());
    let point = match ask(dims, &missed) {
        Asked::Empty => return None,
        Asked::GaveUp => return Some(undecided()),
        Asked::Point(point) if element.tells_items() => point,
        // An example in which all lengths are equal needs no items.
        Asked::Point(_) => match ask(dims, &missed.and(element.all_equal(kernel, output, stores.len()))) {
            Asked::Point(point) => point,
            Asked::Empty | Asked::GaveUp => return Some(undecided()),
        },
    };
    let (sizes, rank) = (kernel.sizes.len(), declared.dims.len());
    let mut witness = witness(kernel, &point[..sizes]);
    witness.point.clear();
    let found = point[sizes..sizes + rank].to_vec();
    witness.sizes = match &element.loops {
        Some(loops) => {
            let loops: Vec<Int> = loops.iter().map(|f| f.as_ref().map_or(0, |(axis, c)| found[*axis] - c)).collect();
            lengths::sizes(kernel, &point, &loops)
        }
        None => lengths::equal_sizes(kernel, &point),
    };
    witness.element = Some(found);
    let (output, is_scalar) = (declared.name.text.clone(), declared.is_scalar);
    let fact = OutputsFact::Never { output, is_scalar, stored_anywhere: true };
    let fault = Fault::new(at, fact).with_witness(witness);
    if kernel.lengths().next().is_none() {
        return Some(fault);
    }
    let code = format!("{} rest {}", declared.written, zero(declared.ty));
    let words = format!("say what such elements hold, here zero: `{}: {code}`", declared.name.text);
    Some(fault.with_edit(words, declared.array_at, code))
}

/// The elements of an output that no store writes, as far as that is decided. The dimensions are the sizes, the element and the
/// lengths of every store.
fn missed(kernel: &Kernel, domain: &Formula, output: usize, stores: &[&Store], element: &Element) -> Option<Formula> {
    let declared = &kernel.outputs[output];
    let (sizes, loops) = (kernel.sizes.len(), kernel.loops.len());
    // The loops come last, and are projected away.
    let kept = element.dims(kernel, output, stores.len());
    let keep: Vec<bool> = (0..kept + loops).map(|k| k < kept).collect();
    let mut missed = kernel.assumptions();
    for (axis, length) in declared.dims.iter().enumerate() {
        missed = missed.and(Formula::within(&Form::var(sizes + axis), &Form::constant(0), length));
    }
    missed = missed.and(element.outside(kernel));
    for (number, store) in stores.iter().enumerate() {
        let mut images = element.sizes_of(kernel, output, number);
        for length in kernel.lengths().filter(|_| !element.tells_items()) {
            missed = missed.and(length.in_range(&images[length.size]));
        }
        images.extend((0..loops).map(|k| Form::var(kept + k)));
        // A store with lengths of its own may have any of them outside their arrays.
        let points = if element.tells_items() { domain.clone() } else { kernel.within_loops() };
        let mut image = points.and(store.guard.clone()).substitute(&images);
        for (axis, form) in store.index.iter().enumerate() {
            image = image.and(Formula::equal(&Form::var(sizes + axis), &form.substitute(&images)));
        }
        missed = missed.and(project(kept + loops, &image, &keep)?.negate());
    }
    Some(missed)
}

/// What an element tells of the items whose points store it.
struct Element {
    /// Per loop, the axis of the element that has its value plus a constant, in all stores. `None` if a loop of lengths has none:
    /// then every store has lengths of its own.
    loops: Option<Vec<Option<(usize, Int)>>>,
}

impl Element {
    fn new(kernel: &Kernel, stores: &[&Store]) -> Element {
        let axis = |l: usize| {
            let var = Form::var(kernel.loop_dim(l));
            let found = |store: &Store| {
                let each = store.index.iter().enumerate();
                let mut alone = each.filter_map(|(a, form)| {
                    let rest = form - &var;
                    rest.is_constant().then_some((a, rest.constant))
                });
                alone.next()
            };
            let first = found(stores.first()?)?;
            stores.iter().all(|store| found(store) == Some(first)).then_some(first)
        };
        let all: Vec<Option<(usize, Int)>> = (0..kernel.loops.len()).map(axis).collect();
        let tells = (0..all.len()).all(|l| all[l].is_some() || !kernel.has_lengths_along(l));
        Element { loops: tells.then_some(all) }
    }

    fn tells_items(&self) -> bool {
        self.loops.is_some()
    }

    /// The dimensions of sizes, element and lengths of the stores.
    fn dims(&self, kernel: &Kernel, output: usize, stores: usize) -> usize {
        let own = if self.tells_items() { 0 } else { stores * kernel.lengths().count() };
        kernel.sizes.len() + kernel.outputs[output].dims.len() + own
    }

    /// The sizes as one store knows them.
    fn sizes_of(&self, kernel: &Kernel, output: usize, store: usize) -> Vec<Form> {
        let mut images: Vec<Form> = (0..kernel.sizes.len()).map(Form::var).collect();
        if !self.tells_items() {
            let first = self.dims(kernel, output, store);
            kernel.lengths().enumerate().for_each(|(n, length)| images[length.size] = Form::var(first + n));
        }
        images
    }

    /// All lengths of a parameter are equal, in all stores, also outside their arrays.
    fn all_equal(&self, kernel: &Kernel, output: usize, stores: usize) -> Formula {
        let mut all = vec![lengths::all_equal(kernel)];
        for length in kernel.lengths().filter(|l| kernel.reaches_beyond(l)) {
            all.push(Formula::equal(&Form::var(length.size), &Form::constant(length.range.least)));
        }
        for store in 0..stores {
            let images = self.sizes_of(kernel, output, store);
            all.extend(kernel.lengths().map(|l| Formula::equal(&images[l.size], &Form::var(l.size))));
        }
        Formula::All(all)
    }

    /// Lengths outside their array, at the items of the element.
    fn outside(&self, kernel: &Kernel) -> Formula {
        let Some(loops) = &self.loops else { return Formula::True };
        let mut images: Vec<Form> = (0..kernel.sizes.len()).map(Form::var).collect();
        let sizes = kernel.sizes.len();
        images.extend(loops.iter().map(|axis| match axis {
            Some((axis, c)) => Form::var(sizes + axis).plus(-c),
            None => Form::constant(0),
        }));
        let beyond = kernel.lengths().filter(|l| kernel.reaches_beyond(l));
        Formula::All(beyond.map(|l| kernel.least_outside(&l, &images)).collect())
    }
}

/// Whether all points at which a store writes an element have the same items, whatever the lengths are. Then the lengths of one
/// item decide whether it does.
fn one_item(kernel: &Kernel, domain: &Formula, store: &Store) -> bool {
    let (dims, loops) = (kernel.dims(), kernel.loops.len());
    let mut images: Vec<Form> = (0..kernel.sizes.len()).map(Form::var).collect();
    for (n, length) in kernel.lengths().enumerate() {
        images[length.size] = Form::var(dims + loops + n);
    }
    images.extend((0..loops).map(|k| Form::var(dims + k)));
    let first = domain.clone().and(store.guard.clone());
    let mut set = first.clone().and(first.substitute(&images));
    for form in &store.index {
        set = set.and(Formula::equal(form, &form.substitute(&images)));
    }
    let along = (0..loops).filter(|l| kernel.has_lengths_along(*l)).map(|l| kernel.loop_dim(l));
    let apart = along.map(|dim| Formula::differs(&Form::var(dim), &images[dim])).collect();
    matches!(ask(dims + loops + kernel.lengths().count(), &set.and(Formula::Any(apart))), Asked::Empty)
}
