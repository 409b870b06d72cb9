//! Reads a map that a search found earlier from its text.
use super::proved;
use crate::compile::Which;
use crate::laws::{Lawful, LawfulMap};
use crate::syntax::{self, tree};

/// A map from its text, proved like any other; `None` if it is not one of this kernel.
pub fn kept(tree: &tree::Kernel, lawful: &Lawful, which: Which, text: &str) -> Option<LawfulMap> {
    let bare = tree::Kernel { maps: Vec::new(), ..tree.clone() };
    let kernel = syntax::text(&bare);
    let (body, _) = kernel.trim_end().rsplit_once('}')?;
    let parsed = syntax::parse(format!("{body}{text}\n}}").parse().ok()?);
    let map = parsed.block.kernels.into_iter().next()?.maps.into_iter().next()?;
    let position = match which {
        Which::Map(position) => position,
        Which::Default => tree.maps.len(),
    };
    proved(tree, lawful.kernel(), &map, position).ok()
}
