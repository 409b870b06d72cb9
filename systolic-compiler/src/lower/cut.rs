//! Rings within a step that no point closes: the edges that can be left out.
//! The laws have seen that the reads that happen have an order; the body is built from all that are written.
use crate::dependence::in_register;
use crate::laws::Edge;
use crate::mapping::{Layout, Rolled};
use crate::model::{Formula, Reader};
use systolic_sets::{Answer, find_point};

/// The edges of a ring to leave out: a copy is fed instead, and what no point reads is nothing.
pub fn cut(layout: &Layout, ring: &[Edge]) -> Vec<Edge> {
    let copy = |e: &&Edge| layout.kernel.equations[e.variable].copy.is_some();
    match ring.iter().rev().find(copy) {
        Some(edge) => vec![edge.clone()],
        None => ring.iter().filter(|e| is_never_read(layout, e)).cloned().collect(),
    }
}

/// Whether no point of the domain reads so in this instance.
fn is_never_read(layout: &Layout, edge: &Edge) -> bool {
    let (kernel, places) = (layout.kernel, layout.places);
    let Some(class) = layout.dependences.of(&edge.distance).get(edge.class) else { return false };
    let guards = kernel.reads().into_iter().filter(|r| {
        edge.reader.map(Reader::Equation) == Some(r.reader)
            && r.variable == edge.variable
            && r.distance == edge.distance.as_slice()
    });
    let images = places.images(kernel);
    let guard = Formula::Any(guards.map(|r| r.guard.substitute(&images)).collect());
    let mut set = places.domain(kernel, layout.mapping).and(guard).and(class.condition.clone());
    for (row, u) in layout.written.iter().zip(&edge.written) {
        set = set.and(Formula::Zero(places.form(&places.rows[*row]).plus(-u)));
    }
    // A fold that is a loop of its own has no registers.
    if !layout.rolled.contains(&Rolled::Fold) {
        set = in_register(layout.mapping, places, &layout.ranges, set, edge.register);
    }
    matches!(find_point(places.dims(), &set), Answer::None)
}
