//! Compiles the kernels for a GPU where that is asked for.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "cuda")]
    systolic_build::compile();
}
