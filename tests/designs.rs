//! The figures of designs: the seven of 1-D convolution as in rong2020's Table 4, and others counted by hand.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/conv1d.rs"]
mod kernels;
#[allow(dead_code)]
#[path = "kernels/matrices.rs"]
mod matrices;

use kernels::*;
use matrices::{dot, matvec};
use systolic::{Cpu, Design, Medium};

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

/// Computed by hand from the matrices: a value with a delay of d steps takes d registers, and each moves once per step.
/// If there are few steps, they are unrolled and no value waits.
#[test]
fn registers_and_shuffles_of_the_seven() {
    let check = |design: Design, registers: usize, shuffles: f64| {
        assert_eq!((design.registers, design.shuffles), (registers, shuffles / 16.0));
    };
    // The sum moves in 4 of 5 steps.
    check(conv1d_sbm::<5>::describe(16), 0, 4.0);
    // The sum moves in each of 20 steps.
    check(conv1d_bsm::<5>::describe(16), 1, 20.0);
    // The sum has a delay of one step, the input of two.
    check(conv1d_fsm::<5>::describe(16), 3, 40.0);
    // The weight moves, the sum stays.
    check(conv1d_bfs::<5>::describe(16), 2, 20.0);
    // The input has a delay of one step, the weight of two, the sum of one.
    check(conv1d_ffs::<5>::describe(16), 4, 70.0);
    check(conv1d_fbs::<5>::describe(16), 0, 4.0);
    check(conv1d_fbs2::<5>::describe(16), 0, 3.0);
}

systolic::systolic! {
    kernel twice(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
    }

    kernel running_sum(x: [f32; 8, N]) -> (y: [f32; 8, N]) {
        for r in 0..8, n in 0..N {
            S[r, n] = x[r, n] + if n == 0 { 0.0 } else { S[r, n - 1] };
            y[r, n] = S[r, n];
        }
    }
}

/// Where kernels are compiled for a GPU, `describe` shows the map that the search found for it.
#[test]
#[cfg_attr(feature = "cuda", ignore = "the default map is that of a CPU")]
fn without_a_map_the_default_is_described() {
    assert_eq!(extents(twice::describe(100)), (32, 1));
    let sum = running_sum::describe(10);
    assert_eq!((sum.pes * sum.steps) as f64, 80.0 / sum.utilization, "{sum}");
    assert_eq!(sum.registers, 1, "{sum}");
    assert!(sum.wires.iter().any(|w| w.medium == Medium::Rotation { delay: 1 }), "{sum}");
}

#[test]
fn one_space_row_leaves_one_projection() {
    let projections = conv1d_sbm::<5>::describe(16).projections;
    assert_eq!(projections.len(), 1, "{projections:?}");
}

/// PEs and steps.
fn extents(design: Design) -> (usize, usize) {
    (design.pes, design.steps)
}

#[test]
fn only_points_that_exist_count() {
    assert_eq!(extents(conv1d_sbm::<5>::describe(1)), (5, 5));
    assert_eq!(extents(conv1d_sbm::<2>::describe(3)), (4, 2));
    assert_eq!(extents(conv1d_ffs::<5>::describe(2)), (2, 7));
    assert_eq!(extents(matvec::describe(3, 7)), (3, 7));
}

#[test]
fn one_block_counts() {
    for c in [28, 29, 100, 1000] {
        assert_eq!(extents(conv1d_sbm::<5>::describe(c)), (32, 5));
    }
    assert_eq!(extents(matvec::describe(100, 7)), (32, 7));
}

#[test]
fn sizes_stand_in_order_of_appearance() {
    // The sizes are N, then the parameter m.
    assert_eq!(extents(dot::describe(33, 2)), (32, 33));
    assert_eq!(extents(dot::describe(1, 5)), (32, 36));
}

systolic::systolic! {
    /// Too many operations to be compiled for CPUs without vector instructions.
    kernel thrice(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = exp(exp(exp(x[n]))); }
    }
}

#[test]
fn a_cpu_without_vectors_says_that_it_runs_point_by_point() {
    let x = [-1.0, 0.5, -0.25];
    assert_eq!(thrice::run(&Cpu, &x).unwrap(), thrice::reference(&x).unwrap());
    let reason = "this CPU has none of the vector instructions that the map is compiled for";
    // An unoptimised build has no other level, and so everything has code for it.
    let is_plain = cfg!(not(debug_assertions)) && std::env::var("SYSTOLIC_CPU").is_ok_and(|level| level == "plain");
    let wanted = is_plain.then_some(reason);
    assert_eq!(thrice::choice(&Cpu).point_by_point(), wanted);
    assert_eq!(thrice::describe(3).point_by_point.as_deref(), wanted);
    assert_eq!(twice::choice(&Cpu).point_by_point(), None);
}
