//! Hidden Markov models against the textbook recurrences as plain loops, and Viterbi's against paths that hmmlearn has computed.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/hidden.rs"]
mod kernels;

use kernels::*;
use systolic::Cpu;
use systolic::ndarray::{Array1, Array2, Array3, Axis};
use systolic::traceback::{Step, follow};
use systolic_tests::{Data, check, sizes};

/// Logarithms of chances.
fn chances<const P: usize, const Q: usize>(data: &mut Data) -> [[f32; Q]; P] {
    data.table::<f32, P, Q>().map(|row| row.map(|chance| (0.01 + chance.abs()).ln()))
}

/// The last state of the best path and all those before it.
fn path(score: &[f32; 3], back: impl Fn(usize, usize) -> u8, letters: usize) -> Vec<usize> {
    let mut states = vec![(0..3).reduce(|best, p| if score[p] > score[best] { p } else { best }).unwrap()];
    for t in (1..letters).rev() {
        states.push(usize::from(back(t, states[states.len() - 1])));
    }
    states.reverse();
    states
}

#[test]
fn three_states() {
    let mut shapes = sizes::plane(&[32], &[]);
    shapes.push((65, 101));
    for (k, t) in shapes {
        let mut data = Data::new((1000 * k + t) as u64);
        // Letters 4 and 5 count as the last one.
        let x = data.array::<u8, _>((k, t)).mapv(|x| x % 6);
        let (first, step) = (chances::<1, 3>(&mut data)[0], chances::<3, 3>(&mut data));
        let emit = chances::<3, 4>(&mut data);
        let (mut score, mut back) = (Array2::zeros((k, 3)), Array3::zeros((k, t, 3)));
        for k in 0..k {
            let mut last = [0f32; 3];
            for t in 0..t {
                let mut next = [0f32; 3];
                for q in 0..3 {
                    let ways: Vec<f32> = (0..3).map(|p| if t == 0 { first[q] } else { last[p] + step[p][q] }).collect();
                    let best = (0..3).reduce(|best, p| if ways[p] > ways[best] { p } else { best }).unwrap();
                    next[q] = ways[best] + emit[q][usize::from(x[[k, t]]).min(3)];
                    back[[k, t, q]] = best as u8;
                }
                last = next;
            }
            (0..3).for_each(|q| score[[k, q]] = last[q]);
        }
        check!(viterbi(&x, &first, &step, &emit), (score, back));
    }
}

/// The path of states that the back pointers give has the score that the kernel gives, and no other path has a better one.
#[test]
fn the_best_of_all_paths() {
    let letters = 7;
    for seed in 0..20 {
        let mut data = Data::new(seed);
        let x = data.array::<u8, _>((1, letters)).mapv(|x| x % 4);
        let (first, step) = (chances::<1, 3>(&mut data)[0], chances::<3, 3>(&mut data));
        let emit = chances::<3, 4>(&mut data);
        let (score, back) = viterbi::run(&Cpu, &x, &first, &step, &emit).unwrap();
        let score = [score[[0, 0]], score[[0, 1]], score[[0, 2]]];
        let of = |states: &[usize]| {
            let mut sum = first[states[0]] + emit[states[0]][usize::from(x[[0, 0]])];
            for t in 1..letters {
                sum = sum + step[states[t - 1]][states[t]] + emit[states[t]][usize::from(x[[0, t]])];
            }
            sum
        };
        let all = (0..3usize.pow(letters as u32))
            .map(|n| (0..letters as u32).map(|t| n / 3usize.pow(t) % 3).collect::<Vec<_>>());
        let most = all.map(|states| of(&states)).fold(f32::NEG_INFINITY, f32::max);
        let best = score.into_iter().fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(best, most, "seed {seed}");
        assert_eq!(of(&path(&score, |t, q| back[[0, t, q]], letters)), most, "seed {seed}");
    }
}

