//! The signature of a kernel instance. Emitted code contains it as a constant.
use crate::form::{Form, Formula};

/// The signature of an instance: its sizes, arrays, conditions and loops.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Run-time sizes in order of appearance.
    pub sizes: &'static [Size],
    /// Array parameters in order.
    pub inputs: &'static [Array],
    /// Outputs in order.
    pub outputs: &'static [Array],
    /// The conditions of the kernel's `where`.
    pub conditions: &'static [Condition],
    /// One loop per length in the kernel, over its range, then the loops of the kernel; with bounds over the sizes and the loops
    /// before them.
    pub loops: &'static [Loop],
    /// Affine forms of the body with coefficients so large that they could overflow 64 bits at some sizes.
    pub wide: &'static [Form],
    /// If no size is above this, no loop and no index can exceed its limit, so the check is skipped; 0 if that is unknown.
    pub near: i64,
}

/// A run-time size.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its name.
    pub name: &'static str,
    /// Where its value comes from.
    pub source: Source,
}

/// Where a size's value comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A `size` parameter, by its position among the `size` parameters.
    Given(usize),
    /// A dimension of an input. All other sizes in that dimension are given by other sources.
    Shape {
        /// The input, by its position among the array parameters.
        input: usize,
        /// The dimension of the input.
        axis: usize,
    },
}

/// An array parameter or an output.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Its dimensions as affine forms of the sizes.
    pub dims: &'static [Form],
}

/// A parameter whose elements are lengths.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Its name.
    pub name: &'static str,
    /// The least length.
    pub least: i128,
    /// The greatest length, as an affine form of the sizes.
    pub most: Form,
}

/// A condition of the kernel's `where`.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// The condition as written.
    pub text: &'static str,
    /// The condition as a formula over the sizes.
    pub formula: Formula,
}

/// A loop: low inclusive, high exclusive.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// Its name.
    pub name: &'static str,
    /// The first value.
    pub low: Form,
    /// One past the last value.
    pub high: Form,
}
