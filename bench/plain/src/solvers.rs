//! Small systems of equations, alone and in batches, and long operations that only some points need.
use crate::race::{Races, floats, noise};
use systolic::Cpu;

systolic::systolic! {
    kernel sweep_rows(a: [f32; B, N], b: [f32; B, N], c: [f32; B, N], d: [f32; B, N]) -> (e: [f32; B, N], f: [f32; B, N]) {
        for k in 0..B, n in 0..N {
            M[k, n] = b[k, n] - a[k, n] * if n == 0 { 0.0 } else { E[k, n - 1] };
            E[k, n] = c[k, n] / M[k, n];
            F[k, n] = (d[k, n] - a[k, n] * if n == 0 { 0.0 } else { F[k, n - 1] }) / M[k, n];
            e[k, n] = E[k, n];
            f[k, n] = F[k, n];
        }
    }
    kernel sweep_columns(a: [f32; N, B], b: [f32; N, B], c: [f32; N, B], d: [f32; N, B]) -> (e: [f32; N, B], f: [f32; N, B]) {
        for k in 0..B, n in 0..N {
            M[k, n] = b[n, k] - a[n, k] * if n == 0 { 0.0 } else { E[k, n - 1] };
            E[k, n] = c[n, k] / M[k, n];
            F[k, n] = (d[n, k] - a[n, k] * if n == 0 { 0.0 } else { F[k, n - 1] }) / M[k, n];
            e[n, k] = E[k, n];
            f[n, k] = F[k, n];
        }
    }
    kernel back(e: [f32; B, N], f: [f32; B, N]) -> (x: [f32; B, N]) {
        for k in 0..B, n in 0..N {
            X[k, n] = f[k, N - 1 - n] - e[k, N - 1 - n] * if n == 0 { 0.0 } else { X[k, n - 1] };
            x[k, N - 1 - n] = X[k, n];
        }
    }
    kernel cholesky(a: [f32; N, N]) -> (l: [f32; N, N] rest 0.0) {
        for k in 0..N, i in k..N, j in k..i + 1 {
            A[k, i, j] = if k == 0 { a[i, j] } else { A[k - 1, i, j] - L[k - 1, i, j] * T[k - 1, i, j] };
            D[k, i, j] = if j > k { 0.0 } else if i == k { sqrt(A[k, i, j]) } else { D[k, i - 1, j] };
            L[k, i, j] = if j > k { L[k, i, j - 1] } else if i == k { D[k, i, j] } else { A[k, i, j] / D[k, i, j] };
            T[k, i, j] = if i == j { L[k, i, j] } else { T[k, i - 1, j] };
            if j == k { l[i, k] = L[k, i, j]; }
        }
    }
    kernel factored(a: [f32; N, N]) -> (f: [f32; N, N]) {
        for k in 0..N, i in k..N, j in k..N {
            A[k, i, j] = if k == 0 { a[i, j] } else { A[k - 1, i, j] - L[k - 1, i, j] * U[k - 1, i, j] };
            U[k, i, j] = if i == k { A[k, i, j] } else { U[k, i - 1, j] };
            L[k, i, j] = if j == k { A[k, i, j] / U[k, i, j] } else { L[k, i, j - 1] };
            if i == k { f[i, j] = U[k, i, j]; }
            if j == k && i > k { f[i, j] = L[k, i, j]; }
        }
    }
    kernel small_factors(a: [f32; B, 4, 4]) -> (f: [f32; B, 4, 4]) {
        for b in 0..B, k in 0..4, i in k..4, j in k..4 {
            A[b, k, i, j] = if k == 0 { a[b, i, j] } else { A[b, k - 1, i, j] - L[b, k - 1, i, j] * U[b, k - 1, i, j] };
            U[b, k, i, j] = if i == k { A[b, k, i, j] } else { U[b, k, i - 1, j] };
            L[b, k, i, j] = if j == k { A[b, k, i, j] / U[b, k, i, j] } else { L[b, k, i, j - 1] };
            if i == k { f[b, i, j] = U[b, k, i, j]; }
            if j == k && i > k { f[b, i, j] = L[b, k, i, j]; }
        }
    }
    kernel forward(l: [f32; N, N], b: [f32; N, M]) -> (x: [f32; N, M]) {
        for c in 0..M, i in 0..N, j in 0..i + 1 {
            S[c, i, j] = if j == 0 { b[i, c] } else { S[c, i, j - 1] - l[i, j - 1] * X[c, i, j - 1] };
            X[c, i, j] = if j == i { S[c, i, j] / l[i, i] } else { X[c, i - 1, j] };
            if j == i { x[i, c] = X[c, i, j]; }
        }
    }
    kernel small_systems(l: [f32; B, 4, 4], b: [f32; B, 4]) -> (x: [f32; B, 4]) {
        for c in 0..B, i in 0..4, j in 0..i + 1 {
            S[c, i, j] = if j == 0 { b[c, i] } else { S[c, i, j - 1] - l[c, i, j - 1] * X[c, i, j - 1] };
            X[c, i, j] = if j == i { S[c, i, j] / l[c, i, i] } else { X[c, i - 1, j] };
            if j == i { x[c, i] = X[c, i, j]; }
        }
    }
    kernel inverses(a: [f32; B, 2, 2]) -> (y: [f32; B, 2, 2]) {
        for b in 0..B {
            D[b] = 1.0 / (a[b, 0, 0] * a[b, 1, 1] - a[b, 0, 1] * a[b, 1, 0]);
            y[b, 0, 0] = a[b, 1, 1] * D[b];
            y[b, 0, 1] = -a[b, 0, 1] * D[b];
            y[b, 1, 0] = -a[b, 1, 0] * D[b];
            y[b, 1, 1] = a[b, 0, 0] * D[b];
        }
    }
    kernel row_means(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = if r == 0 { x[r, c] / 3.0 } else if r == R - 1 { sqrt(S[r - 1, c]) / 7.0 } else { S[r - 1, c] + x[r, c] };
            y[r, c] = S[r, c];
        }
    }
}

