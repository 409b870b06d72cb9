//! Walks: loads and stores in which each lane moves along a row of its own, one element per step, up or down. A CPU fetches several
//! steps of such a load together and transposes them, and collects stores in the same way. The same serves several loads or stores
//! of one step that access neighbours in the row of each lane:
//!
//! ```text
//! lane 0 | a b c d | . . . .         load a, e, i; load b, f, j; load c, g, k; load d, h, l
//! lane 1 | e f g h | . . . .
//! lane 2 | i j k l | . . . .         are one transpose
//! ```
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Int};
use crate::program::{Operation, Program, Store};
use crate::schedule::Step;
use crate::target::{cpu, gpu};

/// The accesses that walk; each array and row once.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// Walks along parameters.
    pub loads: Vec<Walk>,
    /// Walks along outputs.
    pub stores: Vec<Walk>,
}

/// Accesses to neighbours in the row of each lane.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The parameter or the output.
    pub array: usize,
    /// Where lanes access their first element.
    pub index: Vec<PlaceForm>,
    /// The distance from the first element to the last one.
    pub reach: Int,
    /// Whether the next step accesses the element before.
    pub down: bool,
    /// The bytes of an element.
    bytes: usize,
}

impl Walk {
    fn new(array: usize, index: &[PlaceForm], bytes: usize) -> Walk {
        Walk { array, index: index.to_vec(), reach: 0, down: false, bytes }
    }

    /// How far an access lies after the first element, if it goes along these rows.
    fn distance(&self, array: usize, index: &[PlaceForm]) -> Option<Int> {
        let ((last, rows), (first, others)) = (index.split_last()?, self.index.split_last()?);
        (self.array == array && rows == others).then(|| last.sub(first).number())?
    }

    /// Whether an access belongs to it.
    fn serves(&self, array: usize, index: &[PlaceForm]) -> bool {
        self.distance(array, index).is_some_and(|at| (0..=self.reach).contains(&at))
    }
}

impl Walks {
    /// The walks of all steps of a program. Lanes that read the elements of a row backwards load them in one access.
    pub fn new<'s>(program: &Program, steps: impl Iterator<Item = &'s Step> + Clone) -> Walks {
        let (mut loads, mut stores, mut far_loads, mut far_stores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for line in steps.clone().flat_map(|step| &step.lines) {
            let Operation::Load { array: array @ Array::Parameter(k), index } = &line.inst.operation else { continue };
            let backwards = program.parameters[*k].border.is_none() && is_backwards(program, index);
            let walk = Walk::new(*k, index, line.inst.ty.bytes());
            if !program.in_memory(*array) || backwards {
                continue;
            } else if let Some(down) = walks_down(program, index) {
                note(&mut loads, Walk { down, ..walk });
            } else if is_far(program, index) {
                beside(&mut far_loads, walk);
            }
        }
        for store in steps.flat_map(|step| &step.stores).filter(|store| store.whole.is_empty()) {
            let Some(output) = store.into.output() else { continue };
            let walk = Walk::new(output, &store.index, program.values[store.value.0].ty.bytes());
            if let Some(down) = walks_down(program, &store.index) {
                note(&mut stores, Walk { down, ..walk });
            } else if is_far(program, &store.index) {
                after(&mut far_stores, walk);
            }
        }
        // A single far access is no walk.
        loads.extend(far_loads.into_iter().filter(|walk| walk.reach > 0));
        stores.extend(far_stores.into_iter().filter(|walk| walk.reach > 0));
        Walks { loads, stores }
    }

    /// The bytes of the buffers for fetched elements and pending stores.
    pub fn bytes(&self) -> usize {
        let each: usize = self.loads.iter().chain(&self.stores).map(|walk| walk.bytes).sum();
        gpu::WARP * cpu::STEPS_TOGETHER as usize * each
    }

    /// The number of the walk that a load belongs to.
    pub fn load(&self, parameter: usize, index: &[PlaceForm]) -> Option<usize> {
        self.loads.iter().position(|walk| walk.serves(parameter, index))
    }

    /// The number of the walk that a store belongs to.
    pub fn store(&self, store: &Store) -> Option<usize> {
        let output = store.into.output().filter(|_| store.whole.is_empty())?;
        self.stores.iter().position(|walk| walk.serves(output, &store.index))
    }
}

