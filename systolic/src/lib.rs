//! Uniform recurrence equations in Rust: a kernel is a loop nest with equations, and may specify where and when each of
//! its points runs. [`systolic!`](systolic!) checks both at compile time.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(feature = "cuda")]
pub use systolic_runtime::interop;
pub use systolic_runtime::{
    Auto, Choice, Cpu, Design, Device, DeviceArray, Element, Error, Event, Expected, Gpu, Host, Launched, Limits, Maps,
    Medium, Memory, PinnedArray, Properties, Rank, Reached, Sequence, SizeValue, Stream, Wire, bf16, f16, ndarray,
    traceback,
};

/// Declares kernels: recurrence equations over a loop nest, checked at compile time.
///
/// A kernel declares its parameters and outputs, loops over points, and has one equation per variable. Every variable
/// has one value at every point, and reads itself and others at constant distances. An `if` on indices gives the values
/// at the boundary; stores select the points that give the results. A `map` gives every point a place and a step in a
/// machine; it changes no value.
///
/// ```
/// use systolic::systolic;
///
/// systolic! {
///     /// Every element plus those before it.
///     pub kernel running_sum(x: [i32; N]) -> (y: [i32; N]) {
///         for n in 0..N {
///             S[n] = x[n] + if n == 0 { 0 } else { S[n - 1] };
///             y[n] = S[n];
///         }
///     }
/// }
///
/// let y = running_sum::reference(&[3, 1, 4, 1, 5])?;
/// assert_eq!(y.to_vec(), [3, 4, 8, 9, 14]);
/// # Ok::<(), systolic::Error>(())
/// ```
///
/// The kernel becomes a type with its name and has associated functions. Generic arguments are given in the order of
/// their declaration, `conv2d::<f32, 3, 3>::reference(&x, &w)`; a map `rows` of kernel `conv2d` is also the type
/// `conv2d_rows`. Sizes follow from the shapes of the inputs. A shape that does not fit is an [`Error`](crate::Error)
/// that says what was expected.
#[macro_export]
macro_rules! systolic {
    ($($tokens:tt)*) => {
        $crate::__private::expand! { ($crate) $($tokens)* }
    };
}

/// The items that emitted code uses. They may change with every version.
#[doc(hidden)]
pub mod __private {
    pub use core::{
        convert::From, iter::Iterator, marker::PhantomData, marker::Sized, option::Option, primitive, result::Result,
    };
    // rust-analyzer sets this, and no compiler does.
    #[cfg(not(rust_analyzer))]
    pub use systolic_macros::expand;
    #[cfg(rust_analyzer)]
    pub use systolic_macros::expand_for_editor as expand;
    /// The expansion for editors. It has the same signatures, so callers compile, and a call fails:
    ///
    /// ```
    /// use systolic::{Auto, Choice, Cpu, Error};
    ///
    /// systolic::__private::expand_for_editor! { (::systolic)
    ///     /// Weighs.
    ///     pub kernel weigh<type T in [f32, f64], const Q: usize in [2, 3]>(
    ///         x: [T; N + Q - 1] border zero, w: const [T; Q], by: T, least: size,
    ///     ) -> (y: [T; N], top: T) where N >= 2 {
    ///         const HALF: f32 = 0.5;
    ///         for n in 0..N, q in 0..Q {
    ///             S[n, q] = x[n + q] * w[q] * by + if q == 0 { HALF as T } else { S[n, q - 1] };
    ///             M[n, q] = if n == 0 { S[n, q] } else { max(M[n - 1, q], S[n, q]) };
    ///             if q == Q - 1 { y[n] = S[n, q]; }
    ///             if q == Q - 1 && n == N - 1 { top = M[n, q]; }
    ///         }
    ///     }
    ///     kernel twice(x: [i32; R, C]) -> (y: [i32; R, C]) {
    ///         for r in 0..R, c in 0..C { y[r, c] = 2 * x[r, c]; }
    ///         map wide { tile c by 32 as (cb, ci); blocks (r, cb); space_time (ci) -> (s) = [[1]]; lanes s; }
    ///     }
    /// }
    ///
    /// let refused: Result<(systolic::ndarray::Array1<f32>, f32), Error> =
    ///     weigh::<f32, 2>::run(&Cpu, &[1.0, 2.0, 3.0], &[1.0, 2.0], 0.5, 1);
    /// assert!(matches!(refused, Err(Error::NotCompiled { kernel: "weigh" })));
    /// assert!(twice_wide::reference((&[1, 2], [1, 2])).is_err());
    /// let _: Choice = twice::choice(&Auto);
    /// assert_eq!(twice::describe(3, 4).steps, 0);
    /// ```
    pub use systolic_macros::expand_for_editor;
    pub use systolic_runtime::emitted::*;

    /// Replaces the prelude in emitted code: a user's module may have no prelude, or redefine its names.
    pub mod scope {
        pub use core::prelude::rust_2021::*;
        pub use core::primitive::*;
    }
}
