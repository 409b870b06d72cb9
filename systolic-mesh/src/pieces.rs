//! The pieces in which a rank computes its part of the outputs.
//!
//! The interior reads only rows that the rank has, so it is computed while halos travel. Around it lie at most two slabs per
//! dimension of the mesh, which need halos: of a part in two dimensions
//!
//! ```text
//! 1 1 1 1
//! 3 0 0 4
//! 2 2 2 2
//! ```
use crate::cut::{self, Interval};
use std::ops::Range;
use systolic::__private::{Chunks, Split, Stored};

/// Rows of all outputs that are computed by one run of the kernel.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Per dimension of the mesh, the iterations that are run.
    pub intervals: Vec<Interval>,
    /// Per output and axis, the rows of the whole that are kept.
    pub rows: Vec<Vec<Range<usize>>>,
    /// The chunk that is run, in a pipeline.
    pub chunk: Option<Chunk>,
}

/// Iterations of a loop that the mesh does not cut, which are run by themselves.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    /// How the loop is cut.
    pub how: &'static Chunks,
    /// The iterations that are run.
    pub interval: Interval,
    /// Where the iterations begin that are taken of the chunk before, if there are some, and those that are given.
    pub windows: [Option<i64>; 2],
}

/// One dimension of a mesh in a call, and the place of a rank along it.
#[derive(Clone, Debug)]
pub struct Dimension {
    /// How the kernel is cut.
    pub split: Split,
    /// The size of the whole.
    pub size: i64,
    /// How many ranks there are along this dimension.
    pub ranks: usize,
}

/// The rows of an array that a rank has, per axis, if the array is distributed.
pub type Own = Option<Vec<Range<usize>>>;

impl Piece {
    /// The piece with these rows. `Err` says why the ends of a dimension cannot be treated so.
    fn new(dimensions: &[Dimension], rows: Vec<Vec<Range<usize>>>) -> Result<Piece, (usize, String)> {
        let interval = |(axis, of): (usize, &Dimension)| {
            if of.ranks <= 1 {
                return Ok(Interval { begin: 0, size: of.size });
            }
            let along: Vec<Range<usize>> = rows.iter().map(|rows| rows[axis].clone()).collect();
            cut::covering(&of.split, of.size, &along).map_err(|why| (axis, why))
        };
        let intervals = dimensions.iter().enumerate().map(interval).collect::<Result<Vec<_>, _>>()?;
        Ok(Piece { intervals, rows, chunk: None })
    }

    /// Whether the rows of some output are none.
    fn is_empty(&self) -> bool {
        self.rows.iter().all(|rows| rows.iter().any(Range::is_empty))
    }

    /// How many elements are kept.
    fn elements(&self) -> usize {
        self.rows.iter().map(|rows| rows.iter().map(Range::len).product::<usize>()).sum()
    }

    /// The rows of the whole that a run stores of output `k`, of which `shape` is the whole.
    pub fn stored(&self, dimensions: &[Dimension], k: usize, shape: &[usize]) -> Vec<Range<i64>> {
        let mut stored: Vec<Range<i64>> = shape.iter().map(|length| 0..*length as i64).collect();
        for (of, interval) in dimensions.iter().zip(&self.intervals).filter(|(of, _)| of.ranks > 1) {
            let along = of.split.outputs[k];
            let begin = along.stride * interval.begin;
            stored[along.axis] = begin..begin + (along.stride * interval.size + along.rest).max(0);
        }
        if let Some(Chunk { how, interval, .. }) = &self.chunk
            && let Some(Stored::Rows(along)) = how.stored.get(k)
        {
            let begin = along.stride * interval.begin;
            stored[along.axis] = begin..begin + (along.stride * interval.size + along.rest).max(0);
        }
        stored
    }

    /// The rows of the whole that a run reads of input `k`, of which `shape` is the whole, in order.
    pub fn wanted(&self, dimensions: &[Dimension], k: usize, shape: &[usize]) -> Vec<Vec<usize>> {
        let mut wanted: Vec<Vec<usize>> = shape.iter().map(|length| (0..*length).collect()).collect();
        let cut = dimensions.iter().zip(&self.intervals).filter(|(of, _)| of.ranks > 1);
        let cut = cut.map(|(of, interval)| (&of.split, interval));
        for (split, interval) in cut.chain(self.chunk.iter().map(|chunk| (&chunk.how.split, &chunk.interval))) {
            if let Some(Some(along)) = split.inputs.get(k)
                && let Some(length) = shape.get(along.axis)
            {
                wanted[along.axis] = cut::rows(along, *length, *interval);
            }
        }
        wanted
    }
}

