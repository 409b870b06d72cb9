//! Changes the clauses of a map: which loops exist, which are used, and the map with other clauses.
use super::paths::same_place;
use crate::fault::Edit;
use crate::region::{Name, Region};
use crate::sorted;
use crate::syntax::print_clause;
use crate::syntax::tree::{Clause, ClauseKind, Expr, ExprKind, Kernel, Map};

/// A map that is changed clause by clause. New clauses are appended.
#[derive(Clone)]
pub struct Changed<'k> {
    kernel: &'k Kernel,
    position: usize,
    pub map: Map,
    /// The numbers of the clauses that were changed or added.
    touched: Vec<usize>,
    /// The numbers of the clauses that are left out.
    dropped: Vec<usize>,
}

impl<'k> Changed<'k> {
    pub fn new(kernel: &'k Kernel, position: usize) -> Changed<'k> {
        Changed { kernel, position, map: kernel.maps[position].clone(), touched: Vec::new(), dropped: Vec::new() }
    }

    pub fn kernel(&self) -> Kernel {
        let mut kernel = self.kernel.clone();
        let map = &mut kernel.maps[self.position];
        *map = self.map.clone();
        map.clauses = self.kept().map(|k| self.map.clauses[k].clone()).collect();
        kernel
    }

    /// The numbers of the clauses that are not left out.
    fn kept(&self) -> impl Iterator<Item = usize> {
        (0..self.map.clauses.len()).filter(|k| !self.dropped.contains(k))
    }

    /// Leaves out clause `k` as the source has it.
    pub fn drop(&mut self, k: usize) {
        self.touched.retain(|t| *t != k);
        self.dropped.push(k);
    }

    /// Replaces clause `k`, or appends a clause if `k` is `None`.
    pub fn put(&mut self, k: Option<usize>, kind: ClauseKind) {
        let k = match k {
            Some(k) => {
                self.map.clauses[k].kind = kind;
                k
            }
            None => {
                self.map.clauses.push(Clause { kind, at: self.map.at });
                self.map.clauses.len() - 1
            }
        };
        if !self.touched.contains(&k) {
            self.touched.push(k);
        }
    }

    /// The changed clauses as text, in the usual order: `tile …;`, `blocks …;` and `lanes …;`, and instead of which they stand
    pub fn text(&self) -> String {
        let place = |kind: &ClauseKind| match kind {
            ClauseKind::Tile { .. } => 0,
            ClauseKind::Blocks(_) => 1,
            ClauseKind::Overlap { .. } => 2,
            ClauseKind::SpaceTime { .. } => 3,
            _ => 4,
        };
        let mut clauses: Vec<&ClauseKind> = self.touched.iter().map(|k| &self.map.clauses[*k].kind).collect();
        sorted::sort_by_key(&mut clauses, |kind| place(kind));
        let texts: Vec<String> = clauses.into_iter().map(|kind| format!("`{};`", line(kind))).collect();
        let new = match texts.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [most @ .., last] => format!("{} and {last}", most.join(", ")),
        };
        if self.dropped.is_empty() { new } else { format!("{new} instead of {}", self.left_out()) }
    }

    /// The clauses that are left out, as text.
    pub fn left_out(&self) -> String {
        let clauses = self.dropped.iter().map(|k| format!("`{};`", line(&self.map.clauses[*k].kind)));
        clauses.collect::<Vec<_>>().join(" and ")
    }

    /// The change as edits. New clauses follow the last one in the source; without any clause there is no position for them.
    pub fn edits(&self) -> Vec<Edit> {
        let written = self.kernel.maps[self.position].clauses.len();
        let Some(last) = written.checked_sub(1) else { return Vec::new() };
        let text = |k: usize| format!("{};", line(&self.map.clauses[k].kind));
        let at = |k: usize| self.map.clauses[k].at;
        let mut edits: Vec<Edit> = Vec::new();
        for k in self.touched.iter().copied().filter(|k| *k < last) {
            edits.push(Edit { at: at(k), code: text(k) });
        }
        for k in self.dropped.iter().copied().filter(|k| *k < last) {
            edits.push(Edit { at: at(k), code: String::new() });
        }
        if self.touched.iter().chain(&self.dropped).any(|k| *k >= last) {
            let all: Vec<String> = self.kept().filter(|k| *k >= last).map(text).collect();
            edits.push(Edit { at: at(last), code: all.join(" ") });
        }
        edits
    }

