//! Who reads whom, and along which loops values are carried.
use super::Node;
use crate::laws::components;
use crate::model::{Formula, Int, Kernel, Reader};
use crate::sorted::SortedSet;
use crate::target::series::REPEATED_ACCESSES;

/// The loops along which values are carried, each with its direction: `true` for a read of an earlier iteration.
pub type Carried = SortedSet<(usize, bool)>;

/// A read of a variable by a node.
pub struct Edge {
    pub reader: Node,
    pub variable: usize,
    pub distance: Vec<Int>,
    pub guard: Formula,
}

/// The dependence graph of a kernel.
pub struct Graph {
    pub edges: Vec<Edge>,
    /// Variables that every reader computes again: copies of inputs, and what follows from a few elements at the same point.
    pub repeated: SortedSet<usize>,
    /// The strongly connected parts of all other nodes that an output needs, each after those that it reads.
    pub parts: Vec<Part>,
}

/// Nodes that need each other.
pub struct Part {
    pub nodes: Vec<Node>,
    pub carried: Carried,
}

impl Graph {
    pub fn new(kernel: &Kernel) -> Graph {
        let node = |reader: Reader| match reader {
            Reader::Equation(n) => Node::Variable(n),
            Reader::Store(n) => Node::Output(kernel.stores[n].output),
        };
        let edges: Vec<Edge> = kernel
            .reads()
            .into_iter()
            .map(|r| Edge {
                reader: node(r.reader),
                variable: r.variable,
                distance: r.distance.to_vec(),
                guard: r.guard,
            })
            .collect();
        let repeated = repeated(kernel, &edges);
        let parts = parts(kernel, &edges, &repeated);
        Graph { edges, repeated, parts }
    }

    /// The reads of a node.
    pub fn reads(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.reader == node)
    }
}

/// Variables that are cheaper to compute again than to store and load.
fn repeated(kernel: &Kernel, edges: &[Edge]) -> SortedSet<usize> {
    let count = kernel.equations.len();
    let mut accesses = vec![0; count];
    for (reader, ..) in kernel.elements() {
        if let Reader::Equation(n) = reader {
            accesses[n] += 1;
        }
    }
    let mut repeated: SortedSet<usize> = (0..count).filter(|n| kernel.equations[*n].copy.is_some()).collect();
    // Every round adds those that read only what the rounds before have found.
    loop {
        let is_near = |edge: &Edge| repeated.contains(&edge.variable) && edge.distance.iter().all(|d| *d == 0);
        let cheap = |n: &usize| {
            let mut read = edges.iter().filter(|edge| edge.reader == Node::Variable(*n));
            !repeated.contains(n) && accesses[*n] <= REPEATED_ACCESSES && read.all(is_near)
        };
        let more: Vec<usize> = (0..count).filter(cheap).collect();
        if more.is_empty() {
            return repeated;
        }
        for n in more {
            let read = edges.iter().filter(|edge| edge.reader == Node::Variable(n));
            accesses[n] += read.map(|edge| accesses[edge.variable]).sum::<usize>();
            if accesses[n] <= REPEATED_ACCESSES {
                repeated.insert(n);
            } else {
                // It stays out in later rounds, too.
                accesses[n] = usize::MAX / 2;
            }
        }
    }
}

/// The strongly connected parts of the nodes that an output needs.
fn parts(kernel: &Kernel, edges: &[Edge], repeated: &SortedSet<usize>) -> Vec<Part> {
    let all: Vec<Node> =
        (0..kernel.equations.len()).map(Node::Variable).chain((0..kernel.outputs.len()).map(Node::Output)).collect();
    let number = |node: Node| match node {
        Node::Variable(n) => n,
        Node::Output(n) => kernel.equations.len() + n,
    };
    // Whether a node needs another, directly or through others.
    let mut needs = vec![vec![false; all.len()]; all.len()];
    for edge in edges {
        needs[number(edge.reader)][edge.variable] = true;
    }
    for through in 0..all.len() {
        for from in 0..all.len() {
            if needs[from][through] {
                let reached = needs[through].clone();
                needs[from].iter_mut().zip(reached).for_each(|(to, reached)| *to |= reached);
            }
        }
    }
    let is_output = |n: usize| matches!(all[n], Node::Output(_));
    let is_needed = |n: usize| is_output(n) || (0..all.len()).any(|o| is_output(o) && needs[o][n]);
    let among: Vec<usize> = (0..all.len()).filter(|n| is_needed(*n) && !repeated.contains(n)).collect();
    let part = |part: Vec<usize>| {
        let nodes: Vec<Node> = part.into_iter().map(|k| all[among[k]]).collect();
        let inside = edges.iter().filter(|e| nodes.contains(&e.reader) && nodes.contains(&Node::Variable(e.variable)));
        let along = inside.flat_map(|e| e.distance.iter().enumerate().filter(|(_, d)| **d != 0));
        let carried = along.map(|(l, d)| (l, *d > 0)).collect();
        Part { nodes, carried }
    };
    components(among.len(), |a, b| needs[among[b]][among[a]]).into_iter().map(part).collect()
}
