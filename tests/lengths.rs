//! Ragged batches and outputs that hold something where nothing is stored, against loops written by hand.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/lengths.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, Array3};
use systolic::{Cpu, Error};
use systolic_tests::{Data, check};

/// Batches and greatest lengths around the tiles.
const SHAPES: [(usize, usize); 9] = [(1, 1), (1, 40), (2, 7), (3, 32), (4, 33), (5, 64), (7, 129), (20, 70), (2, 300)];

/// Lengths from `least` to `most`, among them both.
fn lengths(b: usize, least: usize, most: usize) -> Vec<usize> {
    let one = |k: usize| match k % 4 {
        0 => most,
        1 => least,
        k => least + (k * 7919 + b * 104_729 + most * 31) % (most - least + 1),
    };
    (0..b).map(one).collect()
}

fn as_u32(n: &[usize]) -> Array1<u32> {
    n.iter().map(|n| *n as u32).collect()
}

#[test]
fn sums_of_items() {
    for (b, most) in SHAPES {
        let (x, n) = (Data::new(b as u64).array::<f32, _>((b, most)), lengths(b, 1, most));
        let one = |k: usize| (0..n[k]).fold(0.0, |sum: f32, i| x[[k, i]] + sum);
        let s: Array1<f32> = (0..b).map(one).collect();
        let n = as_u32(&n);
        check!(sums(&x, &n), s);
        check!(sums_launched(&x, &n), s);
        // Point by point, so there is no code for a GPU.
        assert_eq!(sums_in_time::run(&Cpu, &x, &n), Ok(s));
    }
}

#[test]
fn prefixes_of_items_some_of_which_are_empty() {
    for (b, most) in SHAPES {
        let (x, n) = (Data::new(b as u64).array::<i32, _>((b, most)), lengths(b, 0, most));
        let mut y = Array2::from_elem((b, most), -1);
        for k in 0..b {
            let mut sum = 0i32;
            for i in 0..n[k] {
                sum = sum.wrapping_add(x[[k, i]]);
                y[[k, i]] = sum;
            }
        }
        check!(item_prefixes(&x, &as_u32(&n)), y);
    }
    // All items empty.
    let x = Data::new(1).array::<i32, _>((3, 4));
    check!(item_prefixes(&x, &as_u32(&[0, 0, 0])), Array2::from_elem((3, 4), -1));
}

#[test]
fn items_reversed() {
    for (b, most) in SHAPES {
        let (x, n) = (Data::new(b as u64).array::<f32, _>((b, most)), lengths(b, 0, most));
        let mut y = Array2::zeros((b, most));
        for k in 0..b {
            for i in 0..n[k] {
                y[[k, i]] = x[[k, n[k] - 1 - i]] * n[k] as f32;
            }
        }
        let n: Array1<i64> = n.iter().map(|n| *n as i64).collect();
        check!(reversed(&x, &n), y);
        check!(reversed_tiled(&x, &n), y);
        check!(reversed_fours(&x, &n), y);
    }
}

#[test]
fn items_aligned() {
    for ((b, most), (_, wide)) in SHAPES.iter().zip(SHAPES.iter().rev()) {
        let letters = |seed: usize, w: usize| Data::new(seed as u64).array::<u8, _>((*b, w)).mapv(|x| x % 4);
        let (p, q) = (letters(1, *most), letters(2, *wide));
        let (n, m) = (lengths(*b, 1, *most), lengths(*b + 1, 1, *wide)[1..].to_vec());
        let (hit, miss, gap) = (3, 2, 1);
        let score = |k: usize| {
            let mut above = vec![0i32; m[k]];
            let mut best = 0;
            for i in 0..n[k] {
                let (mut corner, mut left) = (0, 0);
                for j in 0..m[k] {
                    let up = if i > 0 { above[j] } else { 0 };
                    let same = if p[[k, i]] == q[[k, j]] { hit } else { -miss };
                    let h = 0.max(corner + same).max(up - gap).max(left - gap);
                    (corner, above[j], left) = (up, h, h);
                    best = best.max(h);
                }
            }
            best
        };
        let scores: Array1<i32> = (0..*b).map(score).collect();
        check!(align(&p, &q, &as_u32(&n), &as_u32(&m), hit, miss, gap), scores);
        check!(align_wave(&p, &q, &as_u32(&n), &as_u32(&m), hit, miss, gap), scores);
    }
}

