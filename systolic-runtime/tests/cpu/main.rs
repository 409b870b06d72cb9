//! The CPU's lanes against the scalar definition, at every level that this machine has.
mod arrays;
mod operations;
mod random;
mod shuffles;
mod walks;
