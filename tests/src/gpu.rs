//! The GPU of the tests: with feature `cuda`, where `SYSTOLIC_GPU` asks for it.
use std::sync::OnceLock;
use systolic::Gpu;

/// The first GPU, where the tests are to run on one.
///
/// # Panics
///
/// If it is asked for and is not there: a test that was not run has not passed.
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
