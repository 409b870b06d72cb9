//! Finds values that depend on themselves: cycles in the graph of (variable, point).
use crate::world::{World, minus};
use std::collections::{BTreeMap, BTreeSet};
use systolic_compiler::model::{Int, Reader};

type Node = (usize, Vec<Int>);

/// The dependences of a value: each read with its source, if the source is a point of the domain.
fn needs(world: &World, (variable, point): &Node) -> Vec<(usize, Node)> {
    let mut needed = Vec::new();
    for (n, read) in world.reads.iter().enumerate() {
        let source = minus(point, &read.distance);
        if read.reader == Reader::Equation(*variable) && world.contains(&source) && world.is_active(&read.path, point) {
            needed.push((n, (read.variable, source)));
        }
    }
    needed
}

/// A read at a point that lies on a cycle, if there is one among these points.
pub fn find_ring(world: &World, points: &[Vec<Int>]) -> Option<(usize, Vec<Int>)> {
    let variables = 0..world.kernel.equations.len();
    let nodes = points.iter().flat_map(|p| variables.clone().map(|v| (v, p.clone())));
    let mut waiting: BTreeMap<Node, Vec<(usize, Node)>> = nodes.map(|n| (n.clone(), needs(world, &n))).collect();
    // Topological sort: remove values without pending dependences. Any values left depend on themselves.
    let mut count: BTreeMap<Node, usize> = waiting.iter().map(|(n, needs)| (n.clone(), needs.len())).collect();
    let mut readers: BTreeMap<&Node, Vec<&Node>> = BTreeMap::new();
    for (node, needs) in &waiting {
        for (_, source) in needs {
            readers.entry(source).or_default().push(node);
        }
    }
    let mut ready: Vec<&Node> = waiting.keys().filter(|n| count[*n] == 0).collect();
    let mut made: BTreeSet<Node> = BTreeSet::new();
    while let Some(node) = ready.pop() {
        made.insert(node.clone());
        for reader in readers.get(node).into_iter().flatten() {
            let left = count.get_mut(*reader).expect("every node is counted");
            *left -= 1;
            if *left == 0 {
                ready.push(reader);
            }
        }
    }
    drop(readers);
    waiting.retain(|n, _| !made.contains(n));
    // Follow pending dependences: the first value that is met twice lies on a cycle.
    let mut node = waiting.keys().next()?.clone();
    let mut seen = BTreeSet::new();
    loop {
        let (read, next) = waiting[&node].iter().find(|(_, source)| waiting.contains_key(source))?.clone();
        if !seen.insert(node.clone()) {
            return Some((read, node.1));
        }
        node = next;
    }
}
