//! Arrays that are distributed over a mesh.
use crate::error::Error;
use crate::exchange::zeros;
use crate::mesh::Mesh;
use std::ops::Range;
use systolic::ndarray::{Array, ArrayView, ArrayViewMut, Axis, IntoDimension, NdIndex, Slice};
use systolic::{Element, Rank};

/// An array of which every rank has its part: of each of the leading dimensions that the mesh has, some consecutive rows. Parts
/// differ by at most one row per dimension.
#[derive(Clone, Debug)]
pub struct DistributedArray<T: Element, D: Rank> {
    mesh: Mesh,
    shape: Vec<usize>,
    part: Array<T, D>,
}

/// The mesh keeps the memory for the next array.
impl<T: Element, D: Rank> Drop for DistributedArray<T, D> {
    fn drop(&mut self) {
        let nothing = Array::default(D::zeros(self.shape.len()));
        self.mesh.memory().keep(std::mem::replace(&mut self.part, nothing));
    }
}

impl<T: Element, D: Rank> DistributedArray<T, D> {
    /// Makes an array of a function of the index in the whole array. Nothing is exchanged.
    ///
    /// # Errors
    ///
    /// Fails if a rank would have no row, or if there is too little memory.
    pub fn from_fn<I>(mesh: &Mesh, shape: I, f: impl Fn(D::Pattern) -> T) -> Result<Self, Error>
    where
        I: IntoDimension<Dim = D>,
        D::Pattern: NdIndex<D>,
    {
        let shape = shape.into_dimension().slice().to_vec();
        mesh.holds("a distributed array", &shape)?;
        let ranges = mesh.part(&shape, mesh.rank());
        let mut part = zeros::<T, D>(&lengths(&ranges))?;
        let mut index = D::zeros(shape.len());
        for (local, value) in part.indexed_iter_mut() {
            let local = local.into_dimension();
            for ((at, begin), k) in index.slice_mut().iter_mut().zip(&ranges).zip(local.slice()) {
                *at = begin.start + k;
            }
            *value = f(index.clone().into_pattern());
        }
        Ok(DistributedArray { mesh: mesh.clone(), shape, part })
    }

    /// Makes an array of parts that the ranks have already.
    ///
    /// # Errors
    ///
    /// Fails if the part does not have the shape of this rank's part of the whole.
    pub fn from_part<I: IntoDimension<Dim = D>>(mesh: &Mesh, shape: I, part: Array<T, D>) -> Result<Self, Error> {
        let shape = shape.into_dimension().slice().to_vec();
        mesh.holds("a distributed array", &shape)?;
        let expected = lengths(&mesh.part(&shape, mesh.rank()));
        if part.shape() != expected {
            let why = format!("expected a part of the shape {expected:?} of {shape:?}, got {:?}", part.shape());
            return Err(Error::Array { why });
        }
        Ok(DistributedArray { mesh: mesh.clone(), shape, part })
    }

    /// Distributes an array that rank `root` has; the others give `None`. All ranks give the shape.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if the shapes differ, if `root` has no array or one of another shape, or if a rank would have no row.
    pub fn scatter<I>(mesh: &Mesh, root: usize, shape: I, whole: Option<ArrayView<'_, T, D>>) -> Result<Self, Error>
    where
        I: IntoDimension<Dim = D>,
    {
        let shape = shape.into_dimension().slice().to_vec();
        let given = match &whole {
            Some(whole) if mesh.rank() == root && whole.shape() != shape => {
                Err(Error::Array { why: format!("expected an array of the shape {shape:?}, got {:?}", whole.shape()) })
            }
            None if mesh.rank() == root => Err(Error::Array { why: "the root of a scatter has no array".to_string() }),
            _ => rank_of(mesh, root).and_then(|()| mesh.holds("a distributed array", &shape)),
        };
        mesh.agree(given.map(|()| format!("scatter of {} {shape:?} from rank {root}", T::TYPE)))?;
        let ranges = mesh.part(&shape, mesh.rank());
        let mut part = mesh.noted(zeros::<T, D>(&lengths(&ranges)))?;
        if let Some(whole) = whole.filter(|_| mesh.rank() == root) {
            for rank in (0..mesh.ranks()).filter(|rank| *rank != root) {
                let mut message = mesh.message();
                message.elements(slice(&whole, &mesh.part(&shape, rank)));
                mesh.send(rank, message)?;
            }
            part.assign(&slice(&whole, &ranges));
        } else {
            let mut message = mesh.receive(root)?;
            mesh.noted(message.elements(part.view_mut()).and_then(|()| message.end()))?;
        }
        Ok(DistributedArray { mesh: mesh.clone(), shape, part })
    }

    /// Collects the whole array on rank `root`; the others get `None`.
    ///
    /// # Errors
    ///
    /// Fails on all ranks if they do not all make this call, and if a rank is lost.
    pub fn gather(&self, root: usize) -> Result<Option<Array<T, D>>, Error> {
        let (mesh, shape) = (&self.mesh, &self.shape);
        mesh.agree(rank_of(mesh, root).map(|()| format!("gather of {} {shape:?} on rank {root}", T::TYPE)))?;
        if mesh.rank() != root {
            let mut message = mesh.message();
            message.elements(self.part.view());
            mesh.send(root, message)?;
            return Ok(None);
        }
        let mut whole = mesh.noted(zeros::<T, D>(shape))?;
        for rank in 0..mesh.ranks() {
            let ranges = mesh.part(shape, rank);
            if rank == root {
                slice_mut(&mut whole, &ranges).assign(&self.part);
                continue;
            }
            let mut message = mesh.receive(rank)?;
            let filled = message.elements(slice_mut(&mut whole, &ranges)).and_then(|()| message.end());
            mesh.noted(filled)?;
        }
        Ok(Some(whole))
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The shape of the whole array.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The rows of the whole array that this rank has, per dimension.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        self.mesh.part(&self.shape, self.mesh.rank())
    }

    /// This rank's part.
    pub fn part(&self) -> ArrayView<'_, T, D> {
        self.part.view()
    }

    /// This rank's part, to be changed.
    pub fn part_mut(&mut self) -> ArrayViewMut<'_, T, D> {
        self.part.view_mut()
    }

    /// This rank's part, of a shape that was checked.
    pub(crate) fn of_part(mesh: &Mesh, shape: Vec<usize>, part: Array<T, D>) -> Self {
        DistributedArray { mesh: mesh.clone(), shape, part }
    }
}

/// Fails unless the mesh has this rank.
pub(crate) fn rank_of(mesh: &Mesh, rank: usize) -> Result<(), Error> {
    if rank < mesh.ranks() {
        return Ok(());
    }
    Err(Error::Mesh { why: format!("there is no rank {rank} in a mesh of {} ranks", mesh.ranks()) })
}

/// The lengths of ranges.
pub(crate) fn lengths(ranges: &[Range<usize>]) -> Vec<usize> {
    ranges.iter().map(ExactSizeIterator::len).collect()
}

fn slice<'a, T: Element, D: Rank>(whole: &'a ArrayView<'_, T, D>, ranges: &[Range<usize>]) -> ArrayView<'a, T, D> {
    whole.slice_each_axis(|axis| {
        let Axis(k) = axis.axis;
        Slice::from(ranges[k].clone())
    })
}

fn slice_mut<'a, T: Element, D: Rank>(whole: &'a mut Array<T, D>, ranges: &[Range<usize>]) -> ArrayViewMut<'a, T, D> {
    whole.slice_each_axis_mut(|axis| {
        let Axis(k) = axis.axis;
        Slice::from(ranges[k].clone())
    })
}
