//! One call of `run_on` on a rank: how the kernel is cut, in which pieces this rank computes its part, and what all ranks must
//! agree on.
use crate::error::Error;
use crate::exchange::Wanted;
use crate::mesh::Mesh;
use crate::pieces::{self, Dimension, Own, Piece};
use crate::pipeline::Pipeline;
use std::fmt::Debug;
use std::ops::Range;
use systolic::__private::{Call, Outline, Parts, Relays, Split};

/// One call on this rank.
#[doc(hidden)]
pub struct Plan<'m> {
    pub(crate) mesh: &'m Mesh,
    parts: &'static Parts,
    /// The shapes of the inputs, and whether they are distributed.
    pub(crate) inputs: Vec<(Vec<usize>, bool)>,
    /// The shapes of the outputs.
    pub(crate) outputs: Vec<Vec<usize>>,
    pub(crate) dimensions: Vec<Dimension>,
    /// The sizes of the whole.
    pub(crate) sizes: Vec<i64>,
    /// How values go from rank to rank, if they are carried along a dimension.
    pub(crate) pipeline: Option<Pipeline>,
    /// The pieces of this rank, and how many have begun.
    pieces: Vec<Piece>,
    begun: usize,
    /// How many outputs are not there yet.
    pub(crate) open: usize,
}

impl<'m> Plan<'m> {
    pub(crate) fn new(
        mesh: &'m Mesh,
        (parts, relays): (&'static Parts, &'static Relays),
        call: Result<Call, systolic::Error>,
        inputs: &[Outline<'_>],
    ) -> Result<Plan<'m>, Error> {
        let call = call?;
        let (sizes, names) = (call.all_sizes(), call.array_names());
        for (input, name) in inputs.iter().zip(&names.0) {
            if input.mesh.is_some_and(|id| id != mesh.id()) {
                return Err(Error::Array { why: format!("`{name}` is distributed over another mesh") });
            }
        }
        let outputs: Vec<Vec<usize>> = (0..names.1.len()).map(|k| call.shape(k)).collect();
        let pipeline = Pipeline::find(mesh, parts, relays).map_err(|(axis, why)| refused(parts, axis, &why))?;
        let mut dimensions = Vec::new();
        for (axis, ranks) in mesh.shape().iter().enumerate() {
            let split = match split_of(parts, relays, axis) {
                Ok(split) => split,
                Err(why) => return Err(refused(parts, axis, why)),
            };
            for (name, shape) in names.1.iter().zip(&outputs) {
                mesh.holds(&format!("the output `{name}`"), shape)?;
            }
            dimensions.push(Dimension { split, size: sizes.get(split.size).copied().unwrap_or(0), ranks: *ranks });
        }
        let inputs = inputs.iter().map(|input| (input.shape.to_vec(), input.mesh.is_some())).collect();
        let open = outputs.len();
        let pieces = Vec::new();
        let mut plan = Plan { mesh, parts, inputs, outputs, dimensions, sizes, pipeline, pieces, begun: 0, open };
        // Whether a part can be cut out must not depend on the rank: every rank looks at all of them.
        for rank in 0..mesh.ranks() {
            let pieces = plan.pieces(rank);
            if pieces.is_err() {
                plan.open = 0;
            }
            let pieces = pieces?;
            if rank == mesh.rank() {
                plan.pieces = pieces;
            }
        }
        Ok(plan)
    }

    /// The pieces of any rank.
    fn pieces(&self, rank: usize) -> Result<Vec<Piece>, Error> {
        let part = |shape: &Vec<usize>| self.mesh.part(shape, rank);
        let outputs: Vec<Vec<Range<usize>>> = self.outputs.iter().map(part).collect();
        if let Some(pipeline) = &self.pipeline {
            let whole = pieces::undivided(&self.dimensions, &outputs);
            let mut whole = whole.map_err(|(axis, why)| refused(self.parts, axis, &why))?;
            pipeline.extend(&mut whole, &self.dimensions, self.mesh.place(rank)[pipeline.axis]);
            let sizes = (self.sizes.as_slice(), self.outputs.as_slice());
            return Ok(pipeline.chunks(whole, &self.dimensions, sizes, self.mesh.grain()));
        }
        let inputs: Vec<Own> = self.inputs.iter().map(|(shape, spread)| spread.then(|| part(shape))).collect();
        let pieces = pieces::pieces(&self.dimensions, &outputs, &inputs);
        let pieces = pieces.map_err(|(axis, why)| refused(self.parts, axis, &why))?;
        if pieces::is_worth(&pieces) {
            return Ok(pieces);
        }
        let whole = pieces::undivided(&self.dimensions, &outputs);
        whole.map(|piece| vec![piece]).map_err(|(axis, why)| refused(self.parts, axis, &why))
    }

