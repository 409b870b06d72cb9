//! `run_on(&deal, …)`: every rank runs a kernel on its items.
//!
//! The rows of the outputs are items if the kernel can be cut along their first axis, and nothing is read of other rows: neither
//! values nor elements.
use crate::deal::{Deal, Dealt, picked};
use crate::error::Error;
use crate::exchange::zeros;
use crate::plan::{Agreed, agreed};
use std::fmt::Debug;
use systolic::__private::{Along, Arrangement, Call, Given, Outline, Parts, Relays, Split};
use systolic::ndarray::{Array, ArrayView, ArrayViewMut, Dim};
use systolic::{Element, Rank};

/// An input of `run_on`.
#[doc(hidden)]
pub enum Items<'a, T: Element, D: Rank> {
    /// Every rank has its items.
    Part(&'a Dealt<T, D>),
    /// Every rank has all of it.
    Whole(ArrayView<'a, T, D>),
    /// Every rank has all of it, and these are its items.
    Picked(Array<T, D>),
}

/// One call on this rank.
#[doc(hidden)]
pub struct Batch<'m> {
    deal: &'m Deal,
    parts: &'static Parts,
    split: Split,
    /// The shapes of the outputs with all items.
    outputs: Vec<Vec<usize>>,
    has_run: bool,
    /// How many outputs are not there yet.
    open: usize,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if self.open > 0 && !std::thread::panicking() {
            self.deal.mesh().failed(&format!("`{}`", self.parts.kernel));
        }
    }
}

/// How the items of a kernel lie in its arrays, or why its rows are no items.
fn items(deal: &Deal, parts: &'static Parts, inputs: &[Outline<'_>]) -> Result<Split, Error> {
    let refused = |why: &str| Error::Split { kernel: parts.kernel, axis: 0, why: why.to_string() };
    let split = match &parts.axes[0] {
        Ok(split) => *split,
        Err(why) => return Err(refused(why)),
    };
    let is_item = |along: &Along| (along.stride, along.rest, along.low, along.high) == (1, 0, 0, 0);
    // The last iteration of a part lies one before its end.
    let is_decided = split.before <= 0 && split.after <= 1 && split.modulus == 1;
    let is_alone = (split.behind, split.ahead) == (0, 0) && is_decided;
    if !is_alone || !split.outputs.iter().chain(split.inputs.iter().flatten()).all(is_item) {
        let l = split.loop_name;
        return Err(refused(&format!(
            "blocks: iterations of `{l}` are no items: something depends on other iterations"
        )));
    }
    for (k, input) in inputs.iter().enumerate() {
        let at_first = split.inputs.get(k).copied().flatten().is_some_and(|along| along.axis == 0);
        match input.mesh {
            Some(id) if id != deal.id() => {
                return Err(Error::Array { why: "an input was dealt otherwise".to_string() });
            }
            Some(_) if !at_first => {
                return Err(refused("rank: an input that was dealt out has no items along its first axis"));
            }
            _ => {}
        }
    }
    Ok(split)
}

impl Arrangement for Deal {
    const DIMENSIONS: usize = 1;
    type Input<'a, T: Element, D: Rank> = Items<'a, T, D>;
    type Arriving<'a, T: Element, D: Rank> = Items<'a, T, D>;
    type Growing<T: Element, D: Rank> = Array<T, D>;
    type Array<T: Element, D: Rank> = Dealt<T, D>;
    type Plan<'m> = Batch<'m>;
    type Error = Error;

    fn outline<'a, T: Element, D: Rank>(input: &'a Items<'_, T, D>) -> Outline<'a> {
        match input {
            Items::Part(array) => Outline { shape: array.shape(), mesh: Some(array.deal().id()) },
            Items::Whole(array) => Outline { shape: array.shape(), mesh: None },
            Items::Picked(array) => Outline { shape: array.shape(), mesh: None },
        }
    }

