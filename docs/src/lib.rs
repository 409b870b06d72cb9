//! The documents as they are read; their Rust is compiled and run by `cargo test --doc`.
// The pages show whole files, which a reader copies as they are.
#![allow(clippy::needless_doctest_main)]

#[doc = include_str!("../language.md")]
pub mod language {}

#[doc = include_str!("../../README.md")]
pub mod readme {}

#[doc = include_str!("../gpu.md")]
pub mod gpu {}