pub fn all(races: &mut Races) {
    tridiagonal(races);
    factors(races);
    batches(races);
    guarded(races);
}

fn tridiagonal(races: &mut Races) {
    let (b, n) = (128, 100);
    let [lower, upper, right] = [7, 9, 11].map(|by| noise(b * n, |x| (x >> by & 1023) as f32 / 1024.0 - 0.5));
    let main = noise(b * n, |x| 2.0 + (x >> 9 & 255) as f32 / 256.0);
    let mut other = vec![0.0; b * n];
    let mut another = vec![0.0; b * n];
    let shape = [b, n];
    races.run(
        "tridiagonal systems, rows",
        b * n,
        |e: &mut Vec<f32>| {
            sweep_rows::run_into(
                &Cpu,
                (&lower, shape),
                (&main, shape),
                (&upper, shape),
                (&right, shape),
                (e, shape),
                (&mut other, shape),
            )
            .unwrap()
        },
        plain!(|e| for k in 0..b {
            let [lower, main, upper, right] = [&lower, &main, &upper, &right].map(|x| &x[k * n..][..n]);
            let (e, f) = (&mut e[k * n..][..n], &mut another[k * n..][..n]);
            let (mut p, mut q) = (0.0f32, 0.0f32);
            for i in 0..n {
                let m = main[i] - lower[i] * p;
                p = upper[i] / m;
                q = (right[i] - lower[i] * q) / m;
                (e[i], f[i]) = (p, q);
            }
        }),
    );
    let shape = [n, b];
    races.run(
        "tridiagonal systems, columns",
        b * n,
        |e: &mut Vec<f32>| {
            sweep_columns::run_into(
                &Cpu,
                (&lower, shape),
                (&main, shape),
                (&upper, shape),
                (&right, shape),
                (e, shape),
                (&mut other, shape),
            )
            .unwrap()
        },
        plain!(|e| for i in 0..n {
            let at = i * b;
            for k in 0..b {
                let (p, q) = if i == 0 { (0.0, 0.0) } else { (e[at - b + k], another[at - b + k]) };
                let m = main[at + k] - lower[at + k] * p;
                e[at + k] = upper[at + k] / m;
                another[at + k] = (right[at + k] - lower[at + k] * q) / m;
            }
        }),
    );
    let shape = [b, n];
    races.run(
        "back substitution, rows",
        b * n,
        |x: &mut Vec<f32>| back::run_into(&Cpu, (&lower, shape), (&right, shape), (x, shape)).unwrap(),
        plain!(|x| for k in 0..b {
            let mut next = 0.0f32;
            for i in (0..n).rev() {
                next = right[k * n + i] - lower[k * n + i] * next;
                x[k * n + i] = next;
            }
        }),
    );
}

fn positive(n: usize) -> Vec<f32> {
    let x = floats(n * n);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] =
                (0..n).map(|k| x[i * n + k] * x[j * n + k]).sum::<f32>() + if i == j { n as f32 } else { 0.0 };
        }
    }
    a
}

