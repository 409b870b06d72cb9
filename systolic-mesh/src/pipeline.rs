//! Ranks as a pipeline: each takes the values of the last iterations before its own from the rank before, computes, and gives those of
//! its last iterations to the next.
//!
//! ```text
//! rank 0   0 1 2 3 4
//! rank 1         3 4 | 5 6 7 8        takes the values of 3 and 4, gives those of 7 and 8
//! rank 2                 7 8 | 9 …
//! ```
use crate::cut;
use crate::mesh::Mesh;
use crate::pieces::{Dimension, Piece};
use std::ops::Range;
use systolic::__private::{Parts, Relay, Relays};

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
        if self.relay.is_backward && place + 1 == of.ranks {
            interval.size = of.size - interval.begin;
        } else if !self.relay.is_backward && place == 0 {
            (interval.begin, interval.size) = (0, interval.begin + interval.size);
        }
    }

    /// The rank from which this one takes values, and the one to which it gives some.
    pub fn neighbours(&self, mesh: &Mesh) -> (Option<usize>, Option<usize>) {
        let (shape, place) = (mesh.shape(), mesh.place(mesh.rank())[self.axis]);
        let stride: usize = shape[self.axis + 1..].iter().product();
        let before = (place > 0).then(|| mesh.rank() - stride);
        let after = (place + 1 < shape[self.axis]).then(|| mesh.rank() + stride);
        if self.relay.is_backward { (after, before) } else { (before, after) }
    }

    /// Where the iterations begin that a piece takes, and those that it gives, as the kernel of the relay counts them. `outputs` are the
    /// shapes of the whole.
    pub fn windows(&self, piece: &Piece, of: &Dimension, outputs: &[Vec<usize>], place: usize) -> [usize; 2] {
        let Relay { is_backward, reach, lowest, .. } = *self.relay;
        let begin = piece.intervals[self.axis].begin;
        // Iterations from `lowest - reach` on are counted from 1; before it there is nothing.
        let counted = |first: Option<i64>| {
            let first = first.map_or(1, |first| first - begin + reach - lowest + 1);
            usize::try_from(first.max(1)).unwrap_or(1)
        };
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
        if is_backward { [counted(after), counted(before)] } else { [counted(before), counted(after)] }
    }

    /// The shape of a carried array of a piece. `sizes` are those of the whole.
    pub fn shape(&self, k: usize, piece: &Piece, dimensions: &[Dimension], sizes: &[i64]) -> Vec<usize> {
        let mut sizes: Vec<i128> = sizes.iter().map(|size| i128::from(*size)).collect();
        for (of, interval) in dimensions.iter().zip(&piece.intervals).filter(|(of, _)| of.ranks > 1) {
            sizes[of.split.size] = i128::from(interval.size);
        }
        let length = |form: &systolic::__private::Form| {
            let length = form.value(&sizes).unwrap_or(i128::MAX).max(0);
            usize::try_from(length).unwrap_or(usize::MAX)
        };
        self.relay.carried.get(k).map_or(Vec::new(), |lengths| lengths.iter().map(length).collect())
    }
}
