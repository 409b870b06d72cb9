//! The name that connects a program with the code that a build script compiled for it.
use crate::compile::Which;
use crate::link;
use crate::model::Kernel;
use crate::syntax::{self, tree};

/// The name of a unit's files and entry points.
pub fn key(tree: &tree::Kernel, kernel: &Kernel, which: Which) -> String {
    let map = match which {
        Which::Map(position) => format!("map {position}"),
        Which::Default => "default".to_string(),
    };
    link::key(&tree.name.text, &[&syntax::text(tree), &map, &kernel.instance.to_string()])
}
