//! - Σ bytes of parameters ≤ 4 KiB
//! - Σ bytes of rings and staged arrays ≤ 227 KiB per block
//! - unless the map is for a CPU: Σ registers of rotations ≤ 255 per lane, of 4 bytes each, or fewer if the map says `resident`
//! - copies of the body in a step ≤ 4096
//! - evaluations and scratch memory of a block in proportion to its points, where both are constants
use super::footprint;
use super::waiting::{Count, Edge, Waiting, waiting};
use crate::dependence::{Dependences, Ranges, time_rows, unrolled_rows};
use crate::fault::{Fault, Faults, ResourcesFact};
use crate::model::{Device, Int, Kernel, Mapping, ParameterKind, Places, RowKind, Stage, StageMedium};
use crate::region::Region;
use crate::sorted;
use crate::sorted::SortedSet;
use crate::target::{GPU, cpu, gpu, limits};

/// The registers per lane if a multiprocessor holds this many warps.
pub fn registers_of(warps: Int) -> Int {
    let (all, unit) = (GPU.registers as Int, GPU.register_unit as Int);
    (all / (gpu::LANES * warps.max(1)) / unit * unit).min(GPU.lane_registers)
}

/// Checks the bytes that a launch passes by value.
pub fn parameters(kernel: &Kernel, faults: &mut Faults) {
    let bytes = |kind: &ParameterKind| match kind {
        ParameterKind::Array { .. } | ParameterKind::Size => 8,
        ParameterKind::Const { ty, dims, .. } => dims.iter().product::<Int>().saturating_mul(ty.bytes() as Int),
        ParameterKind::Scalar { ty } => ty.bytes() as Int,
    };
    let all: Int = kernel.parameters.iter().map(|p| bytes(&p.kind)).sum();
    let total = all + 8 * (kernel.outputs.len() + kernel.call_sizes()) as Int;
    if total > GPU.parameter_bytes
        && let Some(largest) = kernel.parameters.iter().max_by_key(|p| bytes(&p.kind))
    {
        let fact = ResourcesFact::Parameters { bytes: total, limit: GPU.parameter_bytes };
        let fault = Fault::new(largest.name.at, fact);
        faults.push(if matches!(largest.kind, ParameterKind::Const { .. }) {
            fault.with_advice(format!("pass `{}` as an array in memory: leave out `const`", largest.name.text))
        } else {
            fault
        });
    }
}

/// Checks how many copies of the equations a step has: fold times the extents of unrolled rows.
pub fn unrolled_instances(mapping: &Mapping, places: &Places, ranges: &Ranges, faults: &mut Faults) {
    let extents = places.rows.iter().zip(ranges).filter(|(r, _)| r.unrolled).filter_map(|(_, range)| *range);
    let count = extents.fold(mapping.fold, |count, (low, high)| count.saturating_mul(high - low + 1));
    let at = mapping.unroll.first().map(|(_, n)| n.at).or(mapping.fold_at).unwrap_or(mapping.at);
    at_most(limits::BODIES, count, at, "unroll fewer or shorter loops, or fold less", faults);
}

/// Checks the fold alone, before the laws that look at each of its registers.
pub fn fold_registers(mapping: &Mapping, faults: &mut Faults) {
    at_most(
        limits::BODIES,
        mapping.fold,
        mapping.fold_at.unwrap_or(mapping.at),
        "fold less, with a smaller tile",
        faults,
    );
}

fn at_most(limit: Int, count: Int, at: Region, advice: &str, faults: &mut Faults) {
    if count > limit {
        faults.push(Fault::new(at, ResourcesFact::Instances { count, limit }).with_advice(advice));
    }
}

