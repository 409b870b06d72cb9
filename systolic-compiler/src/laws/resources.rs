//! Σ bytes of parameters ≤ 4 KiB; Σ bytes of rings and staged arrays ≤ 227 KiB a block; on a GPU, Σ registers of
//! rotations ≤ 255 of 4 bytes a lane
use super::footprint;
use super::lanes::{LANES, Ranges};
use super::waiting::{Count, waiting};
use crate::fault::{Fault, Faults, ResourcesFact};
use crate::model::{Device, Int, Kernel, Mapping, ParameterKind, Places, RowKind, Stage, StageMedium};
use crate::region::Region;

pub const PARAMETER_BYTES: Int = 4096;
pub const REGISTERS: Int = 255;
pub const SHARED_BYTES: Int = 232_448;
/// The most copies of the body that a step may have.
pub const INSTANCES: Int = 4096;

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

/// The registers in which values wait.
pub fn registers(kernel: &Kernel, mapping: &Mapping, places: &Places, ranges: &Ranges, faults: &mut Faults) {
    if mapping.on == Some(Device::Cpu) {
        return;
    }
    let count = |count| waiting(kernel, mapping, places, ranges, count).registers(kernel);
    // Most maps hold so little that nothing need be asked of the points.
    if count(Count::AtMost).iter().sum::<Int>() <= REGISTERS {
        return;
    }
    let held = count(Count::Exact);
    let total: Int = held.iter().sum();
    if total > REGISTERS {
        let (variables, at) = (largest(kernel, &held), at_read(kernel, mapping, &held));
        let fact = ResourcesFact::Registers { registers: total, limit: REGISTERS, variables };
        faults.push(Fault::new(at, fact).with_advice("make the fold, the tile or the unrolled loops smaller"));
    }
}

/// The shared memory of a block: rings between its warps, and what is staged.
pub fn shared(kernel: &Kernel, mapping: &Mapping, places: &Places, ranges: &Ranges, faults: &mut Faults) {
    let warps = places.rows.iter().zip(ranges).filter(|(r, _)| r.kind == RowKind::Warp);
    let warps: Int = warps.map(|(_, range)| range.map_or(1, |(low, high)| high - low + 1)).product();
    let rings = |count| -> Vec<Int> {
        let each = waiting(kernel, mapping, places, ranges, count).ring_bytes(kernel);
        each.into_iter().map(|bytes| bytes * warps * LANES).collect()
    };
    let is_shared = |s: &&Stage| s.medium == StageMedium::Shared;
    let staged: Vec<(&Stage, Int)> = (mapping.stages.iter().filter(is_shared))
        .filter_map(|s| Some((s, footprint::bytes(kernel, mapping, places, s)?)))
        .collect();
    let staged_bytes: Int = staged.iter().map(|(_, bytes)| bytes).sum();
    let fits = |rings: &[Int]| rings.iter().sum::<Int>() + staged_bytes <= SHARED_BYTES;
    if warps == 1 && staged_bytes <= SHARED_BYTES || fits(&rings(Count::AtMost)) {
        return;
    }
    let held = rings(Count::Exact);
    if fits(&held) {
        return;
    }
    let mut parts = largest(kernel, &held);
    parts.extend(staged.iter().map(|(s, bytes)| (kernel.parameters[s.parameter].name.text.clone(), *bytes)));
    parts.sort_by_key(|(_, bytes)| -bytes);
    let at = match staged.iter().max_by_key(|(_, bytes)| *bytes) {
        Some((stage, bytes)) if *bytes >= held.iter().copied().max().unwrap_or(0) => stage.at,
        _ => at_read(kernel, mapping, &held),
    };
    let fact = ResourcesFact::Shared { bytes: held.iter().sum::<Int>() + staged_bytes, limit: SHARED_BYTES, parts };
    faults.push(Fault::new(at, fact).with_advice("make the tile, the warps, the fold or the unrolled loops smaller"));
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
