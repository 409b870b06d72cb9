//! Lengths in the laws: what two points know of each other's lengths, the names of lengths in witnesses, and where the loops of
//! lengths may stand in a map.
//!
//! ```text
//! for k in 0..K, i in 0..n[k]        the point (k, i) has the length n[k]
//!     S[k - 1, i]                    its producer (k - 1, i) has n[k - 1]: another unknown in the same range
//! ```
use super::set::{Asked, ask};
use crate::fault::{BlocksFact, Fault, Faults, SizesFact};
use crate::model::{Form, Formula, Int, Kernel, Length, Lengths, Mapping, ParameterKind};
use crate::planted::planted;

/// Another point of a kernel, beside the one that the kernel's dimensions stand for.
pub struct Other {
    /// One form per dimension of the kernel.
    pub images: Vec<Form>,
    /// The number of dimensions, with those of lengths that only the other point has.
    pub dims: usize,
    /// What these lengths may be.
    pub known: Formula,
    /// Their names, as the kernel could write them at the first point, where it could.
    pub names: Vec<String>,
}

/// The point with these loops. Dimensions from `first` on are free for its lengths.
pub fn other(kernel: &Kernel, loops: &[Form], first: usize) -> Other {
    let here: Vec<Form> = (0..kernel.dims()).map(Form::var).collect();
    let mut there: Vec<Form> = here[..kernel.sizes.len()].to_vec();
    there.extend(loops.iter().cloned());
    let mut other = Other { images: there.clone(), dims: first, known: Formula::True, names: Vec::new() };
    for length in kernel.lengths().filter(|_| !planted(93)) {
        let index = length.at(kernel, &there);
        let alike = || kernel.lengths().filter(|l| l.parameter == length.parameter);
        if let Some(same) = alike().find(|l| l.at(kernel, &here) == index) {
            other.images[length.size] = Form::var(same.size);
            continue;
        }
        let value = Form::var(other.dims);
        other.dims += 1;
        other.names.push(name(kernel, &length, &index));
        other.known = other.known.and(length.in_range(&value));
        for own in alike() {
            let equal = own.at(kernel, &here).iter().zip(&index).map(|(a, b)| Formula::equal(a, b)).collect();
            let same = Formula::equal(&value, &Form::var(own.size));
            other.known = other.known.and(Formula::All(equal).negate().or(same));
        }
        other.images[length.size] = value;
        // A point of the loops may have lengths beyond their array, and the other one need not even be a point.
        other.known = other.known.and(kernel.least_outside(&length, &other.images));
    }
    other
}

/// All lengths of a parameter are equal: an example in which points need not be told apart.
pub fn all_equal(kernel: &Kernel) -> Formula {
    let mut all = Vec::new();
    for length in kernel.lengths() {
        let first = kernel.lengths().find(|l| l.parameter == length.parameter).map_or(length.size, |l| l.size);
        if first != length.size {
            all.push(Formula::equal(&Form::var(first), &Form::var(length.size)));
        }
    }
    Formula::All(all)
}

/// A length as the kernel writes it: `n[k - 1]`.
fn name(kernel: &Kernel, length: &Length, index: &[Form]) -> String {
    let index: Vec<String> = index.iter().map(|form| super::set::text(kernel, form)).collect();
    format!("{}[{}]", kernel.parameters[length.parameter].name.text, index.join(", "))
}

/// The sizes of a point as a witness tells them: the lengths by their items, as in `n[2] = 3`.
pub fn sizes(kernel: &Kernel, point: &[Int], loops: &[Int]) -> Vec<(String, Int)> {
    let at = |k: usize| point.get(k).copied().unwrap_or_default();
    let mut sizes: Vec<(String, Int)> =
        kernel.sizes.iter().take(kernel.call_sizes()).enumerate().map(|(k, s)| (s.name.clone(), at(k))).collect();
    for length in kernel.lengths() {
        let index: Vec<Int> = length.index.iter().map(|(l, plus)| loops.get(*l).map_or(0, |v| v + plus)).collect();
        sizes.extend(item(kernel, length.parameter, &index, point).map(|name| (name, at(length.size))));
    }
    sizes
}

