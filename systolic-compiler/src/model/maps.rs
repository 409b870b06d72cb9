//! A map of an instance: its plan of names with numbers filled in.
use super::constant;
use super::map_names::{MapPlan, PlanNode, RowName};
use super::{Device, Instance, Int, Shift, StageMedium};
use crate::fault::{Fault, Faults, MatrixFact, SizesFact};
use crate::region::{Name, Region};
use crate::syntax::print_expr;
use crate::syntax::tree::{self, ClauseKind, Expr};
use crate::target::limits;

#[derive(Clone, Debug)]
pub struct Mapping {
    /// Its number among the kernel's maps.
    pub position: usize,
    pub name: Option<Name>,
    pub on: Option<Device>,
    /// The word `map`.
    pub at: Region,
    /// The kernel's loops, then the loops that tiles introduce.
    pub nodes: Vec<Node>,
    /// The nodes that are not tiled, in the order of the `for`, a tile's outer loop before its inner one.
    pub leaves: Vec<usize>,
    /// The leaf loops that are successive launches, outermost first.
    pub launches: Vec<usize>,
    pub blocks: Vec<usize>,
    /// Whether a block waits for the blocks whose values it reads.
    pub ordered: bool,
    pub warps: Vec<(RowName, Name)>,
    pub lanes: Vec<(RowName, Name)>,
    pub lanes_at: Option<Region>,
    pub fold: Int,
    pub fold_at: Option<Region>,
    pub matrix: Option<MatrixClause>,
    /// The sequential leaf loops, outermost first.
    pub sequential: Vec<usize>,
    pub unroll: Vec<(RowName, Name)>,
    pub stages: Vec<Stage>,
    pub wishes: Wishes,
    /// The variables and outputs that run later than the point they belong to, in source order.
    pub shifts: Vec<Shift>,
    /// Whether what variables only pass on is computed directly at every point.
    pub direct: bool,
}

impl Mapping {
    /// The number of a node among the leaf loops; `None` if it is tiled.
    pub fn leaf_of(&self, node: usize) -> Option<usize> {
        self.leaves.iter().position(|leaf| *leaf == node)
    }
}

/// What a map requests of a GPU besides places and times. It affects speed alone, no result. Where a request is missing, the
/// compiler chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The least number of its warps that a multiprocessor holds at a time, as far as registers decide it.
    pub resident: Option<Int>,
    /// The prefetch distance of loads from memory, in steps.
    pub ahead: Option<Int>,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub name: Name,
    pub tile: Option<Tile>,
}

#[derive(Clone, Debug)]
pub struct Tile {
    pub by: Int,
    pub by_at: Region,
    pub outer: usize,
    pub inner: usize,
    /// How far the inner loop extends below 0 and beyond `by`: an `overlap`.
    pub before: Int,
    pub after: Int,
    pub overlap_at: Option<Region>,
}

#[derive(Clone, Debug)]
pub struct MatrixClause {
    /// The loops that it takes, as numbers of leaf loops.
    pub old: Vec<(usize, Name)>,
    pub new: Vec<Name>,
    pub rows: Vec<Vec<Int>>,
    pub row_at: Vec<Region>,
    pub at: Region,
    pub reverse: Option<(Vec<Vec<Int>>, Region)>,
}

#[derive(Clone, Debug)]
pub struct Stage {
    pub parameter: usize,
    pub medium: StageMedium,
    pub row: RowName,
    pub at: Region,
}

