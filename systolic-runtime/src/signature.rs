//! What a kernel instance takes and gives, as constants of emitted code.
use crate::form::{Form, Formula};

/// What an instance takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Run-time sizes in order of appearance.
    pub sizes: &'static [Size],
    /// Array parameters in order.
    pub inputs: &'static [Array],
    /// Outputs in order.
    pub outputs: &'static [Array],
    /// The kernel's `where`.
    pub conditions: &'static [Condition],
    /// The loops, with bounds over sizes and the loops before.
    pub loops: &'static [Loop],
    /// Forms of the body whose coefficients are so large that they could leave 64 bits at some sizes.
    pub wide: &'static [Form],
    /// At sizes up to this no loop and no index comes near a limit, so nothing is to be asked; 0 where that is not known.
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
    /// A `size` parameter, by position among these.
    Given(usize),
    /// A dimension of an input: the size is the only one in it that the others do not give.
    Shape {
        /// By position among the array parameters.
        input: usize,
        /// Its dimension.
        axis: usize,
    },
}

/// An array parameter or an output.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Its dimensions as forms of the sizes.
    pub dims: &'static [Form],
}

/// A condition of the kernel's `where`.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// As written.
    pub text: &'static str,
    /// Over the sizes.
    pub formula: Formula,
}

/// A loop: low inclusive, high exclusive.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// Its name.
    pub name: &'static str,
    /// The first value.
    pub low: Form,
    /// One past the last.
    pub high: Form,
}
