//! `run_on`: what a rank does of a kernel. It sends the rows that others read, computes the interior of its part, waits for the
//! rows of others, and computes what is around the interior.
use crate::array::{DistributedArray, lengths};
use crate::error::Error;
use crate::exchange::{self, pick, zeros};
use crate::fixed::MeshOf;
use crate::mesh::Mesh;
use crate::message::Reader;
use crate::plan::Plan;
use std::fmt::Debug;
use std::ops::Range;
use systolic::__private::{Arrangement, Call, Given, Outline, Parts, Relays};
use systolic::ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dim, Slice};
use systolic::{Element, Rank};

/// An input of `run_on`.
#[doc(hidden)]
pub enum Input<'a, T: Element, D: Rank> {
    /// Every rank has its part.
    Part(&'a DistributedArray<T, D>),
    /// Every rank has all of it.
    Whole(ArrayView<'a, T, D>),
}

/// An input of a call that has begun.
#[doc(hidden)]
pub struct Arriving<'a, T: Element, D: Rank> {
    input: Input<'a, T, D>,
    /// The messages of other ranks, when this rank has waited for them: one by rank.
    messages: Option<Vec<Option<Reader>>>,
    /// The rows of the current piece, if they had to be collected.
    local: Option<Array<T, D>>,
}

/// An output of which some pieces are computed.
#[doc(hidden)]
pub struct Growing<T: Element, D: Rank> {
    part: Array<T, D>,
    /// The current piece, if it is computed elsewhere because rows beside it are stored too.
    piece: Option<Array<T, D>>,
}

