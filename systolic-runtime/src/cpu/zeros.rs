//! Zeroed memory from the allocator, which need not write to fresh pages.
#![allow(unsafe_code)]
use std::alloc::{Layout, alloc_zeroed};
use systolic_arith::Scalar;

/// Up to this many bytes the zeros are written here: allocators have a fast path for small pieces of memory, but not for zeroed
/// ones.
const FEW_BYTES: usize = 1024;

/// Returns `count` zeros, or `None` if there is not enough memory.
pub fn zeros<T: Scalar>(count: usize) -> Option<Vec<T>> {
    let layout = Layout::array::<T>(count).ok()?;
    if layout.size() <= FEW_BYTES {
        let mut values = Vec::new();
        values.try_reserve_exact(count).ok()?;
        values.resize(count, T::default());
        return Some(values);
    }
    // SAFETY: the layout has a size above 0.
    let place = unsafe { alloc_zeroed(layout) };
    if place.is_null() {
        return None;
    }
    // SAFETY: the global allocator returned this for the layout of `count` values, and all-zero bits are a valid scalar.
    Some(unsafe { Vec::from_raw_parts(place.cast(), count, count) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic_arith::{bf16, f16};

    fn check<T: Scalar>() {
        for count in [1, 1000, 2000] {
            let list = zeros::<T>(count).unwrap();
            assert_eq!((list.len(), list.capacity()), (count, count));
            assert!(list.iter().all(|x| x.bits() == T::default().bits()));
        }
        assert!(zeros::<T>(0).unwrap().is_empty());
        assert!(zeros::<T>(usize::MAX).is_none());
        assert!(zeros::<T>(isize::MAX as usize / std::mem::size_of::<T>()).is_none());
    }

    #[test]
    fn zeros_are_the_default_of_every_type() {
        check::<f16>();
        check::<bf16>();
        check::<f32>();
        check::<f64>();
        check::<i8>();
        check::<i16>();
        check::<i32>();
        check::<i64>();
        check::<u8>();
        check::<u16>();
        check::<u32>();
        check::<u64>();
        check::<bool>();
    }
}
