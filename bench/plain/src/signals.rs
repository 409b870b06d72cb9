//! Signals: recurrences, sums, filters, changes of rate.
use crate::race::{Races, bytes, floats, noise};
use crate::vectors::widest;
use systolic::Cpu;

systolic::systolic! {
    kernel decimate(x: [f32; 4 * N + 28], h: const [f32; 32]) -> (y: [f32; N]) {
        for n in 0..N, k in 0..32 {
            S[n, k] = x[4 * n + k] * h[k] + if k == 0 { 0.0 } else { S[n, k - 1] };
            if k == 31 { y[n] = S[n, k]; }
        }
    }
    kernel prefix_max(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            M[n] = if n == 0 { x[n] } else { max(M[n - 1], x[n]) };
            y[n] = M[n];
        }
    }
    kernel average(x: [f32; N], a: f32) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = if n == 0 { x[n] } else { S[n - 1] + a * (x[n] - S[n - 1]) };
            y[n] = S[n];
        }
    }
    kernel dot(a: [f32; N], b: [f32; N]) -> (s: [f32; 1]) {
        for n in 0..N {
            S[n] = a[n] * b[n] + if n == 0 { 0.0 } else { S[n - 1] };
            if n == N - 1 { s[0] = S[n]; }
        }
    }
    kernel viterbi(e: [f32; T, 3]) -> (z: [f32; T, 3]) {
        for t in 0..T {
            A[t] = e[t, 0] + if t == 0 { 0.0 } else { max(A[t - 1] - 0.1, max(B[t - 1] - 0.7, C[t - 1] - 1.5)) };
            B[t] = e[t, 1] + if t == 0 { 0.0 } else { max(A[t - 1] - 0.5, max(B[t - 1] - 0.2, C[t - 1] - 0.6)) };
            C[t] = e[t, 2] + if t == 0 { 0.0 } else { max(A[t - 1] - 1.1, max(B[t - 1] - 0.4, C[t - 1] - 0.3)) };
            z[t, 0] = A[t];
            z[t, 1] = B[t];
            z[t, 2] = C[t];
        }
    }
    kernel fir(x: [f32; N + 15], h: const [f32; 16]) -> (y: [f32; N]) {
        for n in 0..N, k in 0..16 {
            S[n, k] = x[n + k] * h[k] + if k == 0 { 0.0 } else { S[n, k - 1] };
            if k == 15 { y[n] = S[n, k]; }
        }
    }
    kernel biquad(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            X[n] = x[n];
            Y[n] = 0.2 * X[n] + (if n < 1 { 0.0 } else { 0.3 * X[n - 1] + 0.4 * Y[n - 1] })
                + if n < 2 { 0.0 } else { 0.1 * X[n - 2] - 0.2 * Y[n - 2] };
            y[n] = Y[n];
        }
    }
    kernel haar(x: [f32; 2 * N]) -> (low: [f32; N], high: [f32; N]) {
        for n in 0..N {
            low[n] = 0.5 * (x[2 * n] + x[2 * n + 1]);
            high[n] = 0.5 * (x[2 * n] - x[2 * n + 1]);
        }
    }
    kernel saxpy(x: [f32; N], y: [f32; N], a: f32) -> (z: [f32; N]) {
        for n in 0..N { z[n] = a * x[n] + y[n]; }
    }
    kernel mix(x: [i16; N], y: [i16; N]) -> (z: [i16; N]) {
        for n in 0..N { z[n] = ((x[n] as i32 * 3 + y[n] as i32 * 5) >> 3) as i16; }
    }
    kernel complex(x: [f32; N, 2], y: [f32; N, 2]) -> (z: [f32; N, 2]) {
        for n in 0..N {
            z[n, 0] = x[n, 0] * y[n, 0] - x[n, 1] * y[n, 1];
            z[n, 1] = x[n, 0] * y[n, 1] + x[n, 1] * y[n, 0];
        }
    }
    kernel upsample(x: [f32; N + 1]) -> (y: [f32; 2 * N]) {
        for n in 0..N {
            y[2 * n] = x[n];
            y[2 * n + 1] = 0.5 * (x[n] + x[n + 1]);
        }
    }
    kernel byte_sum(x: [u8; N]) -> (s: [u32; 1]) {
        for n in 0..N {
            S[n] = x[n] as u32 + if n == 0 { 0 } else { S[n - 1] };
            if n == N - 1 { s[0] = S[n]; }
        }
    }
    kernel waves(x: [f32; N], v: [f32; N]) -> (y: [f32; N]) {
        for t in 0..6, n in 0..N {
            U[t, n] = if t == 0 { x[n] } else if t == 1 { v[n] } else {
                1.5 * U[t - 1, n] - U[t - 2, n]
                    + 0.25 * ((if n == 0 { 0.0 } else { U[t - 1, n - 1] }) + if n == N - 1 { 0.0 } else { U[t - 1, n + 1] })
            };
            if t == 5 { y[n] = U[t, n]; }
        }
    }
    kernel channels(x: [f32; N, 8], a: f32) -> (y: [f32; N, 8]) {
        for n in 0..N, c in 0..8 {
            S[n, c] = if n == 0 { x[n, c] } else { S[n - 1, c] + a * (x[n, c] - S[n - 1, c]) };
            y[n, c] = S[n, c];
        }
    }
}

