//! A sample of the steady state: the middle block at the middle times, at large sizes. Versions and sections are cut so that
//! what holds here is known there. The sample guides choices; correctness never rests on it.
use super::region::Region;
#[cfg(feature = "cuda")]
use crate::mapping::PlaceForm;
use crate::mapping::{Atom, Bound};
use crate::model::Int;
use crate::program::Frame;
use crate::target::tuning;

/// The middle of all blocks and loops.
pub struct Sample {
    blocks: Vec<Int>,
    times: Vec<Int>,
}

impl Sample {
    /// The sample of a program.
    pub fn new(frame: &Frame) -> Sample {
        let mut sample = Sample { blocks: Vec::new(), times: Vec::new() };
        for row in &frame.blocks {
            let middle = sample.middle(&row.low, &row.high);
            sample.blocks.push(middle);
        }
        for row in &frame.loops {
            let middle = sample.middle(row.first(), row.last());
            sample.times.push(middle);
        }
        sample
    }

    fn middle(&self, low: &Bound, high: &Bound) -> Int {
        (self.value(low) + self.value(high)).div_euclid(2)
    }

    /// The value of a form of sizes, blocks and times.
    #[cfg(feature = "cuda")]
    pub fn form(&self, form: &PlaceForm) -> Int {
        self.value(&Bound::Form(form.clone()))
    }

    fn value(&self, bound: &Bound) -> Int {
        let at = |atom: &Atom| match atom {
            Atom::Size(_) => tuning::STEADY_SIZE,
            Atom::Block(k) => self.blocks.get(*k).copied().unwrap_or_default(),
            Atom::Time(k) => self.times.get(*k).copied().unwrap_or_default(),
            _ => 0,
        };
        bound.value(&at).unwrap_or_default()
    }

    /// Whether the middle time lies in a region.
    pub fn is_in(&self, region: &Region) -> bool {
        let time = self.times.last().copied().unwrap_or_default();
        region.low.as_ref().is_none_or(|b| self.value(b) <= time)
            && region.high.as_ref().is_none_or(|b| self.value(b) >= time)
    }
}