    /// The rows of input `k` that the pieces of a rank read.
    pub(crate) fn wanted(&self, k: usize, rank: usize) -> Vec<Wanted> {
        let pieces = if rank == self.mesh.rank() { Ok(self.pieces.clone()) } else { self.pieces(rank) };
        // All ranks were looked at when the call was planned.
        let pieces = pieces.unwrap_or_default();
        pieces.iter().map(|piece| piece.wanted(&self.dimensions, k, &self.inputs[k].0)).collect()
    }

    /// Goes on to the next piece, if there is one.
    pub(crate) fn advance(&mut self) -> bool {
        self.begun += 1;
        self.begun <= self.pieces.len()
    }

    /// The piece that is being computed.
    pub(crate) fn piece(&self) -> Option<&Piece> {
        self.pieces.get(self.begun.checked_sub(1)?)
    }

    /// The piece that is being computed, or the first one if none is yet.
    pub(crate) fn any_piece(&self) -> Option<&Piece> {
        self.pieces.get(self.begun.saturating_sub(1))
    }

    /// Whether the piece that is being computed is the first one.
    pub(crate) fn is_first(&self) -> bool {
        self.begun == 1
    }

    /// Whether it is the last one.
    pub(crate) fn is_last(&self) -> bool {
        self.begun == self.pieces.len()
    }

    /// The rank from which this one takes values, and the one to which it gives some.
    pub(crate) fn neighbours(&self) -> (Option<usize>, Option<usize>) {
        self.pipeline.map_or((None, None), |pipeline| pipeline.neighbours(self.mesh))
    }

    /// What all ranks must agree on. `values` are the arguments that are no arrays.
    pub(crate) fn call(&self, values: &[&dyn Debug]) -> String {
        let mut how = format!("on a mesh of {:?}", self.mesh.shape());
        if let Some(Pipeline { axis, relay }) = &self.pipeline {
            let relay = digest(&format!("{relay:?}"));
            let chunks = self.pieces.len();
            how += &format!(", as a pipeline along dimension {axis} in {chunks} chunks ({relay:016x})");
        }
        agreed(&Agreed { parts: self.parts, inputs: &self.inputs, outputs: &self.outputs, values, how: &how })
    }
}

/// What all ranks must agree on before a call.
pub(crate) struct Agreed<'a> {
    pub parts: &'static Parts,
    /// The shapes of the inputs, and whether they are distributed.
    pub inputs: &'a [(Vec<usize>, bool)],
    pub outputs: &'a [Vec<usize>],
    /// The arguments that are no arrays.
    pub values: &'a [&'a dyn Debug],
    /// On which mesh.
    pub how: &'a str,
}

/// The line that describes a call.
pub(crate) fn agreed(call: &Agreed<'_>) -> String {
    let shown = |(shape, spread): &(Vec<usize>, bool)| {
        let how = if *spread { "distributed" } else { "whole" };
        format!("{how} {shape:?}")
    };
    let values = call.values.iter().map(|value| short(&format!("{value:?}")));
    let arguments: Vec<String> = call.inputs.iter().map(shown).chain(values).collect();
    let (kernel, cut) = (call.parts.kernel, digest(&format!("{:?}", call.parts.axes)));
    format!("`{kernel}` with ({}) -> {:?} {}, cut as {cut:016x}", arguments.join(", "), call.outputs, call.how)
}

impl Drop for Plan<'_> {
    fn drop(&mut self) {
        if self.open > 0 && !std::thread::panicking() {
            self.mesh.failed(&format!("`{}`", self.parts.kernel));
        }
    }
}

/// How a dimension is cut in a call. One with a single rank is not cut, but it must be one that could be.
fn split_of(parts: &'static Parts, relays: &'static Relays, axis: usize) -> Result<Split, &'static str> {
    match (parts.axes.get(axis), relays.get(axis)) {
        (Some(Ok(split)), _) => Ok(*split),
        (_, Some(Ok(relay))) => Ok(relay.split),
        (_, Some(Err(why))) => Err(why),
        (_, None) => Err("a mesh has at most three dimensions"),
    }
}

fn refused(parts: &Parts, axis: usize, why: &str) -> Error {
    Error::Split { kernel: parts.kernel, axis, why: why.to_string() }
}

/// A text in a line that is not long; different texts stay different.
fn short(text: &str) -> String {
    const LONG: usize = 60;
    match text.char_indices().nth(LONG) {
        None => text.to_string(),
        Some((end, _)) => format!("{}… ({:016x})", &text[..end], digest(text)),
    }
}

/// A number that differs if texts differ.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
