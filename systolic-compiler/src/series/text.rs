//! The groups of a series as a line of text: for a GPU kept beside the map of its first kernel, for a CPU only shown.
#[cfg(feature = "search")]
use super::Node;
use super::{Partition, name};
use crate::model::Kernel;

#[cfg(feature = "search")]
const START: &str = "    // the first of several launches, each with a map of its own: ";

/// `    // the first of several launches, each with a map of its own: r | s, z`
#[cfg(feature = "search")]
pub fn line(kernel: &Kernel, partition: &Partition) -> String {
    format!("{START}{}\n", groups(kernel, partition))
}

/// `    // on a CPU it runs in passes, each with a map of its own: r | s, z`
pub fn passes(kernel: &Kernel, partition: &Partition) -> String {
    format!("    // on a CPU it runs in passes, each with a map of its own: {}\n", groups(kernel, partition))
}

/// `r | s, z`
fn groups(kernel: &Kernel, partition: &Partition) -> String {
    let groups = partition.iter().map(|group| {
        let names: Vec<&str> = group.iter().map(|node| name(kernel, node)).collect();
        names.join(", ")
    });
    groups.collect::<Vec<_>>().join(" | ")
}

/// The groups that such a line in a text names; `None` if there is none, or if it is of another kernel.
#[cfg(feature = "search")]
pub fn read_line(kernel: &Kernel, text: &str) -> Option<Partition> {
    let line = text.lines().find_map(|line| line.strip_prefix(START))?;
    let all = (0..kernel.equations.len()).map(Node::Variable).chain((0..kernel.outputs.len()).map(Node::Output));
    let all: Vec<Node> = all.collect();
    let node = |word: &str| all.iter().copied().find(|node| name(kernel, node) == word);
    line.split(" | ").map(|group| group.split(", ").map(node).collect()).collect()
}
