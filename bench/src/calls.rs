//! The overhead of a call: kernels on 16 elements compared with plain loops.
#[path = "../../tests/shared/small_calls.rs"]
mod kernels;

use crate::time::least;
use kernels::{conv1d, running_sum};
use std::hint::black_box;
use systolic::Cpu;

systolic::systolic! {
    /// Every element on its own.
    kernel scale(x: [f32; N], a: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = a * x[n] + 1.0; }
    }

    /// Two dimensions, two sizes.
    kernel add(a: [f32; R, C], b: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = a[r, c] + b[r, c]; }
    }
}

/// Calls per measurement: few, so that most measurements are not interrupted.
const CALLS: u32 = 200;

/// The time of one call in nanoseconds.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    let all = least(|| (0..CALLS).for_each(|_| call()));
    all.as_secs_f64() * 1e9 / f64::from(CALLS)
}

fn row(name: &str, ours: f64, plain: f64) {
    println!("| {name} | {ours:.0} | {plain:.0} | {:.0} |", ours - plain);
}

/// Prints the table of small calls.
pub fn print() -> Result<(), String> {
    let x: Vec<f32> = (0..16u8).map(f32::from).collect();
    let wide: Vec<f32> = (0..18u8).map(f32::from).collect();
    let w = [0.25, 0.5, 0.25];
    let mut y = vec![0.0; 16];
    // Check for errors first, since a failing call would be fast.
    scale::run_into(&Cpu, &x, 2.0, &mut y).map_err(|error| error.to_string())?;
    running_sum::run_into(&Cpu, &x, &mut y).map_err(|error| error.to_string())?;
    conv1d::run_into(&Cpu, &wide, &w, &mut y).map_err(|error| error.to_string())?;
    add::run_into(&Cpu, (&x, [4, 4]), (&x, [4, 4]), (&mut y, [4, 4])).map_err(|error| error.to_string())?;

    println!("| call on 16 elements | ns | plain loop, ns | over it, ns |");
    println!("| --- | --- | --- | --- |");
    let ours = nanoseconds(|| _ = black_box(scale::run_into(&Cpu, black_box(&x), 2.0, &mut y)));
    let plain = nanoseconds(|| {
        y.iter_mut().zip(black_box(&x)).for_each(|(y, x)| *y = 2.0 * x + 1.0);
        black_box(&mut y);
    });
    row("scale, `run_into`", ours, plain);
    let ours = nanoseconds(|| _ = black_box(scale::run(&Cpu, black_box(&x), 2.0)));
    let plain = nanoseconds(|| _ = black_box(black_box(&x).iter().map(|x| 2.0 * x + 1.0).collect::<Vec<f32>>()));
    row("scale, `run`", ours, plain);

    let sum = |y: &mut [f32], x: &[f32]| {
        let mut sum = 0.0;
        for (y, x) in y.iter_mut().zip(x) {
            sum += x;
            *y = sum;
        }
    };
    let ours = nanoseconds(|| _ = black_box(running_sum::run_into(&Cpu, black_box(&x), &mut y)));
    let plain = nanoseconds(|| {
        sum(&mut y, black_box(&x));
        black_box(&mut y);
    });
    row("running sum, `run_into`", ours, plain);
    let ours = nanoseconds(|| _ = black_box(running_sum::run(&Cpu, black_box(&x))));
    let plain = nanoseconds(|| {
        let mut y = vec![0.0; 16];
        sum(&mut y, black_box(&x));
        black_box(y);
    });
    row("running sum, `run`", ours, plain);

    let conv = |z: &mut [f32], x: &[f32], w: &[f32; 3]| {
        for (z, x) in z.iter_mut().zip(x.windows(3)) {
            *z = x[0] * w[0] + x[1] * w[1] + x[2] * w[2];
        }
    };
    let ours = nanoseconds(|| _ = black_box(conv1d::run_into(&Cpu, black_box(&wide), &w, &mut y)));
    let plain = nanoseconds(|| {
        conv(&mut y, black_box(&wide), &w);
        black_box(&mut y);
    });
    row("convolution of 3, `run_into`", ours, plain);
    let ours = nanoseconds(|| _ = black_box(conv1d::run(&Cpu, black_box(&wide), &w)));
    let plain = nanoseconds(|| {
        let mut z = vec![0.0; 16];
        conv(&mut z, black_box(&wide), &w);
        black_box(z);
    });
    row("convolution of 3, `run`", ours, plain);

    let four = |a| (a, [4usize, 4]);
    let ours = nanoseconds(|| _ = black_box(add::run_into(&Cpu, four(black_box(&x)), four(&x), (&mut y, [4, 4]))));
    let plain = nanoseconds(|| {
        y.iter_mut().zip(black_box(&x)).zip(&x).for_each(|((y, a), b)| *y = a + b);
        black_box(&mut y);
    });
    row("sum of two 4 × 4, `run_into`", ours, plain);
    let ours = nanoseconds(|| _ = black_box(add::run(&Cpu, four(black_box(&x)), four(&x))));
    let plain = nanoseconds(|| _ = black_box(black_box(&x).iter().zip(&x).map(|(a, b)| a + b).collect::<Vec<f32>>()));
    row("sum of two 4 × 4, `run`", ours, plain);
    Ok(())
}
