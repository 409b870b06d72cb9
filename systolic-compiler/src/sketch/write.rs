//! Writes a sketch as a map.
use super::{Lanes, Role, Sketch, Term, Tiled};
use crate::model::{Int, Kernel, fresh_name};
use crate::region::{Name, Region};
use crate::sorted::SortedSet;
use crate::syntax::tree::{Clause, ClauseKind, Expr, Map, Matrix, MatrixRow, StageMedium};
use crate::target::gpu;

/// Per loop of the kernel: the names of the loops that its first tile, the tile of that tile's inner loop, and so on divide it
/// into, where a user gave them.
pub type TileNames = Vec<Vec<(String, String)>>;

impl Sketch {
    /// The map, or `None` if its tiles have no points or it has no lanes.
    pub fn map(&self, kernel: &Kernel, taken: &SortedSet<String>, given: &TileNames, at: Region) -> Option<Map> {
        let mut writer = Writer {
            at,
            given: given.clone(),
            taken: taken.clone(),
            clauses: Vec::new(),
            blocks: Vec::new(),
            warps: Vec::new(),
            launches: Vec::new(),
            loops: kernel.loops.iter().map(|l| Nodes::whole(l.name.text.clone())).collect(),
            lane: None,
            strip: None,
        };
        for (l, role) in self.roles.iter().enumerate() {
            writer.role(l, role)?;
        }
        writer.time(self, kernel)?;
        let number = |value: Int| Expr::number(at, value);
        writer.clauses.extend(self.resident.map(|n| ClauseKind::Resident(number(n))));
        writer.clauses.extend(self.ahead.map(|n| ClauseKind::Ahead(number(n))));
        let clauses = writer.clauses.into_iter().map(|kind| Clause { kind, at }).collect();
        Some(Map { auto: false, name: None, on: None, conditions: Vec::new(), clauses, at })
    }
}

/// The names of the loops that a loop is divided into.
struct Nodes {
    outer: Option<String>,
    inner: String,
}

impl Nodes {
    fn whole(name: String) -> Nodes {
        Nodes { outer: None, inner: name }
    }
}

/// Writes a sketch as clauses.
struct Writer {
    at: Region,
    /// Names that are used.
    taken: SortedSet<String>,
    /// Names that tiles must have.
    given: TileNames,
    clauses: Vec<ClauseKind>,
    blocks: Vec<String>,
    warps: Vec<String>,
    launches: Vec<String>,
    loops: Vec<Nodes>,
    lane: Option<String>,
    strip: Option<String>,
}

impl Writer {
    /// The tiles of a loop.
    fn role(&mut self, l: usize, role: &Role) -> Option<()> {
        match role {
            Role::Lanes(lanes) => self.lanes(l, lanes),
            Role::Tiled(tiled) => self.tiled(l, tiled),
            Role::Block => {
                self.blocks.push(self.loops[l].inner.clone());
                Some(())
            }
            Role::Launch { steps: 1 } => {
                self.launches.push(self.loops[l].inner.clone());
                Some(())
            }
            Role::Launch { steps } => {
                let outer = self.halves(l, *steps);
                self.launches.push(outer);
                Some(())
            }
            Role::Time { unroll: 1 } => Some(()),
            Role::Time { unroll } => {
                self.halves(l, *unroll);
                Some(())
            }
        }
    }

    /// Divides a loop into tiles of this many iterations. Returns the loop over tiles.
    fn halves(&mut self, l: usize, by: Int) -> String {
        let name = self.loops[l].inner.clone();
        let (outer, inner) = self.pair(l, 0, &name, ['o', 'i']);
        self.tile(&name, by, &outer, &inner);
        self.loops[l] = Nodes { outer: Some(outer.clone()), inner };
        outer
    }

    fn lanes(&mut self, l: usize, lanes: &Lanes) -> Option<()> {
        let name = self.loops[l].inner.clone();
        let width = gpu::LANES * lanes.fold * lanes.strip;
        let inner = self.divide(l, &name, (lanes.core(), lanes.warps, width), lanes.overlap, lanes.blocks)?;
        let lane = match lanes.strip {
            1 => inner,
            strip => {
                let depth = if lanes.warps > 1 { 2 } else { 1 };
                let (by, letters) = match lanes.apart {
                    true => (gpu::LANES * lanes.fold, ['r', 'l']),
                    false => (strip, ['l', 'r']),
                };
                let (outer, within) = self.pair(l, depth, &name, letters);
                self.tile(&inner, by, &outer, &within);
                let (lane, point) = if lanes.apart { (within, outer) } else { (outer, within) };
                self.strip = Some(point);
                lane
            }
        };
        self.loops[l].inner = lane.clone();
        self.lane = Some(lane);
        Some(())
    }

    fn tiled(&mut self, l: usize, tiled: &Tiled) -> Option<()> {
        let name = self.loops[l].inner.clone();
        let inner = self.divide(l, &name, (tiled.core(), tiled.warps, tiled.steps), tiled.overlap, tiled.blocks)?;
        self.loops[l].inner = inner;
        Some(())
    }

