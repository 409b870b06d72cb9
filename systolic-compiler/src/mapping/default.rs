//! A map for kernels that have none: found by a search over small schedules, the same one every time.
//! One loop goes to the lanes, tiled by 32; loops that no computed value crosses become blocks; the others are time, in
//! the order that shows the kernel has no cycle, skewed by the lane where that is needed.
use crate::laws::{Direction, Lawful, LawfulMap, Order, prove_map};
use crate::model::{Array, Int, Kernel, Mapping, MatrixClause, Node, RowName, Tile};
use crate::region::{Name, Region};
use std::cmp::Reverse;

const LANES: Int = 32;
/// How far a step may lag from lane to lane.
const SKEWS: [Int; 7] = [0, 1, -1, 2, -2, 3, -3];

/// The first lawful map, best first. `None`: no affine order of the loops serves all variables at once.
pub fn default_map(lawful: &Lawful) -> Option<LawfulMap> {
    let kernel = lawful.kernel();
    let Order::Nest { loops, .. } = lawful.order() else { return None };
    let parallel: Vec<bool> = (0..kernel.loops.len()).map(|l| is_parallel(kernel, l)).collect();
    let mut lanes: Vec<usize> = (0..kernel.loops.len()).collect();
    // A loop shorter than the warp would leave lanes idle.
    lanes.sort_by_key(|l| (is_short(kernel, *l), Reverse(adjacency(kernel, *l)), Reverse(*l)));
    for width in [LANES, 1] {
        for lane in &lanes {
            for outer_is_block in [true, false] {
                if outer_is_block && !parallel[*lane] {
                    continue;
                }
                for skew in SKEWS {
                    let draft = Draft { kernel, loops, parallel: &parallel, lane: *lane, width, outer_is_block, skew };
                    if let Ok(map) = prove_map(kernel, &draft.mapping()) {
                        return Some(map);
                    }
                }
            }
        }
    }
    None
}

/// Whether no computed value crosses a loop.
fn is_parallel(kernel: &Kernel, l: usize) -> bool {
    kernel.reads().iter().all(|r| kernel.equations[r.variable].copy.is_some() || r.distance[l] == 0)
}

/// How many accesses walk through memory as this loop runs.
fn adjacency(kernel: &Kernel, l: usize) -> usize {
    let dim = kernel.loop_dim(l);
    let walks = |index: &[crate::model::Form]| {
        let (last, rest) = match index.split_last() {
            Some(parts) => parts,
            None => return false,
        };
        last.coef(dim).abs() == 1 && rest.iter().all(|f| f.coef(dim) == 0)
    };
    let inputs = kernel.accesses();
    let reads = inputs.iter().filter(|a| matches!(a.array, Array::Parameter(_)) && walks(a.index)).count();
    reads + kernel.stores.iter().filter(|s| walks(&s.index)).count()
}

struct Draft<'a> {
    kernel: &'a Kernel,
    loops: &'a [(usize, Direction)],
    parallel: &'a [bool],
    lane: usize,
    width: Int,
    outer_is_block: bool,
    skew: Int,
}

impl Draft<'_> {
    fn mapping(&self) -> Mapping {
        let kernel = self.kernel;
        let at = kernel.name.at;
        let name = |text: String| Name { text, at };
        let count = kernel.loops.len();
        let mut nodes: Vec<Node> = kernel.loops.iter().map(|l| Node { name: l.name.clone(), tile: None }).collect();
        let lane_name = &kernel.loops[self.lane].name.text;
        let tile =
            Tile { by: self.width, by_at: at, outer: count, inner: count + 1, before: 0, after: 0, overlap_at: None };
        nodes[self.lane].tile = Some(tile);
        nodes.push(Node { name: name(format!("{lane_name}_tile")), tile: None });
        nodes.push(Node { name: name(format!("{lane_name}_lane")), tile: None });
        let mut leaves = Vec::new();
        for l in 0..count {
            if l == self.lane { leaves.extend([count, count + 1]) } else { leaves.push(l) }
        }
        let leaf = |node: usize| leaves.iter().position(|n| *n == node).unwrap_or(0);
        // Blocks: parallel loops, three at most, the outermost first; the tiles of the lane loop among them.
        let mut blocks: Vec<usize> = Vec::new();
        if self.outer_is_block {
            blocks.push(leaf(count));
        }
        for l in (0..count).filter(|l| *l != self.lane && self.parallel[*l]) {
            if blocks.len() < 3 && !constant(kernel, l) {
                blocks.push(leaf(l));
            }
        }
        blocks.sort_unstable();
        // Time: what is left, in the order of the nest; the tiles of the lane loop where the loop itself stood.
        let mut old: Vec<usize> = vec![leaf(count + 1)];
        let mut rows: Vec<Vec<(usize, Int)>> = vec![vec![(leaf(count + 1), 1)]];
        for (l, direction) in self.loops {
            let leaf = leaf(if *l == self.lane { count } else { *l });
            if !blocks.contains(&leaf) {
                let sign = if *direction == Direction::Up { 1 } else { -1 };
                old.push(leaf);
                rows.push(vec![(leaf, sign)]);
            }
        }
        if rows.len() > 1 && self.skew != 0 {
            let last = rows.len() - 1;
            rows[last].push((old[0], self.skew));
        }
        let matrix: Vec<Vec<Int>> = rows
            .iter()
            .map(|row| old.iter().map(|o| row.iter().filter(|(l, _)| l == o).map(|(_, c)| c).sum()).collect())
            .collect();
        let new: Vec<Name> =
            (0..rows.len()).map(|k| name(if k == 0 { "lane".to_string() } else { format!("time{k}") })).collect();
        let clause = MatrixClause {
            old: old.iter().map(|l| (*l, nodes[leaves[*l]].name.clone())).collect(),
            row_at: vec![at; rows.len()],
            rows: matrix,
            new: new.clone(),
            at,
            reverse: None,
        };
        Mapping {
            position: usize::MAX,
            name: None,
            on: None,
            at,
            nodes,
            leaves,
            blocks,
            warps: Vec::new(),
            lanes: vec![(RowName::New(0), new[0].clone())],
            lanes_at: Some(Region::of(at.start)),
            fold: 1,
            fold_at: None,
            matrix: Some(clause),
            sequential: Vec::new(),
            unroll: Vec::new(),
            stages: Vec::new(),
        }
    }
}

/// Whether a loop has fewer points than a warp has lanes.
fn is_short(kernel: &Kernel, l: usize) -> bool {
    let length = &kernel.loops[l].high - &kernel.loops[l].low;
    length.is_constant() && length.constant < LANES
}

/// Whether a loop's bounds are numbers: short loops stay in time.
fn constant(kernel: &Kernel, l: usize) -> bool {
    kernel.loops[l].low.is_constant() && kernel.loops[l].high.is_constant()
}