/// The name of an item, if the array has it.
pub fn item(kernel: &Kernel, parameter: usize, index: &[Int], sizes: &[Int]) -> Option<String> {
    let ParameterKind::Array { dims, .. } = &kernel.parameters[parameter].kind else { return None };
    let inside = index.iter().zip(dims).all(|(i, dim)| dim.eval(sizes).is_some_and(|n| (0..n).contains(i)));
    let index: Vec<String> = index.iter().map(Int::to_string).collect();
    inside.then(|| format!("{}[{}]", kernel.parameters[parameter].name.text, index.join(", ")))
}

/// The sizes of an example in which all lengths of a parameter are equal.
pub fn equal_sizes(kernel: &Kernel, point: &[Int]) -> Vec<(String, Int)> {
    let at = |k: usize| point.get(k).copied().unwrap_or_default();
    let mut sizes: Vec<(String, Int)> =
        kernel.sizes.iter().take(kernel.call_sizes()).enumerate().map(|(k, s)| (s.name.clone(), at(k))).collect();
    for length in kernel.lengths() {
        let name = format!("every {}", kernel.parameters[length.parameter].name.text);
        if !sizes.iter().any(|(n, _)| *n == name) {
            sizes.push((name, at(length.size)));
        }
    }
    sizes
}

/// A kernel whose lengths have no value would obey every law, and every call of it would fail.
pub fn some_length(kernel: &Kernel, faults: &mut Faults) {
    let sizes = kernel.call_sizes();
    let mut assumed: Vec<Formula> = (0..sizes).map(|k| Formula::AtLeast(Form::var(k).plus(-1))).collect();
    assumed.extend(kernel.conditions.iter().map(|c| c.formula.clone()));
    for (k, parameter) in kernel.parameters.iter().enumerate() {
        let Some(Lengths { least, most }) = kernel.range_of(k) else { continue };
        let some = Formula::All(assumed.clone()).and(Formula::at_least(most, &Form::constant(*least)));
        if matches!(ask(sizes, &some), Asked::Empty) && faults.is_empty() {
            let range = format!("{least}..={}", super::set::text(kernel, most));
            let fact = SizesFact::NoLengths { name: parameter.name.text.clone(), range };
            faults.push(Fault::new(parameter.name.at, fact));
        }
    }
}

/// ∀ length n[k]: no variable is shifted along k
pub fn shifts(kernel: &Kernel, mapping: &Mapping, faults: &mut Faults) {
    for length in kernel.lengths() {
        for (l, _) in length.index {
            if mapping.shifts.iter().any(|s| s.by[*l] != 0) {
                let (length, loop_name) = (kernel.sizes[length.size].name.clone(), kernel.loops[*l].name.text.clone());
                faults.push(Fault::new(mapping.at, BlocksFact::ShiftedLengths { length, loop_name }));
                return;
            }
        }
    }
}

/// ∀ length n[k]: all points of a step of a block have the same k, because k is a loop of blocks, launches or time
pub fn check(kernel: &Kernel, mapping: &Mapping, faults: &mut Faults) {
    for length in kernel.lengths() {
        for (l, _) in length.index {
            let (name, loop_name) = (kernel.sizes[length.size].name.clone(), kernel.loops[*l].name.text.clone());
            let leaf = mapping.leaf_of(*l);
            let of_step = |leaf: &usize| {
                [&mapping.launches, &mapping.blocks, &mapping.sequential].iter().any(|list| list.contains(leaf))
            };
            if leaf.filter(of_step).is_none() {
                let at = mapping.lanes_at.unwrap_or(mapping.at);
                let fault = Fault::new(at, BlocksFact::Lengths { length: name, loop_name: loop_name.clone() });
                faults.push(
                    fault.with_advice(format!("let every value of `{loop_name}` be a block: `blocks ({loop_name});`")),
                );
                return;
            }
        }
    }
}
