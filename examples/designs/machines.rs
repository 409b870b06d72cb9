//! The seven designs under one type: how each is described and run.
use crate::kernels::*;
use systolic::{Cpu, Design, Error};

/// How many weights there are.
pub const TAPS: usize = 5;

/// Inputs and weights to sums.
pub type Run = fn(&[f32], &[f32; TAPS], &mut [f32]) -> Result<(), Error>;

/// A design: inputs and weights are Broadcast, Forwarded or Stay, sums Migrate or Sediment.
pub struct Machine {
    pub name: &'static str,
    /// How far the inputs of neighbouring outputs lie apart.
    pub stride: usize,
    /// Sums from the last weight to the first.
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
