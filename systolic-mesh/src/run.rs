//! `run_on`: what a rank does of a kernel.
use crate::array::{DistributedArray, lengths};
use crate::cut::{self, Interval};
use crate::error::Error;
use crate::exchange::{Wanted, pick};
use crate::mesh::Mesh;
use systolic::__private::{Arrangement, Call, Given, Outline, Parts, Split};
use systolic::ndarray::{Array, ArrayView, Axis, Dim, Dimension, Slice};
use systolic::{Element, Rank};

/// An input of `run_on`.
#[doc(hidden)]
pub enum Input<'a, T, D: Dimension> {
    /// Every rank has its part.
    Part(&'a DistributedArray<T, D>),
    /// Every rank has all of it.
    Whole(ArrayView<'a, T, D>),
}

/// One call on this rank.
#[doc(hidden)]
pub struct Plan<'m> {
    mesh: &'m Mesh,
    parts: &'static Parts,
    /// The shapes of the inputs and of the outputs.
    inputs: Vec<Vec<usize>>,
    outputs: Vec<Vec<usize>>,
    /// Per dimension of the mesh, how the kernel is cut and the iterations of every part.
    axes: Vec<(Split, Vec<Interval>)>,
    /// How many outputs are not there yet.
    open: usize,
}

impl<'m> Plan<'m> {
    fn new(
        mesh: &'m Mesh,
        parts: &'static Parts,
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
        let mut axes = Vec::new();
        for (axis, ranks) in mesh.shape().iter().enumerate() {
            let refused = |why: &str| Error::Split { kernel: parts.kernel, axis, why: why.to_string() };
            let split = match parts.axes.get(axis) {
                Some(Ok(split)) => *split,
                Some(Err(why)) => return Err(refused(why)),
                None => return Err(refused("a mesh has at most three dimensions")),
            };
            for (name, shape) in names.1.iter().zip(&outputs) {
                mesh.holds(&format!("the output `{name}`"), shape)?;
            }
            let along: Vec<usize> = outputs.iter().map(|shape| shape.get(axis).copied().unwrap_or(0)).collect();
            let size = sizes.get(split.size).copied().unwrap_or(0);
            let interval = |k| cut::interval(&split, size, &along, *ranks, k).map_err(|why| refused(&why));
            axes.push((split, (0..*ranks).map(interval).collect::<Result<Vec<_>, _>>()?));
        }
        let inputs = inputs.iter().map(|input| input.shape.to_vec()).collect();
        let open = outputs.len();
        Ok(Plan { mesh, parts, inputs, outputs, axes, open })
    }

    /// What all ranks must agree on.
    fn call(&self, inputs: &[Outline<'_>]) -> String {
        let shown = |input: &Outline<'_>| {
            let how = if input.mesh.is_some() { "distributed" } else { "whole" };
            format!("{how} {:?}", input.shape)
        };
        let inputs: Vec<String> = inputs.iter().map(shown).collect();
        let (kernel, mesh) = (self.parts.kernel, self.mesh.shape());
        format!(
            "`{kernel}` with ({}) -> {:?} on a mesh of {mesh:?}, cut as {:016x}",
            inputs.join(", "),
            self.outputs,
            digest(self.parts)
        )
    }

    /// The rows of input `k` that a rank reads.
    fn wanted(&self, k: usize, rank: usize) -> Wanted {
        let (place, shape) = (self.mesh.place(rank), &self.inputs[k]);
        let mut wanted: Wanted = shape.iter().map(|length| (0..*length).collect()).collect();
        for ((split, intervals), at) in self.axes.iter().zip(place) {
            if let Some(Some(along)) = split.inputs.get(k)
                && let Some(length) = shape.get(along.axis)
                && intervals.len() > 1
            {
                wanted[along.axis] = cut::rows(along, *length, intervals[at]);
            }
        }
        wanted
    }
}

impl Drop for Plan<'_> {
    fn drop(&mut self) {
        if self.open > 0 && !std::thread::panicking() {
            self.mesh.failed(&format!("`{}`", self.parts.kernel));
        }
    }
}

impl Arrangement for Mesh {
    type Input<'a, T: Element, D: Rank> = Input<'a, T, D>;
    type Array<T: Element, D: Rank> = DistributedArray<T, D>;
    type Plan<'m> = Plan<'m>;
    type Error = Error;

