//! Dynamic programming and solvers.
use crate::race::{Races, floats, noise};
use crate::vectors::widest;
use systolic::Cpu;

systolic::systolic! {
    kernel edit_textbook(a: [i32; M], b: [i32; N]) -> (d: [i32; 1]) {
        for i in 0..M + 1, j in 0..N + 1 {
            D[i, j] = if i == 0 || j == 0 { i as i32 + j as i32 } else {
                min(min(D[i - 1, j] + 1, D[i, j - 1] + 1), D[i - 1, j - 1] + if a[i - 1] == b[j - 1] { 0 } else { 1 })
            };
            if i == M && j == N { d[0] = D[i, j]; }
        }
    }
    kernel edit_inner(a: [i32; M], b: [i32; N]) -> (d: [i32; 1]) {
        for i in 0..M, j in 0..N {
            U[i, j] = if i == 0 { j as i32 + 1 } else { D[i - 1, j] };
            L[i, j] = if j == 0 { i as i32 + 1 } else { D[i, j - 1] };
            C[i, j] = if i == 0 { j as i32 } else if j == 0 { i as i32 } else { D[i - 1, j - 1] };
            D[i, j] = min(min(U[i, j] + 1, L[i, j] + 1), C[i, j] + if a[i] == b[j] { 0 } else { 1 });
            if i == M - 1 && j == N - 1 { d[0] = D[i, j]; }
        }
    }
    kernel solve(l: [f32; N, N], b: [f32; N]) -> (x: [f32; N]) {
        for i in 0..N, j in 0..i + 1 {
            X[i, j] = if i == j { (b[i] - (if j == 0 { 0.0 } else { S[i, j - 1] })) / l[i, i] } else { X[i - 1, j] };
            S[i, j] = l[i, j] * X[i, j] + if j == 0 { 0.0 } else { S[i, j - 1] };
            if i == j { x[i] = X[i, j]; }
        }
    }
}

pub fn all(races: &mut Races) {
    let (m, n) = (200, 300);
    let (a, b) = (noise(m, |x| (x % 4) as i32), noise(n, |x| (x / 7 % 4) as i32));
    let mut line = vec![0i32; n + 1];
    let mut plain = |d: &mut Vec<i32>| {
        widest(
            #[inline(always)]
            |_| {
                for (j, d) in line.iter_mut().enumerate() {
                    *d = j as i32;
                }
                for (i, a) in a.iter().enumerate() {
                    let mut corner = line[0];
                    line[0] = i as i32 + 1;
                    let mut left = line[0];
                    for (d, b) in line[1..].iter_mut().zip(&b) {
                        let now = (*d + 1).min(left + 1).min(corner + (a != b) as i32);
                        corner = *d;
                        *d = now;
                        left = now;
                    }
                }
                d[0] = line[n];
            },
        )
    };
    races.run(
        "edit distance, textbook borders",
        1,
        |d: &mut Vec<i32>| edit_textbook::run_into(&Cpu, &a, &b, (d, [1])).unwrap(),
        &mut plain,
    );
    races.run(
        "edit distance, inner guards",
        1,
        |d: &mut Vec<i32>| edit_inner::run_into(&Cpu, &a, &b, (d, [1])).unwrap(),
        &mut plain,
    );
    let n = 256;
    let mut l = floats(n * n);
    for i in 0..n {
        l[i * n + i] = 2.0 + i as f32 * 0.01;
    }
    let b = floats(n);
    races.run(
        "triangular solve of 256",
        n,
        |x: &mut Vec<f32>| solve::run_into(&Cpu, (&l, [n, n]), &b, (x, [n])).unwrap(),
        |x| {
            widest(
                #[inline(always)]
                |_| {
                    for i in 0..n {
                        let l = &l[i * n..][..i + 1];
                        let s = l[..i].iter().zip(&x[..i]).fold(0.0, |s: f32, (l, x)| l.mul_add(*x, s));
                        x[i] = (b[i] - s) / l[i];
                    }
                },
            )
        },
    );
}
