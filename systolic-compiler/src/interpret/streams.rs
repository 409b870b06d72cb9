//! Runs a section whose rows go through shared memory: copies of whole chunks, and steps that access the copies.
use super::block::{Block, Lanes, POISON, Running};
use super::memory::Memory;
use super::{Output, Random, Trap, count};
use crate::program::{Barrier, Into, separate};
use crate::schedule::{Rows, Slot, Stream, Streams};
use crate::target::gpu;
use std::collections::VecDeque;

/// The box of a stream for all warps, in all its buffers.
struct Boxed {
    memory: Memory,
    /// Buffers, rows, pieces per row, and elements per piece.
    extents: [usize; 4],
}

/// A cell of a box.
struct At {
    warp: usize,
    buffer: usize,
    row: usize,
    piece: usize,
    member: usize,
}

impl Boxed {
    fn new(stream: &Stream, steps: usize, buffers: usize, warps: usize) -> Result<Boxed, Trap> {
        let extents = [buffers, count(stream.row_count())?, steps, stream.members.len()];
        let [buffers, rows, pieces, members] = extents;
        Ok(Boxed { memory: Memory::new(&[warps, buffers, rows, pieces, members])?, extents })
    }

    fn cell(&self, at: &At) -> usize {
        let [buffers, rows, pieces, members] = self.extents;
        (((at.warp * buffers + at.buffer) * rows + at.row) * pieces + at.piece) * members + at.member
    }

    /// The lane that copies a piece.
    fn copier(&self, rows: Rows, at: &At) -> usize {
        if rows == Rows::Own { at.row } else { (at.row * self.extents[2] + at.piece) % gpu::WARP }
    }
}

/// The boxes of a section.
pub struct Boxes {
    steps: i64,
    loads: Vec<Boxed>,
    stores: Vec<Boxed>,
    /// The chunk that is computed, and the buffer that holds it.
    chunk: i64,
    buffer: usize,
    /// The copies that are under way, oldest first: the chunk and its buffer.
    under_way: VecDeque<(i64, usize)>,
}

impl Boxes {
    fn new(streams: &Streams, warps: usize) -> Result<Boxes, Trap> {
        let (steps, buffers) = (count(streams.steps)?, count(streams.buffers)?);
        let load = |stream| Boxed::new(stream, steps, buffers, warps);
        let store = |stream| Boxed::new(stream, steps, 1, warps);
        let loads = streams.loads.iter().map(load).collect::<Result<_, _>>()?;
        let stores = streams.stores.iter().map(store).collect::<Result<_, _>>()?;
        let (steps, under_way) = (super::small(streams.steps)?, VecDeque::new());
        Ok(Boxes { steps, loads, stores, chunk: 0, buffer: 0, under_way })
    }

    /// The piece of a time in the chunk that is computed.
    fn piece(&self, time: i64) -> Result<usize, Trap> {
        count((time - self.chunk * self.steps).into())
    }
}

