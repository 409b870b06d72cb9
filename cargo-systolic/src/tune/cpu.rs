//! Maps for a CPU, as text: which loop runs across the lanes, how many points a lane takes, how many rows a block has, and whether
//! short loops are unrolled. Not all of them are lawful; the laws choose.

use std::fmt::Write;
use systolic_compiler::mapping::{Reads, constant_length, walks};
use systolic_compiler::model::{Int, Kernel, fresh_name, taken_names};
use systolic_compiler::sorted::SortedSet;
use systolic_compiler::syntax::tree;
use systolic_compiler::target::gpu::{GRID_AXES, LANES};

/// Points per lane.
const FOLDS: [Int; 3] = [1, 2, 4];

/// Rows per block: of another loop, or tiles of the lanes' own.
const ROWS: [Int; 3] = [8, 1, 64];

/// Loops that are tried across the lanes.
const LANE_LOOPS: usize = 3;

/// Iterations of all loops that are unrolled together.
const UNROLLED: Int = 64;

/// The maps of a kernel, most promising first.
pub fn maps(tree: &tree::Kernel, kernel: &Kernel) -> Vec<String> {
    let loops = Loops::new(kernel);
    let mut all = Vec::new();
    for unroll in [false, true] {
        for rows in ROWS {
            for fold in FOLDS {
                for lane in loops.lanes() {
                    all.extend(loops.map(Plan { lane, fold, rows, unroll }, taken_names(tree)));
                }
            }
        }
    }
    all
}

/// The numbers of one map.
#[derive(Clone, Copy)]
struct Plan {
    lane: usize,
    fold: Int,
    rows: Int,
    unroll: bool,
}

struct Loops<'k> {
    kernel: &'k Kernel,
    parallel: Vec<bool>,
    lengths: Vec<Option<Int>>,
}

impl Loops<'_> {
    fn new(kernel: &Kernel) -> Loops<'_> {
        let computed = Reads::of(kernel, |_| true).computed;
        let loops = 0..kernel.loops.len();
        let parallel = loops.clone().map(|l| computed.iter().all(|distance| distance[l] == 0)).collect();
        Loops { kernel, parallel, lengths: loops.map(|l| constant_length(kernel, l)).collect() }
    }

    /// The loops that may run across the lanes: those along which most outputs are stored in a row, the innermost first.
    fn lanes(&self) -> Vec<usize> {
        let stores = |l: usize| {
            let dim = self.kernel.loop_dim(l);
            self.kernel.stores.iter().filter(|store| walks(&store.index, dim)).count()
        };
        let wide = |l: &usize| self.lengths[*l].is_none_or(|n| n >= LANES);
        let mut lanes: Vec<usize> = (0..self.kernel.loops.len()).filter(|l| self.parallel[*l] && wide(l)).collect();
        let most = lanes.iter().map(|l| stores(*l)).max().unwrap_or(0);
        lanes.retain(|l| stores(*l) == most);
        lanes.reverse();
        lanes.truncate(LANE_LOOPS);
        lanes
    }

    /// One map; `None` if it would be another one of the list.
    fn map(&self, plan: Plan, mut taken: SortedSet<String>) -> Option<String> {
        let name = |l: usize| self.kernel.loops[l].name.text.as_str();
        let mut fresh = |stem: &str, letter: char| fresh_name(&mut taken, &format!("{stem}{letter}"));
        let mut text = "map {\n".to_string();
        let lane = name(plan.lane);
        let (outer, inner) = (fresh(lane, 'b'), fresh(lane, 'i'));
        let width = LANES * plan.fold;
        // The other loops that no value is carried along, outermost first.
        let others: Vec<usize> = (0..self.kernel.loops.len())
            .filter(|l| *l != plan.lane && self.parallel[*l] && self.lengths[*l].is_none_or(|n| n >= LANES))
            .take(GRID_AXES - 1)
            .collect();
        let mut blocks: Vec<String> = Vec::new();
        match others.first() {
            Some(first) if plan.rows > 1 => {
                let (tiles, row) = (fresh(name(*first), 'b'), fresh(name(*first), 'i'));
                let _ = writeln!(text, "tile {} by {} as ({tiles}, {row});", name(*first), plan.rows);
                blocks.push(tiles);
                blocks.extend(others[1..].iter().map(|l| name(*l).to_string()));
            }
            Some(_) => blocks.extend(others.iter().map(|l| name(*l).to_string())),
            None => {}
        }
        match others.is_empty() && plan.rows > 1 {
            true => {
                // One block takes several tiles of the lanes, one after another.
                let (block, rest) = (fresh(lane, 'x'), fresh(lane, 'y'));
                let _ = writeln!(text, "tile {lane} by {} as ({block}, {rest});", width * plan.rows);
                let _ = writeln!(text, "tile {rest} by {width} as ({outer}, {inner});");
                blocks.push(block);
            }
            false => {
                let _ = writeln!(text, "tile {lane} by {width} as ({outer}, {inner});");
                // With rows in a block, its lanes walk along them.
                if plan.rows == 1 {
                    blocks.push(outer);
                }
            }
        }
        let _ = writeln!(text, "blocks ({});", blocks.join(", "));
        let fold = if plan.fold > 1 { format!(" fold {}", plan.fold) } else { String::new() };
        let _ = writeln!(text, "lanes {inner}{fold};");
        if plan.unroll {
            let short = self.short(plan.lane);
            let names: Vec<&str> = short.iter().map(|l| name(*l)).collect();
            if names.is_empty() {
                return None;
            }
            let _ = writeln!(text, "unroll ({});", names.join(", "));
        }
        Some(text + "}\n")
    }

    /// Innermost loops that are short enough to be unrolled together.
    fn short(&self, lane: usize) -> Vec<usize> {
        let mut product = 1;
        let mut short = Vec::new();
        for l in (0..self.lengths.len()).rev().filter(|l| *l != lane) {
            match self.lengths[l] {
                Some(n) if n >= 1 && product * n <= UNROLLED => {
                    product *= n;
                    short.push(l);
                }
                _ => break,
            }
        }
        short
    }
}
