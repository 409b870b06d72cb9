//! The names of a map: which loop every name means, and which clause uses each loop. Part of the law `names`; the numbers
//! of a map follow later, per instance.
//!
//! Tiles split loops into new loops, so the loops form trees. Their *leaves* are the loops that remain after tiling:
//!
//! ```text
//! for t in 0..T, n in 0..N                 nodes       0: t    1: n (tiled)    2: nb    3: ni
//! map {                                    leaves      t, nb, ni
//!     tile n by 64 as (nb, ni);      ──▶   blocks      nb
//!     blocks (nb);                         lanes       ni
//!     lanes ni;                            sequential  t
//! }
//! ```
//!
//! The loops that `space_time` introduces are not nodes but rows: names for sums of leaves.
//!
//! | file | resolves |
//! | --- | --- |
//! | `generics` | `where`, and the numbers of clauses: they may use generics only |
//! | `tiles` | `tile` and `overlap` |
//! | `space` | `launches`, `blocks`, `space_time`, `warps` and `lanes` |
//! | `time` | `reorder` and `unroll` |
//! | `stages` | `stage` |
//! | `shifts` | `shift` |
mod generics;
mod shifts;
mod space;
mod stages;
mod tiles;
mod time;

use super::names::{twice, unknown};
use super::scope::Scope;
use super::shift::Shifted;
use crate::fault::{Fault, Faults, Kind, NamesFact};
use crate::region::Name;
use crate::syntax::tree;

/// A loop of the kernel or of a tile.
#[derive(Clone, Debug)]
pub struct PlanNode {
    pub name: Name,
    pub tile: Option<PlanTile>,
}

/// The two loops that a tile splits a loop into, as nodes.
#[derive(Clone, Debug)]
pub struct PlanTile {
    pub clause: usize,
    pub outer: usize,
    pub inner: usize,
    /// The clause that overlaps this tile.
    pub overlap: Option<usize>,
}

/// The name of a coordinate of a place: a leaf loop by itself, or a new loop of `space_time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowName {
    /// A number among the leaf loops.
    Leaf(usize),
    /// A number among the new loops.
    New(usize),
}

/// A map whose names are resolved.
#[derive(Clone, Debug, Default)]
pub struct MapPlan {
    /// The loops of the kernel, in the order of the `for`, then the loops of tiles.
    pub nodes: Vec<PlanNode>,
    /// The loops that remain after tiling, as nodes, in the order of the `for`, a tile's outer loop before its inner one.
    pub leaves: Vec<usize>,
    /// The leaf loops of `launches`.
    pub launches: Vec<usize>,
    /// The leaf loops of `blocks`.
    pub blocks: Vec<usize>,
    /// Whether the blocks run in order.
    pub ordered: bool,
    pub warps: Vec<(RowName, Name)>,
    pub lanes: Vec<(RowName, Name)>,
    /// The leaf loops that `space_time` takes; a loop may occur twice (a fault of the law `matrix`).
    pub old: Vec<(usize, Name)>,
    /// The loops that `space_time` introduces.
    pub new: Vec<Name>,
    /// The sequential leaf loops, outermost first.
    pub sequential: Vec<usize>,
    pub unroll: Vec<(RowName, Name)>,
    /// Array parameter, clause, and the row named after `at`.
    pub stages: Vec<(usize, usize, RowName)>,
    /// What is shifted, and the clause.
    pub shifts: Vec<(Shifted, usize)>,
}

/// Resolves the names of a map.
pub fn plan(kernel: &tree::Kernel, scope: &Scope, map: &tree::Map, faults: &mut Faults) -> MapPlan {
    let mut resolver = Resolver { kernel, scope, map, plan: MapPlan::default(), used: Vec::new(), faults };
    resolver.conditions();
    resolver.constants();
    resolver.tiles();
    resolver.overlaps();
    resolver.space();
    resolver.reorder();
    resolver.unroll();
    resolver.stages();
    resolver.shifts();
    resolver.plan
}