pub fn all(races: &mut Races) {
    serial(races);
    rates(races);
    filters(races);
}

fn serial(races: &mut Races) {
    let n = 1 << 15;
    let (x, b) = (floats(n), floats(n));
    races.run(
        "prefix maximum",
        n,
        |y: &mut Vec<f32>| prefix_max::run_into(&Cpu, &x, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let mut most = x[0];
                    for (y, x) in y.iter_mut().zip(&x) {
                        most = most.max(*x);
                        *y = most;
                    }
                },
            )
        },
    );
    races.run(
        "exponential average",
        n,
        |y: &mut Vec<f32>| average::run_into(&Cpu, &x, 0.1, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let mut s = x[0];
                    y[0] = s;
                    for (y, x) in y[1..].iter_mut().zip(&x[1..]) {
                        s = 0.1f32.mul_add(x - s, s);
                        *y = s;
                    }
                },
            )
        },
    );
    races.run(
        "dot product",
        1,
        |y: &mut Vec<f32>| dot::run_into(&Cpu, &x, &b, (y, [1])).unwrap(),
        |y| {
            y[0] = widest(
                #[inline(always)]
                |_| x.iter().zip(&b).fold(0.0, |s: f32, (x, b)| x.mul_add(*b, s)),
            )
        },
    );
    races.run(
        "biquad of one signal",
        n,
        |y: &mut Vec<f32>| biquad::run_into(&Cpu, &x, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    y[0] = 0.2f32.mul_add(x[0], 0.0) + 0.0;
                    y[1] = 0.2f32.mul_add(x[1], 0.4f32.mul_add(y[0], 0.3 * x[0])) + 0.0;
                    let (mut y1, mut y2) = (y[1], y[0]);
                    for (y, x) in y[2..].iter_mut().zip(x.windows(3)) {
                        *y = 0.2f32.mul_add(x[2], 0.4f32.mul_add(y1, 0.3 * x[1])) + (0.1 * x[0] - 0.2 * y2);
                        (y1, y2) = (*y, y1);
                    }
                },
            )
        },
    );
    let u = bytes(n);
    races.run(
        "sum of bytes",
        1,
        |y: &mut Vec<u32>| byte_sum::run_into(&Cpu, &u, (y, [1])).unwrap(),
        |y| {
            y[0] = widest(
                #[inline(always)]
                |_| u.iter().map(|x| *x as u32).sum(),
            )
        },
    );
    let e = floats(3 * 8192);
    races.run(
        "viterbi of 3 states",
        3 * 8192,
        |z: &mut Vec<f32>| viterbi::run_into(&Cpu, (&e, [8192, 3]), (z, [8192, 3])).unwrap(),
        |z| {
            widest(
                #[inline(always)]
                |_| {
                    let (mut a, mut b, mut c) = (e[0], e[1], e[2]);
                    (z[0], z[1], z[2]) = (a + 0.0, b + 0.0, c + 0.0);
                    for (z, e) in z.chunks_exact_mut(3).zip(e.chunks_exact(3)).skip(1) {
                        let next = (
                            e[0] + (a - 0.1f32).max((b - 0.7f32).max(c - 1.5)),
                            e[1] + (a - 0.5f32).max((b - 0.2f32).max(c - 0.6)),
                            e[2] + (a - 1.1f32).max((b - 0.4f32).max(c - 0.3)),
                        );
                        (a, b, c) = next;
                        (z[0], z[1], z[2]) = next;
                    }
                },
            )
        },
    );
    let m = 4096;
    races.run(
        "averages of 8 channels",
        8 * m,
        |y: &mut Vec<f32>| channels::run_into(&Cpu, (&x, [m, 8]), 0.1, (y, [m, 8])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let mut s = [0.0f32; 8];
                    s.copy_from_slice(&x[..8]);
                    y[..8].copy_from_slice(&x[..8]);
                    for (y, x) in y.chunks_exact_mut(8).zip(x.chunks_exact(8)).skip(1) {
                        for c in 0..8 {
                            s[c] = 0.1f32.mul_add(x[c] - s[c], s[c]);
                            y[c] = s[c];
                        }
                    }
                },
            )
        },
    );
}

