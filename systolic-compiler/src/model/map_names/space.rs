//! `launches`, `blocks`, `space_time`, `warps` and `lanes`: at most one of them uses each leaf loop. Those that none uses are sequential.
//!
//! ```text
//! blocks (nb);
//! space_time (ci, q) -> (s, u) = [[1, 1], [0, 1]];      uses the leaves ci and q, introduces the rows s and u
//! lanes s;                                              u remains a time row
//! ```
//!
//! The clauses may stand in any order. `space_time` is resolved before `warps` and `lanes`, which can use its rows.
use super::{Resolver, RowName};
use crate::fault::{Fault, Kind, NamesFact};
use crate::region::Name;
use crate::syntax::tree::ClauseKind;
use crate::target::{gpu, limits};

impl Resolver<'_> {
    pub(super) fn space(&mut self) {
        self.blocks();
        self.space_time();
        self.warps_and_lanes();
        let leaves = 0..self.plan.leaves.len();
        self.plan.sequential = leaves.filter(|leaf| self.is_free(RowName::Leaf(*leaf))).collect();
    }

    fn blocks(&mut self) {
        let map = self.map;
        for c in &map.clauses {
            let (names, limit, clause) = match &c.kind {
                ClauseKind::Launches(names) => (names, limits::LAUNCH_LOOPS, "launches"),
                ClauseKind::Blocks(names) | ClauseKind::Ordered(names) => (names, gpu::GRID_AXES, "blocks"),
                _ => continue,
            };
            self.plan.ordered |= matches!(c.kind, ClauseKind::Ordered(_));
            self.at_most(names, limit, clause);
            for name in names {
                let Some(leaf) = self.expect_leaf(name) else { continue };
                if self.claim(RowName::Leaf(leaf), name, clause) {
                    match clause {
                        "launches" => self.plan.launches.push(leaf),
                        _ => self.plan.blocks.push(leaf),
                    }
                }
            }
        }
    }

    fn space_time(&mut self) {
        let map = self.map;
        for c in &map.clauses {
            let ClauseKind::SpaceTime { old, new, .. } = &c.kind else { continue };
            for name in old {
                let Some(leaf) = self.expect_leaf(name) else { continue };
                // The law `matrix` reports a loop that stands here twice.
                let is_repeated = self.plan.old.iter().any(|(l, _)| *l == leaf);
                if is_repeated || self.claim(RowName::Leaf(leaf), name, "space_time") {
                    self.plan.old.push((leaf, name.clone()));
                }
            }
            for name in new {
                self.expect_new(name, Kind::Row);
                self.plan.new.push(name.clone());
            }
        }
    }

    fn warps_and_lanes(&mut self) {
        let map = self.map;
        let has_space_time = map.clauses.iter().any(|c| matches!(c.kind, ClauseKind::SpaceTime { .. }));
        for c in &map.clauses {
            match &c.kind {
                ClauseKind::Warps(names) => {
                    let rows = self.claim_rows(names, true, "warps");
                    self.plan.warps.extend(rows);
                }
                ClauseKind::Lanes { loops, .. } => {
                    self.at_most(loops, 2, "lanes");
                    let rows = self.claim_rows(loops, !has_space_time, "lanes");
                    self.plan.lanes.extend(rows);
                }
                _ => {}
            }
        }
    }

    /// The rows that a clause uses. If `leaves_too`, leaf loops are allowed besides the rows of `space_time`.
    fn claim_rows(&mut self, names: &[Name], leaves_too: bool, clause: &'static str) -> Vec<(RowName, Name)> {
        let mut rows = Vec::new();
        for name in names {
            let Some(row) = self.expect_row(name, leaves_too) else { continue };
            if self.claim(row, name, clause) {
                rows.push((row, name.clone()));
            }
        }
        rows
    }

    /// A new loop of `space_time` or, if `leaves_too`, a leaf loop. Reports any other name.
    fn expect_row(&mut self, name: &Name, leaves_too: bool) -> Option<RowName> {
        if let Some(k) = self.plan.new.iter().position(|n| n == name) {
            return Some(RowName::New(k));
        }
        if leaves_too && self.node(&name.text).is_some() {
            return self.expect_leaf(name).map(RowName::Leaf);
        }
        let new = self.plan.new.iter().enumerate().filter(|(k, _)| self.is_free(RowName::New(*k)));
        let mut known: Vec<String> = new.map(|(_, n)| n.text.clone()).collect();
        if leaves_too {
            let leaves = (0..self.plan.leaves.len()).filter(|l| self.is_free(RowName::Leaf(*l)));
            known.extend(leaves.map(|l| self.leaf_name(l).to_string()));
        }
        let kind = if self.plan.new.is_empty() { Kind::Loop } else { Kind::Row };
        self.report_unknown(name, kind, known);
        None
    }

    /// Whether no clause uses a row yet.
    fn is_free(&self, row: RowName) -> bool {
        !self.used.iter().any(|(r, _)| *r == row)
    }

    /// Notes that a clause uses a row. Reports a row that another one uses, and returns `false`.
    fn claim(&mut self, row: RowName, name: &Name, clause: &'static str) -> bool {
        let first = self.used.iter().find(|(r, _)| *r == row).map(|(_, first)| *first);
        match first {
            Some(first) => self.report_used(name, first),
            None => self.used.push((row, clause)),
        }
        first.is_none()
    }

    /// Reports more loops than a clause may have.
    fn at_most(&mut self, names: &[Name], limit: usize, clause: &'static str) {
        if let Some(extra) = names.get(limit) {
            let fault = Fault::new(extra.at, NamesFact::TooMany { clause, limit });
            self.faults.push(fault.with_advice("a loop that no clause names runs sequentially"));
        }
    }
}
