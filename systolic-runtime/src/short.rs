//! A list that is on the stack if it is short. Most calls have few sizes and loops, and allocate nothing for them.
use std::ops::{Deref, DerefMut};

/// A list whose length is fixed when it is created. Up to `SHORT` values are on the stack.
#[derive(Clone, Debug)]
pub struct Short<T, const SHORT: usize> {
    length: usize,
    values: [T; SHORT],
    // All values of a longer list, otherwise empty.
    // A box, because every crate with a kernel compiles the code that frees it, and that of a vector is longer.
    long: Option<Box<[T]>>,
}

impl<T: Copy, const SHORT: usize> Short<T, SHORT> {
    /// Returns a list of `length` copies of a value.
    #[inline]
    pub fn new(length: usize, value: T) -> Short<T, SHORT> {
        let long = if length > SHORT { Some(vec![value; length].into()) } else { None };
        Short { length, values: [value; SHORT], long }
    }

    /// Returns the first `length` of these values, or all if there are fewer.
    #[inline]
    pub fn first(length: usize, values: [T; SHORT]) -> Short<T, SHORT> {
        Short { length: if length > SHORT { SHORT } else { length }, values, long: None }
    }
}

impl<T, const SHORT: usize> Deref for Short<T, SHORT> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.values.get(..self.length).or(self.long.as_deref()).unwrap_or_default()
    }
}

impl<T, const SHORT: usize> DerefMut for Short<T, SHORT> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.values.get_mut(..self.length).or(self.long.as_deref_mut()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_lists_are_lists() {
        for length in [0, 1, 4, 5, 100] {
            let mut list = Short::<usize, 4>::new(length, 7);
            assert_eq!(*list, vec![7; length]);
            for (k, value) in list.iter_mut().enumerate() {
                *value = k;
            }
            assert_eq!(*list, (0..length).collect::<Vec<_>>());
            assert_eq!(list.long.is_none(), length <= 4);
        }
    }
}
