//! The instructions of one step of a section: what its values, loads, stores and rotations become.
use super::mix::Mix;
use super::operations;
use crate::mapping::{Atom, Index};
use crate::model::{Array, Int, Kernel, Type};
use crate::program::{Condition, Inst, Operation, ValueId, is_load_from_memory};
use crate::schedule::{Line, Schedule, Section, Step, Use, Wide};
use crate::target::timing::Kind;
use crate::target::{GPU, instructions};
use std::collections::{BTreeMap, BTreeSet};

/// What counts the steps of a program.
pub struct Counter<'p> {
    pub kernel: &'p Kernel,
    pub program: &'p Schedule,
}

/// An access of a lane: elements side by side that are loaded or stored together.
#[derive(Clone, Debug)]
pub struct Access<'p> {
    pub array: ArrayOf,
    /// Of its first element.
    pub index: &'p [Index],
    pub bytes: usize,
    /// Where it is made, and where another one does it.
    pub when: &'p Condition,
    pub unless: Option<&'p Condition>,
    pub is_store: bool,
    /// A load that its warp waits for where it stands, however far ahead it is.
    pub is_waited_for: bool,
}

/// An input or an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrayOf {
    Parameter(usize),
    Output(usize),
}

impl<'p> Counter<'p> {
    pub fn new(kernel: &'p Kernel, program: &'p Schedule) -> Counter<'p> {
        Counter { kernel, program }
    }

    /// The instructions of one iteration, with its share of the loop's own.
    pub fn step(&self, section: &'p Section, at_edge: bool) -> Mix {
        let step = &section.step;
        let mut mix = Mix::default();
        for line in &step.lines {
            mix += self.value(&line.inst);
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

    /// What a block does before its loop: its place, bounds, and values that no step changes.
    pub fn before(&self) -> Mix {
        let innermost = self.program.frame.loops.len();
        let early = self.program.values.iter().filter(|m| m.level < innermost);
        let mut mix = early.map(|made| self.value(made)).fold(Mix::default(), |sum, more| sum + more);
        let frame = &self.program.frame;
        mix.add(Kind::Uniform, 4 * (frame.blocks.len() + self.program.parameters.len()));
        mix.add(Kind::Alu, 8 + 4 * frame.blocks.len() + 4 * frame.loops.len() + 2 * self.program.hoisted.named.len());
        mix
    }

    /// A value that a step makes, but for loads from memory, which are accesses.
    fn value(&self, made: &Inst) -> Mix {
        let words = operations::words(made.ty);
        let ty = |id: &ValueId| self.program.values[id.0].ty;
        match &made.operation {
            Operation::Unary(op, a) => operations::unary(*op, ty(a)),
            Operation::Binary(op, a, _) => operations::binary(*op, ty(a)),
            Operation::Fma(a, b, c) => operations::fma(made.ty, [a, b, c].iter().any(|id| self.is_shared(**id))),
            Operation::Compare(_, a, _) => operations::compare(ty(a)),
            Operation::Cast(a) => operations::cast(ty(a), made.ty),
            Operation::Select(..) | Operation::Choose(..) => Mix::of(Kind::Alu, words),
            Operation::Shuffle { .. } | Operation::Rotate { .. } => Mix::of(Kind::Shuffle, words),
            Operation::Ring { .. } | Operation::Row { .. } | Operation::Staged { .. } => {
                Mix::of(Kind::Shared, 1.0) + Mix::of(Kind::Alu, instructions::COMPARISON as f64)
            }
            Operation::Index(_) => Mix::of(Kind::Alu, 2.0),
            // A number that all lanes share, at an index that is none: fetched where it is used.
            Operation::Load { array, index } if !self.program.in_memory(*array) && !is_fixed(index) => {
                Mix::of(Kind::Uniform, 1.0) + Mix::of(Kind::Alu, 1.0)
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

    /// Comparisons that a step evaluates, each once.
    fn tests(&self, step: &'p Step, at_edge: bool) -> Mix {
        let mut found = BTreeSet::new();
        for (n, line) in step.lines.iter().enumerate() {
            let loads = matches!(&line.inst.operation, Operation::Load { index, .. } if !is_fixed(index));
            let needed = (loads && !is_never_alone(&step.wide_loads, n)).then_some(&line.inst.needed);
            line.inst.operation.condition().into_iter().chain(needed).for_each(|c| self.evaluated(c, &mut found));
        }
        let stores = step.stores.iter().enumerate().filter(|(n, _)| !is_never_alone(&step.wide_stores, *n));
        stores.for_each(|(_, s)| self.evaluated(&s.condition, &mut found));
        for wide in step.wide_loads.iter().chain(&step.wide_stores) {
            self.evaluated(&wide.wanted, &mut found);
            if at_edge {
                self.evaluated(&wide.when, &mut found);
            }
        }
        Mix::of(Kind::Alu, (instructions::COMPARISON * found.len()) as f64)
    }

    fn evaluated(&self, condition: &Condition, found: &mut BTreeSet<Condition>) {
        evaluated(&self.program.hoisted.usage(condition), found);
    }

    /// Loads and stores with their addresses.
    fn memory(&self, step: &'p Step, at_edge: bool) -> Mix {
        let mut mix = Mix::default();
        let mut rows = BTreeSet::new();
        for access in self.accesses(step, at_edge) {
            mix.add(Kind::Access, access.bytes.div_ceil(GPU.access_bytes));
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
        // What rings and rows are given.
        mix.add(Kind::Shared, step.rings.len() + step.rows.len());
        mix.add(Kind::Alu, instructions::COMPARISON * (step.rings.len() + step.rows.len()));
        mix
    }

    /// Moves of what an access loads or stores.
    fn moves(&self, access: &Access<'_>) -> usize {
        let (element, words) = (self.element(access.array).bytes(), access.bytes.div_ceil(GPU.word_bytes));
        // What is loaded under a condition begins as 0.
        let zeros = if *access.when != Condition::True && !access.is_store { words } else { 0 };
        let placed = if access.is_waited_for { words } else { 0 };
        let parts = if element < GPU.word_bytes && access.bytes > element {
            instructions::PART * (access.bytes / element)
        } else {
            0
        };
        zeros + placed + parts
    }

    /// Jumps of the tests in which neighbours are loaded or stored.
    pub fn jumps(&self, step: &Step) -> usize {
        let wide = step.wide_loads.iter().chain(&step.wide_stores);
        instructions::SIDES * wide.filter(|w| w.when != Condition::True).count()
    }

    /// The accesses of a step to memory. At an edge wide ones are made, and also one by one by lanes that cannot.
    pub fn accesses(&self, step: &'p Step, at_edge: bool) -> Vec<Access<'p>> {
        let mut found = Vec::new();
        for (n, line) in
            step.lines.iter().enumerate().filter(|(_, l)| is_load_from_memory(self.program, &l.inst.operation))
        {
            let Operation::Load { array: Array::Parameter(k), index } = &line.inst.operation else { continue };
            let array = ArrayOf::Parameter(*k);
            let bytes = line.inst.ty.bytes();
            let when = &line.inst.needed;
            let one = Access { array, index, bytes, when, unless: None, is_store: false, is_waited_for: false };
            let group = step.wide_loads.iter().find(|w| w.members.contains(&n));
            one.made(group, n, at_edge, &mut found);
        }
        for (n, store) in step.stores.iter().enumerate() {
            let array = ArrayOf::Output(store.output);
            let bytes = self.kernel.outputs[store.output].ty.bytes();
            let (index, when) = (&store.index[..], &store.condition);
            let one = Access { array, index, bytes, when, unless: None, is_store: true, is_waited_for: false };
            let group = step.wide_stores.iter().find(|w| w.members.contains(&n));
            one.made(group, n, at_edge, &mut found);
        }
        found
    }

    /// Moves from register to register: of what is carried further than the steps that are written, of what is carried on
    /// before the old value was read last, and of what was loaded ahead.
    fn rotations(&self, section: &Section) -> Mix {
        let written = section.prefetch.unroll as Int;
        let carried = self.program.registers.iter().map(|r| {
            let words = self.program.values[r.value.0].ty.words() as f64;
            words * (r.depth - written).max(0) as f64
        });
        let late = self.program.registers_held(|r| r.depth > 0) - self.program.carried_words();
        let loaded = self.fetched(&section.step).map(|l| l.inst.ty.words() as f64).sum::<f64>();
        let turns = section.prefetch.unroll > 1 && section.prefetch.distance.is_multiple_of(section.prefetch.unroll);
        let ahead = if section.prefetch.distance > 0 && !turns { loaded } else { 0.0 };
        let moves = carried.sum::<f64>() + if written == 1 { late as f64 } else { 0.0 } + ahead;
        Mix::of(Kind::Alu, moves / written as f64)
    }

    pub fn fetched(&self, step: &'p Step) -> impl Iterator<Item = &'p Line> + use<'p, '_> {
        step.lines.iter().filter(|l| is_load_from_memory(self.program, &l.inst.operation))
    }

    /// Fetches of numbers that all lanes share: two of 4 bytes at a time, those that uniform registers do not hold from step to
    /// step.
    fn uniforms(&self, step: &Step) -> Mix {
        let mut words: BTreeMap<(Array, Vec<Index>), usize> = BTreeMap::new();
        let mut note = |made: &Inst| {
            for operand in made.operation.operands() {
                let made = &self.program.values[operand.0];
                if let Operation::Load { array: array @ Array::Parameter(_), index } = &made.operation
                    && !self.program.in_memory(*array)
                    && is_fixed(index)
                {
                    words.insert((*array, index.clone()), made.ty.words());
                }
            }
        };
        step.lines.iter().for_each(|l| note(&l.inst));
        let words: usize = words.values().sum();
        let held = if self.program.frame.loops.is_empty() { 0 } else { instructions::UNIFORM_WORDS };
        Mix::of(Kind::Uniform, words.saturating_sub(held).div_ceil(2) as f64)
    }

    /// What a step picks from numbers that are passed by value, at an index that differs from lane to lane.
    pub fn picks(&self, step: &'p Step) -> impl Iterator<Item = (&'p [Index], &'p Condition)> + use<'p, '_> {
        step.lines.iter().filter_map(|line| match &line.inst.operation {
            Operation::Load { array, index } if !self.program.in_memory(*array) && differs(index) => {
                Some((&index[..], &line.inst.needed))
            }
            _ => None,
        })
    }

    fn barriers(&self) -> usize {
        let phases = self.program.phases() - 1;
        phases + usize::from(self.program.has_barrier_after_step())
    }

    /// Clocks of the longest chain of values in a step, each as long as `wait` says, from the loads on.
    pub fn chain(&self, step: &Step, wait: &impl Fn(Kind) -> f64) -> f64 {
        let mut ends: BTreeMap<ValueId, f64> = BTreeMap::new();
        let mut longest: f64 = 0.0;
        for line in &step.lines {
            let begin =
                line.inst.operation.operands().iter().filter_map(|id| ends.get(id)).fold(0.0, |a: f64, b| a.max(*b));
            let mix = self.value(&line.inst);
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
        }
    }
}

impl<'p> Access<'p> {
    /// As it is made: alone, by its group, or at an edge both, by different lanes, where the group stands in a test.
    fn made(self, group: Option<&'p Wide>, n: usize, at_edge: bool, found: &mut Vec<Access<'p>>) {
        let Some(wide) = group else { return found.push(self) };
        let is_tested = wide.when != Condition::True;
        if wide.members[0] == n {
            // Words go straight into their registers; parts of words are taken out of them, and that ends the test.
            let is_waited_for = is_tested && !self.is_store && self.bytes < GPU.word_bytes;
            let bytes = self.bytes * wide.members.len();
            let when = if wide.wanted == Condition::True { &wide.when } else { &wide.wanted };
            found.push(Access { bytes, when, is_waited_for, ..self.clone() });
        }
        if at_edge && is_tested {
            found.push(Access { unless: Some(&wide.when), ..self });
        }
    }
}

/// The axes along which a line asks its border. A group that is never loaded one by one asks once.
fn borders(step: &Step, n: usize, line: &Line) -> usize {
    match step.wide_loads.iter().find(|w| w.members.contains(&n)) {
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

/// Choices of what a border makes of neighbours beyond the ends of their row, a word each.
fn ends(step: &Step, wide: &Wide) -> usize {
    let words: usize = wide.members.iter().map(|n| step.lines[*n].inst.ty.words()).sum();
    words * (usize::from(wide.past.before) + usize::from(wide.past.behind))
}

/// Whether an access is always made with its neighbours: one condition is asked for all.
fn is_never_alone(groups: &[Wide], n: usize) -> bool {
    groups.iter().any(|wide| wide.members.contains(&n) && wide.when == Condition::True)
}

/// Whether every axis is a number.
fn is_fixed(index: &[Index]) -> bool {
    index.iter().all(|f| f.number().is_some())
}

/// Whether lanes have numbers of their own for it.
fn differs(index: &[Index]) -> bool {
    index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Lane(_))))
}

/// What two accesses of one row of memory have in common.
fn row(index: &[Index]) -> Vec<Index> {
    let Some((last, outer)) = index.split_last() else { return Vec::new() };
    let mut key = outer.to_vec();
    key.push(last.plus(-last.offset()));
    // Neither blocks nor lanes nor time change from row to row.
    key.iter().map(|f| f.substitute(&|a| matches!(a, Atom::Size(_)).then(|| Index::constant(0)))).collect()
}

fn evaluated(usage: &Use, found: &mut BTreeSet<Condition>) {
    match usage {
        Use::Here(condition) => {
            found.insert(condition.clone());
        }
        Use::All(parts) | Use::Any(parts) => parts.iter().for_each(|p| evaluated(p, found)),
        Use::Not(inner) => evaluated(inner, found),
        Use::True | Use::False | Use::Named(_) => {}
    }
}
