//! Kernels of many kinds, by which the rules for far lanes and look-ups were found: pictures in bytes, changes of type, small
//! linear algebra, sums over windows, dynamic programming in batches, steps of simulations.
use crate::race::{Bits, Races, bytes, floats, noise};
use crate::vectors::widest;
use systolic::Cpu;

systolic::systolic! {
    kernel pool(x: [f32; 2 * R, 2 * C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = max(max(x[2 * r, 2 * c], x[2 * r, 2 * c + 1]), max(x[2 * r + 1, 2 * c], x[2 * r + 1, 2 * c + 1]));
        }
    }
    kernel shrink(x: [u8; 2 * R, 2 * C]) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = ((x[2 * r, 2 * c] as u16 + x[2 * r, 2 * c + 1] as u16 + x[2 * r + 1, 2 * c] as u16
                + x[2 * r + 1, 2 * c + 1] as u16 + 2) >> 2) as u8;
        }
    }
    kernel layers(x: [f32; D, H + 2, W + 2], w: [f32; K, D, 3, 3]) -> (y: [f32; K, H, W]) {
        for k in 0..K, h in 0..H, v in 0..W, d in 0..D, p in 0..3, q in 0..3 {
            S[k, h, v, d, p, q] = x[d, h + p, v + q] * w[k, d, p, q] + if q > 0 { S[k, h, v, d, p, q - 1] }
                else if p > 0 { S[k, h, v, d, p - 1, q + 2] } else if d > 0 { S[k, h, v, d - 1, p + 2, q + 2] } else { 0.0 };
            if d == D - 1 && p == 2 && q == 2 { y[k, h, v] = S[k, h, v, d, p, q]; }
        }
    }
    kernel times_vector(a: [f32; M, N], x: [f32; N]) -> (y: [f32; M]) {
        for i in 0..M, j in 0..N {
            S[i, j] = a[i, j] * x[j] + if j == 0 { 0.0 } else { S[i, j - 1] };
            if j == N - 1 { y[i] = S[i, j]; }
        }
    }
    kernel vector_times(a: [f32; M, N], x: [f32; M]) -> (y: [f32; N]) {
        for i in 0..M, j in 0..N {
            S[i, j] = a[i, j] * x[i] + if i == 0 { 0.0 } else { S[i - 1, j] };
            if i == M - 1 { y[j] = S[i, j]; }
        }
    }
    kernel small_products(a: [f32; B, 4, 4], b: [f32; B, 4, 4]) -> (y: [f32; B, 4, 4]) {
        for n in 0..B, i in 0..4, j in 0..4, k in 0..4 {
            S[n, i, j, k] = a[n, i, k] * b[n, k, j] + if k == 0 { 0.0 } else { S[n, i, j, k - 1] };
            if k == 3 { y[n, i, j] = S[n, i, j, k]; }
        }
    }
    kernel byte_product(a: [i8; M, K], b: [i8; K, N]) -> (y: [i32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            S[i, j, k] = a[i, k] as i32 * b[k, j] as i32 + if k == 0 { 0 } else { S[i, j, k - 1] };
            if k == K - 1 { y[i, j] = S[i, j, k]; }
        }
    }
    kernel double_product(a: [f64; M, K], b: [f64; K, N]) -> (y: [f64; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            S[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
            if k == K - 1 { y[i, j] = S[i, j, k]; }
        }
    }
    kernel common(a: [u8; B, M], b: [u8; B, N]) -> (y: [i32; B]) {
        for k in 0..B, i in 0..M, j in 0..N {
            L[k, i, j] = if a[k, i] == b[k, j] { 1 + if i == 0 || j == 0 { 0 } else { L[k, i - 1, j - 1] } }
                else { max(if i == 0 { 0 } else { L[k, i - 1, j] }, if j == 0 { 0 } else { L[k, i, j - 1] }) };
            if i == M - 1 && j == N - 1 { y[k] = L[k, i, j]; }
        }
    }
    kernel sobel(x: [u8; R, C] border clamp) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            H[r, c] = (x[r - 1, c + 1] as i16 + 2 * x[r, c + 1] as i16 + x[r + 1, c + 1] as i16)
                - (x[r - 1, c - 1] as i16 + 2 * x[r, c - 1] as i16 + x[r + 1, c - 1] as i16);
            V[r, c] = (x[r + 1, c - 1] as i16 + 2 * x[r + 1, c] as i16 + x[r + 1, c + 1] as i16)
                - (x[r - 1, c - 1] as i16 + 2 * x[r - 1, c] as i16 + x[r - 1, c + 1] as i16);
            y[r, c] = min(max(H[r, c], 0 - H[r, c]) + max(V[r, c], 0 - V[r, c]), 255) as u8;
        }
    }
    kernel over(x: [u8; N, 4], y: [u8; N, 4]) -> (z: [u8; N, 4]) {
        for n in 0..N, k in 0..4 {
            z[n, k] = x[n, k] + ((y[n, k] as u16 * (255 - x[n, 3] as u16) + 127) / 255) as u8;
        }
    }
    kernel planes(x: [u8; N, 3]) -> (l: [u8; N], u: [u8; N], v: [u8; N]) {
        for n in 0..N {
            l[n] = ((77 * x[n, 0] as i32 + 150 * x[n, 1] as i32 + 29 * x[n, 2] as i32 + 128) >> 8) as u8;
            u[n] = ((127 * x[n, 2] as i32 - 84 * x[n, 1] as i32 - 43 * x[n, 0] as i32 + 32896) >> 8) as u8;
            v[n] = ((127 * x[n, 0] as i32 - 106 * x[n, 1] as i32 - 21 * x[n, 2] as i32 + 32896) >> 8) as u8;
        }
    }
    kernel quantise(x: [f32; N], scale: f32) -> (y: [u8; N]) {
        for n in 0..N { y[n] = (x[n] * scale + 128.0) as u8; }
    }
    kernel dequantise(x: [u8; N], scale: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = (x[n] as f32 - 128.0) * scale; }
    }
    kernel row_max(x: [f32; R, C]) -> (y: [f32; R], at: [i32; R]) {
        for r in 0..R, c in 0..C {
            M[r, c] = if c == 0 { x[r, c] } else { if x[r, c] > M[r, c - 1] { x[r, c] } else { M[r, c - 1] } };
            A[r, c] = if c == 0 { 0 } else { if x[r, c] > M[r, c - 1] { c as i32 } else { A[r, c - 1] } };
            if c == C - 1 { y[r] = M[r, c]; at[r] = A[r, c]; }
        }
    }
    kernel horner(x: [f32; N], w: const [f32; 9]) -> (y: [f32; N]) {
        for n in 0..N, k in 0..9 {
            P[n, k] = if k == 0 { w[0] } else { P[n, k - 1] * x[n] + w[k] };
            if k == 8 { y[n] = P[n, k]; }
        }
    }
    kernel escape(a: [f32; N], b: [f32; N]) -> (y: [i32; N]) {
        for n in 0..N, t in 0..32 {
            X[n, t] = if t == 0 { a[n] } else { X[n, t - 1] * X[n, t - 1] - Y[n, t - 1] * Y[n, t - 1] + a[n] };
            Y[n, t] = if t == 0 { b[n] } else { 2.0 * X[n, t - 1] * Y[n, t - 1] + b[n] };
            K[n, t] = (if t == 0 { 0 } else { K[n, t - 1] })
                + if X[n, t] * X[n, t] + Y[n, t] * Y[n, t] < 4.0 { 1 } else { 0 };
            if t == 31 { y[n] = K[n, t]; }
        }
    }
    kernel running(x: [i32; N + 64]) -> (y: [i32; N]) {
        for n in 0..N + 64 {
            S[n] = x[n] + (if n == 0 { 0 } else { S[n - 1] }) - if n < 64 { 0 } else { x[n - 64] };
            if n >= 64 { y[n - 64] = S[n]; }
        }
    }
    kernel dilate(x: [u8; R, C] border clamp) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = max(max(max(x[r - 1, c - 1], x[r - 1, c]), max(x[r - 1, c + 1], x[r, c - 1])),
                max(max(x[r, c], x[r, c + 1]), max(max(x[r + 1, c - 1], x[r + 1, c]), x[r + 1, c + 1])));
        }
    }
    kernel gauss(x: [f32; R, C] border clamp, w: const [f32; 5]) -> (y: [f32; R, C]) {
        for r in -2..R + 2, c in 0..C {
            H[r, c] = x[r, c - 2] * w[0] + x[r, c - 1] * w[1] + x[r, c] * w[2] + x[r, c + 1] * w[3] + x[r, c + 2] * w[4];
            if 0 <= r && r < R {
                y[r, c] = H[r - 2, c] * w[0] + H[r - 1, c] * w[1] + H[r, c] * w[2] + H[r + 1, c] * w[3] + H[r + 2, c] * w[4];
            }
        }
    }
    kernel heat(u: [f32; D, R, C] border clamp) -> (v: [f32; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C {
            v[d, r, c] = u[d, r, c] + 0.1 * (u[d - 1, r, c] + u[d + 1, r, c] + u[d, r - 1, c] + u[d, r + 1, c]
                + u[d, r, c - 1] + u[d, r, c + 1] - 6.0 * u[d, r, c]);
        }
    }
    kernel wave(u: [f64; R, C] border zero, before: [f64; R, C]) -> (after: [f64; R, C]) {
        for r in 0..R, c in 0..C {
            after[r, c] = 2.0 * u[r, c] - before[r, c]
                + 0.25 * (u[r - 1, c] + u[r + 1, c] + u[r, c - 1] + u[r, c + 1] - 4.0 * u[r, c]);
        }
    }
    kernel lags(x: [f32; N + 63]) -> (y: [f32; 64]) {
        for k in 0..64, n in 0..N {
            S[k, n] = x[n] * x[n + k] + if n == 0 { 0.0 } else { S[k, n - 1] };
            if n == N - 1 { y[k] = S[k, n]; }
        }
    }
    kernel strided(x: [f32; 2 * N + 3], w: const [f32; 5]) -> (y: [f32; N]) {
        for n in 0..N, k in 0..5 {
            S[n, k] = x[2 * n + k] * w[k] + if k == 0 { 0.0 } else { S[n, k - 1] };
            if k == 4 { y[n] = S[n, k]; }
        }
    }
    kernel dilated(x: [f32; R, C + 8], w: const [f32; 3]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c] * w[0] + x[r, c + 4] * w[1] + x[r, c + 8] * w[2]; }
    }
    kernel row_sums(x: [u32; R, C]) -> (y: [u32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
    }
    kernel decode(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0 } else { S[n - 1] };
            y[n] = S[n];
        }
    }
    kernel stereo(l: [i16; N], r: [i16; N]) -> (y: [i16; N, 2]) {
        for n in 0..N { y[n, 0] = l[n]; y[n, 1] = r[n]; }
    }
    kernel mono(x: [i16; N, 2]) -> (y: [i16; N]) {
        for n in 0..N { y[n] = ((x[n, 0] as i32 + x[n, 1] as i32) >> 1) as i16; }
    }
    kernel mask(x: [f32; N], at: f32) -> (y: [u8; N]) {
        for n in 0..N { y[n] = if x[n] > at { 1 } else { 0 }; }
    }
    kernel short_dot(a: [i16; N], b: [i16; N]) -> (s: i32) {
        for n in 0..N {
            S[n] = a[n] as i32 * b[n] as i32 + if n == 0 { 0 } else { S[n - 1] };
            if n == N - 1 { s = S[n]; }
        }
    }
    kernel differences(a: [u8; 8 * R, 8 * C], b: [u8; 8 * R, 8 * C]) -> (y: [u32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..8, q in 0..8 {
            S[r, c, p, q] = (max(a[8 * r + p, 8 * c + q], b[8 * r + p, 8 * c + q])
                - min(a[8 * r + p, 8 * c + q], b[8 * r + p, 8 * c + q])) as u32
                + if q > 0 { S[r, c, p, q - 1] } else if p > 0 { S[r, c, p - 1, q + 7] } else { 0 };
            if p == 7 && q == 7 { y[r, c] = S[r, c, p, q]; }
        }
    }
    kernel outer(a: [f32; M], b: [f32; N]) -> (y: [f32; M, N]) {
        for i in 0..M, j in 0..N { y[i, j] = a[i] * b[j]; }
    }
    kernel column_max(x: [u8; R, C]) -> (y: [u8; C]) {
        for r in 0..R, c in 0..C {
            M[r, c] = if r == 0 { x[r, c] } else { max(M[r - 1, c], x[r, c]) };
            if r == R - 1 { y[c] = M[r, c]; }
        }
    }
    kernel swapped(x: [u8; N, 3]) -> (y: [u8; N, 3]) {
        for n in 0..N, k in 0..3 { y[n, k] = x[n, 2 - k]; }
    }
    kernel turned(x: [u8; R, C]) -> (y: [u8; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
    }
    kernel backwards(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[N - 1 - n]; }
    }
    kernel potential(x: [f32; N], y: [f32; N]) -> (v: [f32; N]) {
        for i in 0..N, j in 0..N {
            A[i, j] = x[i] - x[j];
            B[i, j] = y[i] - y[j];
            V[i, j] = 1.0 / sqrt(A[i, j] * A[i, j] + B[i, j] * B[i, j] + 0.01) + if j == 0 { 0.0 } else { V[i, j - 1] };
            if j == N - 1 { v[i] = V[i, j]; }
        }
    }
    kernel distances(a: [f32; M, 16], b: [f32; N, 16]) -> (d: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..16 {
            E[i, j, k] = a[i, k] - b[j, k];
            S[i, j, k] = E[i, j, k] * E[i, j, k] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
            if k == 15 { d[i, j] = S[i, j, k]; }
        }
    }
    kernel sweep(u: [f32; R, C] border zero) -> (v: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            V[r, c] = 0.25 * ((if r == 0 { 0.0 } else { V[r - 1, c] }) + (if c == 0 { 0.0 } else { V[r, c - 1] })
                + u[r + 1, c] + u[r, c + 1]);
            v[r, c] = V[r, c];
        }
    }
    kernel hours(x: [f64; N, 24]) -> (y: [f64; N]) {
        for n in 0..N, h in 0..24 {
            S[n, h] = x[n, h] + if h == 0 { 0.0 } else { S[n, h - 1] };
            if h == 23 { y[n] = S[n, h] / 24.0; }
        }
    }
    kernel image_filter(x: [f32; R + 6, C + 6], w: const [f32; 7, 7]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 {
            S[r, c, p, q] = x[r + p, c + q] * w[p, q] + if q > 0 { S[r, c, p, q - 1] }
                else if p > 0 { S[r, c, p - 1, q + 6] } else { 0.0 };
            if p == 6 && q == 6 { y[r, c] = S[r, c, p, q]; }
        }
    }
    kernel half_sums(x: [f64; N]) -> (y: [f64; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0.0 } else { 0.5 * S[n - 1] };
            y[n] = S[n];
        }
    }
    kernel mean_of_columns(x: [f32; R, C]) -> (y: [f32; C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            if r == R - 1 { y[c] = S[r, c]; }
        }
    }
    kernel enlarge(x: [u8; R, C]) -> (y: [u8; 2 * R, 2 * C]) {
        for r in 0..R, c in 0..C {
            y[2 * r, 2 * c] = x[r, c];
            y[2 * r, 2 * c + 1] = x[r, c];
            y[2 * r + 1, 2 * c] = x[r, c];
            y[2 * r + 1, 2 * c + 1] = x[r, c];
        }
    }
    kernel lookup(x: [u8; N], table: const [u8; 256] border zero) -> (y: [u8; N]) {
        for n in 0..N { y[n] = table[x[n]]; }
    }
    kernel xor_sum(x: [u64; N], k: u64) -> (y: [u64; N]) {
        for n in 0..N { y[n] = (x[n] ^ k) * 0x9E3779B97F4A7C15 ^ (x[n] >> 29); }
    }
}

