//! The evaluator: computes the outputs of a model from sizes and inputs, or reports what goes wrong.
//!
//! Values are computed on demand. So it runs any kernel, lawful or not, needs no order from the laws and can check them
//! independently.
mod arrays;
mod code;
mod error;
mod machine;
mod nest;
mod random;

pub use error::EvaluateError;
pub use random::{SplitMix, random_inputs};

use crate::model::{Form, Int, Kernel, ParameterKind, Value};
use crate::target::effort;
pub(crate) use arrays::Arrays;
use machine::Machine;
use nest::Nest;

/// An array of values, row-major.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub values: Vec<Value>,
}

impl Tensor {
    /// Whether shape and all bits are equal; NaNs count as equal.
    pub fn same_bits(&self, other: &Tensor) -> bool {
        self.shape == other.shape
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(|(a, b)| a.same_bits(*b))
    }
}

/// The argument for one parameter.
#[derive(Clone, Debug)]
pub enum Input {
    /// An array, or a `const` one.
    Array(Tensor),
    Scalar(Value),
    /// A `size`: its value is given among the sizes.
    Size,
}

/// One input per parameter, in order.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub parameters: Vec<Input>,
}

/// Evaluates `kernel` at these sizes of a call and returns its outputs, in order. Evaluates all variables at all points, needed or not.
pub fn evaluate(kernel: &Kernel, sizes: &[Int], inputs: &Inputs) -> Result<Vec<Tensor>, EvaluateError> {
    if sizes.len() != kernel.call_sizes() {
        return Err(EvaluateError::SizeCount { expected: kernel.call_sizes(), found: sizes.len() });
    }
    for (condition, c) in kernel.conditions.iter().enumerate() {
        if c.formula.holds(sizes) != Some(true) {
            return Err(EvaluateError::Condition { condition });
        }
    }
    let shapes = kernel.outputs.iter().map(|o| shape(&o.dims, sizes)).collect::<Result<Vec<_>, _>>()?;
    if let Some(size) = sizes.iter().position(|s| *s < 1) {
        // The laws hold only for sizes of at least 1, but if all outputs are empty there is nothing to compute.
        if shapes.iter().all(|shape| shape.contains(&0)) {
            return Ok(shapes.into_iter().map(|shape| Tensor { shape, values: Vec::new() }).collect());
        }
        return Err(EvaluateError::SizeBelowOne { size });
    }
    let arrays = Arrays::new(kernel, sizes, inputs)?;
    let nest = Nest::new(kernel, sizes, &arrays)?;
    let mut machine = Machine::new(kernel, sizes, &arrays, &nest)?;
    machine.make_all()?;
    machine.store_all(&shapes)
}

/// The dimensions at these sizes. A negative one counts as 0.
pub fn shape(dims: &[Form], sizes: &[Int]) -> Result<Vec<usize>, EvaluateError> {
    let mut total: usize = 1;
    let mut shape = Vec::with_capacity(dims.len());
    for dim in dims {
        let length = dim.eval(sizes).ok_or(EvaluateError::TooLarge)?.max(0);
        shape.push(usize::try_from(length).map_err(|_| EvaluateError::TooLarge)?);
    }
    if shape.contains(&0) {
        return Ok(shape);
    }
    for length in &shape {
        total = total.checked_mul(*length).filter(|t| *t <= effort::EVALUATOR_VALUES).ok_or(EvaluateError::TooLarge)?;
    }
    Ok(shape)
}

/// The shape of an array or `const` parameter; a scalar and a `size` have none.
fn parameter_shape(kind: &ParameterKind, sizes: &[Int]) -> Result<Vec<usize>, EvaluateError> {
    match kind {
        ParameterKind::Array { dims, .. } => shape(dims, sizes),
        ParameterKind::Const { dims, .. } => {
            let dims: Vec<Form> = dims.iter().map(|d| Form::constant(*d)).collect();
            shape(&dims, sizes)
        }
        ParameterKind::Scalar { .. } | ParameterKind::Size => Ok(Vec::new()),
    }
}