/// A map while its names are resolved.
struct Resolver<'a> {
    kernel: &'a tree::Kernel,
    scope: &'a Scope,
    map: &'a tree::Map,
    plan: MapPlan,
    /// The rows that `launches`, `blocks`, `space_time`, `warps` or `lanes` uses, each with that clause.
    used: Vec<(RowName, &'static str)>,
    faults: &'a mut Faults,
}

impl Resolver<'_> {
    /// The node with this name, tiled or not.
    fn node(&self, name: &str) -> Option<usize> {
        self.plan.nodes.iter().position(|n| n.name.text == name)
    }

    /// The row with this name: a new loop of `space_time` or a leaf loop.
    fn row(&self, name: &Name) -> Option<RowName> {
        let new = self.plan.new.iter().position(|n| n == name).map(RowName::New);
        new.or_else(|| self.leaf(name).map(RowName::Leaf))
    }

    /// The leaf loop with this name.
    fn leaf(&self, name: &Name) -> Option<usize> {
        let node = self.node(&name.text)?;
        self.plan.leaves.iter().position(|l| *l == node)
    }

    /// The same, but reports an unknown or a tiled loop.
    fn expect_leaf(&mut self, name: &Name) -> Option<usize> {
        self.expect_untiled(name)?;
        self.leaf(name)
    }

    /// The node of a loop that is not tiled. Reports an unknown or a tiled loop.
    fn expect_untiled(&mut self, name: &Name) -> Option<usize> {
        let Some(node) = self.node(&name.text) else {
            let untiled = self.plan.nodes.iter().filter(|n| n.tile.is_none());
            let known = untiled.map(|n| n.name.text.clone()).collect();
            self.report_unknown(name, Kind::Loop, known);
            return None;
        };
        let Some(tile) = &self.plan.nodes[node].tile else { return Some(node) };
        let text = |node: usize| self.plan.nodes[node].name.text.clone();
        let fact = NamesFact::Tiled { name: name.text.clone(), outer: text(tile.outer), inner: text(tile.inner) };
        self.faults.push(Fault::new(name.at, fact));
        None
    }

    fn leaf_name(&self, leaf: usize) -> &str {
        &self.plan.nodes[self.plan.leaves[leaf]].name.text
    }

    /// Whether a row is a time row: a sequential loop, or a new loop that is neither a warp nor a lane row.
    fn is_time(&self, row: RowName) -> bool {
        match row {
            RowName::Leaf(leaf) => self.plan.sequential.contains(&leaf),
            RowName::New(_) => !self.plan.warps.iter().chain(&self.plan.lanes).any(|(r, _)| *r == row),
        }
    }

    /// The names of all time rows.
    fn time_names(&self) -> Vec<String> {
        let sequential = self.plan.sequential.iter().map(|l| self.leaf_name(*l).to_string());
        let rows = self.plan.new.iter().enumerate().filter(|(k, _)| self.is_time(RowName::New(*k)));
        sequential.chain(rows.map(|(_, n)| n.text.clone())).collect()
    }

    /// Reports a name that is not new, though a clause introduces it.
    fn expect_new(&mut self, name: &Name, kind: Kind) {
        let known = self
            .node(&name.text)
            .map(|_| Kind::Loop)
            .or_else(|| self.plan.new.contains(name).then_some(Kind::Row))
            .or_else(|| self.scope.find(&name.text).map(|(_, k)| k));
        if let Some(first) = known {
            self.faults.push(twice(name, first, kind));
        }
    }

    /// Reports an unknown name. `known` are the names that are allowed there.
    fn report_unknown(&mut self, name: &Name, kind: Kind, known: Vec<String>) {
        self.faults.push(unknown(name.at, &name.text, kind, known.iter().map(String::as_str)));
    }

    /// Reports a name that the clause `by` uses already.
    fn report_used(&mut self, name: &Name, by: &'static str) {
        self.faults.push(Fault::new(name.at, NamesFact::Taken { name: name.text.clone(), by }));
    }
}
