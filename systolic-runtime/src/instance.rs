//! The instances of a kernel. If a program names an instance that does not exist, rustc lists those that do.
//!
//! The diagnostic attributes are here and not in emitted code, because a module without a prelude does not know them.

/// A type that is an instance of its kernel. `L` is a type whose name lists the instances: one of them, or a tuple of several.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an instance of its kernel", label = "listed: {L}")]
pub trait Instance<L> {
    /// The type that implements the functions.
    type Code;
}

/// Asks for an [`Instance`], so that rustc does not show the lines that implement that one.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an instance of its kernel", label = "listed: {L}")]
pub trait Listed<L> {
    /// The type that implements the functions.
    type Code;
}

#[diagnostic::do_not_recommend]
impl<K: Instance<L>, L> Listed<L> for K {
    type Code = K::Code;
}

/// Stands for the last `N` instances of a long list.
#[derive(Debug)]
pub enum More<const N: usize> {}
