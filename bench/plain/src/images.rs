//! Images and matrices.
use crate::race::{Races, bytes, floats};
use crate::vectors::widest;
use systolic::Cpu;

systolic::systolic! {
    kernel grey(x: [u8; R, C, 3]) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = ((77 * (x[r, c, 0] as u16) + 150 * (x[r, c, 1] as u16) + 29 * (x[r, c, 2] as u16)) >> 8) as u8;
        }
    }
    kernel depthwise(x: [f32; K, R + 2, C + 2], w: [f32; K, 3, 3]) -> (y: [f32; K, R, C]) {
        for k in 0..K, r in 0..R, c in 0..C, p in 0..3, q in 0..3 {
            S[k, r, c, p, q] = x[k, r + p, c + q] * w[k, p, q]
                + if p == 0 && q == 0 { 0.0 } else if q == 0 { S[k, r, c, p - 1, q + 2] } else { S[k, r, c, p, q - 1] };
            if p == 2 && q == 2 { y[k, r, c] = S[k, r, c, p, q]; }
        }
    }
    kernel smooth(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = 0.5 * x[r, c]
                + 0.25 * ((if c == 0 { 0.0 } else { x[r, c - 1] }) + if c == C - 1 { 0.0 } else { x[r, c + 1] });
        }
    }
    kernel clamped(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = 0.5 * x[r, c] + 0.25 * (x[r, c - 1] + x[r, c + 1]);
        }
    }
    kernel box3(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 1, c - 1] + x[r - 1, c] + x[r - 1, c + 1] + x[r, c - 1] + x[r, c] + x[r, c + 1]
                + x[r + 1, c - 1] + x[r + 1, c] + x[r + 1, c + 1];
        }
    }
    kernel life(x: [u8; R, C] border zero) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            N[r, c] = x[r - 1, c - 1] + x[r - 1, c] + x[r - 1, c + 1] + x[r, c - 1] + x[r, c + 1]
                + x[r + 1, c - 1] + x[r + 1, c] + x[r + 1, c + 1];
            y[r, c] = if N[r, c] == 3 || (N[r, c] == 2 && x[r, c] == 1) { 1 } else { 0 };
        }
    }
    kernel bilinear(x: [f32; R + 1, C + 1]) -> (y: [f32; 2 * R, 2 * C]) {
        for r in 0..R, c in 0..C {
            y[2 * r, 2 * c] = x[r, c];
            y[2 * r, 2 * c + 1] = 0.5 * (x[r, c] + x[r, c + 1]);
            y[2 * r + 1, 2 * c] = 0.5 * (x[r, c] + x[r + 1, c]);
            y[2 * r + 1, 2 * c + 1] = 0.25 * (x[r, c] + x[r, c + 1] + x[r + 1, c] + x[r + 1, c + 1]);
        }
    }
    kernel transpose(x: [f32; R, C]) -> (y: [f32; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
    }
    kernel row_sums(x: [f32; R, C]) -> (y: [f32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
    kernel column_sums(x: [f32; R, C]) -> (y: [f32; C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            if r == R - 1 { y[c] = S[r, c]; }
        }
    }
    kernel times(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            S[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
            if k == K - 1 { c[i, j] = S[i, j, k]; }
        }
    }
    kernel blend(x: [u8; R, C], y: [u8; R, C], a: u16) -> (z: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            z[r, c] = (((x[r, c] as u16) * a + (y[r, c] as u16) * (256 - a)) >> 8) as u8;
        }
    }
    kernel integral(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            H[r, c] = x[r, c] + if c == 0 { 0.0 } else { H[r, c - 1] };
            V[r, c] = H[r, c] + if r == 0 { 0.0 } else { V[r - 1, c] };
            y[r, c] = V[r, c];
        }
    }
}

pub fn all(races: &mut Races) {
    bytewise(races);
    widths(races);
    stencils(races);
    matrices(races);
}

