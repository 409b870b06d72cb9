//! Joins parts of the dependence graph into groups, in an order in which they can run.
//!
//! A part joins the last group that it reads, or a later one, if that fits: nothing is cut that one pass would do better. There are
//! two rules for what fits, and so up to two ways to cut a kernel. The search takes the faster one.
use super::graph::{Carried, Graph, Part};
use super::{Group, Node, Partition};
use crate::model::Kernel;
use crate::sorted;

/// When a part may join a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// One is carried along the loops of the other.
    SameLoops,
    /// In addition, every value that is read between them is read at the same point, or both are carried along the same loops.
    SamePoints,
}

/// The ways to cut a kernel into at least two groups, the coarsest first.
pub fn partitions(kernel: &Kernel) -> Vec<Partition> {
    let graph = Graph::new(kernel);
    let mut all: Vec<Partition> = Vec::new();
    for rule in [Rule::SameLoops, Rule::SamePoints] {
        let partition = partition(&graph, rule);
        if partition.len() > 1 && !all.contains(&partition) {
            all.push(partition);
        }
    }
    all
}

struct Joined {
    nodes: Group,
    carried: Carried,
}

fn partition(graph: &Graph, rule: Rule) -> Partition {
    let mut groups: Vec<Joined> = Vec::new();
    for part in &graph.parts {
        let reads = |group: &Joined| {
            let mut read = part.nodes.iter().flat_map(|node| graph.reads(*node));
            read.any(|edge| group.nodes.contains(&Node::Variable(edge.variable)))
        };
        let first = groups.iter().rposition(reads);
        let mut from = first.unwrap_or(0)..groups.len();
        match from.find(|k| fits(graph, &groups[*k], part, rule)) {
            Some(k) => {
                groups[k].nodes.extend(&part.nodes);
                groups[k].carried.extend(part.carried.iter().copied());
            }
            None => groups.push(Joined { nodes: part.nodes.clone(), carried: part.carried.clone() }),
        }
    }
    let sorted = |mut nodes: Group| {
        sorted::sort(&mut nodes);
        nodes
    };
    groups.into_iter().map(|group| sorted(group.nodes)).collect()
}

fn fits(graph: &Graph, group: &Joined, part: &Part, rule: Rule) -> bool {
    let (a, b) = (&group.carried, &part.carried);
    if !a.is_subset(b) && !b.is_subset(a) {
        return false;
    }
    if rule == Rule::SameLoops {
        return true;
    }
    let between = part.nodes.iter().flat_map(|node| graph.reads(*node));
    let mut between = between.filter(|edge| group.nodes.contains(&Node::Variable(edge.variable)));
    let near = between.all(|edge| edge.distance.iter().all(|d| *d == 0));
    // What is computed without a carried value may stand in any pass.
    a == b && !a.is_empty() || near && (a == b || a.is_empty() || b.is_empty())
}