pub fn all(races: &mut Races) {
    pictures(races);
    more_pictures(races);
    types(races);
    algebra(races);
    more_algebra(races);
    signals(races);
    windows(races);
    simulations(races);
    others(races);
}

fn pictures(races: &mut Races) {
    let (r, c) = (200, 320);
    let (x, b) = (floats(4 * r * c), bytes(4 * r * c));
    races.run(
        "max pooling 2×2",
        r * c,
        |y: &mut Vec<f32>| pool::run_into(&Cpu, (&x, [2 * r, 2 * c]), (y, [r, c])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(c).zip(x.chunks_exact(4 * c)) {
            let (up, down) = x.split_at(2 * c);
            for ((y, u), d) in y.iter_mut().zip(up.chunks_exact(2)).zip(down.chunks_exact(2)) {
                *y = u[0].max(u[1]).max(d[0].max(d[1]));
            }
        }),
    );
    races.run(
        "halving a picture in u8",
        r * c,
        |y: &mut Vec<u8>| shrink::run_into(&Cpu, (&b, [2 * r, 2 * c]), (y, [r, c])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(c).zip(b.chunks_exact(4 * c)) {
            let (up, down) = x.split_at(2 * c);
            for ((y, u), d) in y.iter_mut().zip(up.chunks_exact(2)).zip(down.chunks_exact(2)) {
                *y = ((u[0] as u16 + u[1] as u16 + d[0] as u16 + d[1] as u16 + 2) >> 2) as u8;
            }
        }),
    );
    races.run(
        "doubling a picture in u8",
        4 * r * c,
        |y: &mut Vec<u8>| enlarge::run_into(&Cpu, (&b[..r * c], [r, c]), (y, [2 * r, 2 * c])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(4 * c).zip(b.chunks_exact(c)) {
            let (up, down) = y.split_at_mut(2 * c);
            for (y, x) in up.chunks_exact_mut(2).zip(x) {
                y[0] = *x;
                y[1] = *x;
            }
            down.copy_from_slice(up);
        }),
    );
    races.run(
        "sobel in u8, clamped",
        r * c,
        |y: &mut Vec<u8>| sobel::run_into(&Cpu, (&b[..r * c], [r, c]), (y, [r, c])).unwrap(),
        plain!(|y| for (k, y) in y.chunks_exact_mut(c).enumerate() {
            let row = |k: usize| &b[k * c..][..c];
            let rows = [row(k.max(1) - 1), row(k), row((k + 1).min(r - 1))];
            let at = |j: usize, l: usize, m: usize| {
                let v = |p: usize, q: usize| rows[p][q] as i16;
                let h = (v(0, m) + 2 * v(1, m) + v(2, m)) - (v(0, l) + 2 * v(1, l) + v(2, l));
                let w = (v(2, l) + 2 * v(2, j) + v(2, m)) - (v(0, l) + 2 * v(0, j) + v(0, m));
                (h.abs() + w.abs()).min(255) as u8
            };
            y[0] = at(0, 0, 1);
            y[c - 1] = at(c - 1, c - 2, c - 1);
            let [p, q, s] = rows;
            for ((y, p), (q, s)) in y[1..c - 1].iter_mut().zip(p.windows(3)).zip(q.windows(3).zip(s.windows(3))) {
                let v = |x: u8| x as i16;
                let h = (v(p[2]) + 2 * v(q[2]) + v(s[2])) - (v(p[0]) + 2 * v(q[0]) + v(s[0]));
                let w = (v(s[0]) + 2 * v(s[1]) + v(s[2])) - (v(p[0]) + 2 * v(p[1]) + v(p[2]));
                *y = (h.abs() + w.abs()).min(255) as u8;
            }
        }),
    );
    races.run(
        "dilation 3×3 in u8, clamped",
        r * c,
        |y: &mut Vec<u8>| dilate::run_into(&Cpu, (&b[..r * c], [r, c]), (y, [r, c])).unwrap(),
        plain!(|y| for (k, y) in y.chunks_exact_mut(c).enumerate() {
            let row = |k: usize| &b[k * c..][..c];
            let [p, q, s] = [row(k.max(1) - 1), row(k), row((k + 1).min(r - 1))];
            let at = |j: usize| p[j].max(q[j]).max(s[j]);
            y[0] = at(0).max(at(1));
            y[c - 1] = at(c - 2).max(at(c - 1));
            for ((y, p), (q, s)) in y[1..c - 1].iter_mut().zip(p.windows(3)).zip(q.windows(3).zip(s.windows(3))) {
                let most = |x: &[u8]| x[0].max(x[1]).max(x[2]);
                *y = most(p).max(most(q)).max(most(s));
            }
        }),
    );
}

