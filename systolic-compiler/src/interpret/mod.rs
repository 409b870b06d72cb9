//! Runs a schedule on the CPU, lane by lane, to test the compiler.
//!
//! It runs what the printers write: the prologue of a pipeline, prefetched loads in their slots, unrolled copies, the early
//! lines of a step, the iterations that are left. A block may run any version whose condition holds, also where the GPU would
//! choose an earlier one; and either the variant for indices of 32 bits or that for 64.
//!
//! A value that nothing has computed is poison: registers, shared memory and rows at the beginning, values from a lane that
//! does not exist, loads outside an array or where they are not needed. Poison spreads. To store it is a trap, and so are a
//! load or a store outside its array, a second store of an element, and a race. Blocks run in random order, and so do warps
//! between barriers.
mod block;
mod face;
mod memory;
mod order;
mod ready;
mod streams;

use crate::evaluate::{Arrays, EvaluateError, Inputs, Tensor, shape};
use crate::mapping::{Atom, Bound};
use crate::model::{Array, Int, Kernel, Value};
use crate::program::{Condition, Inst, Into, Loop, Operation, is_load_from_memory};
use crate::schedule::{Past, Schedule, Section, Version, Wide, verify};
use crate::target::{effort, gpu};
use block::Block;
use face::Face;
use ready::{Form, Slots, Test, small};
use std::cell::RefCell;
use std::fmt;

/// Why a run stops without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trap {
    /// A value that was never computed is stored.
    Poison { output: usize, index: Vec<i64> },
    /// A load outside its array.
    LoadedOutside { array: Array, index: Vec<Int> },
    /// A store outside its output.
    Outside { output: usize, index: Vec<i64> },
    /// An element is stored a second time.
    Twice { output: usize, index: Vec<i64> },
    /// No place stores this element.
    Never { output: usize, element: usize },
    /// Two accesses of a cell without a barrier in between.
    Race(Race),
    /// Too large to run.
    TooLarge,
    /// The program breaks this invariant.
    Malformed(&'static str),
    /// The inputs or sizes do not fit the kernel.
    Inputs(EvaluateError),
}

/// The kinds of races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Race {
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
}

/// Runs a program of `kernel` at these sizes and returns its outputs. The seed decides the order of blocks and warps, the
/// versions that blocks run and the width of indices. Fails at the first trap.
pub fn interpret(
    program: &Schedule,
    kernel: &Kernel,
    sizes: &[Int],
    inputs: &Inputs,
    seed: u64,
) -> Result<Vec<Tensor>, Trap> {
    let shapes = kernel.outputs.iter().map(|o| shape(&o.dims, sizes)).collect::<Result<Vec<_>, _>>()?;
    if sizes.len() != kernel.call_sizes() || sizes.iter().any(|s| *s < 1) {
        return Err(Trap::Inputs(EvaluateError::SizeCount { expected: kernel.call_sizes(), found: sizes.len() }));
    }
    let arrays = Arrays::new(kernel, sizes, inputs)?;
    let ready = Ready::new(program)?;
    let mut outputs: Vec<Output> = shapes.into_iter().map(Output::new).collect();
    let mut random = Random(seed);
    let faces = program.faces.iter().map(|face| Face::new(face, sizes)).collect::<Result<Vec<_>, _>>()?;
    let faces = RefCell::new(faces);
    let blocks = order::blocks(program, grid(program, sizes)?, &mut random)?;
    let has_64_bits = random.below(2) == 1;
    for at in &blocks {
        let sizes = &with_lengths(program, &arrays, sizes, at)?;
        let version = choose_version(&ready, sizes, at, &mut random)?;
        Block::new(&ready, &arrays, &faces, sizes, at)?.run(version, has_64_bits, &mut outputs, &mut random)?;
    }
    let rests = kernel.outputs.iter().map(|output| output.rest);
    outputs.into_iter().zip(rests).enumerate().map(|(output, (o, rest))| o.finish(output, rest)).collect()
}

