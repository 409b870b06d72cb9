//! Objections of brute force to kernels that the laws accept.
use systolic_compiler::Checked;
use systolic_compiler::evaluate::{EvaluateError, evaluate, random_inputs};
use systolic_compiler::model::{Int, Kernel};
use systolic_oracle::{Step, few_sizes, more_violations, placed, places, reordered, violations, wrong_copies};

/// Only sizes with at most this many points are tested.
const FEW: usize = 700;
/// At most this many sizes are tested.
const MOST: usize = 16;

/// The violations that brute force finds in the accepted kernels of a text.
pub fn objections(checked: &Checked) -> Vec<String> {
    let mut all = Vec::new();
    for (_, instances) in &checked.kernels {
        // Instances differ only in numbers, so test the first and the last.
        let ends = instances.first().into_iter().chain(instances.last().filter(|_| instances.len() > 1));
        all.extend(ends.filter_map(|lawful| objection(lawful.kernel())));
    }
    all
}

/// A violation that brute force finds in an accepted instance.
pub fn objection(kernel: &Kernel) -> Option<String> {
    let odd = wrong_copies(kernel);
    if !odd.is_empty() {
        return Some(format!("copies of variables {odd:?}"));
    }
    let sizes = few_sizes(kernel, &kernel.maps, FEW, MOST);
    for s in &sizes {
        if let Some(v) = violations(kernel, s).first() {
            return Some(format!("accepted, but at sizes {s:?}: {v}"));
        }
        match evaluate(kernel, s, &random_inputs(kernel, s, 0)) {
            Ok(_) | Err(EvaluateError::TooLarge) => {}
            Err(error) => return Some(format!("accepted, but evaluated at sizes {s:?}: {error}")),
        }
    }
    objection_to_maps(kernel, &sizes)
}

fn objection_to_maps(kernel: &Kernel, sizes: &[Vec<Int>]) -> Option<String> {
    for mapping in &kernel.maps {
        let kernel = &*placed(kernel, mapping);
        let places = places(kernel, mapping);
        let mut step = Step::default();
        for s in sizes {
            if let Some(v) = more_violations(kernel, mapping, &places, s, &mut step).first() {
                return Some(format!("map accepted, but at sizes {s:?}: {v}"));
            }
            if let Some(why) = reordered(kernel, mapping, &places, s) {
                return Some(format!("at sizes {s:?} {why}"));
            }
        }
    }
    None
}