fn more_pictures(races: &mut Races) {
    let n = 1 << 15;
    let (a, b) = (bytes(4 * n), noise(4 * n, |x| (x >> 9) as u8));
    let dark: Vec<u8> = a
        .chunks(4)
        .flat_map(|p| {
            let m = p[3];
            [p[0].min(m), p[1].min(m), p[2].min(m), m]
        })
        .collect();
    races.run(
        "one picture over another, rgba",
        4 * n,
        |z: &mut Vec<u8>| over::run_into(&Cpu, (&dark, [n, 4]), (&b, [n, 4]), (z, [n, 4])).unwrap(),
        plain!(|z| for ((z, x), y) in z.chunks_exact_mut(4).zip(dark.chunks_exact(4)).zip(b.chunks_exact(4)) {
            for k in 0..4 {
                z[k] = x[k].wrapping_add(((y[k] as u16 * (255 - x[3] as u16) + 127) / 255) as u8);
            }
        }),
    );
    races.run(
        "rgb to planes of yuv",
        3 * n,
        |z: &mut Vec<u8>| {
            let (l, z) = z.split_at_mut(n);
            let (u, v) = z.split_at_mut(n);
            planes::run_into(&Cpu, (&a[..3 * n], [n, 3]), (l, [n]), (u, [n]), (v, [n])).unwrap()
        },
        plain!(|z| {
            let (l, z) = z.split_at_mut(n);
            let (u, v) = z.split_at_mut(n);
            for (((x, l), u), v) in a.chunks_exact(3).zip(l).zip(u).zip(v) {
                let [r, g, b] = [x[0] as i32, x[1] as i32, x[2] as i32];
                *l = ((77 * r + 150 * g + 29 * b + 128) >> 8) as u8;
                *u = ((127 * b - 84 * g - 43 * r + 32896) >> 8) as u8;
                *v = ((127 * r - 106 * g - 21 * b + 32896) >> 8) as u8;
            }
        }),
    );
    races.run(
        "rgb to bgr",
        3 * n,
        |y: &mut Vec<u8>| swapped::run_into(&Cpu, (&a[..3 * n], [n, 3]), (y, [n, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(3).zip(a.chunks_exact(3)) {
            (y[0], y[1], y[2]) = (x[2], x[1], x[0]);
        }),
    );
    let (r, c) = (240, 320);
    races.run(
        "transpose in u8",
        r * c,
        |y: &mut Vec<u8>| turned::run_into(&Cpu, (&a[..r * c], [r, c]), (y, [c, r])).unwrap(),
        plain!(|y| for (i, x) in a[..r * c].chunks_exact(c).enumerate() {
            for (j, x) in x.iter().enumerate() {
                y[j * r + i] = *x;
            }
        }),
    );
    races.run(
        "differences of 8×8 blocks in u8",
        r * c / 64,
        |y: &mut Vec<u32>| {
            differences::run_into(&Cpu, (&a[..r * c], [r, c]), (&b[..r * c], [r, c]), (y, [r / 8, c / 8])).unwrap()
        },
        plain!(|y| for (i, y) in y.chunks_exact_mut(c / 8).enumerate() {
            y.fill(0);
            for p in 0..8 {
                let row = (8 * i + p) * c;
                for ((y, a), b) in y.iter_mut().zip(a[row..].chunks_exact(8)).zip(b[row..].chunks_exact(8)) {
                    *y += (0..8).map(|q| a[q].abs_diff(b[q]) as u32).sum::<u32>();
                }
            }
        }),
    );
    let table: [u8; 256] = std::array::from_fn(|k| (k * k >> 8) as u8);
    races.run(
        "a table of bytes",
        n,
        |y: &mut Vec<u8>| lookup::run_into(&Cpu, &a[..n], &table, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(&a[..n]) {
            *y = table[*x as usize];
        }),
    );
    races.run(
        "largest of columns in u8",
        320,
        |y: &mut Vec<u8>| column_max::run_into(&Cpu, (&a[..r * c], [r, c]), (y, [c])).unwrap(),
        plain!(|y| {
            y.copy_from_slice(&a[..c]);
            for x in a[..r * c].chunks_exact(c).skip(1) {
                for (y, x) in y.iter_mut().zip(x) {
                    *y = (*y).max(*x);
                }
            }
        }),
    );
}

fn types(races: &mut Races) {
    let n = 1 << 15;
    let (x, b) = (floats(n), bytes(n));
    let [l, r] = [12, 16].map(|by| noise(n, |x| (x >> by) as i16));
    races.run(
        "f32 to u8",
        n,
        |y: &mut Vec<u8>| quantise::run_into(&Cpu, &x, 90.0, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(&x) {
            *y = x.mul_add(90.0, 128.0) as u8;
        }),
    );
    races.run(
        "u8 to f32",
        n,
        |y: &mut Vec<f32>| dequantise::run_into(&Cpu, &b, 0.1, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(&b) {
            *y = (*x as f32 - 128.0) * 0.1;
        }),
    );
    races.run(
        "f32 to a mask of u8",
        n,
        |y: &mut Vec<u8>| mask::run_into(&Cpu, &x, 0.2, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(&x) {
            *y = (*x > 0.2) as u8;
        }),
    );
    races.run(
        "two channels into one in i16",
        n / 2,
        |y: &mut Vec<i16>| mono::run_into(&Cpu, (&l, [n / 2, 2]), (y, [n / 2])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(l.chunks_exact(2)) {
            *y = ((x[0] as i32 + x[1] as i32) >> 1) as i16;
        }),
    );
    races.run(
        "two channels interleaved in i16",
        2 * n,
        |y: &mut Vec<i16>| stereo::run_into(&Cpu, &l, &r, (y, [n, 2])).unwrap(),
        plain!(|y| for ((y, l), r) in y.chunks_exact_mut(2).zip(&l).zip(&r) {
            (y[0], y[1]) = (*l, *r);
        }),
    );
    races.run(
        "dot product of i16",
        1,
        |y: &mut Vec<i32>| y[0] = short_dot::run(&Cpu, &l, &r).unwrap(),
        plain!(|y| y[0] = l.iter().zip(&r).fold(0i32, |s, (a, b)| s.wrapping_add(*a as i32 * *b as i32))),
    );
    let w: Vec<u64> = noise(n, |x| x as u64 * 0x1_0000_0001);
    races.run(
        "mixing bits of u64",
        n,
        |y: &mut Vec<u64>| xor_sum::run_into(&Cpu, &w, 99, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(&w) {
            *y = (x ^ 99).wrapping_mul(0x9E3779B97F4A7C15) ^ (x >> 29);
        }),
    );
}

fn algebra(races: &mut Races) {
    let (m, n) = (200, 300);
    let (a, x) = (floats(m * n), floats(n));
    races.run(
        "matrix times vector",
        m,
        |y: &mut Vec<f32>| times_vector::run_into(&Cpu, (&a, [m, n]), &x, (y, [m])).unwrap(),
        plain!(|y| for (y, a) in y.iter_mut().zip(a.chunks_exact(n)) {
            *y = a.iter().zip(&x).fold(0.0, |s: f32, (a, x)| a.mul_add(*x, s));
        }),
    );
    races.run(
        "vector times matrix",
        n,
        |y: &mut Vec<f32>| vector_times::run_into(&Cpu, (&a, [m, n]), &x[..m], (y, [n])).unwrap(),
        plain!(|y| {
            y.fill(0.0);
            for (a, x) in a.chunks_exact(n).zip(&x) {
                for (y, a) in y.iter_mut().zip(a) {
                    *y = a.mul_add(*x, *y);
                }
            }
        }),
    );
    let b = 512;
    let (p, q) = (floats(16 * b), noise(16 * b, |x| x as f32 / 4e9));
    races.run(
        "products of 4×4 matrices",
        16 * b,
        |y: &mut Vec<f32>| small_products::run_into(&Cpu, (&p, [b, 4, 4]), (&q, [b, 4, 4]), (y, [b, 4, 4])).unwrap(),
        plain!(|y| for ((y, p), q) in y.chunks_exact_mut(16).zip(p.chunks_exact(16)).zip(q.chunks_exact(16)) {
            for i in 0..4 {
                let mut s = [0.0f32; 4];
                for k in 0..4 {
                    for j in 0..4 {
                        s[j] = p[4 * i + k].mul_add(q[4 * k + j], s[j]);
                    }
                }
                y[4 * i..4 * i + 4].copy_from_slice(&s);
            }
        }),
    );
    let k = 64;
    let [i, j] = [3, 11].map(|by| noise(k * k, |x| (x >> by) as i8));
    races.run(
        "product of i8 into i32, 64",
        k * k,
        |y: &mut Vec<i32>| byte_product::run_into(&Cpu, (&i, [k, k]), (&j, [k, k]), (y, [k, k])).unwrap(),
        plain!(|y| for (y, a) in y.chunks_exact_mut(k).zip(i.chunks_exact(k)) {
            y.fill(0);
            for (a, b) in a.iter().zip(j.chunks_exact(k)) {
                for (y, b) in y.iter_mut().zip(b) {
                    *y += *a as i32 * *b as i32;
                }
            }
        }),
    );
    let k = 96;
    let [c, d] = [1e9, 2e9].map(|by| noise(k * k, |x| x as f64 / by));
    races.run(
        "product of f64, 96",
        k * k,
        |y: &mut Vec<f64>| double_product::run_into(&Cpu, (&c, [k, k]), (&d, [k, k]), (y, [k, k])).unwrap(),
        plain!(|y| for (y, a) in y.chunks_exact_mut(k).zip(c.chunks_exact(k)) {
            y.fill(0.0);
            for (a, b) in a.iter().zip(d.chunks_exact(k)) {
                for (y, b) in y.iter_mut().zip(b) {
                    *y = a.mul_add(*b, *y);
                }
            }
        }),
    );
}

fn more_algebra(races: &mut Races) {
    let (m, n) = (128, 160);
    let (a, b) = (floats(16 * m), noise(16 * n, |x| x as f32 / 3e9));
    races.run(
        "distances of points of 16 numbers",
        m * n,
        |d: &mut Vec<f32>| distances::run_into(&Cpu, (&a, [m, 16]), (&b, [n, 16]), (d, [m, n])).unwrap(),
        plain!(|d| for (d, a) in d.chunks_exact_mut(n).zip(a.chunks_exact(16)) {
            for (d, b) in d.iter_mut().zip(b.chunks_exact(16)) {
                *d = a.iter().zip(b).fold(0.0, |s: f32, (a, b)| (a - b).mul_add(a - b, s));
            }
        }),
    );
    let (x, y) = (floats(300), noise(300, |x| x as f32 / 3e9));
    races.run(
        "potential of 300 points",
        300,
        |v: &mut Vec<f32>| potential::run_into(&Cpu, &x, &y, (v, [300])).unwrap(),
        plain!(|v| for (v, (p, q)) in v.iter_mut().zip(x.iter().zip(&y)) {
            *v = x.iter().zip(&y).fold(0.0, |s: f32, (x, y)| {
                let (a, b) = (p - x, q - y);
                1.0 / (b.mul_add(b, a * a) + 0.01).sqrt() + s
            });
        }),
    );
    let (p, q) = (floats(200), floats(300));
    races.run(
        "outer product",
        200 * 300,
        |y: &mut Vec<f32>| outer::run_into(&Cpu, &p, &q, (y, [200, 300])).unwrap(),
        plain!(|y| for (y, p) in y.chunks_exact_mut(300).zip(&p) {
            for (y, q) in y.iter_mut().zip(&q) {
                *y = p * q;
            }
        }),
    );
    let (d, k, h, w) = (8, 8, 28, 28);
    let (x, f) = (floats(d * (h + 2) * (w + 2)), noise(k * d * 9, |x| x as f32 / 3e9));
    races.run(
        "a layer of 8 into 8 channels",
        k * h * w,
        |y: &mut Vec<f32>| layers::run_into(&Cpu, (&x, [d, h + 2, w + 2]), (&f, [k, d, 3, 3]), (y, [k, h, w])).unwrap(),
        plain!(|y| {
            y.fill(0.0);
            for (y, f) in y.chunks_exact_mut(h * w).zip(f.chunks_exact(d * 9)) {
                for (x, f) in x.chunks_exact((h + 2) * (w + 2)).zip(f.chunks_exact(9)) {
                    for (i, y) in y.chunks_exact_mut(w).enumerate() {
                        let row = |p: usize| &x[(i + p) * (w + 2)..][..w + 2];
                        let [a, b, c] = [row(0), row(1), row(2)];
                        for (j, y) in y.iter_mut().enumerate() {
                            let mut s = *y;
                            for q in 0..3 {
                                s = a[j + q].mul_add(f[q], s);
                            }
                            for q in 0..3 {
                                s = b[j + q].mul_add(f[3 + q], s);
                            }
                            for q in 0..3 {
                                s = c[j + q].mul_add(f[6 + q], s);
                            }
                            *y = s;
                        }
                    }
                }
            }
        }),
    );
    let x: Vec<f64> = noise(24 * 1000, |x| x as f64);
    races.run(
        "means of 24 numbers each",
        1000,
        |y: &mut Vec<f64>| hours::run_into(&Cpu, (&x, [1000, 24]), (y, [1000])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(24)) {
            *y = x.iter().fold(0.0, |s, x| x + s) / 24.0;
        }),
    );
    let x = floats(400 * 256);
    races.run(
        "sums of columns",
        256,
        |y: &mut Vec<f32>| mean_of_columns::run_into(&Cpu, (&x, [400, 256]), (y, [256])).unwrap(),
        plain!(|y| {
            y.fill(0.0);
            for x in x.chunks_exact(256) {
                for (y, x) in y.iter_mut().zip(x) {
                    *y = x + *y;
                }
            }
        }),
    );
}

fn signals(races: &mut Races) {
    let n = 1 << 14;
    let x = floats(2 * n + 200);
    let i = noise(n + 64, |x| x as i32);
    let w: [f32; 9] = std::array::from_fn(|k| 1.0 / (k + 1) as f32);
    races.run(
        "polynomial of degree 8",
        n,
        |y: &mut Vec<f32>| horner::run_into(&Cpu, &x[..n], &w, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(&x) {
            *y = w[1..].iter().fold(w[0], |p: f32, w| p.mul_add(*x, *w));
        }),
    );
    races.run(
        "sum of the last 64",
        n,
        |y: &mut Vec<i32>| running::run_into(&Cpu, &i, (y, [n])).unwrap(),
        plain!(|y| {
            let mut s = i[..64].iter().fold(0i32, |s, x| s.wrapping_add(*x));
            for ((y, new), old) in y.iter_mut().zip(&i[64..]).zip(&i) {
                s = s.wrapping_add(*new).wrapping_sub(*old);
                *y = s;
            }
        }),
    );
    races.run(
        "sums of differences in i32",
        n,
        |y: &mut Vec<i32>| decode::run_into(&Cpu, &i[..n], (y, [n])).unwrap(),
        plain!(|y| {
            let mut s = 0i32;
            for (y, x) in y.iter_mut().zip(&i) {
                s = s.wrapping_add(*x);
                *y = s;
            }
        }),
    );
    let f: Vec<f64> = noise(n, |x| x as f64);
    races.run(
        "halving sums in f64",
        n,
        |y: &mut Vec<f64>| half_sums::run_into(&Cpu, &f, (y, [n])).unwrap(),
        plain!(|y| {
            let mut s = f[0];
            y[0] = s + 0.0;
            for (y, x) in y[1..].iter_mut().zip(&f[1..]) {
                s = x + 0.5 * s;
                *y = s;
            }
        }),
    );
    races.run(
        "correlation with 64 lags",
        64,
        |y: &mut Vec<f32>| lags::run_into(&Cpu, &x[..1063], (y, [64])).unwrap(),
        plain!(|y| {
            y.fill(0.0);
            for x in x[..1063].windows(64) {
                for (y, v) in y.iter_mut().zip(x) {
                    *y = x[0].mul_add(*v, *y);
                }
            }
        }),
    );
    let w = [0.1, 0.2, 0.4, 0.2, 0.1];
    races.run(
        "5 taps, every second",
        n,
        |y: &mut Vec<f32>| strided::run_into(&Cpu, &x[..2 * n + 3], &w, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.windows(5).step_by(2)) {
            *y = x.iter().zip(&w).fold(0.0, |s: f32, (x, w)| x.mul_add(*w, s));
        }),
    );
    let (r, c) = (60, 250);
    let w = [0.25, 0.5, 0.25];
    races.run(
        "3 taps, 4 apart",
        r * c,
        |y: &mut Vec<f32>| dilated::run_into(&Cpu, (&x[..r * (c + 8)], [r, c + 8]), &w, (y, [r, c])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(c).zip(x.chunks_exact(c + 8)) {
            for (y, x) in y.iter_mut().zip(x.windows(9)) {
                *y = x[8].mul_add(w[2], x[4].mul_add(w[1], x[0] * w[0]));
            }
        }),
    );
}

