//! Runs one block of the grid: its warps, their registers, and the memory between them.
use super::face::Face;
use super::memory::{Memory, Who};
use super::ready::{Form, Numbers, Standing};
use super::{
    Output, Random, Ready, ReadyLine, ReadySection, ReadyVersion, ReadyWide, Trap, bound, bound_at, count, small,
};
use crate::evaluate::Arrays;
use crate::mapping::Bound;
use crate::model::{Array, Int, Value};
use crate::program::{Barrier, Into, Operation, Row, literal, separate};
use crate::schedule::{Pipeline, Slot};
use crate::target::gpu;
use std::cell::RefCell;
use std::collections::VecDeque;

/// A value in every lane; `None` is poison.
pub type Lanes = [Option<Value>; gpu::WARP];
pub const POISON: Lanes = [None; gpu::WARP];

pub struct Block<'a, 'p> {
    ready: &'a Ready<'p>,
    arrays: &'a Arrays<'a>,
    /// What blocks leave for other blocks and launches.
    faces: &'a RefCell<Vec<Face>>,
    sizes: Vec<Int>,
    at: Vec<i64>,
    /// The bounds of every loop, inclusive.
    bounds: Vec<(i64, i64)>,
    warps: Vec<Warp>,
    rings: Vec<Memory>,
    rows: Vec<Memory>,
    stages: Vec<Memory>,
    /// What double boxes hold, per level.
    halves: Vec<Halves>,
    /// The barriers at the end of every iteration of the loops.
    handover: Vec<Option<Barrier>>,
    block_barriers: u64,
    barriers: u64,
    step: usize,
    /// The outermost loop that has advanced since the last step, counted from 1. Values inside it are computed again.
    advanced: usize,
}

/// The halves of the double boxes of a level.
#[derive(Clone, Copy, Default)]
struct Halves {
    /// The one that the present iteration reads.
    read: usize,
    /// Whether the other one has been filled for the next iteration.
    is_filled: bool,
}

struct Warp {
    standing: Standing,
    values: Vec<Lanes>,
    /// The values that each register was given, the latest first.
    carried: Vec<VecDeque<Lanes>>,
    /// Prefetched loads: per slot, the values of the lines that load.
    slots: VecDeque<Vec<(usize, Lanes)>>,
}

/// How a section runs.
#[derive(Clone, Copy)]
pub struct Running<'a, 'p> {
    pub section: &'a ReadySection<'p>,
    pub pipeline: &'a Pipeline<'a>,
    /// The last time of the pipeline.
    pub last: i64,
    /// Whether loads and stores of streams are in shared memory.
    pub is_streamed: bool,
}

impl<'a, 'p> Block<'a, 'p> {
    pub fn new(
        ready: &'a Ready<'p>,
        arrays: &'a Arrays<'a>,
        faces: &'a RefCell<Vec<Face>>,
        sizes: &[Int],
        at: &[i64],
    ) -> Result<Block<'a, 'p>, Trap> {
        let program = ready.program;
        let mut bounds = Vec::new();
        for l in &program.frame.loops {
            bounds.push((bound(&l.low, sizes, at)?, bound(&l.high, sizes, at)?));
        }
        let mut warps = Vec::new();
        for warp in 0..ready.warps {
            warps.push(Warp::new(ready, sizes, at, warp)?);
        }
        let mut rings = Vec::new();
        for ring in &program.rings {
            rings.push(Memory::new(&[count(ring.slots())?, ready.warps, gpu::WARP])?);
        }
        let mut rows = Vec::new();
        for row in &program.rows {
            let mut extents = vec![count(row.slots())?, ready.warps, gpu::WARP];
            for (low, high) in &bounds[row.level + 1..] {
                extents.push(count((high - low + 1).max(0).into())?);
            }
            rows.push(Memory::new(&extents)?);
        }
        let mut stages = Vec::new();
        for stage in &program.stages {
            let halves = if stage.is_double { 2 } else { 1 };
            let extents = stage.extents.iter().map(|e| count(*e));
            let extents = std::iter::once(Ok(halves)).chain(extents).collect::<Result<Vec<_>, _>>()?;
            stages.push(Memory::new(&extents)?);
        }
        let halves = vec![Halves::default(); bounds.len() + 1];
        let handover = (0..bounds.len()).map(|level| program.handover(level)).collect();
        Ok(Block {
            ready,
            arrays,
            faces,
            sizes: sizes.to_vec(),
            at: at.to_vec(),
            bounds,
            warps,
            rings,
            rows,
            stages,
            halves,
            handover,
            block_barriers: 0,
            barriers: 0,
            step: 0,
            advanced: 0,
        })
    }

