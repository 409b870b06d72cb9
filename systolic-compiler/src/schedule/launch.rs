//! What a schedule asks of its launch on a GPU: how many blocks a multiprocessor holds, and how wide indices are.
use super::Schedule;
use crate::mapping::PlaceForm;
use crate::model::Int;
use crate::program::{Condition, Operation};
use crate::target::{gpu, tuning};

impl Schedule {
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

    /// Visits every form that the program computes with.
    pub fn each_form(&self, visit: &mut impl FnMut(&PlaceForm)) {
        let frame = &self.frame;
        for row in frame.blocks.iter().chain(&frame.loops) {
            [&row.low, &row.high].into_iter().for_each(|bound| bound.each_form(visit));
            row.busy.iter().for_each(|(first, last)| [first, last].iter().for_each(|bound| bound.each_form(visit)));
        }
        self.faces.iter().flat_map(|f| &f.dims).for_each(|bound| bound.each_form(visit));
        self.stages.iter().flat_map(|s| &s.low).for_each(|form| form.each_nested(visit));
        let lines = self.steps().flat_map(|step| &step.lines).map(|l| &l.inst);
        for inst in self.values.iter().chain(lines) {
            inst.conditions().for_each(|c| of_condition(c, visit));
            match &inst.operation {
                Operation::Index(form) => form.each_nested(visit),
                Operation::Load { index: forms, .. }
                | Operation::Face { index: forms, .. }
                | Operation::Staged { cell: forms, .. } => {
                    forms.iter().for_each(|form| form.each_nested(visit));
                }
                _ => {}
            }
        }
        for section in self.sections() {
            [&section.low, &section.high].into_iter().for_each(|bound| bound.each_form(visit));
            for store in &section.step.stores {
                of_condition(&store.condition, visit);
                store.whole.iter().chain(&store.index).for_each(|form| form.each_nested(visit));
            }
        }
    }
}

fn of_condition(condition: &Condition, visit: &mut impl FnMut(&PlaceForm)) {
    condition.each_form(&mut |form| form.each_nested(visit));
}
