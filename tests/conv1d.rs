//! The seven designs of 1-D convolution.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/conv1d.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::Array1;
use systolic_tests::{Data, check, sizes};

/// `z[c] = Σ x[stride · c + q] · w[q]`, summing the taps in the given order.
fn convolve(x: &Array1<f32>, w: &[f32], stride: usize, taps: impl Iterator<Item = usize> + Clone) -> Array1<f32> {
    let count = (x.len() + stride - w.len()) / stride;
    Array1::from_shape_fn(count, |c| taps.clone().fold(0.0, |sum, q| x[stride * c + q].mul_add(w[q], sum)))
}

/// Compares one design, at one stride, for one number of taps.
macro_rules! design {
    ($kernel:ident, $taps:tt, $stride:expr, $order:expr, $sizes:expr) => {
        for c in $sizes {
            let mut data = Data::new(c as u64);
            let x = data.array(($stride * (c - 1)) + $taps);
            let w = data.row::<f32, $taps>();
            check!($kernel::<$taps>(&x, &w), convolve(&x, &w, $stride, $order));
        }
    };
}

#[test]
fn sbm() {
    design!(conv1d_sbm, 2, 1, 0..2, sizes::line(&[28]));
    design!(conv1d_sbm, 5, 1, 0..5, sizes::line(&[28]));
    design!(conv1d_sbm, 5, 1, 0..5, [20011]);
}

#[test]
fn bsm() {
    design!(conv1d_bsm, 2, 1, 0..2, sizes::line(&[16]));
    design!(conv1d_bsm, 5, 1, 0..5, sizes::line(&[16]));
    design!(conv1d_bsm, 5, 1, 0..5, [20011]);
}

#[test]
fn fsm_sums_from_the_last_tap() {
    design!(conv1d_fsm, 2, 1, (0..2).rev(), sizes::line(&[16]));
    design!(conv1d_fsm, 5, 1, (0..5).rev(), sizes::line(&[16]));
    design!(conv1d_fsm, 5, 1, (0..5).rev(), [20011]);
}

#[test]
fn bfs() {
    design!(conv1d_bfs, 2, 1, 0..2, sizes::line(&[32]));
    design!(conv1d_bfs, 5, 1, 0..5, sizes::line(&[32]));
    design!(conv1d_bfs, 5, 1, 0..5, [20011]);
}

#[test]
fn ffs() {
    design!(conv1d_ffs, 2, 1, 0..2, sizes::line(&[32]));
    design!(conv1d_ffs, 5, 1, 0..5, sizes::line(&[32]));
    design!(conv1d_ffs, 5, 1, 0..5, [20011]);
}

#[test]
fn fbs() {
    design!(conv1d_fbs, 2, 1, 0..2, sizes::line(&[32]));
    design!(conv1d_fbs, 5, 1, 0..5, sizes::line(&[32]));
    design!(conv1d_fbs, 5, 1, 0..5, [20011]);
}

#[test]
fn fbs_folded() {
    design!(conv1d_fbs_folded, 2, 1, 0..2, sizes::line(&[128]));
    design!(conv1d_fbs_folded, 5, 1, 0..5, sizes::line(&[128]));
    design!(conv1d_fbs_folded, 5, 1, 0..5, [20011]);
}

#[test]
fn fbs_at_stride_2() {
    design!(conv1d_fbs2, 2, 2, 0..2, sizes::line(&[32]));
    design!(conv1d_fbs2, 5, 2, 0..5, sizes::line(&[32]));
    design!(conv1d_fbs2, 5, 2, 0..5, [20011]);
}
