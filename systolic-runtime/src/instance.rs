//! Which instances a kernel has, as rustc shows them where a program names another one.
//!
//! The words for that stand here and not in emitted code: there `diagnostic` may not be known, as in a module without a
//! prelude.

/// A type that is an instance of its kernel. `L` is a type that shows which ones there are: one of them, or a tuple of
/// several.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an instance of its kernel", label = "listed: {L}")]
pub trait Instance<L> {
    /// What implements the functions.
    type Code;
}

/// Asks for an [`Instance`], so that rustc does not show the lines that implement that one.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an instance of its kernel", label = "listed: {L}")]
pub trait Listed<L> {
    /// What implements the functions.
    type Code;
}

#[diagnostic::do_not_recommend]
impl<K: Instance<L>, L> Listed<L> for K {
    type Code = K::Code;
}

/// Stands for the last `N` instances of a long list.
#[derive(Debug)]
pub enum More<const N: usize> {}
