//! Resolves one more map of an instance: a map that the compiler writes itself.
use super::map_names::plan;
use super::maps::{Mapping, mapping};
use super::scope::Scope;
use super::{Kernel, names};
use crate::fault::Faults;
use crate::syntax::tree;
use std::collections::BTreeSet;

/// A map of an instance, or `None` if one of its names or numbers has a fault.
pub fn resolve_map(tree: &tree::Kernel, kernel: &Kernel, map: &tree::Map) -> Option<Mapping> {
    let mut faults = Faults::default();
    let scope = names::check(tree, &mut faults);
    let plan = plan(tree, &scope, map, &mut faults);
    let mapping = mapping(map, tree.maps.len(), &plan, &kernel.instance, &mut faults)?;
    faults.is_empty().then_some(mapping)
}

/// The names that a map of this kernel may not define.
pub fn taken_names(tree: &tree::Kernel) -> BTreeSet<String> {
    Scope::new(tree, |_, _, _| {}).names_of(|_| true).into_iter().map(str::to_string).collect()
}
