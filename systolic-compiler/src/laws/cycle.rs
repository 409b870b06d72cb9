//! ∃ an order of all values in which every value comes after those it reads
//!
//! The search tries, in this order:
//!
//! 1. a nest of the loops themselves;
//! 2. affine keys: per strongly connected part of the equations a row h and one constant c per variable, such that
//!    h·e + c(reader) − c(source) ≥ 0 for every read at distance e, and then the same for the reads where this is 0;
//! 3. a cycle of values, as the counterexample (`ring`).
use super::order::{Direction, Key, Order};
use super::ring;
use super::set::{Asked, ask};
use crate::fault::{CycleFact, Fact, Fault, Faults};
use crate::model::{Form, Formula, Int, Kernel, Read, Reader};

/// A dependence: equation `reader` at point z reads equation `source` at z − distance.
#[derive(Clone, Debug)]
pub struct Edge<'k> {
    pub reader: usize,
    pub source: usize,
    pub read: Read<'k>,
}

/// Whether the fault says that neither an order nor a cycle was found.
pub fn is_limit(fault: &Fault) -> bool {
    matches!(fault.fact, Fact::Cycle(CycleFact::NoOrder { .. }))
}

pub fn check(kernel: &Kernel, faults: &mut Faults) -> Option<Order> {
    let mut edges: Vec<Edge> = kernel
        .reads()
        .into_iter()
        .filter_map(|read| match read.reader {
            Reader::Equation(reader) => Some(Edge { reader, source: read.variable, read }),
            Reader::Store(_) => None,
        })
        .collect();
    if let Some(order) = nest(kernel, &edges) {
        return Some(order);
    }
    // Reads whose guards never hold are removed only now, since finding them takes one query per read.
    let domain = kernel.domain();
    edges.retain(|e| !matches!(ask(kernel.dims(), &domain.clone().and(e.read.guard.clone())), Asked::Empty));
    if let Some(order) = nest(kernel, &edges) {
        return Some(order);
    }
    let mut keys = vec![Vec::new(); kernel.equations.len()];
    let all: Vec<usize> = (0..kernel.equations.len()).collect();
    let stuck = match cut(kernel, &all, &edges.iter().collect::<Vec<_>>(), &mut keys) {
        Ok(()) => return Some(Order::Keys(keys)),
        Err(stuck) => stuck,
    };
    let inside = |e: &&Edge| stuck.contains(&e.reader) && stuck.contains(&e.source);
    let suspects: Vec<&Edge> = edges.iter().filter(inside).collect();
    let found = ring::find(kernel, &domain, &suspects);
    faults.push(found.unwrap_or_else(|| {
        let at = suspects.first().map_or(kernel.name.at, |e| e.read.at);
        let variables = stuck.iter().map(|v| kernel.equations[*v].variable.text.clone()).collect();
        Fault::new(at, CycleFact::NoOrder { variables })
    }));
    None
}

/// A nest of the loops, each upwards or downwards, in which every read goes to an earlier point, with an order of the equations
/// inside it; `None` if there is no such nest.
fn nest(kernel: &Kernel, edges: &[Edge]) -> Option<Order> {
    let mut open: Vec<&Edge> = edges.iter().collect();
    // Stores run in the same nest, after the equations of their point.
    let reads = kernel.reads();
    let stores = reads.iter().filter(|r| matches!(r.reader, Reader::Store(_)));
    let mut stored: Vec<&[Int]> = stores.map(|r| r.distance).collect();
    let mut free: Vec<usize> = (0..kernel.loops.len()).collect();
    let mut loops = Vec::new();
    // The search need not backtrack: taking a loop that no open read contradicts only satisfies reads.
    while !free.is_empty() {
        let next = free.iter().enumerate().find_map(|(position, k)| {
            let distances = || open.iter().map(|e| e.read.distance[*k]).chain(stored.iter().map(|d| d[*k]));
            let (up, down) = (distances().all(|d| d >= 0), distances().all(|d| d <= 0));
            let direction = if up { Direction::Up } else { Direction::Down };
            (up || down).then_some((position, *k, direction))
        });
        let (position, k, direction) = next?;
        free.remove(position);
        loops.push((k, direction));
        open.retain(|e| e.read.distance[k] == 0);
        stored.retain(|d| d[k] == 0);
    }
    let equations = sorted(kernel.equations.len(), &open)?;
    Some(Order::Nest { loops, equations })
}

