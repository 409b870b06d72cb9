//! Staging: a loop of time in pieces, whose part of the inputs the lanes of a block bring to shared memory together. Lanes then
//! read along another axis than memory has, and all warps share what is brought.
//!
//! ```text
//! for i, j, k: a[i, k] * b[j, k]     lanes j would each read another row of b: a piece of 16 elements of 128 rows is brought
//! for i, j, k: a[i, k] * b[k, j]     all lanes read the same element of a: four of them come with one access
//! ```
use super::{Facts, Lanes, Role, Row, Sketch, Term};
use crate::mapping::walks;
use crate::model::{Array, Form, Int};
use crate::sorted::SortedSet;
use crate::target::GPU;
use crate::target::search::{FIRST_STRIP, STAGED_BYTES, STAGED_ROWS};

/// The staged forms of a sketch; none unless inputs are read along its time, and nothing is stored along it.
pub fn staged(facts: &Facts<'_>, sketch: &Sketch) -> Vec<Sketch> {
    let Some((lane, lanes)) = sketch.lanes() else { return Vec::new() };
    let is_plain = lanes.blocks && lanes.overlap == (0, 0) && lanes.strip == 1 && facts.is_parallel(lane);
    let in_time = |l: &usize| sketch.roles[*l] == (Role::Time { unroll: 1 });
    let stays = |l: usize| {
        facts.kernel.stores.iter().all(|s| s.index.iter().all(|form| form.coef(facts.kernel.loop_dim(l)) == 0))
    };
    let along = |l: &usize| stays(*l) && !walked(facts, *l, lane).is_empty();
    let mut loops = (0..sketch.roles.len()).filter(in_time).filter(along);
    let (Some(time), None, true) = (loops.next(), loops.next(), is_plain) else { return Vec::new() };
    let is_alone = |row: &Row| row.terms.len() == 1 && row.uses(time);
    let Some(position) = sketch.time.iter().position(is_alone) else { return Vec::new() };
    let mut piece = STAGED_BYTES / facts.element_bytes();
    if let Some(length) = facts.lengths[time] {
        while piece >= length.max(2) {
            piece /= 2;
        }
    }
    if piece * facts.element_bytes() < GPU.access_bytes as Int {
        return Vec::new();
    }
    let mut found = sketch.clone();
    found.roles[time] = Role::Time { unroll: piece };
    let strip = if lanes.warps == 1 { FIRST_STRIP } else { 1 };
    found.roles[lane] = Role::Lanes(Lanes { fold: 1, strip, apart: true, ..lanes.clone() });
    // What is brought serves many points, or the time goes to bringing it.
    for role in &mut found.roles {
        if let Role::Tiled(tiled) = role
            && tiled.overlap == (0, 0)
            && tiled.warps > 1
        {
            (tiled.steps, tiled.warps) = STAGED_ROWS;
        }
    }
    // Its pieces are the innermost loop that runs; the points of a lane are computed together.
    let mut row = found.time.remove(position);
    row.unrolled = false;
    let rolled = found.time.iter().take_while(|row| !row.unrolled).count();
    found.time.insert(rolled, row);
    found.time.push(Row { terms: vec![(Term::Strip, 1)], unrolled: true });
    let mut sets = vec![read_along(facts, time), walked(facts, time, lane)];
    sets.dedup();
    sets.into_iter().map(|staged| Sketch { staged, ..found.clone() }).collect()
}

/// The inputs in memory that are read along a loop.
fn read_along(facts: &Facts<'_>, l: usize) -> Vec<usize> {
    let dim = facts.kernel.loop_dim(l);
    inputs(facts, &|index| index.iter().any(|form| form.coef(dim) != 0))
}

/// The inputs in memory whose elements are adjacent along this loop, and not along that of the lanes.
fn walked(facts: &Facts<'_>, l: usize, lane: usize) -> Vec<usize> {
    let (dim, lane) = (facts.kernel.loop_dim(l), facts.kernel.loop_dim(lane));
    inputs(facts, &|index| walks(index, dim) && index.last().is_none_or(|form| form.coef(lane) == 0))
}

/// The inputs in memory with an access whose index has this property, each once.
fn inputs(facts: &Facts<'_>, has: &dyn Fn(&[Form]) -> bool) -> Vec<usize> {
    let accesses = facts.kernel.accesses();
    let found = accesses.iter().filter(|a| facts.in_memory(a.array) && has(a.index)).filter_map(|a| match a.array {
        Array::Parameter(k) => Some(k),
        Array::Constant(_) => None,
    });
    let all: SortedSet<usize> = found.collect();
    all.into_iter().collect()
}