fn windows(races: &mut Races) {
    let (r, c) = (200, 300);
    let x = floats((r + 6) * (c + 6));
    let g = [0.1, 0.2, 0.4, 0.2, 0.1];
    let mut wide = vec![0.0f32; (r + 4) * c];
    races.run(
        "gaussian of 5 × 5, separable",
        r * c,
        |y: &mut Vec<f32>| gauss::run_into(&Cpu, (&x[..r * c], [r, c]), &g, (y, [r, c])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    let five = |v: [f32; 5]| {
                        v[4].mul_add(g[4], v[3].mul_add(g[3], v[2].mul_add(g[2], v[1].mul_add(g[1], v[0] * g[0]))))
                    };
                    for (k, h) in wide.chunks_exact_mut(c).enumerate() {
                        let x = &x[k.clamp(2, r + 1) * c - 2 * c..][..c];
                        for j in [0, 1, c - 2, c - 1] {
                            h[j] = five(std::array::from_fn(|q| x[(j + q).clamp(2, c + 1) - 2]));
                        }
                        for (h, x) in h[2..c - 2].iter_mut().zip(x.windows(5)) {
                            *h = five([x[0], x[1], x[2], x[3], x[4]]);
                        }
                    }
                    for (k, y) in y.chunks_exact_mut(c).enumerate() {
                        let row = |p: usize| &wide[(k + p) * c..][..c];
                        let [a, b, d, e, f] = [row(0), row(1), row(2), row(3), row(4)];
                        for j in 0..c {
                            y[j] = five([a[j], b[j], d[j], e[j], f[j]]);
                        }
                    }
                },
            )
        },
    );
    let w: [[f32; 7]; 7] = std::array::from_fn(|p| std::array::from_fn(|q| 1.0 / (p + q + 1) as f32));
    races.run(
        "filter of 7 × 7",
        r * c,
        |y: &mut Vec<f32>| image_filter::run_into(&Cpu, (&x, [r + 6, c + 6]), &w, (y, [r, c])).unwrap(),
        plain!(|y| {
            y.fill(0.0);
            for (k, y) in y.chunks_exact_mut(c).enumerate() {
                for p in 0..7 {
                    let x = &x[(k + p) * (c + 6)..][..c + 6];
                    for (y, x) in y.iter_mut().zip(x.windows(7)) {
                        *y = x.iter().zip(&w[p]).fold(*y, |s: f32, (x, w)| x.mul_add(*w, s));
                    }
                }
            }
        }),
    );
    let x: Vec<u32> = noise(r * c, |x| x);
    races.run(
        "sums along rows of u32",
        r * c,
        |y: &mut Vec<u32>| row_sums::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(c).zip(x.chunks_exact(c)) {
            let mut s = 0u32;
            for (y, x) in y.iter_mut().zip(x) {
                s = s.wrapping_add(*x);
                *y = s;
            }
        }),
    );
    let x = floats(r * c);
    races.run(
        "largest of a row and where",
        2 * r,
        |z: &mut Vec<f32>| {
            let (y, at) = row_max::run(&Cpu, (&x, [r, c])).unwrap();
            z[..r].copy_from_slice(y.as_slice().unwrap());
            z[r..].iter_mut().zip(&at).for_each(|(z, at)| *z = *at as f32);
        },
        plain!(|z| {
            let (y, at) = z.split_at_mut(r);
            for ((y, at), x) in y.iter_mut().zip(at).zip(x.chunks_exact(c)) {
                let (mut most, mut best) = (x[0], 0);
                for (k, x) in x.iter().enumerate().skip(1) {
                    if *x > most {
                        (most, best) = (*x, k);
                    }
                }
                (*y, *at) = (most, best as f32);
            }
        }),
    );
}

