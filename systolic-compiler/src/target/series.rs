//! Bounds and choices for kernels that run as a series of kernels: launches on a GPU, passes on a CPU.
/// Elements of arrays that a variable reads, at most, for its readers to compute it again instead of loading it from memory.
pub const REPEATED_ACCESSES: usize = 2;

/// The most kernels of a series.
pub const MOST_MEMBERS: usize = 8;

/// The most variables of a kernel that is cut.
pub const MOST_VARIABLES: usize = 64;

/// The part of the time of a single map below which a series is taken. Predictions are wrong by up to a third.
#[cfg(feature = "search")]
pub const WORTH: f64 = 0.7;
