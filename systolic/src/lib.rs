//! Uniform recurrence equations in Rust: a kernel is a loop nest with equations, and may specify where and when each of
//! its points runs. [`systolic!`](systolic!) checks both at compile time.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(feature = "cuda")]
pub use systolic_runtime::interop;
pub use systolic_runtime::{
    Auto, Choice, Cpu, Design, Device, DeviceArray, Element, Error, Event, Expected, Gpu, Host, Limits, Maps, Medium,
    Memory, PinnedArray, Properties, Rank, Reached, Sequence, SizeValue, Stream, Wire, bf16, f16, ndarray,
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
    pub use systolic_macros::expand;
    pub use systolic_runtime::emitted::*;

    /// Replaces the prelude in emitted code: a user's module may have no prelude, or redefine its names.
    pub mod scope {
        pub use core::prelude::rust_2021::*;
        pub use core::primitive::*;
    }
}
