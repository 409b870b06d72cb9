//! Ranks as a pipeline: each takes the values of the last iterations before its own from the rank before, computes, and gives those of
//! its last iterations to the next.
//!
//! ```text
//! rank 0   0 1 2 3 4
//! rank 1         3 4 | 5 6 7 8        takes the values of 3 and 4, gives those of 7 and 8
//! rank 2                 7 8 | 9 …
//! ```
//!
//! Where the kernel allows it, a rank computes its part in chunks of another loop. It gives values after every chunk, so that the next
//! rank computes one chunk while this one computes the next. Chunks take and give values as ranks do, without messages.
use crate::cut;
use crate::mesh::Mesh;
use crate::pieces::{Chunk, Dimension, Piece};
use std::ops::Range;
use systolic::__private::{Carrying, Chunks, Form, Parts, Relay, Relays, Stored};

/// The dimension of a mesh along which values go from rank to rank in a call.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// The dimension.
    pub axis: usize,
    /// How.
    pub relay: &'static Relay,
}

impl Pipeline {
    /// The dimension along which values are carried; `None` if there is none. `Err` if there are two.
    pub fn find(
        mesh: &Mesh,
        parts: &'static Parts,
        relays: &'static Relays,
    ) -> Result<Option<Pipeline>, (usize, String)> {
        let mut found: Option<Pipeline> = None;
        for (axis, (own, relay)) in parts.axes.iter().zip(relays).enumerate() {
            let ranks = mesh.shape().get(axis).copied().unwrap_or(1);
            let (1.., Err(carried), Ok(relay)) = (ranks - 1, own, relay) else { continue };
            if let Some(first) = found {
                let why = format!(
                    "{carried}; values are carried along dimension {} too, and only one dimension of a mesh can be a pipeline (a limit)",
                    first.axis
                );
                return Err((axis, why));
            }
            found = Some(Pipeline { axis, relay });
        }
        Ok(found)
    }

    /// Extends the piece of the rank that computes first to the end at which it begins.
    pub fn extend(&self, piece: &mut Piece, dimensions: &[Dimension], place: usize) {
        let of = &dimensions[self.axis];
        let interval = &mut piece.intervals[self.axis];
        if self.relay.carrying.is_backward && place + 1 == of.ranks {
            interval.size = of.size - interval.begin;
        } else if !self.relay.carrying.is_backward && place == 0 {
            (interval.begin, interval.size) = (0, interval.begin + interval.size);
        }
    }

    /// The rank from which this one takes values, and the one to which it gives some.
    pub fn neighbours(&self, mesh: &Mesh) -> (Option<usize>, Option<usize>) {
        let (shape, place) = (mesh.shape(), mesh.place(mesh.rank())[self.axis]);
        let stride: usize = shape[self.axis + 1..].iter().product();
        let before = (place > 0).then(|| mesh.rank() - stride);
        let after = (place + 1 < shape[self.axis]).then(|| mesh.rank() + stride);
        if self.relay.carrying.is_backward { (after, before) } else { (before, after) }
    }

    /// Where the iterations begin that a piece takes, and those that it gives, as the kernel of the relay counts them. `outputs` are the
    /// shapes of the whole.
    pub fn windows(&self, piece: &Piece, of: &Dimension, outputs: &[Vec<usize>], place: usize) -> [usize; 4] {
        let Carrying { is_backward, reach, .. } = self.relay.carrying;
        // Between the parts `k` and `k + 1`.
        let between = |k: Option<usize>| {
            let k = k.filter(|k| k + 1 < of.ranks)?;
            let rows = |k: usize| -> Vec<Range<usize>> {
                outputs.iter().map(|shape| cut::part(shape[self.axis], of.ranks, k)).collect()
            };
            match is_backward {
                true => cut::iterations(&of.split, &rows(k)).map(|(_, last)| last + 1),
                false => cut::iterations(&of.split, &rows(k + 1)).map(|(first, _)| first - reach),
            }
        };
        let (before, after) = (between(place.checked_sub(1)), between(Some(place)));
        let ends = if is_backward { [after, before] } else { [before, after] };
        let begin = piece.intervals[self.axis].begin;
        let [taken, given] = ends.map(|first| counted(&self.relay.carrying, first, begin));
        let [held, next] = match &piece.chunk {
            Some(Chunk { how: Chunks { carrying: Some(carrying), .. }, interval, windows }) => {
                windows.map(|first| counted(carrying, first, interval.begin))
            }
            _ => [1, 1],
        };
        [taken, given, held, next]
    }

    /// The shape of array `k` of those that ranks carry in a piece. `sizes` are those of the whole.
    pub fn shape(&self, k: usize, piece: &Piece, dimensions: &[Dimension], sizes: &[i64]) -> Vec<usize> {
        shape(&self.relay.carrying, k, &local(piece, dimensions, sizes))
    }

    /// The same of those that chunks carry.
    pub fn held_shape(&self, k: usize, piece: &Piece, dimensions: &[Dimension], sizes: &[i64]) -> Vec<usize> {
        let carrying = self.relay.chunks.as_ref().and_then(|chunks| chunks.carrying.as_ref());
        carrying.map_or(Vec::new(), |carrying| shape(carrying, k, &local(piece, dimensions, sizes)))
    }

