//! `tile` splits a loop into two new ones, which later tiles may split again; `overlap` adds a halo to the tiles of a loop.
//!
//! ```text
//! for n in 0..N                         n
//! tile n by 64 as (nb, ni);            ├── nb
//! tile ni by 4 as (nj, nk);            └── ni
//! overlap n by 2;                           ├── nj
//!                                           └── nk          leaves: nb, nj, nk
//! ```
use super::{PlanNode, PlanTile, Resolver};
use crate::fault::{Fault, Kind, NamesFact};
use crate::region::Name;
use crate::syntax::tree::ClauseKind;

impl Resolver<'_> {
    /// Resolves `tile`: finds the nodes and the leaves.
    pub(super) fn tiles(&mut self) {
        let map = self.map;
        self.plan.nodes = self.kernel.loops.iter().map(|l| PlanNode { name: l.name.clone(), tile: None }).collect();
        for (clause, c) in map.clauses.iter().enumerate() {
            let ClauseKind::Tile { of, outer, inner, .. } = &c.kind else { continue };
            let Some(node) = self.expect_untiled(of) else { continue };
            let (outer, inner) = (self.new_node(outer), self.new_node(inner));
            self.plan.nodes[node].tile = Some(PlanTile { clause, outer, inner, overlap: None });
        }
        self.plan.leaves = (0..self.kernel.loops.len()).flat_map(|k| self.leaves_of(k)).collect();
    }

    /// Adds a loop that a tile introduces.
    fn new_node(&mut self, name: &Name) -> usize {
        self.expect_new(name, Kind::Loop);
        self.plan.nodes.push(PlanNode { name: name.clone(), tile: None });
        self.plan.nodes.len() - 1
    }

    /// The leaves of a loop, an outer loop before an inner one. Tiles can be nested very deep, so this does not recurse.
    fn leaves_of(&self, node: usize) -> Vec<usize> {
        let (mut open, mut leaves) = (vec![node], Vec::new());
        while let Some(n) = open.pop() {
            match &self.plan.nodes[n].tile {
                Some(tile) => open.extend([tile.inner, tile.outer]),
                None => leaves.push(n),
            }
        }
        leaves
    }

    /// Resolves `overlap`.
    pub(super) fn overlaps(&mut self) {
        let map = self.map;
        for (clause, c) in map.clauses.iter().enumerate() {
            let ClauseKind::Overlap { of, .. } = &c.kind else { continue };
            match self.node(&of.text) {
                // A limit: a read that leaves the enclosing tile would leave the overlap too.
                Some(node) if node >= self.kernel.loops.len() => {
                    self.faults.push(Fault::new(of.at, NamesFact::OverlapInner { name: of.text.clone() }));
                }
                Some(node) => self.overlap(node, clause, of),
                None => {
                    let known = self.plan.nodes.iter().map(|n| n.name.text.clone()).collect();
                    self.report_unknown(of, Kind::Loop, known);
                }
            }
        }
    }

    /// Gives the tile of a loop its overlap.
    fn overlap(&mut self, node: usize, clause: usize, name: &Name) {
        match &mut self.plan.nodes[node].tile {
            Some(tile) if tile.overlap.is_none() => tile.overlap = Some(clause),
            Some(_) => self.report_used(name, "overlap"),
            None => {
                let advice = format!("tile it first: `tile {0} by 16 as ({0}b, {0}i);`", name.text);
                let fact = NamesFact::NotTiled { name: name.text.clone() };
                self.faults.push(Fault::new(name.at, fact).with_advice(advice));
            }
        }
    }
}
