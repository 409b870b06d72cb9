//! ∀ z ∈ D, ∀ read or store a[A z + b] at z whose guards hold: 0 ≤ A z + b < dims(a)
//!
//! No access leaves its array, except reads of an array with a border. If the border maps an index back to an element (`clamp`,
//! `wrap`, …), the array must have one. An index that is a value lies anywhere, so such a read needs a border.
use super::set::{Asked, ask, witness};
use crate::fault::{BoundsFact, Fault, Faults};
use crate::model::{Array, Form, Formula, Kernel, ParameterKind};
use crate::region::Region;

pub fn check(kernel: &Kernel, faults: &mut Faults) {
    let domain = kernel.domain();
    for access in kernel.accesses() {
        let (name, dims, border_help) = match access.array {
            Array::Parameter(k) => {
                let p = &kernel.parameters[k];
                match &p.kind {
                    ParameterKind::Array { dims, border: Some(border), .. } if border.leads_back() => {
                        let set = domain.clone().and(access.guard.clone());
                        let found = empty(kernel, &set, &p.name.text, dims, |axis| access.index_at[axis]);
                        // An empty array is one mistake, however many reads it has: one error.
                        let new = found.filter(|f| !faults.iter().any(|told| told.fact == f.fact));
                        faults.extend(new);
                        continue;
                    }
                    ParameterKind::Array { dims, border: None, .. } => (&p.name.text, dims.clone(), p.written.clone()),
                    ParameterKind::Const { dims, .. } => (&p.name.text, numbers(dims), None),
                    _ => continue,
                }
            }
            Array::Constant(k) => (&kernel.constants[k].name.text, numbers(&kernel.constants[k].dims), None),
        };
        let question = Question { kernel, domain: &domain, name, dims: &dims, store: false };
        if let Some(fault) = question.leaves(access.index, &access.guard, access.index_at) {
            faults.push(match border_help {
                Some((at, text)) => {
                    let code = format!("{text} border zero");
                    let words =
                        format!("say what stands outside, here zeros: `{name}: {code}`; or change the dimension");
                    fault.with_edit(words, at, code)
                }
                None => fault,
            });
        }
    }
    for (array, guard, at) in kernel.lookups() {
        let Array::Parameter(k) = array else { continue };
        let parameter = &kernel.parameters[k];
        if let ParameterKind::Array { dims, border: Some(border), .. } = &parameter.kind
            && border.leads_back()
        {
            let found = empty(kernel, &domain.clone().and(guard), &parameter.name.text, dims, |_| at);
            let new = found.filter(|f| !faults.iter().any(|told| told.fact == f.fact));
            faults.extend(new);
        }
    }
    for store in &kernel.stores {
        let output = &kernel.outputs[store.output];
        let question = Question { kernel, domain: &domain, name: &output.name.text, dims: &output.dims, store: true };
        faults.extend(question.leaves(&store.index, &store.guard, &store.index_at));
    }
}

/// The fault of a read whose border maps indices back to an element, although the array is empty at some sizes.
fn empty(kernel: &Kernel, read: &Formula, name: &str, dims: &[Form], at: impl Fn(usize) -> Region) -> Option<Fault> {
    for (axis, length) in dims.iter().enumerate() {
        match ask(kernel.dims(), &read.clone().and(Formula::AtLeast(-length))) {
            Asked::Empty => {}
            Asked::GaveUp => {
                return Some(Fault::new(at(axis), BoundsFact::Undecided { array: name.to_string() }));
            }
            Asked::Point(point) => {
                let fact = BoundsFact::Empty { array: name.to_string(), axis };
                return Some(Fault::new(at(axis), fact).with_witness(witness(kernel, &point)));
            }
        }
    }
    None
}

fn numbers(dims: &[i128]) -> Vec<Form> {
    dims.iter().map(|d| Form::constant(*d)).collect()
}

struct Question<'a> {
    kernel: &'a Kernel,
    domain: &'a Formula,
    name: &'a str,
    dims: &'a [Form],
    store: bool,
}

impl Question<'_> {
    /// The fault of the first index that leaves the array.
    fn leaves(&self, index: &[Form], guard: &Formula, index_at: &[Region]) -> Option<Fault> {
        for (axis, (form, length)) in index.iter().zip(self.dims).enumerate() {
            for outside in [Formula::AtLeast((-form).plus(-1)), Formula::at_least(form, length)] {
                let set = self.domain.clone().and(guard.clone()).and(outside);
                match ask(self.kernel.dims(), &set) {
                    Asked::Empty => {}
                    Asked::GaveUp => {
                        let fact = BoundsFact::Undecided { array: self.name.to_string() };
                        return Some(Fault::new(index_at[axis], fact));
                    }
                    Asked::Point(point) => {
                        let value = |f: &Form| f.eval(&point).unwrap_or_default();
                        let fact = BoundsFact::Outside {
                            array: self.name.to_string(),
                            axis,
                            index: value(form),
                            length: value(length).max(0),
                            store: self.store,
                        };
                        let mut witness = witness(self.kernel, &point);
                        witness.element = Some(index.iter().map(value).collect());
                        return Some(Fault::new(index_at[axis], fact).with_witness(witness));
                    }
                }
            }
        }
        None
    }
}
