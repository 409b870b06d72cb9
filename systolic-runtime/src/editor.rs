//! What the names of a kernel are in the expansion that editors see: types that an editor shows when the cursor rests on a name.
//! No program contains them.
use core::marker::PhantomData;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        pub struct $name<T>(PhantomData<fn() -> T>);

        impl<T> $name<T> {
            /// The only value.
            pub const IT: $name<T> = $name(PhantomData);
        }
    )*};
}

kinds! {
    /// An array: an input, an output or a constant.
    Array,
    /// A number: an input, an output or a constant.
    Scalar,
    /// A variable: one value per point.
    Variable
}

/// A size: a number that the shapes of the inputs give.
pub struct Size;

impl Size {
    /// The only value.
    pub const IT: Size = Size;
}

/// A loop.
pub struct Index;

impl Index {
    /// The only value.
    pub const IT: Index = Index;
}