fn rates(races: &mut Races) {
    let n = 1 << 13;
    let x = floats(4 * n + 28);
    let h: [f32; 32] = std::array::from_fn(|k| 1.0 / (k + 1) as f32);
    races.run(
        "32-tap decimator by 4",
        n,
        |y: &mut Vec<f32>| decimate::run_into(&Cpu, &x, &h, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.iter_mut().zip(x.windows(32).step_by(4)) {
                        *y = x.iter().zip(&h).fold(0.0, |s: f32, (x, h)| x.mul_add(*h, s));
                    }
                },
            )
        },
    );
    let n = 1 << 14;
    races.run(
        "haar step",
        2 * n,
        |y: &mut Vec<f32>| {
            let (a, b) = y.split_at_mut(n);
            haar::run_into(&Cpu, &x[..2 * n], (a, [n]), (b, [n])).unwrap()
        },
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let (a, b) = y.split_at_mut(n);
                    for ((x, a), b) in x[..2 * n].chunks_exact(2).zip(a).zip(b) {
                        *a = 0.5 * (x[0] + x[1]);
                        *b = 0.5 * (x[0] - x[1]);
                    }
                },
            )
        },
    );
    races.run(
        "linear up-sampling by 2",
        2 * n,
        |y: &mut Vec<f32>| upsample::run_into(&Cpu, &x[..n + 1], (y, [2 * n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.chunks_exact_mut(2).zip(x.windows(2)) {
                        y[0] = x[0];
                        y[1] = 0.5 * (x[0] + x[1]);
                    }
                },
            )
        },
    );
    let b = floats(2 * n);
    races.run(
        "complex product, interleaved",
        2 * n,
        |z: &mut Vec<f32>| complex::run_into(&Cpu, (&x[..2 * n], [n, 2]), (&b, [n, 2]), (z, [n, 2])).unwrap(),
        |z| {
            widest(
                #[inline(always)]
                |_| {
                    for ((z, x), y) in z.chunks_exact_mut(2).zip(x.chunks_exact(2)).zip(b.chunks_exact(2)) {
                        z[0] = x[0] * y[0] - x[1] * y[1];
                        z[1] = x[1].mul_add(y[0], x[0] * y[1]);
                    }
                },
            )
        },
    );
}

fn filters(races: &mut Races) {
    let n = 1 << 15;
    let (x, v) = (floats(n + 15), floats(n));
    let h: [f32; 16] = std::array::from_fn(|k| 1.0 / (k + 1) as f32);
    races.run(
        "16-tap filter",
        n,
        |y: &mut Vec<f32>| fir::run_into(&Cpu, &x, &h, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for (y, x) in y.iter_mut().zip(x.windows(16)) {
                        *y = x.iter().zip(&h).fold(0.0, |s: f32, (x, h)| x.mul_add(*h, s));
                    }
                },
            )
        },
    );
    races.run(
        "a x + y",
        n,
        |y: &mut Vec<f32>| saxpy::run_into(&Cpu, &x[..n], &v, 0.3, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for ((y, x), v) in y.iter_mut().zip(&x).zip(&v) {
                        *y = 0.3f32.mul_add(*x, *v);
                    }
                },
            )
        },
    );
    let (a, b) = (noise(n, |x| (x >> 16) as i16), noise(n, |x| (x >> 12) as i16));
    races.run(
        "mix in i16",
        n,
        |y: &mut Vec<i16>| mix::run_into(&Cpu, &a, &b, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for ((y, a), b) in y.iter_mut().zip(&a).zip(&b) {
                        *y = ((*a as i32 * 3 + *b as i32 * 5) >> 3) as i16;
                    }
                },
            )
        },
    );
    let mut planes = [floats(n + 2), floats(n + 2), floats(n + 2)];
    races.run(
        "four fused wave steps",
        n,
        |y: &mut Vec<f32>| waves::run_into(&Cpu, &x[..n], &v, (y, [n])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let [a, b, c] = &mut planes;
                    for p in [&mut *a, &mut *b, &mut *c] {
                        (p[0], p[n + 1]) = (0.0, 0.0);
                    }
                    a[1..n + 1].copy_from_slice(&x[..n]);
                    b[1..n + 1].copy_from_slice(&v);
                    for _ in 0..4 {
                        for ((c, b), a) in c[1..n + 1].iter_mut().zip(b.windows(3)).zip(&a[1..n + 1]) {
                            *c = 1.5 * b[1] - a + 0.25 * (b[0] + b[2]);
                        }
                        std::mem::swap(a, b);
                        std::mem::swap(b, c);
                    }
                    y.copy_from_slice(&b[1..n + 1]);
                },
            )
        },
    );
}