fn bytewise(races: &mut Races) {
    let (r, c) = (240, 320);
    let x = bytes(3 * r * c);
    let y = bytes(2 * r * c);
    races.run(
        "rgb to grey in u8",
        r * c,
        |y: &mut Vec<u8>| grey::run_into(&Cpu, (&x, [r, c, 3]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.iter_mut().zip(x.chunks_exact(3)) {
                        *y = ((77 * x[0] as u16 + 150 * x[1] as u16 + 29 * x[2] as u16) >> 8) as u8;
                    }
                },
            )
        },
    );
    races.run(
        "blend in u8",
        r * c,
        |z: &mut Vec<u8>| blend::run_into(&Cpu, (&x[..r * c], [r, c]), (&y[..r * c], [r, c]), 77, (z, [r, c])).unwrap(),
        |z| {
            widest(
                #[inline(always)]
                |_| {
                    for ((z, x), y) in z.iter_mut().zip(&x).zip(&y) {
                        *z = ((*x as u16 * 77 + *y as u16 * (256 - 77)) >> 8) as u8;
                    }
                },
            )
        },
    );
    let cells: Vec<u8> = x[..r * c].iter().map(|x| x & 1).collect();
    let mut padded = vec![0u8; (r + 2) * (c + 2)];
    races.run(
        "game of life in u8",
        r * c,
        |z: &mut Vec<u8>| life::run_into(&Cpu, (&cells, [r, c]), (z, [r, c])).unwrap(),
        |z| {
            widest(
                #[inline(always)]
                |_| {
                    let w = c + 2;
                    for (p, x) in padded[w..].chunks_exact_mut(w).zip(cells.chunks_exact(c)) {
                        p[1..c + 1].copy_from_slice(x);
                    }
                    for (i, z) in z.chunks_exact_mut(c).enumerate() {
                        let (a, b, d) =
                            (&padded[i * w..][..w], &padded[(i + 1) * w..][..w], &padded[(i + 2) * w..][..w]);
                        for (((z, a), b), d) in z.iter_mut().zip(a.windows(3)).zip(b.windows(3)).zip(d.windows(3)) {
                            let n = a[0] + a[1] + a[2] + b[0] + b[2] + d[0] + d[1] + d[2];
                            *z = (n == 3 || (n == 2 && b[1] == 1)) as u8;
                        }
                    }
                },
            )
        },
    );
}

#[inline(always)]
fn smooth_loop(x: &[f32], c: usize, clamp: bool, y: &mut [f32]) {
    let end = |v: f32| if clamp { v } else { 0.0 };
    for (y, x) in y.chunks_exact_mut(c).zip(x.chunks_exact(c)) {
        y[0] = 0.5 * x[0] + 0.25 * (end(x[0]) + x[1]);
        for (y, x) in y[1..c - 1].iter_mut().zip(x.windows(3)) {
            *y = 0.5 * x[1] + 0.25 * (x[0] + x[2]);
        }
        y[c - 1] = 0.5 * x[c - 1] + 0.25 * (x[c - 2] + end(x[c - 1]));
    }
}

fn widths(races: &mut Races) {
    let names = [
        (8, "smoothing, 8 columns", "clamped smoothing, 8 columns"),
        (24, "smoothing, 24 columns", "clamped smoothing, 24 columns"),
        (48, "smoothing, 48 columns", "clamped smoothing, 48 columns"),
        (112, "smoothing, 112 columns", "clamped smoothing, 112 columns"),
        (128, "smoothing, 128 columns", "clamped smoothing, 128 columns"),
        (1000, "smoothing, 1000 columns", "clamped smoothing, 1000 columns"),
    ];
    for (c, plain, clamp) in names {
        let r = (1 << 16) / c;
        let x = floats(r * c);
        races.run(
            plain,
            r * c,
            |y: &mut Vec<f32>| smooth::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
            |y| {
                widest(
                    #[inline(always)]
                    |_| smooth_loop(&x, c, false, y),
                )
            },
        );
        races.run(
            clamp,
            r * c,
            |y: &mut Vec<f32>| clamped::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
            |y| {
                widest(
                    #[inline(always)]
                    |_| smooth_loop(&x, c, true, y),
                )
            },
        );
    }
}

