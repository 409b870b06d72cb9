//! The memory of arrays that a mesh no longer needs, kept for the next ones of the same length. A simulation makes an array per
//! step, and pages that are new to a process cost more than many a step computes.
use crate::error::Error;
use crate::exchange::{aligned, zeros};
use crate::mesh::Mesh;
use std::any::Any;
use std::sync::{Mutex, PoisonError};
use systolic::ndarray::Array;
use systolic::{Element, Rank};

/// Smaller arrays are left to the allocator, which keeps their pages.
const LEAST_BYTES: usize = 128 << 10;
/// How many arrays are kept.
const MOST: usize = 4;

/// Memory of arrays that were dropped, the oldest first.
#[derive(Default)]
pub struct Memory {
    kept: Mutex<Vec<Box<dyn Any + Send>>>,
}

impl Memory {
    /// Keeps the memory of an array.
    pub fn keep<T: Element, D: Rank>(&self, array: Array<T, D>) {
        let (values, _) = array.into_raw_vec_and_offset();
        if values.len() * size_of::<T>() < LEAST_BYTES {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MOST {
            kept.remove(0);
        }
        kept.push(Box::new(values));
    }

    /// Memory for so many elements, whatever they are, if there is some.
    fn take<T: Element>(&self, elements: usize) -> Option<Vec<T>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |values: &Box<dyn Any + Send>| values.downcast_ref::<Vec<T>>().is_some_and(|v| v.len() == elements);
        let found = kept.iter().position(fits)?;
        kept.remove(found).downcast().ok().map(|values| *values)
    }
}

impl Mesh {
    /// An array of which every element will be stored; what it has before is of no meaning.
    pub(crate) fn array<T: Element, D: Rank>(&self, shape: &[usize]) -> Result<Array<T, D>, Error> {
        let elements = shape.iter().try_fold(1usize, |product, length| product.checked_mul(*length));
        let with_spare = elements.and_then(|elements| elements.checked_add(crate::exchange::spare::<T>()));
        match with_spare.and_then(|elements| self.memory().take(elements)) {
            Some(values) => aligned(values, shape).map_or_else(|| zeros(shape), Ok),
            None => zeros(shape),
        }
    }
}
