//! Counts the instructions of one step of a section, by kind: those of its values, loads, stores and moves between registers.
use super::merge::merged;
use super::mix::Mix;
use super::operations;
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, BinaryOp, CompareOp, Int, Kernel, Type};
use crate::program::{Condition, Inst, Into, Operation, Shared, Stage, Table, ValueId, is_load_from_memory};
use crate::schedule::{Line, Rows, Schedule, Section, Step, Use, Wide};
use crate::sorted::{SortedMap, SortedSet};
use crate::target::gpu::LANES;
use crate::target::timing::Kind;
use crate::target::{GPU, instructions};

/// Counts the steps of a program.
pub struct Counter<'p> {
    pub kernel: &'p Kernel,
    pub program: &'p Schedule,
    /// The tables in shared memory.
    tables: Vec<Table>,
}

/// One access to memory per lane: an element, or neighbours that are loaded or stored together.
#[derive(Clone, Debug)]
pub struct Access<'p> {
    pub array: ArrayOf,
    /// The index of its first element.
    pub index: &'p [PlaceForm],
    pub bytes: usize,
    /// The lanes that make it.
    pub when: &'p Condition,
    /// The lanes in which a wide access does it instead.
    pub unless: Option<&'p Condition>,
    pub is_store: bool,
    /// What the rows of its box are if it goes through shared memory.
    pub through: Option<Rows>,
    /// Whether the warp waits for this load at once, even if it is prefetched.
    pub is_waited_for: bool,
}

/// An input, an output or a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrayOf {
    Parameter(usize),
    Output(usize),
    Face(usize),
}