/// Checks that a block does not evaluate the equations far more often than it has points, if both are constants.
pub fn steps(mapping: &Mapping, places: &Places, ranges: &Ranges, faults: &mut Faults) {
    let rows = || places.rows.iter().zip(ranges);
    let timed = rows().filter(|(r, _)| matches!(r.kind, RowKind::Time | RowKind::Warp));
    let evaluations = product(timed.map(|(_, range)| extent(range)).chain([Some(mapping.fold)]));
    let (Some(evaluations), Some(points)) = (evaluations, points_of_block(places)) else { return };
    if evaluations <= limits::FREE_EVALUATIONS.max(points.saturating_mul(limits::EVALUATIONS_PER_POINT)) {
        return;
    }
    let longest = rows().filter(|(r, _)| r.kind == RowKind::Time).max_by_key(|(_, range)| extent(range));
    let (row, at) = longest.map_or((String::new(), mapping.at), |(r, _)| (r.name.clone(), r.at));
    let fact = ResourcesFact::Steps { row, evaluations, points, per_point: limits::EVALUATIONS_PER_POINT };
    faults.push(Fault::new(at, fact).with_advice("choose smaller entries in the matrix"));
}

/// An upper limit on the points of a block: those of the box around them; `None` if that depends on sizes.
fn points_of_block(places: &Places) -> Option<Int> {
    let is_free = |leaf: usize| places.of_kind(RowKind::Block).all(|r| r.coefs[leaf] == 0);
    let leaves = places.leaf_ranges.iter().enumerate().filter(|(leaf, _)| is_free(*leaf));
    product(leaves.map(|(_, range)| extent(range)))
}

fn extent(range: &Option<(Int, Int)>) -> Option<Int> {
    range.map(|(low, high)| high - low + 1)
}

fn product(mut extents: impl Iterator<Item = Option<Int>>) -> Option<Int> {
    extents.try_fold(1, |product: Int, extent| Some(product.saturating_mul(extent?)))
}

/// Checks the registers, the shared memory and the scratch rows of values that wait to be read.
///
/// At first every read is counted. If that does not fit, or takes much scratch memory, only reads that some point performs are
/// counted. The others are returned, and no program contains them.
pub fn held(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    ranges: &Ranges,
    dependences: &Dependences,
    faults: &mut Faults,
) -> SortedSet<Edge> {
    let warps = warps(places, ranges);
    let mut rolled = time_rows(places);
    rolled.truncate(rolled.len() - unrolled_rows(mapping, places, ranges));
    let rolled = rolled.iter().map(|row| extent(&ranges[*row])).collect();
    let points = points_of_block(places);
    let block = Block { kernel, mapping, warps, rolled, points, staged: staged(kernel, mapping, places) };
    // For most maps this upper limit suffices, and no query about the points is needed.
    let most = waiting(kernel, mapping, places, ranges, dependences, Count::AtMost);
    let is_little = block.scratch(&most).iter().all(|bytes| *bytes <= cpu::MUCH_SCRATCH);
    if block.fits_registers(&most) && block.fits_shared(&most) && is_little {
        return SortedSet::new();
    }
    let exact = waiting(kernel, mapping, places, ranges, dependences, Count::Exact);
    block.registers(&exact, faults);
    block.shared(&exact, faults);
    block.rows(&exact, faults);
    exact.unused()
}

fn warps(places: &Places, ranges: &Ranges) -> Int {
    let warps = places.rows.iter().zip(ranges).filter(|(r, _)| r.kind == RowKind::Warp);
    warps.map(|(_, range)| range.map_or(1, |(low, high)| high - low + 1)).product()
}

/// The arrays that are staged in shared memory, with their bytes; without those whose boxes depend on sizes.
fn staged<'k>(kernel: &Kernel, mapping: &'k Mapping, places: &Places) -> Vec<(&'k Stage, Int)> {
    let is_shared = |s: &&Stage| s.medium == StageMedium::Shared;
    let stages = mapping.stages.iter().filter(is_shared);
    stages.filter_map(|s| Some((s, footprint::bytes(kernel, mapping, places, s)?))).collect()
}

/// A block of a GPU under a map.
struct Block<'k> {
    kernel: &'k Kernel,
    mapping: &'k Mapping,
    warps: Int,
    /// The lengths of the loops that are not unrolled, where they are constants.
    rolled: Vec<Option<Int>>,
    /// An upper limit on its points; `None` if that depends on sizes.
    points: Option<Int>,
    staged: Vec<(&'k Stage, Int)>,
}

