//! Random maps: tiles, blocks, warps, lanes with fold, a matrix for the rest, overlap, order and unrolling.
use super::Random;
use super::loops::Loops;
use crate::rank::rank;

pub struct Tile {
    pub of: String,
    pub by: i64,
    pub outer: String,
    pub inner: String,
    pub overlap: Option<(i64, i64)>,
}

#[derive(Default)]
pub struct Map {
    pub tiles: Vec<Tile>,
    /// The loops left after tiling.
    leaves: Vec<String>,
    pub blocks: Vec<String>,
    warps: Vec<String>,
    old: Vec<String>,
    new: Vec<String>,
    matrix: Vec<Vec<i64>>,
    lanes: Vec<String>,
    fold: i64,
    /// Sequential loops in the order of time, and whether to write the order down.
    sequential: Vec<String>,
    reorder: bool,
    unroll: Vec<String>,
}

impl Map {
    pub fn draw(random: &mut Random, loops: &Loops) -> Map {
        let mut map = Map { fold: random.pick(&[1, 1, 1, 2, 3, 4]), ..Map::default() };
        // Loops whose length is a constant can be lanes and warps.
        let (mut free, mut fixed) = (Vec::new(), Vec::new());
        for l in &loops.list {
            let wanted = if l.length.is_none() && fixed.is_empty() { 92 } else { 40 };
            if !random.chance(wanted) {
                free.push(l.name.clone());
                if l.length.is_some() && !l.leans {
                    fixed.push(l.name.clone());
                }
                continue;
            }
            let (outer, inner) = (format!("{}o", l.name), format!("{}i", l.name));
            let by = if random.chance(10) { random.pick(&[16, 28, 32, 33, 48, 65]) } else { random.within(1, 6) };
            map.tile(&l.name, by, &outer, &inner);
            let mut parts = vec![inner.clone()];
            if random.chance(15) {
                let (a, b) = (format!("{}a", l.name), format!("{}b", l.name));
                map.tile(&inner, random.within(1, 3), &a, &b);
                if random.chance(10)
                    && let Some(tile) = map.tiles.last_mut()
                {
                    tile.overlap = Some((random.within(0, 2), random.within(0, 2)));
                }
                parts = vec![a, b];
            }
            fixed.extend(parts.iter().cloned());
            free.extend(parts);
            match random.below(100) {
                0..35 => {
                    map.blocks.push(outer);
                    if random.chance(25) {
                        let k = random.within(0, 2);
                        let overlap = (k, if random.chance(50) { k } else { random.within(0, 2) });
                        if let Some(tile) = map.tiles.iter_mut().find(|t| t.of == l.name) {
                            tile.overlap = Some(overlap);
                        }
                    }
                }
                35..85 => map.sequential.push(outer),
                _ => free.push(outer),
            }
        }
        for leaf in free.clone() {
            if free.len() > 1 && random.chance(10) && (fixed.len() > 1 || !fixed.contains(&leaf)) {
                free.retain(|l| *l != leaf);
                fixed.retain(|l| *l != leaf);
                if random.chance(25) && map.blocks.len() < 3 {
                    map.blocks.push(leaf);
                } else {
                    map.sequential.push(leaf);
                }
            }
        }
        map.order_leaves(loops);
        if fixed.is_empty() || random.chance(8) {
            map.plain(random, free, fixed);
        } else {
            map.transformed(random, free, fixed);
        }
        map.reorder = map.sequential.len() > 1 && random.chance(50);
        if map.reorder {
            random.shuffle(&mut map.sequential);
        } else {
            let leaves = map.leaves.clone();
            map.sequential.sort_by_key(|l| leaves.iter().position(|leaf| leaf == l));
        }
        map.draw_unroll(random, loops);
        map
    }

    fn tile(&mut self, of: &str, by: i64, outer: &str, inner: &str) {
        let (of, outer, inner) = (of.to_string(), outer.to_string(), inner.to_string());
        self.tiles.push(Tile { of, by, outer, inner, overlap: None });
    }

    /// In order of the `for`, a tile's outer loop before its inner.
    fn order_leaves(&mut self, loops: &Loops) {
        let mut leaves = loops.names();
        while let Some((at, tile)) =
            leaves.iter().enumerate().find_map(|(k, l)| self.tiles.iter().find(|t| t.of == *l).map(|t| (k, t)))
        {
            leaves.splice(at..=at, [tile.outer.clone(), tile.inner.clone()]);
        }
        self.leaves = leaves;
    }

    /// Without a matrix: lanes name loops, the rest is time.
    fn plain(&mut self, random: &mut Random, mut free: Vec<String>, fixed: Vec<String>) {
        let count = if fixed.len() > 1 && random.chance(30) { 2 } else { 1 };
        for _ in 0..count {
            let candidates: Vec<String> = free.iter().filter(|l| fixed.contains(l)).cloned().collect();
            // A loop of run-time length is a fault of `lanes`.
            let lane = if candidates.is_empty() { random.pick(&free) } else { random.pick(&candidates) };
            free.retain(|l| *l != lane);
            self.lanes.push(lane);
        }
        self.sequential.extend(free);
    }

