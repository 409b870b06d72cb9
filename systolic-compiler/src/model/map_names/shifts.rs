//! `shift V by (2, 0)`: the variable or output, and how many numbers there are.
//!
//! ```text
//! for r in 0..R, c in 0..C { A[r, c] = …; B[r, c] = …; }      map { …  shift B by (2, 0); }      variable 1
//! ```
use super::super::names::{list, unknown};
use super::super::scope::Symbol;
use super::super::shift::Shifted;
use super::Resolver;
use crate::fault::{Fault, Kind, NamesFact, RankFact};
use crate::syntax::tree::ClauseKind;

impl Resolver<'_> {
    /// Resolves `shift V by (…)`: a variable or an output, at most once, with one number per loop.
    pub(super) fn shifts(&mut self) {
        let map = self.map;
        for (clause, c) in map.clauses.iter().enumerate() {
            let ClauseKind::Shift { of, by } = &c.kind else { continue };
            let shifted = match self.scope.find(&of.text) {
                Some((Symbol::Variable(k), _)) => Shifted::Variable(k),
                Some((Symbol::Output(k), _)) => Shifted::Output(k),
                Some((_, is)) => {
                    let fact = NamesFact::Wrong { name: of.text.clone(), is, expected: Kind::Variable };
                    self.faults.push(Fault::new(of.at, fact).with_advice("only variables and outputs can be shifted"));
                    continue;
                }
                None => {
                    let known = self.scope.names_of(|k| matches!(k, Kind::Variable | Kind::Output));
                    self.faults.push(unknown(of.at, &of.text, Kind::Variable, known));
                    continue;
                }
            };
            if self.plan.shifts.iter().any(|(other, _)| *other == shifted) {
                let fault = Fault::new(of.at, NamesFact::Taken { name: of.text.clone(), by: "shift" });
                self.faults.push(fault.with_edit("leave one of the two clauses out", c.at, ""));
            }
            let loops: Vec<&str> = self.kernel.loops.iter().map(|l| l.name.text.as_str()).collect();
            if by.len() != loops.len() {
                let (expected, found) = (loops.len(), by.len());
                let at = by.first().zip(by.last()).map_or(c.at, |(first, last)| first.at.to(last.at));
                let fault = Fault::new(at, RankFact::Shift { name: of.text.clone(), expected, found });
                self.faults.push(fault.with_advice(format!("the loops are {}, in this order", list(&loops))));
            }
            self.plan.shifts.push((shifted, clause));
        }
    }
}
