//! Fallible allocation: too large a request is an `Err`, never an abort.
use crate::error::Error;

/// Returns `elements` default values, or an error that states their purpose.
pub fn filled<T: Copy + Default>(elements: u128, purpose: &'static str) -> Result<Vec<T>, Error> {
    let bytes = std::mem::size_of::<T>();
    let refuse = || Error::no_memory(purpose, elements, bytes);
    let count = usize::try_from(elements).map_err(|_| refuse())?;
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| refuse())?;
    values.resize(count, T::default());
    Ok(values)
}

/// The product of extents. It saturates, because four extents at their limits may exceed 128 bits.
pub fn product(extents: impl IntoIterator<Item = u128>) -> u128 {
    extents.into_iter().fold(1, u128::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_an_error() {
        for elements in [u128::MAX, u128::from(u64::MAX), 1 << 62] {
            let error = filled::<u64>(elements, "a test").unwrap_err();
            assert_eq!(error, Error::no_memory("a test", elements, 8));
        }
        assert_eq!(filled::<u8>(3, "a test").unwrap(), vec![0; 3]);
    }

    #[test]
    fn products_saturate() {
        assert_eq!(product([2, 3, 4]), 24);
        assert_eq!(product([u128::MAX, 2]), u128::MAX);
        assert_eq!(product([]), 1);
    }
}
