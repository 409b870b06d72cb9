//! Moves boxes of arrays between ranks: every rank gets the rows that it reads, wherever they are.
use crate::cut::{Run, runs};
use crate::error::Error;
use crate::mesh::Mesh;
use std::ops::Range;
use systolic::ndarray::{Array, ArrayBase, ArrayView, ArrayViewMut, Axis, Data, DataMut, Dimension, Slice};
use systolic::{Element, Rank};

/// The rows that a rank reads of an array: one list per axis.
pub type Wanted = Vec<Vec<usize>>;

/// A part with all rows that this rank reads. `wanted` gives those of any rank; all ranks must give the same. `own` is this
/// rank's part of the array of this shape.
pub fn fetch<T: Element, D: Rank>(
    mesh: &Mesh,
    shape: &[usize],
    own: ArrayView<'_, T, D>,
    wanted: impl Fn(usize) -> Wanted,
) -> Result<Array<T, D>, Error> {
    let (here, mine) = (mesh.rank(), mesh.part(shape, mesh.rank()));
    for rank in (0..mesh.ranks()).filter(|rank| *rank != here) {
        let boxes = boxes(&wanted(rank), &mine);
        if boxes.is_empty() {
            continue;
        }
        let mut message = mesh.message();
        boxes.iter().for_each(|runs| message.elements(there(&own, runs, &mine)));
        mesh.send(rank, message)?;
    }
    let wanted = wanted(here);
    let mut local = zeros::<T, D>(&wanted.iter().map(Vec::len).collect::<Vec<_>>())?;
    for runs in boxes(&wanted, &mine) {
        here_mut(&mut local, &runs).assign(&there(&own, &runs, &mine));
    }
    for rank in (0..mesh.ranks()).filter(|rank| *rank != here) {
        let boxes = boxes(&wanted, &mesh.part(shape, rank));
        if boxes.is_empty() {
            continue;
        }
        let mut message = mesh.receive(rank)?;
        for runs in &boxes {
            message.elements(here_mut(&mut local, runs))?;
        }
        message.end()?;
    }
    Ok(local)
}

/// The rows that are wanted of an array that is whole on this rank.
pub fn pick<T: Element, D: Rank>(whole: ArrayView<'_, T, D>, wanted: &Wanted) -> Result<Array<T, D>, Error> {
    let all: Vec<Range<usize>> = whole.shape().iter().map(|length| 0..*length).collect();
    let mut local = zeros::<T, D>(&wanted.iter().map(Vec::len).collect::<Vec<_>>())?;
    for runs in boxes(wanted, &all) {
        here_mut(&mut local, &runs).assign(&there(&whole, &runs, &all));
    }
    Ok(local)
}

/// An array of zeros, or an error if there is too little memory.
pub fn zeros<T: Element, D: Rank>(shape: &[usize]) -> Result<Array<T, D>, Error> {
    let elements = shape.iter().fold(1u128, |product, length| product.saturating_mul(*length as u128));
    let refuse = || {
        let bytes = elements.saturating_mul(T::TYPE.bytes() as u128);
        let (memory, purpose) = (systolic::Memory::Host, "a part of a distributed array");
        Error::Kernel(systolic::Error::OutOfMemory { memory, purpose, bytes })
    };
    let count = usize::try_from(elements).map_err(|_| refuse())?;
    let mut values: Vec<T> = Vec::new();
    values.try_reserve_exact(count).map_err(|_| refuse())?;
    values.resize(count, T::default());
    let mut dim = D::zeros(shape.len());
    dim.slice_mut().copy_from_slice(shape);
    Array::from_shape_vec(dim, values).map_err(|_| refuse())
}

/// The boxes of what is wanted that lie in a part: one run per axis, in the order of the rows that are wanted.
fn boxes(wanted: &Wanted, part: &[Range<usize>]) -> Vec<Vec<Run>> {
    let mut boxes: Vec<Vec<Run>> = vec![Vec::new()];
    for (rows, range) in wanted.iter().zip(part) {
        let along = runs(rows, range);
        let longer =
            |first: &Vec<Run>| along.iter().map(|run| [first.as_slice(), &[*run]].concat()).collect::<Vec<_>>();
        boxes = boxes.iter().flat_map(longer).collect();
    }
    boxes
}

/// A box where it is read from: in a part that holds these rows of the whole.
fn there<'a, T: Element, S: Data<Elem = T>, D: Dimension>(
    array: &'a ArrayBase<S, D, T>,
    runs: &[Run],
    part: &[Range<usize>],
) -> ArrayView<'a, T, D> {
    array.slice_each_axis(|axis| {
        let Axis(k) = axis.axis;
        let begin = runs[k].row - part[k].start;
        Slice::from(begin..begin + runs[k].count)
    })
}

/// A box where it is written to.
fn here_mut<'a, T: Element, S: DataMut<Elem = T>, D: Dimension>(
    array: &'a mut ArrayBase<S, D, T>,
    runs: &[Run],
) -> ArrayViewMut<'a, T, D> {
    array.slice_each_axis_mut(|axis| {
        let Axis(k) = axis.axis;
        Slice::from(runs[k].at..runs[k].at + runs[k].count)
    })
}