    pub fn run(
        &mut self,
        version: &ReadyVersion<'p>,
        has_64_bits: bool,
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<(), Trap> {
        let pipelines = version.version.pipelines(self.ready.program, has_64_bits);
        self.fill(0)?;
        self.run_loop(0, version, &pipelines, outputs, random)
    }

    fn run_loop(
        &mut self,
        level: usize,
        version: &ReadyVersion<'p>,
        pipelines: &[Pipeline<'_>],
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<(), Trap> {
        if level + 1 >= self.bounds.len() {
            return self.run_innermost(version, pipelines, outputs, random);
        }
        let (first, last) = self.running(level)?;
        self.halves[level + 1].is_filled = false;
        for t in first..=last {
            self.advance(level, t)?;
            self.run_loop(level + 1, version, pipelines, outputs, random)?;
            if let Some(barrier) = self.handover[level] {
                self.barrier(barrier);
            }
        }
        Ok(())
    }

    /// The first and the last iteration of a loop that run at the times of the loops around it.
    fn running(&self, level: usize) -> Result<(i64, i64), Trap> {
        let row = &self.ready.program.frame.loops[level];
        let times = self.outer_times();
        let at = |bound: &Bound| bound_at(bound, &self.sizes, &self.at, &times);
        Ok((at(row.first())?, at(row.last())?))
    }

    /// Sets the time of a loop, and fills the boxes inside it.
    fn advance(&mut self, level: usize, t: i64) -> Result<(), Trap> {
        let slot = self.ready.slots.time(level);
        self.warps.iter_mut().for_each(|w| w.standing.shared[slot] = t);
        self.advanced = self.advanced.min(level + 1);
        self.fill(level + 1)
    }

    /// Fills the boxes of a level. Single ones lie between two barriers. A double one is filled for the next iteration while this one
    /// reads its other half; one barrier an iteration separates both.
    fn fill(&mut self, level: usize) -> Result<(), Trap> {
        let program = self.ready.program;
        let of_level: Vec<usize> = (0..program.stages.len()).filter(|k| program.stages[*k].level == level).collect();
        if of_level.is_empty() {
            return Ok(());
        }
        let (before, after) = program.fences();
        if !program.has_double_boxes(level) {
            before.into_iter().for_each(|b| self.barrier(b));
            of_level.iter().try_for_each(|k| self.fill_box(*k, 0))?;
            after.into_iter().for_each(|b| self.barrier(b));
            return Ok(());
        }
        let other = 1 - self.halves[level].read;
        if !self.halves[level].is_filled {
            of_level.iter().try_for_each(|k| self.fill_box(*k, other))?;
        }
        self.halves[level].read = other;
        if before.is_some() {
            after.into_iter().for_each(|b| self.barrier(b));
        }
        let slot = self.ready.slots.time(level - 1);
        let time = self.warps[0].standing.shared[slot];
        if time < self.bounds[level - 1].1 {
            self.warps.iter_mut().for_each(|w| w.standing.shared[slot] = time + 1);
            of_level.iter().try_for_each(|k| self.fill_box(*k, 1 - other))?;
            self.warps.iter_mut().for_each(|w| w.standing.shared[slot] = time);
        }
        self.halves[level].is_filled = true;
        if before.is_none() {
            after.into_iter().for_each(|b| self.barrier(b));
        }
        Ok(())
    }

    /// Fills half of a box. The lanes of the block take turns, one cell each.
    fn fill_box(&mut self, number: usize, half: usize) -> Result<(), Trap> {
        let stage = &self.ready.program.stages[number];
        let low: Vec<_> = self.ready.stages[number].iter().map(|f| f.at(&self.warps[0].standing)[0]).collect();
        let extents = stage.extents.iter().map(|e| count(*e)).collect::<Result<Vec<_>, _>>()?;
        let cells: usize = extents.iter().product();
        for at in 0..cells {
            let mut rest = at;
            let mut element = vec![0; extents.len()];
            for axis in (0..extents.len()).rev() {
                let low = low[axis].ok_or(Trap::Malformed("a box that begins between elements"))?;
                element[axis] = Int::from(low) + (rest % extents[axis]) as Int;
                rest /= extents[axis];
            }
            let who = self.who(at / gpu::WARP % self.warps.len(), at % gpu::WARP);
            let value = self.arrays.element(stage.array, &element);
            self.stages[number].store(half * cells + at, value, who)?;
        }
        Ok(())
    }

    /// Runs the innermost loop: the sections of a version, in order. Fails if together they are not the whole loop.
    fn run_innermost(
        &mut self,
        version: &ReadyVersion<'p>,
        pipelines: &[Pipeline<'_>],
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<(), Trap> {
        let Some(innermost) = self.bounds.len().checked_sub(1) else {
            let ([section], [pipeline]) = (version.sections.as_slice(), pipelines) else {
                return Err(Trap::Malformed("without loops there is one section"));
            };
            return self.one_step(
                &Running { section, pipeline, last: 0, is_streamed: false },
                Slot::Shift,
                outputs,
                random,
            );
        };
        let times = self.outer_times();
        let (low, high) = self.running(innermost)?;
        self.halves[innermost + 1].is_filled = false;
        let mut next = low;
        let mut sections = version.sections.iter();
        for pipeline in pipelines {
            let last = bound_at(&pipeline.last, &self.sizes, &self.at, &times)?;
            let mut time = bound_at(pipeline.low, &self.sizes, &self.at, &times)?;
            let runs = pipeline.distance == 0 || time <= last;
            for (k, section) in sections.by_ref().take(pipeline.sections.len()).enumerate() {
                let from = bound_at(&section.section.low, &self.sizes, &self.at, &times)?;
                let to = bound_at(&section.section.high, &self.sizes, &self.at, &times)?;
                // An empty section must begin there too, unless the loop has ended: prefetched loads are for the next step.
                if from != next && (from <= to || next <= high) {
                    return Err(Trap::Malformed("a section does not begin where the one before has ended"));
                }
                next = next.max(to.saturating_add(1));
                let running = Running { section, pipeline, last, is_streamed: false };
                // The other half runs as if wide accesses were not aligned.
                if let Some(streams) = section.section.step.streams.as_ref().filter(|_| random.below(2) == 1) {
                    time = self.run_chunks(&running, streams, time, to, outputs, random)?;
                    continue;
                }
                if k == 0 && runs {
                    self.load_first(&running, time)?;
                }
                if runs {
                    time = self.run_section(&running, time, to, outputs, random)?;
                }
            }
        }
        if next != low.max(high + 1) {
            return Err(Trap::Malformed("the sections are not the loop"));
        }
        Ok(())
    }

    /// The times of the outer loops.
    fn outer_times(&self) -> Vec<i64> {
        let outer = 0..self.bounds.len().saturating_sub(1);
        outer.map(|k| self.warps[0].standing.shared[self.ready.slots.time(k)]).collect()
    }

    /// Runs a section up to a time: the unrolled loop, then the iterations that are left. Returns the next time.
    fn run_section(
        &mut self,
        running: &Running<'_, 'p>,
        mut time: i64,
        end: i64,
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<i64, Trap> {
        let unroll = running.pipeline.prefetch(running.section.section).unroll as i64;
        while unroll > 1 && time + unroll - 1 <= end {
            for k in 0..unroll {
                let slot = running.pipeline.slot(running.section.section, k as usize);
                self.run_iteration(running, time, slot, outputs, random)?;
                time += 1;
            }
        }
        while time <= end {
            self.run_iteration(running, time, Slot::Shift, outputs, random)?;
            time += 1;
        }
        Ok(time)
    }

    fn run_iteration(
        &mut self,
        running: &Running<'_, 'p>,
        time: i64,
        slot: Slot,
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<(), Trap> {
        let level = self.bounds.len() - 1;
        self.advance_to(time)?;
        self.one_step(running, slot, outputs, random)?;
        if let Some(barrier) = self.handover[level] {
            self.barrier(barrier);
        }
        Ok(())
    }

    /// Sets the time of the innermost loop.
    pub fn advance_to(&mut self, time: i64) -> Result<(), Trap> {
        self.advance(self.bounds.len() - 1, time)
    }

    pub fn warp_count(&self) -> usize {
        self.warps.len()
    }

    pub fn lane_count(&self) -> usize {
        self.ready.lanes
    }

    pub fn value_of(&self, warp: usize, id: usize) -> Lanes {
        self.warps[warp].values[id]
    }

    pub fn set_value(&mut self, warp: usize, id: usize, lanes: Lanes) {
        self.warps[warp].values[id] = lanes;
    }

    /// The lanes that make a wide access at another time of the innermost loop.
    pub fn holds_at(&mut self, wide: &ReadyWide, w: usize, then: i64) -> u32 {
        self.at_time(w, then, |standing| wide.guard.at(standing))
    }

    /// The values of some forms at another time of the innermost loop.
    pub fn elements_at(&mut self, index: &[Form], w: usize, then: i64) -> Vec<Numbers> {
        self.at_time(w, then, |standing| index.iter().map(|form| form.at(standing)).collect())
    }

    fn at_time<T>(&mut self, w: usize, then: i64, of: impl Fn(&Standing) -> T) -> T {
        let time = self.ready.slots.time(self.bounds.len() - 1);
        let standing = &mut self.warps[w].standing;
        let now = std::mem::replace(&mut standing.shared[time], then);
        let found = of(standing);
        standing.shared[time] = now;
        found
    }

    /// Fills the slots of a pipeline before its loop.
    fn load_first(&mut self, running: &Running<'_, 'p>, low: i64) -> Result<(), Trap> {
        for w in 0..self.warps.len() {
            let mut slots = VecDeque::new();
            for k in 0..running.pipeline.distance {
                let then = low.saturating_add(small(running.pipeline.first_load(k))?).min(running.last);
                slots.push_back(self.load_at(running.section, w, then)?);
            }
            self.warps[w].slots = slots;
        }
        Ok(())
    }

    /// The loads of a step at another time.
    pub fn load_at(&mut self, section: &ReadySection<'p>, w: usize, then: i64) -> Result<Vec<(usize, Lanes)>, Trap> {
        let time = self.ready.slots.time(self.bounds.len() - 1);
        let now = std::mem::replace(&mut self.warps[w].standing.shared[time], then);
        let mut loaded = Vec::new();
        for line in section.phases.iter().flatten().filter(|line| line.is_load) {
            loaded.push((line.id, self.value(line, w)?));
        }
        self.check_wide(&section.wide_loads, w)?;
        self.warps[w].standing.shared[time] = now;
        Ok(loaded)
    }

    /// The beginning of a step that prefetches: takes its loads from their slot, runs the early lines, issues the next loads.
    fn prefetch(&mut self, running: &Running<'_, 'p>, slot: Slot, w: usize) -> Result<(), Trap> {
        let taken = match slot {
            Slot::Shift => self.warps[w].slots.pop_front(),
            Slot::InTurn(k) => self.warps[w].slots.get(k).cloned(),
        };
        for (id, lanes) in taken.ok_or(Trap::Malformed("a slot that does not exist"))? {
            self.warps[w].values[id] = lanes;
        }
        for line in running.section.phases.iter().flatten().filter(|line| line.is_early) {
            self.warps[w].values[line.id] = self.value(line, w)?;
        }
        let now = self.warps[w].standing.shared[self.ready.slots.time(self.bounds.len() - 1)];
        let then = now.saturating_add(small(running.pipeline.load_ahead())?).min(running.last);
        let loaded = self.load_at(running.section, w, then)?;
        match slot {
            Slot::Shift => self.warps[w].slots.push_back(loaded),
            Slot::InTurn(k) => self.warps[w].slots[k] = loaded,
        }
        Ok(())
    }

    pub fn barrier(&mut self, barrier: Barrier) {
        self.block_barriers += u64::from(barrier == Barrier::Block);
        self.barriers += 1;
    }

    pub fn one_step(
        &mut self,
        running: &Running<'_, 'p>,
        slot: Slot,
        outputs: &mut [Output],
        random: &mut Random,
    ) -> Result<(), Trap> {
        let (ready, section) = (self.ready, running.section);
        let is_streamed = running.is_streamed;
        let prefetches = running.pipeline.distance > 0 && !is_streamed;
        for phase in 0..section.phases.len() {
            if phase > 0 {
                self.barrier(Barrier::Block);
            }
            let mut order: Vec<usize> = (0..self.warps.len()).collect();
            random.shuffle(&mut order);
            for w in order {
                // A line before the innermost loop runs again when a loop around it has advanced.
                let advanced = self.advanced;
                for line in ready.before.iter().filter(|l| phase == 0 && l.inst.level >= advanced) {
                    self.warps[w].values[line.id] = self.value(line, w)?;
                }
                if prefetches && phase == 0 {
                    self.prefetch(running, slot, w)?;
                }
                let is_done = |line: &ReadyLine| match is_streamed {
                    true => line.is_load,
                    false => prefetches && (line.is_load || line.is_early),
                };
                for line in section.phases[phase].iter().filter(|line| !is_done(line)) {
                    self.warps[w].values[line.id] = self.value(line, w)?;
                }
                self.give(section, phase, w)?;
            }
        }
        for w in 0..self.warps.len() {
            self.check_wide(&section.wide_loads, w)?;
            self.check_wide(&section.wide_stores, w)?;
            self.store(running, w, outputs)?;
            let warp = &mut self.warps[w];
            for (value, chain) in section.section.step.registers.iter().zip(&mut warp.carried) {
                chain.push_front(warp.values[value.0]);
                chain.pop_back();
            }
        }
        if ready.program.has_barrier_after_step() {
            self.barrier(Barrier::Block);
        }
        self.step += 1;
        self.advanced = self.bounds.len() + 1;
        Ok(())
    }

    pub fn who(&self, warp: usize, lane: usize) -> Who {
        Who { warp, lane, block_barriers: self.block_barriers, barriers: self.barriers }
    }

    /// Writes the values that were computed between two barriers into rings and rows.
    fn give(&mut self, section: &ReadySection, phase: usize, w: usize) -> Result<(), Trap> {
        let (program, step) = (self.ready.program, &section.section.step);
        let of_phase = |value: usize| program.values[value].phase == phase;
        for (k, ring) in program.rings.iter().enumerate().filter(|(_, r)| of_phase(r.value.0)) {
            let slot = self.step % count(ring.slots())?;
            for lane in 0..gpu::WARP {
                let value = self.warps[w].values[step.rings[k].0][lane];
                let at = self.cell(slot, w, lane);
                let who = self.who(w, lane);
                self.rings[k].store(at, value, who)?;
            }
        }
        for (k, (row, given)) in program.rows.iter().zip(&step.rows).enumerate() {
            if !of_phase(row.value.0) {
                continue;
            }
            let none = vec![0; self.bounds.len() - row.level - 1];
            let Some(inner) = self.row_cell(w, row.level, &none)? else { continue };
            let slot = self.row_slot(w, row, 0)?;
            for lane in 0..gpu::WARP {
                // Lanes whose values no lane reads are skipped. If the wire spans the warp, only one lane is left.
                if other_lane(lane, -row.lanes).is_none() {
                    continue;
                }
                let value = self.warps[w].values[given.0][lane];
                let at = inner * (count(row.slots())? * self.warps.len() * gpu::WARP) + self.cell(slot, w, lane);
                let who = self.who(w, lane);
                self.rows[k].store(at, value, who)?;
            }
        }
        Ok(())
    }

    fn cell(&self, slot: usize, warp: usize, lane: usize) -> usize {
        (slot * self.warps.len() + warp) * gpu::WARP + lane
    }

    /// The number of the times of the loops inside loop `level`, going `back` by this many iterations of each; `None` if that
    /// leaves a loop. Different times have different numbers.
    fn row_cell(&self, w: usize, level: usize, back: &[Int]) -> Result<Option<usize>, Trap> {
        let mut at = 0;
        for (k, back) in (level + 1..self.bounds.len()).zip(back) {
            let (low, high) = self.bounds[k];
            let time = self.warps[w].standing.shared[self.ready.slots.time(k)].saturating_sub(small(*back)?);
            if !(low..=high).contains(&time) {
                return Ok(None);
            }
            at = at * count((high - low + 1).into())? + count((time - low).into())?;
        }
        Ok(Some(at))
    }

    /// The slot of a row that was written `back` iterations of its loop ago.
    fn row_slot(&self, w: usize, row: &Row, back: Int) -> Result<usize, Trap> {
        let time = self.warps[w].standing.shared[self.ready.slots.time(row.level)];
        count((Int::from(time) - back).rem_euclid(row.slots()))
    }

    /// Checks wide accesses, in the lanes in which they are performed:
    ///
    /// - They begin at a multiple of the number of their elements.
    /// - Every element that is needed is accessed. A load finds it inside the array, except along axes of the border.
    /// - A store writes only elements that are needed or that lie after the end of their row.
    /// - A load has at least one element inside the array, except along axes of the border.
    /// - All elements of a row of a face are memory of that row.
    fn check_wide(&self, accesses: &[ReadyWide], w: usize) -> Result<(), Trap> {
        let standing = &self.warps[w].standing;
        let fail = || Err(Trap::Malformed("a wide access of what is not there"));
        for wide in accesses {
            let (when, any) = (wide.when.at(standing), wide.guard.at(standing));
            let mut all_outside = (0..self.ready.lanes).fold(0u32, |lanes, lane| lanes | 1 << lane) & when;
            for (k, member) in wide.members.iter().enumerate().filter(|_| when != 0) {
                let needed = member.guard.at(standing);
                let index: Vec<_> = member.index.iter().map(|f| f.at(standing)).collect();
                let end = member.end.as_ref().map(|f| f.at(standing));
                for lane in (0..self.ready.lanes).filter(|lane| when >> lane & 1 == 1) {
                    let (is_needed, is_loaded) = (needed >> lane & 1 == 1, any >> lane & 1 == 1);
                    let element: Vec<Option<Int>> = index.iter().map(|f| f[lane].map(Int::from)).collect();
                    let inside = member.array.is_none_or(|array| {
                        let mut axes = (0..element.len()).filter(|axis| !wide.back.contains(axis));
                        axes.all(|axis| element[axis].is_some_and(|i| self.reaches(array, axis, i)))
                    });
                    all_outside &= !(u32::from(inside || !is_loaded) << lane);
                    let last = element.last().copied().flatten();
                    let first = last.map(|i| i - k as Int);
                    let is_aligned = first.is_some_and(|first| first % wide.members.len() as Int == 0);
                    let is_out =
                        member.array.is_some_and(|array| !self.leads_together(wide, array, &element, is_needed));
                    let is_left_out = is_needed && (!is_loaded || !inside) || is_loaded && is_out;
                    let end = end.as_ref().and_then(|f| f[lane]).map(Int::from);
                    let is_after_end = end.zip(last).is_some_and(|(end, i)| i >= end);
                    let is_overwritten = member.is_store && is_loaded && !is_needed && !is_after_end;
                    let is_beside_face = member.face.is_some_and(|face| !self.faces.borrow()[face].has_column(last));
                    if (is_loaded && (!is_aligned || is_beside_face)) || is_left_out || is_overwritten {
                        return fail();
                    }
                }
            }
            if all_outside != 0 {
                return fail();
            }
        }
        Ok(())
    }

    /// Whether the border maps all elements of a wide load together, if it must be applied along their row. For that, the
    /// length of the row must be a multiple of their number, and needed elements must lie on the sides that the access names in
    /// `past`.
    fn leads_together(&self, wide: &ReadyWide, array: Array, element: &[Option<Int>], is_needed: bool) -> bool {
        let Some((last, at)) = element.iter().enumerate().next_back().filter(|(k, _)| wide.back.contains(k)) else {
            return true;
        };
        let length = self.length(array, last).unwrap_or(0);
        let is_expected = at.is_some_and(|at| (at >= 0 || wide.past.before) && (at < length || wide.past.after));
        length % wide.members.len() as Int == 0 && (is_expected || !is_needed)
    }

    fn store(&mut self, running: &Running<'_, 'p>, w: usize, outputs: &mut [Output]) -> Result<(), Trap> {
        let (warp, section) = (&self.warps[w], running.section);
        let step = &section.section.step;
        let streamed = step.streams.iter().filter(|_| running.is_streamed).flat_map(|streams| &streams.stores);
        let streamed: Vec<usize> = streamed.flat_map(|s| &s.members).copied().collect();
        for (n, (store, ready)) in step.stores.iter().zip(&section.stores).enumerate() {
            if streamed.contains(&n) {
                continue;
            }
            let mask = ready.test.at(&warp.standing);
            if mask == 0 {
                continue;
            }
            let whole: Vec<_> = ready.whole.iter().map(|f| f.at(&warp.standing)).collect();
            let index: Vec<_> = ready.index.iter().map(|f| f.at(&warp.standing)).collect();
            for lane in (0..self.ready.lanes).filter(|lane| mask >> lane & 1 == 1) {
                if whole.iter().any(|f| f[lane].is_none()) {
                    continue;
                }
                let element = index.iter().map(|f| f[lane]).collect::<Option<Vec<i64>>>();
                let element = element.ok_or(Trap::Malformed("a point stores at an index that is not whole"))?;
                let value = warp.values[store.value.0][lane];
                match store.into {
                    Into::Output(k) => {
                        let output = outputs.get_mut(k).ok_or(Trap::Malformed("no such output"))?;
                        output.store(k, &separate(&element, self.merged(k)), value)?;
                    }
                    Into::Face(face) => self.faces.borrow_mut()[face.0].store(&element, value)?,
                }
            }
        }
        Ok(())
    }

    /// The element at indices that are values, in one lane.
    fn looked_up(&self, array: Array, index: &[&Lanes], lane: usize) -> Option<Value> {
        let position = |lanes: &&Lanes| match lanes[lane]? {
            Value::I64(at) => Some(Int::from(at)),
            _ => None,
        };
        self.arrays.lookup(array, &index.iter().map(position).collect::<Option<Vec<Int>>>()?)
    }

    /// The values of a face that the lanes of a mask read.
    fn read_face(&self, line: &ReadyLine, face: usize, mask: u32, w: usize) -> Result<Lanes, Trap> {
        let index: Vec<_> = line.ready.forms.iter().map(|f| f.at(&self.warps[w].standing)).collect();
        let face = &self.faces.borrow()[face];
        let mut lanes = POISON;
        for lane in (0..self.ready.lanes).filter(|lane| mask >> lane & 1 == 1) {
            // At a place that is no point an index may not be whole.
            let Some(cell) = index.iter().map(|f| f[lane]).collect::<Option<Vec<i64>>>() else { continue };
            lanes[lane] = face.load(&cell)?;
        }
        Ok(lanes)
    }

    /// The cells of a staged box that the lanes read.
    fn staged(&mut self, line: &ReadyLine, stage: usize, w: usize) -> Result<Lanes, Trap> {
        let index: Vec<_> = line.ready.forms.iter().map(|f| f.at(&self.warps[w].standing)).collect();
        let mut lanes = POISON;
        let kept = &self.ready.program.stages[stage];
        let cells: usize = kept.extents.iter().product::<Int>() as usize;
        let half = if kept.is_double { self.halves[kept.level].read } else { 0 };
        for (l, value) in lanes.iter_mut().enumerate() {
            let cell = index.iter().map(|f| f[l]).collect::<Option<Vec<i64>>>();
            let Some(at) = cell.and_then(|cell| cell_of(&cell, &kept.extents)) else { continue };
            let who = self.who(w, l);
            *value = self.stages[stage].load(half * cells + at, who)?;
        }
        Ok(lanes)
    }

    /// Runs an instruction in every lane of a warp, and returns its value.
    fn value(&mut self, line: &ReadyLine, w: usize) -> Result<Lanes, Trap> {
        let ready = &line.ready;
        let (inst, warp) = (line.inst, &self.warps[w]);
        let of = |id: &crate::program::ValueId| &warp.values[id.0];
        let mask = ready.test.as_ref().map_or(u32::MAX, |t| t.at(&warp.standing));
        let holds = |lane: usize| mask >> lane & 1 == 1;
        let mut lanes = POISON;
        if line.guard.at(&warp.standing) == 0 {
            return Ok(lanes);
        }
        match &inst.operation {
            Operation::Literal(bits) => lanes = [Some(literal(inst.ty, *bits)); gpu::WARP],
            Operation::Index(_) => {
                if let Some(form) = ready.forms.first() {
                    lanes = form.at(&warp.standing).map(|v| v.map(Value::I64));
                }
            }
            Operation::Holds(_) => lanes = std::array::from_fn(|l| Some(Value::Bool(holds(l)))),
            Operation::Load { array, .. } => {
                if mask != 0 {
                    return self.loaded(line, *array, mask, w);
                }
            }
            Operation::Face { face, .. } => return self.read_face(line, face.0, mask, w),
            Operation::Lookup { array, index } => {
                let index: Vec<&Lanes> = index.iter().map(of).collect();
                lanes = std::array::from_fn(|lane| self.looked_up(*array, &index, lane));
            }
            Operation::Staged { stage, .. } => return self.staged(line, stage.0, w),
            Operation::Unary(op, a) => lanes = of(a).map(|a| Value::unary(*op, a?)),
            Operation::Cast(a) => lanes = of(a).map(|a| a?.cast(inst.ty)),
            Operation::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                lanes = std::array::from_fn(|l| Value::binary(*op, a[l]?, b[l]?));
            }
            Operation::Compare(op, a, b) => {
                let (a, b) = (of(a), of(b));
                lanes = std::array::from_fn(|l| Value::compare(*op, a[l]?, b[l]?).map(Value::Bool));
            }
            Operation::Fma(a, b, c) => {
                let (a, b, c) = (of(a), of(b), of(c));
                lanes = std::array::from_fn(|l| a[l]?.fma(b[l]?, c[l]?));
            }
            Operation::Select(_, a, b) => {
                let (a, b) = (of(a), of(b));
                lanes = std::array::from_fn(|l| if holds(l) { a[l] } else { b[l] });
            }
            Operation::Choose(c, a, b) => {
                let (c, a, b) = (of(c), of(a), of(b));
                lanes = std::array::from_fn(|l| match c[l]? {
                    Value::Bool(true) => a[l],
                    Value::Bool(false) => b[l],
                    _ => None,
                });
            }
            Operation::Shuffle { value, lanes: by } => {
                let source = of(value);
                lanes = std::array::from_fn(|l| other_lane(l, *by).and_then(|from| source[from]));
            }
            Operation::Rotate { value, lanes: by } => {
                let (source, all) = (of(value), self.ready.lanes);
                let by = count(by.rem_euclid(all as Int))?;
                lanes = std::array::from_fn(|l| if l < all { source[(l + all - by) % all] } else { None });
            }
            Operation::Carried { register, delay } => {
                let chain = &warp.carried[register.0];
                if let Some(given) = chain.get(count(delay - 1)?) {
                    lanes = *given;
                }
            }
            Operation::Ring { .. } | Operation::Row { .. } => return self.received(&inst.operation, w),
            Operation::Poison => {}
        }
        Ok(lanes)
    }

    /// A load, in the lanes of a mask.
    fn loaded(&self, line: &ReadyLine, array: Array, mask: u32, w: usize) -> Result<Lanes, Trap> {
        let (forms, standing) = (&line.ready.forms, &self.warps[w].standing);
        let guarded = self.ready.program.guards(array);
        let inside_axes: Vec<usize> = (0..forms.len()).filter(|k| guarded || !line.inst.leads_back(*k)).collect();
        let index: Vec<_> = forms.iter().map(|f| f.at(standing)).collect();
        let mut element: Vec<Int> = Vec::with_capacity(index.len());
        let mut lanes = POISON;
        for l in (0..self.ready.lanes).filter(|l| mask >> l & 1 == 1) {
            element.clear();
            element.extend(index.iter().filter_map(|f| f[l]).map(Int::from));
            // If an index is not a whole number, the lane has no iteration point, and the load gives no element.
            let whole = element.len() == index.len();
            if whole && !inside_axes.iter().all(|k| self.reaches(array, *k, element[*k])) {
                return Err(Trap::LoadedOutside { array, index: element });
            }
            lanes[l] = self.arrays.element(array, &separate(&element, &self.ready.program.operand(array).merged));
        }
        Ok(lanes)
    }

    /// The lengths of the last axes of an output that are merged.
    pub fn merged(&self, output: usize) -> &'p [Int] {
        &self.ready.program.merged_outputs[output]
    }

    /// The length of an array along an axis, which may be several axes of the kernel's array that are merged.
    fn length(&self, array: Array, axis: usize) -> Option<Int> {
        let operand = self.ready.program.operand(array);
        let first = self.arrays.length(array, axis)?;
        let is_last = axis + 1 == operand.dims.len();
        Some(if is_last { operand.merged.iter().fold(first, |all, n| all * n) } else { first })
    }

    /// Whether an array has an element at index `at` along an axis.
    fn reaches(&self, array: Array, axis: usize, at: Int) -> bool {
        self.length(array, axis).is_some_and(|length| (0..length).contains(&at))
    }

    /// A value that another step or warp has put into a ring or a row.
    fn received(&mut self, operation: &Operation, w: usize) -> Result<Lanes, Trap> {
        let program = self.ready.program;
        let mut lanes = POISON;
        match operation {
            Operation::Ring { ring, lanes: by, warps, delay } => {
                let slots = Int::from(self.step as i64) - delay;
                let slot = count(slots.rem_euclid(program.rings[ring.0].slots()))?;
                let Some(from) = self.other_warp(w, *warps) else { return Ok(lanes) };
                for (l, value) in lanes.iter_mut().enumerate() {
                    let Some(lane) = other_lane(l, *by) else { continue };
                    let (at, who) = (self.cell(slot, from, lane), self.who(w, l));
                    *value = self.rings[ring.0].load(at, who)?;
                }
            }
            Operation::Row { row, lanes: by, warps, laps, inner } => {
                let kept = &program.rows[row.0];
                let Some(inner) = self.row_cell(w, kept.level, inner)? else { return Ok(lanes) };
                let slot = self.row_slot(w, kept, *laps)?;
                let Some(from) = self.other_warp(w, *warps) else { return Ok(lanes) };
                let inner = inner * (count(kept.slots())? * self.warps.len() * gpu::WARP);
                for (l, value) in lanes.iter_mut().enumerate() {
                    let Some(lane) = other_lane(l, *by) else { continue };
                    let (at, who) = (inner + self.cell(slot, from, lane), self.who(w, l));
                    *value = self.rows[row.0].load(at, who)?;
                }
            }
            _ => {}
        }
        Ok(lanes)
    }

    fn other_warp(&self, w: usize, by: Int) -> Option<usize> {
        usize::try_from(w as Int - by).ok().filter(|from| *from < self.warps.len())
    }
}

impl Warp {
    fn new(ready: &Ready, sizes: &[Int], block: &[i64], warp: usize) -> Result<Warp, Trap> {
        let (program, slots) = (ready.program, &ready.slots);
        let mut shared = vec![0; slots.shared()];
        for (slot, size) in shared.iter_mut().zip(sizes) {
            *slot = small(*size)?;
        }
        for (k, v) in block.iter().enumerate() {
            shared[slots.block(k)] = *v;
        }
        let mut rest = small(warp as Int)?;
        for (k, extent) in program.frame.warps.iter().enumerate().rev() {
            shared[slots.warp(k)] = rest % small(*extent)?;
            rest /= small(*extent)?;
        }
        // Lanes after the last one that has points get coordinates beyond the extent of the first row.
        let mut lanes = vec![[0; gpu::WARP]; program.frame.lanes.len()];
        let mut each = small(1)?;
        for (k, extent) in program.frame.lanes.iter().enumerate().rev() {
            let extent = small(*extent)?;
            for (lane, at) in lanes[k].iter_mut().enumerate() {
                *at = lane as i64 / each;
                if k > 0 {
                    *at %= extent;
                }
            }
            each *= extent;
        }
        let mut carried = Vec::new();
        for register in &program.registers {
            carried.push(VecDeque::from(vec![POISON; count(register.delay)?]));
        }
        Ok(Warp {
            standing: Standing { shared, lanes },
            values: vec![POISON; program.values.len()],
            carried,
            slots: VecDeque::new(),
        })
    }
}

/// The number of a cell in a box; `None` if it lies outside.
fn cell_of(cell: &[i64], extents: &[Int]) -> Option<usize> {
    cell.iter().zip(extents).try_fold(0, |at, (i, n)| {
        let i = Int::from(*i);
        (0..*n).contains(&i).then(|| at * *n as usize + i as usize)
    })
}

/// The lane `by` below, if there is one.
fn other_lane(lane: usize, by: Int) -> Option<usize> {
    usize::try_from(lane as Int - by).ok().filter(|l| *l < gpu::WARP)
}
