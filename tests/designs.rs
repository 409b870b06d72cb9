//! The figures of the seven designs of 1-D convolution: rong2020, Table 4.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/conv1d.rs"]
mod kernels;

use kernels::*;
use systolic::Design;

/// 16 outputs and 5 taps: 80 useful points.
#[track_caller]
fn figures(design: Design, pes: usize, steps: usize) {
    assert_eq!((design.pes, design.steps), (pes, steps));
    assert_eq!(design.outturn, 16.0 / steps as f64);
    assert_eq!(design.utilization, 80.0 / (pes * steps) as f64);
}

#[test]
fn figures_of_table_4() {
    figures(conv1d_sbm::<5>::describe(16), 20, 5);
    figures(conv1d_bsm::<5>::describe(16), 5, 20);
    figures(conv1d_fsm::<5>::describe(16), 5, 20);
    figures(conv1d_bfs::<5>::describe(16), 16, 20);
    figures(conv1d_ffs::<5>::describe(16), 16, 35);
    figures(conv1d_fbs::<5>::describe(16), 16, 5);
    figures(conv1d_fbs2::<5>::describe(16), 16, 5);
}

#[test]
fn one_space_row_leaves_one_projection() {
    let projections = conv1d_sbm::<5>::describe(16).projections;
    assert_eq!(projections.len(), 1, "{projections:?}");
}
