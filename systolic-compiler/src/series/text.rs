//! The groups of a series as a line of text, which is kept beside the map of its first kernel.
use super::{Node, Partition, name};
use crate::model::Kernel;

const START: &str = "    // the first of several launches, each with a map of its own: ";

/// `    // the first of several launches, each with a map of its own: r | s, z`
pub fn line(kernel: &Kernel, partition: &Partition) -> String {
    let groups = partition.iter().map(|group| {
        let names: Vec<&str> = group.iter().map(|node| name(kernel, node)).collect();
        names.join(", ")
    });
    format!("{START}{}\n", groups.collect::<Vec<_>>().join(" | "))
}

/// The groups that such a line in a text names; `None` if there is none, or if it is of another kernel.
pub fn read_line(kernel: &Kernel, text: &str) -> Option<Partition> {
    let line = text.lines().find_map(|line| line.strip_prefix(START))?;
    let all = (0..kernel.equations.len()).map(Node::Variable).chain((0..kernel.outputs.len()).map(Node::Output));
    let all: Vec<Node> = all.collect();
    let node = |word: &str| all.iter().copied().find(|node| name(kernel, node) == word);
    line.split(" | ").map(|group| group.split(", ").map(node).collect()).collect()
}
