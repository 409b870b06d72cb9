//! Merges the last axes of arrays where all but the first of them are short and constant, and lanes lie along that first one: the
//! lanes then lie along one row, at a constant distance.
//!
//! ```text
//! x: [u8; R, C, 3], lanes along c           load x[r, c, 1]
//! x: [u8; R, 3 * C]                         load x[r, 3 * c + 1]
//!
//! m: [f32; B, 2, 2], lanes along b          load m[b, 1, 0]
//! m: [f32; 4 * B]                           load m[4 * b + 2]
//! ```
//!
//! An element that exists lies at the same address. Nothing needs what lies outside an array without a border. An array with one
//! takes part if it is only read outside along the first of the merged axes: the runtime then applies the border to groups of as
//! many elements as the other merged axes have.
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Form, Int, Interleaved, Kernel, ParameterKind};
use crate::program::{Frame, Operation, Store, merge_index, stays_inside};
use crate::schedule::Schedule;
use crate::sorted;
use crate::target::cpu;

/// How many of the last axes of each input and of each output are one; 0 if they stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
}

/// The lengths of the last axes that are merged into the one before them.
type Lengths = Vec<Int>;

impl Schedule {
    /// Merges axes where that puts lanes along a row.
    pub fn merge_axes(&mut self, kernel: &Kernel) -> Merged {
        if let Some(merged) = &self.merged {
            return merged.clone();
        }
        let lines = self.versions.iter().flat_map(|v| &v.sections).flat_map(|s| &s.step.lines).map(|l| &l.inst);
        let operations: Vec<&Operation> = self.values.iter().chain(lines).map(|inst| &inst.operation).collect();
        let loads = |k: usize| -> Vec<&[PlaceForm]> { operations.iter().filter_map(|o| loaded(o, k)).collect() };
        let is_looked_up = |k: usize| {
            operations.iter().any(|o| matches!(o, Operation::Lookup { array: Array::Parameter(of), .. } if *of == k))
        };
        let gives_lengths = |k: usize| self.frame.lengths.iter().any(|length| length.parameter == k);
        let input = |k: usize| match &kernel.parameters[k].kind {
            ParameterKind::Array { dims, border, .. } if !is_looked_up(k) && !gives_lengths(k) => {
                let (lengths, loads) = (merging(dims, &loads(k)), loads(k));
                let fits = border.is_none() || stay_inside(&self.frame, &loads, &lengths);
                if fits { lengths } else { Lengths::new() }
            }
            _ => Lengths::new(),
        };
        let inputs: Vec<Lengths> = (0..kernel.parameters.len()).map(input).collect();
        let stores: Vec<&Store> = self.steps().flat_map(|step| &step.stores).chain(&self.stores).collect();
        let output = |k: usize| {
            let indices = stores.iter().filter(|s| s.into.output() == Some(k)).map(|s| s.index.as_slice());
            merging(&kernel.outputs[k].dims, &indices.collect::<Vec<_>>())
        };
        let outputs: Vec<Lengths> = (0..kernel.outputs.len()).map(output).collect();
        self.rewrite(&inputs, &outputs);
        let count = |list: &[Lengths]| list.iter().map(|l| if l.is_empty() { 0 } else { l.len() + 1 }).collect();
        Merged { inputs: count(&inputs), outputs: count(&outputs) }
    }

    /// The schedule of a kernel whose interleaved loops run as one: in its arrays the last two axes are one already.
    pub fn of_interleaved(mut self, interleaved: &Interleaved) -> Schedule {
        let two = |is_merged: &bool| if *is_merged { 2 } else { 0 };
        for (operand, _) in self.program.parameters.iter_mut().zip(&interleaved.inputs).filter(|(_, merged)| **merged) {
            operand.group = interleaved.count;
        }
        let outputs = vec![2; interleaved.kernel.outputs.len()];
        self.merged = Some(Merged { inputs: interleaved.inputs.iter().map(two).collect(), outputs });
        self
    }