/// About how many values a run computes, over all lanes; `None` if that does not fit 64 bits. Values computed before a loop
/// count as if they were inside.
pub fn work(program: &Schedule, sizes: &[Int]) -> Option<u64> {
    // The longest items stand for all.
    let longest = program.frame.lengths.iter().map(|length| bound(&Bound::Form(length.most.clone()), sizes, &[]).ok());
    let sizes: Vec<Int> = sizes.iter().copied().chain(longest.map(|most| most.map_or(1, Int::from))).collect();
    let sizes = sizes.as_slice();
    let length = |row: &Loop, block: &[i64]| {
        let (low, high) = (bound(&row.low, sizes, block).ok()?, bound(&row.high, sizes, block).ok()?);
        Some(high.checked_sub(low)?.checked_add(1)?.max(0) as u64)
    };
    let mut blocks = 1u64;
    for row in &program.frame.blocks {
        blocks = blocks.checked_mul(length(row, &[])?)?;
    }
    // The lengths of loops differ little between blocks: the first block stands for all.
    let first: Vec<i64> = program.frame.blocks.iter().map(|b| bound(&b.low, sizes, &[]).unwrap_or_default()).collect();
    let lanes = u64::try_from(program.warp_count()).ok()?.checked_mul(gpu::WARP as u64)?;
    let mut each = lanes.checked_mul(program.values.len() as u64 + 1)?;
    for row in &program.frame.loops {
        each = each.checked_mul(length(row, &first)?)?;
    }
    each.checked_mul(blocks)
}

/// The sizes of the call and the lengths of a block.
fn with_lengths(program: &Schedule, arrays: &Arrays, sizes: &[Int], block: &[i64]) -> Result<Vec<Int>, Trap> {
    let mut all = sizes.to_vec();
    for length in &program.frame.lengths {
        let index = length.index.iter().map(|f| Ok(bound(&Bound::Form(f.clone()), sizes, block)?.into()));
        let index = index.collect::<Result<Vec<Int>, Trap>>()?;
        if length.size != all.len() {
            return Err(Trap::Malformed("lengths do not follow the sizes"));
        }
        all.push(arrays.length_at(length.parameter, &index).unwrap_or(length.least));
    }
    Ok(all)
}

/// A program whose forms and conditions are prepared for evaluation.
struct Ready<'p> {
    program: &'p Schedule,
    slots: Slots,
    /// Per staged box, its first element.
    stages: Vec<Vec<Form>>,
    /// Values computed before the innermost loop.
    before: Vec<ReadyLine<'p>>,
    versions: Vec<ReadyVersion<'p>>,
    warps: usize,
    lanes: usize,
}

struct ReadyVersion<'p> {
    version: &'p Version,
    sections: Vec<ReadySection<'p>>,
}

struct ReadySection<'p> {
    section: &'p Section,
    /// The lines of each part of a step between barriers.
    phases: Vec<Vec<ReadyLine<'p>>>,
    stores: Vec<ReadyStore>,
    wide_loads: Vec<ReadyWide>,
    wide_stores: Vec<ReadyWide>,
}

impl ReadySection<'_> {
    /// The wide load of these lines.
    fn wide_load(&self, members: &[usize]) -> Option<&ReadyWide> {
        let k = self.section.step.wide_loads.iter().position(|wide| wide.members == members)?;
        self.wide_loads.get(k)
    }

    /// The wide store of these stores.
    fn wide_store(&self, members: &[usize]) -> Option<&ReadyWide> {
        let k = self.section.step.wide_stores.iter().position(|wide| wide.members == members)?;
        self.wide_stores.get(k)
    }
}

/// A wide access: its members are accessed together where `when` holds, if at least one of them is needed.
struct ReadyWide {
    when: Test,
    guard: Test,
    members: Vec<ReadyMember>,
    /// The axes along which the border must be applied.
    back: Vec<usize>,
    past: Past,
}

struct ReadyMember {
    guard: Test,
    index: Vec<Form>,
    /// Of a store: the length of its row; `None` for a load and for a scalar.
    end: Option<Form>,
    is_store: bool,
    /// Of a load: its array; `None` for a face.
    array: Option<Array>,
    face: Option<usize>,
}