fn simulations(races: &mut Races) {
    let s = 48;
    let u = floats(s * s * s);
    races.run(
        "heat in 48³, clamped",
        s * s * s,
        |v: &mut Vec<f32>| heat::run_into(&Cpu, (&u, [s, s, s]), (v, [s, s, s])).unwrap(),
        plain!(|v| for (k, v) in v.chunks_exact_mut(s).enumerate() {
            let (d, r) = (k / s, k % s);
            let row = |d: usize, r: usize| &u[(d * s + r) * s..][..s];
            let [a, b] = [row(d.max(1) - 1, r), row((d + 1).min(s - 1), r)];
            let [e, f] = [row(d, r.max(1) - 1), row(d, (r + 1).min(s - 1))];
            let m = row(d, r);
            let at = |c: usize, w: f32, o: f32| 0.1f32.mul_add(a[c] + b[c] + e[c] + f[c] + w + o - 6.0 * m[c], m[c]);
            v[0] = at(0, m[0], m[1]);
            for c in 1..s - 1 {
                v[c] = at(c, m[c - 1], m[c + 1]);
            }
            v[s - 1] = at(s - 1, m[s - 2], m[s - 1]);
        }),
    );
    let (r, c) = (150, 220);
    let [u, before] = [1e9, 3e9].map(|by| noise(r * c, |x| x as f64 / by));
    let none = vec![0.0; c];
    races.run(
        "a step of a wave in f64",
        r * c,
        |v: &mut Vec<f64>| wave::run_into(&Cpu, (&u, [r, c]), (&before, [r, c]), (v, [r, c])).unwrap(),
        plain!(|v| for (k, v) in v.chunks_exact_mut(c).enumerate() {
            let m = &u[k * c..][..c];
            let a = if k == 0 { &none } else { &u[(k - 1) * c..][..c] };
            let b = if k == r - 1 { &none } else { &u[(k + 1) * c..][..c] };
            let p = &before[k * c..][..c];
            let at = |c: usize, w: f64, o: f64| 0.25f64.mul_add(a[c] + b[c] + w + o - 4.0 * m[c], 2.0 * m[c] - p[c]);
            v[0] = at(0, 0.0, m[1]);
            for c in 1..c - 1 {
                v[c] = at(c, m[c - 1], m[c + 1]);
            }
            v[c - 1] = at(c - 1, m[c - 2], 0.0);
        }),
    );
    let (r, c) = (128, 200);
    let u = floats(r * c);
    races.run(
        "a sweep of Gauss and Seidel",
        r * c,
        |v: &mut Vec<f32>| sweep::run_into(&Cpu, (&u, [r, c]), (v, [r, c])).unwrap(),
        plain!(|v| for k in 0..r {
            let mut left = 0.0f32;
            for j in 0..c {
                let up = if k == 0 { 0.0 } else { v[(k - 1) * c + j] };
                let down = if k == r - 1 { 0.0 } else { u[(k + 1) * c + j] };
                let right = if j == c - 1 { 0.0 } else { u[k * c + j + 1] };
                left = 0.25 * (up + left + down + right);
                v[k * c + j] = left;
            }
        }),
    );
    let n = 1 << 12;
    let [a, b] = [1.2e9, 2.1e9].map(|by| noise(n, |x| x as f32 / by - 1.0));
    races.run(
        "steps until escape, 32 at most",
        n,
        |y: &mut Vec<i32>| escape::run_into(&Cpu, &a, &b, (y, [n])).unwrap(),
        plain!(|y| for (y, (a, b)) in y.iter_mut().zip(a.iter().zip(&b)) {
            let (mut p, mut q, mut k) = (*a, *b, 0);
            for t in 0..32 {
                if t > 0 {
                    (p, q) = (p * p - q * q + a, (2.0 * p).mul_add(q, *b));
                }
                k += (q.mul_add(q, p * p) < 4.0) as i32;
            }
            *y = k;
        }),
    );
}

