//! What is known of machines, and every number that was chosen and not derived: limits, tuning, bounds on the compiler's own
//! work. Each has its unit and where it comes from; no other module has numbers of this kind.
pub mod cpu;
pub mod effort;
pub mod gpu;
#[cfg(feature = "search")]
pub mod instructions;
pub mod limits;
#[cfg(feature = "search")]
pub mod machine_file;
#[cfg(feature = "search")]
pub mod machines;
pub mod search;
pub mod series;
pub mod shown;
#[cfg(feature = "search")]
pub mod timing;
pub mod tuning;

pub use gpu::Gpu;

/// The GPU whose limits the laws hold kernels to, and that the passes tune for.
pub static GPU: Gpu = gpu::H200;
