//! Walks: loads and stores in which each lane moves along a row of its own, one element per step. A CPU fetches several steps of
//! such a load together and transposes them, and collects stores in the same way.
use crate::mapping::{Atom, PlaceForm};
use crate::model::Array;
use crate::program::{Operation, Program, Store};
use crate::schedule::Step;
use crate::target::{cpu, gpu};

/// The accesses that walk; each array and index once.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// Parameters and indices.
    pub loads: Vec<(usize, Vec<PlaceForm>)>,
    /// Outputs and indices.
    pub stores: Vec<(usize, Vec<PlaceForm>)>,
    /// The bytes of the buffers for fetched elements and pending stores.
    pub bytes: usize,
}

impl Walks {
    /// The walks of all steps of a program. `found` tells that the compiler has found the map: then lanes that read the elements
    /// of a row backwards load them in one access.
    pub fn new<'s>(program: &Program, steps: impl Iterator<Item = &'s Step> + Clone, found: bool) -> Walks {
        let mut walks = Walks::default();
        let bytes = |each: usize| gpu::WARP * cpu::STEPS_TOGETHER as usize * each;
        for line in steps.clone().flat_map(|step| &step.lines) {
            let Operation::Load { array: array @ Array::Parameter(k), index } = &line.inst.operation else { continue };
            let backwards = found && program.parameters[*k].border.is_none() && is_backwards(program, index);
            if program.in_memory(*array) && !backwards && is_walk(program, index) && note(&mut walks.loads, *k, index) {
                walks.bytes += bytes(line.inst.ty.bytes());
            }
        }
        for store in steps.flat_map(|step| &step.stores) {
            let whole = store.whole.is_empty() && is_walk(program, &store.index);
            if whole && store.into.output().is_some_and(|k| note(&mut walks.stores, k, &store.index)) {
                walks.bytes += bytes(program.values[store.value.0].ty.bytes());
            }
        }
        walks
    }

    /// The number of the walk that a load belongs to.
    pub fn load(&self, parameter: usize, index: &[PlaceForm]) -> Option<usize> {
        self.loads.iter().position(|(k, walk)| *k == parameter && walk == index)
    }

    /// The number of the walk that a store belongs to.
    pub fn store(&self, store: &Store) -> Option<usize> {
        let here = |(k, index): &(usize, Vec<PlaceForm>)| Some(*k) == store.into.output() && *index == store.index;
        self.stores.iter().position(here).filter(|_| store.whole.is_empty())
    }
}

/// Adds an access. Returns whether it was not known yet.
fn note(list: &mut Vec<(usize, Vec<PlaceForm>)>, array: usize, index: &[PlaceForm]) -> bool {
    let is_new = !list.iter().any(|(k, known)| *k == array && known == index);
    if is_new {
        list.push((array, index.to_vec()));
    }
    is_new
}

/// Whether each lane reads the element before that of the last lane, all in one row.
fn is_backwards(program: &Program, index: &[PlaceForm]) -> bool {
    let Some((last, rows)) = index.split_last() else { return false };
    let still = |f: &PlaceForm| !f.mentions(&|a| matches!(a, Atom::Lane(_)));
    program.frame.lanes.len() == 1 && rows.iter().all(still) && last.coefficient(&Atom::Lane(0)) == -1
}

/// Whether lanes lie in different rows, or far apart in one, and a step of the innermost loop moves each by one element.
fn is_walk(program: &Program, index: &[PlaceForm]) -> bool {
    let Some(innermost) = program.frame.loops.len().checked_sub(1) else { return false };
    let Some((last, rows)) = index.split_last() else { return false };
    let bounds = &program.frame.loops[innermost];
    let long = match (bounds.low.constant(), bounds.high.constant()) {
        (Some(low), Some(high)) => high - low + 1 >= cpu::STEPS_TOGETHER,
        _ => true,
    };
    let (time, lane) = (Atom::Time(innermost), |a: &Atom| matches!(a, Atom::Lane(_)));
    let along = last.coefficient(&time) == 1 && !rows.iter().any(|f| f.mentions(&|a| *a == time));
    let near = program.frame.lanes.len() == 1 && (0..cpu::STEPS_TOGETHER).contains(&last.coefficient(&Atom::Lane(0)));
    let apart = rows.iter().any(|f| f.mentions(&lane)) || !near;
    program.warp_count() == 1 && long && along && apart && index.iter().all(PlaceForm::is_plain)
}
