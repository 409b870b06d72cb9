//! A mesh whose number of dimensions is part of its type, so that rustc refuses kernels that cannot be cut along them.
use crate::error::Error;
use crate::mesh::Mesh;
use crate::plan::Plan;
use crate::run::{Arriving, Growing, Input};
use crate::transport::Transport;
use std::fmt::Debug;
use std::ops::Deref;
use systolic::__private::{Arrangement, Call, Outline, Parts, Relays};
use systolic::ndarray::{Array, ArrayView, ArrayViewMut};
use systolic::{Element, Rank};

/// A [`Mesh`] of `DIMS` dimensions. `run_on` of a kernel that cannot be cut along one of them is an error when the program is
/// built; with a [`Mesh`] it is one when the program runs. In all else it is a [`Mesh`].
#[derive(Clone, Debug)]
pub struct MeshOf<const DIMS: usize> {
    mesh: Mesh,
}

impl<const DIMS: usize> MeshOf<DIMS> {
    /// Arranges the ranks of a transport, as [`Mesh::new`] does.
    ///
    /// # Errors
    ///
    /// Fails as [`Mesh::new`] does.
    pub fn new(transport: impl Transport + 'static, shape: [usize; DIMS]) -> Result<MeshOf<DIMS>, Error> {
        Ok(MeshOf { mesh: Mesh::new(transport, &shape)? })
    }
}

impl<const DIMS: usize> Deref for MeshOf<DIMS> {
    type Target = Mesh;

    fn deref(&self) -> &Mesh {
        &self.mesh
    }
}

impl<const DIMS: usize> Arrangement for MeshOf<DIMS> {
    const DIMENSIONS: usize = DIMS;
    type Input<'a, T: Element, D: Rank> = Input<'a, T, D>;
    type Arriving<'a, T: Element, D: Rank> = Arriving<'a, T, D>;
    type Growing<T: Element, D: Rank> = Growing<T, D>;
    type Array<T: Element, D: Rank> = crate::DistributedArray<T, D>;
    type Plan<'m> = Plan<'m>;
    type Error = Error;

    fn outline<'a, T: Element, D: Rank>(input: &'a Input<'_, T, D>) -> Outline<'a> {
        Mesh::outline(input)
    }

    fn plan<'m>(
        &'m self,
        parts: (&'static Parts, &'static Relays),
        call: Result<Call, systolic::Error>,
        inputs: &[Outline<'_>],
        values: &[&dyn Debug],
    ) -> Result<Plan<'m>, Error> {
        Arrangement::plan(&self.mesh, parts, call, inputs, values)
    }

    // As in the trait, the lifetime is a parameter of the function and not of its type: hence the bound.
    fn send<'a: 'a, T: Element, D: Rank>(
        plan: &Plan<'_>,
        k: usize,
        input: Input<'a, T, D>,
    ) -> Result<Arriving<'a, T, D>, Error> {
        <Mesh as Arrangement>::send(plan, k, input)
    }

    fn room<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Growing<T, D>, Error> {
        <Mesh as Arrangement>::room(plan, k)
    }

    fn next(plan: &mut Plan<'_>) -> bool {
        <Mesh as Arrangement>::next(plan)
    }

    fn local<'i, T: Element, D: Rank>(
        plan: &Plan<'_>,
        k: usize,
        input: &'i mut Arriving<'_, T, D>,
    ) -> Result<ArrayView<'i, T, D>, Error> {
        <Mesh as Arrangement>::local(plan, k, input)
    }

    fn place<'o, T: Element, D: Rank>(
        plan: &Plan<'_>,
        k: usize,
        output: &'o mut Growing<T, D>,
    ) -> Result<ArrayViewMut<'o, T, D>, Error> {
        <Mesh as Arrangement>::place(plan, k, output)
    }

    fn keep<T: Element, D: Rank>(plan: &Plan<'_>, k: usize, output: &mut Growing<T, D>) -> Result<(), Error> {
        <Mesh as Arrangement>::keep(plan, k, output)
    }

    fn relay(plan: &Plan<'_>) -> Option<usize> {
        <Mesh as Arrangement>::relay(plan)
    }

    fn windows(plan: &Plan<'_>) -> [usize; 4] {
        <Mesh as Arrangement>::windows(plan)
    }

    fn take<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Array<T, D>, Error> {
        <Mesh as Arrangement>::take(plan, k)
    }

    fn room_to_give<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Array<T, D>, Error> {
        <Mesh as Arrangement>::room_to_give(plan, k)
    }

    fn room_to_hold<T: Element, D: Rank>(plan: &Plan<'_>, k: usize) -> Result<Array<T, D>, Error> {
        <Mesh as Arrangement>::room_to_hold(plan, k)
    }

    fn give<T: Element, D: Rank>(plan: &Plan<'_>, k: usize, values: Array<T, D>) -> Result<(), Error> {
        <Mesh as Arrangement>::give(plan, k, values)
    }

    fn output<T: Element, D: Rank>(plan: &mut Plan<'_>, k: usize, output: Growing<T, D>) -> Self::Array<T, D> {
        <Mesh as Arrangement>::output(plan, k, output)
    }
}