/// Paths and scores of another program.
#[test]
fn as_hmmlearn_decodes() {
    let lines: Vec<&str> = include_str!("fixtures/viterbi.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let numbers = |line: &str| -> Vec<f64> { line.split(' ').map(|word| word.parse().unwrap()).collect() };
    let [first, step, emit] = [0, 1, 2].map(|at| numbers(lines[at]));
    let log = |chance: f64| chance.ln() as f32;
    let first: [f32; 3] = std::array::from_fn(|q| log(first[q]));
    let step: [[f32; 3]; 3] = std::array::from_fn(|p| std::array::from_fn(|q| log(step[3 * p + q])));
    let emit: [[f32; 4]; 3] = std::array::from_fn(|q| std::array::from_fn(|l| log(emit[4 * q + l])));
    let mut count = 0;
    for line in &lines[3..] {
        let words: Vec<&str> = line.split(' ').collect();
        let [letters, states, wanted] = words[..] else { panic!("{line}") };
        let digits = |word: &str| -> Vec<u8> { word.bytes().map(|digit| digit - b'0').collect() };
        let x = Array1::from(digits(letters)).insert_axis(Axis(0));
        let (score, back) = viterbi::run(&Cpu, &x, &first, &step, &emit).unwrap();
        let score = [score[[0, 0]], score[[0, 1]], score[[0, 2]]];
        let found = path(&score, |t, q| back[[0, t, q]], letters.len());
        let found: Vec<u8> = found.into_iter().map(|state| state as u8).collect();
        assert_eq!(found, digits(states), "{letters}");
        // It adds up doubles.
        let (best, wanted) = (score.into_iter().fold(f32::NEG_INFINITY, f32::max), wanted.parse::<f64>().unwrap());
        assert!((f64::from(best) - wanted).abs() < 1e-6 * wanted.abs(), "{best} {wanted}");
        count += 1;
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn states_that_follow_each_other() {
    const NEVER: f32 = -1e30;
    for (k, t, s, l) in
        [(1, 1, 1, 1), (2, 5, 3, 4), (3, 40, 31, 4), (2, 65, 32, 3), (1, 90, 33, 5), (1, 3, 7, 2), (2, 70, 65, 4)]
    {
        let mut data = Data::new((1000 * t + s) as u64);
        let x = data.array::<u8, _>((k, t)).mapv(|x| x % 5);
        let mut row = |n: usize| data.array::<f32, _>(n).mapv(|chance| (0.01 + chance.abs()).ln());
        let (stay, next) = (row(s), row(s));
        let emit = row(s * l).into_shape_with_order((s, l)).unwrap();
        let (mut score, mut directions) = (Array1::zeros(k), Array3::zeros((k, t + 1, s + 1)));
        for k in 0..k {
            let mut table = Array2::from_elem((t + 1, s + 1), NEVER);
            table[[0, 0]] = 0.0;
            for i in 1..=t {
                for j in 1..=s {
                    let (stays, goes) = (table[[i - 1, j]] + stay[j - 1], table[[i - 1, j - 1]] + next[j - 1]);
                    table[[i, j]] = stays.max(goes) + emit[[j - 1, usize::from(x[[k, i - 1]]).min(l - 1)]];
                    directions[[k, i, j]] = if stays > goes { 3 } else { 1 };
                }
            }
            score[k] = table[[t, s]];
        }
        if t >= s {
            // The path visits all states in order, and its chances multiply to the score.
            for k in 0..k {
                let path = follow(directions.index_axis(Axis(0), k), (t, s)).unwrap();
                assert_eq!((path.start, path.end), ((0, 0), (t, s)));
                let (mut sum, mut state) = (0f32, 0);
                for (i, step) in path.steps().enumerate() {
                    if step == Step::Match {
                        state += 1;
                    }
                    sum += if step == Step::Match { next[state - 1] } else { stay[state - 1] };
                    sum += emit[[state - 1, usize::from(x[[k, i]]).min(l - 1)]];
                }
                assert_eq!((state, sum), (s, score[k]));
            }
        }
        check!(chain(&x, &stay, &next, &emit), (score, directions));
    }
}

/// The forward algorithm of a pair: match, insertion and deletion. It begins anywhere in the row before the first letter.
macro_rules! forward {
    ($t:ident, $read:expr, $err:expr, $hap:expr, [$mm:expr, $gm:expr, $mi:expr, $gap:expr]) => {{
        let (read, err, hap): (&[u8], &[$t], &[u8]) = ($read, $err, $hap);
        let mut above = vec![[0 as $t; 3]; hap.len()];
        for i in 0..read.len() {
            let mut row: Vec<[$t; 3]> = Vec::with_capacity(hap.len());
            for j in 0..hap.len() {
                let emission = if read[i] == hap[j] { 1.0 - err[i] } else { err[i] / 3.0 };
                let arrive = if i == 0 || j == 0 {
                    0.0
                } else {
                    let [x, y, z] = above[j - 1];
                    $t::mul_add($gm, z, $t::mul_add($gm, y, $mm * x))
                };
                let start = if i == 0 { 1.0 / hap.len() as $t } else { 0.0 };
                let insertion = if i == 0 { 0.0 } else { $t::mul_add($gap, above[j][1], $mi * above[j][0]) };
                let deletion = if j == 0 { 0.0 } else { $t::mul_add($gap, row[j - 1][2], $mi * row[j - 1][0]) };
                row.push([emission * (arrive + start), insertion, deletion]);
            }
            above = row;
        }
        above.iter().fold(0.0, |sum: $t, [x, y, _]| x + y + sum)
    }};
}

#[test]
fn pairs_of_ragged_batches() {
    for (items, n, m) in [(1, 1, 1), (2, 7, 1), (3, 1, 40), (4, 31, 33), (5, 33, 32), (2, 64, 65), (3, 20, 130)] {
        let mut data = Data::new((1000 * n + m) as u64);
        let (read, hap) = (data.letters((items, n)), data.letters((items, m)));
        let err = data.array::<f32, _>((items, n)).mapv(|x| 0.001 + 0.1 * x.abs());
        let lengths = |most: usize, at: usize| -> Array1<u32> {
            (0..items).map(|k| if k % 3 == at { most } else { 1 + k * most / items }).map(|n| n as u32).collect()
        };
        let (n, m) = (lengths(n, 0), lengths(m, 1));
        let wanted = (0..items).map(|k| {
            let (read, err) = (&read.row(k).to_vec()[..n[k] as usize], &err.row(k).to_vec()[..n[k] as usize]);
            forward!(f32, read, err, &hap.row(k).to_vec()[..m[k] as usize], [0.9, 0.8, 0.05, 0.15])
        });
        let wanted: Array1<f32> = wanted.collect();
        check!(pairs(&read, &err, &n, &hap, &m, 0.9, 0.8, 0.05, 0.15), wanted);
    }
}

#[test]
fn one_long_pair() {
    let mut shapes = sizes::plane(&[32], &[32]);
    shapes.push((213, 331));
    for (n, m) in shapes {
        let mut data = Data::new((1000 * n + m) as u64);
        let (read, hap) = (data.letters(n), data.letters(m));
        let err = data.array::<f64, _>(n).mapv(|x| 0.001 + 0.1 * x.abs());
        let (read_, err_) = (read.as_slice().unwrap(), err.as_slice().unwrap());
        let wanted = forward!(f64, read_, err_, hap.as_slice().unwrap(), [0.9, 0.8, 0.05, 0.15]);
        check!(long_pair(&read, &err, &hap, 0.9, 0.8, 0.05, 0.15), wanted);
    }
}

#[test]
fn no_sequences() {
    let x = Array2::<u8>::zeros((0, 5));
    check!(viterbi(&x, &[0.0; 3], &[[0.0; 3]; 3], &[[0.0; 4]; 3]), (Array2::zeros((0, 3)), Array3::zeros((0, 5, 3))));
    let wanted = (Array1::zeros(0), Array3::zeros((0, 6, 3)));
    check!(chain(&x, &Array1::zeros(2), &Array1::zeros(2), &Array2::zeros((2, 4))), wanted);
}
