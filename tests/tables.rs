//! Arrays that are read at indices which are values.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/tables.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, arr1};
use systolic_tests::{Data, check, sizes};

fn lengths() -> Vec<usize> {
    let mut lengths = sizes::line(&[32]);
    lengths.push(10_007);
    lengths
}

/// The element nearest to an index.
fn nearest<T: Copy>(x: &Array1<T>, at: i128) -> T {
    x[at.clamp(0, x.len() as i128 - 1) as usize]
}

#[test]
fn indices_of_every_type() {
    let x = Data::new(1).array::<f32, _>(100);
    for m in lengths() {
        let data = || Data::new(m as u64);
        let at = data().array::<u8, _>(m);
        check!(gather::<u8>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
        let at = data().array::<i16, _>(m).mapv(|at| at / 200);
        check!(gather::<i16>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
        let at = data().array::<i32, _>(m);
        check!(gather::<i32>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
        let at = data().array::<u64, _>(m);
        check!(gather::<u64>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
        let at = data().array::<i64, _>(m);
        check!(gather::<i64>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
    }
    let at = arr1(&[i64::MIN, -1, 0, 99, 100, i64::MAX]);
    check!(gather::<i64>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
    let at = arr1(&[0, 99, 100, u64::MAX, 1 << 63]);
    check!(gather::<u64>(&x, &at), at.mapv(|at| nearest(&x, at.into())));
}

#[test]
fn two_dimensions() {
    let x = Data::new(2).array::<i32, _>((5, 7));
    for m in lengths() {
        let (r, c) = (Data::new(m as u64).array::<i32, _>(m), Data::new(m as u64 + 1).array::<i32, _>(m));
        let expected = r.iter().zip(&c).map(|(r, c)| x[[r.rem_euclid(5) as usize, c.rem_euclid(7) as usize]]);
        check!(gather2d(&x, &r, &c), Array1::from_iter(expected));
    }
}

#[test]
fn tables_by_value() {
    let mut table = [0u8; 256];
    table.iter_mut().enumerate().for_each(|(k, entry)| *entry = (k * k / 255) as u8);
    for (r, c) in [(1, 1), (3, 5), (40, 33), (129, 200)] {
        let x = Data::new(r as u64).array::<u8, _>((r, c));
        check!(recolour(&x, &table), x.mapv(|x| table[usize::from(x)]));
    }
}

#[test]
fn tables_of_the_body() {
    let quarter = [1.0f32, 0.923_879_5, 0.707_106_77, 0.382_683_43, 0.0];
    for n in lengths() {
        let x = Data::new(n as u64).array::<i32, _>(n);
        let mirrored = |x: &i32| x.rem_euclid(8).min(8 - x.rem_euclid(8)) as usize;
        check!(cosines(&x), Array1::from_iter(x.iter().map(|x| quarter[mirrored(x)])));
    }
}

#[test]
fn far_outside() {
    let table = [[1, 2], [3, 4], [5, 6]];
    let x = arr1(&[0.0, 2.9, 1.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3.0e9, 1.0]);
    let column = |n: usize| n.checked_sub(1).filter(|n| *n < 2);
    let row = |x: f32| usize::try_from(x as i32).ok().filter(|r| *r < 3);
    let at = |n: usize| row(x[n]).zip(column(n)).map_or(-9, |(r, c)| table[r][c]);
    check!(steps(&x, &table, -9), Array1::from_iter((0..x.len()).map(at)));
}

#[test]
fn alignment_with_scores() {
    let score = [[5, -4, -1, -4], [-4, 6, -4, -2], [-1, -4, 5, -4], [-4, -2, -4, 7]];
    for (n, m) in [(1, 1), (3, 40), (33, 31), (100, 150)] {
        let letters = |seed: u64, n: usize| Data::new(seed).array::<u8, _>(n).mapv(|x| x % 5);
        let (a, b) = (letters(n as u64, n), letters(m as u64 + 7, m));
        let (open, extend) = (6, 1);
        let mut best = 0;
        let (mut h, mut f) = (vec![0; m + 1], vec![-open; m + 1]);
        for i in 0..n {
            let (mut diagonal, mut e) = (0, -open);
            for j in 0..m {
                if j > 0 {
                    e = (e - extend).max(h[j] - open);
                }
                if i > 0 {
                    f[j + 1] = (f[j + 1] - extend).max(h[j + 1] - open);
                }
                let hit = *score.get(usize::from(a[i])).and_then(|row| row.get(usize::from(b[j]))).unwrap_or(&-3);
                let above = h[j + 1];
                h[j + 1] = 0.max(e).max(f[j + 1]).max(diagonal + hit);
                diagonal = above;
                best = best.max(h[j + 1]);
            }
        }
        check!(align(&a, &b, &score, open, extend), arr1(&[best]));
        check!(align_waves(&a, &b, &score, open, extend), arr1(&[best]));
    }
}

#[test]
fn states_that_follow_each_other() {
    for (k, n, s) in [(1, 1, 1), (3, 50, 2), (40, 33, 7)] {
        let next = Data::new(s as u64).array::<u8, _>((s, 2));
        let x = Data::new(k as u64).array::<u8, _>((k, n));
        let mut y = Array2::zeros((k, n));
        for k in 0..k {
            let mut state = 0u8;
            for n in 0..n {
                state = next[[usize::from(state).min(s - 1), usize::from(x[[k, n]]).min(1)]];
                y[[k, n]] = state;
            }
        }
        check!(machine(&x, &next), y);
    }
}