#[test]
fn items_that_read_the_one_before() {
    for (b, most) in SHAPES {
        let (x, n) = (Data::new(b as u64).array::<i32, _>((b, most)), lengths(b, 1, most));
        let mut y = Array2::<i32>::zeros((b, most));
        for k in 0..b {
            for i in 0..n[k] {
                let before = if k == 0 || i >= n[k - 1] { 0 } else { y[[k - 1, i]] };
                y[[k, i]] = x[[k, i]].wrapping_add(before);
            }
        }
        let n = as_u32(&n);
        check!(chained(&x, &n), y);
        check!(chained_launched(&x, &n), y);
        check!(chained_ordered(&x, &n), y);
        assert_eq!(chained_in_time::run(&Cpu, &x, &n), Ok(y));
    }
}

#[test]
fn lengths_of_two_dimensions() {
    for (a, b, most) in [(1, 1, 1), (2, 3, 9), (3, 2, 40)] {
        let x = Data::new(most as u64).array::<f64, _>((a, b, most));
        let n = Array2::from_shape_vec((a, b), lengths(a * b, 0, most)).unwrap();
        let y = Array2::from_shape_fn((a, b), |(p, q)| plane(&x, p, q, n[[p, q]]));
        check!(planes(&x, &n.mapv(|n| n as u16)), y);
    }
}

/// The sum of a triangle of an item: its rows are the prefixes, its last column ends at the diagonal.
fn plane(x: &Array3<f64>, a: usize, b: usize, n: usize) -> f64 {
    if n == 0 {
        return 0.5;
    }
    // Of the last column only the diagonal is left.
    (0..n).fold(0.0, |sum, j| x[[a, b, j]] + sum) + 0.0
}

#[test]
fn items_as_lanes() {
    for b in [1, 2, 5] {
        let (x, n) = (Data::new(b as u64).array::<f32, _>((b, 32)), lengths(b, 1, 32));
        let y = Array2::from_shape_fn((b, 32), |(k, i)| if i < n[k] { x[[k, i]] + 1.0 } else { -0.5 });
        check!(short(&x, &n.iter().map(|n| *n as u8).collect::<Array1<_>>()), y);
    }
}

#[test]
fn what_nothing_stores_holds_the_rest() {
    for n in [1, 2, 63, 64, 65, 300] {
        let x = Data::new(n as u64).array::<f64, _>(n);
        let y = Array1::from_shape_fn(n + 2, |i| if i == 0 || i == n + 1 { 1.5 } else { x[i - 1] });
        check!(framed(&x), y);
        check!(framed_lined(&x), y);
        // Whatever stood there before.
        let mut into = Array1::from_elem(n + 2, 9.0);
        framed::run_into(&Cpu, &x, &mut into).unwrap();
        assert_eq!(into, y);
    }
}

#[test]
fn lengths_that_do_not_fit() {
    let x = Array2::<f32>::zeros((3, 4));
    let error = |n: [u32; 3]| sums::run(&Cpu, &x, &n).unwrap_err();
    assert_eq!(error([1, 5, 9]).to_string(), "`n`: expected a length from 1 to 4 at [1] with N = 4 (from `x`), got 5");
    assert_eq!(error([1, 1, 0]).to_string(), "`n`: expected a length from 1 to 4 at [2] with N = 4 (from `x`), got 0");
    assert!(matches!(error([0, 9, 9]), Error::Length { parameter: "n", value: 0, least: 1, most: 4, .. }));
    assert_eq!(error([u32::MAX, 1, 1]), sums::reference(&x, &[u32::MAX, 1, 1]).unwrap_err());
    let error = reversed::run(&Cpu, &x, &[4, -1, i64::MAX]).unwrap_err();
    assert_eq!(error.to_string(), "`n`: expected a length from 0 to 4 at [1] with N = 4 (from `x`), got -1");
    let error = short::run(&Cpu, &Array2::<f32>::zeros((2, 32)), &[32, 33]).unwrap_err();
    assert_eq!(error.to_string(), "`n`: expected a length from 1 to 32 at [1], got 33");
    // Not as many lengths as items.
    let error = sums::run(&Cpu, &x, &[1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "`n`: expected [B] = [3] with B = 3 (from `x`), got [2]");
    // Nothing runs: the output stays as it is.
    let mut y = Array2::from_elem((1, 4), 7);
    assert!(item_prefixes::run_into(&Cpu, &Array2::zeros((1, 4)), &[5], &mut y).is_err());
    assert_eq!(y, Array2::from_elem((1, 4), 7));
    // No items, no lengths.
    let none: [u32; 0] = [];
    assert_eq!(sums::run(&Cpu, &Array2::<f32>::zeros((0, 4)), &none).unwrap().len(), 0);
}

#[test]
fn designs_count_the_longest_items() {
    let design = item_prefixes::describe(3, 64);
    assert!(design.steps > 0 && design.pes > 0, "{design}");
}
