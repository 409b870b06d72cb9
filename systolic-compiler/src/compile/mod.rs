//! One map to the schedule that a target runs: lay out, lower, optimise, schedule. On a CPU unrolled rows may also become loops,
//! where unrolling them only makes the code longer.
mod broken;
mod passes;
mod programs;

pub use broken::{Broken, NoProgram};
pub use passes::{Passes, passes};
pub use programs::{Compiled, Finder, Programs, Which, by_rules, default_by_rules, described, which};

use crate::laws::LawfulMap;
use crate::lower::{lower, too_long};
use crate::mapping::{Atom, Layout, Obstacle, Retimed, Target, retimed};
use crate::model::{Int, Kernel};
use crate::optimise::optimise;
use crate::program::{Inst, Operation, Program};
#[cfg(feature = "cuda")]
use crate::schedule::draft;
use crate::schedule::{Schedule, Step, schedule, verify, weight};
use crate::target::cpu;

/// The schedule that a target runs for a map, or why it has none. Then the equations run point by point.
pub fn compile(kernel: &Kernel, map: &LawfulMap, target: Target) -> Result<Schedule, NoProgram> {
    let layout = Layout::of(kernel, map, target)?;
    let schedule = match target {
        Target::Gpu => compile_layout(&layout)?,
        // The layout has the kernel under the map's shifts.
        Target::Cpu => rolled(layout.kernel, &layout)?,
    };
    verify(&schedule).map_err(|found| Broken { stage: "schedule", found })?;
    Ok(schedule)
}

/// A schedule for a GPU that is enough to predict its time at large sizes, in about half the time; or why there is none.
#[cfg(feature = "cuda")]
pub fn compile_draft(kernel: &Kernel, map: &LawfulMap) -> Result<Schedule, NoProgram> {
    if_short(&Layout::of(kernel, map, Target::Gpu)?, draft)
}

/// The schedule of a layout on a CPU, with unrolled rows as loops where that pays.
fn rolled(kernel: &Kernel, layout: &Layout) -> Result<Schedule, NoProgram> {
    let mut best = compile_layout(layout);
    let mut ways: Vec<Retimed> = retimed(layout);
    let asks_for_more = |best: &Result<Schedule, NoProgram>| match best {
        Ok(schedule) => is_bloated(schedule),
        Err(NoProgram::Obstacle(_)) => true,
        // Reported, and not avoided by another way.
        Err(NoProgram::Broken(_)) => false,
    };
    while asks_for_more(&best) {
        let Some((program, way)) = cheapest(kernel, ways) else { break };
        let dear = |b: &Schedule| {
            weight(b) <= cpu::MOST_WEIGHT && cost(&program) * way.extent * 100 > cost(b) * cpu::ROLLED_COST
        };
        let worth = !best.as_ref().is_ok_and(dear);
        if !worth {
            break;
        }
        ways = way.layout(kernel, Target::Cpu).map(|l| retimed(&l)).unwrap_or_default();
        best = Ok(program);
    }
    let program = best?;
    match weight(&program) {
        operations if operations > cpu::MOST_WEIGHT => {
            Err(Obstacle::Long { operations, most: cpu::MOST_WEIGHT }.into())
        }
        _ => Ok(program),
    }
}

/// The schedule of a layout, or why it has none.
pub fn compile_layout(layout: &Layout) -> Result<Schedule, NoProgram> {
    if_short(layout, schedule)
}

fn if_short(layout: &Layout, schedule: fn(Program) -> Schedule) -> Result<Schedule, NoProgram> {
    match too_long(layout) {
        Some(obstacle) => Err(obstacle.into()),
        None => Ok(schedule(optimised(layout)?)),
    }
}

/// The schedule of a layout, however long it is. Fails if it cannot be lowered; [`compile`] verifies it.
pub fn schedule_layout(layout: &Layout) -> Result<Schedule, Broken> {
    Ok(schedule(optimised(layout)?))
}

fn optimised(layout: &Layout) -> Result<Program, Broken> {
    let mut program = lower(layout).map_err(|found| Broken { stage: "lower", found })?;
    optimise(&mut program);
    Ok(program)
}

/// The way whose loop costs least.
fn cheapest(kernel: &Kernel, ways: Vec<Retimed>) -> Option<(Schedule, Retimed)> {
    let built = ways.into_iter().filter(|way| way.extent > 1).filter_map(|way| {
        let layout = way.layout(kernel, Target::Cpu)?;
        let program = compile_layout(&layout).ok()?;
        Some((program, way))
    });
    built.min_by_key(|(program, way)| cost(program) * way.extent)
}

/// Too long to be written out, or too much of it waits before the loop for registers to hold it.
fn is_bloated(program: &Schedule) -> bool {
    let innermost = program.frame.loops.len();
    let waits = |m: &&Inst| m.level < innermost && !matches!(m.operation, Operation::Literal(_));
    // An element that all lanes share is an operand in memory as well as in a register.
    let (shared, others): (Vec<&Inst>, Vec<&Inst>) = program.values.iter().filter(waits).partition(|m| is_shared(m));
    steady(program).is_some_and(|s| s.operations() > cpu::SHORT_STEP)
        || others.len() > cpu::HELD_VALUES
        || shared.len() > cpu::SHARED_VALUES
        || weight(program) > cpu::MOST_WEIGHT
}

/// Whether it is an element that all lanes share.
fn is_shared(inst: &Inst) -> bool {
    match &inst.operation {
        Operation::Load { index, .. } => !index.iter().any(|f| f.mentions(&|a| matches!(a, Atom::Lane(_)))),
        _ => false,
    }
}

/// The piece that runs most.
fn steady(program: &Schedule) -> Option<&Step> {
    program.steps().min_by_key(|s| (s.stores.is_empty(), s.lines.len()))
}

/// What a step costs: its operations, and the moves of registers that are carried further than a step.
fn cost(program: &Schedule) -> Int {
    let step = program.steps().map(Step::operations).min().unwrap_or(0);
    let moves: Int = program.registers.iter().map(|r| 2 * (r.delay - 1)).sum();
    step as Int + 8 * (program.rows.len() + program.rings.len()) as Int + moves
}