struct ReadyLine<'p> {
    id: usize,
    inst: &'p Inst,
    ready: ReadyValue,
    /// Where it runs. Elsewhere its value is poison.
    guard: Test,
    /// Whether it loads from memory.
    is_load: bool,
    /// Whether it runs before the next loads are issued, where the section prefetches.
    is_early: bool,
}

/// The forms and the condition of an instruction.
#[derive(Default)]
struct ReadyValue {
    forms: Vec<Form>,
    test: Option<Test>,
}

struct ReadyStore {
    test: Test,
    whole: Vec<Form>,
    index: Vec<Form>,
}

impl<'p> Ready<'p> {
    fn new(program: &'p Schedule) -> Result<Ready<'p>, Trap> {
        verify(program).map_err(|_| Trap::Malformed("it does not verify"))?;
        let slots = Slots::of(program);
        let innermost = program.frame.loops.len();
        let outside = program.values.iter().enumerate().filter(|(_, m)| m.level < innermost);
        let before =
            outside.map(|(id, inst)| ReadyLine::new(id, inst, &Condition::True, &slots)).collect::<Result<_, _>>()?;
        let forms = |list: &[_]| list.iter().map(|f| Form::new(f, &slots)).collect::<Result<Vec<_>, _>>();
        let stages = program.stages.iter().map(|s| forms(&s.low)).collect::<Result<_, _>>()?;
        let section = |section: &'p Section| ReadySection::new(program, section, &slots);
        let versions = program.versions.iter().map(|version| {
            let sections = version.sections.iter().map(section).collect::<Result<_, _>>()?;
            Ok(ReadyVersion { version, sections })
        });
        let versions = versions.collect::<Result<_, Trap>>()?;
        let (warps, lanes) = (count(program.warp_count())?, count(program.lane_count())?);
        if lanes > gpu::WARP || warps > gpu::WARP || lanes == 0 || warps == 0 {
            return Err(Trap::Malformed("no lanes, no warps, or too many"));
        }
        Ok(Ready { program, stages, before, versions, warps, lanes, slots })
    }
}

impl<'p> ReadySection<'p> {
    fn new(program: &Schedule, section: &'p Section, slots: &Slots) -> Result<ReadySection<'p>, Trap> {
        let forms = |list: &[_]| list.iter().map(|f| Form::new(f, slots)).collect::<Result<Vec<_>, _>>();
        let mut phases: Vec<Vec<ReadyLine>> = Vec::new();
        phases.resize_with(program.phases(), Vec::new);
        for (n, line) in section.step.lines.iter().enumerate() {
            let is_load = is_load_from_memory(program, &line.inst.operation);
            let is_early = section.prefetch.early.contains(&n);
            let ready = ReadyLine::new(line.id.0, &line.inst, &line.guard, slots)?;
            phases[line.inst.phase].push(ReadyLine { is_load, is_early, ..ready });
        }
        let mut stores = Vec::new();
        for s in &section.step.stores {
            let test = Test::new(&s.condition, slots)?;
            stores.push(ReadyStore { test, whole: forms(&s.whole)?, index: forms(&s.index)? });
        }
        let (mut wide_loads, mut wide_stores) = (Vec::new(), Vec::new());
        for group in &section.step.wide_loads {
            let load = |n: &usize| match &section.step.lines[*n].inst {
                Inst { operation: Operation::Load { array, index }, needed, .. } => {
                    let (guard, index) = (Test::new(needed, slots)?, forms(index)?);
                    Ok(ReadyMember { guard, index, is_store: false, array: Some(*array), face: None, end: None })
                }
                Inst { operation: Operation::Face { face, index }, needed, .. } => {
                    let (guard, index) = (Test::new(needed, slots)?, forms(index)?);
                    Ok(ReadyMember { guard, index, is_store: false, array: None, face: Some(face.0), end: None })
                }
                _ => Err(Trap::Malformed("a wide load of what is none")),
            };
            let members = group.members.iter().map(load).collect::<Result<_, _>>()?;
            wide_loads.push(ReadyWide::new(group, members, slots)?);
        }
        for group in &section.step.wide_stores {
            let store = |n: &usize| {
                let store = &section.step.stores[*n];
                let (guard, index) = (Test::new(&store.condition, slots)?, forms(&store.index)?);
                let end = program.end(store.into).map(|end| Form::new(end, slots)).transpose()?;
                let face = match store.into {
                    Into::Output(_) => None,
                    Into::Face(face) => Some(face.0),
                };
                Ok(ReadyMember { guard, index, is_store: true, array: None, face, end })
            };
            let members = group.members.iter().map(store).collect::<Result<_, Trap>>()?;
            wide_stores.push(ReadyWide::new(group, members, slots)?);
        }
        Ok(ReadySection { section, phases, stores, wide_loads, wide_stores })
    }
}

impl ReadyWide {
    fn new(group: &Wide, members: Vec<ReadyMember>, slots: &Slots) -> Result<ReadyWide, Trap> {
        let (when, guard) = (Test::new(&group.when, slots)?, Test::new(&group.guard, slots)?);
        Ok(ReadyWide { when, guard, members, back: group.back.clone(), past: group.past })
    }
}

impl<'p> ReadyLine<'p> {
    fn new(id: usize, inst: &'p Inst, guard: &Condition, slots: &Slots) -> Result<ReadyLine<'p>, Trap> {
        let forms = |list: &[_]| list.iter().map(|f| Form::new(f, slots)).collect::<Result<Vec<_>, _>>();
        let ready = match &inst.operation {
            Operation::Index(form) => ReadyValue { forms: vec![Form::new(form, slots)?], test: None },
            Operation::Staged { cell, .. } => ReadyValue { forms: forms(cell)?, test: None },
            Operation::Load { index, .. } | Operation::Face { index, .. } => {
                ReadyValue { forms: forms(index)?, test: Some(Test::new(&inst.needed, slots)?) }
            }
            Operation::Holds(condition) | Operation::Select(condition, ..) => {
                ReadyValue { forms: Vec::new(), test: Some(Test::new(condition, slots)?) }
            }
            _ => ReadyValue::default(),
        };
        Ok(ReadyLine { id, inst, ready, guard: Test::new(guard, slots)?, is_load: false, is_early: false })
    }
}

/// Chooses the version that a block runs. Half of the blocks run the first one whose condition holds, as on a GPU; the others
/// run any one whose condition holds.
fn choose_version<'a, 'p>(
    ready: &'a Ready<'p>,
    sizes: &[Int],
    block: &[i64],
    random: &mut Random,
) -> Result<&'a ReadyVersion<'p>, Trap> {
    let mut fitting = Vec::new();
    for version in &ready.versions {
        if holds(&version.version.when, sizes, block)? {
            fitting.push(version);
        }
    }
    let chosen = if random.below(2) == 0 { 0 } else { random.below(fitting.len().max(1)) };
    fitting.get(chosen).copied().ok_or(Trap::Malformed("no version is for this block"))
}

/// The blocks of the grid.
fn grid(program: &Schedule, sizes: &[Int]) -> Result<Vec<Vec<i64>>, Trap> {
    let mut blocks: Vec<Vec<i64>> = vec![Vec::new()];
    for row in &program.frame.blocks {
        let (low, high) = (bound(&row.low, sizes, &[])?, bound(&row.high, sizes, &[])?);
        if high.saturating_sub(low) > effort::INTERPRETER_BLOCKS {
            return Err(Trap::TooLarge);
        }
        blocks = blocks.iter().flat_map(|b| (low..=high).map(|v| [b.as_slice(), &[v]].concat())).collect();
    }
    Ok(blocks)
}

/// A number of things.
fn count(n: Int) -> Result<usize, Trap> {
    usize::try_from(n).map_err(|_| Trap::TooLarge)
}

/// A bound in a block.
fn bound(bound: &Bound, sizes: &[Int], block: &[i64]) -> Result<i64, Trap> {
    bound_at(bound, sizes, block, &[])
}

/// A bound in a block, at times of the outer loops.
fn bound_at(bound: &Bound, sizes: &[Int], block: &[i64], times: &[i64]) -> Result<i64, Trap> {
    let value = bound.value(&at(sizes, block, times));
    small(value.ok_or(Trap::Malformed("a bound that is not whole"))?)
}

/// The values of the atoms that all lanes of a block share.
fn at(sizes: &[Int], block: &[i64], times: &[i64]) -> impl Fn(&Atom) -> Int {
    |atom: &Atom| match atom {
        Atom::Size(k) => sizes.get(*k).copied().unwrap_or_default(),
        Atom::Block(k) => block.get(*k).copied().unwrap_or_default().into(),
        Atom::Time(k) => times.get(*k).copied().unwrap_or_default().into(),
        _ => 0,
    }
}

/// Whether a condition holds in a block. Fails if its lanes could disagree.
fn holds(condition: &Condition, sizes: &[Int], block: &[i64]) -> Result<bool, Trap> {
    let mut of_block = true;
    condition.each_form(&mut |form| {
        of_block &= !form.mentions(&|a| !matches!(a, Atom::Size(_) | Atom::Block(_) | Atom::Remainder(..)));
    });
    if of_block {
        Ok(condition.holds(&at(sizes, block, &[])))
    } else {
        Err(Trap::Malformed("lanes of a block run different versions"))
    }
}

/// An output while it is being filled.
struct Output {
    shape: Vec<usize>,
    values: Vec<Option<Value>>,
}

impl Output {
    fn new(shape: Vec<usize>) -> Output {
        let count = shape.iter().product();
        Output { shape, values: vec![None; count] }
    }

