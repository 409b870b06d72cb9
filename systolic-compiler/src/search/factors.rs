//! Other numbers for a sketch: each neighbour differs in one of them.
use super::facts::Facts;
use super::sketch::{Role, Sketch, Staged};
use crate::model::{Int, ParameterKind, StageMedium};
use crate::target::GPU;
use crate::target::search::{AHEADS, FOLD_BYTES, RESIDENTS, ROWS, STRIPS};

/// The neighbours of a sketch, grouped by the number that differs.
pub fn neighbours(facts: &Facts<'_>, sketch: &Sketch) -> Vec<Sketch> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Sketch) -> bool| {
        let mut other = sketch.clone();
        if change(&mut other) && other != *sketch && other.warps() <= GPU.block_warps {
            all.push(other);
        }
    };
    let (bytes, _) = facts.element_bytes();
    for l in 0..sketch.roles.len() {
        for up in [true, false] {
            with(&|s| lanes(s, l, |fold, _, _| *fold = scaled(*fold, up)) && fits_fold(s, bytes));
            with(&|s| lanes(s, l, |_, strip, _| *strip = scaled(*strip, up)) && fits_strip(s));
            with(&|s| lanes(s, l, |_, _, warps| *warps = scaled(*warps, up)));
            with(&|s| tiled(s, l, |steps, _| *steps = scaled(*steps, up)));
            with(&|s| tiled(s, l, |_, warps| *warps = scaled(*warps, up)));
        }
        with(&|s| tiled(s, l, |steps, _| *steps = *steps * 3 / 2));
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
    stages(facts, sketch, &mut all);
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

fn fits_fold(sketch: &Sketch, bytes: Int) -> bool {
    sketch.lanes().is_some_and(|(_, lanes)| lanes.fold * bytes <= FOLD_BYTES.max(bytes * 2))
}

/// Only a wavefront has strips: elsewhere a fold does the same with fewer steps.
fn fits_strip(sketch: &Sketch) -> bool {
    sketch.lanes().is_some_and(|(_, lanes)| !lanes.blocks && lanes.strip <= STRIPS)
}

/// The same sketch with an input staged otherwise.
fn stages(facts: &Facts<'_>, sketch: &Sketch, all: &mut Vec<Sketch>) {
    let rolled: Vec<usize> = (0..sketch.time.len()).filter(|k| !sketch.time[*k].unrolled).collect();
    let rows = rolled.into_iter().map(Some).chain(sketch.has_blocks().then_some(None));
    for (parameter, row) in rows.flat_map(|row| (0..facts.kernel.parameters.len()).map(move |p| (p, row))) {
        if !matches!(facts.kernel.parameters[parameter].kind, ParameterKind::Array { .. }) {
            continue;
        }
        let mut other = sketch.clone();
        other.stages.retain(|s| s.parameter != parameter);
        if sketch.stages.len() == other.stages.len() {
            other.stages.push(Staged { parameter, medium: StageMedium::Shared, row });
        }
        all.push(other);
    }
}
