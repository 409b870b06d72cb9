//! Σ bytes of parameters ≤ 4 KiB; Σ bytes of rings and staged arrays ≤ 227 KiB a block; on a GPU, Σ registers of
//! rotations ≤ 255 of 4 bytes a lane, or what `resident` leaves of them
use super::footprint;
use super::lanes::{LANES, Ranges};
use super::waiting::{Count, Edge, Waiting, waiting};
use crate::fault::{Fault, Faults, ResourcesFact};
use crate::model::{Device, Int, Kernel, Mapping, ParameterKind, Places, RowKind, Stage, StageMedium};
use crate::region::Region;
use std::collections::BTreeSet;

pub const PARAMETER_BYTES: Int = 4096;
pub const REGISTERS: Int = 255;
/// The registers of a multiprocessor, and how many at a time a lane is given.
const ALL_REGISTERS: Int = 65_536;
const GIVEN: Int = 8;
pub const SHARED_BYTES: Int = 232_448;
/// The most copies of the body that a step may have.
pub const INSTANCES: Int = 4096;

/// The registers of a lane where a multiprocessor holds so many warps.
pub fn registers_of(warps: Int) -> Int {
    (ALL_REGISTERS / (LANES * warps.max(1)) / GIVEN * GIVEN).min(REGISTERS)
}

/// What a launch passes by value.
pub fn parameters(kernel: &Kernel, faults: &mut Faults) {
    let bytes = |kind: &ParameterKind| match kind {
        ParameterKind::Array { .. } | ParameterKind::Size => 8,
        ParameterKind::Const { ty, dims } => dims.iter().product::<Int>().saturating_mul(ty.bytes() as Int),
        ParameterKind::Scalar { ty } => ty.bytes() as Int,
    };
    let all: Int = kernel.parameters.iter().map(|p| bytes(&p.kind)).sum();
    let total = all + 8 * (kernel.outputs.len() + kernel.sizes.len()) as Int;
    if total > PARAMETER_BYTES
        && let Some(largest) = kernel.parameters.iter().max_by_key(|p| bytes(&p.kind))
    {
        let fact = ResourcesFact::Parameters { bytes: total, limit: PARAMETER_BYTES };
        let fault = Fault::new(largest.name.at, fact);
        faults.push(if matches!(largest.kind, ParameterKind::Const { .. }) {
            fault.with_advice(format!("pass `{}` as an array in memory: leave out `const`", largest.name.text))
        } else {
            fault
        });
    }
}

/// How often the body of a step is written out: fold times unrolled rows.
pub fn instances_written(mapping: &Mapping, places: &Places, ranges: &Ranges, faults: &mut Faults) {
    let extents = places.rows.iter().zip(ranges).filter(|(r, _)| r.unrolled).filter_map(|(_, range)| *range);
    let count = extents.fold(mapping.fold, |count, (low, high)| count.saturating_mul(high - low + 1));
    if count > INSTANCES {
        let at = mapping.unroll.first().map(|(_, n)| n.at).or(mapping.fold_at).unwrap_or(mapping.at);
        let fact = ResourcesFact::Instances { count, limit: INSTANCES };
        faults.push(Fault::new(at, fact).with_advice("unroll fewer or shorter loops, or fold less"));
    }
}

/// What waits in registers and in shared memory. Given back are reads that no point makes, where there is room only
/// without them: no program has them then.
pub fn held(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    ranges: &Ranges,
    faults: &mut Faults,
) -> BTreeSet<Edge> {
    let block =
        Block { kernel, mapping, lanes: LANES * warps(places, ranges), staged: staged(kernel, mapping, places) };
    // Most maps hold so little that nothing need be asked of the points.
    let most = waiting(kernel, mapping, places, ranges, Count::AtMost);
    if block.fits_registers(&most) && block.fits_shared(&most) {
        return BTreeSet::new();
    }
    let exact = waiting(kernel, mapping, places, ranges, Count::Exact);
    block.registers(&exact, faults);
    block.shared(&exact, faults);
    exact.unused()
}

fn warps(places: &Places, ranges: &Ranges) -> Int {
    let warps = places.rows.iter().zip(ranges).filter(|(r, _)| r.kind == RowKind::Warp);
    warps.map(|(_, range)| range.map_or(1, |(low, high)| high - low + 1)).product()
}

