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
//! line is touched once. The copy of the next chunk is under way while the warp computes.
//!
//! Other loads may go the same way, each lane copying its own pieces: if the map wants more steps to be under way than registers
//! can hold (`ahead`), they wait in shared memory. Only for a GPU.
use crate::mapping::{Atom, PlaceForm, Target};
use crate::model::{Array, Int};
use crate::planted::planted;
use crate::program::{
    Barrier, Condition, Into, Operation, Program, Shared, is_load_from_memory, level_of_condition, range,
};
use crate::schedule::{Access, Step, Version, Wide, accesses};
use crate::target::{gpu, tuning};

/// The accesses of a step that go through shared memory. A step that has streams loads nothing from memory by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Steps per chunk. Chunks begin at multiples of it.
    pub steps: Int,
    /// The buffers of a load: one is read while the others are filled, each with a later chunk.
    pub buffers: Int,
    /// Steps whose pieces are read from shared memory together.
    pub group: usize,
    /// Copies per iteration of the loop that copies a chunk.
    pub copies: usize,
    /// The loads, in the order of `accesses`.
    pub loads: Vec<Stream>,
    /// Some of the wide stores.
    pub stores: Vec<Stream>,
    /// The bytes of shared memory that a warp needs for all of them.
    pub bytes: Int,
}

/// An access that goes through shared memory: a box with a piece per row and step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The lines or stores that it accesses together, by position in the step, in the order of memory.
    pub members: Vec<usize>,
    /// Where it is needed. No step changes that if lanes copy pieces of others.
    pub guard: Condition,
    /// What the rows of its box are.
    pub rows: Rows,
    /// The bytes of a piece: what one lane accesses in one step.
    pub piece: Int,
    /// Where its box begins in the memory of the warp, in bytes.
    pub offset: Int,
}

/// The rows of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Every lane walks along a row of its own, of this many. Lanes copy pieces of all of them.
    OfLanes(Int),
    /// All lanes walk along the same row.
    Shared,
    /// Every lane copies its own pieces, wherever they are.
    Own,
}

impl Streams {
    /// The chunks that are copied while one is computed.
    pub fn ahead(&self) -> Int {
        self.buffers - 1
    }

    /// The copies that may be under way when a chunk is computed: those of later chunks.
    pub fn under_way(&self) -> Int {
        self.ahead() + Int::from(planted(104))
    }

    /// The buffer of the chunk that is copied while the one in `buffer` is computed, as a distance from it.
    pub fn filled(&self) -> Int {
        if planted(103) { 0 } else { self.ahead() }
    }

    /// The barriers of a chunk: between its copy and its steps, and between its steps and the copy to memory. What a lane has
    /// copied itself needs none.
    pub fn barriers(&self) -> (Option<Barrier>, Option<Barrier>) {
        let is_own = self.stores.is_empty() && self.loads.iter().all(|load| load.rows == Rows::Own);
        ((!is_own && !planted(101)).then_some(Barrier::Warp), (!is_own && !planted(102)).then_some(Barrier::Warp))
    }

    /// The stream of a wide store.
    pub fn store(&self, wide: &Wide) -> Option<(usize, &Stream)> {
        self.stores.iter().enumerate().find(|(_, stream)| stream.members == wide.members)
    }

    /// The pieces that lanes copy for each other, per lane and step.
    pub fn copies_of_rows(&self) -> usize {
        self.loads.iter().chain(&self.stores).filter(|stream| matches!(stream.rows, Rows::OfLanes(_))).count()
    }

    /// Whether they take several elements at once, which must be aligned.
    pub fn needs_alignment(&self) -> bool {
        self.loads.iter().chain(&self.stores).any(|stream| stream.members.len() > 1)
    }
}

impl Stream {
    /// The rows of its box.
    pub fn row_count(&self) -> Int {
        match self.rows {
            Rows::OfLanes(lanes) => lanes,
            Rows::Shared => 1,
            Rows::Own => gpu::WARP as Int,
        }
    }

    /// The pieces from one row to the next. One more than there are steps, so that lanes access different banks.
    pub fn pitch(steps: Int) -> Int {
        steps + 1
    }

