//! The names of a map: loops introduced by tiles, rows introduced by `space_time`, and the clause that uses each loop.
//! Part of the law `names`. The numbers follow later, per instance.
use super::names::{list, twice, unknown};
use super::scope::{Scope, Symbol, each_expr, walk};
use super::shift::Shifted;
use super::type_conditions;
use crate::fault::{Fault, Faults, Kind, NamesFact, RankFact};
use crate::region::Name;
use crate::syntax::tree::{self, ClauseKind};

/// A loop of the kernel or of a tile.
#[derive(Clone, Debug)]
pub struct PlanNode {
    pub name: Name,
    pub tile: Option<PlanTile>,
}

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
    pub nodes: Vec<PlanNode>,
    /// The loops that remain after tiling, as nodes, in the order of the `for`, a tile's outer loop before its inner one.
    pub leaves: Vec<usize>,
    pub blocks: Vec<usize>,
    pub warps: Vec<(RowName, Name)>,
    pub lanes: Vec<(RowName, Name)>,
    /// The leaf loops that `space_time` takes; a loop may occur twice (a fault of the law `matrix`).
    pub old: Vec<(usize, Name)>,
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
    let mut planner = Planner { kernel, scope, map, plan: MapPlan::default(), faults };
    planner.conditions();
    planner.constants();
    planner.tiles();
    planner.overlaps();
    planner.rows();
    planner.time();
    planner.stages();
    planner.shifts();
    planner.plan
}

struct Planner<'a> {
    kernel: &'a tree::Kernel,
    scope: &'a Scope,
    map: &'a tree::Map,
    plan: MapPlan,
    faults: &'a mut Faults,
}

