//! The box that holds all iteration points of a kernel.
use super::{Form, Kernel};

/// The least value of every loop, and the number of values, as forms of the sizes: a box that holds all points.
pub fn hull(kernel: &Kernel) -> Vec<(Form, Form)> {
    let mut ends: Vec<(Form, Form)> = Vec::new();
    for l in &kernel.loops {
        let (low, _) = interval(kernel, &l.low, &ends);
        let (_, high) = interval(kernel, &l.high.plus(-1), &ends);
        ends.push((low, high));
    }
    ends.into_iter().map(|(low, high)| (low.clone(), high.sub(&low).plus(1))).collect()
}

/// The least and the greatest value of a form, where those of the loops that it uses are known. Lengths lie in their ranges.
fn interval(kernel: &Kernel, form: &Form, loops: &[(Form, Form)]) -> (Form, Form) {
    let (mut low, mut high) = (Form::constant(form.constant), Form::constant(form.constant));
    for (k, c) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
        let ends = match k.checked_sub(kernel.sizes.len()) {
            Some(l) => loops[l].clone(),
            None => match kernel.lengths().find(|length| length.size == k) {
                Some(length) => (Form::constant(length.range.least), length.range.most.clone()),
                None => (Form::var(k), Form::var(k)),
            },
        };
        let (least, most) = if *c > 0 { (&ends.0, &ends.1) } else { (&ends.1, &ends.0) };
        low = low.add(&least.scale(*c));
        high = high.add(&most.scale(*c));
    }
    (low, high)
}