fn stencils(races: &mut Races) {
    let (k, n) = (8, 112);
    let (x, w) = (floats(k * (n + 2) * (n + 2)), floats(k * 9));
    races.run(
        "depthwise 3×3 at 112²",
        k * n * n,
        |y: &mut Vec<f32>| depthwise::run_into(&Cpu, (&x, [k, n + 2, n + 2]), (&w, [k, 3, 3]), (y, [k, n, n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for k in 0..k {
                        let x = &x[k * (n + 2) * (n + 2)..][..(n + 2) * (n + 2)];
                        let w = &w[9 * k..][..9];
                        for r in 0..n {
                            let y = &mut y[(k * n + r) * n..][..n];
                            let (a, b, d) = (
                                &x[r * (n + 2)..][..n + 2],
                                &x[(r + 1) * (n + 2)..][..n + 2],
                                &x[(r + 2) * (n + 2)..][..n + 2],
                            );
                            for (((y, a), b), d) in y.iter_mut().zip(a.windows(3)).zip(b.windows(3)).zip(d.windows(3)) {
                                let mut s = 0.0f32;
                                for (x, w) in [a[0], a[1], a[2], b[0], b[1], b[2], d[0], d[1], d[2]].iter().zip(w) {
                                    s = x.mul_add(*w, s);
                                }
                                *y = s;
                            }
                        }
                    }
                },
            )
        },
    );
    let (r, c) = (256, 300);
    let x = floats(r * c);
    let mut padded = vec![0f32; (r + 2) * (c + 2)];
    races.run(
        "3×3 box, clamped",
        r * c,
        |y: &mut Vec<f32>| box3::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let w = c + 2;
                    for (i, p) in padded.chunks_exact_mut(w).enumerate() {
                        let x = &x[i.saturating_sub(1).min(r - 1) * c..][..c];
                        p[1..c + 1].copy_from_slice(x);
                        (p[0], p[c + 1]) = (x[0], x[c - 1]);
                    }
                    for (i, y) in y.chunks_exact_mut(c).enumerate() {
                        let (a, b, d) =
                            (&padded[i * w..][..w], &padded[(i + 1) * w..][..w], &padded[(i + 2) * w..][..w]);
                        for (((y, a), b), d) in y.iter_mut().zip(a.windows(3)).zip(b.windows(3)).zip(d.windows(3)) {
                            *y = a[0] + a[1] + a[2] + b[0] + b[1] + b[2] + d[0] + d[1] + d[2];
                        }
                    }
                },
            )
        },
    );
    let (r, c) = (128, 160);
    let x = floats((r + 1) * (c + 1));
    races.run(
        "bilinear ×2",
        4 * r * c,
        |y: &mut Vec<f32>| bilinear::run_into(&Cpu, (&x, [r + 1, c + 1]), (y, [2 * r, 2 * c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (i, y) in y.chunks_exact_mut(4 * c).enumerate() {
                        let (a, b) = (&x[i * (c + 1)..][..c + 1], &x[(i + 1) * (c + 1)..][..c + 1]);
                        let (top, bottom) = y.split_at_mut(2 * c);
                        for (((t, u), a), b) in
                            top.chunks_exact_mut(2).zip(bottom.chunks_exact_mut(2)).zip(a.windows(2)).zip(b.windows(2))
                        {
                            t[0] = a[0];
                            t[1] = 0.5 * (a[0] + a[1]);
                            u[0] = 0.5 * (a[0] + b[0]);
                            u[1] = 0.25 * (a[0] + a[1] + b[0] + b[1]);
                        }
                    }
                },
            )
        },
    );
}

fn matrices(races: &mut Races) {
    let (r, c) = (256, 300);
    let x = floats(r * c);
    races.run(
        "transpose",
        r * c,
        |y: &mut Vec<f32>| transpose::run_into(&Cpu, (&x, [r, c]), (y, [c, r])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for i in (0..r).step_by(8) {
                        for j in 0..c {
                            for k in i..(i + 8).min(r) {
                                y[j * r + k] = x[k * c + j];
                            }
                        }
                    }
                },
            )
        },
    );
    races.run(
        "row sums",
        r,
        |y: &mut Vec<f32>| row_sums::run_into(&Cpu, (&x, [r, c]), (y, [r])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.iter_mut().zip(x.chunks_exact(c)) {
                        *y = x.iter().fold(0.0, |s, x| x + s);
                    }
                },
            )
        },
    );
    races.run(
        "column sums",
        c,
        |y: &mut Vec<f32>| column_sums::run_into(&Cpu, (&x, [r, c]), (y, [c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    y.fill(0.0);
                    for x in x.chunks_exact(c) {
                        for (y, x) in y.iter_mut().zip(x) {
                            *y += x;
                        }
                    }
                },
            )
        },
    );
    races.run(
        "integral image",
        r * c,
        |y: &mut Vec<f32>| integral::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for i in 0..r {
                        let (before, now) = y.split_at_mut(i * c);
                        let mut h = 0.0;
                        for j in 0..c {
                            h += x[i * c + j];
                            now[j] = h + if i == 0 { 0.0 } else { before[(i - 1) * c + j] };
                        }
                    }
                },
            )
        },
    );
    let n = 96;
    let (a, b) = (floats(n * n), floats(n * n));
    races.run(
        "matrix product of 96",
        n * n,
        |y: &mut Vec<f32>| times::run_into(&Cpu, (&a, [n, n]), (&b, [n, n]), (y, [n, n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    y.fill(0.0);
                    for (y, a) in y.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
                        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
                            for (y, b) in y.iter_mut().zip(b) {
                                *y = a.mul_add(*b, *y);
                            }
                        }
                    }
                },
            )
        },
    );
}