    /// Rewrites the indices of the arrays that are merged, and sorts stores to the same row.
    fn rewrite(&mut self, inputs: &[Lengths], outputs: &[Lengths]) {
        let store = |s: &mut Store| {
            if let Some(k) = s.into.output() {
                merge_index(&mut s.index, &outputs[k]);
            }
        };
        let load = |operation: &mut Operation| {
            if let Operation::Load { array: Array::Parameter(k), index } = operation {
                merge_index(index, &inputs[*k]);
            }
        };
        for (operand, lengths) in self.program.parameters.iter_mut().zip(inputs).filter(|(_, l)| !l.is_empty()) {
            let by = lengths.iter().product();
            operand.dims.truncate(operand.dims.len() - lengths.len());
            operand.dims.iter_mut().last().into_iter().for_each(|dim| *dim = dim.scale(by, 1));
            operand.group = by;
        }
        self.program.values.iter_mut().for_each(|inst| load(&mut inst.operation));
        self.program.stores.iter_mut().for_each(store);
        for step in self.versions.iter_mut().flat_map(|v| &mut v.sections).map(|s| &mut s.step) {
            step.lines.iter_mut().for_each(|line| load(&mut line.inst.operation));
            step.stores.iter_mut().for_each(store);
        }
        if outputs.iter().all(Vec::is_empty) {
            return;
        }
        sort(&mut self.program.stores);
        for step in self.versions.iter_mut().flat_map(|v| &mut v.sections).map(|s| &mut s.step) {
            sort(&mut step.stores);
        }
    }
}

/// The index at which an operation loads from a parameter.
fn loaded(operation: &Operation, parameter: usize) -> Option<&[PlaceForm]> {
    match operation {
        Operation::Load { array: Array::Parameter(k), index } if *k == parameter => Some(index),
        _ => None,
    }
}

/// The lengths of the axes after the first one along which lanes lie, if they are constant and short.
fn merging(dims: &[Form], indices: &[&[PlaceForm]]) -> Lengths {
    let by_lane = |f: &PlaceForm| f.mentions(&|a| matches!(a, Atom::Lane(_)));
    let last = indices.iter().filter_map(|index| index.iter().rposition(by_lane)).min();
    let after = last.and_then(|axis| dims.get(axis + 1..)).unwrap_or_default();
    let lengths: Option<Lengths> = after.iter().map(|f| f.is_constant().then_some(f.constant)).collect();
    let fits = |lengths: &Lengths| (2..=cpu::MERGED_ELEMENTS).contains(&lengths.iter().product());
    lengths.filter(|lengths| lengths.iter().all(|n| *n > 0) && fits(lengths)).unwrap_or_default()
}

/// Whether no load leaves the last axes, which have these lengths, and lanes lie along the axis before them only.
fn stay_inside(frame: &Frame, loads: &[&[PlaceForm]], lengths: &[Int]) -> bool {
    let by_lane = |f: &PlaceForm| f.mentions(&|a| matches!(a, Atom::Lane(_)));
    loads.iter().all(|index| {
        let last = &index[index.len().saturating_sub(lengths.len())..];
        !last.iter().any(by_lane) && stays_inside(frame, index, lengths)
    })
}

/// Sorts the stores to one row of each lane by their elements, where their distances are constant. Stores write different elements,
/// so their order is free.
fn sort(stores: &mut [Store]) {
    let distance = |a: &Store, b: &Store| {
        let ((last, rows), (first, others)) = (a.index.split_last()?, b.index.split_last()?);
        (a.into == b.into && rows == others).then(|| last.sub(first).number())?
    };
    let place = |k: usize, stores: &[Store]| {
        let first = (0..k).find_map(|j| Some((j, distance(&stores[k], &stores[j])?)));
        first.unwrap_or((k, 0))
    };
    let places: Vec<(usize, Int)> = (0..stores.len()).map(|k| place(k, stores)).collect();
    let mut order: Vec<usize> = (0..stores.len()).collect();
    sorted::sort_by_key(&mut order, |k| places[*k]);
    let sorted: Vec<Store> = order.into_iter().map(|k| stores[k].clone()).collect();
    stores.clone_from_slice(&sorted);
}
