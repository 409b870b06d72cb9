//! The arrays between the launches of a series: memory of the queue, with rows that are aligned like those of other arrays.
use super::layout::{pitch, together};
use super::plan::Face;
use super::queue::{Purpose, Queue, State};
use super::raw::Address;
use crate::error::Error;
use crate::limits::Demand;

/// Every array begins at a multiple of this many bytes, which allows all vectorised accesses.
const ALIGNED: usize = 256;

/// The layout of an array between launches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    pub lengths: Vec<usize>,
    /// The strides of all axes but the last, in elements. The last is 1.
    pub strides: Vec<usize>,
    /// The bytes of an element.
    pub size: usize,
    /// The bytes from the beginning of the first array to that of this one.
    offset: usize,
    /// Its elements with the padding of its rows.
    pub extent: usize,
}

/// The layouts of the arrays of a series, one after another, and the bytes of all. Fails if these are more than any memory has.
pub fn layouts(faces: &[Face], sizes: &[i64]) -> Result<(Vec<Between>, usize), Error> {
    let mut all: Vec<Between> = Vec::with_capacity(faces.len());
    let mut offset = 0;
    for face in faces {
        let mut wide = Vec::new();
        (face.lengths)(sizes, &mut wide);
        let too_much = || {
            let bytes = Demand::product(&wide).saturating_mul(face.bytes as i128);
            Error::no_device_memory(Purpose::Between.text(), bytes as u128)
        };
        let lengths = wide.iter().map(|n| usize::try_from((*n).max(0)).map_err(|_| too_much()));
        let lengths = lengths.collect::<Result<Vec<usize>, Error>>()?;
        let (array, bytes) = layout(lengths, face.bytes, offset).ok_or_else(too_much)?;
        offset = array.offset.checked_add(bytes).filter(|all| isize::try_from(*all).is_ok()).ok_or_else(too_much)?;
        all.push(array);
    }
    Ok((all, offset))
}

/// The layout of one array, and its bytes; `None` if these do not fit.
fn layout(lengths: Vec<usize>, size: usize, offset: usize) -> Option<(Between, usize)> {
    let in_row = lengths.len().checked_sub(together(&lengths, size))?;
    let mut strides = vec![0; lengths.len().checked_sub(1)?];
    // An array without elements may have long axes.
    let mut extent = usize::from(!lengths.contains(&0));
    for (axis, length) in lengths.iter().enumerate().rev() {
        if let Some(stride) = strides.get_mut(axis) {
            *stride = extent;
        }
        extent = extent.checked_mul(*length)?;
        if axis == in_row && axis > 0 {
            extent = pitch(extent.checked_mul(size)?)? / size;
        }
    }
    let bytes = extent.checked_mul(size)?.checked_next_multiple_of(ALIGNED)?;
    Some((Between { lengths, strides, size, offset, extent }, bytes))
}

/// The addresses of the arrays, in memory of the queue.
pub fn addresses(all: &[Between], bytes: usize, state: &mut State, queue: &Queue) -> Result<Vec<Address>, Error> {
    let first = if bytes == 0 { 0 } else { state.reserve(queue, Purpose::Between, bytes)? };
    Ok(all.iter().map(|array| first + array.offset as u64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACES: [Face; 3] = [
        Face { bytes: 4, lengths: |sizes, to| to.extend_from_slice(&[sizes[0].into(), sizes[1].into()]) },
        Face { bytes: 1, lengths: |sizes, to| to.push(i128::from(sizes[1]) - 1) },
        Face { bytes: 8, lengths: |sizes, to| to.extend_from_slice(&[2, sizes[0].into(), sizes[1].into()]) },
    ];

    #[test]
    fn arrays_follow_each_other_on_boundaries() {
        let (all, bytes) = layouts(&FACES, &[3, 1000]).unwrap();
        assert_eq!((all[0].strides.clone(), all[0].offset, all[0].extent), (vec![1024], 0, 3072));
        assert_eq!((all[1].strides.len(), all[1].offset, all[1].extent), (0, 3 * 4096, 999));
        assert_eq!((all[2].strides.clone(), all[2].offset), (vec![3 * 1024, 1024], 3 * 4096 + 1024));
        assert_eq!(bytes, 3 * 4096 + 1024 + 6 * 8192);
    }

    #[test]
    fn nothing_and_too_much() {
        let (all, bytes) = layouts(&FACES, &[0, 1]).unwrap();
        assert_eq!((all[0].extent, all[1].extent, bytes), (0, 0, 0));
        assert!(layouts(&FACES, &[1 << 36, 1 << 36]).is_err());
        assert_eq!(layouts(&FACES, &[1, i64::MIN]).unwrap().1, 0);
    }
}
