//! Merges the last two axes of arrays whose last axis is short and constant, where lanes lie along the axis before it: the lanes
//! then lie along one row, at a constant distance.
//!
//! ```text
//! x: [u8; R, C, 3], lanes along c        load x[r, c, 1]
//! x: [u8; R, 3 * C]                      load x[r, 3 * c + 1]
//! ```
//!
//! An element that exists lies at the same address. Only arrays without a border take part, since nothing needs what lies
//! outside them.
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Array, Int, Kernel, ParameterKind};
use crate::program::{Operation, Store};
use crate::schedule::Schedule;
use crate::target::cpu;

/// Whether the last two axes of each input and of each output are one.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    pub inputs: Vec<bool>,
    pub outputs: Vec<bool>,
}

impl Schedule {
    /// Merges axes where that puts lanes along a row.
    pub fn merge_axes(&mut self, kernel: &Kernel) -> Merged {
        let across = |index: &[PlaceForm]| {
            let by_lane = |f: &PlaceForm| f.mentions(&|a| matches!(a, Atom::Lane(_)));
            matches!(index, [.., before, last] if by_lane(before) && !by_lane(last))
        };
        let lines = self.versions.iter().flat_map(|v| &v.sections).flat_map(|s| &s.step.lines).map(|l| &l.inst);
        let loads = |k: usize| {
            let all = self.values.iter().chain(lines.clone());
            let of = move |operation: &Operation| match operation {
                Operation::Load { array: Array::Parameter(of), index } if *of == k => Some(index.clone()),
                _ => None,
            };
            all.filter_map(move |inst| of(&inst.operation)).collect::<Vec<_>>()
        };
        let short = |last: Option<Int>| last.filter(|n| (2..=cpu::WINDOW_STRIDE).contains(n));
        let inputs: Vec<Option<Int>> = kernel
            .parameters
            .iter()
            .enumerate()
            .map(|(k, parameter)| match &parameter.kind {
                ParameterKind::Array { dims, border: None, .. } => {
                    let last = dims.last().filter(|f| f.is_constant()).map(|f| f.constant);
                    short(last).filter(|_| loads(k).iter().any(|index| across(index)))
                }
                _ => None,
            })
            .collect();
        let stores = self.steps().flat_map(|step| &step.stores);
        let stores: Vec<&Store> = stores.chain(&self.stores).collect();
        let outputs: Vec<Option<Int>> = kernel
            .outputs
            .iter()
            .enumerate()
            .map(|(k, output)| {
                let last = output.dims.last().filter(|f| f.is_constant()).map(|f| f.constant);
                short(last).filter(|_| stores.iter().any(|s| s.into.output() == Some(k) && across(&s.index)))
            })
            .collect();
        self.rewrite(&inputs, &outputs);
        let some = |list: &[Option<Int>]| list.iter().map(Option::is_some).collect();
        Merged { inputs: some(&inputs), outputs: some(&outputs) }
    }

    /// Rewrites the indices of the arrays that have a length here, that of their last axis.
    fn rewrite(&mut self, inputs: &[Option<Int>], outputs: &[Option<Int>]) {
        let merge = |index: &mut Vec<PlaceForm>, by: Option<Int>| {
            let Some(by) = by else { return };
            if let (Some(last), Some(before)) = (index.pop(), index.pop()) {
                index.push(before.scale(by, 1).add(&last));
            }
        };
        let load = |operation: &mut Operation| {
            if let Operation::Load { array: Array::Parameter(k), index } = operation {
                merge(index, inputs[*k]);
            }
        };
        self.program.values.iter_mut().for_each(|inst| load(&mut inst.operation));
        self.program.stores.iter_mut().for_each(|s| merge(&mut s.index, s.into.output().and_then(|k| outputs[k])));
        for step in self.versions.iter_mut().flat_map(|v| &mut v.sections).map(|s| &mut s.step) {
            step.lines.iter_mut().for_each(|line| load(&mut line.inst.operation));
            step.stores.iter_mut().for_each(|s| merge(&mut s.index, s.into.output().and_then(|k| outputs[k])));
        }
    }
}