    /// The pieces of a buffer. Lanes that copy their own have those of one step beside each other.
    pub fn pieces(&self, steps: Int) -> Int {
        self.row_count() * if self.rows == Rows::Own { steps } else { Stream::pitch(steps) }
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
    let wish = program.wishes.ahead.unwrap_or(0);
    let (is_far, length) = (wish > tuning::AHEAD_IN_REGISTERS, step.operations() as Int);
    let load = |access| walked(program, step, access).or_else(|| is_far.then(|| own(program, step, access)).flatten());
    let loads = accesses(program, step).into_iter().map(load).collect::<Option<Vec<_>>>()?;
    let stores: Vec<Stream> = step.wide_stores.iter().filter_map(|wide| store(program, step, wide)).collect();
    let all = || loads.iter().chain(&stores);
    let is_gain = is_far && !loads.is_empty() || all().any(|stream| matches!(stream.rows, Rows::OfLanes(_)));
    if !is_gain && !planted(100) {
        return None;
    }
    let most = ((tuning::STREAM_BLOCK_BYTES - Shared::of(program).bytes) / program.warp_count())
        .min(tuning::STREAM_WARP_BYTES);
    let (longest, shortest) = match all().filter(|s| s.rows != Rows::Own).map(|s| s.piece).max() {
        None => (tuning::STREAM_OWN_STEPS, tuning::STREAM_LEAST_OWN_STEPS),
        Some(widest) => (tuning::STREAM_ROW_BYTES / widest, tuning::STREAM_LEAST_ROW_BYTES / widest),
    };
    let lengths = std::iter::successors(Some(longest), |steps| Some(steps / 2));
    let fewest = tuning::STREAM_BUFFERS;
    let ways = lengths.take_while(|steps| *steps >= shortest).flat_map(|steps| {
        let wished = if is_far { (wish + steps - 1) / steps + 1 } else { fewest };
        (fewest..=wished.max(fewest)).rev().map(move |buffers| (steps, buffers))
    });
    let words: Int = loads.iter().map(|load| (load.piece + 3) / 4).sum();
    let group = (tuning::STREAM_GROUP_WORDS / words.max(1)).min(tuning::STREAM_GROUP_INSTRUCTIONS / length.max(1));
    let group = group.clamp(tuning::STREAM_GROUP, tuning::STREAM_MOST_GROUP);
    let mut ways = ways.map(|(steps, buffers)| placed(steps, buffers, group, &loads, &stores));
    ways.find(|streams| streams.bytes <= most)
}

/// Gives every stream its place.
fn placed(steps: Int, buffers: Int, group: Int, loads: &[Stream], stores: &[Stream]) -> Streams {
    let mut bytes = 0;
    let mut place = |stream: &Stream, buffers: Int| {
        let offset = bytes;
        bytes += (buffers * stream.pieces(steps) * stream.piece + 15) / 16 * 16;
        Stream { offset, ..stream.clone() }
    };
    // A lane that copies its own pieces has one address for all of them.
    let copies = match loads.iter().chain(stores).all(|stream| stream.rows == Rows::Own) {
        true => tuning::STREAM_OWN_STEPS as usize,
        false => tuning::STREAM_COPIES,
    };
    let loads = loads.iter().map(|stream| place(stream, buffers)).collect();
    let stores = stores.iter().map(|stream| place(stream, 1)).collect();
    Streams { steps, buffers, group: group.min(steps) as usize, copies, loads, stores, bytes }
}

/// The stream of a load that walks along rows.
fn walked(program: &Program, step: &Step, access: Access<'_>) -> Option<Stream> {
    let Access::Wide(wide) = access else { return None };
    let first = &step.lines.get(*wide.members.first()?)?.inst;
    let Operation::Load { index, .. } = &first.operation else { return None };
    found(program, wide, index, first.ty.bytes())
}

/// The stream of a load whose pieces every lane copies itself: whole words of an input.
fn own(program: &Program, step: &Step, access: Access<'_>) -> Option<Stream> {
    let lines = access.lines(step);
    let Operation::Load { array: Array::Parameter(_), .. } = lines.first()?.inst.operation else { return None };
    let piece = (lines.len() * lines[0].inst.ty.bytes()) as Int;
    let (members, guard) = match access {
        Access::One(line) => (vec![step.lines.iter().position(|other| other.id == line.id)?], line.inst.needed.clone()),
        Access::Wide(wide) if wide.when == Condition::True && !has_ends(wide) => {
            (wide.members.clone(), wide.guard.clone())
        }
        Access::Wide(_) => return None,
    };
    let is_level = lines.iter().all(|line| line.inst.level == program.frame.loops.len());
    (is_copied(piece) && is_level).then_some(Stream { members, guard, rows: Rows::Own, piece, offset: 0 })
}

fn store(program: &Program, step: &Step, wide: &Wide) -> Option<Stream> {
    let members = wide.members.iter().map(|n| &step.stores[*n]);
    let first = members.clone().next()?;
    let is_point = members.clone().all(|store| store.whole.is_empty());
    // Elements after the end of a row may be stored by the same access, but not by one for another time.
    let is_same = members.clone().all(|store| store.condition == first.condition);
    let ty = program.values[first.value.0].ty;
    let stream = found(program, wide, &first.index, ty.bytes())?;
    let has_rows = matches!(stream.rows, Rows::OfLanes(_));
    (is_point && is_same && has_rows && matches!(first.into, Into::Output(_))).then_some(stream)
}

/// Whether one asynchronous copy can take this number of bytes.
fn is_copied(bytes: Int) -> bool {
    [4, 8, 16].contains(&bytes)
}

/// Whether some elements of a wide access lie outside their row.
fn has_ends(wide: &Wide) -> bool {
    wide.past.before || wide.past.after
}

/// The stream of a wide access, if a lane accesses the next piece of its row in every step, under a condition that no step
/// changes.
fn found(program: &Program, wide: &Wide, index: &[PlaceForm], element: usize) -> Option<Stream> {
    let (innermost, count) = (program.frame.loops.len() - 1, wide.members.len() as Int);
    let time = Atom::Time(innermost);
    let (last, outer) = index.split_last()?;
    let is_lane = |atom: &Atom| matches!(atom, Atom::Lane(_));
    // Forwards or backwards.
    let walks = last.coefficient(&time).abs() == count && last.is_plain() && last.denominator() == 1;
    let stays = outer.iter().all(|form| form.is_plain() && form.denominator() == 1 && form.coefficient(&time) == 0);
    let is_steady = wide.when == Condition::True && (level_of_condition(&wide.guard) <= innermost || planted(99));
    let has_ends = !wide.back.is_empty() || has_ends(wide);
    let piece = count * element as Int;
    let differs = outer.iter().any(|form| form.mentions(&is_lane)) && !planted(100);
    // Lanes may be at different places of their rows, but not in the same row.
    let is_shared = last.mentions(&is_lane) && !differs;
    if !walks || !stays || !is_steady || has_ends || !is_copied(piece) || is_shared {
        return None;
    }
    let rows = if differs { Rows::OfLanes(program.lane_count()) } else { Rows::Shared };
    Some(Stream { members: wide.members.clone(), guard: wide.guard.clone(), rows, piece, offset: 0 })
}

/// What goes through shared memory has room for its pieces, and is everything that the step loads.
pub fn verify_streams(program: &Program, step: &Step) -> Result<(), String> {
    let Some(streams) = &step.streams else { return Ok(()) };
    let brought: Vec<&Vec<usize>> = streams.loads.iter().map(|s| &s.members).collect();
    let is_load = |n: &usize| is_load_from_memory(program, &step.lines[*n].inst.operation);
    let is_wide = |members: &Vec<usize>| step.wide_loads.iter().any(|wide| wide.members == *members);
    if !(0..step.lines.len()).filter(is_load).all(|n| brought.iter().any(|members| members.contains(&n))) {
        return Err("a step with streams that loads by itself".to_string());
    }
    if !brought.iter().all(|members| members.len() == 1 && is_load(&members[0]) || is_wide(members)) {
        return Err("a stream of what is not loaded together".to_string());
    }
    if !streams.stores.iter().all(|s| step.wide_stores.iter().any(|wide| wide.members == s.members)) {
        return Err("a stream of what is not stored together".to_string());
    }
    let fits = |s: &Stream, buffers: Int| s.offset + buffers * s.pieces(streams.steps) * s.piece <= streams.bytes;
    let loads = streams.loads.iter().all(|s| fits(s, streams.buffers));
    match streams.steps > 0 && streams.buffers > 1 && loads && streams.stores.iter().all(|s| fits(s, 1)) {
        true => Ok(()),
        false => Err("streams that do not fit their memory".to_string()),
    }
}