/// Adds an access that is not known yet.
fn note(list: &mut Vec<Walk>, walk: Walk) {
    if !list.iter().any(|known| known.serves(walk.array, &walk.index)) {
        list.push(walk);
    }
}

/// Adds a load to a walk along its row that it is close to, or begins one.
fn beside(list: &mut Vec<Walk>, load: Walk) {
    for walk in list.iter_mut() {
        let Some(at) = walk.distance(load.array, &load.index) else { continue };
        let (low, high) = (at.min(0), at.max(walk.reach));
        if high - low < cpu::STEPS_TOGETHER {
            walk.reach = high - low;
            if low < 0 {
                walk.index = load.index;
            }
            return;
        }
    }
    list.push(load);
}

/// Adds a store that follows the last one of a walk, or begins one.
fn after(list: &mut Vec<Walk>, store: Walk) {
    for walk in list.iter_mut() {
        match walk.distance(store.array, &store.index) {
            Some(at) if (0..=walk.reach).contains(&at) => return,
            Some(at) if at == walk.reach + 1 && at < cpu::STEPS_TOGETHER => {
                walk.reach = at;
                return;
            }
            _ => {}
        }
    }
    list.push(store);
}

/// Whether each lane reads the element before that of the last lane, all in one row.
fn is_backwards(program: &Program, index: &[PlaceForm]) -> bool {
    let Some((last, rows)) = index.split_last() else { return false };
    let still = |f: &PlaceForm| !f.mentions(&|a| matches!(a, Atom::Lane(_)));
    program.frame.lanes.len() == 1 && rows.iter().all(still) && last.coefficient(&Atom::Lane(0)) == -1
}

/// Where lanes lie in different rows, or far apart in one, and a step of the innermost loop moves each by one element: whether it is
/// moved to the element before.
fn walks_down(program: &Program, index: &[PlaceForm]) -> Option<bool> {
    let innermost = program.frame.loops.len().checked_sub(1)?;
    let (last, rows) = index.split_last()?;
    let bounds = &program.frame.loops[innermost];
    let long = match (bounds.low.constant(), bounds.high.constant()) {
        (Some(low), Some(high)) => high - low + 1 >= cpu::STEPS_TOGETHER,
        _ => true,
    };
    let (time, lane) = (Atom::Time(innermost), |a: &Atom| matches!(a, Atom::Lane(_)));
    let along = last.coefficient(&time).abs() == 1 && !rows.iter().any(|f| f.mentions(&|a| *a == time));
    let near = program.frame.lanes.len() == 1 && (0..cpu::STEPS_TOGETHER).contains(&last.coefficient(&Atom::Lane(0)));
    let apart = rows.iter().any(|f| f.mentions(&lane)) || !near;
    let walks = program.warp_count() == 1 && long && along && apart && index.iter().all(PlaceForm::is_plain);
    walks.then(|| last.coefficient(&time) < 0)
}

/// Whether lanes lie in different rows, or too far apart in one for a window.
fn is_far(program: &Program, index: &[PlaceForm]) -> bool {
    let Some((last, rows)) = index.split_last() else { return false };
    let lane = |a: &Atom| matches!(a, Atom::Lane(_));
    let apart = rows.iter().any(|f| f.mentions(&lane)) || last.coefficient(&Atom::Lane(0)).abs() > cpu::WINDOW_STRIDE;
    let one = program.warp_count() == 1 && program.frame.lanes.len() == 1 && program.lane_count() > 1;
    one && apart && index.iter().all(PlaceForm::is_plain)
}
