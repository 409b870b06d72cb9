//! The program that a target runs: the map as it is; on a CPU also with written rows as loops, where writing them out
//! only bloats.
use super::{Operation, Program, Step, lower, too_long, weight};
use crate::laws::LawfulMap;
use crate::mapping::{Layout, Obstacle, Retimed, Target, retimed};
use crate::model::{Int, Kernel};
use crate::target::cpu;

/// As [`chosen`], without the reason where there is none.
pub fn choose(kernel: &Kernel, map: &LawfulMap, target: Target) -> Option<Program> {
    chosen(kernel, map, target).ok()
}

/// The program of a map, or why it has none.
pub fn chosen(kernel: &Kernel, map: &LawfulMap, target: Target) -> Result<Program, Obstacle> {
    let layout = Layout::of(kernel, map, target)?;
    let mut best = written(&layout);
    if target == Target::Gpu {
        return best;
    }
    let mut ways: Vec<Retimed> = retimed(&layout);
    while best.as_ref().ok().is_none_or(is_bloated) {
        let Some((program, way)) = cheapest(kernel, ways) else { break };
        let dear = |b: &Program| {
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
        operations if operations > cpu::MOST_WEIGHT => Err(Obstacle::Long { operations, most: cpu::MOST_WEIGHT }),
        _ => Ok(program),
    }
}

/// The program of a layout; `None`: it is too long to be written out.
pub fn as_it_is(layout: &Layout) -> Option<Program> {
    written(layout).ok()
}

/// The program of a layout, or why it has none.
pub fn written(layout: &Layout) -> Result<Program, Obstacle> {
    match too_long(layout) {
        Some(obstacle) => Err(obstacle),
        None => lower(layout).map_err(|_| Obstacle::Order),
    }
}

/// The way whose loop costs least.
fn cheapest(kernel: &Kernel, ways: Vec<Retimed>) -> Option<(Program, Retimed)> {
    let built = ways.into_iter().filter(|way| way.extent > 1).filter_map(|way| {
        let layout = way.layout(kernel, Target::Cpu)?;
        let program = as_it_is(&layout)?;
        Some((program, way))
    });
    built.min_by_key(|(program, way)| cost(program) * way.extent)
}

/// Too long to be written out, or too much of it waits before the loop for registers to hold it.
fn is_bloated(program: &Program) -> bool {
    let innermost = program.frame.loops.len();
    let waiting =
        program.values.iter().filter(|m| m.level < innermost && !matches!(m.operation, Operation::Literal(_)));
    steady(program).is_some_and(|s| s.operations() > cpu::SHORT_STEP)
        || waiting.count() > cpu::HELD_VALUES
        || weight(program) > cpu::MOST_WEIGHT
}

/// The piece that runs most.
fn steady(program: &Program) -> Option<&Step> {
    program.pieces.iter().map(|p| &p.step).min_by_key(|s| (s.stores.is_empty(), s.lines.len()))
}

/// What a step costs: its operations, and the moves of registers that are carried further than a step.
fn cost(program: &Program) -> Int {
    let step = program.pieces.iter().map(|p| p.step.operations()).min().unwrap_or(0);
    let moves: Int = program.registers.iter().map(|r| 2 * (r.depth - 1)).sum();
    step as Int + 8 * (program.rows.len() + program.rings.len()) as Int + moves
}
