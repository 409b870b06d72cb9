//! Boxes of points: where the values of a variable stand in an array between members, and loops of which a member needs one value.
use super::graph::Edge;
use super::{Axis, Between, Group, Node};
use crate::model::{Form, Formula, Kernel, hull};

/// The array that carries a variable to these readers in later members.
pub fn between(kernel: &Kernel, name: String, variable: usize, edges: &[&Edge]) -> Between {
    let (mut axes, mut fixed) = (Vec::new(), Vec::new());
    for (l, (low, length)) in hull(kernel).into_iter().enumerate() {
        // The producer stands at the reader's value less the distance.
        let mut values = edges.iter().map(|edge| Some(pinned(kernel, &edge.guard, l)?.plus(-edge.distance[l])));
        let first = values.next().flatten();
        match first.filter(|first| values.all(|value| value.is_some_and(|value| is_same(&value, first)))) {
            Some(value) => fixed.push((l, value)),
            None => axes.push(Axis { of: l, low, length }),
        }
    }
    // An array has at least one axis.
    if axes.is_empty()
        && let Some((of, low)) = fixed.pop()
    {
        axes.push(Axis { of, low, length: Form::constant(1) });
    }
    Between { name, variable, ty: kernel.equations[variable].ty, axes, fixed }
}

/// The loops of which a member needs one value only, with that value: everything that it stores is stored there, and nothing is read
/// along them. `repeated` are the variables that it computes besides its own.
pub fn needed_once(
    kernel: &Kernel,
    group: &Group,
    repeated: &[usize],
    stored: &[&Between],
    edges: &[Edge],
) -> Vec<(usize, Form)> {
    let is_inside = |node: &Node| group.contains(node) || matches!(node, Node::Variable(n) if repeated.contains(n));
    let mut found = Vec::new();
    for (l, of) in kernel.loops.iter().enumerate() {
        let moves = |e: &Edge| is_inside(&e.reader) && is_inside(&Node::Variable(e.variable)) && e.distance[l] != 0;
        if kernel.gives_lengths(l) || edges.iter().any(moves) || !is_never_empty(kernel, l) {
            continue;
        }
        let stores = kernel.stores.iter().filter(|store| group.contains(&Node::Output(store.output)));
        let stores = stores.map(|store| pinned(kernel, &store.guard, l));
        let arrays =
            stored.iter().map(|b| b.fixed.iter().find(|(fixed, _)| *fixed == l).map(|(_, value)| value.clone()));
        let mut values = stores.chain(arrays);
        let Some(Some(first)) = values.next() else { continue };
        // Values at one of its ends are values of the loop.
        let is_end = is_same(&first, &of.low) || is_same(&first, &of.high.plus(-1));
        if is_end && values.all(|value| value.is_some_and(|value| is_same(&value, &first))) {
            found.push((l, first));
        }
    }
    found
}

/// Whether a loop has an iteration for all sizes: its length follows from sizes, which are at least 1, with factors above 0.
fn is_never_empty(kernel: &Kernel, l: usize) -> bool {
    let length = kernel.loops[l].high.sub(&kernel.loops[l].low);
    length.coefs.iter().all(|c| *c >= 0)
        && length.dims() <= kernel.call_sizes()
        && length.constant + length.coefs.iter().sum::<i128>() >= 1
}

/// The value of a loop at all points where a guard holds, if that is a form of the sizes and the guard says so without detours.
fn pinned(kernel: &Kernel, guard: &Formula, l: usize) -> Option<Form> {
    let dim = kernel.loop_dim(l);
    let (mut lows, mut highs) = (vec![kernel.loops[l].low.clone()], vec![kernel.loops[l].high.plus(-1)]);
    let mut all = vec![guard];
    while let Some(part) = all.pop() {
        match part {
            Formula::All(parts) => all.extend(parts),
            Formula::AtLeast(form) => match form.coef(dim) {
                // loop + rest ≥ 0
                1 => lows.push(form.sub(&Form::var(dim)).neg()),
                -1 => highs.push(form.add(&Form::var(dim))),
                _ => {}
            },
            Formula::Zero(form) => match form.coef(dim) {
                1 => lows.extend([form.sub(&Form::var(dim)).neg()]),
                -1 => lows.extend([form.add(&Form::var(dim))]),
                _ => {}
            },
            _ => {}
        }
        if let Formula::Zero(form) = part
            && form.coef(dim).abs() == 1
        {
            highs.extend(lows.last().cloned());
        }
    }
    let of_sizes = |form: &&Form| form.dims() <= kernel.call_sizes();
    let value = lows.iter().filter(of_sizes).find(|low| highs.iter().any(|high| is_same(low, high)))?;
    Some(value.clone())
}

fn is_same(a: &Form, b: &Form) -> bool {
    let difference = a.sub(b);
    difference.is_constant() && difference.constant == 0
}
