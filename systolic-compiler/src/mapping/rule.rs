//! The rule: the displacement of a class of a wire alone decides its medium, instance by instance.
use super::layout::{Instance, Layout, Target, TimeLoop};
use crate::dependence::{Class, Reach, fold_source, reach, unrolled_source};
use crate::model::{Int, RowKind};
use crate::planted::planted;

/// Where a value is computed: a variable in an instance of the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    pub variable: usize,
    pub instance: Instance,
}

/// What carries a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Another name of the register.
    Rename(Source),
    /// From the lane `lanes` below, this step.
    Shuffle { source: Source, lanes: Int },
    /// Carried over `delay` steps, shuffled first where the lane differs.
    Rotation { source: Source, lanes: Int, delay: Int },
    /// Through shared memory from another warp, `delay` steps ago; 0: this step, past a barrier.
    Shared { source: Source, lanes: Int, warps: Int, delay: Int },
    /// Through a row of memory: `laps` iterations of loop `level` ago, `inner` back in the loops inside it.
    Scratch { source: Source, lanes: Int, warps: Int, level: usize, laps: Int, inner: Vec<Int> },
    /// Through global memory from another block or an earlier launch.
    Face { face: usize },
    /// Loaded again: a copy where no wire leads.
    Feed,
    /// No place of the domain reads so.
    Never,
}

/// The medium of a class of reads of `variable` by `instance`.
pub fn medium(layout: &Layout, variable: usize, class: &Class, instance: &Instance) -> Medium {
    wrong(by_rule(layout, variable, class, instance), instance)
}

fn by_rule(layout: &Layout, variable: usize, class: &Class, instance: &Instance) -> Medium {
    let delta = &class.displacement;
    let copy = layout.kernel.equations[variable].copy.is_some();
    // Illegal and used is refused by the laws; illegal and unused is read by no point.
    let feed = |otherwise: Medium| if copy { Medium::Feed } else { otherwise };
    if copy && class.crosses {
        return Medium::Feed;
    }
    if class.launched || class.moves(layout.places, RowKind::Block) {
        let face = layout.face(variable, class).filter(|_| !copy);
        return face.map_or_else(|| feed(Medium::Never), |face| Medium::Face { face });
    }
    let mut warps = 0;
    for s in &layout.warps {
        if delta[s.row].abs() >= s.extent {
            return Medium::Never;
        }
        warps = warps * s.extent + delta[s.row];
    }
    let Some(unrolled) = unrolled_source(&layout.unrolled, &instance.unrolled, delta, &layout.ranges) else {
        return Medium::Never;
    };
    let (mut lanes, mut register) = (0, instance.register);
    for s in &layout.lanes {
        let mut across = delta[s.row];
        if s.strided && across != 0 {
            return feed(Medium::Never);
        }
        if s.fold > 1 && !s.strided {
            (across, register) = fold_source(s.fold, instance.register, delta[s.row]);
        }
        if across.abs() >= s.extent {
            return Medium::Never;
        }
        lanes = lanes * s.extent + across;
    }
    if copy && lanes != 0 && layout.target == Target::Cpu {
        return Medium::Feed;
    }
    let source = Source { variable, instance: Instance { unrolled, register } };
    let inside: Vec<Int> = layout.unrolled.iter().map(|row| delta[*row]).collect();
    match reach(&steps(layout, delta), |k| layout.constant_range(k)) {
        Reach::Step => within_step(source, lanes, warps, &inside, copy),
        Reach::Backward => feed(Medium::Never),
        Reach::Never => Medium::Never,
        Reach::Steps(delay) if warps == 0 => Medium::Rotation { source, lanes, delay },
        Reach::Steps(delay) => feed(Medium::Shared { source, lanes, warps, delay }),
        Reach::Loop { level, laps, inner } => feed(Medium::Scratch { source, lanes, warps, level, laps, inner }),
    }
}

/// What a displacement is in every loop.
fn steps(layout: &Layout, delta: &[Int]) -> Vec<Int> {
    let along = |l: &TimeLoop| match l {
        TimeLoop::Fold => 0,
        TimeLoop::Row(row) => delta[*row],
    };
    layout.loops.iter().map(along).collect()
}

/// The outermost loop that a class of a wire reaches over.
pub fn outermost(layout: &Layout, class: &Class) -> Option<usize> {
    steps(layout, &class.displacement).iter().position(|d| *d != 0)
}

/// Made in this very step.
fn within_step(source: Source, lanes: Int, warps: Int, inside: &[Int], copy: bool) -> Medium {
    let feed = |otherwise: Medium| if copy { Medium::Feed } else { otherwise };
    let first = inside.iter().find(|d| **d != 0).copied().unwrap_or(0);
    if first < 0 {
        return feed(Medium::Never);
    }
    match (first, warps, lanes) {
        (0, 0, 0) => Medium::Rename(source),
        (0, 0, _) => feed(Medium::Shuffle { source, lanes }),
        (0, _, _) => feed(Medium::Never),
        (_, 0, 0) => Medium::Rename(source),
        (_, 0, _) => Medium::Shuffle { source, lanes },
        _ => feed(Medium::Shared { source, lanes, warps, delay: 0 }),
    }
}

/// The faults that are planted in the rule.
fn wrong(medium: Medium, instance: &Instance) -> Medium {
    match medium {
        Medium::Rename(mut source) if planted(3) => {
            source.instance.register = instance.register;
            Medium::Rename(source)
        }
        Medium::Shuffle { source, lanes } if planted(2) => Medium::Shuffle { source, lanes: lanes - 1 },
        Medium::Rotation { mut source, lanes, delay } => {
            if planted(3) {
                source.instance.register = instance.register;
            }
            let off = Int::from(planted(2) && lanes != 0);
            Medium::Rotation { source, lanes: lanes - off, delay: delay + Int::from(planted(1)) }
        }
        Medium::Shared { source, lanes, warps, delay } => {
            let warps = if planted(5) { -warps } else { warps };
            Medium::Shared { source, lanes, warps, delay: delay + Int::from(planted(8) && delay > 0) }
        }
        Medium::Scratch { source, lanes, warps, level, laps, inner } => {
            let warps = if planted(5) { -warps } else { warps };
            let inner = inner.into_iter().map(|d| d + Int::from(planted(6))).collect();
            Medium::Scratch { source, lanes, warps, level, laps: laps + Int::from(planted(7)), inner }
        }
        Medium::Feed if planted(4) => Medium::Never,
        medium => medium,
    }
}
