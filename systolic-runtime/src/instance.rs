//! Which instances a kernel has, as rustc shows them where a program names another one.

/// A type that is an instance of its kernel.
///
/// The words for a type that is not stand at [`Listed`] and not in emitted code: there `diagnostic` may not be known, as in
/// a module without a prelude.
pub trait Instance {
    /// What implements the functions.
    type Code;
}

/// Asks for an [`Instance`]. `L` is a type that shows which ones there are: one of them, or a tuple of several.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an instance of its kernel", label = "listed: {L}")]
pub trait Listed<L> {
    /// What implements the functions.
    type Code;
}

#[diagnostic::do_not_recommend]
impl<K: Instance, L> Listed<L> for K {
    type Code = K::Code;
}

/// Stands for the last `N` instances of a long list.
#[derive(Debug)]
pub enum More<const N: usize> {}
