//! Random maps: tiles, blocks, warps, lanes with fold, a matrix for the rest, overlap, order, unrolling, staging, and
//! the clauses `resident` and `ahead`.
mod reach;
mod rows;
mod text;

use super::Random;
use super::aim::Aim;
use super::loops::Loops;

struct Tile {
    of: String,
    by: i64,
    outer: String,
    inner: String,
    overlap: Option<(i64, i64)>,
}

pub struct Map {
    aim: Aim,
    tiles: Vec<Tile>,
    /// The loops left after tiling.
    leaves: Vec<String>,
    launches: Vec<String>,
    blocks: Vec<String>,
    /// Whether blocks wait for those whose values they read.
    ordered: bool,
    warps: Vec<String>,
    old: Vec<String>,
    new: Vec<String>,
    matrix: Vec<Vec<i64>>,
    lanes: Vec<String>,
    fold: i64,
    /// Sequential loops in the order of time, and whether to write a `reorder` clause.
    sequential: Vec<String>,
    reorder: bool,
    unroll: Vec<String>,
    /// `stage` clauses, as text.
    stages: Vec<String>,
    /// The shifts of the variables in order; empty if none is shifted.
    shifts: Vec<Vec<i64>>,
    /// By how much more an output is shifted than its variable.
    later: Option<Vec<i64>>,
    /// `shift` clauses, as text.
    shift_clauses: Vec<String>,
}

/// Loops that are neither blocks nor sequential, and those of them with a constant length: candidates for lanes and
/// warps.
struct Free {
    all: Vec<String>,
    fixed: Vec<String>,
}

impl Free {
    fn remove(&mut self, leaf: &str) {
        self.all.retain(|l| l != leaf);
        self.fixed.retain(|l| l != leaf);
    }
}

impl Map {
    pub fn draw(random: &mut Random, loops: &Loops, aim: Aim) -> Map {
        let mut map = Map {
            aim,
            tiles: Vec::new(),
            leaves: Vec::new(),
            launches: Vec::new(),
            blocks: Vec::new(),
            ordered: aim == Aim::Far && random.chance(80),
            warps: Vec::new(),
            old: Vec::new(),
            new: Vec::new(),
            matrix: Vec::new(),
            lanes: Vec::new(),
            fold: random.pick(&[1, 1, 1, 2, 3, 4]),
            sequential: Vec::new(),
            reorder: false,
            unroll: Vec::new(),
            stages: Vec::new(),
            shifts: Vec::new(),
            later: None,
            shift_clauses: Vec::new(),
        };
        let mut free = map.draw_tiles(random, loops);
        map.set_aside(random, &mut free);
        map.order_leaves(loops);
        if free.fixed.is_empty() || aim == Aim::Anything && random.chance(8) {
            map.plain(random, free);
        } else {
            map.transformed(random, loops, free);
        }
        map.draw_order(random);
        map.draw_unroll(random, loops);
        map
    }

    fn draw_tiles(&mut self, random: &mut Random, loops: &Loops) -> Free {
        let mut free = Free { all: Vec::new(), fixed: Vec::new() };
        let last = loops.list.last().map_or("", |l| &l.name);
        for l in &loops.list {
            let enough = if self.aim.is_between_warps() { 2 } else { 1 };
            let wanted = if l.length.is_none() && free.fixed.len() < enough { 92 } else { 40 };
            let is_inner = self.aim == Aim::RowBetweenWarps && l.name == last;
            if is_inner || !random.chance(wanted) {
                free.all.push(l.name.clone());
                if l.length.is_some() && !l.leans {
                    free.fixed.push(l.name.clone());
                }
                continue;
            }
            let (outer, inner) = (format!("{}o", l.name), format!("{}i", l.name));
            let by = match self.aim {
                Aim::FewerRows => random.within(1, 3),
                _ if random.chance(10) => random.pick(&[16, 28, 32, 33, 48, 65]),
                _ if self.aim.is_between_warps() => random.within(2, 4),
                _ => random.within(1, 6),
            };
            self.tile(&l.name, by, &outer, &inner);
            let mut parts = vec![inner.clone()];
            if random.chance(15) {
                parts = self.tile_again(random, &l.name, &inner);
            }
            free.fixed.extend(parts.iter().cloned());
            free.all.extend(parts);
            match random.below(100) {
                0..60 if self.aim == Aim::Far => self.far(random, &l.name, outer),
                0..35 => self.block(random, &l.name, outer),
                35..85 => self.sequential.push(outer),
                _ => free.all.push(outer),
            }
        }
        free
    }

    fn tile(&mut self, of: &str, by: i64, outer: &str, inner: &str) {
        let (of, outer, inner) = (of.to_string(), outer.to_string(), inner.to_string());
        self.tiles.push(Tile { of, by, outer, inner, overlap: None });
    }

    /// Tiles a tile again and returns the two new loops.
    fn tile_again(&mut self, random: &mut Random, name: &str, inner: &str) -> Vec<String> {
        let (a, b) = (format!("{name}a"), format!("{name}b"));
        self.tile(inner, random.within(1, 3), &a, &b);
        if random.chance(10)
            && let Some(tile) = self.tiles.last_mut()
        {
            tile.overlap = Some((random.within(0, 2), random.within(0, 2)));
        }
        vec![a, b]
    }

