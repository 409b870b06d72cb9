//! `stage x in … at l`: the staged array, and the loop in whose iterations it is filled.
//!
//! ```text
//! kernel k(x: [f32; R, N]) … { … map { …  stage x in shared at r; } }      parameter 0, at the row of r
//! ```
//!
//! The loop must be a block loop, a sequential loop or a time row that is not unrolled.
use super::super::names::unknown;
use super::super::scope::Symbol;
use super::{Resolver, RowName};
use crate::fault::{Fault, Kind, NamesFact};
use crate::region::Name;
use crate::syntax::tree::ClauseKind;

impl Resolver<'_> {
    /// Resolves `stage`.
    pub(super) fn stages(&mut self) {
        let map = self.map;
        for (clause, c) in map.clauses.iter().enumerate() {
            let ClauseKind::Stage { array, at, .. } = &c.kind else { continue };
            let parameter = self.expect_array(array);
            let mut before = map.clauses[..clause].iter();
            if before.any(|c| matches!(&c.kind, ClauseKind::Stage { array: other, .. } if other == array)) {
                self.report_used(array, "stage");
            }
            if let (Some(row), Some(parameter)) = (self.expect_stage_row(at), parameter) {
                self.plan.stages.push((parameter, clause, row));
            }
        }
    }

    /// The number of an array parameter. Reports any other name.
    fn expect_array(&mut self, name: &Name) -> Option<usize> {
        let fault = match self.scope.find(&name.text) {
            Some((Symbol::Parameter(k), Kind::Array)) => return Some(k),
            Some((_, is)) => {
                Fault::new(name.at, NamesFact::Wrong { name: name.text.clone(), is, expected: Kind::Array })
            }
            None => unknown(name.at, &name.text, Kind::Array, self.scope.names_of(|k| k == Kind::Array)),
        };
        self.faults.push(fault);
        None
    }

    /// The row of a loop at which an array can be staged. Reports any other name.
    fn expect_stage_row(&mut self, name: &Name) -> Option<RowName> {
        match self.row(name) {
            Some(row) if self.is_stage_row(row) => return Some(row),
            Some(_) => self.faults.push(Fault::new(name.at, NamesFact::StageAt { name: name.text.clone() })),
            None => {
                let blocks = self.plan.blocks.iter().map(|l| self.leaf_name(*l).to_string());
                let known = self.time_names().into_iter().chain(blocks).collect();
                self.report_unknown(name, Kind::Loop, known);
            }
        }
        None
    }

    fn is_stage_row(&self, row: RowName) -> bool {
        let is_block = matches!(row, RowName::Leaf(leaf) if self.plan.blocks.contains(&leaf));
        is_block || self.is_time(row) && !self.is_unrolled(row)
    }
}