fn others(races: &mut Races) {
    let n = 1 << 15;
    let x = floats(n);
    races.run(
        "backwards",
        n,
        |y: &mut Vec<f32>| backwards::run_into(&Cpu, &x, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.iter().rev()) {
            *y = *x;
        }),
    );
    let (b, m, n) = (32, 60, 80);
    let [p, q] = [5, 13].map(|by| noise(b * n, |x| (x >> by & 3) as u8));
    let mut line = vec![0i32; n];
    races.run(
        "common letters of 32 pairs",
        b,
        |y: &mut Vec<i32>| common::run_into(&Cpu, (&p[..b * m], [b, m]), (&q, [b, n]), (y, [b])).unwrap(),
        |y| {
            widest(
                #[inline(always)]
                |_| {
                    for ((y, p), q) in y.iter_mut().zip(p.chunks_exact(m)).zip(q.chunks_exact(n)) {
                        line.fill(0);
                        for p in p {
                            let (mut corner, mut left) = (0, 0);
                            for (l, q) in line.iter_mut().zip(q) {
                                let now = if p == q { corner + 1 } else { left.max(*l) };
                                corner = *l;
                                *l = now;
                                left = now;
                            }
                        }
                        *y = line[n - 1];
                    }
                },
            )
        },
    );
}

impl Bits for u64 {
    fn bits(self) -> u64 {
        self
    }
    fn spoiled() -> Self {
        12345
    }
}
