//! Streams: where every lane walks along a row of its own, the warp brings the rows through shared memory, chunk by chunk.
//!
//! ```text
//! before                                      after, with chunks of 32 steps
//!
//! for t in 0..=99                             for every chunk of 32 steps
//!     a, b = load x[lane, 2 t ..= 2 t + 1]        the warp copies x[row, …] of the chunk, row by row, to shared memory
//!     store out[lane, 2 t ..= 2 t + 1]            for t in the chunk: load from shared memory, store to shared memory
//!                                                 the warp copies out[row, …] of the chunk, row by row, to memory
//! ```
//!
//! The lanes of a direct access touch 32 cache lines. In the copies neighbouring lanes access neighbouring pieces, so that each
//! line is touched once. The copy of the next chunk is under way while the warp computes. Only for a GPU.
use super::{Step, Version, Wide};
use crate::mapping::{Atom, PlaceForm, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{
    Barrier, Condition, Into, Operation, Program, Shared, is_load_from_memory, level_of_condition, range,
};
use crate::target::tuning;

/// The accesses of a step that go through shared memory. A step that has streams loads nothing from memory by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Steps per chunk. Chunks begin at multiples of it.
    pub steps: Int,
    /// Steps whose pieces are read from shared memory together.
    pub group: usize,
    /// The wide loads, in the order of `Step::wide_loads`.
    pub loads: Vec<Stream>,
    /// Some of the wide stores.
    pub stores: Vec<Stream>,
    /// The bytes of shared memory that a warp needs for all of them.
    pub bytes: Int,
}

/// A wide access that goes through shared memory: a box with a row per lane and a piece per step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The number of the wide access in its step.
    pub wide: usize,
    /// Its rows: one per lane, or one for all.
    pub rows: Int,
    /// The bytes of a piece: what one lane accesses in one step.
    pub piece: Int,
    /// Where its box begins in the memory of the warp, in bytes.
    pub offset: Int,
}

impl Streams {
    /// The buffers of a load: one is filled while the other is read.
    pub const BUFFERS: Int = tuning::STREAM_BUFFERS;

    /// The barriers of a chunk: between its copy and its steps, and between its steps and the copy to memory.
    pub fn barriers(&self) -> (Option<Barrier>, Option<Barrier>) {
        ((!planted(101)).then_some(Barrier::Warp), (!planted(102)).then_some(Barrier::Warp))
    }

    /// The stream of a wide store.
    pub fn store(&self, wide: usize) -> Option<(usize, &Stream)> {
        self.stores.iter().enumerate().find(|(_, stream)| stream.wide == wide)
    }
}

impl Stream {
    /// The pieces from one row to the next. One more than there are steps, so that lanes access different banks.
    pub fn pitch(&self, steps: Int) -> Int {
        steps + 1
    }
}

/// Finds the streams of every step.
pub fn stream(program: &Program, versions: &mut [Version]) {
    let has_barriers = !program.rings.is_empty() || program.phases() > 1 || program.has_barrier_after_step();
    let Some(innermost) = program.frame.loops.len().checked_sub(1) else { return };
    let is_filled = program.stages.iter().any(|stage| stage.level > innermost);
    if program.target != Target::Gpu || has_barriers || is_filled || program.handover(innermost).is_some() {
        return;
    }
    for section in versions.iter_mut().flat_map(|version| &mut version.sections) {
        let length = range(&section.low, &section.high).map(|(low, high)| high - low + 1);
        if length.is_none_or(|length| length >= tuning::STREAMED_LOOP) {
            section.step.streams = streams(program, &section.step);
        }
    }
}

