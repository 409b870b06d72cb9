//! The rule: the displacement of a wire alone decides its medium.
use crate::laws::{DEEPEST_ROTATION, depth};
use crate::model::{Int, Places, RowKind};
use std::fmt;

/// What carries a value from where it is made to where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Another name of the same register.
    Rename,
    /// From lane to lane within a step.
    Shuffle,
    /// A register carried over this many steps, shuffled first where the lane differs.
    Rotation { depth: Int, shuffled: bool },
    /// Shared memory between warps of one step.
    Shared,
    /// A ring of slots in shared memory between warps.
    Ring { depth: Int },
    /// A row of memory, past a loop of run-time length or many steps.
    Scratch,
    /// Loaded again: a copy where no wire leads.
    Feed,
}

impl fmt::Display for Medium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Medium::Rename => f.write_str("rename"),
            Medium::Shuffle => f.write_str("shuffle"),
            Medium::Rotation { depth, shuffled: false } => write!(f, "rotation of {depth}"),
            Medium::Rotation { depth, shuffled: true } => write!(f, "shuffle, rotation of {depth}"),
            Medium::Shared => f.write_str("shared memory"),
            Medium::Ring { depth } => write!(f, "ring of {}", depth + 1),
            Medium::Scratch => f.write_str("scratch row"),
            Medium::Feed => f.write_str("feed"),
        }
    }
}

/// The medium of one class of a lawful wire. `leaves`: it leaves a tile or a block, so a copy is fed.
pub fn medium(places: &Places, delta: &[Int], copy: bool, leaves: bool) -> Medium {
    if copy && leaves {
        return Medium::Feed;
    }
    let nonzero = |kind: RowKind| (0..delta.len()).any(|k| places.rows[k].kind == kind && delta[k] != 0);
    // In a fold some registers of the value stay in their lane; the medium is that of those that do not.
    let other_lane = nonzero(RowKind::Lane);
    let warp = nonzero(RowKind::Warp);
    let feed = |otherwise| if copy { Medium::Feed } else { otherwise };
    if !nonzero(RowKind::Time) {
        return match (warp, other_lane) {
            (true, _) => feed(Medium::Shared),
            (false, true) => feed(Medium::Shuffle),
            (false, false) => Medium::Rename,
        };
    }
    let time: Vec<usize> = (0..delta.len()).filter(|k| places.rows[*k].kind == RowKind::Time).collect();
    let written =
        time.iter().rev().take_while(|k| places.rows[**k].unrolled && places.rows[**k].range.is_some()).count();
    let rolled = &time[..time.len() - written];
    if rolled.iter().all(|k| delta[*k] == 0) {
        return match (warp, other_lane) {
            (true, _) => feed(Medium::Shared),
            (false, true) => Medium::Shuffle,
            (false, false) => Medium::Rename,
        };
    }
    match depth(&places.rows, rolled, delta) {
        Some(depth) if warp => feed(Medium::Ring { depth }),
        Some(depth) if depth <= DEEPEST_ROTATION => Medium::Rotation { depth, shuffled: other_lane },
        _ => feed(Medium::Scratch),
    }
}
