//! The documents as they are read; their Rust is compiled and run by `cargo test --doc`.
// The pages show whole files, which a reader copies as they are.
#![allow(clippy::needless_doctest_main)]

#[doc = include_str!("../language.md")]
pub mod language {}

#[doc = include_str!("../../README.md")]
pub mod readme {}

#[doc = include_str!("../gpu.md")]
pub mod gpu {}

#[doc = include_str!("../mesh.md")]
pub mod mesh {}

/// The chapters of the tutorial.
pub mod tutorial {
    #[doc = include_str!("../tutorial/1-a-loop-and-its-equations.md")]
    pub mod one {}

    #[doc = include_str!("../tutorial/2-reading-a-refusal.md")]
    pub mod two {}

    #[doc = include_str!("../tutorial/3-cpu-and-gpu.md")]
    pub mod three {}

    #[doc = include_str!("../tutorial/4-borders-and-stencils.md")]
    pub mod four {}

    #[doc = include_str!("../tutorial/5-recurrences-and-wavefronts.md")]
    pub mod five {}

    #[doc = include_str!("../tutorial/6-the-map-by-hand.md")]
    pub mod six {}

    #[doc = include_str!("../tutorial/7-letting-the-compiler-find-it.md")]
    pub mod seven {}
}

/// Kernels to copy.
pub mod recipes {
    #[doc = include_str!("../recipes/images.md")]
    pub mod images {}

    #[doc = include_str!("../recipes/sound.md")]
    pub mod sound {}

    #[doc = include_str!("../recipes/alignments.md")]
    pub mod alignments {}

    #[doc = include_str!("../recipes/linear-algebra.md")]
    pub mod linear_algebra {}

    #[doc = include_str!("../recipes/simulations.md")]
    pub mod simulations {}
}

#[doc = include_str!("../coming-from.md")]
pub mod coming_from {}
