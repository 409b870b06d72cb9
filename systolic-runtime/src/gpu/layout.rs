//! The layout of an array in device memory: rows one after another, each aligned for vectorised access.
use super::element::{Element, Rank};
use super::raw::Rows;
use crate::error::Error;

/// The largest alignment of rows, in bytes.
const WIDEST: usize = 256;
/// The bytes of the widest access.
const ACCESS: usize = 16;

/// The shape of an array on a device, and the distance between its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout<D> {
    pub shape: D,
    /// The number of elements.
    pub elements: usize,
    /// The bytes of the elements of a row.
    pub row: usize,
    /// The number of last axes that lie in a row without gaps: one, or as many as make it long enough for an access.
    pub together: usize,
    /// The bytes from one row to the next.
    pub pitch: usize,
    /// The number of rows: the product of the lengths of all other axes.
    pub rows: usize,
    /// The memory is not ours: nothing after a row may be touched.
    pub foreign: bool,
}

/// The bytes from one row to the next. Long rows get a large alignment, short ones a small one, so that little memory is
/// wasted.
pub fn pitch(row: usize) -> Option<usize> {
    let boundary = (row / 4).clamp(ACCESS, WIDEST).next_power_of_two();
    row.checked_next_multiple_of(boundary)
}

/// The number of last axes that lie in a row without gaps. Elements that are fewer than an access, such as the channels of a picture,
/// share their row with those of the axis before them. The compiler merges such axes (`systolic-compiler/src/lower/dense.rs`).
pub fn together(lengths: &[usize], size: usize) -> usize {
    let mut row = size;
    let is_short = |n: &&usize| {
        row = row.saturating_mul(**n);
        row < ACCESS
    };
    (lengths.iter().rev().take_while(is_short).count() + 1).min(lengths.len())
}

impl<D: Rank> Layout<D> {
    /// Returns the layout of an array of this shape. Fails if its bytes exceed `isize::MAX`.
    pub fn new<T: Element>(shape: D) -> Result<Self, Error> {
        let size = size_of::<T>();
        let refuse = || {
            let elements = shape.slice().iter().fold(1u128, |all, n| all.saturating_mul(*n as u128));
            Error::no_device_memory("an array", elements.saturating_mul(size as u128))
        };
        let lengths = shape.slice();
        if lengths.contains(&0) {
            return Ok(Layout { elements: 0, row: 0, together: 1, pitch: 0, rows: 0, foreign: false, shape });
        }
        let product = |lengths: &[usize]| lengths.iter().try_fold(1usize, |all, n| all.checked_mul(*n));
        let together = together(lengths, size);
        let (outer, last) = lengths.split_at(lengths.len() - together);
        let (rows, in_row) = (product(outer).ok_or_else(refuse)?, product(last).ok_or_else(refuse)?);
        let row = in_row.checked_mul(size).ok_or_else(refuse)?;
        let pitch = if outer.is_empty() { Some(row) } else { pitch(row) };
        let pitch = pitch.ok_or_else(refuse)?;
        // The host has the same limit.
        let bytes = rows.checked_mul(pitch).filter(|bytes| isize::try_from(*bytes).is_ok());
        bytes.ok_or_else(refuse)?;
        Ok(Layout { elements: rows * in_row, row, together, pitch, rows, foreign: false, shape })
    }

    /// Returns the layout of an array without gaps in memory that is not ours.
    #[cfg(feature = "cuda")]
    pub fn foreign<T: Element>(shape: D) -> Result<Self, Error> {
        let layout = Self::new::<T>(shape)?;
        Ok(Layout { pitch: layout.row, foreign: true, ..layout })
    }

    /// Returns whether a wide access to the last elements of a row is allowed.
    pub fn allows_wide(&self) -> bool {
        !self.foreign || self.behind() == 0
    }

    /// Returns the bytes of the array, with the padding of its rows.
    pub fn bytes(&self) -> usize {
        self.rows * self.pitch
    }

    /// Returns whether all elements lie in one row.
    fn is_line(&self) -> bool {
        self.together >= self.shape.slice().len()
    }

    /// Returns the bytes of padding after each row that a wide access to its last elements may touch. The last row of memory that is
    /// ours has them too, whatever its pitch.
    pub fn behind(&self) -> usize {
        let end = self.row.next_multiple_of(ACCESS);
        if self.is_line() || self.foreign { end - self.row } else { end.min(self.pitch) - self.row }
    }

    /// Returns the rows of a copy between this array and host elements without gaps.
    pub fn copy(&self) -> Rows {
        Rows { count: self.rows, bytes: self.row, host: self.row, device: self.pitch }
    }

