//! Compiles the kernels for a GPU if the feature `cuda` is enabled.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "cuda")]
    systolic_build::compile();
}