    /// Makes the tiles of a loop blocks, sometimes with an overlap.
    fn block(&mut self, random: &mut Random, name: &str, outer: String) {
        self.blocks.push(outer);
        if random.chance(25) {
            let k = random.within(0, 2);
            let overlap = (k, if random.chance(50) { k } else { random.within(0, 2) });
            if let Some(tile) = self.tiles.iter_mut().find(|t| t.of == name) {
                tile.overlap = Some(overlap);
            }
        }
    }

    /// Makes the tiles of a loop blocks in order, or launches, sometimes with an overlap.
    fn far(&mut self, random: &mut Random, name: &str, outer: String) {
        if self.launches.len() < 2 && random.chance(if self.ordered { 35 } else { 75 }) {
            self.launches.push(outer);
        } else if self.ordered {
            self.blocks.push(outer);
        } else {
            self.block(random, name, outer);
        }
    }

    /// Keeps a few loops out of the matrix, as blocks and sequential loops.
    fn set_aside(&mut self, random: &mut Random, free: &mut Free) {
        for (k, leaf) in free.all.clone().into_iter().enumerate() {
            let is_outer = self.aim == Aim::RowBetweenWarps && k == 0;
            let spare = free.fixed.len() > 1 || !free.fixed.contains(&leaf);
            if free.all.len() > 1 && spare && (is_outer || random.chance(10)) {
                free.remove(&leaf);
                if self.aim == Aim::Far && self.launches.len() < 2 && random.chance(40) {
                    self.launches.push(leaf);
                } else if !is_outer && random.chance(25) && self.blocks.len() < 3 {
                    self.blocks.push(leaf);
                } else {
                    self.sequential.push(leaf);
                }
            }
        }
    }

    /// Orders the leaves as in the `for`, with the outer loop of a tile before its inner one.
    fn order_leaves(&mut self, loops: &Loops) {
        let mut leaves = loops.names();
        while let Some((at, tile)) =
            leaves.iter().enumerate().find_map(|(k, l)| self.tiles.iter().find(|t| t.of == *l).map(|t| (k, t)))
        {
            leaves.splice(at..=at, [tile.outer.clone(), tile.inner.clone()]);
        }
        self.leaves = leaves;
    }

    fn draw_order(&mut self, random: &mut Random) {
        self.reorder = self.sequential.len() > 1 && random.chance(50);
        if self.reorder {
            random.shuffle(&mut self.sequential);
        } else {
            let leaves = self.leaves.clone();
            self.sequential.sort_by_key(|l| leaves.iter().position(|leaf| leaf == l));
        }
    }

    /// Unrolls some of the innermost time loops that have a constant length.
    fn draw_unroll(&mut self, random: &mut Random, loops: &Loops) {
        if !random.chance(if self.aim == Aim::InStep { 80 } else { 50 }) {
            return;
        }
        let rows = self.time_rows();
        let cut = if self.aim == Aim::InStep { 0 } else { random.below(rows.len() + 1) };
        for (name, row) in &rows[cut..] {
            let known = row.iter().all(|(leaf, c)| *c == 0 || self.extent(leaf, loops).is_some());
            if known || random.chance(2) {
                self.unroll.push(name.clone());
            }
        }
    }

    /// Shifts most variables, and sometimes the outputs.
    pub fn draw_shifts(&mut self, random: &mut Random, loops: &Loops) {
        let shift = |random: &mut Random| loops.list.iter().map(|_| random.pick(&[-1, 0, 0, 0, 1, 1, 2])).collect();
        self.shifts = (0..4).map(|_| shift(random)).collect();
        self.later = random.chance(20).then(|| super::body::distance(random, loops, self, false)).flatten();
    }

    /// The distance between places of a read at distance `e` of variable `m` by variable `n`, and back: a shift changes the one
    /// into the other.
    pub fn unshifted(&self, n: usize, m: usize, e: &[i64]) -> Vec<i64> {
        match (self.shifts.get(n), self.shifts.get(m)) {
            (Some(reader), Some(read)) => (0..e.len()).map(|k| e[k] - reader[k] + read[k]).collect(),
            _ => e.to_vec(),
        }
    }

    /// Writes the clauses, now that the variables and outputs have names.
    pub fn name_shifts(&mut self, variables: &[String], outputs: &[(String, usize)]) {
        let clause = |name: &str, by: &[i64]| {
            let by: Vec<String> = by.iter().map(i64::to_string).collect();
            format!("shift {name} by ({});", by.join(", "))
        };
        let moves = |by: &&Vec<i64>| by.iter().any(|by| *by != 0);
        let named = variables.iter().zip(&self.shifts).filter(|(_, by)| moves(by));
        self.shift_clauses = named.map(|(name, by)| clause(name, by)).collect();
        if let Some(later) = &self.later {
            for (name, variable) in outputs {
                let by: Vec<i64> = self.shifts[*variable].iter().zip(later).map(|(s, l)| s + l).collect();
                self.shift_clauses.push(clause(name, &by));
            }
        }
    }

    /// Stages some of these arrays at a loop.
    pub fn draw_stages(&mut self, random: &mut Random, arrays: &[String]) {
        let mut at: Vec<String> = self.blocks.clone();
        at.extend(self.time_rows().into_iter().map(|(name, _)| name).filter(|n| !self.unroll.contains(n)));
        for array in arrays {
            if !at.is_empty() && random.chance(8) {
                let medium = random.pick(&["shared", "registers"]);
                self.stages.push(format!("stage {array} in {medium} at {};", random.pick(&at)));
            }
        }
    }
}