/// All rows that a rank has of the outputs as one piece.
pub fn undivided(dimensions: &[Dimension], outputs: &[Vec<Range<usize>>]) -> Result<Piece, (usize, String)> {
    Piece::new(dimensions, outputs.to_vec())
}

/// The pieces of a rank that has these rows of outputs and of inputs: the interior first, then what is around it. One piece is
/// all of it if there is no interior. `Err` has the dimension along which the kernel cannot be cut, and why.
pub fn pieces(
    dimensions: &[Dimension],
    outputs: &[Vec<Range<usize>>],
    inputs: &[Own],
) -> Result<Vec<Piece>, (usize, String)> {
    let whole = undivided(dimensions, outputs)?;
    let mut rest = outputs.to_vec();
    let mut around = Vec::new();
    for (axis, of) in dimensions.iter().enumerate().filter(|(_, of)| of.ranks > 1) {
        let own = |rows: &Vec<Range<usize>>| rows[axis].clone();
        let all: Vec<Range<usize>> = outputs.iter().map(own).collect();
        let Some(inner) = inner(of, &all, inputs)? else { return Ok(vec![whole]) };
        let mut sides = [rest.clone(), rest.clone()];
        for (k, inner) in inner.into_iter().enumerate() {
            sides[0][k][axis] = rest[k][axis].start..inner.start;
            sides[1][k][axis] = inner.end..rest[k][axis].end;
            rest[k][axis] = inner;
        }
        for side in sides {
            around.push(Piece::new(dimensions, side)?);
        }
    }
    let interior = Piece::new(dimensions, rest)?;
    if interior.is_empty() || !reads_own(dimensions, &interior, inputs) {
        return Ok(vec![whole]);
    }
    let mut pieces = vec![interior];
    pieces.extend(around.into_iter().filter(|piece| !piece.is_empty()));
    Ok(pieces)
}

/// Whether the interior is worth a run of its own: it is at least as large as all that is around it.
pub fn is_worth(pieces: &[Piece]) -> bool {
    let Some((interior, around)) = pieces.split_first() else { return true };
    interior.elements() >= around.iter().map(Piece::elements).sum()
}

/// The largest range of rows of every output, of those that a rank has along a dimension, for which it reads only its own rows.
fn inner(of: &Dimension, own: &[Range<usize>], inputs: &[Own]) -> Result<Option<Vec<Range<usize>>>, (usize, String)> {
    let split = &of.split;
    let Some((mut first, mut last)) = cut::iterations(split, own) else { return Ok(None) };
    while first <= last {
        let rows = cut::complete(split, own, first, last);
        if rows.iter().all(Range::is_empty) {
            return Ok(None);
        }
        // How a piece may end was decided for all of the rank's rows.
        let Ok(interval) = cut::covering(split, of.size, &rows) else { return Ok(None) };
        let (mut more, mut less) = (0, 0);
        for (along, own) in split.inputs.iter().zip(inputs) {
            let (Some(along), Some(own)) = (along, own) else { continue };
            let own = own[along.axis].start as i64..own[along.axis].end as i64;
            let begin = along.stride * interval.begin;
            let end = begin + (along.stride * interval.size + along.rest).max(0);
            more = more.max(cut::ceil(own.start - begin, along.stride));
            less = less.max(cut::ceil(end - own.end, along.stride));
        }
        if more <= 0 && less <= 0 {
            return Ok(Some(rows));
        }
        (first, last) = (first + more.max(0), last - less.max(0));
    }
    Ok(None)
}

/// Whether a piece reads only rows that the rank has.
fn reads_own(dimensions: &[Dimension], piece: &Piece, inputs: &[Own]) -> bool {
    let cut = |axis: usize| dimensions.get(axis).is_some_and(|of| of.ranks > 1);
    let is_followed = |k: usize, axis: usize| {
        dimensions.iter().zip(&piece.intervals).filter(|(of, _)| of.ranks > 1).any(|(of, interval)| {
            let Some(Some(along)) = of.split.inputs.get(k) else { return false };
            let Some(Some(own)) = inputs.get(k) else { return false };
            let begin = along.stride * interval.begin;
            let end = begin + (along.stride * interval.size + along.rest).max(0);
            along.axis == axis && begin >= own[axis].start as i64 && end <= own[axis].end as i64
        })
    };
    // An axis that the mesh cuts but the kernel does not is read as a whole.
    let is_own = |(k, own): (usize, &Own)| match own {
        Some(own) => (0..own.len()).all(|axis| !cut(axis) || is_followed(k, axis)),
        None => true,
    };
    inputs.iter().enumerate().all(is_own)
}