impl Arrangement for Mesh {
    const DIMENSIONS: usize = 0;
    type Input<'a, T: Element, D: Rank> = Input<'a, T, D>;
    type Arriving<'a, T: Element, D: Rank> = Arriving<'a, T, D>;
    type Growing<T: Element, D: Rank> = Growing<T, D>;
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
        parts: (&'static Parts, &'static Relays),
        call: Result<Call, systolic::Error>,
        inputs: &[Outline<'_>],
        values: &[&dyn Debug],
    ) -> Result<Plan<'m>, Error> {
        match Plan::new(self, parts, call, inputs) {
            Ok(mut plan) => {
                // If the ranks do not agree, nothing has begun that could fail.
                let open = std::mem::take(&mut plan.open);
                self.agree(Ok(plan.call(values)))?;
                plan.open = open;
                Ok(plan)
            }
            Err(error) => {
                self.agree(Err(error.clone()))?;
                Err(error)
            }
        }
    }

    // As in the trait, the lifetime is a parameter of the function and not of its type: hence the bound.
    fn send<'a: 'a, T: Element, D: Rank>(
        plan: &Plan<'_>,
        k: usize,
        input: Input<'a, T, D>,
    ) -> Result<Arriving<'a, T, D>, Error> {
        if let Input::Part(array) = &input {
            exchange::send(plan.mesh, array.shape(), array.part(), |rank| plan.wanted(k, rank))?;
        }
        Ok(Arriving { input, messages: None, local: None })
    }

    fn room<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Growing<T, D>, Error> {
        let part = plan.mesh.part(&plan.outputs[k], plan.mesh.rank());
        Ok(Growing { part: plan.mesh.array(&lengths(&part))?, piece: None })
    }

    fn next(plan: &mut Plan<'_>) -> bool {
        plan.advance()
    }

    fn local<'i, T: Element, D: Rank>(
        plan: &Plan<'_>,
        k: usize,
        arriving: &'i mut Arriving<'_, T, D>,
    ) -> Result<ArrayView<'i, T, D>, Error> {
        let Arriving { input, messages, local } = arriving;
        let input = &*input;
        let (mesh, (shape, _)) = (plan.mesh, &plan.inputs[k]);
        let Some(piece) = plan.piece() else { return Err(none()) };
        let wanted = piece.wanted(&plan.dimensions, k, shape);
        // Messages arrive in the order in which they were sent: all halos come before the first values that are carried.
        if let (Input::Part(_), Some(_), None) = (input, plan.pipeline, &messages) {
            *messages = Some(exchange::receive(mesh, shape, &plan.wanted(k, mesh.rank()))?);
        }
        let (own, rows) = match input {
            Input::Whole(array) => (array.view(), shape.iter().map(|length| 0..*length).collect()),
            Input::Part(array) => (array.part(), array.ranges()),
        };
        let slice = exchange::slice(&own, &rows, &wanted);
        let collected = match input {
            _ if slice.is_some() => None,
            Input::Whole(array) => Some(pick(array.view(), &wanted)?),
            Input::Part(array) => {
                if messages.is_none() {
                    *messages = Some(exchange::receive(mesh, shape, &plan.wanted(k, mesh.rank()))?);
                }
                let messages = messages.as_deref_mut().unwrap_or_default();
                Some(exchange::collect(mesh, shape, array.part(), &wanted, messages)?)
            }
        };
        if plan.is_last() {
            messages.take().into_iter().flatten().flatten().try_for_each(Reader::end)?;
        }
        *local = collected;
        // One of the two is there.
        slice.or_else(|| local.as_ref().map(|local| local.view())).ok_or_else(none)
    }

    fn place<'o, T: Element, D: Rank>(
        plan: &Plan<'_>,
        k: usize,
        output: &'o mut Growing<T, D>,
    ) -> Result<ArrayViewMut<'o, T, D>, Error> {
        let (stored, part) = (stored(plan, k)?, plan.mesh.part(&plan.outputs[k], plan.mesh.rank()));
        let Some(piece) = plan.piece() else { return Err(none()) };
        let lies_in =
            |(rows, part): (&Range<i64>, &Range<usize>)| rows.start >= part.start as i64 && rows.end <= part.end as i64;
        let is_kept =
            |(rows, kept): (&Range<i64>, &Range<usize>)| (rows.start, rows.end) == (kept.start as i64, kept.end as i64);
        // What the interior stores beside its rows is overwritten by the pieces around it.
        let is_harmless = plan.is_first() || stored.iter().zip(&piece.rows[k]).all(is_kept);
        if is_harmless && stored.iter().zip(&part).all(lies_in) {
            let ranges = relative(&stored, part.iter().map(|rows| rows.start as i64));
            return Ok(output.part.slice_each_axis_mut(|axis| slice(&ranges, axis.axis)));
        }
        let shape: Vec<usize> = stored.iter().map(|rows| (rows.end - rows.start) as usize).collect();
        Ok(output.piece.insert(zeros(&shape)?).view_mut())
    }

    fn keep<T: Element, D: Rank>(plan: &Plan<'_>, k: usize, output: &mut Growing<T, D>) -> Result<(), Error> {
        let Some(computed) = output.piece.take() else { return Ok(()) };
        let (stored, part) = (stored(plan, k)?, plan.mesh.part(&plan.outputs[k], plan.mesh.rank()));
        let Some(piece) = plan.piece() else { return Err(none()) };
        let kept: Vec<Range<i64>> = piece.rows[k].iter().map(|rows| rows.start as i64..rows.end as i64).collect();
        if kept.iter().any(Range::is_empty) {
            return Ok(());
        }
        let from = relative(&kept, stored.iter().map(|rows| rows.start));
        let to = relative(&kept, part.iter().map(|rows| rows.start as i64));
        if from.iter().zip(computed.shape()).any(|(rows, length)| rows.end > *length) {
            let why = format!("a piece of the shape {:?} has no rows {from:?}", computed.shape());
            return Err(Error::Array { why });
        }
        let from = computed.slice_each_axis(|axis| slice(&from, axis.axis));
        output.part.slice_each_axis_mut(|axis| slice(&to, axis.axis)).assign(&from);
        Ok(())
    }

    fn relay(plan: &Plan<'_>) -> Option<usize> {
        plan.pipeline.map(|pipeline| pipeline.axis)
    }

    fn windows(plan: &Plan<'_>) -> [usize; 4] {
        let (Some(pipeline), Some(piece)) = (plan.pipeline, plan.piece()) else { return [1; 4] };
        let (of, place) = (&plan.dimensions[pipeline.axis], plan.mesh.place(plan.mesh.rank())[pipeline.axis]);
        pipeline.windows(piece, of, &plan.outputs, place)
    }

    fn take<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Array<T, D>, Error> {
        let mut taken = Self::room_to_give::<T, D>(plan, k)?;
        if let (Some(from), _) = plan.neighbours() {
            let mut message = plan.mesh.receive(from)?;
            message.elements(taken.view_mut()).and_then(|()| message.end())?;
        }
        Ok(taken)
    }

    fn room_to_give<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Array<T, D>, Error> {
        let (Some(pipeline), Some(piece)) = (plan.pipeline, plan.piece()) else { return Err(none()) };
        zeros(&pipeline.shape(k, piece, &plan.dimensions, &plan.sizes))
    }

    fn room_to_hold<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Array<T, D>, Error> {
        let (Some(pipeline), Some(piece)) = (plan.pipeline, plan.any_piece()) else { return Err(none()) };
        zeros(&pipeline.held_shape(k, piece, &plan.dimensions, &plan.sizes))
    }

    fn give<T: Element, D: Rank>(plan: &Plan<'_>, _: usize, values: Array<T, D>) -> Result<(), Error> {
        let (_, Some(to)) = plan.neighbours() else { return Ok(()) };
        let mut message = plan.mesh.message();
        message.elements(values.view());
        plan.mesh.send(to, message)
    }

    fn output<T: Element, D: Rank>(plan: &mut Plan<'_>, k: usize, output: Growing<T, D>) -> DistributedArray<T, D> {
        plan.open -= 1;
        DistributedArray::of_part(plan.mesh, plan.outputs[k].clone(), output.part)
    }
}

