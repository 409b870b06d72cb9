//! Conditions and numbers of a map. They may use generics, which are constants of an instance, and no other names:
//!
//! ```text
//! map where P <= 4 { tile n by (16 * P) as (nb, ni); … }     P is a generic: accepted
//! map where N <= 4 { tile n by N as (nb, ni); … }            N is a run-time size: reported, twice
//! ```
use super::super::names::unknown;
use super::super::scope::{Symbol, each_expr, walk};
use super::super::type_conditions;
use super::Resolver;
use crate::fault::{Fault, Kind, NamesFact};
use crate::syntax::tree::{self, ClauseKind};

impl Resolver<'_> {
    /// Checks that a map's `where` uses generics only.
    pub(super) fn conditions(&mut self) {
        for condition in &self.map.conditions {
            if type_conditions::check_names(condition, self.scope, self.faults) {
                continue;
            }
            walk(condition, &mut |e| {
                let inside = !type_conditions::tell_misplaced(e, self.scope, self.faults);
                if inside {
                    self.condition_name(e);
                }
                inside
            });
        }
    }

    fn condition_name(&mut self, e: &tree::Expr) {
        let name = match &e.kind {
            tree::ExprKind::Name(name) => name,
            tree::ExprKind::Index { name, .. } => &name.text,
            _ => return,
        };
        match self.scope.find(name) {
            Some((Symbol::Number, _)) => {}
            Some((Symbol::Type, is)) => self.report_not_generic(e, name, is),
            Some(_) => self.faults.push(Fault::new(e.at, NamesFact::MapCondition { name: name.clone() })),
            None => self.report_unknown_generic(e, name),
        }
    }

    /// Checks that all numbers of a map are built of integers and generics.
    pub(super) fn constants(&mut self) {
        let map = self.map;
        for expr in map.clauses.iter().flat_map(|clause| numbers(&clause.kind)) {
            each_expr(expr, &mut |e| {
                let tree::ExprKind::Name(name) = &e.kind else { return };
                match self.scope.find(name) {
                    Some((Symbol::Number, _)) => {}
                    Some((_, is)) => self.report_not_generic(e, name, is),
                    None => self.report_unknown_generic(e, name),
                }
            });
        }
    }

    fn report_not_generic(&mut self, at: &tree::Expr, name: &str, is: Kind) {
        let fact = NamesFact::Wrong { name: name.to_string(), is, expected: Kind::Generic };
        self.faults.push(Fault::new(at.at, fact));
    }

    fn report_unknown_generic(&mut self, at: &tree::Expr, name: &str) {
        let known = self.scope.names_of(|k| k == Kind::Generic);
        self.faults.push(unknown(at.at, name, Kind::Generic, known));
    }
}

/// The numbers in a clause.
fn numbers(clause: &ClauseKind) -> Vec<&tree::Expr> {
    match clause {
        ClauseKind::Tile { by, .. } => vec![by],
        ClauseKind::Overlap { before, after, .. } => std::iter::once(before).chain(after).collect(),
        ClauseKind::Lanes { fold, .. } => fold.iter().collect(),
        ClauseKind::Resident(number) | ClauseKind::Ahead(number) => vec![number],
        ClauseKind::Shift { by, .. } => by.iter().collect(),
        ClauseKind::SpaceTime { matrix, reverse, .. } => {
            std::iter::once(matrix).chain(reverse).flat_map(|m| &m.rows).flat_map(|r| &r.entries).collect()
        }
        _ => Vec::new(),
    }
}