impl Planner<'_> {
    /// Checks that a map's `where` uses generics only.
    fn conditions(&mut self) {
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
        let fault = match self.scope.find(name) {
            Some((Symbol::Number, _)) => return,
            Some((Symbol::Type, is)) => {
                Fault::new(e.at, NamesFact::Wrong { name: name.clone(), is, expected: Kind::Generic })
            }
            Some(_) => Fault::new(e.at, NamesFact::MapCondition { name: name.clone() }),
            None => unknown(e.at, name, Kind::Generic, self.scope.names_of(|k| k == Kind::Generic)),
        };
        self.faults.push(fault);
    }

    /// Checks that all numbers of a map are built of integers and generics.
    fn constants(&mut self) {
        let map = self.map;
        for clause in &map.clauses {
            let exprs: Vec<&tree::Expr> = match &clause.kind {
                ClauseKind::Tile { by, .. } => vec![by],
                ClauseKind::Overlap { before, after, .. } => std::iter::once(before).chain(after).collect(),
                ClauseKind::Lanes { fold, .. } => fold.iter().collect(),
                ClauseKind::Resident(number) | ClauseKind::Ahead(number) => vec![number],
                ClauseKind::Shift { by, .. } => by.iter().collect(),
                ClauseKind::SpaceTime { matrix, reverse, .. } => {
                    std::iter::once(matrix).chain(reverse).flat_map(|m| &m.rows).flat_map(|r| &r.entries).collect()
                }
                _ => Vec::new(),
            };
            for expr in exprs {
                each_expr(expr, &mut |e| {
                    let tree::ExprKind::Name(name) = &e.kind else { return };
                    match self.scope.find(name) {
                        Some((Symbol::Number, _)) => {}
                        Some((_, is)) => {
                            let fact = NamesFact::Wrong { name: name.clone(), is, expected: Kind::Generic };
                            self.faults.push(Fault::new(e.at, fact));
                        }
                        None => {
                            let known = self.scope.names_of(|k| k == Kind::Generic);
                            self.faults.push(unknown(e.at, name, Kind::Generic, known));
                        }
                    }
                });
            }
        }
    }

    fn node(&self, name: &str) -> Option<usize> {
        self.plan.nodes.iter().position(|n| n.name.text == name)
    }

    /// Checks that a name which a map introduces is new.
    fn fresh(&mut self, name: &Name, kind: Kind) {
        let known = self
            .node(&name.text)
            .map(|_| Kind::Loop)
            .or_else(|| self.plan.new.contains(name).then_some(Kind::Row))
            .or_else(|| self.scope.find(&name.text).map(|(_, k)| k));
        if let Some(first) = known {
            self.faults.push(twice(name, first, kind));
        }
    }

    fn tiles(&mut self) {
        self.plan.nodes = self.kernel.loops.iter().map(|l| PlanNode { name: l.name.clone(), tile: None }).collect();
        for clause in 0..self.map.clauses.len() {
            let map = self.map;
            let ClauseKind::Tile { of, outer, inner, .. } = &map.clauses[clause].kind else { continue };
            let Some(node) = self.existing_loop(of) else { continue };
            self.fresh(outer, Kind::Loop);
            let first = self.plan.nodes.len();
            self.plan.nodes.push(PlanNode { name: outer.clone(), tile: None });
            self.fresh(inner, Kind::Loop);
            self.plan.nodes.push(PlanNode { name: inner.clone(), tile: None });
            self.plan.nodes[node].tile = Some(PlanTile { clause, outer: first, inner: first + 1, overlap: None });
        }
        let mut leaves = Vec::new();
        for k in 0..self.kernel.loops.len() {
            self.leaves_of(k, &mut leaves);
        }
        self.plan.leaves = leaves;
    }

    fn leaves_of(&self, node: usize, leaves: &mut Vec<usize>) {
        // An explicit stack instead of recursion.
        let mut open = vec![node];
        while let Some(n) = open.pop() {
            match &self.plan.nodes[n].tile {
                Some(tile) => open.extend([tile.inner, tile.outer]),
                None => leaves.push(n),
            }
        }
    }

    /// The node of a loop that is not tiled. Reports an unknown or tiled loop.
    fn existing_loop(&mut self, name: &Name) -> Option<usize> {
        let found = self.node(&name.text);
        match found.map(|n| (n, self.plan.nodes[n].tile.clone())) {
            Some((n, None)) => Some(n),
            Some((_, Some(tile))) => {
                let outer = self.plan.nodes[tile.outer].name.text.clone();
                let inner = self.plan.nodes[tile.inner].name.text.clone();
                let fact = NamesFact::Tiled { name: name.text.clone(), outer, inner };
                self.faults.push(Fault::new(name.at, fact));
                None
            }
            None => {
                let known: Vec<String> = self.loop_names();
                let known = known.iter().map(String::as_str);
                self.faults.push(unknown(name.at, &name.text, Kind::Loop, known));
                None
            }
        }
    }

    fn loop_names(&self) -> Vec<String> {
        self.plan.nodes.iter().filter(|n| n.tile.is_none()).map(|n| n.name.text.clone()).collect()
    }

    fn leaf(&mut self, name: &Name) -> Option<usize> {
        let node = self.existing_loop(name)?;
        self.plan.leaves.iter().position(|l| *l == node)
    }

    fn overlaps(&mut self) {
        let map = self.map;
        for (clause, c) in map.clauses.iter().enumerate() {
            let ClauseKind::Overlap { of, .. } = &c.kind else { continue };
            match self.node(&of.text) {
                // A limit: a read that leaves the enclosing tile would leave the overlap too.
                Some(n) if n >= self.kernel.loops.len() => {
                    self.faults.push(Fault::new(of.at, NamesFact::OverlapInner { name: of.text.clone() }));
                }
                Some(n) => match &mut self.plan.nodes[n].tile {
                    Some(tile) if tile.overlap.is_none() => tile.overlap = Some(clause),
                    Some(_) => {
                        let fact = NamesFact::Taken { name: of.text.clone(), by: "overlap" };
                        self.faults.push(Fault::new(of.at, fact));
                    }
                    None => {
                        let words = format!("tile it first: `tile {0} by 16 as ({0}b, {0}i);`", of.text);
                        let fact = NamesFact::NotTiled { name: of.text.clone() };
                        self.faults.push(Fault::new(of.at, fact).with_advice(words));
                    }
                },
                None => {
                    let known: Vec<String> = self.plan.nodes.iter().map(|n| n.name.text.clone()).collect();
                    let known = known.iter().map(String::as_str);
                    self.faults.push(unknown(of.at, &of.text, Kind::Loop, known));
                }
            }
        }
    }

    /// Assigns loops to `blocks`, `space_time`, `warps` and `lanes`; each loop to at most one of them.
    fn rows(&mut self) {
        let map = self.map;
        let mut taken: Vec<(RowName, &'static str)> = Vec::new();
        for c in &map.clauses {
            if let ClauseKind::Blocks(names) = &c.kind {
                self.at_most(names, 3, "blocks");
                for name in names {
                    let Some(leaf) = self.leaf(name) else { continue };
                    if self.take(&mut taken, RowName::Leaf(leaf), name, "blocks") {
                        self.plan.blocks.push(leaf);
                    }
                }
            }
        }
        for c in &map.clauses {
            if let ClauseKind::SpaceTime { old, new, .. } = &c.kind {
                for name in old {
                    let Some(leaf) = self.leaf(name) else { continue };
                    let again = self.plan.old.iter().any(|(l, _)| *l == leaf);
                    if again || self.take(&mut taken, RowName::Leaf(leaf), name, "space_time") {
                        self.plan.old.push((leaf, name.clone()));
                    }
                }
                for name in new {
                    self.fresh(name, Kind::Row);
                    self.plan.new.push(name.clone());
                }
            }
        }
        let has_space_time = map.clauses.iter().any(|c| matches!(c.kind, ClauseKind::SpaceTime { .. }));
        for c in &map.clauses {
            match &c.kind {
                ClauseKind::Warps(names) => {
                    for name in names {
                        let Some(row) = self.row(name, true, &taken) else { continue };
                        if self.take(&mut taken, row, name, "warps") {
                            self.plan.warps.push((row, name.clone()));
                        }
                    }
                }
                ClauseKind::Lanes { loops, .. } => {
                    self.at_most(loops, 2, "lanes");
                    for name in loops {
                        let Some(row) = self.row(name, !has_space_time, &taken) else { continue };
                        if self.take(&mut taken, row, name, "lanes") {
                            self.plan.lanes.push((row, name.clone()));
                        }
                    }
                }
                _ => {}
            }
        }
        let free = |leaf: &usize| !taken.iter().any(|(row, _)| *row == RowName::Leaf(*leaf));
        self.plan.sequential = (0..self.plan.leaves.len()).filter(free).collect();
    }

    fn at_most(&mut self, names: &[Name], limit: usize, clause: &'static str) {
        if let Some(extra) = names.get(limit) {
            let fault = Fault::new(extra.at, NamesFact::TooMany { clause, limit });
            self.faults.push(fault.with_advice("a loop that no clause names runs sequentially"));
        }
    }

    fn take(&mut self, taken: &mut Vec<(RowName, &'static str)>, row: RowName, name: &Name, by: &'static str) -> bool {
        if let Some((_, first)) = taken.iter().find(|(r, _)| *r == row) {
            self.faults.push(Fault::new(name.at, NamesFact::Taken { name: name.text.clone(), by: first }));
            return false;
        }
        taken.push((row, by));
        true
    }

    /// A new loop of `space_time` by name; if `leaves_too`, also a leaf loop.
    fn row(&mut self, name: &Name, leaves_too: bool, taken: &[(RowName, &'static str)]) -> Option<RowName> {
        if let Some(k) = self.plan.new.iter().position(|n| n == name) {
            return Some(RowName::New(k));
        }
        if leaves_too && self.node(&name.text).is_some() {
            return self.leaf(name).map(RowName::Leaf);
        }
        let free = |row: RowName| !taken.iter().any(|(r, _)| *r == row);
        let new = self.plan.new.iter().enumerate().filter(|(k, _)| free(RowName::New(*k)));
        let mut known: Vec<String> = new.map(|(_, n)| n.text.clone()).collect();
        if leaves_too {
            let leaves = (0..self.plan.leaves.len()).filter(|l| free(RowName::Leaf(*l)));
            known.extend(leaves.map(|l| self.leaf_name(l).to_string()));
        }
        let kind = if self.plan.new.is_empty() { Kind::Loop } else { Kind::Row };
        self.faults.push(unknown(name.at, &name.text, kind, known.iter().map(String::as_str)));
        None
    }

    /// Resolves `reorder` and `unroll`.
    fn time(&mut self) {
        let map = self.map;
        for c in &map.clauses {
            if let ClauseKind::Reorder(names) = &c.kind {
                let leaves: Vec<Option<usize>> = names
                    .iter()
                    .map(|n| self.node(&n.text).and_then(|n| self.plan.leaves.iter().position(|l| *l == n)))
                    .collect();
                let mut sorted: Vec<usize> = leaves.iter().flatten().copied().collect();
                sorted.sort_unstable();
                if sorted == self.plan.sequential && leaves.len() == sorted.len() {
                    self.plan.sequential = leaves.into_iter().flatten().collect();
                } else {
                    let expected: Vec<String> =
                        self.plan.sequential.iter().map(|l| self.leaf_name(*l).to_string()).collect();
                    let odd = names.iter().zip(&leaves).find(|(n, l)| {
                        !l.is_some_and(|l| self.plan.sequential.contains(&l))
                            || names.iter().filter(|m| m == n).count() > 1
                    });
                    let at = odd.map(|(n, _)| n.at).or(names.first().map(|n| n.at)).unwrap_or(c.at);
                    let fault = Fault::new(at, NamesFact::Reorder { expected: expected.clone() });
                    let code = format!("reorder ({});", expected.join(", "));
                    self.faults.push(if expected.is_empty() {
                        fault.with_edit("no loop is sequential here: leave the clause out", c.at, "")
                    } else {
                        fault.with_edit(format!("write `{code}`, in the order you want"), c.at, code.clone())
                    });
                }
            }
        }
        for c in &map.clauses {
            if let ClauseKind::Unroll(names) = &c.kind {
                for name in names {
                    let new = self.plan.new.iter().position(|n| n == name).map(RowName::New);
                    let leaf = self.node(&name.text).and_then(|n| self.plan.leaves.iter().position(|l| *l == n));
                    let row = new.or(leaf.map(RowName::Leaf));
                    match row {
                        Some(row) if self.is_time(row) => {
                            if self.plan.unroll.iter().any(|(r, _)| *r == row) {
                                let fact = NamesFact::Taken { name: name.text.clone(), by: "unroll" };
                                self.faults.push(Fault::new(name.at, fact));
                            }
                            self.plan.unroll.push((row, name.clone()));
                        }
                        Some(_) => {
                            let fault = Fault::new(name.at, NamesFact::NotTime { name: name.text.clone() });
                            let time = self.time_names();
                            let time: Vec<&str> = time.iter().map(String::as_str).collect();
                            self.faults.push(match time.is_empty() {
                                true => fault.with_advice("there is no time loop here: leave the clause out"),
                                false => fault.with_advice(format!("the time loops here: {}", list(&time))),
                            });
                        }
                        None if self.node(&name.text).is_some() => {
                            self.existing_loop(name);
                        }
                        None => {
                            let known = self.time_names();
                            let known = known.iter().map(String::as_str);
                            self.faults.push(unknown(name.at, &name.text, Kind::Row, known));
                        }
                    }
                }
            }
        }
    }

    fn leaf_name(&self, leaf: usize) -> &str {
        &self.plan.nodes[self.plan.leaves[leaf]].name.text
    }

    fn is_time(&self, row: RowName) -> bool {
        let space = self.plan.warps.iter().chain(&self.plan.lanes).any(|(r, _)| *r == row);
        !space && matches!(row, RowName::New(_)) || matches!(row, RowName::Leaf(l) if self.plan.sequential.contains(&l))
    }

    fn time_names(&self) -> Vec<String> {
        let sequential = self.plan.sequential.iter().map(|l| self.leaf_name(*l).to_string());
        let rows = self.plan.new.iter().enumerate().filter(|(k, _)| self.is_time(RowName::New(*k)));
        sequential.chain(rows.map(|(_, n)| n.text.clone())).collect()
    }

    /// Resolves `stage x in … at` a block loop, a sequential loop or a time row that is not unrolled.
    fn stages(&mut self) {
        let map = self.map;
        for (clause, c) in map.clauses.iter().enumerate() {
            let ClauseKind::Stage { array, at, .. } = &c.kind else { continue };
            let parameter = match self.scope.find(&array.text) {
                Some((Symbol::Parameter(k), Kind::Array)) => Some(k),
                Some((_, is)) => {
                    let fact = NamesFact::Wrong { name: array.text.clone(), is, expected: Kind::Array };
                    self.faults.push(Fault::new(array.at, fact));
                    None
                }
                None => {
                    let known = self.scope.names_of(|k| k == Kind::Array);
                    self.faults.push(unknown(array.at, &array.text, Kind::Array, known));
                    None
                }
            };
            let again = map.clauses[..clause]
                .iter()
                .any(|c| matches!(&c.kind, ClauseKind::Stage { array: other, .. } if other == array));
            if again {
                self.faults.push(Fault::new(array.at, NamesFact::Taken { name: array.text.clone(), by: "stage" }));
            }
            let new = self.plan.new.iter().position(|n| n == at).map(RowName::New);
            let leaf = self.node(&at.text).and_then(|n| self.plan.leaves.iter().position(|l| *l == n));
            let row = new.or(leaf.map(RowName::Leaf));
            let unrolled = |r: RowName| self.plan.unroll.iter().any(|(u, _)| *u == r);
            match row {
                Some(RowName::Leaf(l)) if self.plan.blocks.contains(&l) => {
                    self.plan.stages.extend(parameter.map(|p| (p, clause, RowName::Leaf(l))));
                }
                Some(r) if self.is_time(r) && !unrolled(r) => {
                    self.plan.stages.extend(parameter.map(|p| (p, clause, r)));
                }
                Some(_) => self.faults.push(Fault::new(at.at, NamesFact::StageAt { name: at.text.clone() })),
                None => {
                    let mut known = self.time_names();
                    known.extend(self.plan.blocks.iter().map(|l| self.leaf_name(*l).to_string()));
                    self.faults.push(unknown(at.at, &at.text, Kind::Loop, known.iter().map(String::as_str)));
                }
            }
        }
    }
    /// Resolves `shift V by (…)`: a variable or an output, at most once, with one number per loop.
    fn shifts(&mut self) {
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