/// The rows of the whole that the current piece stores of output `k`.
fn stored(plan: &Plan<'_>, k: usize) -> Result<Vec<Range<i64>>, Error> {
    plan.piece().map(|piece| piece.stored(&plan.dimensions, k, &plan.outputs[k])).ok_or_else(none)
}

/// The error for rows of a piece when there is no piece; emitted code does not ask then.
fn none() -> Error {
    Error::Array { why: "there is no further piece of the call".to_string() }
}

/// Ranges, counted from other beginnings.
fn relative(rows: &[Range<i64>], begins: impl Iterator<Item = i64>) -> Vec<Range<usize>> {
    let at = |row: i64, begin: i64| usize::try_from(row - begin).unwrap_or(usize::MAX);
    rows.iter().zip(begins).map(|(rows, begin)| at(rows.start, begin)..at(rows.end, begin)).collect()
}

fn slice(ranges: &[Range<usize>], Axis(k): Axis) -> Slice {
    Slice::from(ranges[k].clone())
}

/// What may be given to a mesh: one whose number of dimensions the type has, or not.
macro_rules! given {
    ([$($generic:tt)*] $mesh:ty) => {
        impl<'a, T: Element, D: Rank, $($generic)*> Given<'a, $mesh, T, D> for &'a DistributedArray<T, D> {
            fn given(self) -> Input<'a, T, D> {
                Input::Part(self)
            }
        }

        impl<'a, T: Element, D: Rank, $($generic)*> Given<'a, $mesh, T, D> for &'a Array<T, D> {
            fn given(self) -> Input<'a, T, D> {
                Input::Whole(self.view())
            }
        }

        impl<'a, T: Element, D: Rank, $($generic)*> Given<'a, $mesh, T, D> for ArrayView<'a, T, D> {
            fn given(self) -> Input<'a, T, D> {
                Input::Whole(self)
            }
        }

        impl<'a, T: Element, $($generic)*> Given<'a, $mesh, T, Dim<[usize; 1]>> for &'a [T] {
            fn given(self) -> Input<'a, T, Dim<[usize; 1]>> {
                Input::Whole(self.into())
            }
        }

        impl<'a, T: Element, $($generic)*> Given<'a, $mesh, T, Dim<[usize; 1]>> for &'a Vec<T> {
            fn given(self) -> Input<'a, T, Dim<[usize; 1]>> {
                Input::Whole(self.as_slice().into())
            }
        }

        impl<'a, T: Element, const N: usize, $($generic)*> Given<'a, $mesh, T, Dim<[usize; 1]>> for &'a [T; N] {
            fn given(self) -> Input<'a, T, Dim<[usize; 1]>> {
                Input::Whole(self.as_slice().into())
            }
        }
    };
}

given!([] Mesh);
given!([const DIMS: usize] MeshOf<DIMS>);
