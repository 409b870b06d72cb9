//! Sketches of maps: what every loop becomes, which rows are time, and the numbers.
//!
//! | file | holds |
//! | --- | --- |
//! | `facts` | what is known of a kernel's loops |
//! | `structures` | all sketches of a kernel that are worth trying |
//! | `staged` | those that bring inputs to shared memory, for lanes that read them along other axes |
//! | `order` | those with launches, and with blocks that wait for each other |
//! | `write` | a sketch as a map, clause by clause, as a user would write it, so that it can be pasted into the kernel |
mod facts;
mod order;
mod staged;
mod structures;
mod write;

pub use facts::Facts;
pub use structures::{recomputed, structures};
pub use write::TileNames;

use crate::model::Int;
use crate::target::gpu;

/// What a loop of the kernel becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It runs across the lanes, in tiles of `32 · fold · strip · warps` points less the overlap.
    Lanes(Lanes),
    /// It is divided into tiles of `steps · warps` points less the overlap. The steps are rows of time.
    Tiled(Tiled),
    /// Each of its iterations is a block.
    Block,
    /// Launches follow each other along it, each with this many of its iterations: more than one are unrolled.
    Launch { steps: Int },
    /// It is in the rows of time, this many iterations at a time: more than one are unrolled in a row of their own.
    Time { unroll: Int },
}

impl Role {
    /// Whether a half of its tile would do for a loop of this length.
    fn is_idle(&self, length: Int) -> bool {
        let (points, least) = match self {
            Role::Lanes(lanes) => (lanes.core(), gpu::LANES),
            Role::Tiled(tiled) => (tiled.core(), 1),
            Role::Block | Role::Launch { .. } | Role::Time { .. } => return false,
        };
        points >= 2 * length.max(least)
    }

    /// Halves its tile: of several warps their number, else the points of one. Returns whether it could.
    fn halve(&mut self) -> bool {
        let number = match self {
            Role::Lanes(Lanes { overlap: (0, 0), warps, strip, fold, .. }) => {
                [warps, strip, fold].into_iter().find(|number| **number > 1)
            }
            Role::Tiled(Tiled { overlap: (0, 0), warps, steps, .. }) => {
                [warps, steps].into_iter().find(|number| **number > 1)
            }
            _ => None,
        };
        number.map(|number| *number /= 2).is_some()
    }
}

/// The loop of the lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Neighbouring points per lane, computed in one step.
    pub fold: Int,
    /// Points per lane, computed one after another by an unrolled row of time.
    pub strip: Int,
    /// Whether the points of a strip lie as far apart as all lanes reach; otherwise they are neighbours.
    pub apart: bool,
    /// Warps side by side.
    pub warps: Int,
    /// Points that are computed again before and after a tile.
    pub overlap: (Int, Int),
    /// Whether the tiles are blocks; otherwise they are time.
    pub blocks: bool,
}

/// A loop in tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiled {
    pub steps: Int,
    pub warps: Int,
    pub overlap: (Int, Int),
    /// Whether the tiles are blocks; otherwise they are time.
    pub blocks: bool,
}

impl Lanes {
    /// The points of a tile that are not computed again.
    pub fn core(&self) -> Int {
        gpu::LANES * self.fold * self.strip * self.warps - self.overlap.0 - self.overlap.1
    }
}

impl Tiled {
    /// The points of a tile that are not computed again.
    pub fn core(&self) -> Int {
        self.steps * self.warps - self.overlap.0 - self.overlap.1
    }
}

/// A loop of the map that a row of time uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The tiles of a loop.
    Outer(usize),
    /// The steps within a tile, or the loop itself where it is not tiled.
    Inner(usize),
    /// The lane.
    Lane,
    /// The points of a lane's strip.
    Strip,
}

/// A row of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub terms: Vec<(Term, Int)>,
    pub unrolled: bool,
}

impl Row {
    /// Whether it runs over the steps of a loop.
    pub fn uses(&self, l: usize) -> bool {
        self.terms.iter().any(|(term, _)| *term == Term::Inner(l))
    }
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// One per loop of the kernel, one of them the lanes.
    pub roles: Vec<Role>,
    /// Outermost first.
    pub time: Vec<Row>,
    /// Whether blocks may wait for each other.
    pub ordered: bool,
    /// The parameters that are staged in shared memory, at the innermost row that is not unrolled.
    pub staged: Vec<usize>,
    pub resident: Option<Int>,
    pub ahead: Option<Int>,
}

impl Sketch {
    /// The loop of the lanes.
    pub fn lanes(&self) -> Option<(usize, &Lanes)> {
        self.roles.iter().enumerate().find_map(|(l, role)| match role {
            Role::Lanes(lanes) => Some((l, lanes)),
            _ => None,
        })
    }

    /// Whether values go from block to block, or from launch to launch.
    pub fn goes_far(&self) -> bool {
        self.ordered || self.roles.iter().any(|role| matches!(role, Role::Launch { .. }))
    }

    /// All warps of a block.
    pub fn warps(&self) -> Int {
        let of = |role: &Role| match role {
            Role::Lanes(lanes) => lanes.warps,
            Role::Tiled(tiled) => tiled.warps,
            Role::Block | Role::Launch { .. } | Role::Time { .. } => 1,
        };
        self.roles.iter().map(of).product()
    }

    /// Whether a tile is so long that a half of it would do for a loop of constant length.
    pub fn is_idle(&self, lengths: &[Option<Int>]) -> bool {
        self.roles.iter().zip(lengths).any(|(role, length)| length.is_some_and(|length| role.is_idle(length)))
    }

    /// Halves tiles until none is too long for a loop of constant length.
    fn shorten(&mut self, lengths: &[Option<Int>]) {
        for (role, length) in self.roles.iter_mut().zip(lengths) {
            while length.is_some_and(|length| role.is_idle(length)) && role.halve() {}
        }
    }

    /// Copies of the body per step: the points of a lane times the iterations of unrolled rows.
    pub fn copies(&self, lengths: &[Option<Int>]) -> Int {
        let points = self.lanes().map_or(1, |(_, lanes)| lanes.fold * lanes.strip);
        let unrolled = self.roles.iter().enumerate().map(|(l, role)| match role {
            Role::Tiled(tiled) if self.is_unrolled(l) => tiled.steps,
            Role::Launch { steps } => *steps,
            Role::Time { unroll: 1 } if self.is_unrolled(l) => lengths[l].unwrap_or(1),
            Role::Time { unroll } => *unroll,
            _ => 1,
        });
        points * unrolled.product::<Int>()
    }

    /// Whether an unrolled row runs over a loop alone or first.
    fn is_unrolled(&self, l: usize) -> bool {
        self.time.iter().any(|row| row.unrolled && row.terms.first().is_some_and(|(term, _)| *term == Term::Inner(l)))
    }

    /// The rows of time, with a row of its own for the iterations of a loop that are unrolled.
    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let has_strip = self.lanes().is_some_and(|(_, lanes)| lanes.strip > 1);
        for row in &self.time {
            match row.terms.as_slice() {
                [(Term::Strip, _)] if !has_strip => {}
                [(Term::Inner(l), factor)] if matches!(self.roles[*l], Role::Time { unroll: 2.. }) => {
                    rows.push(Row { terms: vec![(Term::Outer(*l), *factor)], unrolled: row.unrolled });
                    rows.push(Row { terms: row.terms.clone(), unrolled: true });
                }
                _ => rows.push(row.clone()),
            }
        }
        rows
    }
}
