//! Kernels that no rule was tuned with: other widths, other types, filters along rows and along columns.
use crate::race::{Races, bytes, floats, noise};
use crate::vectors::widest;
use systolic::Cpu;

systolic::systolic! {
    kernel threshold(x: [u8; R, C], at: u8) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = if x[r, c] > at { 255 } else { 0 }; }
    }
    kernel sums(x: [i16; N], y: [i16; N], z: [i16; N]) -> (s: [i16; N]) {
        for n in 0..N { s[n] = x[n] + y[n] - z[n]; }
    }
    kernel along_rows(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = 0.3 * x[r, c] + (if c < 1 { 0.0 } else { 0.5 * Y[r, c - 1] })
                - if c < 2 { 0.0 } else { 0.2 * Y[r, c - 2] };
            y[r, c] = Y[r, c];
        }
    }
    kernel along_columns(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = 0.3 * x[r, c] + (if r < 1 { 0.0 } else { 0.5 * Y[r - 1, c] })
                - if r < 2 { 0.0 } else { 0.2 * Y[r - 2, c] };
            y[r, c] = Y[r, c];
        }
    }
    kernel vertical(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = 0.25 * x[r - 1, c] + 0.5 * x[r, c] + 0.25 * x[r + 1, c]; }
    }
    kernel star(x: [f64; R, C] border zero) -> (y: [f64; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] * 0.5 + (x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1]) * 0.125;
        }
    }
    kernel gradient(x: [u8; R, C]) -> (y: [i16; R, C]) where 3 <= R, 3 <= C {
        for r in 0..R, c in 0..C {
            y[r, c] = if r == 0 || r == R - 1 || c == 0 || c == C - 1 { 0 } else {
                (x[r, c + 1] as i16 - x[r, c - 1] as i16) + (x[r + 1, c] as i16 - x[r - 1, c] as i16)
            };
        }
    }
}

pub fn all(races: &mut Races) {
    narrow(races);
    filters(races);
    stencils(races);
}

fn narrow(races: &mut Races) {
    let (r, c) = (700, 100);
    let x = bytes(r * c);
    races.run(
        "threshold in u8, 100 columns",
        r * c,
        |y: &mut Vec<u8>| threshold::run_into(&Cpu, (&x, [r, c]), 90, (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.iter_mut().zip(&x) {
                        *y = if *x > 90 { 255 } else { 0 };
                    }
                },
            )
        },
    );
    let n = 1 << 15;
    let [a, b, d] = [12, 14, 16].map(|by| noise(n, |x| (x >> by) as i16));
    races.run(
        "sum of three in i16",
        n,
        |s: &mut Vec<i16>| sums::run_into(&Cpu, &a, &b, &d, (s, [n])).unwrap(),
        |s| {
            widest(
                #[inline(always)]
                |_| {
                    for (((s, a), b), d) in s.iter_mut().zip(&a).zip(&b).zip(&d) {
                        *s = a.wrapping_add(*b).wrapping_sub(*d);
                    }
                },
            )
        },
    );
}

fn filters(races: &mut Races) {
    let (r, c) = (256, 300);
    let x = floats(r * c);
    races.run(
        "second-order filter along rows",
        r * c,
        |y: &mut Vec<f32>| along_rows::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.chunks_exact_mut(c).zip(x.chunks_exact(c)) {
                        let (mut y1, mut y2) = (0.0f32, 0.0f32);
                        for (k, (y, x)) in y.iter_mut().zip(x).enumerate() {
                            let first = if k < 1 { 0.0 } else { 0.5 * y1 };
                            *y = 0.3f32.mul_add(*x, first) - if k < 2 { 0.0 } else { 0.2 * y2 };
                            (y1, y2) = (*y, y1);
                        }
                    }
                },
            )
        },
    );
    races.run(
        "second-order filter along columns",
        r * c,
        |y: &mut Vec<f32>| along_columns::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y[..c].iter_mut().zip(&x) {
                        *y = 0.3f32.mul_add(*x, 0.0) - 0.0;
                    }
                    for i in 1..r {
                        let (before, now) = y.split_at_mut(i * c);
                        let one = &before[(i - 1) * c..];
                        for j in 0..c {
                            let second = if i < 2 { 0.0 } else { 0.2 * before[(i - 2) * c + j] };
                            now[j] = 0.3f32.mul_add(x[i * c + j], 0.5 * one[j]) - second;
                        }
                    }
                },
            )
        },
    );
}

fn stencils(races: &mut Races) {
    let (r, c) = (80, 1000);
    let x = floats(r * c);
    races.run(
        "vertical smoothing, clamped",
        r * c,
        |y: &mut Vec<f32>| vertical::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (i, y) in y.chunks_exact_mut(c).enumerate() {
                        let row = |i: usize| &x[i * c..][..c];
                        let (a, b, d) = (row(i.saturating_sub(1)), row(i), row((i + 1).min(r - 1)));
                        for (((y, a), b), d) in y.iter_mut().zip(a).zip(b).zip(d) {
                            *y = 0.25f32.mul_add(*d, 0.5f32.mul_add(*b, 0.25 * a));
                        }
                    }
                },
            )
        },
    );
    let (r, c) = (600, 48);
    let x = noise(r * c, |x| x as f64 / u32::MAX as f64);
    let mut padded = vec![0f64; (r + 2) * (c + 2)];
    races.run(
        "star in f64, zero border",
        r * c,
        |y: &mut Vec<f64>| star::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let w = c + 2;
                    for (p, x) in padded[w..].chunks_exact_mut(w).zip(x.chunks_exact(c)) {
                        p[1..c + 1].copy_from_slice(x);
                    }
                    for (i, y) in y.chunks_exact_mut(c).enumerate() {
                        let (a, b, d) =
                            (&padded[i * w..][..w], &padded[(i + 1) * w..][..w], &padded[(i + 2) * w..][..w]);
                        for (j, y) in y.iter_mut().enumerate() {
                            *y = (a[j + 1] + d[j + 1] + b[j] + b[j + 2]).mul_add(0.125, b[j + 1] * 0.5);
                        }
                    }
                },
            )
        },
    );
    let (r, c) = (240, 100);
    let x = bytes(r * c);
    races.run(
        "gradient of u8 in i16",
        r * c,
        |y: &mut Vec<i16>| gradient::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    y.fill(0);
                    for i in 1..r - 1 {
                        let (a, b, d) = (&x[(i - 1) * c..][..c], &x[i * c..][..c], &x[(i + 1) * c..][..c]);
                        let y = &mut y[i * c..][..c];
                        for j in 1..c - 1 {
                            y[j] = (b[j + 1] as i16 - b[j - 1] as i16) + (d[j] as i16 - a[j] as i16);
                        }
                    }
                },
            )
        },
    );
}
