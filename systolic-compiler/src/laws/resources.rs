//! Σ bytes of parameters ≤ 4 KiB; on a GPU, Σ registers of rotations ≤ 255 of 4 bytes a lane
//! A rotation of depth d holds at least d values in every register of the fold and every instance written out.
use super::set::{Asked, ask};
use super::wires::{classes, displacement, readers};
use crate::fault::{Fault, Faults, ResourcesFact};
use crate::model::{Device, Form, Formula, Int, Kernel, Mapping, ParameterKind, Places, Read, Row, RowKind};
use std::collections::BTreeMap;

pub const PARAMETER_BYTES: Int = 4096;
pub const REGISTERS: Int = 255;
/// The most copies of the body that a step may have.
pub const INSTANCES: Int = 4096;
/// Beyond this many steps a value waits in memory, not in registers.
pub const DEEPEST_ROTATION: Int = 12;

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
pub fn instances_written(mapping: &Mapping, places: &Places, faults: &mut Faults) {
    let extents = places.rows.iter().filter(|r| r.unrolled).filter_map(|r| r.range);
    let count = extents.fold(mapping.fold, |count, (low, high)| count.saturating_mul(high - low + 1));
    if count > INSTANCES {
        let at = mapping.unroll.first().map(|(_, n)| n.at).or(mapping.fold_at).unwrap_or(mapping.at);
        let fact = ResourcesFact::Instances { count, limit: INSTANCES };
        faults.push(Fault::new(at, fact).with_advice("unroll fewer or shorter loops, or fold less"));
    }
}

/// The registers that rotations hold.
pub fn rotations(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) {
    if mapping.on == Some(Device::Cpu) {
        return;
    }
    let reads = kernel.reads();
    let most: Int = per_variable(kernel, mapping, places, &reads, false).iter().map(|(_, r)| r).sum();
    // The quick count takes every written instance; only where that is too much are the live ones counted.
    if most <= REGISTERS {
        return;
    }
    let mut variables = per_variable(kernel, mapping, places, &reads, true);
    let registers: Int = variables.iter().map(|(_, r)| r).sum();
    if registers > REGISTERS {
        variables.retain(|(_, r)| *r > 0);
        variables.sort_by_key(|(_, r)| -r);
        let first = variables.first().map(|(v, _)| v.clone()).unwrap_or_default();
        let at =
            reads.iter().find(|r| kernel.equations[r.variable].variable.text == first).map_or(mapping.at, |r| r.at);
        let fact = ResourcesFact::Registers { registers, limit: REGISTERS, variables };
        faults.push(Fault::new(at, fact).with_advice("make the fold, the tile or the unrolled loops smaller"));
    }
}

/// Variables with the registers of their rotations.
fn per_variable(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    reads: &[Read],
    exact: bool,
) -> Vec<(String, Int)> {
    let time: Vec<usize> = (0..places.rows.len()).filter(|k| places.rows[*k].kind == RowKind::Time).collect();
    let is_written = |k: &&usize| places.rows[**k].unrolled && places.rows[**k].range.is_some();
    let written_count = time.iter().rev().take_while(is_written).count();
    let (rolled, written) = time.split_at(time.len() - written_count);
    let mut held: Vec<BTreeMap<Vec<Int>, Int>> = vec![BTreeMap::new(); kernel.equations.len()];
    for read in reads {
        let copy = kernel.equations[read.variable].copy.is_some();
        for class in classes(mapping, places, read.distance) {
            let delta = displacement(places, &class);
            let other = |kind| (0..delta.len()).any(|k| places.rows[k].kind == kind && delta[k] != 0);
            if other(RowKind::Block) || other(RowKind::Warp) || (copy && class.crosses) {
                continue;
            }
            let Some(depth) = depth(&places.rows, rolled, &delta) else { continue };
            for instance in instances(&places.rows, written) {
                let source: Vec<Int> = written.iter().zip(&instance).map(|(k, u)| u - delta[*k]).collect();
                let within = written
                    .iter()
                    .zip(&source)
                    .all(|(k, u)| places.rows[*k].range.is_some_and(|(low, high)| (low..=high).contains(u)));
                if !within || (exact && !live(kernel, mapping, places, read, &class, written, &instance)) {
                    continue;
                }
                let deepest = held[read.variable].entry(source).or_insert(depth);
                *deepest = (*deepest).max(depth);
            }
        }
    }
    let words = |v: usize| (kernel.equations[v].ty.bytes() as Int + 3) / 4;
    let total = |v: usize| held[v].values().sum::<Int>() * words(v) * mapping.fold;
    (0..held.len()).map(|v| (kernel.equations[v].variable.text.clone(), total(v))).collect()
}

/// The steps between making and reading, where the loops inside have constant extents; `None` for no rotation.
pub fn depth(rows: &[Row], rolled: &[usize], delta: &[Int]) -> Option<Int> {
    let first = rolled.iter().position(|k| delta[*k] != 0)?;
    let mut depth = delta[rolled[first]];
    if depth < 0 {
        return None;
    }
    for k in &rolled[first + 1..] {
        let (low, high) = rows[*k].range?;
        if delta[*k].abs() > high - low {
            return None;
        }
        depth = depth.checked_mul(high - low + 1)?.checked_add(delta[*k])?;
    }
    (1..=DEEPEST_ROTATION).contains(&depth).then_some(depth)
}

/// Every combination of the written rows: at most `INSTANCES`.
fn instances(rows: &[Row], written: &[usize]) -> Vec<Vec<Int>> {
    let mut all = vec![Vec::new()];
    for k in written {
        let (low, high) = rows[*k].range.unwrap_or((0, 0));
        let longer = |u: Vec<Int>| (low..=high).map(move |v| u.iter().copied().chain([v]).collect::<Vec<Int>>());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Whether a reader of this class exists in this written instance.
fn live(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    read: &Read,
    class: &super::wires::Class,
    written: &[usize],
    instance: &[Int],
) -> bool {
    let mut set = readers(kernel, mapping, places, read, class);
    for (k, u) in written.iter().zip(instance) {
        let here: Form = places.form(&places.rows[*k]).plus(-u);
        set = set.and(Formula::Zero(here));
    }
    !matches!(ask(places.dims(), &set), Asked::Empty)
}