    fn plan<'m>(
        &'m self,
        (parts, _): (&'static Parts, &'static Relays),
        call: Result<Call, systolic::Error>,
        inputs: &[Outline<'_>],
        values: &[&dyn Debug],
    ) -> Result<Batch<'m>, Error> {
        let planned = call.map_err(Error::from).and_then(|call| {
            let split = items(self, parts, inputs)?;
            let outputs: Vec<Vec<usize>> = (0..call.array_names().1.len()).map(|k| call.shape(k)).collect();
            let rows = outputs.first().and_then(|shape| shape.first()).copied().unwrap_or(0);
            if rows != self.count() {
                let why =
                    format!("`{}` has {rows} rows of results, but there are {} items", parts.kernel, self.count());
                return Err(Error::Array { why });
            }
            Ok((split, outputs))
        });
        let shapes: Vec<(Vec<usize>, bool)> =
            inputs.iter().map(|input| (input.shape.to_vec(), input.mesh.is_some())).collect();
        let line = |outputs: &[Vec<usize>]| {
            let how = format!("for {} items", self.count());
            agreed(&Agreed { parts, inputs: &shapes, outputs, values, how: &how })
        };
        self.mesh().agree(planned.as_ref().map(|(_, outputs)| line(outputs)).map_err(Clone::clone))?;
        let (split, outputs) = planned?;
        let open = outputs.len();
        Ok(Batch { deal: self, parts, split, outputs, has_run: false, open })
    }

    // As in the trait, the lifetime is a parameter of the function and not of its type: hence the bound.
    fn send<'a: 'a, T: Element, D: Rank>(
        plan: &Batch<'_>,
        k: usize,
        input: Items<'a, T, D>,
    ) -> Result<Items<'a, T, D>, Error> {
        match (&input, plan.split.inputs.get(k).copied().flatten()) {
            (Items::Whole(array), Some(along)) => Ok(Items::Picked(picked(array, along.axis, plan.deal.items())?)),
            _ => Ok(input),
        }
    }

    fn room<T: Element, D: Rank>(plan: &Batch<'_>, k: usize) -> Result<Array<T, D>, Error> {
        let mut shape = plan.outputs[k].clone();
        shape[0] = plan.deal.items().len();
        zeros(&shape)
    }

    fn next(plan: &mut Batch<'_>) -> bool {
        // A rank may have no item.
        !std::mem::replace(&mut plan.has_run, true) && !plan.deal.items().is_empty()
    }

    fn local<'i, T: Element, D: Rank>(
        _: &Batch<'_>,
        _: usize,
        input: &'i mut Items<'_, T, D>,
    ) -> Result<ArrayView<'i, T, D>, Error> {
        Ok(match input {
            Items::Part(array) => array.part(),
            Items::Whole(array) => array.view(),
            Items::Picked(array) => array.view(),
        })
    }

    fn place<'o, T: Element, D: Rank>(
        _: &Batch<'_>,
        _: usize,
        output: &'o mut Array<T, D>,
    ) -> Result<ArrayViewMut<'o, T, D>, Error> {
        Ok(output.view_mut())
    }

    fn keep<T: Element, D: Rank>(_: &Batch<'_>, _: usize, _: &mut Array<T, D>) -> Result<(), Error> {
        Ok(())
    }

    fn output<T: Element, D: Rank>(plan: &mut Batch<'_>, k: usize, output: Array<T, D>) -> Dealt<T, D> {
        plan.open -= 1;
        Dealt::of_part(plan.deal, plan.outputs[k].clone(), output)
    }
}

impl<'a, T: Element, D: Rank> Given<'a, Deal, T, D> for &'a Dealt<T, D> {
    fn given(self) -> Items<'a, T, D> {
        Items::Part(self)
    }
}

impl<'a, T: Element, D: Rank> Given<'a, Deal, T, D> for &'a Array<T, D> {
    fn given(self) -> Items<'a, T, D> {
        Items::Whole(self.view())
    }
}

impl<'a, T: Element, D: Rank> Given<'a, Deal, T, D> for ArrayView<'a, T, D> {
    fn given(self) -> Items<'a, T, D> {
        Items::Whole(self)
    }
}

impl<'a, T: Element> Given<'a, Deal, T, Dim<[usize; 1]>> for &'a [T] {
    fn given(self) -> Items<'a, T, Dim<[usize; 1]>> {
        Items::Whole(self.into())
    }
}

impl<'a, T: Element> Given<'a, Deal, T, Dim<[usize; 1]>> for &'a Vec<T> {
    fn given(self) -> Items<'a, T, Dim<[usize; 1]>> {
        Items::Whole(self.as_slice().into())
    }
}
