//! The types that can be uploaded.
use super::element::{Element, Rank};
use ndarray::{ArrayBase, ArrayRef, ArrayView, Data, Ix1, Ix2};

/// An array on the host that can be uploaded: an `ndarray` array or view of one to four dimensions with any strides, a slice, a
/// vector, or an array of Rust.
pub trait Host<'a>: sealed::Sealed {
    /// The type of its elements.
    type Element: Element;
    /// The type of its dimensions.
    type Rank: Rank;
    /// Returns a view of the elements.
    fn view(self) -> ArrayView<'a, Self::Element, Self::Rank>;
}

macro_rules! hosts {
    ($([$($generic:tt)*] $type:ty: $element:ty, $rank:ty;)+) => {
        $(impl<'a, $($generic)*> Host<'a> for $type {
            type Element = $element;
            type Rank = $rank;
            fn view(self) -> ArrayView<'a, $element, $rank> {
                ArrayView::from(self)
            }
        }
        impl<'a, $($generic)*> sealed::Sealed for $type {})+
    };
}

hosts! {
    [T: Element, S: Data<Elem = T>, D: Rank] &'a ArrayBase<S, D>: T, D;
    [T: Element, D: Rank] ArrayView<'a, T, D>: T, D;
    [T: Element] &'a [T]: T, Ix1;
    [T: Element] &'a Vec<T>: T, Ix1;
    [T: Element, const N: usize] &'a [T; N]: T, Ix1;
    [T: Element, const N: usize] &'a [[T; N]]: T, Ix2;
    [T: Element, const N: usize, const M: usize] &'a [[T; N]; M]: T, Ix2;
}

impl<'a, T: Element, D: Rank> Host<'a> for &'a ArrayRef<T, D> {
    type Element = T;
    type Rank = D;
    fn view(self) -> ArrayView<'a, T, D> {
        self.view()
    }
}
impl<T: Element, D: Rank> sealed::Sealed for &ArrayRef<T, D> {}

mod sealed {
    pub trait Sealed {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array, Array1, Array2, s};

    fn shape<'a, H: Host<'a>>(host: H) -> Vec<usize> {
        host.view().shape().to_vec()
    }

    #[test]
    fn takes_what_run_takes() {
        let (line, plane) = (Array1::<f32>::zeros(5), Array2::<u8>::from_elem((4, 6), 1));
        assert_eq!(shape(&line), [5]);
        assert_eq!(shape(&plane), [4, 6]);
        assert_eq!(shape(plane.view()), [4, 6]);
        let some = plane.slice(s![..;2, ..;-3]);
        assert_eq!(shape(some.view()), [2, 2]);
        let by_reference = &some;
        assert_eq!(shape(by_reference), [2, 2]);
        assert_eq!(shape(&plane.t().to_shared()), [6, 4]);
        assert_eq!(shape(&vec![1i32, 2]), [2]);
        assert_eq!(shape(&[1.0f64, 2.0][..]), [2]);
        assert_eq!(shape(&[true, false, true]), [3]);
        assert_eq!(shape(&[[1u16, 2], [3, 4], [5, 6]]), [3, 2]);
        assert_eq!(shape(&Array::<i8, _>::zeros((1, 2, 3, 4))), [1, 2, 3, 4]);
    }
}
