//! How a read behaves under a map: whether the map accepts its distance, and whether it passes from warp to warp.
use super::Map;
use crate::random::aim::Aim;
use crate::random::loops::Loops;

/// The longest innermost loop that is unrolled by default.
const WRITTEN: i64 = 16;
/// The maximum delay in steps of a value that does not wait in memory.
const DEEPEST: i64 = 12;

/// An affine form over the leaves.
type Row = Vec<(String, i64)>;

impl Map {
    /// The number of values of a leaf, if it is constant.
    pub(super) fn extent(&self, leaf: &str, loops: &Loops) -> Option<i64> {
        if let Some(l) = loops.list.iter().find(|l| l.name == leaf) {
            return l.length.filter(|_| l.low.terms.is_empty());
        }
        let tile = self.tiles.iter().find(|t| t.outer == leaf || t.inner == leaf)?;
        if tile.inner == leaf {
            let (before, after) = tile.overlap.unwrap_or((0, 0));
            return Some(before + tile.by + after);
        }
        // One more tile, because the loop may not start at the edge of a tile.
        self.extent(&tile.of, loops).map(|n| (n - 1) / tile.by + 2)
    }

    /// The time rows over the leaves.
    pub(super) fn time_rows(&self) -> Vec<(String, Row)> {
        let mut rows: Vec<(String, Row)> = self.sequential.iter().map(|l| (l.clone(), vec![(l.clone(), 1)])).collect();
        let is_time = |name: &String| !self.lanes.contains(name) && !self.warps.contains(name);
        rows.extend(self.new.iter().filter(|n| is_time(n)).map(|name| (name.clone(), self.row(name))));
        rows
    }

    /// A loop, old or new, as a row over the leaves.
    fn row(&self, name: &str) -> Row {
        match self.new.iter().position(|n| n == name) {
            Some(k) => self.old.iter().cloned().zip(self.matrix[k].iter().copied()).collect(),
            None => vec![(name.to_string(), 1)],
        }
    }

    /// Whether the map accepts a dependence distance: for every way to cross tiles it stays in its block, and time
    /// advances. With `overlap`, blocks may be left as far as the halos reach.
    pub fn accepts(&self, loops: &Loops, distance: &[i64], overlap: bool) -> bool {
        let rows = self.time_rows();
        self.pieces(loops, distance, overlap).iter().all(|piece| {
            let time: Vec<i64> = rows.iter().map(|(_, row)| along(row, piece)).collect();
            let first = |loops: &[String]| loops.iter().map(|l| moved(piece, l)).find(|d| *d != 0);
            match (first(&self.launches), first(&self.blocks)) {
                // Of an earlier launch.
                (Some(d), _) => d > 0,
                (None, Some(d)) => self.ordered && d > 0,
                (None, None) => time > vec![0; time.len()],
            }
        })
    }

    /// Whether some way to cross tiles matches the goal of the map. Always true if the goal is about neither warps nor blocks.
    pub fn is_aimed(&self, loops: &Loops, distance: &[i64]) -> bool {
        let warps: Vec<Row> = self.warps.iter().map(|name| self.row(name)).collect();
        if self.aim == Aim::Far {
            let far: Vec<&String> = self.launches.iter().chain(self.blocks.iter().filter(|_| self.ordered)).collect();
            let crosses = |p: &Row| far.iter().any(|l| moved(p, l) != 0);
            return far.is_empty() || self.pieces(loops, distance, false).iter().any(crosses);
        }
        let crosses = |p: &Row| warps.iter().any(|row| along(row, p) != 0);
        !self.aim.is_between_warps()
            || self.pieces(loops, distance, false).iter().any(|p| crosses(p) && self.way(loops, p) == self.aim)
    }

    /// How a value passes from warp to warp along a displacement.
    fn way(&self, loops: &Loops, piece: &Row) -> Aim {
        let rows = self.time_rows();
        let written = rows.iter().rev().take_while(|(name, _)| self.unroll.contains(name)).count();
        let short = |(_, row): &(String, Row)| self.row_extent(row, loops).is_some_and(|n| n <= WRITTEN);
        let written = if self.unroll.is_empty() { usize::from(rows.last().is_some_and(short)) } else { written };
        let rolled = &rows[..rows.len() - written];
        let Some(first) = rolled.iter().position(|(_, row)| along(row, piece) != 0) else { return Aim::InStep };
        let mut delay = Some(along(&rolled[first].1, piece));
        for (_, row) in &rolled[first + 1..] {
            delay = delay.zip(self.row_extent(row, loops)).map(|(d, n)| d * n + along(row, piece));
        }
        if delay.is_some_and(|d| d <= DEEPEST) { Aim::Ring } else { Aim::RowBetweenWarps }
    }

    /// The number of values of a row, if it is constant.
    fn row_extent(&self, row: &Row, loops: &Loops) -> Option<i64> {
        let used = row.iter().filter(|(_, c)| *c != 0);
        used.map(|(leaf, c)| Some(c.abs() * (self.extent(leaf, loops)? - 1))).sum::<Option<i64>>().map(|n| n + 1)
    }

    /// The displacements of the leaves for a distance: one for each way to cross tiles.
    fn pieces(&self, loops: &Loops, distance: &[i64], overlap: bool) -> Vec<Row> {
        let mut pieces: Vec<Row> = vec![Vec::new()];
        for (l, d) in loops.list.iter().zip(distance) {
            let parts = self.split(&l.name, *d, overlap);
            pieces = pieces.iter().flat_map(|p| parts.iter().map(|more| [p.as_slice(), more].concat())).collect();
        }
        pieces
    }

    fn split(&self, name: &str, d: i64, overlap: bool) -> Vec<Row> {
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
}

/// The displacement of a leaf.
fn moved(piece: &[(String, i64)], leaf: &str) -> i64 {
    piece.iter().find(|(l, _)| l == leaf).map_or(0, |(_, d)| *d)
}

/// The displacement of a row.
fn along(row: &[(String, i64)], piece: &[(String, i64)]) -> i64 {
    row.iter().map(|(leaf, c)| c * moved(piece, leaf)).sum()
}
