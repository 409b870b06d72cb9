//! Moves boxes of arrays between ranks: every rank gets the rows that it reads, wherever they are.
use crate::cut::{Run, runs};
use crate::error::Error;
use crate::mesh::Mesh;
use crate::message::Reader;
use std::ops::Range;
use systolic::ndarray::{Array, Array1, ArrayBase, ArrayView, ArrayViewMut, Axis, Data, DataMut, Dimension, Slice};
use systolic::{Element, Rank};

/// The rows that a rank reads of an array: one list per axis.
pub type Wanted = Vec<Vec<usize>>;

/// Sends every other rank what its pieces read of this rank's part, in one message each. `wanted` gives the rows that the
/// pieces of any rank read; all ranks must give the same.
pub fn send<T: Element, D: Rank>(
    mesh: &Mesh,
    shape: &[usize],
    own: ArrayView<'_, T, D>,
    wanted: impl Fn(usize) -> Vec<Wanted>,
) -> Result<(), Error> {
    let (here, mine) = (mesh.rank(), mesh.part(shape, mesh.rank()));
    for rank in (0..mesh.ranks()).filter(|rank| *rank != here) {
        let boxes: Vec<Vec<Run>> = wanted(rank).iter().flat_map(|wanted| boxes(wanted, &mine)).collect();
        if boxes.is_empty() {
            continue;
        }
        let mut message = mesh.message();
        boxes.iter().for_each(|runs| message.elements(there(&own, runs, &mine)));
        mesh.send(rank, message)?;
    }
    Ok(())
}

/// Waits for the messages with what the pieces of this rank read, by rank.
pub fn receive(mesh: &Mesh, shape: &[usize], wanted: &[Wanted]) -> Result<Vec<Option<Reader>>, Error> {
    let message = |rank: usize| {
        let part = mesh.part(shape, rank);
        let is_read = rank != mesh.rank() && wanted.iter().any(|wanted| !boxes(wanted, &part).is_empty());
        if is_read { mesh.receive(rank).map(Some) } else { Ok(None) }
    };
    (0..mesh.ranks()).map(message).collect()
}

/// The rows that a piece reads: from this rank's part, and the next of the messages.
pub fn collect<T: Element, D: Rank>(
    mesh: &Mesh,
    shape: &[usize],
    own: ArrayView<'_, T, D>,
    wanted: &Wanted,
    messages: &mut [Option<Reader>],
) -> Result<Array<T, D>, Error> {
    let mut local = zeros::<T, D>(&wanted.iter().map(Vec::len).collect::<Vec<_>>())?;
    for (rank, message) in messages.iter_mut().enumerate() {
        let part = mesh.part(shape, rank);
        if rank == mesh.rank() {
            for runs in boxes(wanted, &part) {
                here_mut(&mut local, &runs).assign(&there(&own, &runs, &part));
            }
        } else if let Some(message) = message {
            for runs in boxes(wanted, &part) {
                message.elements(here_mut(&mut local, &runs))?;
            }
        }
    }
    Ok(local)
}

/// The rows that are wanted as a part of an array, which has these rows of the whole; `None` if they are not all there, one
/// after the other.
pub fn slice<'a, T: Element, D: Rank>(
    array: &ArrayView<'a, T, D>,
    rows: &[Range<usize>],
    wanted: &Wanted,
) -> Option<ArrayView<'a, T, D>> {
    let mut ranges = Vec::new();
    for (wanted, rows) in wanted.iter().zip(rows) {
        let begin = wanted.first().copied().unwrap_or(rows.start);
        let is_next = |(k, row): (usize, &usize)| *row == begin + k;
        if begin < rows.start || begin + wanted.len() > rows.end || !wanted.iter().enumerate().all(is_next) {
            return None;
        }
        ranges.push(begin - rows.start..begin - rows.start + wanted.len());
    }
    let mut part = array.clone();
    for (k, range) in ranges.into_iter().enumerate() {
        part.slice_axis_inplace(Axis(k), Slice::from(range));
    }
    Some(part)
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

/// The bytes of a cache line: stores are faster if an array begins one.
const LINE: usize = 64;

/// An array of zeros, or an error if there is too little memory.
pub fn zeros<T: Element, D: Rank>(shape: &[usize]) -> Result<Array<T, D>, Error> {
    let elements = shape.iter().fold(1u128, |product, length| product.saturating_mul(*length as u128));
    let refuse = || {
        let bytes = elements.saturating_mul(T::TYPE.bytes() as u128);
        let (memory, purpose) = (systolic::Memory::Host, "a part of a distributed array");
        Error::Kernel(systolic::Error::OutOfMemory { memory, purpose, bytes })
    };
    let count = usize::try_from(elements).ok().and_then(|count| count.checked_add(spare::<T>())).ok_or_else(refuse)?;
    // The system gives memory that is zero when it is first used, which is cheaper than to write zeros here.
    Vec::<T>::new().try_reserve_exact(count).map_err(|_| refuse())?;
    aligned(vec![T::default(); count], shape).ok_or_else(refuse)
}

/// The elements beyond its own that an array has memory for, so that it can begin a cache line.
pub fn spare<T: Element>() -> usize {
    LINE / size_of::<T>().max(1)
}

/// An array that begins at the first cache line of its memory; `None` if that is too short.
pub fn aligned<T: Element, D: Rank>(values: Vec<T>, shape: &[usize]) -> Option<Array<T, D>> {
    let first = values.as_ptr().addr().wrapping_neg() % LINE / size_of::<T>().max(1);
    let mut dim = D::zeros(shape.len());
    dim.slice_mut().copy_from_slice(shape);
    let end = first.checked_add(dim.size_checked()?)?;
    if end > values.len() {
        return None;
    }
    let mut values = Array1::from_vec(values);
    values.slice_axis_inplace(Axis(0), Slice::from(first..end));
    values.into_shape_with_order(dim).ok()
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
