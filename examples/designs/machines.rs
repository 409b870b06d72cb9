//! The seven designs as values of one type: how to describe and run each.
use crate::kernels::*;
use systolic::{Cpu, Design, Error};

/// The number of weights.
pub const TAPS: usize = 5;

/// Computes sums from inputs and weights.
pub type Run = fn(&[f32], &[f32; TAPS], &mut [f32]) -> Result<(), Error>;

/// A design. The letters of its name stand for inputs and weights (Broadcast, Forwarded or Stay) and sums (Migrate or
/// Sediment).
pub struct Machine {
    pub name: &'static str,
    /// The distance between the inputs of neighbouring outputs.
    pub stride: usize,
    /// Whether it sums from the last weight to the first.
    pub backward: bool,
    pub describe: fn(usize) -> Design,
    pub run: Run,
}

macro_rules! machine {
    ($name:literal, $kernel:ident, $stride:literal, $backward:literal) => {
        Machine {
            name: $name,
            stride: $stride,
            backward: $backward,
            describe: $kernel::<TAPS>::describe,
            run: |x, w, z| $kernel::<TAPS>::run_into(&Cpu, x, w, z),
        }
    };
}

pub const MACHINES: [Machine; 7] = [
    machine!("SBM", conv1d_sbm, 1, false),
    machine!("BSM", conv1d_bsm, 1, false),
    machine!("FSM", conv1d_fsm, 1, true),
    machine!("BFS", conv1d_bfs, 1, false),
    machine!("FFS", conv1d_ffs, 1, false),
    machine!("FBS", conv1d_fbs, 1, false),
    machine!("FBS, stride 2", conv1d_fbs2, 2, false),
];
