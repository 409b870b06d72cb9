//! What an automatic map without lanes gives to the sketches: names and sizes of tiles, overlaps, blocks, wishes.
use crate::model::{self, Instance, Int, Kernel};
use crate::region::Name;
use crate::sketch::{Role, Sketch, TileNames};
use crate::sorted::SortedSet;
use crate::syntax::tree::{self, Clause, ClauseKind, ExprKind, Map};
use crate::target::gpu;

/// The clauses of an automatic map, by what they mean for a sketch.
pub struct Given {
    map: Map,
    instance: Instance,
    /// Names that a map of the kernel may not define.
    taken: SortedSet<String>,
    tiles: TileNames,
    /// Per loop: the sizes of its tiles, where they are numbers.
    sizes: Vec<Vec<Option<Int>>>,
    overlaps: Vec<Option<(Int, Int)>>,
    /// The kernel under the map's `shift` and `direct`, if it has any.
    changed: Option<Box<Kernel>>,
}

impl Given {
    pub fn new(tree: &tree::Kernel, kernel: &Kernel, map: &Map) -> Given {
        let loops = kernel.loops.len();
        let mut taken = model::taken_names(tree);
        let mut given = Given {
            map: map.clone(),
            instance: kernel.instance.clone(),
            taken: SortedSet::new(),
            tiles: vec![Vec::new(); loops],
            sizes: vec![Vec::new(); loops],
            overlaps: vec![None; loops],
            changed: None,
        };
        let mut innermost: Vec<String> = kernel.loops.iter().map(|l| l.name.text.clone()).collect();
        for clause in &map.clauses {
            match &clause.kind {
                ClauseKind::Tile { of, by, outer, inner } => {
                    let Some(l) = innermost.iter().position(|name| *name == of.text) else { continue };
                    innermost[l].clone_from(&inner.text);
                    given.tiles[l].push((outer.text.clone(), inner.text.clone()));
                    given.sizes[l].push(model::number(by, &kernel.instance));
                    taken.extend([outer.text.clone(), inner.text.clone()]);
                }
                ClauseKind::Overlap { of, before, after } => {
                    let Some(l) = kernel.loops.iter().position(|l| l.name == *of) else { continue };
                    let before = model::number(before, &kernel.instance);
                    let after = after.as_ref().map_or(before, |after| model::number(after, &kernel.instance));
                    given.overlaps[l] = before.zip(after);
                }
                _ => {}
            }
        }
        given.taken = taken;
        given.changed = model::changed(tree, kernel, map).map(Box::new);
        given
    }

    /// The kernel that sketches are made for.
    pub fn kernel<'k>(&'k self, kernel: &'k Kernel) -> &'k Kernel {
        self.changed.as_deref().unwrap_or(kernel)
    }

    /// A sketch as a map that keeps what is given; none if it does not fit.
    pub fn map(&self, kernel: &Kernel, sketch: &Sketch) -> Option<Map> {
        let mut sketch = sketch.clone();
        for l in 0..sketch.roles.len() {
            self.fix(&mut sketch, l)?;
        }
        let written = sketch.map(kernel, &self.taken, &self.tiles, self.map.at)?;
        self.kept(written)
    }

    /// Gives a loop of a sketch the sizes and overlaps that are given. `None` if they do not fit its role.
    fn fix(&self, sketch: &mut Sketch, l: usize) -> Option<()> {
        let (sizes, overlap) = (&self.sizes[l], self.overlaps[l]);
        if sizes.is_empty() {
            return overlap.is_none().then_some(());
        }
        match &mut sketch.roles[l] {
            Role::Lanes(lanes) => {
                lanes.overlap = overlap.unwrap_or(lanes.overlap);
                if let Some(Some(width)) = sizes.get(1) {
                    let points = if lanes.apart { 1 } else { lanes.strip };
                    lanes.fold = divided(*width, gpu::LANES * points)?;
                }
                if let Some(core) = sizes[0] {
                    let points = core + lanes.overlap.0 + lanes.overlap.1;
                    match sizes.len() {
                        1 => {
                            lanes.warps = 1;
                            lanes.fold = divided(points, gpu::LANES * lanes.strip)?;
                        }
                        _ => lanes.warps = divided(points, gpu::LANES * lanes.strip * lanes.fold)?,
                    }
                }
            }
            Role::Tiled(tiled) => {
                tiled.overlap = overlap.unwrap_or(tiled.overlap);
                if let Some(Some(steps)) = sizes.get(1) {
                    tiled.steps = *steps;
                }
                if let Some(core) = sizes[0] {
                    let points = core + tiled.overlap.0 + tiled.overlap.1;
                    match sizes.len() {
                        1 => (tiled.warps, tiled.steps) = (1, points),
                        _ => tiled.warps = divided(points, tiled.steps)?,
                    }
                }
            }
            Role::Time { unroll } if sizes.len() == 1 => *unroll = sizes[0].unwrap_or((*unroll).max(2)),
            Role::Launch { steps: 1 } => return None,
            Role::Launch { steps } if sizes.len() == 1 => *steps = sizes[0].unwrap_or(*steps),
            Role::Time { .. } | Role::Launch { .. } | Role::Block => return None,
        }
        Some(())
    }

