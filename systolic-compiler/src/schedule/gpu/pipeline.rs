//! A pipeline: consecutive sections that share their prefetched loads. It says which time each load is for, so that the printer
//! and the interpreter need not know the rule.
use crate::mapping::Bound;
use crate::model::Int;
use crate::planted::planted;
use crate::program::Loop;
use crate::schedule::{Prefetch, Schedule, Section, Version};

/// Sections that run one after the other, of which all but the first continue with the loads of the one before.
///
/// Loads wait in slots, one per step of the distance. Before the loop, slot k is filled for time `low` + k. A step takes its
/// loads from a slot and then fills a slot for the time that lies the distance ahead. No load is for a time after `last`: at the
/// end the loads of the last step are repeated.
#[derive(Clone, Debug)]
pub struct Pipeline<'s> {
    /// The sections. Each begins where the one before has ended.
    pub sections: &'s [Section],
    /// The first time of the first section.
    pub low: &'s Bound,
    /// The last time of all sections.
    pub last: Bound,
    /// The distance and, per section, the rest.
    pub distance: usize,
    has_64_bits: bool,
}

/// Where a step takes its loads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// From slot 0. All others move down by one, and the last one is filled.
    Shift,
    /// From this slot, which is then filled again. Nothing moves.
    InTurn(usize),
}

impl Version {
    /// The pipelines of the version, with indices of this width. A section that prefetches nothing is one of its own.
    pub fn pipelines(&self, schedule: &Schedule, has_64_bits: bool) -> Vec<Pipeline<'_>> {
        let runs = self.sections.chunk_by(|_, next| next.prefetch(has_64_bits).continues);
        runs.filter_map(|sections| Pipeline::new(schedule, sections, has_64_bits)).collect()
    }
}

impl<'s> Pipeline<'s> {
    /// `None` without sections.
    fn new(schedule: &Schedule, sections: &'s [Section], has_64_bits: bool) -> Option<Pipeline<'s>> {
        let first = sections.first()?;
        let high = schedule.frame.loops.last().map(Loop::last);
        // The end of the loop if a section reaches it; else the largest end, since a section may be empty.
        let reaches = sections.iter().map(|s| &s.high).find(|last| high == Some(last)).cloned();
        let last = reaches.or_else(|| Bound::greatest(sections.iter().map(|s| s.high.clone())));
        let last = last.unwrap_or_else(|| Bound::number(0));
        let last = if planted(63) { last.plus(1) } else { last };
        let last = if planted(64) { last.plus(-1) } else { last };
        let distance = first.prefetch(has_64_bits).distance;
        Some(Pipeline { sections, low: &first.low, last, distance, has_64_bits })
    }

    /// How a section of it loads.
    pub fn prefetch(&self, section: &'s Section) -> &'s Prefetch {
        section.prefetch(self.has_64_bits)
    }

    /// The time for which slot `k` is filled before the loop, counted from the first one.
    pub fn first_load(&self, k: usize) -> Int {
        k as Int + Int::from(planted(60))
    }

    /// How far ahead of a step the loads lie that it issues.
    pub fn load_ahead(&self) -> Int {
        self.distance as Int - Int::from(planted(61))
    }

    /// The slot of copy `k` of an unrolled loop.
    pub fn slot(&self, section: &Section, k: usize) -> Slot {
        match section.prefetch(self.has_64_bits).takes_turns() {
            true => Slot::InTurn((k + usize::from(planted(62))) % self.distance),
            false => Slot::Shift,
        }
    }
}
