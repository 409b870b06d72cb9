//! Finds a cycle of values that depend on each other, as the counterexample of the law `cycle`: a short one by one query per
//! closed walk of reads, a long one by following the reads at small sizes.
use super::cycle::Edge;
use super::lengths;
use super::set::{Asked, ask, named, shifted, witness};
use crate::fault::{CycleFact, Fault};
use crate::model::{Formula, Int, Kernel};
use crate::target::effort;
use std::collections::HashMap;

/// The fault that shows the cycle, if one is found.
pub fn find(kernel: &Kernel, domain: &Formula, edges: &[&Edge]) -> Option<Fault> {
    walks(kernel, domain, edges).or_else(|| small_sizes(kernel, edges))
}

/// Tries closed walks, shortest first. On a cycle the guards of all reads hold, and the distances sum to zero.
fn walks(kernel: &Kernel, domain: &Formula, edges: &[&Edge]) -> Option<Fault> {
    let mut questions = 0;
    for length in 1..=effort::RING_WALK {
        for first in 0..edges.len() {
            let mut walk = vec![first];
            let found = extend(kernel, domain, edges, &mut walk, length, &mut questions);
            if found.is_some() || questions > effort::RING_QUESTIONS {
                return found;
            }
        }
    }
    None
}

/// Extends a walk to the given length in all ways.
fn extend(
    kernel: &Kernel,
    domain: &Formula,
    edges: &[&Edge],
    walk: &mut Vec<usize>,
    length: usize,
    questions: &mut usize,
) -> Option<Fault> {
    if walk.len() == length {
        return closed(kernel, domain, edges, walk, questions);
    }
    for next in 0..edges.len() {
        if edges[next].reader == edges[*walk.last()?].source {
            walk.push(next);
            let found = extend(kernel, domain, edges, walk, length, questions);
            walk.pop();
            if found.is_some() || *questions > effort::RING_QUESTIONS {
                return found;
            }
        }
    }
    None
}

/// The fault of a walk, if it is a cycle.
fn closed(kernel: &Kernel, domain: &Formula, edges: &[&Edge], walk: &[usize], questions: &mut usize) -> Option<Fault> {
    let first = edges[walk[0]];
    let last = edges[*walk.last()?];
    let mut offset = vec![0; kernel.loops.len()];
    let mut set = Formula::True;
    for k in walk {
        let here = shifted(kernel, &offset);
        set = set.and(domain.clone().and(edges[*k].read.guard.clone()).substitute(&here));
        offset.iter_mut().zip(edges[*k].read.distance).for_each(|(o, d)| *o += d);
    }
    if last.source != first.reader || offset.iter().any(|o| *o != 0) {
        return None;
    }
    *questions += 1;
    // With equal lengths, points of different items are alike.
    let Asked::Point(point) = ask(kernel.dims(), &set.and(lengths::all_equal(kernel))) else { return None };
    let mut at: Vec<Int> = point[kernel.sizes.len()..].to_vec();
    let mut steps = Vec::new();
    for k in walk {
        steps.push((kernel.equations[edges[*k].reader].variable.text.clone(), at.clone()));
        at.iter_mut().zip(edges[*k].read.distance).for_each(|(a, d)| *a -= d);
    }
    Some(fault(kernel, first, steps, &point))
}

fn fault(kernel: &Kernel, first: &Edge, steps: Vec<(String, Vec<Int>)>, point: &[Int]) -> Fault {
    let mut witness = witness(kernel, point);
    witness.sizes = lengths::equal_sizes(kernel, point);
    witness.other = steps.get(1).map(|(_, p)| named(kernel, p));
    let loops = kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let words = match (steps.as_slice(), kernel.loops.last()) {
        ([(name, _)], Some(inner)) => {
            let mut indices: Vec<&str> = kernel.loops.iter().map(|l| l.name.text.as_str()).collect();
            indices.pop();
            let before = format!("{} - 1", inner.name.text);
            indices.push(&before);
            format!("read the value of another point, as in `{name}[{}]`", indices.join(", "))
        }
        _ => "let one read of the cycle use a value that is computed earlier, or guard it".to_string(),
    };
    Fault::new(first.read.at, CycleFact::Ring { steps, loops }).with_witness(witness).with_advice(words)
}