/// The streams of a step, with the longest chunks that fit; `None` if some load cannot be one, or nothing is gained.
fn streams(program: &Program, step: &Step) -> Option<Streams> {
    let mut loads = Vec::new();
    for (k, wide) in step.wide_loads.iter().enumerate() {
        loads.push(load(program, step, k, wide)?);
    }
    let is_load = |n: &usize| is_load_from_memory(program, &step.lines[*n].inst.operation);
    let mut alone = (0..step.lines.len()).filter(|n| is_load(n) && step.wide_load(*n).is_none());
    if alone.next().is_some() {
        return None;
    }
    let stores: Vec<Stream> =
        step.wide_stores.iter().enumerate().filter_map(|(k, wide)| store(program, step, k, wide)).collect();
    if !loads.iter().chain(&stores).any(|stream| stream.rows > 1) && !planted(100) {
        return None;
    }
    let widest = loads.iter().chain(&stores).map(|stream| stream.piece).max()?;
    let most = ((tuning::STREAM_BLOCK_BYTES - Shared::of(program).bytes) / program.warp_count())
        .min(tuning::STREAM_WARP_BYTES);
    let lengths = std::iter::successors(Some(tuning::STREAM_ROW_BYTES / widest), |steps| Some(steps / 2));
    let lengths = lengths.take_while(|steps| *steps * widest >= tuning::STREAM_LEAST_ROW_BYTES);
    lengths.map(|steps| placed(steps, &loads, &stores)).find(|streams| streams.bytes <= most)
}

/// Gives every stream its place.
fn placed(steps: Int, loads: &[Stream], stores: &[Stream]) -> Streams {
    let mut bytes = 0;
    let mut place = |stream: &Stream, buffers: Int| {
        let offset = bytes;
        bytes += (buffers * stream.rows * stream.pitch(steps) * stream.piece + 15) / 16 * 16;
        Stream { offset, ..stream.clone() }
    };
    let loads = loads.iter().map(|stream| place(stream, Streams::BUFFERS)).collect();
    let stores = stores.iter().map(|stream| place(stream, 1)).collect();
    Streams { steps, group: tuning::STREAM_GROUP, loads, stores, bytes }
}

fn load(program: &Program, step: &Step, number: usize, wide: &Wide) -> Option<Stream> {
    let first = &step.lines.get(*wide.members.first()?)?.inst;
    let Operation::Load { index, .. } = &first.operation else { return None };
    found(program, number, wide, index, first.ty.bytes())
}

fn store(program: &Program, step: &Step, number: usize, wide: &Wide) -> Option<Stream> {
    let members = wide.members.iter().map(|n| &step.stores[*n]);
    let first = members.clone().next()?;
    let is_point = members.clone().all(|store| store.whole.is_empty());
    // Elements after the end of a row may be stored by the same access, but not by one for another time.
    let is_same = members.clone().all(|store| store.condition == first.condition);
    let ty = program.values[first.value.0].ty;
    let stream = found(program, number, wide, &first.index, ty.bytes())?;
    (is_point && is_same && stream.rows > 1 && matches!(first.into, Into::Output(_))).then_some(stream)
}

/// The stream of a wide access, if a lane accesses the next piece of its row in every step, under a condition that no step
/// changes.
fn found(program: &Program, number: usize, wide: &Wide, index: &[PlaceForm], element: usize) -> Option<Stream> {
    let (innermost, count) = (program.frame.loops.len() - 1, wide.members.len() as Int);
    let time = Atom::Time(innermost);
    let (last, outer) = index.split_last()?;
    let is_lane = |atom: &Atom| matches!(atom, Atom::Lane(_));
    // Forwards or backwards.
    let walks = last.coefficient(&time).abs() == count && last.is_plain() && last.denominator() == 1;
    let stays = outer.iter().all(|form| form.is_plain() && form.denominator() == 1 && form.coefficient(&time) == 0);
    let is_steady = wide.when == Condition::True && (level_of_condition(&wide.guard) <= innermost || planted(99));
    let has_ends = !wide.back.is_empty() || wide.past.before || wide.past.after;
    let piece = count * element as Int;
    let is_copied = [4, 8, 16].contains(&piece);
    let differs = outer.iter().any(|form| form.mentions(&is_lane)) && !planted(100);
    // Lanes may be at different places of their rows, but not in the same row.
    let is_shared = last.mentions(&is_lane) && !differs;
    if !walks || !stays || !is_steady || has_ends || !is_copied || is_shared {
        return None;
    }
    Some(Stream { wide: number, rows: if differs { program.lane_count() } else { 1 }, piece, offset: 0 })
}
