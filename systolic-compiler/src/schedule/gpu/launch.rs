//! What a schedule asks of its launch on a GPU: how many blocks a multiprocessor holds, and how wide indices are.
use crate::mapping::PlaceForm;
use crate::model::Int;
use crate::program::{Condition, Shared, ValueId};
use crate::schedule::{Schedule, Version};
use crate::target::{GPU, gpu, tuning};

impl Schedule {
    /// Whether blocks at the ends of an axis are launched first on a GPU. Boundary blocks run longest, so they should not begin
    /// last. Blocks without a loop are short and end together in any order.
    pub fn begins_with_ends(&self) -> bool {
        let others = self.versions.len() - usize::from(self.without_rows().is_some());
        !self.frame.loops.is_empty() && others > 1
    }

    /// The version for blocks that need no rows, if there is one.
    fn without_rows(&self) -> Option<&Version> {
        let first = self.versions.first().filter(|_| !self.rows.is_empty())?;
        first.sections.iter().all(|s| s.step.rows.is_empty()).then_some(first)
    }

    /// The blocks that need no rows. They run a version of their own, also where accesses are not aligned: the host provides no
    /// memory for rows. Streams need aligned accesses.
    pub fn needs_no_rows(&self) -> Option<&Condition> {
        let without_rows = self.without_rows()?;
        without_rows.sections.iter().all(|s| s.step.streams.is_none()).then_some(&without_rows.when)
    }

    /// The bytes of shared memory that a warp needs for streams. Steps use the same memory one after the other.
    pub fn stream_bytes(&self) -> Int {
        self.steps().filter_map(|step| step.streams.as_ref()).map(|streams| streams.bytes).max().unwrap_or(0)
    }

    /// The bytes of shared memory that a block needs, without rows.
    pub fn shared_bytes(&self) -> Int {
        Shared::of(self).bytes + self.warp_count() * self.stream_bytes()
    }

    /// Whether two blocks that run as one may have different values.
    pub fn differs(&self, id: ValueId) -> bool {
        self.paired.as_ref().is_some_and(|paired| paired.differs(id))
    }

    /// The bytes of a value in a row: of two blocks, both values in one word.
    pub fn cell_bytes(&self, id: ValueId) -> Int {
        if self.differs(id) { GPU.word_bytes as Int } else { self.values[id.0].ty.bytes() as Int }
    }

    /// Whether some step makes a wide access, or a box is filled with such accesses.
    pub fn has_wide(&self) -> bool {
        self.stages.iter().any(|stage| stage.piece > 1)
            || self.steps().any(|step| !step.wide_loads.is_empty() || !step.wide_stores.is_empty())
    }

    /// The blocks that a multiprocessor should hold at a time: those that the map wants resident. Without that wish it is 1, and
    /// ptxas takes the registers it needs; otherwise it may round their number down and spill a few values. `None`: ptxas
    /// decides, since the speed depends on how many warps are resident: there is no loop, or one that carries many values.
    pub fn resident_blocks(&self) -> Option<Int> {
        let fills_registers = self.frame.loops.is_empty() || self.carried_words() >= tuning::MANY_WORDS;
        match self.wishes.resident {
            Some(warps) => Some((warps / self.warp_count()).clamp(1, gpu::BLOCKS_EVERYWHERE)),
            None if fills_registers => None,
            None => Some(1),
        }
    }

    /// Whether every number of the program fits indices of 32 bits.
    pub fn fits_32_bits(&self) -> bool {
        let mut fits_all = true;
        self.each_form(&mut |form: &PlaceForm| {
            let fits = |n: i128| n.abs() < 1 << 30;
            fits_all &= form.terms().all(|(_, c)| fits(c)) && fits(form.offset()) && fits(form.denominator());
        });
        fits_all
    }

    /// Whether indices of 64 bits need a version of their own, with shorter prefetch distances.
    pub fn differs_with_64_bits(&self) -> bool {
        self.sections().any(|section| section.prefetch != section.prefetch_64)
    }
}