impl<'p> Block<'_, 'p> {
    /// Runs a section up to a time, chunk by chunk. Returns the next time.
    pub fn run_chunks(
        &mut self,
        running: &Running<'_, 'p>,
        streams: &Streams,
        first: i64,
        last: i64,
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<i64, Trap> {
        if first > last {
            return Ok(first);
        }
        let mut boxes = Boxes::new(streams, self.warp_count())?;
        boxes.chunk = first.div_euclid(boxes.steps);
        self.advance_to(first)?;
        self.barrier(Barrier::Warp);
        let (before, after) = streams.barriers();
        let (ahead, buffers) = (super::small(streams.ahead())?, count(streams.buffers)?);
        for k in 0..ahead {
            boxes.under_way.push_back((boxes.chunk + k, count(k.into())?));
        }
        let mut time = first;
        while time <= last {
            let filled = (boxes.buffer + count(streams.filled())?) % buffers;
            self.begin(streams, &mut boxes, filled)?;
            boxes.under_way.push_back((boxes.chunk + ahead, filled));
            while boxes.under_way.len() > count(streams.under_way())? {
                let Some((chunk, buffer)) = boxes.under_way.pop_front() else { break };
                self.bring(running, streams, &mut boxes, (chunk, buffer), (first, last))?;
            }
            before.into_iter().for_each(|barrier| self.barrier(barrier));
            let stop = last.min(boxes.chunk * boxes.steps + boxes.steps - 1);
            while time <= stop {
                self.advance_to(time)?;
                self.take_streams(running, streams, &mut boxes, time)?;
                self.streamed_step(running, outputs, random)?;
                self.leave_streams(running, streams, &mut boxes, time)?;
                time += 1;
            }
            after.into_iter().for_each(|barrier| self.barrier(barrier));
            self.take_away(running, streams, &mut boxes, (first, last), outputs)?;
            boxes.chunk += 1;
            boxes.buffer = (boxes.buffer + 1) % buffers;
        }
        Ok(time)
    }

    /// Begins to copy a chunk: its buffer holds nothing until the copy has ended.
    fn begin(&self, streams: &Streams, boxes: &mut Boxes, buffer: usize) -> Result<(), Trap> {
        for warp in 0..self.warp_count() {
            for (stream, boxed) in streams.loads.iter().zip(&mut boxes.loads) {
                let [_, rows, pieces, members] = boxed.extents;
                for (row, piece) in (0..rows).flat_map(|row| (0..pieces).map(move |piece| (row, piece))) {
                    for member in 0..members {
                        let at = At { warp, buffer, row, piece, member };
                        let (cell, who) = (boxed.cell(&at), self.who(warp, boxed.copier(stream.rows, &at)));
                        boxed.memory.store(cell, POISON[0], who)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends the copy of a chunk into a buffer.
    fn bring(
        &mut self,
        running: &Running<'_, 'p>,
        streams: &Streams,
        boxes: &mut Boxes,
        (chunk, buffer): (i64, usize),
        (first, last): (i64, i64),
    ) -> Result<(), Trap> {
        for piece in 0..boxes.steps {
            let then = chunk * boxes.steps + piece;
            if !(first..=last).contains(&then) {
                continue;
            }
            for warp in 0..self.warp_count() {
                let values = self.load_at(running.section, warp, then)?;
                let value = |id: usize| values.iter().find(|(known, _)| *known == id).map_or(POISON, |(_, v)| *v);
                for (k, stream) in streams.loads.iter().enumerate() {
                    // A lane knows where it needs its own pieces. Where it needs those of others is decided before the loop.
                    let guard = match running.section.wide_load(&stream.members) {
                        Some(wide) if stream.rows != Rows::Own => self.holds_at(wide, warp, first),
                        _ => u32::MAX,
                    };
                    for (member, n) in stream.members.iter().enumerate() {
                        let lanes = value(running.section.section.step.lines[*n].id.0);
                        for row in (0..count(stream.row_count())?).filter(|row| guard >> row & 1 == 1) {
                            let at = At { warp, buffer, row, piece: piece as usize, member };
                            let boxed = &mut boxes.loads[k];
                            let (cell, who) = (boxed.cell(&at), self.who(warp, boxed.copier(stream.rows, &at)));
                            boxed.memory.store(cell, lanes[row], who)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the lines that load the values of this step.
    fn take_streams(
        &mut self,
        running: &Running<'_, 'p>,
        streams: &Streams,
        boxes: &mut Boxes,
        time: i64,
    ) -> Result<(), Trap> {
        let piece = boxes.piece(time)?;
        let step = &running.section.section.step;
        for warp in 0..self.warp_count() {
            for (k, stream) in streams.loads.iter().enumerate() {
                for (member, n) in stream.members.iter().enumerate() {
                    let mut lanes: Lanes = POISON;
                    for (lane, value) in lanes.iter_mut().enumerate().take(self.lane_count()) {
                        let row = if stream.rows == Rows::Shared { 0 } else { lane };
                        let at = At { warp, buffer: boxes.buffer, row, piece, member };
                        let cell = boxes.loads[k].cell(&at);
                        *value = boxes.loads[k].memory.load(cell, self.who(warp, lane))?;
                    }
                    self.set_value(warp, step.lines[*n].id.0, lanes);
                }
            }
        }
        Ok(())
    }

    /// Leaves what this step stores in the boxes.
    fn leave_streams(
        &mut self,
        running: &Running<'_, 'p>,
        streams: &Streams,
        boxes: &mut Boxes,
        time: i64,
    ) -> Result<(), Trap> {
        let piece = boxes.piece(time)?;
        let step = &running.section.section.step;
        for warp in 0..self.warp_count() {
            for (k, stream) in streams.stores.iter().enumerate() {
                for (member, n) in stream.members.iter().enumerate() {
                    let lanes = self.value_of(warp, step.stores[*n].value.0);
                    for (row, value) in lanes.iter().enumerate().take(self.lane_count()) {
                        let at = At { warp, buffer: 0, row, piece, member };
                        let cell = boxes.stores[k].cell(&at);
                        boxes.stores[k].memory.store(cell, *value, self.who(warp, row))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Copies what a chunk has stored to the outputs.
    fn take_away(
        &mut self,
        running: &Running<'_, 'p>,
        streams: &Streams,
        boxes: &mut Boxes,
        (first, last): (i64, i64),
        outputs: &mut [Output],
    ) -> Result<(), Trap> {
        let step = &running.section.section.step;
        for piece in 0..boxes.steps {
            let then = boxes.chunk * boxes.steps + piece;
            if !(first..=last).contains(&then) {
                continue;
            }
            for warp in 0..self.warp_count() {
                for (k, stream) in streams.stores.iter().enumerate() {
                    let ready = running.section.wide_store(&stream.members);
                    let ready = ready.ok_or(Trap::Malformed("a stream of what is not stored together"))?;
                    let guard = self.holds_at(ready, warp, first);
                    for (member, n) in stream.members.iter().enumerate() {
                        let elements = self.elements_at(&ready.members[member].index, warp, then);
                        let Into::Output(output) = step.stores[*n].into else {
                            return Err(Trap::Malformed("a stream to a face"));
                        };
                        for row in (0..self.lane_count()).filter(|row| guard >> row & 1 == 1) {
                            let at = At { warp, buffer: 0, row, piece: piece as usize, member };
                            let boxed = &mut boxes.stores[k];
                            let (cell, who) = (boxed.cell(&at), self.who(warp, boxed.copier(stream.rows, &at)));
                            let value = boxed.memory.load(cell, who)?;
                            let element = elements.iter().map(|f| f[row]).collect::<Option<Vec<i64>>>();
                            let element = element.ok_or(Trap::Malformed("a stream to what is no element"))?;
                            let output_of = outputs.get_mut(output).ok_or(Trap::Malformed("no such output"))?;
                            output_of.store(output, &separate(&element, self.merged(output)), value)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// One step that takes its loads from boxes and leaves its stores there.
    fn streamed_step(
        &mut self,
        running: &Running<'_, 'p>,
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<(), Trap> {
        let running = Running { is_streamed: true, ..*running };
        self.one_step(&running, Slot::Shift, outputs, random)
    }
}