    /// The loops that remain after tiling, in the order of the `for`.
    pub fn leaves(&self) -> Vec<String> {
        let mut leaves: Vec<String> = self.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
        for clause in &self.map.clauses {
            if let ClauseKind::Tile { of, outer, inner, .. } = &clause.kind
                && let Some(k) = leaves.iter().position(|l| *l == of.text)
            {
                leaves.splice(k..=k, [outer.text.clone(), inner.text.clone()]);
            }
        }
        leaves
    }

    /// How many values a loop has, if its bounds or its tile are written as numbers.
    pub fn extent(&self, leaf: &str) -> Option<i128> {
        let number = |expr: &Expr| match &expr.kind {
            ExprKind::Int { value, suffix: None } => Some(*value),
            _ => None,
        };
        let own = self.kernel.loops.iter().find(|l| l.name.text == leaf);
        let tile = self.map.clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Tile { by, inner, .. } if inner.text == leaf => number(by),
            _ => None,
        });
        tile.or_else(|| number(&own?.high)?.checked_sub(number(&own?.low)?))
    }

    /// The number of the first clause that satisfies `is_meant`.
    pub fn clause(&self, is_meant: impl Fn(&ClauseKind) -> bool) -> Option<usize> {
        self.map.clauses.iter().position(|c| is_meant(&c.kind))
    }

    pub fn matrix(&self) -> Option<usize> {
        self.clause(|c| matches!(c, ClauseKind::SpaceTime { .. }))
    }

    /// The loops of `blocks` or of `warps`.
    pub fn named(&self, warps: bool) -> Vec<Name> {
        let names = self.map.clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Blocks(names) if !warps => Some(names.clone()),
            ClauseKind::Warps(names) if warps => Some(names.clone()),
            _ => None,
        });
        names.unwrap_or_default()
    }

    /// Sets the loops of `blocks`. Removes the clause if there are none.
    pub fn set_blocks(&mut self, names: Vec<Name>) {
        let k = self.clause(|c| matches!(c, ClauseKind::Blocks(_)));
        match (k, names.is_empty()) {
            (None, true) => {}
            (Some(k), true) => {
                self.map.clauses.remove(k);
                self.touched.retain(|t| *t != k);
                self.touched.iter_mut().filter(|t| **t > k).for_each(|t| *t -= 1);
            }
            (k, false) => self.put(k, ClauseKind::Blocks(names)),
        }
    }

    pub fn name(&self, text: impl Into<String>) -> Name {
        Name { text: text.into(), at: self.map.at }
    }

    pub fn number(&self, value: i128) -> Expr {
        Expr::number(self.map.at, value)
    }

    /// A name that neither the kernel nor this map uses. Other maps have their own names.
    pub fn fresh(&self, base: &str) -> Name {
        let text = crate::syntax::print_kernel(&Kernel { maps: vec![self.map.clone()], ..self.kernel.clone() });
        let used: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let mut name = base.to_string();
        while used.contains(&name.as_str()) {
            name.push('_');
        }
        self.name(name)
    }
}

/// A clause on one line.
fn line(kind: &ClauseKind) -> String {
    print_clause(kind).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of the map whose keyword, clause, or loop of `lanes` or `reorder` stands at `at`.
pub fn position(kernel: &Kernel, at: Region) -> Option<usize> {
    kernel.maps.iter().position(|map| {
        same_place(map.at, at)
            || map.clauses.iter().any(|c| match &c.kind {
                ClauseKind::Lanes { loops, .. } | ClauseKind::Reorder(loops) => {
                    loops.iter().any(|l| same_place(l.at, at))
                }
                _ => same_place(c.at, at),
            })
    })
}
