//! `reorder` and `unroll`: the time rows of a map.
//!
//! ```text
//! for t in 0..T, n in 0..N, q in 0..3
//! lanes n;  reorder (q, t);  unroll (q);      sequential: q, then t      unrolled: q
//! ```
//!
//! `reorder` lists every sequential loop once. `unroll` may also name a row of `space_time` that is not a warp or lane row.
use super::super::names::list;
use super::{Resolver, RowName};
use crate::fault::{Fault, Kind, NamesFact};
use crate::region::{Name, Region};
use crate::sorted;
use crate::syntax::tree::ClauseKind;

impl Resolver<'_> {
    /// Resolves `reorder`: the order of the sequential loops.
    pub(super) fn reorder(&mut self) {
        let map = self.map;
        for c in &map.clauses {
            let ClauseKind::Reorder(names) = &c.kind else { continue };
            let leaves: Vec<Option<usize>> = names.iter().map(|n| self.leaf(n)).collect();
            let found: Vec<usize> = leaves.iter().flatten().copied().collect();
            let mut sorted = found.clone();
            sorted::sort(&mut sorted);
            if sorted == self.plan.sequential && leaves.len() == sorted.len() {
                self.plan.sequential = found;
            } else {
                let is_odd = |(name, leaf): &(&Name, &Option<usize>)| {
                    !leaf.is_some_and(|l| self.plan.sequential.contains(&l))
                        || names.iter().filter(|other| other == name).count() > 1
                };
                let odd = names.iter().zip(&leaves).find(is_odd).map(|(name, _)| name);
                let at = odd.or(names.first()).map_or(c.at, |name| name.at);
                self.report_reorder(at, c.at);
            }
        }
    }

    /// Reports a `reorder` that does not list every sequential loop once, at its first wrong name.
    fn report_reorder(&mut self, at: Region, clause: Region) {
        let expected: Vec<String> = self.plan.sequential.iter().map(|l| self.leaf_name(*l).to_string()).collect();
        let fault = Fault::new(at, NamesFact::Reorder { expected: expected.clone() });
        let code = format!("reorder ({});", expected.join(", "));
        self.faults.push(if expected.is_empty() {
            fault.with_edit("no loop is sequential here: leave the clause out", clause, "")
        } else {
            fault.with_edit(format!("write `{code}`, in the order you want"), clause, code.clone())
        });
    }

    /// Resolves `unroll`.
    pub(super) fn unroll(&mut self) {
        let map = self.map;
        for c in &map.clauses {
            let ClauseKind::Unroll(names) = &c.kind else { continue };
            for name in names {
                match self.row(name) {
                    Some(row) if self.is_time(row) => {
                        if self.is_unrolled(row) {
                            self.report_used(name, "unroll");
                        }
                        self.plan.unroll.push((row, name.clone()));
                    }
                    Some(_) => self.report_not_time(name),
                    // A tiled loop.
                    None if self.node(&name.text).is_some() => {
                        self.expect_untiled(name);
                    }
                    None => self.report_unknown(name, Kind::Row, self.time_names()),
                }
            }
        }
    }

    pub(super) fn is_unrolled(&self, row: RowName) -> bool {
        self.plan.unroll.iter().any(|(r, _)| *r == row)
    }

    fn report_not_time(&mut self, name: &Name) {
        let fault = Fault::new(name.at, NamesFact::NotTime { name: name.text.clone() });
        let time = self.time_names();
        let time: Vec<&str> = time.iter().map(String::as_str).collect();
        self.faults.push(match time.is_empty() {
            true => fault.with_advice("there is no time loop here: leave the clause out"),
            false => fault.with_advice(format!("the time loops here: {}", list(&time))),
        });
    }
}
