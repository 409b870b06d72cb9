//! Predicts the registers per lane: carried values, prefetched values, and the largest number of values alive in a step.
use super::count::Counter;
use crate::mapping::PlaceForm;
use crate::program::{Operation, ValueId};
use crate::schedule::{Section, Step};
use crate::sorted::{SortedMap, SortedSet};
use crate::target::{GPU, instructions};

/// The registers per lane that would be used if there were enough, by the section that needs most.
pub fn needed(counter: &Counter<'_>) -> usize {
    let carried = counter.program.carried_words() as usize;
    let most = counter.program.sections().map(|s| alive(counter, s)).max().unwrap_or(0);
    (carried + most + instructions::OTHER_REGISTERS).next_multiple_of(GPU.register_unit)
}

/// The registers per lane that wait from step to step: carried and prefetched values, and those of addresses.
pub fn held(counter: &Counter<'_>) -> usize {
    let carried = counter.program.carried_words() as usize;
    let fetched = |s: &Section| distance(s) * counter.fetched(&s.step).map(|l| l.inst.ty.words()).sum::<usize>();
    carried + counter.program.sections().map(fetched).max().unwrap_or(0) + instructions::OTHER_REGISTERS
}

/// The largest number of words alive at a time in a step, with the words that are prefetched. Loads are issued first.
fn alive(counter: &Counter<'_>, section: &Section) -> usize {
    let step = &section.step;
    let mut last: SortedMap<ValueId, usize> = SortedMap::new();
    for (n, line) in step.lines.iter().enumerate() {
        line.inst.operation.operands().into_iter().for_each(|id| {
            last.insert(id, n);
        });
    }
    let words = |id: ValueId| counter.program.values[id.0].ty.words();
    let stored: usize = step.stores.iter().map(|store| words(store.value)).sum();
    // nvcc stores values as soon as it can if registers cannot hold all of them.
    let wait_for_end = if stored > instructions::STORED_WORDS { step.stores.len() } else { 0 };
    step.uses().skip(wait_for_end).for_each(|id| {
        last.insert(id, step.lines.len());
    });
    let is_held = |o: &Operation| !matches!(o, Operation::Literal(_) | Operation::Carried { .. } | Operation::Poison);
    let ahead: usize = counter.fetched(step).map(|l| l.inst.ty.words()).sum();
    let early: Vec<ValueId> = counter.fetched(step).map(|l| l.id).collect();
    let (mut now, mut most) = (ahead, ahead);
    let mut ends: SortedMap<usize, usize> = SortedMap::new();
    early.iter().filter_map(|id| last.get(id).map(|n| (*n, words(*id)))).for_each(|(n, w)| *ends.or_default(n) += w);
    let together = together(counter, step);
    let mut read = SortedSet::new();
    for (n, line) in step.lines.iter().enumerate() {
        now -= ends.get(&n).copied().unwrap_or(0).min(now);
        let uniform =
            matches!(&line.inst.operation, Operation::Load { array, .. } if !counter.program.in_memory(*array));
        if early.contains(&line.id) || uniform || !is_held(&line.inst.operation) {
            continue;
        }
        if let Some(group) = key(counter, &line.inst.operation) {
            // The neighbours of an element come with it.
            if read.insert(group.clone()) {
                for id in together.get(&group).into_iter().flatten() {
                    now += words(*id);
                    *ends.or_default(last.get(id).copied().unwrap_or(n)) += words(*id);
                }
                most = most.max(now);
            }
            continue;
        }
        if let Some(end) = last.get(&line.id) {
            now += line.inst.ty.words();
            *ends.or_default(*end) += line.inst.ty.words();
            most = most.max(now);
        }
    }
    // A carried value is computed into the register that carries it, which is counted already.
    let given: usize = step.registers.iter().map(|id| words(*id)).sum();
    (most - given.min(most)).max(ahead) + distance(section) * ahead
}

/// A staged read without its place among the neighbours that one access brings.
type Group = (usize, Vec<PlaceForm>);

/// The group of a read of a box.
fn key(counter: &Counter<'_>, operation: &Operation) -> Option<Group> {
    let Operation::Staged { stage, cell } = operation else { return None };
    let together = counter.program.stages[stage.0].together;
    let mut cell = cell.clone();
    let last = cell.last_mut()?;
    *last = last.plus(-last.offset().rem_euclid(together));
    Some((stage.0, cell))
}

/// The reads of boxes, by group.
fn together(counter: &Counter<'_>, step: &Step) -> SortedMap<Group, Vec<ValueId>> {
    let mut groups: SortedMap<Group, Vec<ValueId>> = SortedMap::new();
    for line in &step.lines {
        if let Some(group) = key(counter, &line.inst.operation) {
            groups.or_default(group).push(line.id);
        }
    }
    groups
}

/// For how many steps loaded values wait in registers.
fn distance(section: &Section) -> usize {
    section.step.streams.as_ref().map_or(section.prefetch.distance, |streams| streams.group)
}
