//! Random rows: warps, lanes and time over the free loops.
use super::{Free, Map};
use crate::random::Random;
use crate::random::aim::Aim;
use crate::random::loops::Loops;
use crate::rank::rank;

impl Map {
    /// Without a matrix: lanes are loops, and all other free loops are time.
    pub(super) fn plain(&mut self, random: &mut Random, mut free: Free) {
        let count = if free.fixed.len() > 1 && random.chance(30) { 2 } else { 1 };
        for _ in 0..count {
            // A loop of run-time length violates `lanes`.
            let lane = if free.fixed.is_empty() { random.pick(&free.all) } else { random.pick(&free.fixed) };
            free.remove(&lane);
            self.lanes.push(lane);
        }
        self.sequential.extend(free.all);
    }

    pub(super) fn transformed(&mut self, random: &mut Random, loops: &Loops, mut free: Free) {
        random.shuffle(&mut free.all);
        // Loops whose value a space row already determines.
        let mut settled: Vec<String> = Vec::new();
        while self.warps.len() < 2 && free.fixed.len() > settled.len() + 1 && random.chance(self.warp_chance()) {
            self.draw_warp(random, &mut free, &mut settled);
        }
        let merged = if self.aim == Aim::FewerRows { self.merge(random, loops, &free) } else { None };
        let lane_rows = if free.fixed.len() > settled.len() + 1 && random.chance(15) { 2 } else { 1 };
        for s in 0..lane_rows {
            let row = self.lane_row(random, &free, &mut settled);
            self.matrix.push(row);
            self.new.push(format!("s{s}"));
            self.lanes.push(format!("s{s}"));
        }
        let mut rest: Vec<usize> = (0..free.all.len()).filter(|k| !settled.contains(&free.all[*k])).collect();
        random.shuffle(&mut rest);
        let missing = free.all.len().saturating_sub(self.matrix.len()) as i64;
        let count = missing + random.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 1, -1]);
        self.draw_independent_times(random, count.max(0) as usize, &rest, free.all.len());
        self.old = free.all;
        if let Some((small, large, by)) = merged {
            self.merge_rows(random, small, large, by);
        }
    }

    /// Adds gaps between the steps of time rows: a multiple of a row, a row plus a multiple of an outer one, or one
    /// large entry.
    pub fn stretch(&mut self, random: &mut Random) {
        let is_space = |name: &String| self.lanes.contains(name) || self.warps.contains(name);
        let time: Vec<usize> = (0..self.matrix.len()).filter(|k| !is_space(&self.new[*k])).collect();
        for (n, row) in time.iter().enumerate() {
            let factor = random.pick(&[2, 7, 40, 1000, 1_000_003, 10_000_000]);
            let mut stretched = self.matrix[*row].clone();
            match random.below(4) {
                0 => stretched.iter_mut().for_each(|c| *c = c.saturating_mul(factor)),
                1 if n > 0 => {
                    let outer = &self.matrix[time[random.below(n)]];
                    let entries = stretched.iter_mut().zip(outer);
                    entries.for_each(|(c, o)| *c = c.saturating_add(o.saturating_mul(factor)));
                }
                2 => {
                    let k = random.below(stretched.len());
                    stretched[k] = stretched[k].saturating_mul(factor);
                }
                _ => {}
            }
            // Outer rows may be stretched already. The oracle multiplies entries of all rows in 128 bits, which must
            // not overflow.
            if stretched.iter().all(|c| c.unsigned_abs() <= 20_000_000) {
                self.matrix[*row] = stretched;
            }
        }
    }

    fn warp_chance(&self) -> usize {
        if self.warps.is_empty() { self.aim.warps() } else { 25 }
    }

    /// Makes a loop the warps: as a row of the matrix, so that it may still skew time, or directly by its name.
    fn draw_warp(&mut self, random: &mut Random, free: &mut Free, settled: &mut Vec<String>) {
        let open: Vec<String> = free.fixed.iter().filter(|l| !settled.contains(l)).cloned().collect();
        let warp = random.pick(&open);
        if random.chance(if self.aim.is_between_warps() { 80 } else { 50 }) {
            self.matrix.push(free.all.iter().map(|l| i64::from(*l == warp)).collect());
            let name = format!("w{}", self.warps.len());
            self.new.push(name.clone());
            self.warps.push(name);
            settled.push(warp);
        } else {
            let column = free.all.iter().position(|l| *l == warp);
            for (row, k) in self.matrix.iter_mut().flat_map(|row| column.map(|k| (row, k))) {
                row.remove(k);
            }
            free.remove(&warp);
            self.warps.push(warp);
        }
    }

    fn lane_row(&self, random: &mut Random, free: &Free, settled: &mut Vec<String>) -> Vec<i64> {
        let open: Vec<String> = free.fixed.iter().filter(|l| !settled.contains(l)).cloned().collect();
        let favourite = if open.is_empty() { random.pick(&free.fixed) } else { random.pick(&open) };
        settled.push(favourite.clone());
        let entry = |l: &String| {
            if *l == favourite {
                random.pick(&[1, 1, 1, 1, 1, 1, -1, -1, 2, 3])
            } else if free.fixed.contains(l) {
                random.pick(&[0, 0, 0, 0, 0, 0, 1, 1, -1, -1, 2, -2])
            } else {
                0
            }
        };
        free.all.iter().map(entry).collect()
    }

    /// Usually draws until the rows are independent: dependent rows violate `matrix`, which hides violations of all
    /// later laws.
    fn draw_independent_times(&mut self, random: &mut Random, count: usize, rest: &[usize], columns: usize) {
        let mut times = Vec::new();
        for _ in 0..if random.chance(93) { 8 } else { 1 } {
            times = draw_times(random, count, rest, columns);
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
    }

    /// Chooses a short loop b, another loop a, and about the number of values of b: with 3 values of b, `3 a + b`
    /// determines both.
    fn merge(&self, random: &mut Random, loops: &Loops, free: &Free) -> Option<(usize, usize, i64)> {
        let short = |k: &usize| self.extent(&free.all[*k], loops).filter(|n| *n <= 3);
        let small: Vec<usize> = (0..free.all.len()).filter(|k| short(k).is_some()).collect();
        if small.is_empty() || free.all.len() < 2 {
            return None;
        }
        let small = random.pick(&small);
        let others: Vec<usize> = (0..free.all.len()).filter(|k| *k != small).collect();
        // Sometimes with a gap between, sometimes too narrow.
        let by = short(&small)? + random.pick(&[0, 0, 0, 0, 0, 1, -1]);
        Some((small, random.pick(&others), by.clamp(1, 3)))
    }

    /// Removes one row: the short loop then occurs only in the row of the other one.
    fn merge_rows(&mut self, random: &mut Random, small: usize, large: usize, by: i64) {
        let Some(own) = self.matrix.iter().position(|row| row[large] != 0) else { return };
        let is_space = |name: &String| self.lanes.contains(name) || self.warps.contains(name);
        let gone = (0..self.matrix.len()).rev().find(|k| *k != own && !is_space(&self.new[*k]));
        let Some(gone) = gone.filter(|k| self.matrix[*k][small] != 0 || random.chance(30)) else { return };
        for (k, row) in self.matrix.iter_mut().enumerate() {
            row[small] = if k == own { random.pick(&[1, 1, 1, -1]) } else { 0 };
            if k == own {
                row[large] = by * row[large].signum();
            }
        }
        self.matrix.remove(gone);
        self.new.remove(gone);
    }
}

fn draw_times(random: &mut Random, count: usize, rest: &[usize], columns: usize) -> Vec<Vec<i64>> {
    let mut times = Vec::new();
    for t in 0..count {
        let mut row = vec![0; columns];
        match rest.get(t) {
            // The remaining loops, each in a row of its own, skewed by others: such rows are likely to be invertible.
            Some(k) if random.chance(85) => {
                row[*k] = if random.chance(85) { 1 } else { -1 };
                for (other, c) in row.iter_mut().enumerate() {
                    if other != *k {
                        *c = random.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, 2, 3]);
                    }
                }
            }
            _ => row.iter_mut().for_each(|c| *c = random.pick(&[0, 0, 0, 0, 1, 1, 1, -1, 2, -2, 3, -3])),
        }
        times.push(row);
    }
    times
}
