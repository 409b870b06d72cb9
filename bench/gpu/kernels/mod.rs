//! The measured kernels, each with maps for a GPU.
pub mod box2d;
pub mod box3d;
pub mod conv1d;
pub mod conv2d;
pub mod jacobi;
pub mod known;
pub mod same;
pub mod star2d;
pub mod star3d;
pub mod types;