/// Follows the reads of all values, at the smallest sizes that the assumptions allow and at slightly larger ones.
fn small_sizes(kernel: &Kernel, edges: &[&Edge]) -> Option<Fault> {
    // A length outside its array is not equal to the others.
    if kernel.lengths().any(|length| kernel.reaches_beyond(&length)) {
        return None;
    }
    let assumed = kernel.assumptions().and(lengths::all_equal(kernel));
    let Asked::Point(least) = ask(kernel.sizes.len(), &assumed) else { return None };
    for more in 0..effort::SIZES_FOLLOWED as Int {
        let sizes: Vec<Int> = least.iter().take(kernel.sizes.len()).map(|s| s + more).collect();
        if kernel.assumptions().holds(&sizes) != Some(true) {
            continue;
        }
        let points = points(kernel, &sizes)?;
        if let Some(found) = follow(kernel, edges, &points) {
            return Some(found);
        }
    }
    None
}

/// All points at these sizes, each with the sizes in front; `None` if there are too many.
fn points(kernel: &Kernel, sizes: &[Int]) -> Option<Vec<Vec<Int>>> {
    let mut points = vec![sizes.to_vec()];
    for l in &kernel.loops {
        let mut next = Vec::new();
        for p in points {
            let (low, high) = (l.low.eval(&p)?, l.high.eval(&p)?);
            if high - low > effort::RING_VALUES as Int {
                return None;
            }
            for v in low..high {
                let mut q = p.clone();
                q.push(v);
                next.push(q);
            }
        }
        if next.len() > effort::RING_VALUES {
            return None;
        }
        points = next;
    }
    Some(points)
}

/// A depth-first search over (equation, point). A value that is met again while it is open closes a cycle.
fn follow(kernel: &Kernel, edges: &[&Edge], points: &[Vec<Int>]) -> Option<Fault> {
    let number: HashMap<&[Int], usize> = points.iter().enumerate().map(|(k, p)| (p.as_slice(), k)).collect();
    let count = kernel.equations.len();
    // 0: not seen, 1: open, 2: done.
    let mut state = vec![0u8; points.len() * count];
    for start in 0..points.len() * count {
        let mut stack: Vec<(usize, usize, Option<usize>)> = vec![(start, 0, None)];
        while let Some((node, next, _)) = stack.last().copied() {
            let (point, equation) = (&points[node / count], node % count);
            if state[node] == 2 {
                stack.pop();
                continue;
            }
            state[node] = 1;
            let edge = (next..edges.len())
                .find(|k| edges[*k].reader == equation && edges[*k].read.guard.holds(point) == Some(true));
            let Some(k) = edge else {
                state[node] = 2;
                stack.pop();
                continue;
            };
            if let Some(top) = stack.last_mut() {
                top.1 = k + 1;
                top.2 = Some(k);
            }
            let source = super::set::shifted(kernel, edges[k].read.distance);
            let source: Vec<Int> = source.iter().filter_map(|f| f.eval(point)).collect();
            let Some(p) = number.get(source.as_slice()) else { continue };
            let target = p * count + edges[k].source;
            if state[target] == 1 {
                let from = stack.iter().position(|(n, ..)| *n == target)?;
                let ring = &stack[from..];
                let steps = ring.iter().map(|(n, ..)| {
                    let at = points[n / count][kernel.sizes.len()..].to_vec();
                    (kernel.equations[n % count].variable.text.clone(), at)
                });
                let first = edges[ring[0].2?];
                return Some(fault(kernel, first, steps.collect(), &points[ring[0].0 / count]));
            }
            stack.push((target, 0, None));
        }
    }
    None
}