    /// Stores an element. Fails if it lies outside, is stored already, or is poison.
    fn store(&mut self, output: usize, index: &[Int], value: Option<Value>) -> Result<(), Trap> {
        let here = || index.iter().map(|i| small(*i)).collect::<Result<Vec<i64>, Trap>>();
        let mut at = 0;
        for (i, n) in index.iter().zip(&self.shape) {
            match usize::try_from(*i) {
                Ok(i) if i < *n => at = at * n + i,
                _ => return Err(Trap::Outside { output, index: here()? }),
            }
        }
        let Some(value) = value else { return Err(Trap::Poison { output, index: here()? }) };
        match self.values.get_mut(at) {
            Some(cell @ None) => *cell = Some(value),
            _ => return Err(Trap::Twice { output, index: here()? }),
        }
        Ok(())
    }

    /// The complete output. Elements that were never stored hold the rest; without one, they are an error.
    fn finish(self, output: usize, rest: Option<Value>) -> Result<Tensor, Trap> {
        let values = self.values.into_iter().enumerate();
        let values = values.map(|(element, value)| value.or(rest).ok_or(Trap::Never { output, element }));
        Ok(Tensor { shape: self.shape, values: values.collect::<Result<_, _>>()? })
    }
}

/// The generator SplitMix64, by Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for k in (1..list.len()).rev() {
            list.swap(k, self.below(k + 1));
        }
    }
}

impl From<EvaluateError> for Trap {
    fn from(error: EvaluateError) -> Trap {
        Trap::Inputs(error)
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Poison { output, index } => write!(f, "poison is stored to element {index:?} of output {output}"),
            Trap::LoadedOutside { array, index } => write!(f, "a load of {index:?}, outside {array:?}"),
            Trap::Outside { output, index } => write!(f, "a store to {index:?}, outside output {output}"),
            Trap::Twice { output, index } => write!(f, "element {index:?} of output {output} is stored twice"),
            Trap::Never { output, element } => write!(f, "element number {element} of output {output} is never stored"),
            Trap::Race(Race::ReadAfterWrite) => f.write_str("a race: read after write without a barrier"),
            Trap::Race(Race::WriteAfterRead) => f.write_str("a race: write after read without a barrier"),
            Trap::Race(Race::WriteAfterWrite) => f.write_str("a race: write after write without a barrier"),
            Trap::TooLarge => f.write_str("too large to run"),
            Trap::Malformed(why) => write!(f, "no program: {why}"),
            Trap::Inputs(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Trap {}
