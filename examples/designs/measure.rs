//! Compares the time and the bits of a machine with hand-written loops.
use crate::machines::{Machine, TAPS};
use std::time::Instant;
use systolic::Error;

pub struct Measured {
    /// Its time divided by that of a plain loop.
    pub time: f64,
    /// Whether all bits equal those of a loop with the same fused operations.
    pub same: bool,
}

/// Measures a machine with this many outputs and runs.
pub fn measure(machine: &Machine, outputs: usize, runs: usize) -> Result<Measured, Error> {
    let weights: [f32; TAPS] = [0.1, 0.2, 0.4, 0.2, 0.1];
    let length = machine.stride * (outputs - 1) + TAPS;
    let signal: Vec<f32> = (0..length).map(|n| ((n * 37 % 101) as f32).sqrt() - 5.0).collect();
    let mut result = vec![0.0; outputs];
    (machine.run)(&signal, &weights, &mut result)?;
    let same = result.iter().enumerate().all(|(c, z)| z.to_bits() == fused(machine, &signal, &weights, c).to_bits());
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        (machine.run)(&signal, &weights, &mut result)?;
        ours.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        plain(machine.stride, &signal, &weights, &mut result);
        theirs.push(start.elapsed().as_secs_f64());
        std::hint::black_box(&result);
    }
    Ok(Measured { time: median(ours) / median(theirs), same })
}

/// One output as the language defines it: each product is added without intermediate rounding.
fn fused(machine: &Machine, x: &[f32], w: &[f32; TAPS], c: usize) -> f32 {
    let add = |sum: f32, q: usize| x[machine.stride * c + q].mul_add(w[q], sum);
    if machine.backward { (0..TAPS).rev().fold(0.0, add) } else { (0..TAPS).fold(0.0, add) }
}

/// The loop that one would write by hand; rustc vectorises it, on one core.
fn plain(stride: usize, x: &[f32], w: &[f32; TAPS], z: &mut [f32]) {
    for (z, x) in z.iter_mut().zip(x.windows(TAPS).step_by(stride)) {
        *z = x.iter().zip(w).map(|(x, w)| x * w).sum();
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
