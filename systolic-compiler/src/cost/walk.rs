//! Simulates the memory accesses of one block, address by address: the cache lines that each access of a warp touches, and
//! the sectors that are new to the block. Sectors that the block has touched before are assumed to be in the first-level
//! cache.
use super::count::{Access, ArrayOf, Counter};
use super::place::{Class, Place, Run, runs};
use crate::mapping::{Bound, PlaceForm};
use crate::model::{Form, Int, ParameterKind};
use crate::schedule::{Rows, Schedule, Section};
use crate::target::GPU;
use crate::target::effort::Sample;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The memory accesses of one warp in a section.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walked {
    /// Cache lines that its accesses touch, counted for every access.
    pub lines: f64,
    /// Different elements of parameters passed by value that its lanes load.
    pub picks: f64,
    /// Sectors that it loads for the first time.
    pub loaded: f64,
    /// Sectors that it stores.
    pub stored: f64,
    /// The number of its stores.
    pub stores: f64,
    /// Steps that load a new sector by an access that is not waited for at once.
    pub waits: f64,
    /// Loads of new sectors that are waited for at once.
    pub far_stops: f64,
    /// Loads from the first-level cache that are waited for at once.
    pub near_stops: f64,
    /// Iterations of the section.
    pub steps: f64,
    /// How often the loop is entered.
    pub entries: f64,
}

/// Simulates the sections of a class in order. The middle warp stands for all.
pub fn walk(counter: &Counter<'_>, class: &Class<'_>, sizes: &[Int], sample: Sample) -> Vec<Walked> {
    let program = counter.program;
    let place = Place { warp: program.warp_count() / 2, ..Place::new(&program.frame, sizes, class.sample.clone()) };
    let shapes = Shapes::new(counter, &place);
    let mut seen = HashSet::new();
    let of = |section: &&Section| walk_section(counter, class, &place, &shapes, section, sample, &mut seen);
    class.sections.iter().map(of).collect()
}

/// Simulates one section. Of a long run only the first steps are simulated, and scaled.
fn walk_section<'p>(
    counter: &Counter<'p>,
    class: &Class<'p>,
    place: &Place<'_>,
    shapes: &Shapes,
    section: &'p Section,
    sample: Sample,
    seen: &mut HashSet<Sector>,
) -> Walked {
    let accesses = counter.accesses(&section.step, class.at_edge);
    let mut all = Walked::default();
    for Run { times, low, high, weight } in runs(place, section, sample) {
        let steps = (high - low + 1).max(0);
        let some = steps.min(sample.steps);
        if some == 0 {
            continue;
        }
        let each = weight * steps as f64 / some as f64;
        all.steps += weight * steps as f64;
        all.entries += weight;
        for time in low..low + some {
            let here = Place { times: [&times[..], &[time]].concat(), ..place.clone() };
            let mut is_new = false;
            for access in &accesses {
                let touched = shapes.touched(&here, access, counter.program.lane_count());
                all.lines += each * touched.lines as f64;
                let new = touched.sectors.iter().filter(|s| seen.insert(**s)).count() as f64;
                if access.is_store {
                    all.stored += each * touched.sectors.len() as f64;
                    all.stores += if touched.lines > 0 { each } else { 0.0 };
                    continue;
                }
                all.loaded += each * new;
                match access.is_waited_for {
                    true if new > 0.0 => all.far_stops += each,
                    true if touched.lines > 0 => all.near_stops += each,
                    true => {}
                    false => is_new |= new > 0.0,
                }
            }
            all.waits += if is_new { each } else { 0.0 };
            all.picks += each * picks(counter, section, &here);
        }
    }
    all
}

/// The number of different indices at which lanes load parameters passed by value.
fn picks<'p>(counter: &Counter<'p>, section: &'p Section, place: &Place<'_>) -> f64 {
    let lanes = counter.program.lane_count().min(32);
    let mut all = 0;
    for (index, needed) in counter.picks(&section.step) {
        let made = place.holding(needed, lanes);
        let axes: Vec<Vec<Option<Int>>> = index.iter().map(|form| place.in_lanes(form, lanes).collect()).collect();
        let of = |lane: usize| axes.iter().map(|axis| axis[lane]).collect::<Vec<_>>();
        let found: BTreeSet<_> =
            (0..axes.first().map_or(0, Vec::len)).filter(|l| made & (1 << l) != 0).map(of).collect();
        all += found.len();
    }
    all as f64
}

/// An array, and the sector in it.
type Sector = (ArrayOf, Int);

/// What one access of a warp touches.
struct Touched {
    /// The number of cache lines.
    lines: usize,
    /// The sectors, each once.
    sectors: Vec<Sector>,
}

/// The extents of all arrays, and the bytes of their elements.
struct Shapes {
    dims: BTreeMap<ArrayOf, Vec<Int>>,
    bytes: BTreeMap<ArrayOf, Int>,
}

impl Shapes {
    fn new(counter: &Counter<'_>, place: &Place<'_>) -> Shapes {
        let kernel = counter.kernel;
        let inputs = kernel.parameters.iter().enumerate().filter_map(|(k, p)| match &p.kind {
            ParameterKind::Array { dims, .. } => {
                let merged = &counter.program.parameters[k].merged;
                Some((ArrayOf::Parameter(k), merge_lengths(lengths(dims, place.sizes), merged)))
            }
            _ => None,
        });
        let outputs = kernel.outputs.iter().enumerate().map(|(k, o)| {
            (ArrayOf::Output(k), merge_lengths(lengths(&o.dims, place.sizes), &counter.program.merged_outputs[k]))
        });
        let faces = counter.program.faces.iter().enumerate();
        let faces = faces.map(|(k, f)| (ArrayOf::Face(k), f.dims.iter().map(|d| place.bound(d)).collect()));
        let dims: BTreeMap<ArrayOf, Vec<Int>> = inputs.chain(outputs).chain(faces).collect();
        let bytes = dims.keys().map(|array| (*array, counter.element(*array).bytes() as Int)).collect();
        Shapes { dims, bytes }
    }

