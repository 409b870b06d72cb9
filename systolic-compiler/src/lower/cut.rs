//! Breaks cycles between the values of a step.
//!
//! The laws have proved that the reads of every point have an order. The body contains all reads of the equations, also those
//! that no point makes in some instance, and these may close a cycle.
use crate::dependence::in_register;
use crate::laws::Edge;
use crate::mapping::{Layout, TimeLoop};
use crate::model::{Formula, Reader};
use crate::sorted::SortedSet;
use systolic_sets::{Answer, find_point};

/// The reads of a cycle to leave out: one of a copy, which is fed instead, or else those that no point makes. Other instances
/// of such a read are likely to close cycles of their own, so they are left out at once.
pub fn cut(layout: &Layout, ring: &[Edge]) -> Vec<Edge> {
    let copy = |e: &&Edge| layout.kernel.equations[e.variable].copy.is_some();
    if let Some(edge) = ring.iter().rev().find(copy) {
        return vec![edge.clone()];
    }
    let never: Vec<&Edge> = ring.iter().filter(|e| is_never_read(layout, e)).collect();
    let in_all = never.iter().flat_map(|edge| {
        layout.instances.iter().map(|i| Edge { unrolled: i.unrolled.clone(), register: i.register, ..(*edge).clone() })
    });
    let all: SortedSet<Edge> = in_all.collect();
    all.into_iter().filter(|edge| never.contains(&edge) || is_never_read(layout, edge)).collect()
}

/// Whether no point of the domain makes this read in this instance.
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
    for (row, u) in layout.unrolled.iter().zip(&edge.unrolled) {
        set = set.and(Formula::Zero(places.form(&places.rows[*row]).plus(-u)));
    }
    // A fold that became a loop has no registers.
    if !layout.loops.contains(&TimeLoop::Fold) {
        set = in_register(layout.mapping, places, &layout.ranges, set, edge.register);
    }
    matches!(find_point(places.dims(), &set), Answer::None)
}
