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
    /// The bytes from one row to the next.
    pub pitch: usize,
    /// The number of rows: the product of all lengths but the last.
    pub rows: usize,
    /// The memory is not ours: nothing after a row may be touched.
    pub foreign: bool,
}

/// The bytes from one row to the next. Long rows get a large alignment, short ones a small one, so that little memory is
/// wasted. A row that one access covers, such as the three bytes of a colour, is as long as that access: then wider accesses are not
/// aligned, and a launch makes none.
pub fn pitch(row: usize) -> Option<usize> {
    if row < ACCESS {
        return Some(row.next_power_of_two());
    }
    let boundary = (row / 4).clamp(ACCESS, WIDEST).next_power_of_two();
    row.checked_next_multiple_of(boundary)
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
            return Ok(Layout { elements: 0, row: 0, pitch: 0, rows: 0, foreign: false, shape });
        }
        let (last, outer) = lengths.split_last().ok_or_else(refuse)?;
        let rows = outer.iter().try_fold(1usize, |all, n| all.checked_mul(*n)).ok_or_else(refuse)?;
        let row = last.checked_mul(size).ok_or_else(refuse)?;
        let pitch = if outer.is_empty() { Some(row) } else { pitch(row) };
        let pitch = pitch.ok_or_else(refuse)?;
        // The host has the same limit.
        let bytes = rows.checked_mul(pitch).filter(|bytes| isize::try_from(*bytes).is_ok());
        bytes.ok_or_else(refuse)?;
        Ok(Layout { elements: rows * last, row, pitch, rows, foreign: false, shape })
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

    /// Returns the bytes of padding after each row that a wide access to its last elements may touch. The last row of memory that is
    /// ours has them too, whatever its pitch.
    pub fn behind(&self) -> usize {
        let end = self.row.next_multiple_of(ACCESS);
        if self.shape.slice().len() == 1 || self.foreign { end - self.row } else { end.min(self.pitch) - self.row }
    }

    /// Returns the rows of a copy between this array and host elements without gaps.
    pub fn copy(&self) -> Rows {
        Rows { count: self.rows, bytes: self.row, host: self.row, device: self.pitch }
    }

    /// Returns the strides of all axes but the last, in elements of `size` bytes. The last stride is 1.
    pub fn strides(&self, size: usize) -> impl Iterator<Item = usize> + '_ {
        let lengths = self.shape.slice();
        let row = self.pitch / size;
        // A step along an axis skips all rows of the axes within it.
        (1..lengths.len()).map(move |k| row * lengths[k..lengths.len() - 1].iter().product::<usize>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Dim, Ix1, Ix2, Ix4};

    #[test]
    fn rows_begin_on_boundaries_and_waste_little() {
        for row in 1..5000 {
            let pitch = pitch(row).unwrap();
            assert!(pitch >= row && pitch - row < ACCESS.max(row / 2), "{row}: {pitch}");
            assert!(row < ACCESS || pitch.is_multiple_of(ACCESS), "{row}: {pitch}");
            assert!(row < 1000 || pitch.is_multiple_of(WIDEST), "{row}: {pitch}");
        }
        let short: Vec<usize> = [1, 2, 3, 4, 6, 8, 12, 15].into_iter().filter_map(pitch).collect();
        assert_eq!(short, [1, 2, 4, 4, 8, 8, 16, 16]);
        assert_eq!(pitch(usize::MAX), None);
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
            let rows = Layout::<Ix2>::new::<u8>(Dim([3, length])).unwrap();
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