    /// What one access touches, over all lanes of a warp.
    fn touched(&self, place: &Place<'_>, access: &Access<'_>, lanes: Int) -> Touched {
        let lanes = lanes.min(32);
        let mut makes = place.holding(access.when, lanes);
        if let Some(other) = access.unless {
            makes &= !place.holding(other, lanes);
        }
        let (mut lines, mut sectors) = (Vec::new(), Vec::new());
        if makes != 0 {
            for (lane, from) in self.addresses(place, access.array, access.index, lanes).into_iter().enumerate() {
                let Some(from) = from.filter(|_| makes & (1 << lane) != 0) else { continue };
                let last = from + access.bytes as Int - 1;
                lines.extend(from.div_euclid(GPU.line_bytes)..=last.div_euclid(GPU.line_bytes));
                sectors.extend(from.div_euclid(GPU.sector_bytes)..=last.div_euclid(GPU.sector_bytes));
            }
        }
        for all in [&mut lines, &mut sectors] {
            all.sort_unstable();
            all.dedup();
        }
        if access.through.is_some_and(|rows| rows != Rows::Own) {
            // Copies of whole chunks touch a line once for all its pieces.
            let bytes = access.bytes as Int * Int::from(makes.count_ones());
            let lines = (bytes + GPU.line_bytes - 1) / GPU.line_bytes;
            let whole = bytes / GPU.sector_bytes;
            sectors.truncate(if access.is_store { usize::try_from(whole).unwrap_or(0) } else { sectors.len() });
            let sectors = sectors.into_iter().map(|sector| (access.array, sector)).collect();
            return Touched { lines: usize::try_from(lines).unwrap_or(0), sectors };
        }
        Touched { lines: lines.len(), sectors: sectors.into_iter().map(|sector| (access.array, sector)).collect() }
    }

    /// The byte offset of an element in every lane, its index clamped into the array. Every row begins with a new cache line.
    fn addresses(&self, place: &Place<'_>, array: ArrayOf, index: &[PlaceForm], lanes: Int) -> Vec<Option<Int>> {
        let (Some(dims), Some(bytes)) = (self.dims.get(&array), self.bytes.get(&array)) else { return Vec::new() };
        let pitch =
            dims.last().map_or(0, |columns| (columns * bytes + GPU.line_bytes - 1) / GPU.line_bytes * GPU.line_bytes);
        let mut all: Vec<Option<Int>> = vec![Some(0); usize::try_from(lanes).unwrap_or(0)];
        for (k, (form, length)) in index.iter().zip(dims).enumerate() {
            let is_last = k + 1 == dims.len();
            for (address, at) in all.iter_mut().zip(place.in_lanes(form, lanes)) {
                let at = at.map(|at| at.clamp(0, (length - 1).max(0)));
                // Rows until the last axis, then bytes.
                *address =
                    address.zip(at).map(|(row, at)| if is_last { row * pitch + at * bytes } else { row * length + at });
            }
        }
        all
    }
}

/// The extents of an array for given sizes.
fn lengths(dims: &[Form], sizes: &[Int]) -> Vec<Int> {
    let length = |form: &Form| form.constant + form.coefs.iter().zip(sizes).map(|(c, size)| c * size).sum::<Int>();
    dims.iter().map(length).collect()
}

/// The extents of an array whose last axes, of these lengths, are one with the axis before them.
fn merge_lengths(mut dims: Vec<Int>, merged: &[Int]) -> Vec<Int> {
    dims.truncate(dims.len() - merged.len());
    dims.iter_mut().last().into_iter().for_each(|last| *last *= merged.iter().product::<Int>());
    dims
}

/// The bytes of all faces.
pub fn face_bytes(program: &Schedule, sizes: &[Int]) -> f64 {
    let place = Place::new(&program.frame, sizes, Vec::new());
    let cells = |dims: &[Bound]| dims.iter().map(|d| place.bound(d).max(0) as f64).product::<f64>();
    program.faces.iter().map(|face| cells(&face.dims) * face.ty.bytes() as f64).sum()
}

/// The bytes of all arrays that are read, and of all outputs.
pub fn bytes(counter: &Counter<'_>, sizes: &[Int]) -> (f64, f64) {
    let kernel = counter.kernel;
    let steps = counter.program.steps();
    let read: BTreeSet<ArrayOf> =
        steps.flat_map(|s| counter.accesses(s, false)).filter(|a| !a.is_store).map(|a| a.array).collect();
    let staged = counter.program.stages.iter().filter_map(|s| match s.array {
        crate::model::Array::Parameter(k) => Some(ArrayOf::Parameter(k)),
        crate::model::Array::Constant(_) => None,
    });
    let read: BTreeSet<ArrayOf> = read.into_iter().chain(staged).collect();
    let size = |array: ArrayOf, dims: &[Form]| {
        let elements: f64 = lengths(dims, sizes).iter().map(|n| (*n).max(0) as f64).product();
        elements * counter.element(array).bytes() as f64
    };
    let inputs = kernel.parameters.iter().enumerate().filter_map(|(k, p)| match &p.kind {
        ParameterKind::Array { dims, .. } if read.contains(&ArrayOf::Parameter(k)) => {
            Some(size(ArrayOf::Parameter(k), dims))
        }
        _ => None,
    });
    let outputs = kernel.outputs.iter().enumerate().map(|(k, o)| size(ArrayOf::Output(k), &o.dims));
    (inputs.sum(), outputs.sum())
}
