//! What a kernel tells of itself so that it can run in parts, and the trait that emitted code calls for it.
//! `systolic-mesh` implements the trait; nothing here knows of ranks or messages.
use crate::call::Call;
use crate::error::Error;
use crate::gpu::{Element, Rank};
use ndarray::Array;

/// How a kernel can be cut into parts.
#[derive(Debug)]
pub struct Parts {
    /// The kernel and its instance.
    pub kernel: &'static str,
    /// How the leading axes of its outputs can be cut, or the law that speaks against it.
    pub axes: [Result<Split, &'static str>; 3],
}

/// How one axis of all outputs can be cut. A part runs the iterations from o to e of a loop of the whole, as a kernel of size
/// e − o. `systolic_compiler::laws::split` says what the numbers mean, and why results are those of the whole.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// The number of its size among the sizes of a call.
    pub size: usize,
    /// The loop.
    pub loop_name: &'static str,
    /// How many iterations before the one that needs them values are computed.
    pub behind: i64,
    /// How many iterations after it.
    pub ahead: i64,
    /// The iterations from an inner begin of a part to the first whose values are those of the whole.
    pub before: i64,
    /// The same at an inner end.
    pub after: i64,
    /// Parts begin at multiples of this.
    pub modulus: i64,
    /// The least size of a part that is not the whole.
    pub least: i64,
    /// Why the ends of the axis cannot be moved.
    pub fixed: Option<&'static str>,
    /// The axis of every array parameter that runs along the loop.
    pub inputs: &'static [Option<Along>],
    /// The axis of every output.
    pub outputs: &'static [Along],
}

/// An axis of an array that runs along a loop l: its length is stride · size + rest, its indices are stride · l + k with
/// low ≤ k ≤ high.
#[derive(Clone, Copy, Debug)]
pub struct Along {
    /// The axis.
    pub axis: usize,
    /// How many elements one iteration is.
    pub stride: i64,
    /// By how much the axis is longer than that times the size.
    pub rest: i64,
    /// The least k.
    pub low: i64,
    /// The greatest k.
    pub high: i64,
    /// What a read outside gives.
    pub outside: Outside,
}

/// What a read outside of an axis gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Nothing is read outside.
    Nothing,
    /// A value that is no element.
    Value,
    /// The nearest element.
    Clamp,
    /// The mirrored element; the one at the edge is not repeated.
    Reflect,
    /// The mirrored element; the one at the edge is repeated.
    Symmetric,
    /// The element at the index modulo the length.
    Wrap,
}

/// An input before a call: its shape, and the mesh that it is distributed over.
#[derive(Clone, Copy, Debug)]
pub struct Outline<'a> {
    /// The shape of the whole array.
    pub shape: &'a [usize],
    /// The number of the mesh; `None` if every rank has the whole array.
    pub mesh: Option<u64>,
}

/// An arrangement of ranks that run a kernel in parts.
pub trait Arrangement {
    /// An input: distributed, or whole on every rank.
    type Input<'a, T: Element, D: Rank>;
    /// A distributed array.
    type Array<T: Element, D: Rank>;
    /// One call on this rank.
    type Plan<'m>
    where
        Self: 'm;
    /// Why a call failed.
    type Error: From<Error>;

    /// The outline of an input.
    fn outline<'a, T: Element, D: Rank>(input: &'a Self::Input<'_, T, D>) -> Outline<'a>;

    /// Plans the call. Fails on all ranks if it fails on one, or if the calls differ. `call` has the sizes of the whole.
    fn plan<'m>(
        &'m self,
        parts: &'static Parts,
        call: Result<Call, Error>,
        inputs: &[Outline<'_>],
    ) -> Result<Self::Plan<'m>, Self::Error>;

    /// What this rank reads of array parameter `k`: its rows with their halo.
    fn local<T: Element, D: Rank>(
        plan: &mut Self::Plan<'_>,
        k: usize,
        input: Self::Input<'_, T, D>,
    ) -> Result<Array<T, D>, Self::Error>;

    /// The rows of output `k` that belong to this rank, without what it computed beside them.
    fn output<T: Element, D: Rank>(
        plan: &mut Self::Plan<'_>,
        k: usize,
        local: Array<T, D>,
    ) -> Result<Self::Array<T, D>, Self::Error>;
}

/// What may be given for an array parameter of `run_on`.
#[diagnostic::on_unimplemented(
    message = "expected a distributed array or a whole one of `{T}`, found `{Self}`",
    label = "expected `&DistributedArray<{T}, {D}>`, or `&Array<{T}, {D}>` that all ranks have"
)]
pub trait Given<'a, M: Arrangement, T: Element, D: Rank> {
    /// The input that it is.
    fn given(self) -> M::Input<'a, T, D>;
}