    /// A part in chunks, in the order in which they are run; the same for all ranks. `outputs` are the shapes of the whole, and `grain` is
    /// how many iteration points a chunk has at least.
    pub fn chunks(
        &self,
        whole: Piece,
        dimensions: &[Dimension],
        (sizes, outputs): (&[i64], &[Vec<usize>]),
        grain: i64,
    ) -> Vec<Piece> {
        let Some(how) = &self.relay.chunks else { return vec![whole] };
        let size = sizes.get(how.split.size).copied().unwrap_or(0);
        if dimensions.iter().any(|of| of.ranks > 1 && of.split.size == how.split.size) {
            return vec![whole];
        }
        let of = &dimensions[self.axis];
        let ranks = i64::try_from(of.ranks).unwrap_or(i64::MAX);
        let each =
            cut::ceil(grain, (of.size / ranks).max(1)).max(cut::ceil(size, ranks.saturating_mul(CHUNKS_PER_RANK)));
        let step = each.max(how.least).max(1);
        let count = (size / step).max(1);
        if count == 1 {
            return vec![whole];
        }
        let spread = how.stored.iter().map(|stored| match stored {
            Stored::Rows(along) => cut::ceil(along.high - along.low, along.stride),
            Stored::First | Stored::Last => 0,
        });
        let cuts = Cuts { how, size, step, count, spread: spread.max().unwrap_or(0) };
        let chunks = (0..count).map(|k| cuts.piece(&whole, k, outputs)).collect::<Option<Vec<Piece>>>();
        let mut chunks = chunks.unwrap_or_else(|| vec![whole]);
        if how.carrying.is_some_and(|carrying| carrying.is_backward) {
            chunks.reverse();
        }
        chunks
    }
}

/// Chunks per rank of the pipeline: while it fills and empties, ranks wait for at most one part in so many.
const CHUNKS_PER_RANK: i64 = 8;

/// Where a loop is cut into chunks.
struct Cuts {
    how: &'static Chunks,
    /// The size of the whole.
    size: i64,
    /// The iterations of a chunk; the last one has more.
    step: i64,
    count: i64,
    /// How many iterations before its own a chunk needs for the rows that it keeps.
    spread: i64,
}

impl Cuts {
    /// The first iteration of chunk `k` that has the values of the whole.
    fn first(&self, k: i64) -> i64 {
        self.step * k - self.spread
    }

    /// Chunk `k` of a part; `None` if the loop cannot be cut there.
    fn piece(&self, whole: &Piece, k: i64, outputs: &[Vec<usize>]) -> Option<Piece> {
        let (is_first, is_last) = (k == 0, k + 1 == self.count);
        let (mut first, mut last) = (self.first(k), self.step * (k + 1) - 1);
        for (stored, shape) in self.how.stored.iter().zip(outputs) {
            let Stored::Rows(along) = stored else { continue };
            let end = i64::try_from(shape[along.axis]).ok()?;
            first = if is_first { first.min(cut::ceil(-along.high, along.stride)) } else { first };
            last = if is_last { last.max((end - 1 - along.low).div_euclid(along.stride)) } else { last };
        }
        let mut interval = cut::around(&self.how.split, self.size, first, last).ok()?;
        // At an end of the whole the part ends there, unless it goes on at the other end.
        if is_first && !cut::wraps(&self.how.split).ok()? {
            (interval.begin, interval.size) = (0, interval.begin + interval.size);
        }
        if is_last && !cut::wraps(&self.how.split).ok()? {
            interval.size = self.size - interval.begin;
        }
        let windows = self.how.carrying.map_or([None, None], |carrying| {
            let (before, after) = match carrying.is_backward {
                true => (self.step * k, self.step * (k + 1)),
                false => (self.first(k) - carrying.reach, self.first(k + 1) - carrying.reach),
            };
            let (before, after) = ((!is_first).then_some(before), (!is_last).then_some(after));
            if carrying.is_backward { [after, before] } else { [before, after] }
        });
        let mut piece = whole.clone();
        for ((rows, stored), shape) in piece.rows.iter_mut().zip(self.how.stored).zip(outputs) {
            match stored {
                Stored::Rows(along) => {
                    let length = shape[along.axis];
                    let at =
                        |k: i64| usize::try_from(along.stride * self.step * k + along.low).unwrap_or(0).min(length);
                    let begin = if is_first { 0 } else { at(k) };
                    rows[along.axis] = begin..if is_last { length } else { at(k + 1).max(begin) };
                }
                Stored::First if is_first => {}
                Stored::Last if is_last => {}
                Stored::First | Stored::Last => rows[0].end = rows[0].start,
            }
        }
        piece.chunk = Some(Chunk { how: self.how, interval, windows });
        Some(piece)
    }
}

/// The number by which the kernel of the relay knows where iterations begin. Those from `lowest - reach` on are counted from 1; before
/// `lowest` there is nothing.
fn counted(carrying: &Carrying, first: Option<i64>, begin: i64) -> usize {
    let counted = first.map_or(1, |first| first - begin + carrying.reach - carrying.lowest + 1);
    usize::try_from(counted.max(1)).unwrap_or(1)
}

/// The sizes of a piece.
fn local(piece: &Piece, dimensions: &[Dimension], sizes: &[i64]) -> Vec<i128> {
    let mut sizes: Vec<i128> = sizes.iter().map(|size| i128::from(*size)).collect();
    let cut = dimensions.iter().zip(&piece.intervals).filter(|(of, _)| of.ranks > 1);
    let cut = cut.map(|(of, interval)| (of.split.size, interval));
    for (size, interval) in cut.chain(piece.chunk.iter().map(|chunk| (chunk.how.split.size, &chunk.interval))) {
        sizes[size] = i128::from(interval.size);
    }
    sizes
}

fn shape(carrying: &Carrying, k: usize, sizes: &[i128]) -> Vec<usize> {
    let length = |form: &Form| {
        let length = form.value(sizes).unwrap_or(i128::MAX).max(0);
        usize::try_from(length).unwrap_or(usize::MAX)
    };
    carrying.carried.get(k).map_or(Vec::new(), |lengths| lengths.iter().map(length).collect())
}
