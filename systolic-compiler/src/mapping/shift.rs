//! Finds shifts for a kernel whose variables have no common order: stages that read each other at later points.
//!
//! ```text
//! B[r, c] = x[r - 1, c] + x[r, c] + x[r + 1, c];      B is needed one row ahead, so G runs one row later:
//! G[r, c] = B[r + 1, c] - B[r - 1, c];                shift G by (1, 0);
//! ```
//!
//! Let time run along the loops in some order, each upwards or downwards. Along the first loop l, a read of V by W at distance
//! e asks for e_l + shift_W − shift_V ≥ 0: a difference constraint per read. The smallest solution is the longest path to every
//! variable; there is none if a cycle of reads goes forward in time. Reads that are then at distance 0 along l ask the same of
//! the next loop, and so on. The kernel under these shifts goes to the search for a map like any other.
use super::Target;
use super::default::find_for;
use crate::laws::{LawfulMap, prove_map};
use crate::model::{Int, Kernel, Mapping, Read, Reader, Shift, Shifted};
use crate::target::{effort, limits};

/// Returns the first lawful map with shifts; `None` if there is none among the orders that are tried.
pub fn shifted_map(kernel: &Kernel, target: Target) -> Option<LawfulMap> {
    choices_of_shifts(kernel).into_iter().find_map(|(shifts, shifted)| {
        // Proved once more for the kernel itself, as a map that a user writes.
        let mapping = Mapping { shifts, ..find_for(&shifted, target)?.mapping().clone() };
        prove_map(kernel, &mapping).ok()
    })
}

/// The shifts that are worth trying, in order, each with the kernel under them.
pub fn choices_of_shifts(kernel: &Kernel) -> Vec<(Vec<Shift>, Kernel)> {
    let mut tried: Vec<Vec<Shift>> = Vec::new();
    let mut choices = Vec::new();
    for copies_move in [true, false] {
        for order in orders(kernel.loops.len()) {
            let Some(shifts) = shifts(kernel, &order, copies_move) else { continue };
            if tried.contains(&shifts) || tried.len() >= effort::SHIFTS {
                continue;
            }
            tried.push(shifts.clone());
            choices.extend(kernel.shifted(&shifts).map(|shifted| (shifts, shifted)));
        }
    }
    choices
}

/// The orders of the loops, the order of the `for` first.
fn orders(loops: usize) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..loops {
        let longer = |o: &Vec<usize>| {
            let rest = (0..loops).filter(|l| !o.contains(l));
            rest.map(|l| o.iter().copied().chain([l]).collect()).collect::<Vec<Vec<usize>>>()
        };
        orders = orders.iter().flat_map(longer).take(effort::SHIFT_ORDERS).collect();
    }
    orders
}

/// A read: from the number of its producer to that of its consumer. Variables come first, then outputs.
#[derive(Clone)]
struct Edge {
    from: usize,
    to: usize,
    distance: Vec<Int>,
}

/// The smallest shifts under which no read goes forward in time, along loops in this order; `None` if there are none. If
/// copies move, reads of copies count too; otherwise a copy is loaded again where its reads go forward.
fn shifts(kernel: &Kernel, order: &[usize], copies_move: bool) -> Option<Vec<Shift>> {
    let variables = kernel.equations.len();
    let count = variables + kernel.outputs.len();
    let counts = |variable: usize| copies_move || kernel.equations[variable].copy.is_none();
    let edge = |read: &Read| Edge {
        from: read.variable,
        to: match read.reader {
            Reader::Equation(n) => n,
            Reader::Store(n) => variables + kernel.stores[n].output,
        },
        distance: read.distance.to_vec(),
    };
    let mut edges: Vec<Edge> = kernel.reads().iter().filter(|r| counts(r.variable)).map(edge).collect();
    let mut by = vec![vec![0; kernel.loops.len()]; count];
    for l in order {
        let along = [1, -1].into_iter().find_map(|sign| longest_paths(count, &edges, *l, sign))?;
        edges.retain(|e| e.distance[*l] + along[e.to] - along[e.from] == 0);
        by.iter_mut().zip(&along).for_each(|(by, along)| by[*l] = *along);
    }
    let shift = |(n, by): (usize, Vec<Int>)| Shift {
        of: if n < variables { Shifted::Variable(n) } else { Shifted::Output(n - variables) },
        by,
    };
    // A variable without a shift needs no clause; an output does, because by default its stores follow what they read.
    let moves = |s: &Shift| matches!(s.of, Shifted::Output(_)) || s.by.iter().any(|by| *by != 0);
    Some(by.into_iter().enumerate().map(shift).filter(moves).collect())
}

/// The smallest shifts along loop `l`, with time upwards (`sign` 1) or downwards (−1), so that every edge is at a distance of at
/// least 0 in time; `None` if a cycle of edges goes forward, or if a shift is too large.
fn longest_paths(count: usize, edges: &[Edge], l: usize, sign: Int) -> Option<Vec<Int>> {
    let mut later: Vec<Int> = vec![0; count];
    // Without a cycle that goes forward, a longest path has fewer edges than there are variables.
    for _ in 0..=count {
        let mut changed = false;
        for edge in edges {
            let least = later[edge.from] - sign * edge.distance[l];
            changed |= least > later[edge.to];
            later[edge.to] = later[edge.to].max(least);
        }
        if !changed {
            let fits = later.iter().all(|s| *s <= limits::SHIFT);
            return fits.then(|| later.iter().map(|s| sign * s).collect());
        }
    }
    None
}