    fn transformed(&mut self, random: &mut Random, mut free: Vec<String>, mut fixed: Vec<String>) {
        let unit = |free: &[String], leaf: &str| free.iter().map(|l| i64::from(l == leaf)).collect::<Vec<_>>();
        if fixed.len() > 1 && random.chance(30) {
            let warp = random.pick(&fixed);
            if random.chance(50) {
                // A loop as warps; it may still skew time.
                self.matrix.push(unit(&free, &warp));
                self.new.push("w".to_string());
                self.warps.push("w".to_string());
            } else {
                free.retain(|l| *l != warp);
                fixed.retain(|l| *l != warp);
                self.warps.push(warp);
            }
        }
        random.shuffle(&mut free);
        if let Some(row) = self.matrix.first_mut() {
            // Written before the shuffle.
            let warp = fixed.iter().find(|l| free.contains(l)).cloned().unwrap_or_default();
            *row = unit(&free, &warp);
        }
        let lane_rows = if fixed.len() > 1 && random.chance(15) { 2 } else { 1 };
        let warp_of_matrix = self.matrix.first().and_then(|row| row.iter().position(|c| *c == 1));
        for s in 0..lane_rows {
            let candidates: Vec<String> = fixed
                .iter()
                .filter(|l| warp_of_matrix.is_none_or(|w| free[w] != **l) && !self.lanes_use(l, &free))
                .cloned()
                .collect();
            let favourite = if candidates.is_empty() { random.pick(&fixed) } else { random.pick(&candidates) };
            let row = free.iter().map(|l| {
                if *l == favourite {
                    random.pick(&[1, 1, 1, 1, -1, 2])
                } else if fixed.contains(l) {
                    random.pick(&[0, 0, 0, 0, 1, -1])
                } else {
                    0
                }
            });
            let row = row.collect();
            self.matrix.push(row);
            self.new.push(format!("s{s}"));
            self.lanes.push(format!("s{s}"));
        }
        let mut times: Vec<Vec<i64>> = Vec::new();
        let missing = free.len().saturating_sub(self.matrix.len());
        let count = missing as i64 + random.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 1, -1]);
        let used: Vec<usize> = self.matrix.iter().filter_map(|row| row.iter().position(|c| *c != 0)).collect();
        let mut rest: Vec<usize> = (0..free.len()).filter(|k| !used.contains(k)).collect();
        random.shuffle(&mut rest);
        // Dependent rows are a fault of `matrix`, which hides those of all later laws.
        for _ in 0..if random.chance(93) { 8 } else { 1 } {
            times = self.draw_times(random, count.max(0) as usize, &rest, free.len());
            let wide = |row: &Vec<i64>| row.iter().map(|c| i128::from(*c)).collect::<Vec<_>>();
            let all: Vec<Vec<i128>> = self.matrix.iter().chain(&times).map(wide).collect();
            if rank(&all) == all.len() {
                break;
            }
        }
        for (t, row) in times.into_iter().enumerate() {
            self.matrix.push(row);
            self.new.push(format!("t{t}"));
        }
        self.old = free;
    }

    fn draw_times(&self, random: &mut Random, count: usize, rest: &[usize], columns: usize) -> Vec<Vec<i64>> {
        let mut times = Vec::new();
        for t in 0..count {
            let mut row = vec![0; columns];
            match rest.get(t) {
                // The loops left over, each in a row of its own, skewed by others: most likely to be undone.
                Some(k) if random.chance(85) => {
                    row[*k] = if random.chance(85) { 1 } else { -1 };
                    for (other, c) in row.iter_mut().enumerate() {
                        if other != *k {
                            *c = random.pick(&[0, 0, 0, 1, 1, -1, 2]);
                        }
                    }
                }
                _ => row.iter_mut().for_each(|c| *c = random.pick(&[0, 0, 0, 0, 1, 1, 1, -1, 2, -2])),
            }
            times.push(row);
        }
        times
    }

    fn lanes_use(&self, leaf: &str, free: &[String]) -> bool {
        self.matrix.iter().zip(&self.new).any(|(row, name)| {
            self.lanes.contains(name) && free.iter().position(|l| l == leaf).is_some_and(|k| row[k] != 0)
        })
    }

    /// The last time loops, as far as their length is a constant.
    fn draw_unroll(&mut self, random: &mut Random, loops: &Loops) {
        if !random.chance(50) {
            return;
        }
        let times: Vec<String> = self.time_rows().iter().map(|(name, _)| name.clone()).collect();
        let cut = random.below(times.len() + 1);
        for name in &times[cut..] {
            let row = self.time_rows().into_iter().find(|(n, _)| n == name).map(|(_, row)| row).unwrap_or_default();
            let known = row.iter().all(|(leaf, c)| *c == 0 || self.is_fixed(leaf, loops));
            if known || random.chance(2) {
                self.unroll.push(name.clone());
            }
        }
    }

    /// Whether the range of a leaf is a constant.
    fn is_fixed(&self, leaf: &str, loops: &Loops) -> bool {
        if let Some(l) = loops.list.iter().find(|l| l.name == leaf) {
            return l.low.terms.is_empty() && l.high.terms.is_empty();
        }
        match self.tiles.iter().find(|t| t.outer == leaf || t.inner == leaf) {
            Some(t) if t.inner == leaf => true,
            Some(t) => self.is_fixed(&t.of, loops),
            None => false,
        }
    }

    /// Time as rows over the leaves.
    fn time_rows(&self) -> Vec<(String, Vec<(String, i64)>)> {
        let mut rows: Vec<(String, Vec<(String, i64)>)> =
            self.sequential.iter().map(|l| (l.clone(), vec![(l.clone(), 1)])).collect();
        for (name, row) in self.new.iter().zip(&self.matrix) {
            if !self.lanes.contains(name) && !self.warps.contains(name) {
                rows.push((name.clone(), self.old.iter().cloned().zip(row.iter().copied()).collect()));
            }
        }
        rows
    }

    /// Whether a value made `distance` before can be had: no block is left, and time advances in every piece.
    /// With `overlap`, blocks may be left as far as the rims reach.
    pub fn accepts(&self, loops: &Loops, distance: &[i64], overlap: bool) -> bool {
        let mut pieces: Vec<Vec<(String, i64)>> = vec![Vec::new()];
        for (l, d) in loops.list.iter().zip(distance) {
            let parts = self.split(&l.name, *d, overlap);
            pieces = pieces.iter().flat_map(|p| parts.iter().map(|more| [p.as_slice(), more].concat())).collect();
        }
        let moved = |piece: &[(String, i64)], leaf: &str| piece.iter().find(|(l, _)| l == leaf).map_or(0, |(_, d)| *d);
        pieces.iter().all(|piece| {
            let time: Vec<i64> = self
                .time_rows()
                .iter()
                .map(|(_, row)| row.iter().map(|(leaf, c)| c * moved(piece, leaf)).sum())
                .collect();
            self.blocks.iter().all(|b| moved(piece, b) == 0) && time > vec![0; time.len()]
        })
    }

    /// How a distance in a loop moves its leaves: one way for each way to cross tiles.
    fn split(&self, name: &str, d: i64, overlap: bool) -> Vec<Vec<(String, i64)>> {
        let Some(tile) = self.tiles.iter().find(|t| t.of == name) else { return vec![vec![(name.to_string(), d)]] };
        let low = d.div_euclid(tile.by);
        let overs = match tile.overlap {
            Some((before, after)) if overlap && -after <= d && d <= before => vec![0],
            _ if d % tile.by == 0 => vec![low],
            _ => vec![low, low + 1],
        };
        let mut ways = Vec::new();
        for over in overs {
            for a in self.split(&tile.outer, over, overlap) {
                for b in self.split(&tile.inner, d - tile.by * over, overlap) {
                    ways.push([a.as_slice(), &b].concat());
                }
            }
        }
        ways
    }

    pub fn text(&self) -> String {
        let list = |names: &[String]| names.join(", ");
        let mut clauses: Vec<String> =
            self.tiles.iter().map(|t| format!("tile {} by {} as ({}, {});", t.of, t.by, t.outer, t.inner)).collect();
        for t in &self.tiles {
            match t.overlap {
                Some((k, m)) if k == m => clauses.push(format!("overlap {} by {k};", t.of)),
                Some((k, m)) => clauses.push(format!("overlap {} by ({k}, {m});", t.of)),
                None => {}
            }
        }
        for (word, names) in [("blocks", &self.blocks), ("warps", &self.warps)] {
            if !names.is_empty() {
                clauses.push(format!("{word} ({});", list(names)));
            }
        }
        if !self.new.is_empty() {
            let rows: Vec<String> = self.matrix.iter().map(|row| format!("{row:?}")).collect();
            let (old, new) = (list(&self.old), list(&self.new));
            clauses.push(format!("space_time ({old}) -> ({new}) = [{}];", rows.join(", ")));
        }
        let lanes = if self.lanes.len() == 1 { self.lanes[0].clone() } else { format!("({})", list(&self.lanes)) };
        let fold = if self.fold == 1 { String::new() } else { format!(" fold {}", self.fold) };
        clauses.push(format!("lanes {lanes}{fold};"));
        if self.reorder {
            clauses.push(format!("reorder ({});", list(&self.sequential)));
        }
        if !self.unroll.is_empty() {
            clauses.push(format!("unroll ({});", list(&self.unroll)));
        }
        clauses.join(" ")
    }
}