    /// Divides a loop into tiles of `core` points, and those into warps of `steps` points. Returns the innermost loop.
    fn divide(
        &mut self,
        l: usize,
        name: &str,
        (core, warps, steps): (Int, Int, Int),
        overlap: (Int, Int),
        blocks: bool,
    ) -> Option<String> {
        let overlaps = overlap != (0, 0);
        if core < 1 || (overlaps && warps > 1) {
            return None;
        }
        let (outer, inner) = self.pair(l, 0, name, ['b', if warps > 1 { 'w' } else { 'i' }]);
        self.tile(name, core, &outer, &inner);
        if overlaps {
            let name = self.name(name);
            let (before, after) = (Expr::number(self.at, overlap.0), Expr::number(self.at, overlap.1));
            let after = (overlap.0 != overlap.1).then_some(after);
            self.clauses.push(ClauseKind::Overlap { of: name, before, after });
        }
        if blocks {
            self.blocks.push(outer.clone());
        }
        self.loops[l].outer = Some(outer);
        if warps == 1 {
            return Some(inner);
        }
        let (warp, point) = self.pair(l, 1, name, ['x', 'i']);
        self.tile(&inner, steps, &warp, &point);
        self.warps.push(warp);
        Some(point)
    }

    /// Blocks, warps, the matrix, lanes and unrolled rows.
    fn time(&mut self, sketch: &Sketch, kernel: &Kernel) -> Option<()> {
        let (lane_loop, lanes) = sketch.lanes()?;
        let lane = self.lane.clone()?;
        let mut old = vec![lane.clone()];
        let mut rows: Vec<Vec<(String, Int)>> = vec![vec![(lane.clone(), 1)]];
        let time = sketch.rows();
        for row in &time {
            let mut terms = Vec::new();
            for (term, factor) in &row.terms {
                let name = match term {
                    Term::Outer(l) => self.loops[*l].outer.clone()?,
                    Term::Inner(l) if *l == lane_loop => lane.clone(),
                    Term::Inner(l) => self.loops[*l].inner.clone(),
                    Term::Lane => lane.clone(),
                    Term::Strip => self.strip.clone()?,
                };
                if !old.contains(&name) {
                    old.push(name.clone());
                }
                terms.push((name, *factor));
            }
            rows.push(terms);
        }
        let new: Vec<String> = (0..rows.len()).map(|k| self.fresh("", ROW_NAMES[k.min(ROW_NAMES.len() - 1)])).collect();
        let entry = |row: &[(String, Int)], name: &String| row.iter().filter(|(n, _)| n == name).map(|(_, c)| c).sum();
        let row = |row: &Vec<(String, Int)>| MatrixRow {
            entries: old.iter().map(|name| Expr::number(self.at, entry(row, name))).collect(),
            at: self.at,
        };
        let matrix = Matrix { rows: rows.iter().map(row).collect(), at: self.at };
        let unrolled: Vec<Name> =
            time.iter().zip(&new[1..]).filter(|(row, _)| row.unrolled).map(|(_, n)| self.name(n)).collect();
        if !self.launches.is_empty() {
            self.clauses.push(ClauseKind::Launches(self.names(&self.launches)));
        }
        if !self.blocks.is_empty() {
            let blocks = self.names(&self.blocks);
            self.clauses.push(if sketch.ordered { ClauseKind::Ordered(blocks) } else { ClauseKind::Blocks(blocks) });
        }
        if !self.warps.is_empty() {
            self.clauses.push(ClauseKind::Warps(self.names(&self.warps)));
        }
        let (old, names) = (self.names(&old), self.names(&new));
        self.clauses.push(ClauseKind::SpaceTime { old, new: names, matrix, reverse: None });
        let fold = (lanes.fold > 1).then(|| Expr::number(self.at, lanes.fold));
        self.clauses.push(ClauseKind::Lanes { loops: vec![self.name(&new[0])], fold });
        if !unrolled.is_empty() {
            self.clauses.push(ClauseKind::Unroll(unrolled));
        }
        let rolled = time.iter().zip(&new[1..]).filter(|(row, _)| !row.unrolled).map(|(_, n)| n).next_back();
        if let Some(row) = rolled {
            for parameter in &sketch.staged {
                let array = self.name(&kernel.parameters[*parameter].name.text);
                let stage = ClauseKind::Stage { array, medium: StageMedium::Shared, at: self.name(row) };
                self.clauses.push(stage);
            }
        }
        Some(())
    }

    fn tile(&mut self, of: &str, by: Int, outer: &str, inner: &str) {
        let by = Expr::number(self.at, by);
        let clause = ClauseKind::Tile { of: self.name(of), by, outer: self.name(outer), inner: self.name(inner) };
        self.clauses.push(clause);
    }

    /// The names of the two loops of a tile: those that were given, or new ones.
    fn pair(&mut self, l: usize, depth: usize, stem: &str, letters: [char; 2]) -> (String, String) {
        match self.given.get(l).and_then(|names| names.get(depth)) {
            Some(names) => names.clone(),
            None => (self.fresh(stem, letters[0]), self.fresh(stem, letters[1])),
        }
    }

    /// A name that nothing else has: the stem and a letter, with a number if that is needed.
    fn fresh(&mut self, stem: &str, letter: char) -> String {
        fresh_name(&mut self.taken, &format!("{stem}{letter}"))
    }

    fn name(&self, text: &str) -> Name {
        Name { text: text.to_string(), at: self.at }
    }

    fn names(&self, texts: &[String]) -> Vec<Name> {
        texts.iter().map(|text| self.name(text)).collect()
    }
}

/// The names of the rows of a matrix: the lane, then time.
const ROW_NAMES: [char; 7] = ['s', 't', 'u', 'v', 'w', 'x', 'y'];