impl<'p> Counter<'p> {
    pub fn new(kernel: &'p Kernel, program: &'p Schedule) -> Counter<'p> {
        let tables = Shared::of(program).tables.into_iter().map(|(table, _)| table).collect();
        Counter { kernel, program, tables }
    }

    /// The instructions of one iteration, with its share of the loop overhead.
    pub fn step(&self, section: &'p Section, at_edge: bool) -> Mix {
        let step = &section.step;
        let mut mix = Mix::default();
        let merged = merged(self.program, step);
        for line in &step.lines {
            match merged.contains(&line.id) {
                // In place of the select there is another addition.
                true if matches!(line.inst.operation, Operation::Choose(..)) => mix.add(Kind::Fma, 1),
                true => {}
                false => mix += self.value(line.id, &line.inst),
            }
        }
        mix += self.tests(step, at_edge);
        mix += self.memory(step, at_edge);
        mix.add(Kind::Control, self.jumps(step));
        mix += self.rotations(section);
        mix += self.uniforms(step);
        mix.add(Kind::Barrier, self.barriers());
        if !self.program.frame.loops.is_empty() {
            mix += (Mix::of(Kind::Alu, (instructions::LOOP - 1) as f64) + Mix::of(Kind::Control, 1.0))
                * (1.0 / section.prefetch.unroll as f64);
        }
        mix
    }

    /// The instructions before the innermost loop: the place of the block, the bounds, and loop-invariant values.
    pub fn before(&self) -> Mix {
        let innermost = self.program.frame.loops.len();
        let early = self.program.values.iter().enumerate().filter(|(_, m)| m.level < innermost);
        let mut mix = early.map(|(k, inst)| self.value(ValueId(k), inst)).fold(Mix::default(), |sum, more| sum + more);
        let filled: Int = self.tables.iter().map(|table| table.count() * table.copies).sum();
        let filled = filled as f64 / (LANES * self.program.warp_count()) as f64;
        mix += Mix::of(Kind::Shared, filled) + Mix::of(Kind::Alu, instructions::TABLE_CELL as f64 * filled);
        let frame = &self.program.frame;
        mix.add(Kind::Uniform, 4 * (frame.blocks.len() + self.program.parameters.len()));
        mix.add(Kind::Alu, 8 + 4 * frame.blocks.len() + 4 * frame.loops.len() + 2 * self.program.hoisted.named.len());
        mix
    }

    /// The instructions of a value. Loads from memory are counted as accesses.
    fn value(&self, id: ValueId, inst: &Inst) -> Mix {
        if self.program.differs(id) { self.value_of_both(inst) } else { self.value_of_one(inst) }
    }

    /// The instructions of a value of two blocks that run as one, as `both.cuh` computes it on halves.
    fn value_of_both(&self, inst: &Inst) -> Mix {
        let differs = |id: &ValueId| self.program.differs(*id);
        let alu = |count: usize| Mix::of(Kind::Alu, count as f64);
        // Where a value has 8 bits, results are extended again.
        let extends = if inst.ty.bytes() == 1 && inst.ty != Type::Bool { 1 } else { 0 };
        match &inst.operation {
            Operation::Load { .. } => alu(1),
            Operation::Lookup { .. } => self.value_of_one(inst) * 2.0 + alu(1),
            Operation::Unary(..) => alu(2 + extends),
            Operation::Binary(BinaryOp::Sub, _, b) if differs(b) => alu(3 + extends),
            Operation::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => alu(1 + extends),
            Operation::Binary(..) => alu(1),
            Operation::Compare(CompareOp::Eq | CompareOp::Ne, ..) => alu(2),
            Operation::Compare(..) => alu(3),
            Operation::Choose(_, a, b) if !differs(a) && !differs(b) => Mix::of(Kind::Mad, 1.0),
            Operation::Choose(..) => Mix::of(Kind::Mad, 1.0) + alu(1),
            Operation::Cast(_) => alu(extends),
            _ => self.value_of_one(inst),
        }
    }

    fn value_of_one(&self, inst: &Inst) -> Mix {
        let words = operations::words(inst.ty);
        let ty = |id: &ValueId| self.program.values[id.0].ty;
        match &inst.operation {
            Operation::Unary(op, a) => operations::unary(*op, ty(a)),
            Operation::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) if ty(a).is_integer() => {
                match self.program.values[b.0].operation {
                    Operation::Literal(bits) => operations::divided(*op, ty(a), bits),
                    _ => operations::binary(*op, ty(a)),
                }
            }
            Operation::Binary(op, a, _) => operations::binary(*op, ty(a)),
            Operation::Fma(a, b, c) => operations::fma(inst.ty, [a, b, c].iter().any(|id| self.is_shared(**id))),
            Operation::Compare(_, a, _) => operations::compare(ty(a)),
            Operation::Cast(a) => operations::cast(ty(a), inst.ty),
            Operation::Select(..) | Operation::Choose(..) => Mix::of(Kind::Alu, words),
            Operation::Shuffle { .. } | Operation::Rotate { .. } => Mix::of(Kind::Shuffle, words),
            Operation::Ring { .. } | Operation::Row { .. } => {
                Mix::of(Kind::Shared, 1.0) + Mix::of(Kind::Alu, instructions::COMPARISON as f64)
            }
            // An access of several words takes as many turns, also where all lanes read the same.
            Operation::Staged { stage, cell } => {
                let turns = words * self.program.conflicts(&self.program.stages[stage.0], cell) as f64;
                Mix::of(Kind::Shared, turns)
            }
            Operation::Index(_) => Mix::of(Kind::Alu, 2.0),
            // An element passed by value at an index that is not constant is fetched where it is used.
            Operation::Load { array, index } if !self.program.in_memory(*array) && !is_fixed(index) => {
                Mix::of(Kind::Uniform, 1.0) + Mix::of(Kind::Alu, 1.0)
            }
            Operation::Lookup { array, index } if !self.program.in_memory(*array) => {
                let table = self.tables.iter().find(|table| table.array == *array);
                let turns = table.map_or(instructions::TABLE_TURNS[0], |table| {
                    instructions::TABLE_TURNS[(table.copies.ilog2() as usize).min(instructions::TABLE_TURNS.len() - 1)]
                });
                Mix::of(Kind::Shared, turns) + Mix::of(Kind::Alu, index.len() as f64 - 0.5) + Mix::of(Kind::Mad, 1.0)
            }
            Operation::Lookup { index, .. } => {
                let address = instructions::LOOKUP_AXIS * index.len();
                Mix::of(Kind::Shared, instructions::LOOKUP_ACCESSES as f64) + Mix::of(Kind::Alu, address as f64)
            }
            _ => Mix::default(),
        }
    }

    /// Whether all lanes have the same value, given by a parameter, a constant or a literal.
    fn is_shared(&self, id: ValueId) -> bool {
        match &self.program.values[id.0].operation {
            Operation::Literal(_) => true,
            Operation::Load { array, index } => !self.program.in_memory(*array) && is_fixed(index),
            _ => false,
        }
    }

    /// The comparisons that a step evaluates, each once.
    fn tests(&self, step: &'p Step, at_edge: bool) -> Mix {
        let mut found = SortedSet::new();
        for (n, line) in step.lines.iter().enumerate() {
            let loads = match &line.inst.operation {
                Operation::Load { index, .. } => !is_fixed(index),
                Operation::Face { .. } => true,
                _ => false,
            };
            let needed = (loads && !is_never_alone(&step.wide_loads, n)).then_some(&line.inst.needed);
            line.inst.operation.condition().into_iter().chain(needed).for_each(|c| self.evaluated(c, &mut found));
        }
        let stores = step.stores.iter().enumerate().filter(|(n, _)| !is_never_alone(&step.wide_stores, *n));
        stores.for_each(|(_, s)| self.evaluated(&s.condition, &mut found));
        for wide in step.wide_loads.iter().chain(&step.wide_stores) {
            self.evaluated(&wide.guard, &mut found);
            if at_edge {
                self.evaluated(&wide.when, &mut found);
            }
        }
        Mix::of(Kind::Alu, (instructions::COMPARISON * found.len()) as f64)
    }

    /// Adds the comparisons of a condition that are evaluated in the step.
    fn evaluated(&self, condition: &Condition, found: &mut SortedSet<Condition>) {
        evaluated(&self.program.hoisted.usage(condition), found);
    }

    /// The loads and stores with their addresses.
    fn memory(&self, step: &'p Step, at_edge: bool) -> Mix {
        let mut mix = Mix::default();
        let mut rows = SortedSet::new();
        for access in self.accesses(step, at_edge) {
            mix.add(Kind::Access, access.bytes.div_ceil(GPU.access_bytes));
            if access.through.is_some() {
                // To shared memory and from it, each a word per lane at a time.
                mix.add(Kind::Shared, 2 * access.bytes.div_ceil(GPU.word_bytes));
                mix.add(Kind::Alu, instructions::PIECE);
                continue;
            }
            mix.add(Kind::Alu, self.moves(&access));
            rows.insert((access.array, row(access.index)));
        }
        mix.add(Kind::Mad, rows.len());
        mix.add(Kind::Alu, (instructions::ADDRESS - 1) * rows.len());
        if at_edge {
            let borders: usize = step.lines.iter().enumerate().map(|(n, l)| borders(step, n, l)).sum();
            mix.add(Kind::Alu, instructions::BORDER * borders);
        }
        mix.add(Kind::Alu, step.wide_loads.iter().map(|wide| ends(step, wide)).sum::<usize>());
        // The writes to rings and rows.
        mix.add(Kind::Shared, step.rings.len() + step.rows.len());
        mix.add(Kind::Alu, instructions::COMPARISON * (step.rings.len() + step.rows.len()));
        mix
    }

    /// The moves between registers that an access needs.
    fn moves(&self, access: &Access<'_>) -> usize {
        let (element, words) = (self.element(access.array).bytes(), access.bytes.div_ceil(GPU.word_bytes));
        // The registers of a guarded load are set to 0 first.
        let zeros = if *access.when != Condition::True && !access.is_store { words } else { 0 };
        let placed = if access.is_waited_for { words } else { 0 };
        let parts = if element < GPU.word_bytes && access.bytes > element {
            instructions::PART * (access.bytes / element)
        } else {
            0
        };
        zeros + placed + parts
    }

    /// The jumps around wide accesses that have a fallback to single ones.
    pub fn jumps(&self, step: &Step) -> usize {
        let wide = step.wide_loads.iter().chain(&step.wide_stores);
        instructions::SIDES * wide.filter(|w| w.when != Condition::True).count()
    }

    /// The accesses of a step to memory. In a boundary block some lanes make wide accesses, and the lanes that cannot make
    /// single ones.
    pub fn accesses(&self, step: &'p Step, at_edge: bool) -> Vec<Access<'p>> {
        let mut found = Vec::new();
        for (n, line) in
            step.lines.iter().enumerate().filter(|(_, l)| is_load_from_memory(self.program, &l.inst.operation))
        {
            let (array, index) = match &line.inst.operation {
                Operation::Load { array: Array::Parameter(k), index } => (ArrayOf::Parameter(*k), index),
                Operation::Face { face, index } => (ArrayOf::Face(face.0), index),
                _ => continue,
            };
            let bytes = line.inst.ty.bytes();
            let when = &line.inst.needed;
            let group = step.wide_load(n);
            let stream = step.streams.as_ref().and_then(|s| s.loads.iter().find(|load| load.members.contains(&n)));
            let through = stream.map(|load| load.rows);
            let one =
                Access { array, index, bytes, when, unless: None, is_store: false, through, is_waited_for: false };
            one.issue(group, n, at_edge, &mut found);
        }
        for (n, store) in step.stores.iter().enumerate() {
            let array = match store.into {
                Into::Output(k) => ArrayOf::Output(k),
                Into::Face(face) => ArrayOf::Face(face.0),
            };
            let bytes = self.element(array).bytes();
            let (index, when) = (&store.index[..], &store.condition);
            let group = step.wide_stores.iter().position(|w| w.members.contains(&n));
            let stream = step.streams.as_ref().zip(group).and_then(|(s, k)| s.store(&step.wide_stores[k]));
            let through = stream.map(|(_, store)| store.rows);
            let one = Access { array, index, bytes, when, unless: None, is_store: true, through, is_waited_for: false };
            one.issue(group.map(|k| &step.wide_stores[k]), n, at_edge, &mut found);
        }
        found
    }

    /// The moves from register to register: of values carried over more steps than the loop is unrolled, of old values that
    /// are still read after the new one is computed, and of prefetched values unless unrolling avoids them.
    fn rotations(&self, section: &Section) -> Mix {
        let unroll = section.prefetch.unroll as Int;
        let carried = self.program.registers.iter().map(|r| {
            let words = self.program.values[r.value.0].ty.words() as f64;
            words * (r.delay - unroll).max(0) as f64
        });
        let late = self.program.registers_held(|r| r.delay > 0) - self.program.carried_words();
        let loaded = self.fetched(&section.step).map(|l| l.inst.ty.words() as f64).sum::<f64>();
        let loaded = if section.step.streams.is_some() { 0.0 } else { loaded };
        let stays = section.prefetch.unroll > 1 && section.prefetch.takes_turns();
        let ahead = if section.prefetch.distance > 0 && !stays { loaded } else { 0.0 };
        let moves = carried.sum::<f64>() + if unroll == 1 { late as f64 } else { 0.0 } + ahead;
        Mix::of(Kind::Alu, moves / unroll as f64)
    }

    /// The lines that load from memory.
    pub fn fetched(&self, step: &'p Step) -> impl Iterator<Item = &'p Line> + use<'p, '_> {
        step.lines.iter().filter(|l| is_load_from_memory(self.program, &l.inst.operation))
    }

    /// The fetches of parameters that all lanes share, two words of 4 bytes at a time. Those that fit into the uniform
    /// registers are fetched before the loop.
    fn uniforms(&self, step: &Step) -> Mix {
        let mut words: SortedMap<(Array, Vec<PlaceForm>), usize> = SortedMap::new();
        let mut note = |inst: &Inst| {
            for operand in inst.operation.operands() {
                let inst = &self.program.values[operand.0];
                if let Operation::Load { array: array @ Array::Parameter(_), index } = &inst.operation
                    && !self.program.in_memory(*array)
                    && is_fixed(index)
                {
                    words.insert((*array, index.clone()), inst.ty.words());
                }
            }
        };
        step.lines.iter().for_each(|l| note(&l.inst));
        let words: usize = words.values().sum();
        let held = if self.program.frame.loops.is_empty() { 0 } else { instructions::UNIFORM_WORDS };
        Mix::of(Kind::Uniform, words.saturating_sub(held).div_ceil(2) as f64)
    }

    /// The loads of a step from parameters passed by value, at an index that differs between lanes; each with the lanes that
    /// need it.
    pub fn picks(&self, step: &'p Step) -> impl Iterator<Item = (&'p [PlaceForm], &'p Condition)> + use<'p, '_> {
        step.lines.iter().filter_map(|line| match &line.inst.operation {
            Operation::Load { array, index } if !self.program.in_memory(*array) && differs(index) => {
                Some((&index[..], &line.inst.needed))
            }
            _ => None,
        })
    }

    /// The instructions with which a warp fills its part of a box once, with the barrier, and the bytes that it brings.
    pub fn filling(&self, stage: &Stage) -> (Mix, f64) {
        let cells: Int = stage.extents.iter().product();
        let pieces = cells as f64 / (stage.piece * LANES * self.program.warp_count()) as f64;
        let accesses = pieces.ceil();
        let mut mix = Mix::of(Kind::Access, accesses) + Mix::of(Kind::Alu, accesses * instructions::BOX_PIECE as f64);
        mix.add(Kind::Shared, 1);
        mix.add(Kind::Barrier, 1);
        (mix, cells as f64 * stage.ty.bytes() as f64 / self.program.warp_count() as f64)
    }

    /// The barriers of a step.
    fn barriers(&self) -> usize {
        let phases = self.program.phases() - 1;
        phases + usize::from(self.program.has_barrier_after_step())
    }

    /// The clocks of the longest dependence chain of a step, after its loads. `wait` gives the latency of each kind.
    pub fn chain(&self, step: &Step, wait: &impl Fn(Kind) -> f64) -> f64 {
        let mut ends: SortedMap<ValueId, f64> = SortedMap::new();
        let mut longest: f64 = 0.0;
        for line in &step.lines {
            let begin =
                line.inst.operation.operands().iter().filter_map(|id| ends.get(id)).fold(0.0, |a: f64, b| a.max(*b));
            let mix = self.value(line.id, &line.inst);
            let end = begin + Kind::ALL.iter().map(|k| mix.get(*k) * wait(*k)).sum::<f64>();
            longest = longest.max(end);
            ends.insert(line.id, end);
        }
        longest
    }

    /// The type of an array's elements.
    pub fn element(&self, array: ArrayOf) -> Type {
        match array {
            ArrayOf::Parameter(k) => self.kernel.element(Array::Parameter(k)),
            ArrayOf::Output(k) => self.kernel.outputs[k].ty,
            ArrayOf::Face(k) => self.program.faces[k].ty,
        }
    }
}

impl<'p> Access<'p> {
    /// Adds an access as it is issued: on its own, as part of a wide access, or in a boundary block both, by different lanes,
    /// if the wide access has a fallback.
    fn issue(self, group: Option<&'p Wide>, n: usize, at_edge: bool, found: &mut Vec<Access<'p>>) {
        let Some(wide) = group else { return found.push(self) };
        let is_tested = wide.when != Condition::True;
        if wide.members[0] == n {
            // Words are loaded straight into their registers. Parts of words must be extracted within the branch, so it
            // waits.
            let is_waited_for = is_tested && !self.is_store && self.bytes < GPU.word_bytes;
            let bytes = self.bytes * wide.members.len();
            let when = if wide.guard == Condition::True { &wide.when } else { &wide.guard };
            found.push(Access { bytes, when, is_waited_for, ..self.clone() });
        }
        if at_edge && is_tested {
            found.push(Access { unless: Some(&wide.when), ..self });
        }
    }
}

/// The axes along which a line applies the border of its array. A wide access without fallback applies it once.
fn borders(step: &Step, n: usize, line: &Line) -> usize {
    match step.wide_load(n) {
        Some(wide) if wide.when == Condition::True => {
            if wide.members[0] == n {
                wide.back.len()
            } else {
                0
            }
        }
        _ => line.inst.inside.iter().filter(|c| **c != Condition::True).count(),
    }
}

/// The selects, one per word, that apply the border to neighbours beyond the ends of their row.
fn ends(step: &Step, wide: &Wide) -> usize {
    let words: usize = wide.members.iter().map(|n| step.lines[*n].inst.ty.words()).sum();
    words * (usize::from(wide.past.before) + usize::from(wide.past.after))
}

/// Whether an access is always part of a wide one: then one condition is evaluated for all its members.
fn is_never_alone(groups: &[Wide], n: usize) -> bool {
    groups.iter().any(|wide| wide.members.contains(&n) && wide.when == Condition::True)
}

/// Whether every index is a constant.
fn is_fixed(index: &[PlaceForm]) -> bool {
    index.iter().all(|f| f.number().is_some())
}

/// Whether an index differs between lanes.
fn differs(index: &[PlaceForm]) -> bool {
    index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Lane(_))))
}

/// A key for the row of memory in which an access lies: its index without sizes, and without the constant of the last axis.
/// Accesses with the same key share an address computation.
fn row(index: &[PlaceForm]) -> Vec<PlaceForm> {
    let Some((last, outer)) = index.split_last() else { return Vec::new() };
    let mut key = outer.to_vec();
    key.push(last.plus(-last.offset()));
    // Sizes are the same at all places.
    key.iter().map(|f| f.substitute(&|a| matches!(a, Atom::Size(_)).then(|| PlaceForm::constant(0)))).collect()
}

/// Adds the comparisons that are evaluated here, not before the loop.
fn evaluated(usage: &Use, found: &mut SortedSet<Condition>) {
    match usage {
        Use::Here(condition) => {
            found.insert(condition.clone());
        }
        Use::All(parts) | Use::Any(parts) => parts.iter().for_each(|p| evaluated(p, found)),
        Use::Not(inner) => evaluated(inner, found),
        Use::True | Use::False | Use::Named(_) => {}
    }
}
