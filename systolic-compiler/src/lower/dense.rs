//! Merges the last axes of arrays in the memory of a GPU where they lie without gaps: short ones of constant length, such as the
//! channels of a picture. Neighbours along the merged axis can then be accessed together.
//!
//! ```text
//! x: [u8; R, C, 3]        load x[r, c, 1]
//! x: [u8; R, 3 * C]       load x[r, 3 * c + 1]
//! ```
//!
//! The runtime leaves no gaps after rows that are shorter than the widest access (`systolic-runtime/src/gpu/layout.rs`). An array
//! with a border takes part if it is read outside along the first of the merged axes alone: the border then moves whole groups of as
//! many elements as the others have.
use crate::mapping::{Target, of_sizes};
use crate::model::{Array, Form, Int, Kernel, ParameterKind};
use crate::program::{Into, Operation, Program, merge_index, stays_inside};
use crate::target::GPU;

/// Merges axes of all arrays of a program for a GPU.
pub fn merge(program: &mut Program, kernel: &Kernel) {
    if program.target != Target::Gpu {
        return;
    }
    let inputs: Vec<Vec<Int>> = (0..kernel.parameters.len()).map(|k| of_input(program, kernel, k)).collect();
    let outputs: Vec<Vec<Int>> = kernel.outputs.iter().map(|o| without_gaps(&o.dims, o.ty.bytes())).collect();
    for inst in &mut program.values {
        if let Operation::Load { array: Array::Parameter(k), index } = &mut inst.operation {
            merge_index(index, &inputs[*k]);
        }
    }
    for store in &mut program.stores {
        if let Into::Output(k) = store.into {
            merge_index(&mut store.index, &outputs[k]);
        }
    }
    for (operand, lengths) in program.parameters.iter_mut().zip(inputs).filter(|(_, lengths)| !lengths.is_empty()) {
        operand.dims.truncate(operand.dims.len() - lengths.len());
        operand.group = lengths.iter().product();
        operand.dims.iter_mut().last().into_iter().for_each(|dim| *dim = dim.scale(operand.group, 1));
        operand.merged = lengths;
    }
    for ((end, output), lengths) in program.ends.iter_mut().zip(&kernel.outputs).zip(&outputs) {
        let first = output.dims.get(output.dims.len().wrapping_sub(1 + lengths.len())).map(of_sizes);
        *end = first.map(|first| first.scale(lengths.iter().product(), 1));
    }
    program.merged_outputs = outputs;
}

/// The lengths of the last axes of an input that are merged into the axis before them.
fn of_input(program: &Program, kernel: &Kernel, parameter: usize) -> Vec<Int> {
    let ParameterKind::Array { ty, dims, border, .. } = &kernel.parameters[parameter].kind else { return Vec::new() };
    let lengths = without_gaps(dims, ty.bytes());
    let is_looked_up = program
        .values
        .iter()
        .any(|inst| matches!(inst.operation, Operation::Lookup { array: Array::Parameter(k), .. } if k == parameter));
    let gives_lengths = program.frame.lengths.iter().any(|length| length.parameter == parameter);
    let is_staged = program.staged.iter().any(|(staged, _)| *staged == parameter);
    let leaves = program.values.iter().any(|inst| match &inst.operation {
        Operation::Load { array: Array::Parameter(k), index } if *k == parameter => {
            !stays_inside(&program.frame, index, &lengths)
        }
        _ => false,
    });
    match is_looked_up || gives_lengths || is_staged || (border.is_some() && leaves) {
        true => Vec::new(),
        false => lengths,
    }
}

/// The lengths of the last axes of an array that lie without gaps behind those of the axis before them.
fn without_gaps(dims: &[Form], bytes: usize) -> Vec<Int> {
    let mut lengths = Vec::new();
    let mut row = bytes as Int;
    for dim in dims.iter().skip(1).rev() {
        row = row.saturating_mul(dim.constant);
        let is_short = dim.is_constant() && dim.constant > 0 && row < GPU.access_bytes as Int;
        if !is_short {
            break;
        }
        lengths.insert(0, dim.constant);
    }
    lengths
}