/// The map of an instance; `None` if its numbers have faults.
pub fn mapping(
    map: &tree::Map,
    position: usize,
    plan: &MapPlan,
    instance: &Instance,
    faults: &mut Faults,
) -> Option<Mapping> {
    let before = faults.len();
    let mut numbers = Numbers { instance, faults };
    let nodes = plan.nodes.iter().map(|node| numbers.node(map, node)).collect();
    let mut mapping = Mapping {
        position,
        name: map.name.clone(),
        on: map.on,
        at: map.at,
        nodes,
        leaves: plan.leaves.clone(),
        launches: plan.launches.clone(),
        blocks: plan.blocks.clone(),
        ordered: plan.ordered,
        warps: plan.warps.clone(),
        lanes: plan.lanes.clone(),
        lanes_at: None,
        fold: 1,
        fold_at: None,
        matrix: None,
        sequential: plan.sequential.clone(),
        unroll: plan.unroll.clone(),
        stages: Vec::new(),
        wishes: Wishes::default(),
        shifts: Vec::new(),
        direct: false,
    };
    for clause in &map.clauses {
        match &clause.kind {
            ClauseKind::Lanes { fold, .. } => {
                mapping.lanes_at = Some(clause.at);
                if let Some(fold) = fold {
                    mapping.fold = numbers.at_least(fold, 1, fold_below_one);
                    mapping.fold_at = Some(fold.at);
                }
            }
            ClauseKind::SpaceTime { matrix, reverse, .. } => {
                mapping.matrix = Some(MatrixClause {
                    old: plan.old.clone(),
                    new: plan.new.clone(),
                    rows: numbers.matrix(matrix),
                    row_at: matrix.rows.iter().map(|r| r.at).collect(),
                    at: matrix.at,
                    reverse: reverse.as_ref().map(|r| (numbers.matrix(r), r.at)),
                });
            }
            ClauseKind::Resident(warps) => {
                mapping.wishes.resident = Some(numbers.between(warps, "resident", (1, limits::RESIDENT)));
            }
            ClauseKind::Ahead(steps) => {
                mapping.wishes.ahead = Some(numbers.between(steps, "ahead", (0, limits::AHEAD)))
            }
            ClauseKind::Direct => mapping.direct = true,
            _ => {}
        }
    }
    for (of, clause) in &plan.shifts {
        if let ClauseKind::Shift { by, .. } = &map.clauses[*clause].kind {
            let by = by.iter().map(|by| numbers.between(by, "shift", (-limits::SHIFT, limits::SHIFT))).collect();
            mapping.shifts.push(Shift { of: *of, by });
        }
    }
    for (parameter, clause, row) in &plan.stages {
        if let ClauseKind::Stage { medium, .. } = map.clauses[*clause].kind {
            mapping.stages.push(Stage { parameter: *parameter, medium, row: *row, at: map.clauses[*clause].at });
        }
    }
    (faults.len() == before).then_some(mapping)
}

struct Numbers<'a> {
    instance: &'a Instance,
    faults: &'a mut Faults,
}

fn tile_below_one(value: Int) -> SizesFact {
    SizesFact::TileBelowOne { value }
}
fn fold_below_one(value: Int) -> SizesFact {
    SizesFact::FoldBelowOne { value }
}
fn overlap_negative(value: Int) -> SizesFact {
    SizesFact::OverlapNegative { value }
}

impl Numbers<'_> {
    /// A loop of the map, with the numbers of its tile.
    fn node(&mut self, map: &tree::Map, node: &PlanNode) -> Node {
        let tile = node.tile.as_ref().map(|t| {
            let (by, by_at) = match &map.clauses[t.clause].kind {
                ClauseKind::Tile { by, .. } => (self.at_least(by, 1, tile_below_one), by.at),
                _ => (1, node.name.at),
            };
            let overlap = t.overlap.map(|c| &map.clauses[c]);
            let (below, beyond) = match overlap.map(|c| &c.kind) {
                Some(ClauseKind::Overlap { before, after, .. }) => {
                    let below = self.at_least(before, 0, overlap_negative);
                    (below, after.as_ref().map_or(below, |a| self.at_least(a, 0, overlap_negative)))
                }
                _ => (0, 0),
            };
            let overlap_at = overlap.map(|c| c.at);
            Tile { by, by_at, outer: t.outer, inner: t.inner, before: below, after: beyond, overlap_at }
        });
        Node { name: node.name.clone(), tile }
    }

    /// A number of at least `least`. Any other is reported, and `least` is used instead.
    fn at_least(&mut self, expr: &Expr, least: Int, fact: fn(Int) -> SizesFact) -> Int {
        let fault = match constant::number(expr, self.instance) {
            Ok(value) if value < least => Fault::new(expr.at, fact(value)),
            Ok(value) if value > limits::NUMBER => {
                Fault::new(expr.at, SizesFact::TooLarge { text: print_expr(expr), limit: limits::NUMBER })
            }
            Ok(value) => return value,
            Err(fault) => fault,
        };
        self.faults.push(fault);
        least
    }

    /// A number in a range. Any other is reported, and the least is used instead.
    fn between(&mut self, expr: &Expr, clause: &'static str, (least, most): (Int, Int)) -> Int {
        let fault = match constant::number(expr, self.instance) {
            Ok(value) if value < least || value > most => {
                Fault::new(expr.at, SizesFact::OutOfRange { clause, value, least, most })
            }
            Ok(value) => return value,
            Err(fault) => fault,
        };
        self.faults.push(fault);
        least
    }

    /// The entries of a matrix. One that is too large is a fault of the law `matrix`.
    fn matrix(&mut self, matrix: &tree::Matrix) -> Vec<Vec<Int>> {
        let mut entry = |expr: &Expr| {
            let fault = match constant::number(expr, self.instance) {
                Ok(value) if value.unsigned_abs() <= limits::NUMBER as u128 => return value,
                Ok(_) => Fault::new(expr.at, MatrixFact::Entry { text: print_expr(expr), limit: limits::NUMBER }),
                Err(fault) => fault,
            };
            self.faults.push(fault);
            0
        };
        matrix.rows.iter().map(|row| row.entries.iter().map(&mut entry).collect()).collect()
    }
}