impl Block<'_> {
    fn fits_registers(&self, waiting: &Waiting) -> bool {
        let has_limit = self.mapping.on != Some(Device::Cpu);
        !has_limit || waiting.registers(self.kernel).iter().sum::<Int>() <= self.limit()
    }

    /// The registers that each lane may use.
    fn limit(&self) -> Int {
        registers_of(self.mapping.wishes.resident.unwrap_or(1))
    }

    /// Checks the registers in which values wait.
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

    /// The bytes of rings, per variable.
    fn rings(&self, waiting: &Waiting) -> Vec<Int> {
        waiting.ring_bytes(self.kernel).into_iter().map(|bytes| bytes * gpu::LANES * self.warps).collect()
    }

    /// The bytes of scratch rows on a CPU, per variable; without rows whose length depends on sizes.
    fn scratch(&self, waiting: &Waiting) -> Vec<Int> {
        let cells = waiting.row_cells(self.kernel, self.rolled.len(), |k| self.rolled[k]);
        let bytes = |v: usize| {
            (gpu::LANES * self.kernel.equations[v].ty.bytes() as Int).max(cpu::CELL_BYTES).saturating_mul(self.warps)
        };
        cells.into_iter().enumerate().map(|(v, cells)| cells.saturating_mul(bytes(v))).collect()
    }

    /// Checks the scratch rows in which values wait for later steps. An amount above the limit is accepted if it is in
    /// proportion to the points: the call checks it again, with a limit that its user may have raised.
    fn rows(&self, waiting: &Waiting, faults: &mut Faults) {
        let held = self.scratch(waiting);
        let bytes = held.iter().fold(0, |sum: Int, bytes| sum.saturating_add(*bytes));
        let Some(points) = self.points else { return };
        if bytes <= limits::SCRATCH_BYTES.max(points.saturating_mul(cpu::SCRATCH_BYTES_PER_POINT)) {
            return;
        }
        let (variables, at) = (largest(self.kernel, &held), at_read(self.kernel, self.mapping, &held));
        let fact = ResourcesFact::Scratch { bytes, points, variables };
        let advice = "choose smaller entries in the matrix, smaller tiles, or another order of the time rows";
        faults.push(Fault::new(at, fact).with_advice(advice));
    }

    fn shared_bytes(&self, waiting: &Waiting) -> Int {
        self.rings(waiting).into_iter().chain(self.staged.iter().map(|(_, bytes)| *bytes)).sum()
    }

    fn fits_shared(&self, waiting: &Waiting) -> bool {
        self.shared_bytes(waiting) <= GPU.block_shared_bytes
    }

    /// Checks the shared memory: rings between warps, and staged arrays.
    fn shared(&self, waiting: &Waiting, faults: &mut Faults) {
        if self.fits_shared(waiting) {
            return;
        }
        let held = self.rings(waiting);
        let mut parts = largest(self.kernel, &held);
        let name = |s: &Stage| self.kernel.parameters[s.parameter].name.text.clone();
        parts.extend(self.staged.iter().map(|(s, bytes)| (name(s), *bytes)));
        sorted::sort_by_key(&mut parts, |(_, bytes)| -bytes);
        let at = match self.staged.iter().max_by_key(|(_, bytes)| *bytes) {
            Some((stage, bytes)) if *bytes >= held.iter().copied().max().unwrap_or(0) => stage.at,
            _ => at_read(self.kernel, self.mapping, &held),
        };
        let fact = ResourcesFact::Shared { bytes: self.shared_bytes(waiting), limit: GPU.block_shared_bytes, parts };
        let advice = "make the tile, the warps, the fold or the unrolled loops smaller";
        faults.push(Fault::new(at, fact).with_advice(advice));
    }
}

/// The variables that hold anything, the largest first.
fn largest(kernel: &Kernel, held: &[Int]) -> Vec<(String, Int)> {
    let mut variables: Vec<(usize, Int)> = held.iter().copied().enumerate().filter(|(_, r)| *r > 0).collect();
    sorted::sort_by_key(&mut variables, |(_, r)| -r);
    variables.into_iter().map(|(v, r)| (kernel.equations[v].variable.text.clone(), r)).collect()
}

/// The first read of the variable that holds most.
fn at_read(kernel: &Kernel, mapping: &Mapping, held: &[Int]) -> Region {
    let most = (0..held.len()).rev().max_by_key(|v| held[*v]);
    kernel.reads().iter().find(|r| Some(r.variable) == most).map_or(mapping.at, |r| r.at)
}
