//! Neighbours in a row of scratch memory: cells that follow each other in time follow each other in memory, so that a lane and
//! the ones beside it, in this cell or the next, are one access.
//!
//! ```text
//! before                                          after
//!
//! a = row m0, lane - 1, tile t                    c = row m0, 1 element before tile t
//! b = row m0, lane + 31, tile t - 1
//! c = if lane - 1 >= 0 then a else b
//! ```
use super::CpuPlan;
use crate::model::Int;
use crate::program::{Operation, ValueId};
use crate::schedule::{Schedule, Step};
use crate::sorted::SortedMap;
use crate::target::gpu;

/// A select of two values of a row that lie at the same distance.
#[derive(Clone, Debug)]
pub struct Near {
    /// The row.
    pub row: usize,
    /// The delay in iterations of the row's loop.
    pub laps: Int,
    /// The number of loops inside that loop.
    pub loops: usize,
    /// How many elements it lies before the ones of this step.
    pub back: Int,
    /// The values that nothing else needs.
    pub spares: Vec<ValueId>,
}

/// The selects of a step that read a row at one distance. In the lanes in which one of the two values does not exist, the select
/// takes the other.
pub fn near_rows(program: &Schedule, plan: &CpuPlan, step: &Step) -> SortedMap<ValueId, Near> {
    let mut found = SortedMap::new();
    if program.lane_count() != gpu::LANES || program.warp_count() > 1 || program.frame.lanes.len() != 1 {
        return found;
    }
    let rows: SortedMap<ValueId, (usize, Int, usize, Int)> =
        step.lines.iter().filter_map(|line| Some((line.id, displaced(plan, &line.inst.operation)?))).collect();
    for line in &step.lines {
        let Operation::Select(_, a, b) = &line.inst.operation else { continue };
        let (Some(one), Some(other)) = (rows.get(a), rows.get(b)) else { continue };
        // A cell of bytes is shorter than its cache line, so that cells do not follow each other.
        if one == other && one.3.abs() <= gpu::LANES && line.inst.ty.bytes() > 1 {
            let (row, laps, loops, back) = *one;
            let spares = [*a, *b].into_iter().filter(|id| is_used_once(step, *id)).collect();
            found.insert(line.id, Near { row, laps, loops, back, spares });
        }
    }
    found
}

/// The row, the delay, the number of inner loops and the distance in elements of a read that stays in its iteration of all inner
/// loops but the innermost.
fn displaced(plan: &CpuPlan, operation: &Operation) -> Option<(usize, Int, usize, Int)> {
    let Operation::Row { row, lanes, warps: 0, laps, inner } = operation else { return None };
    let (tiles, others) = inner.split_last()?;
    let stays = others.iter().all(|back| *back == 0);
    stays.then(|| (plan.rows[row.0], *laps, inner.len(), gpu::LANES * tiles + lanes))
}

fn is_used_once(step: &Step, id: ValueId) -> bool {
    let uses =
        step.lines.iter().flat_map(|line| line.inst.operation.operands()).filter(|operand| *operand == id).count();
    uses == 1 && step.uses().all(|used| used != id)
}
