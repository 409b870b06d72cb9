//! Queries to the decision procedure, and witnesses from its answers.
use super::lengths;
use crate::fault::Witness;
use crate::model::{Form, Formula, Int, Kernel};
use systolic_sets::{Answer, find_point, smallest_point};

/// The answer to a query: whether a set has a point.
pub enum Asked {
    Empty,
    /// It has this one, the smallest if that was found; sizes are compared first.
    Point(Vec<Int>),
    /// The answer would take too much work.
    GaveUp,
}

/// Searches a set for a point. The cheap query comes first: most sets are empty, and only a witness has to be small.
pub fn ask(dims: usize, formula: &Formula) -> Asked {
    match find_point(dims, formula) {
        Answer::None => Asked::Empty,
        Answer::GaveUp => Asked::GaveUp,
        Answer::Point(found) => match smallest_point(dims, formula, &[]) {
            Answer::Point(small) => Asked::Point(small),
            Answer::None | Answer::GaveUp => Asked::Point(found),
        },
    }
}

/// A point of the kernel's dimensions as a witness.
pub fn witness(kernel: &Kernel, point: &[Int]) -> Witness {
    let at = |k: usize| point.get(k).copied().unwrap_or_default();
    let loops: Vec<Int> = (0..kernel.loops.len()).map(|k| at(kernel.loop_dim(k))).collect();
    Witness { sizes: lengths::sizes(kernel, point, &loops), point: named(kernel, &loops), other: None, element: None }
}

/// The names of the loops with these values.
pub fn named(kernel: &Kernel, values: &[Int]) -> Vec<(String, Int)> {
    kernel.loops.iter().map(|l| l.name.text.clone()).zip(values.iter().copied()).collect()
}

/// The loops of the point z − e that a read at the point z reads.
pub fn source(kernel: &Kernel, point: &[Int], distance: &[Int]) -> Vec<Int> {
    distance.iter().enumerate().map(|(k, d)| point[kernel.loop_dim(k)] - d).collect()
}

/// The substitution of z − e for z: one form per dimension of the kernel. Lengths stay those of z.
pub fn shifted(kernel: &Kernel, distance: &[Int]) -> Vec<Form> {
    let mut images: Vec<Form> = (0..kernel.sizes.len()).map(Form::var).collect();
    images.extend(distance.iter().enumerate().map(|(k, d)| Form::var(kernel.loop_dim(k)).plus(-d)));
    images
}

/// A form in the names of the kernel, such as `2 * c + q - 1`.
pub fn text(kernel: &Kernel, form: &Form) -> String {
    let names = kernel.sizes.iter().map(|s| s.name.as_str()).chain(kernel.loops.iter().map(|l| l.name.text.as_str()));
    text_of(form, &names.collect::<Vec<_>>())
}

/// A form in these names. Loops come before sizes, as people write them.
pub fn text_of(form: &Form, names: &[&str]) -> String {
    let mut text = String::new();
    let terms = (0..names.len()).rev().map(|k| (form.coef(k), Some(names[k])));
    for (coef, name) in terms.chain([(form.constant, None)]) {
        if coef == 0 {
            continue;
        }
        let sign = match (text.is_empty(), coef < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let size = coef.unsigned_abs();
        match (name, size) {
            (Some(name), 1) => text.push_str(&format!("{sign}{name}")),
            (Some(name), _) => text.push_str(&format!("{sign}{size} * {name}")),
            (None, _) => text.push_str(&format!("{sign}{size}")),
        }
    }
    if text.is_empty() { "0".to_string() } else { text }
}

/// The zero of a type, as the language writes it.
pub fn zero(ty: crate::model::Type) -> &'static str {
    match ty {
        t if t.is_float() => "0.0",
        crate::model::Type::Bool => "false",
        _ => "0",
    }
}