    /// The map with the user's own clauses in place of the same ones, and with those that sketches do not have. `None` if one of
    /// the user's clauses is missing.
    fn kept(&self, written: Map) -> Option<Map> {
        let mut map = Map { name: self.map.name.clone(), on: self.map.on, at: self.map.at, ..written };
        for clause in &self.map.clauses {
            match &clause.kind {
                ClauseKind::Tile { .. }
                | ClauseKind::Overlap { .. }
                | ClauseKind::Blocks(_)
                | ClauseKind::Ordered(_)
                | ClauseKind::Launches(_)
                | ClauseKind::Warps(_) => {
                    let same = map.clauses.iter_mut().find(|other| self.same(&clause.kind, &other.kind))?;
                    let is_open = clause.kind.number().is_some_and(|n| n.kind == ExprKind::Hole);
                    match is_open {
                        true => same.at = clause.at,
                        false => *same = clause.clone(),
                    }
                }
                ClauseKind::Unroll(names) => names.iter().all(|name| is_unrolled(&map, name)).then_some(())?,
                ClauseKind::Resident(number) | ClauseKind::Ahead(number) if number.kind == ExprKind::Hole => {}
                ClauseKind::Resident(_) => self.replace(&mut map, clause, |k| matches!(k, ClauseKind::Resident(_))),
                ClauseKind::Ahead(_) => self.replace(&mut map, clause, |k| matches!(k, ClauseKind::Ahead(_))),
                ClauseKind::Stage { .. } | ClauseKind::Shift { .. } | ClauseKind::Direct => {
                    map.clauses.push(clause.clone())
                }
                ClauseKind::Reorder(_) | ClauseKind::SpaceTime { .. } | ClauseKind::Lanes { .. } => return None,
            }
        }
        Some(map)
    }

    fn replace(&self, map: &mut Map, by: &Clause, is: fn(&ClauseKind) -> bool) {
        map.clauses.retain(|clause| !is(&clause.kind));
        map.clauses.push(by.clone());
    }

    /// Whether a clause of a sketch says the same as one of the user's.
    fn same(&self, given: &ClauseKind, written: &ClauseKind) -> bool {
        let value = |expr: &tree::Expr| model::number(expr, &self.instance);
        let set = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<SortedSet<_>>();
        match (given, written) {
            (
                ClauseKind::Tile { of: a, by: x, outer: p, inner: q },
                ClauseKind::Tile { of: b, by: y, outer: r, inner: s },
            ) => a == b && p == r && q == s && (x.kind == ExprKind::Hole || value(x) == value(y)),
            (
                ClauseKind::Overlap { of: a, before: x, after: p },
                ClauseKind::Overlap { of: b, before: y, after: q },
            ) => {
                let after = |own: &Option<tree::Expr>, before| own.as_ref().map_or(value(before), value);
                a == b && value(x) == value(y) && after(p, x) == after(q, y)
            }
            (ClauseKind::Blocks(a), ClauseKind::Blocks(b))
            | (ClauseKind::Ordered(a), ClauseKind::Ordered(b))
            | (ClauseKind::Warps(a), ClauseKind::Warps(b)) => set(a) == set(b),
            (ClauseKind::Launches(a), ClauseKind::Launches(b)) => a == b,
            _ => false,
        }
    }
}

/// A number of points divided among something, if there is no rest.
fn divided(points: Int, among: Int) -> Option<Int> {
    (among > 0 && points > 0 && points % among == 0).then(|| points / among)
}

/// Whether an unrolled row of the matrix is this loop alone.
fn is_unrolled(map: &Map, name: &Name) -> bool {
    let unrolled = map.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Unroll(rows) => Some(rows),
        _ => None,
    });
    map.clauses.iter().any(|c| {
        let ClauseKind::SpaceTime { old, new, matrix, .. } = &c.kind else { return false };
        let Some(column) = old.iter().position(|n| n == name) else { return false };
        let is_unit = |row: &tree::MatrixRow| {
            let is_zero = |entry: &tree::Expr| matches!(entry.kind, ExprKind::Int { value: 0, .. });
            row.entries.iter().enumerate().all(|(k, entry)| (k == column) != is_zero(entry))
        };
        let rows = new.iter().zip(&matrix.rows).filter(|(_, row)| is_unit(row));
        rows.into_iter().any(|(name, _)| unrolled.is_some_and(|all| all.contains(name)))
    })
}
