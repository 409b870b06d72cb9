//! The GPU of the tests: with the feature `cuda`, if `SYSTOLIC_GPU` is set.
use std::sync::OnceLock;
use systolic::Gpu;

/// The first GPU, if the tests are to run on one.
///
/// # Panics
///
/// Panics if a GPU is requested but there is none: a test that was not run has not passed.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let open = || match std::env::var_os("SYSTOLIC_GPU") {
        None => None,
        Some(_) => match Gpu::new(0) {
            Ok(gpu) => Some(gpu),
            Err(error) => panic!("SYSTOLIC_GPU asks for a GPU: {error}"),
        },
    };
    GPU.get_or_init(open).as_ref()
}
