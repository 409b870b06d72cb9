//! A kernel at given sizes: its arrays, what they hold before and after, and the ways to run it.
use crate::call::{Call, Data, calls};
use crate::kernel::{Skipped, skip};
use crate::layout::{merged, rows};
use crate::params::dense;
use systolic_compiler::emit::Unit;
use systolic_compiler::evaluate::{Input, Inputs, Tensor, evaluate, random_inputs};
use systolic_compiler::interpret::work;
use systolic_compiler::model::{Int, Kernel, Output, ParameterKind, Type};

/// The most values that a run may compute: unusual maps run many places for a few points.
const MOST_WORK: u64 = 20_000_000;
/// The most bytes of arrays per case.
const MOST_BYTES: usize = 1 << 16;

/// A kernel at some sizes, run in several ways.
pub struct Case {
    pub sizes: Vec<u64>,
    /// Inputs, then outputs.
    pub arrays: Vec<Elements>,
    pub calls: Vec<Call>,
}

pub struct Elements {
    pub is_output: bool,
    pub ty: Type,
    pub shape: Vec<u64>,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

pub fn case(kernel: &Kernel, unit: &Unit, sizes: &[Int], seed: u64) -> Result<Case, Skipped> {
    if work(&unit.program, sizes).is_none_or(|work| work > MOST_WORK) {
        return Err(skip("sizes: too much work"));
    }
    let inputs = random_inputs(kernel, sizes, seed);
    let outputs = evaluate(kernel, sizes, &inputs).map_err(|e| Skipped(format!("the evaluator says: {e}")))?;
    let given = arrays(kernel, &inputs).map(|(ty, tensor)| Elements::input(ty, tensor));
    let stored = kernel.outputs.iter().zip(&outputs).map(|(output, tensor)| Elements::output(output, tensor));
    // What the runner takes for a row has no gaps.
    let in_rows = |(array, merged): (Elements, usize)| Elements { shape: rows(&array.shape, merged), ..array };
    let arrays: Vec<Elements> = given.chain(stored).zip(merged(kernel, &unit.program)).map(in_rows).collect();
    if outputs.iter().all(|tensor| tensor.values.is_empty()) {
        return Err(skip("sizes: nothing to store"));
    }
    if arrays.iter().map(|array| array.after.len()).sum::<usize>() > MOST_BYTES {
        return Err(skip("sizes: arrays too long"));
    }
    let data = Data { kernel, unit, sizes, inputs: &inputs, outputs: &outputs };
    let calls = calls(&data, seed).ok_or_else(|| skip("sizes: no blocks or launches, or too many"))?;
    for launch in calls.iter().flat_map(|call| &call.launches) {
        let declared = format!("static_assert(sizeof(Params) == {},", launch.params.bytes.len());
        assert!(unit.source.contains(&declared), "seed {seed}: the struct is not `{declared}`");
    }
    Ok(Case { sizes: sizes.iter().map(|size| *size as u64).collect(), arrays, calls })
}

/// The inputs that are arrays.
pub fn arrays<'a>(kernel: &'a Kernel, inputs: &'a Inputs) -> impl Iterator<Item = (Type, &'a Tensor)> {
    kernel.parameters.iter().zip(&inputs.parameters).filter_map(|(parameter, input)| match (&parameter.kind, input) {
        (ParameterKind::Array { ty, .. }, Input::Array(tensor)) => Some((*ty, tensor)),
        _ => None,
    })
}

impl Elements {
    fn input(ty: Type, tensor: &Tensor) -> Elements {
        let elements = dense(ty, tensor);
        Elements { is_output: false, ty, shape: shape(tensor), before: elements.clone(), after: elements }
    }

    fn output(output: &Output, tensor: &Tensor) -> Elements {
        let after = dense(output.ty, tensor);
        let before = match output.rest {
            // As the runtime does: where no point stores, that stays.
            Some(rest) => dense(output.ty, &Tensor { shape: Vec::new(), values: vec![rest; tensor.values.len()] }),
            // Before it is stored, no element is what it must be, nor is it another NaN.
            None => after.iter().map(|byte| !byte).collect(),
        };
        Elements { is_output: true, ty: output.ty, shape: shape(tensor), before, after }
    }
}

fn shape(tensor: &Tensor) -> Vec<u64> {
    tensor.shape.iter().map(|n| *n as u64).collect()
}