fn factors(races: &mut Races) {
    let n = 64;
    let a = positive(n);
    races.run(
        "cholesky of 64",
        n * n,
        |l: &mut Vec<f32>| cholesky::run_into(&Cpu, (&a, [n, n]), (l, [n, n])).unwrap(),
        plain!(|l| {
            l.copy_from_slice(&a);
            for k in 0..n {
                let d = l[k * n + k].sqrt();
                l[k * n + k] = d;
                for i in k + 1..n {
                    l[i * n + k] /= d;
                }
                l[k * n + k + 1..(k + 1) * n].fill(0.0);
                for i in k + 1..n {
                    let factor = l[i * n + k];
                    for j in k + 1..=i {
                        l[i * n + j] -= factor * l[j * n + k];
                    }
                }
            }
        }),
    );
    races.run(
        "LU factors of 64",
        n * n,
        |f: &mut Vec<f32>| factored::run_into(&Cpu, (&a, [n, n]), (f, [n, n])).unwrap(),
        plain!(|f| {
            f.copy_from_slice(&a);
            for k in 0..n {
                let (up, down) = f.split_at_mut((k + 1) * n);
                let first = &up[k * n..];
                for row in down.chunks_exact_mut(n) {
                    let factor = row[k] / first[k];
                    row[k] = factor;
                    for (x, u) in row[k + 1..].iter_mut().zip(&first[k + 1..]) {
                        *x -= factor * u;
                    }
                }
            }
        }),
    );
    let m = 100;
    let mut l = floats(n * n);
    for i in 0..n {
        l[i * n + i] = 2.0 + i as f32 * 0.01;
    }
    let b = floats(n * m);
    races.run(
        "triangular solves of 64, 100 columns",
        n * m,
        |x: &mut Vec<f32>| forward::run_into(&Cpu, (&l, [n, n]), (&b, [n, m]), (x, [n, m])).unwrap(),
        plain!(|x| {
            x.copy_from_slice(&b);
            for i in 0..n {
                let (done, rest) = x.split_at_mut(i * m);
                let row = &mut rest[..m];
                for (j, known) in done.chunks_exact(m).enumerate() {
                    let factor = l[i * n + j];
                    for (x, known) in row.iter_mut().zip(known) {
                        *x -= factor * known;
                    }
                }
                for x in row {
                    *x /= l[i * n + i];
                }
            }
        }),
    );
}

fn batches(races: &mut Races) {
    let b = 1000;
    let mut a = floats(16 * b);
    for a in a.chunks_exact_mut(16) {
        for i in 0..4 {
            a[5 * i] += 3.0;
        }
    }
    races.run(
        "LU factors of 4×4",
        16 * b,
        |f: &mut Vec<f32>| small_factors::run_into(&Cpu, (&a, [b, 4, 4]), (f, [b, 4, 4])).unwrap(),
        plain!(|f| for (f, a) in f.chunks_exact_mut(16).zip(a.chunks_exact(16)) {
            f.copy_from_slice(a);
            for k in 0..4 {
                for i in k + 1..4 {
                    f[4 * i + k] /= f[5 * k];
                    for j in k + 1..4 {
                        f[4 * i + j] -= f[4 * i + k] * f[4 * k + j];
                    }
                }
            }
        }),
    );
    let right = floats(4 * b);
    races.run(
        "triangular solves of 4×4",
        4 * b,
        |x: &mut Vec<f32>| small_systems::run_into(&Cpu, (&a, [b, 4, 4]), (&right, [b, 4]), (x, [b, 4])).unwrap(),
        plain!(|x| for (x, (a, b)) in x.chunks_exact_mut(4).zip(a.chunks_exact(16).zip(right.chunks_exact(4))) {
            for i in 0..4 {
                let mut s = b[i];
                for j in 0..i {
                    s -= a[4 * i + j] * x[j];
                }
                x[i] = s / a[5 * i];
            }
        }),
    );
    let b = 4 * b;
    races.run(
        "inverses of 2×2",
        4 * b,
        |y: &mut Vec<f32>| inverses::run_into(&Cpu, (&a, [b, 2, 2]), (y, [b, 2, 2])).unwrap(),
        plain!(|y| for (y, a) in y.chunks_exact_mut(4).zip(a.chunks_exact(4)) {
            let d = 1.0 / (a[0] * a[3] - a[1] * a[2]);
            y.copy_from_slice(&[a[3] * d, -a[1] * d, -a[2] * d, a[0] * d]);
        }),
    );
}

fn guarded(races: &mut Races) {
    let (r, c) = (100, 200);
    let x = noise(r * c, |x| x as f32 / 1e9);
    races.run(
        "a root in the last row",
        r * c,
        |y: &mut Vec<f32>| row_means::run_into(&Cpu, (&x, [r, c]), (y, [r, c])).unwrap(),
        plain!(|y| for k in 0..r {
            let (done, rest) = y.split_at_mut(k * c);
            let (y, x) = (&mut rest[..c], &x[k * c..][..c]);
            if k == 0 {
                y.iter_mut().zip(x).for_each(|(y, x)| *y = x / 3.0);
            } else {
                let up = &done[(k - 1) * c..];
                if k == r - 1 {
                    y.iter_mut().zip(up).for_each(|(y, up)| *y = up.sqrt() / 7.0);
                } else {
                    y.iter_mut().zip(up).zip(x).for_each(|((y, up), x)| *y = up + x);
                }
            }
        }),
    );
}
