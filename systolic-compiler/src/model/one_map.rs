//! Resolves one more map of an instance: a map that the compiler writes itself, or completes.
use super::map_names::plan;
use super::maps::{Mapping, mapping};
use super::scope::Scope;
use super::{Instance, Int, Kernel, constant, names};
use crate::fault::{Fault, Faults};
use crate::region::Name;
use crate::sorted::SortedSet;
use crate::syntax::tree;

/// A map of an instance, as the map of this position; fails if one of its names or numbers has a fault.
pub fn resolve_map(
    tree: &tree::Kernel,
    kernel: &Kernel,
    map: &tree::Map,
    position: usize,
) -> Result<Mapping, Vec<Fault>> {
    let mut faults = Faults::default();
    let scope = names::check(tree, &mut faults);
    let plan = plan(tree, &scope, map, &mut faults);
    let mapping = mapping(map, position, &plan, &kernel.instance, &mut faults);
    match mapping {
        Some(mapping) if faults.is_empty() => Ok(mapping),
        _ => Err(faults.into_vec()),
    }
}

/// The names that a map of this kernel may not define.
pub fn taken_names(tree: &tree::Kernel) -> SortedSet<String> {
    Scope::new(tree, |_, _, _| {}).names_of(|_| true).into_iter().map(str::to_string).collect()
}

/// A name that is not taken, and is afterwards: this one, with a number after it if that is needed.
pub fn fresh_name(taken: &mut SortedSet<String>, plain: &str) -> String {
    let mut name = plain.to_string();
    let mut k = 1;
    while !taken.insert(name.clone()) {
        k += 1;
        name = format!("{plain}{k}");
    }
    name
}

/// The value of a constant expression of a clause, if it has one.
pub fn number(expr: &tree::Expr, instance: &Instance) -> Option<Int> {
    constant::number(expr, instance).ok()
}

/// A leaf loop that no clause of a map uses.
pub struct FreeLoop {
    pub name: Name,
    /// The loop of the kernel that it is a part of.
    pub of: usize,
    /// Whether it is that loop itself, or the outer loop of a tile of it.
    pub is_outer: bool,
}

/// The leaf loops that no clause of a map uses, in the order of the `for`. `None` if the names of the map have a fault.
pub fn free_loops(tree: &tree::Kernel, map: &tree::Map) -> Option<Vec<FreeLoop>> {
    let mut faults = Faults::default();
    let scope = names::check(tree, &mut faults);
    let plan = plan(tree, &scope, map, &mut faults);
    let parent = |node: usize| {
        plan.nodes.iter().position(|n| n.tile.as_ref().is_some_and(|t| t.outer == node || t.inner == node))
    };
    let free = |leaf: &usize| {
        let node = plan.leaves[*leaf];
        let (mut of, mut is_outer) = (node, true);
        while let Some(above) = parent(of) {
            is_outer &= plan.nodes[above].tile.as_ref().is_some_and(|t| t.outer == of);
            of = above;
        }
        FreeLoop { name: plan.nodes[node].name.clone(), of, is_outer }
    };
    faults.is_empty().then(|| plan.sequential.iter().map(free).collect())
}

/// The kernel under a map's `shift` and `direct`; `None` if they change nothing, or if one has a fault.
pub fn changed(tree: &tree::Kernel, kernel: &Kernel, map: &tree::Map) -> Option<Kernel> {
    let changes =
        |clause: &&tree::Clause| matches!(clause.kind, tree::ClauseKind::Shift { .. } | tree::ClauseKind::Direct);
    let clauses = map.clauses.iter().filter(changes).cloned().collect();
    kernel.under(&resolve_map(tree, kernel, &tree::Map { clauses, ..map.clone() }, 0).ok()?)
}
