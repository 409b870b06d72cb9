//! Ragged batches of distances of two sequences, and single long pairs through the maps that the compiler finds, against plain loops.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/distances.rs"]
mod kernels;

use kernels::*;
use systolic::Cpu;
use systolic::ndarray::{Array1, Array2};
use systolic_tests::blosum::indices;
use systolic_tests::{Data, assert_says, check, sizes, smaller};

/// Numbers of pairs and greatest lengths, around lanes of 32 and over several tiles.
const BATCHES: [(usize, usize, usize); 9] =
    [(1, 1, 1), (2, 1, 9), (3, 6, 1), (4, 31, 33), (3, 32, 32), (5, 33, 31), (2, 65, 64), (6, 3, 100), (1, 131, 90)];

/// Lengths from `least` to `most`, among them both.
fn lengths(items: usize, least: usize, most: usize, seed: u64) -> Array1<u32> {
    let mut data = Data::new(seed);
    let one = |k: usize| match (k + seed as usize) % 3 {
        0 => most,
        1 => least,
        _ => least + data.below(most - least + 1),
    };
    (0..items).map(one).map(|length| length as u32).collect()
}

/// Levenshtein's table, with a row and a column for no letters.
fn levenshtein(a: &[u8], b: &[u8]) -> i32 {
    let mut table = Array2::from_shape_fn((a.len() + 1, b.len() + 1), |(i, j)| (i + j) as i32);
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = table[[i - 1, j - 1]] + i32::from(a[i - 1] != b[j - 1]);
            table[[i, j]] = change.min(table[[i - 1, j]] + 1).min(table[[i, j - 1]] + 1);
        }
    }
    table[[a.len(), b.len()]]
}

/// The length of the longest common subsequence.
fn common(a: &[u8], b: &[u8]) -> i32 {
    let mut table = Array2::<i32>::zeros((a.len() + 1, b.len() + 1));
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            table[[i, j]] =
                if a[i - 1] == b[j - 1] { table[[i - 1, j - 1]] + 1 } else { table[[i - 1, j]].max(table[[i, j - 1]]) };
        }
    }
    table[[a.len(), b.len()]]
}

/// The cost of the cheapest way to warp one signal into another.
fn warped(x: &[f32], y: &[f32]) -> f32 {
    let mut table = Array2::from_elem((x.len() + 1, y.len() + 1), f32::INFINITY);
    table[[0, 0]] = 0.0;
    for i in 1..=x.len() {
        for j in 1..=y.len() {
            let before = smaller(smaller(table[[i - 1, j]], table[[i, j - 1]]), table[[i - 1, j - 1]]);
            table[[i, j]] = (x[i - 1] - y[j - 1]).abs() + before;
        }
    }
    table[[x.len(), y.len()]]
}

#[test]
fn letters_of_ragged_batches() {
    for (items, n, m) in BATCHES {
        let mut data = Data::new((1000 * n + m) as u64);
        let (a, b) = (data.letters((items, n)), data.letters((items, m)));
        let (n, m) = (lengths(items, 0, n, 1), lengths(items, 0, m, 2));
        let of = |x: &Array2<u8>, k: usize, n: u32| x.row(k).to_vec()[..n as usize].to_vec();
        let each = |one: fn(&[u8], &[u8]) -> i32| -> Array1<i32> {
            (0..items).map(|k| one(&of(&a, k, n[k]), &of(&b, k, m[k]))).collect()
        };
        check!(distances(&a, &n, &b, &m), each(levenshtein));
        check!(subsequences(&a, &n, &b, &m), each(common).mapv(|length| length as u16));
    }
}

#[test]
fn signals_of_ragged_batches() {
    for (items, n, m) in BATCHES {
        let mut data = Data::new((1000 * n + m) as u64);
        let (x, y) = (data.array::<f32, _>((items, n)), data.array::<f32, _>((items, m)));
        let (n, m) = (lengths(items, 1, n, 1), lengths(items, 1, m, 2));
        let of = |x: &Array2<f32>, k: usize, n: u32| x.row(k).to_vec()[..n as usize].to_vec();
        let wanted: Array1<f32> = (0..items).map(|k| warped(&of(&x, k, n[k]), &of(&y, k, m[k]))).collect();
        check!(warps(&x, &n, &y, &m), wanted);
    }
}

#[test]
fn single_pairs() {
    let mut shapes = sizes::plane(&[32], &[32]);
    shapes.push((313, 331));
    for (n, m) in shapes {
        let mut data = Data::new((1000 * n + m) as u64);
        let (a, b) = (data.letters(n), data.letters(m));
        check!(distance(&a, &b), levenshtein(a.as_slice().unwrap(), b.as_slice().unwrap()));
        check!(subsequence(&a, &b), common(a.as_slice().unwrap(), b.as_slice().unwrap()));
        let (x, y) = (data.array::<f32, _>(n), data.array::<f32, _>(m));
        check!(warp(&x, &y), warped(x.as_slice().unwrap(), y.as_slice().unwrap()));
    }
}

/// Distances, lengths and costs of three other programs.
#[test]
fn as_other_programs_measure() {
    let mut count = 0;
    for line in include_str!("fixtures/distances.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [one, other, edits, letters, cost] = words[..] else { panic!("{line}") };
        assert_eq!(distance::run(&Cpu, one.as_bytes(), other.as_bytes()), Ok(edits.parse().unwrap()), "{line}");
        assert_eq!(subsequence::run(&Cpu, one.as_bytes(), other.as_bytes()), Ok(letters.parse().unwrap()), "{line}");
        // Signals of whole numbers, so that the sums are exact.
        let signal = |word: &str| -> Vec<f32> { indices(word).into_iter().map(f32::from).collect() };
        assert_eq!(warp::run(&Cpu, &signal(one), &signal(other)), Ok(cost.parse().unwrap()), "{line}");
        count += 1;
    }
    assert!(count >= 30, "{count}");
}

#[test]
fn sequences_without_letters() {
    let none: [u8; 0] = [];
    assert_says(distance::run(&Cpu, &none, b"AC"), &["N", "0"]);
    assert_says(subsequence::run(&Cpu, b"AC", &none), &["M", "0"]);
    // In a batch they may be empty, and a batch may have no items.
    let letters = Array2::from_elem((2, 3), b'A');
    assert_eq!(distances::run(&Cpu, &letters, &[0, 3], &letters, &[2, 0]).unwrap().to_vec(), [2, 3]);
    assert_eq!(subsequences::run(&Cpu, &letters, &[0, 3], &letters, &[2, 0]).unwrap().to_vec(), [0, 0]);
    let (empty, lengths) = (Array2::<u8>::zeros((0, 3)), Array1::<u32>::zeros(0));
    check!(distances(&empty, &lengths, &empty, &lengths), Array1::zeros(0));
}
