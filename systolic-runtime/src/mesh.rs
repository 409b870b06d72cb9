//! What a kernel tells of itself so that it can run in parts, and the trait that emitted code calls for it.
//! `systolic-mesh` implements the trait; nothing here knows of ranks or messages.
use crate::call::Call;
use crate::error::Error;
use crate::form::Form;
use crate::gpu::{Element, Rank};
use ndarray::{Array, ArrayView, ArrayViewMut};
use std::fmt::Debug;

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

/// How ranks run a kernel whose values are carried along an axis: as a pipeline, in which each takes values of the one before. They run
/// a kernel that has more inputs and outputs, `systolic_compiler::relay`.
#[derive(Clone, Copy, Debug)]
pub struct Relay {
    /// How the axis is cut. Other axes are cut as without a relay.
    pub split: Split,
    /// What ranks take and give.
    pub carrying: Carrying,
    /// How a rank runs its part in chunks.
    pub chunks: Option<Chunks>,
}

/// What is taken and given along a loop.
#[derive(Clone, Copy, Debug)]
pub struct Carrying {
    /// Whether later iterations come first.
    pub is_backward: bool,
    /// How many iterations are carried.
    pub reach: i64,
    /// The least value of the loop.
    pub lowest: i64,
    /// The lengths of the arrays that are carried, as forms of the sizes of a part.
    pub carried: &'static [&'static [Form]],
}

/// How a part is run in chunks of another loop, so that the next rank can begin after the first of them.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// How the loop is cut, without outputs.
    pub split: Split,
    /// What a chunk stores of every output.
    pub stored: &'static [Stored],
    /// The least number of iterations of a chunk.
    pub least: i64,
    /// What a chunk takes of the one before.
    pub carrying: Option<Carrying>,
}

/// What a chunk stores of an output.
#[derive(Clone, Copy, Debug)]
pub enum Stored {
    /// The rows along this axis.
    Rows(Along),
    /// All of it, if the chunk is the first one.
    First,
    /// All of it, if the chunk is the last one.
    Last,
}

/// How a kernel runs as a pipeline along each of the leading axes, or why it does not.
pub type Relays = [Result<Relay, &'static str>; 3];

/// An input before a call: its shape, and the mesh that it is distributed over.
#[derive(Clone, Copy, Debug)]
pub struct Outline<'a> {
    /// The shape of the whole array.
    pub shape: &'a [usize],
    /// The number of the mesh; `None` if every rank has the whole array.
    pub mesh: Option<u64>,
}

/// An arrangement of ranks that run a kernel in parts. A rank computes its part in pieces: the interior, which needs nothing of
/// other ranks, while halos travel, then the rest.
pub trait Arrangement {
    /// How many dimensions the type says that there are; 0 if only a call knows.
    const DIMENSIONS: usize;
    /// An input: distributed, or whole on every rank.
    type Input<'a, T: Element, D: Rank>;
    /// An input of a call that has begun: its halo is on its way.
    type Arriving<'a, T: Element, D: Rank>;
    /// This rank's part of an output, of which some pieces are computed.
    type Growing<T: Element, D: Rank>;
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

    /// Plans the call. Fails on all ranks if it fails on one, or if the calls differ. `call` has the sizes of the whole,
    /// `values` the arguments that are no arrays.
    fn plan<'m>(
        &'m self,
        parts: (&'static Parts, &'static Relays),
        call: Result<Call, Error>,
        inputs: &[Outline<'_>],
        values: &[&dyn Debug],
    ) -> Result<Self::Plan<'m>, Self::Error>;

    /// Sends the rows of array parameter `k` that others read. Does not wait for theirs.
    fn send<'a, T: Element, D: Rank>(
        plan: &Self::Plan<'_>,
        k: usize,
        input: Self::Input<'a, T, D>,
    ) -> Result<Self::Arriving<'a, T, D>, Self::Error>;

    /// Room for this rank's part of output `k`.
    fn room<T: Element, D: Rank>(plan: &Self::Plan<'_>, k: usize) -> Result<Self::Growing<T, D>, Self::Error>;

    /// Goes on to the next piece; returns whether there is one.
    fn next(plan: &mut Self::Plan<'_>) -> bool;

    /// What the piece reads of array parameter `k`. Waits for rows of other ranks if the piece needs some.
    fn local<'i, T: Element, D: Rank>(
        plan: &Self::Plan<'_>,
        k: usize,
        input: &'i mut Self::Arriving<'_, T, D>,
    ) -> Result<ArrayView<'i, T, D>, Self::Error>;

    /// Where the piece of output `k` is computed.
    fn place<'o, T: Element, D: Rank>(
        plan: &Self::Plan<'_>,
        k: usize,
        output: &'o mut Self::Growing<T, D>,
    ) -> Result<ArrayViewMut<'o, T, D>, Self::Error>;

    /// Keeps the rows of the piece, without what was computed beside them.
    fn keep<T: Element, D: Rank>(
        plan: &Self::Plan<'_>,
        k: usize,
        output: &mut Self::Growing<T, D>,
    ) -> Result<(), Self::Error>;

    /// The axis along which ranks take values of each other; `None` if no value is carried from part to part.
    fn relay(_plan: &Self::Plan<'_>) -> Option<usize> {
        None
    }

    /// Where the iterations begin that the piece takes, and those that it gives: along the axis, then along the loop of its chunks.
    fn windows(_plan: &Self::Plan<'_>) -> [usize; 4] {
        [1; 4]
    }

    /// Room for the values of carried array `k` that a piece holds for the next piece.
    fn room_to_hold<T: Element, D: Rank>(_plan: &Self::Plan<'_>, _k: usize) -> Result<Array<T, D>, Self::Error> {
        Ok(Array::default(D::zeros(D::NDIM.unwrap_or(0))))
    }

    /// The values of carried array `k` that the piece takes. Waits for the rank before.
    fn take<T: Element, D: Rank>(_plan: &Self::Plan<'_>, _k: usize) -> Result<Array<T, D>, Self::Error> {
        Ok(Array::default(D::zeros(D::NDIM.unwrap_or(0))))
    }

    /// Room for the values of carried array `k` that the piece gives.
    fn room_to_give<T: Element, D: Rank>(_plan: &Self::Plan<'_>, _k: usize) -> Result<Array<T, D>, Self::Error> {
        Ok(Array::default(D::zeros(D::NDIM.unwrap_or(0))))
    }

    /// Gives the values of carried array `k` to the next rank.
    fn give<T: Element, D: Rank>(_plan: &Self::Plan<'_>, _k: usize, _values: Array<T, D>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Output `k` when all pieces are there.
    fn output<T: Element, D: Rank>(
        plan: &mut Self::Plan<'_>,
        k: usize,
        output: Self::Growing<T, D>,
    ) -> Self::Array<T, D>;
}

/// Stops the build if a kernel cannot be cut along one of the dimensions that the type of a mesh has. `refusals` says per
/// dimension why not.
pub const fn can_be_cut<M: Arrangement>(refusals: [Option<&'static str>; 3]) {
    let mut k = 0;
    while k < refusals.len() && k < M::DIMENSIONS {
        if let Some(why) = refusals[k] {
            panic!("{}", why);
        }
        k += 1;
    }
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