    fn outline<'a, T: Element, D: Rank>(input: &'a Input<'_, T, D>) -> Outline<'a> {
        match input {
            Input::Part(array) => Outline { shape: array.shape(), mesh: Some(array.mesh().id()) },
            Input::Whole(array) => Outline { shape: array.shape(), mesh: None },
        }
    }

    fn plan<'m>(
        &'m self,
        parts: &'static Parts,
        call: Result<Call, systolic::Error>,
        inputs: &[Outline<'_>],
    ) -> Result<Plan<'m>, Error> {
        match Plan::new(self, parts, call, inputs) {
            Ok(mut plan) => {
                // If the ranks do not agree, nothing has begun that could fail.
                let open = std::mem::take(&mut plan.open);
                self.agree(Ok(plan.call(inputs)))?;
                plan.open = open;
                Ok(plan)
            }
            Err(error) => {
                self.agree(Err(error.clone()))?;
                Err(error)
            }
        }
    }

    fn local<T: Element, D: Rank>(plan: &mut Plan<'_>, k: usize, input: Input<'_, T, D>) -> Result<Array<T, D>, Error> {
        match input {
            Input::Whole(array) => pick(array, &plan.wanted(k, plan.mesh.rank())),
            Input::Part(array) => array.fetch(|rank| plan.wanted(k, rank)),
        }
    }

    fn output<T: Element, D: Rank>(
        plan: &mut Plan<'_>,
        k: usize,
        local: Array<T, D>,
    ) -> Result<DistributedArray<T, D>, Error> {
        let (mesh, shape) = (plan.mesh, plan.outputs[k].clone());
        let (place, mut ranges) = (mesh.place(mesh.rank()), mesh.part(&shape, mesh.rank()));
        for ((split, intervals), at) in plan.axes.iter().zip(place) {
            let along = split.outputs[k];
            let range = &mut ranges[along.axis];
            // What was computed begins at this row of the whole.
            let first = along.stride * intervals[at].begin;
            let here = |row: usize| usize::try_from(row as i64 - first).unwrap_or(usize::MAX);
            *range = here(range.start)..here(range.end);
            if range.end > local.shape()[along.axis] {
                let why =
                    format!("`{}` computed {} rows, expected {range:?}", plan.parts.kernel, local.shape()[along.axis]);
                return Err(Error::Array { why });
            }
        }
        plan.open -= 1;
        let part = match lengths(&ranges) == local.shape() {
            true => local,
            false => {
                let cut = local.slice_each_axis(|axis| {
                    let Axis(k) = axis.axis;
                    Slice::from(ranges[k].clone())
                });
                cut.to_owned()
            }
        };
        Ok(DistributedArray::of_part(mesh, shape, part))
    }
}

/// A number that differs if the ways to cut a kernel differ.
fn digest(parts: &Parts) -> u64 {
    let text = format!("{:?}", parts.axes);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl<'a, T: Element, D: Rank> Given<'a, Mesh, T, D> for &'a DistributedArray<T, D> {
    fn given(self) -> Input<'a, T, D> {
        Input::Part(self)
    }
}

impl<'a, T: Element, D: Rank> Given<'a, Mesh, T, D> for &'a Array<T, D> {
    fn given(self) -> Input<'a, T, D> {
        Input::Whole(self.view())
    }
}

impl<'a, T: Element, D: Rank> Given<'a, Mesh, T, D> for ArrayView<'a, T, D> {
    fn given(self) -> Input<'a, T, D> {
        Input::Whole(self)
    }
}

impl<'a, T: Element> Given<'a, Mesh, T, Dim<[usize; 1]>> for &'a [T] {
    fn given(self) -> Input<'a, T, Dim<[usize; 1]>> {
        Input::Whole(self.into())
    }
}

impl<'a, T: Element> Given<'a, Mesh, T, Dim<[usize; 1]>> for &'a Vec<T> {
    fn given(self) -> Input<'a, T, Dim<[usize; 1]>> {
        Input::Whole(self.as_slice().into())
    }
}

impl<'a, T: Element, const N: usize> Given<'a, Mesh, T, Dim<[usize; 1]>> for &'a [T; N] {
    fn given(self) -> Input<'a, T, Dim<[usize; 1]>> {
        Input::Whole(self.as_slice().into())
    }
}