    /// Returns the strides of all axes but the last, in elements of `size` bytes. The last stride is 1.
    pub fn strides(&self, size: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let lengths = self.shape.slice();
        let (row, outer) = (self.pitch / size, lengths.len().saturating_sub(self.together));
        // A step along an axis skips all rows of the axes within it, or within a row all elements.
        (1..lengths.len()).map(move |k| match k <= outer {
            true => row * lengths[k..outer].iter().product::<usize>(),
            false => lengths[k..].iter().product(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Dim, Ix1, Ix2, Ix3, Ix4};

    #[test]
    fn rows_begin_on_boundaries_and_waste_little() {
        for row in 1..5000 {
            let pitch = pitch(row).unwrap();
            assert!(pitch >= row && pitch - row < ACCESS.max(row / 2), "{row}: {pitch}");
            assert!(pitch.is_multiple_of(ACCESS), "{row}: {pitch}");
            assert!(row < 1000 || pitch.is_multiple_of(WIDEST), "{row}: {pitch}");
        }
        assert_eq!(pitch(usize::MAX), None);
    }

    #[test]
    fn short_axes_share_a_row() {
        assert_eq!(together(&[100], 1), 1);
        assert_eq!(together(&[100, 200], 1), 1);
        assert_eq!(together(&[100, 200, 3], 1), 2);
        assert_eq!(together(&[100, 1, 3], 1), 3);
        assert_eq!(together(&[100, 3, 3], 4), 2);
        assert_eq!(together(&[100, 4], 4), 1);
        assert_eq!(together(&[2, 2], 2), 2);
        assert_eq!(together(&[], 8), 0);
        let small = Layout::<Ix3>::new::<u8>(Dim([4, 5, 3])).unwrap();
        assert_eq!((small.row, small.pitch, small.rows, small.elements), (60, 60, 1, 60));
        assert_eq!((small.strides(1).collect::<Vec<_>>(), small.behind()), (vec![15, 3], 4));
    }

    #[test]
    fn a_line_has_no_pitch() {
        let layout = Layout::<Ix1>::new::<f32>(Dim([7])).unwrap();
        assert_eq!((layout.bytes(), layout.row, layout.rows, layout.strides(4).count()), (28, 28, 1, 0));
    }

    /// Arrays of several axes have the padding in their pitch; for one axis it is allocated in addition.
    #[test]
    fn a_wide_access_of_the_last_elements_stays_with_its_row() {
        for length in 1..300 {
            let line = Layout::<Ix1>::new::<u8>(Dim([length])).unwrap();
            assert!((line.row + line.behind()).is_multiple_of(ACCESS) && line.behind() < ACCESS, "{length}");
            let rows = Layout::<Ix2>::new::<u8>(Dim([3, length + ACCESS])).unwrap();
            // An aligned access of any width that begins in a row ends in its padding, if the rows are aligned for it too.
            for access in [2, 4, 8, 16].into_iter().filter(|access| rows.pitch.is_multiple_of(*access)) {
                assert!(rows.row.next_multiple_of(access) <= rows.row + rows.behind(), "{length}");
            }
            assert!(rows.row + rows.behind() <= rows.pitch, "{length}");
        }
    }

    #[test]
    fn strides_count_elements() {
        let layout = Layout::<Ix4>::new::<f32>(Dim([2, 3, 5, 7])).unwrap();
        assert_eq!((layout.row, layout.pitch, layout.rows, layout.elements), (28, 32, 30, 210));
        assert_eq!(layout.strides(4).collect::<Vec<_>>(), [3 * 5 * 8, 5 * 8, 8]);
        let layout = Layout::<Ix3>::new::<u8>(Dim([2, 100, 3])).unwrap();
        assert_eq!((layout.row, layout.pitch, layout.rows, layout.elements), (300, 384, 2, 600));
        assert_eq!((layout.strides(1).collect::<Vec<_>>(), layout.behind()), (vec![384, 3], 4));
        let layout = Layout::<Ix2>::new::<u8>(Dim([2, 1000])).unwrap();
        assert_eq!((layout.strides(1).collect::<Vec<_>>(), layout.bytes()), (vec![1024], 2048));
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn memory_of_others_has_no_gaps() {
        let layout = |columns| Layout::<Ix2>::foreign::<f32>(Dim([3, columns])).unwrap();
        assert_eq!((layout(7).bytes(), layout(7).strides(4).collect::<Vec<_>>()), (3 * 28, vec![7]));
        assert_eq!((layout(7).allows_wide(), layout(8).allows_wide()), (false, true));
        assert!(Layout::<Ix2>::new::<f32>(Dim([3, 7])).unwrap().allows_wide());
    }

    #[test]
    fn nothing_and_too_much() {
        assert_eq!(Layout::<Ix2>::new::<f64>(Dim([0, usize::MAX])).unwrap().bytes(), 0);
        assert_eq!(Layout::<Ix2>::new::<f64>(Dim([5, 0])).unwrap().bytes(), 0);
        let too_much = |shape| Layout::<Ix2>::new::<f64>(Dim(shape)).unwrap_err();
        let bytes = usize::MAX as u128 * 3 * 8;
        assert_eq!(too_much([usize::MAX, 3]), Error::no_device_memory("an array", bytes));
        assert_eq!(too_much([3, usize::MAX]), Error::no_device_memory("an array", bytes));
        assert!(matches!(too_much([1 << 40, 1 << 40]), Error::OutOfMemory { .. }));
    }
}