/// The equations in topological order, sources first; `None` if there is a cycle.
fn sorted(count: usize, edges: &[&Edge]) -> Option<Vec<usize>> {
    let mut order = Vec::new();
    let mut waiting: Vec<usize> = (0..count).collect();
    while !waiting.is_empty() {
        let ready = |v: &&usize| !edges.iter().any(|e| e.reader == **v && !order.contains(&e.source));
        let next = *waiting.iter().find(ready)?;
        waiting.retain(|v| *v != next);
        order.push(next);
    }
    Some(order)
}

/// Appends keys for the equations `among`. Fails with the equations of a part that has no order.
fn cut(kernel: &Kernel, among: &[usize], edges: &[&Edge], keys: &mut [Vec<Key>]) -> Result<(), Vec<usize>> {
    for (stage, part) in parts(among, edges).into_iter().enumerate() {
        let inside: Vec<&Edge> =
            edges.iter().copied().filter(|e| part.contains(&e.reader) && part.contains(&e.source)).collect();
        let loops = kernel.loops.len();
        if inside.is_empty() {
            part.iter().for_each(|v| keys[*v].push(Key { stage, row: vec![0; loops], constant: 0 }));
            continue;
        }
        let order = widest(loops, &part, &inside);
        let rest: Vec<&Edge> = inside.iter().copied().filter(|e| order.ahead(e) == 0).collect();
        if rest.len() == inside.len() {
            return Err(part);
        }
        for v in &part {
            keys[*v].push(Key { stage, row: order.row.clone(), constant: order.constant(*v) });
        }
        cut(kernel, &part, &rest, keys)?;
    }
    Ok(())
}

fn dot(a: &[Int], b: &[Int]) -> Int {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// An affine form per equation of a part: one row for all, and one constant each.
struct Affine<'p> {
    part: &'p [usize],
    row: Vec<Int>,
    constants: Vec<Int>,
}

impl Affine<'_> {
    fn constant(&self, v: usize) -> Int {
        self.part.iter().position(|p| *p == v).map_or(0, |k| self.constants[k])
    }

    /// How far the reader of an edge comes after its source.
    fn ahead(&self, edge: &Edge) -> Int {
        dot(&self.row, edge.read.distance) + self.constant(edge.reader) - self.constant(edge.source)
    }
}

/// The affine order that no read contradicts and that puts as many readers as possible strictly after their sources. It is a
/// sum of solutions, one per read: the sum satisfies strictly what one of them does.
fn widest<'p>(loops: usize, part: &'p [usize], edges: &[&Edge]) -> Affine<'p> {
    // The unknowns: the row, then the constants.
    let form = |e: &Edge| {
        let mut coefs = e.read.distance.to_vec();
        coefs.extend(part.iter().map(|v| Int::from(*v == e.reader) - Int::from(*v == e.source)));
        Form::new(coefs, 0)
    };
    let back = Formula::All(edges.iter().map(|e| Formula::AtLeast(form(e))).collect());
    let mut order = Affine { part, row: vec![0; loops], constants: vec![0; part.len()] };
    for edge in edges {
        if order.ahead(edge) > 0 {
            continue;
        }
        let after = back.clone().and(Formula::AtLeast(form(edge).plus(-1)));
        if let Asked::Point(h) = ask(loops + part.len(), &after) {
            order.row.iter_mut().zip(&h).for_each(|(s, h)| *s += h);
            order.constants.iter_mut().zip(&h[loops..]).for_each(|(s, h)| *s += h);
        }
    }
    order
}

/// The strongly connected components of the equations, sources before readers.
pub fn parts(among: &[usize], edges: &[&Edge]) -> Vec<Vec<usize>> {
    let reaches = |from: usize| {
        let mut seen = vec![from];
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            for e in edges.iter().filter(|e| e.source == v && among.contains(&e.reader)) {
                if !seen.contains(&e.reader) {
                    seen.push(e.reader);
                    open.push(e.reader);
                }
            }
        }
        seen
    };
    let reach: Vec<Vec<usize>> = among.iter().map(|v| reaches(*v)).collect();
    let of = |part: Vec<usize>| part.into_iter().map(|k| among[k]).collect();
    components(among.len(), |a, b| reach[a].contains(&among[b])).into_iter().map(of).collect()
}

/// The strongly connected components of `count` nodes, sources before readers; of several that may come next, the one of the first
/// node. `to` says whether one node leads to another, directly or through others.
pub fn components(count: usize, to: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut done = vec![false; count];
    while let Some(first) = (0..count).find(|k| {
        // No node of another component that is not done yet leads to it.
        !done[*k] && (0..count).all(|o| done[o] || o == *k || !to(o, *k) || to(*k, o))
    }) {
        let part: Vec<usize> = (0..count).filter(|o| *o == first || (to(first, *o) && to(*o, first))).collect();
        part.iter().for_each(|k| done[*k] = true);
        parts.push(part);
    }
    parts
}
