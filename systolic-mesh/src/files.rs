//! Distributed arrays in files: the elements of the whole array in row-major order, the lowest byte of each first, and
//! nothing else. Every rank reads and writes its own rows, so the file must be visible to all of them.
use crate::array::{DistributedArray, lengths};
use crate::error::Error;
use crate::exchange::zeros;
use crate::mesh::Mesh;
use crate::message::{get, put};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use systolic::ndarray::IntoDimension;
use systolic::{Element, Rank};

impl<T: Element, D: Rank> DistributedArray<T, D> {
    /// Reads an array from a file of raw elements; every rank reads its own part.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if the file cannot be read on one of them, does not have as many bytes as the array, or if the ranks
    /// give different files or shapes.
    pub fn read<I: IntoDimension<Dim = D>>(mesh: &Mesh, path: impl AsRef<Path>, shape: I) -> Result<Self, Error> {
        let (path, shape) = (path.as_ref(), shape.into_dimension().slice().to_vec());
        let read = || {
            mesh.holds("a distributed array", &shape)?;
            let ranges = mesh.part(&shape, mesh.rank());
            let mut part = zeros::<T, D>(&lengths(&ranges))?;
            let mut file = File::open(path).map_err(|error| wrong(path, error))?;
            let (expected, got) = (bytes::<T>(&shape), file.metadata().map_err(|error| wrong(path, error))?.len());
            if expected != Some(got) {
                let expected = expected.map_or("too many".to_string(), |bytes| bytes.to_string());
                return Err(wrong(path, format!("expected {expected} bytes for {} {shape:?}, got {got}", T::TYPE)));
            }
            let (places, count) = chunks(&shape, &ranges);
            let (mut elements, mut chunk) = (part.iter_mut(), vec![0; count * T::TYPE.bytes()]);
            for place in places {
                file.seek(SeekFrom::Start(place * T::TYPE.bytes() as u64)).map_err(|error| wrong(path, error))?;
                file.read_exact(&mut chunk).map_err(|error| wrong(path, error))?;
                for (bytes, element) in chunk.chunks_exact(T::TYPE.bytes()).zip(&mut elements) {
                    *element = get(bytes);
                }
            }
            Ok(part)
        };
        let part = read();
        let call = || format!("read of {} {shape:?} from {}", T::TYPE, path.display());
        mesh.agree(part.as_ref().map(|_| call()).map_err(Clone::clone))?;
        Ok(DistributedArray::of_part(mesh, shape.clone(), part?))
    }

    /// Writes the array to a file of raw elements. It is written beside its place and renamed when all ranks have written
    /// their parts, so a file of that name is always complete.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if one of them cannot write, or if the ranks give different files.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let (path, mesh, shape) = (path.as_ref(), self.mesh(), self.shape());
        let call = format!("write of {} {shape:?} to {}", T::TYPE, path.display());
        let beside = beside(path);
        let is_first = mesh.rank() == 0;
        let made = || {
            let bytes = bytes::<T>(shape).ok_or_else(|| wrong(path, "the array is too large"))?;
            let file = File::create(&beside).map_err(|error| wrong(&beside, error))?;
            file.set_len(bytes).map_err(|error| wrong(&beside, error))
        };
        let begun = if is_first { made() } else { Ok(()) };
        let written = mesh.agree(begun.map(|()| call.clone())).and_then(|()| {
            let written = self.write_part(&beside);
            mesh.agree(written.map(|()| format!("second half of {call}")))
        });
        if written.is_err() && is_first {
            // Whether it is there depends on what failed.
            let _ = std::fs::remove_file(&beside);
        }
        written?;
        let renamed = if is_first { std::fs::rename(&beside, path) } else { Ok(()) };
        mesh.agree(renamed.map(|()| format!("end of {call}")).map_err(|error| wrong(path, error)))
    }

    /// Writes this rank's rows to their places.
    fn write_part(&self, path: &Path) -> Result<(), Error> {
        let wrong = |error: std::io::Error| wrong(path, error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(wrong)?;
        let (places, count) = chunks(self.shape(), &self.ranges());
        let part = self.part();
        let (mut elements, mut chunk) = (part.iter(), Vec::with_capacity(count * T::TYPE.bytes()));
        for place in places {
            chunk.clear();
            elements.by_ref().take(count).for_each(|element| put(&mut chunk, *element));
            file.seek(SeekFrom::Start(place * T::TYPE.bytes() as u64)).map_err(wrong)?;
            file.write_all(&chunk).map_err(wrong)?;
        }
        file.sync_all().map_err(wrong)
    }
}

fn wrong(path: &Path, why: impl ToString) -> Error {
    Error::File { path: path.display().to_string(), why: why.to_string() }
}

/// The name of a file that is not complete.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".incomplete");
    PathBuf::from(name)
}

/// The bytes of an array.
fn bytes<T: Element>(shape: &[usize]) -> Option<u64> {
    let elements = shape.iter().try_fold(1u64, |product, length| product.checked_mul(*length as u64));
    elements.and_then(|elements| elements.checked_mul(T::TYPE.bytes() as u64))
}

/// The parts of a box that are consecutive in the whole array: where each begins, and how many elements each has.
fn chunks(shape: &[usize], ranges: &[Range<usize>]) -> (Vec<u64>, usize) {
    // From this axis on, all rows belong to the box, or it is the last axis.
    let is_whole = |axis: &usize| ranges[*axis] == (0..shape[*axis]);
    let first = (1..shape.len()).rev().take_while(is_whole).last().map_or(shape.len(), |axis| axis) - 1;
    let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>() as u64;
    let count = ranges[first].len() * stride(first) as usize;
    let mut places = vec![ranges[first].start as u64 * stride(first)];
    for axis in (0..first).rev() {
        let row = |row: usize| row as u64 * stride(axis);
        places = ranges[axis].clone().flat_map(|r| places.iter().map(move |place| row(r) + place)).collect();
    }
    (if count == 0 { Vec::new() } else { places }, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_the_rows_of_a_box_in_order() {
        for (shape, ranges) in [
            (vec![4, 5], vec![1..3, 0..5]),
            (vec![4, 5], vec![1..3, 2..4]),
            (vec![3, 4, 2], vec![0..3, 1..2, 0..2]),
            (vec![3, 4, 2], vec![1..2, 0..4, 0..2]),
            (vec![3, 4, 2], vec![0..3, 0..4, 0..2]),
            (vec![7], Vec::from([2; 1].map(|begin| begin..5))),
            (vec![0], Vec::from([0; 1].map(|begin| begin..0))),
        ] {
            let mut expected = vec![0u64];
            for (axis, range) in ranges.iter().enumerate() {
                let next =
                    |first: &u64| range.clone().map(|r| first * shape[axis] as u64 + r as u64).collect::<Vec<_>>();
                expected = expected.iter().flat_map(next).collect();
            }
            let (places, count) = chunks(&shape, &ranges);
            let got: Vec<u64> = places.iter().flat_map(|place| *place..place + count as u64).collect();
            assert_eq!(got, expected, "{shape:?} {ranges:?}");
        }
    }
}
