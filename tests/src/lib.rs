//! Shared by the workload tests: data, sizes, comparison bit by bit, and arithmetic in plain Rust.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

pub mod arithmetic;
pub mod blosum;
pub mod border;
pub mod compare;
pub mod data;
mod gpu;
pub mod message;
mod most;
pub mod sizes;

pub use arithmetic::{Float, Real, larger, smaller};
pub use compare::{Element, Same, assert_same};
pub use data::{Data, Sample};
pub use gpu::gpu;
pub use message::assert_says;
pub use most::is_left_out;

/// Runs a kernel by every executor and compares each result with that of hand-written loops.
///
/// `check!(conv2d::<f32, 3, 3>(&x, &w), expected)`; the expected value is an array, or a tuple if the kernel has
/// several outputs.
#[macro_export]
macro_rules! check {
    ($kernel:ident $(::<$($generic:tt),+>)? ($($argument:expr),* $(,)?), $expected:expr $(,)?) => {{
        let call = stringify!($kernel $(::<$($generic),+>)? ($($argument),*));
        let expected = &$expected;
        if !$crate::is_left_out(call, expected) {
            match $kernel $(::<$($generic),+>)? ::reference($($argument),*) {
                Ok(got) => $crate::assert_same(call, &got, expected),
                Err(error) => panic!("{call}: {error}"),
            }
            match $crate::gpu() {
                Some(gpu) => match $kernel $(::<$($generic),+>)? ::run(gpu, $($argument),*) {
                    Ok(got) => $crate::assert_same(&format!("{call} on the GPU"), &got, expected),
                    Err(error) => panic!("{call} on the GPU: {error}"),
                },
                None => match $kernel $(::<$($generic),+>)? ::run(&::systolic::Cpu, $($argument),*) {
                    Ok(got) => $crate::assert_same(&format!("{call} on the CPU"), &got, expected),
                    Err(error) => panic!("{call} on the CPU: {error}"),
                },
            }
        }
    }};
}
