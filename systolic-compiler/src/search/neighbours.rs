//! Other numbers for a sketch: each neighbour differs in one of them.
use crate::model::Int;
use crate::sketch::{Facts, Role, Sketch};
use crate::target::GPU;
use crate::target::search::{AHEADS, FOLD_BYTES, RESIDENTS, ROWS, STRIPS};

/// The neighbours of a sketch, grouped by the number that differs.
pub fn neighbours(facts: &Facts<'_>, sketch: &Sketch) -> Vec<Sketch> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Sketch) -> bool| {
        let mut other = sketch.clone();
        if change(&mut other) && other != *sketch && other.warps() <= GPU.block_warps && !other.is_idle(&facts.lengths)
        {
            all.push(other);
        }
    };
    let bytes = facts.element_bytes();
    // What gains most comes first: the work may end before the last.
    for l in 0..sketch.roles.len() {
        for up in [true, false] {
            with(&|s| tiled(s, l, |steps, _| *steps = scaled(*steps, up)));
            with(&|s| lanes(s, l, |fold, _, _| *fold = scaled(*fold, up)) && fits_fold(s, bytes));
            with(&|s| lanes(s, l, |_, strip, _| *strip = scaled(*strip, up)) && fits_strip(s));
            with(&|s| !facts.is_short(l) && unrolled(s, l, up));
        }
    }
    for resident in RESIDENTS {
        with(&|s| {
            s.resident = resident;
            true
        });
    }
    if sketch.time.iter().any(|row| !row.unrolled) {
        for ahead in AHEADS {
            with(&|s| {
                s.ahead = ahead;
                true
            });
        }
    }
    for l in 0..sketch.roles.len() {
        with(&|s| tiled(s, l, |steps, _| *steps = *steps * 3 / 2));
        for up in [true, false] {
            with(&|s| lanes(s, l, |_, _, warps| *warps = scaled(*warps, up)));
            with(&|s| tiled(s, l, |_, warps| *warps = scaled(*warps, up)));
        }
    }
    all
}

/// A number doubled or halved, at least 1.
fn scaled(number: Int, up: bool) -> Int {
    if up { number * 2 } else { (number / 2).max(1) }
}

fn lanes(sketch: &mut Sketch, l: usize, change: impl Fn(&mut Int, &mut Int, &mut Int)) -> bool {
    match &mut sketch.roles[l] {
        Role::Lanes(lanes) => {
            change(&mut lanes.fold, &mut lanes.strip, &mut lanes.warps);
            lanes.core() > 0 && (lanes.overlap == (0, 0) || lanes.warps == 1)
        }
        _ => false,
    }
}

/// Changes the points of a tile that are not computed again, and its warps.
fn tiled(sketch: &mut Sketch, l: usize, change: impl Fn(&mut Int, &mut Int)) -> bool {
    let is_unrolled = |s: &Sketch| s.time.iter().any(|row| row.unrolled && row.uses(l));
    let unrolled = is_unrolled(sketch);
    match &mut sketch.roles[l] {
        Role::Tiled(tiled) => {
            let again = tiled.overlap.0 + tiled.overlap.1;
            let mut steps = tiled.steps - again;
            change(&mut steps, &mut tiled.warps);
            tiled.steps = steps + again;
            steps > 0 && (!unrolled || steps <= ROWS) && (again == 0 || tiled.warps == 1)
        }
        _ => false,
    }
}

/// Changes how many iterations of a long loop of time are unrolled.
fn unrolled(sketch: &mut Sketch, l: usize, up: bool) -> bool {
    // A loop that shares its row with another is not divided.
    let alone = sketch.time.iter().any(|row| row.uses(l) && row.terms.len() == 1);
    match &mut sketch.roles[l] {
        Role::Time { unroll } if alone => {
            *unroll = scaled(*unroll, up);
            *unroll <= ROWS
        }
        _ => false,
    }
}

fn fits_fold(sketch: &Sketch, bytes: Int) -> bool {
    sketch.lanes().is_some_and(|(_, lanes)| lanes.fold * bytes <= FOLD_BYTES.max(bytes * 2))
}

/// Only a wavefront has strips of neighbours: elsewhere a fold does the same with fewer steps. Points apart have a row of time.
fn fits_strip(sketch: &Sketch) -> bool {
    sketch.lanes().is_some_and(|(_, lanes)| (!lanes.blocks || lanes.apart) && lanes.strip <= STRIPS)
}