/// What is staged in shared memory, with its bytes; without what depends on sizes.
fn staged<'k>(kernel: &Kernel, mapping: &'k Mapping, places: &Places) -> Vec<(&'k Stage, Int)> {
    let is_shared = |s: &&Stage| s.medium == StageMedium::Shared;
    let stages = mapping.stages.iter().filter(is_shared);
    stages.filter_map(|s| Some((s, footprint::bytes(kernel, mapping, places, s)?))).collect()
}

/// A block of a GPU under a map.
struct Block<'k> {
    kernel: &'k Kernel,
    mapping: &'k Mapping,
    /// Of all its warps.
    lanes: Int,
    staged: Vec<(&'k Stage, Int)>,
}

impl Block<'_> {
    fn fits_registers(&self, waiting: &Waiting) -> bool {
        let has_limit = self.mapping.on != Some(Device::Cpu);
        !has_limit || waiting.registers(self.kernel).iter().sum::<Int>() <= self.limit()
    }

    /// Registers that a lane may have.
    fn limit(&self) -> Int {
        registers_of(self.mapping.wishes.resident.unwrap_or(1))
    }

    /// The registers in which values wait.
    fn registers(&self, waiting: &Waiting, faults: &mut Faults) {
        if self.fits_registers(waiting) {
            return;
        }
        let held = waiting.registers(self.kernel);
        let (variables, at) = (largest(self.kernel, &held), at_read(self.kernel, self.mapping, &held));
        let fact = ResourcesFact::Registers { registers: held.iter().sum(), limit: self.limit(), variables };
        let advice = match self.mapping.wishes.resident {
            None => "make the fold, the tile or the unrolled loops smaller",
            Some(_) => "ask for fewer warps in `resident`, or make the fold, the tile or the unrolled loops smaller",
        };
        faults.push(Fault::new(at, fact).with_advice(advice));
    }

    /// The bytes of the rings of each variable.
    fn rings(&self, waiting: &Waiting) -> Vec<Int> {
        waiting.ring_bytes(self.kernel).into_iter().map(|bytes| bytes * self.lanes).collect()
    }

    fn shared_bytes(&self, waiting: &Waiting) -> Int {
        self.rings(waiting).into_iter().chain(self.staged.iter().map(|(_, bytes)| *bytes)).sum()
    }

    fn fits_shared(&self, waiting: &Waiting) -> bool {
        self.shared_bytes(waiting) <= SHARED_BYTES
    }

    /// The shared memory: rings between warps, and what is staged.
    fn shared(&self, waiting: &Waiting, faults: &mut Faults) {
        if self.fits_shared(waiting) {
            return;
        }
        let held = self.rings(waiting);
        let mut parts = largest(self.kernel, &held);
        let name = |s: &Stage| self.kernel.parameters[s.parameter].name.text.clone();
        parts.extend(self.staged.iter().map(|(s, bytes)| (name(s), *bytes)));
        parts.sort_by_key(|(_, bytes)| -bytes);
        let at = match self.staged.iter().max_by_key(|(_, bytes)| *bytes) {
            Some((stage, bytes)) if *bytes >= held.iter().copied().max().unwrap_or(0) => stage.at,
            _ => at_read(self.kernel, self.mapping, &held),
        };
        let fact = ResourcesFact::Shared { bytes: self.shared_bytes(waiting), limit: SHARED_BYTES, parts };
        let advice = "make the tile, the warps, the fold or the unrolled loops smaller";
        faults.push(Fault::new(at, fact).with_advice(advice));
    }
}

/// The variables that hold something, the largest first.
fn largest(kernel: &Kernel, held: &[Int]) -> Vec<(String, Int)> {
    let mut variables: Vec<(usize, Int)> = held.iter().copied().enumerate().filter(|(_, r)| *r > 0).collect();
    variables.sort_by_key(|(_, r)| -r);
    variables.into_iter().map(|(v, r)| (kernel.equations[v].variable.text.clone(), r)).collect()
}

/// The first read of the variable that holds most.
fn at_read(kernel: &Kernel, mapping: &Mapping, held: &[Int]) -> Region {
    let most = (0..held.len()).rev().max_by_key(|v| held[*v]);
    kernel.reads().iter().find(|r| Some(r.variable) == most).map_or(mapping.at, |r| r.at)
}
