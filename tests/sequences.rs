//! Dynamic programming over two sequences, compared with the textbook tables.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/sequences.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, ArrayView1, Axis, array};
use systolic_tests::{Data, check, sizes};

/// Lengths of two sequences, the first tiled by each of these, and one pair with 100,000 points.
fn lengths(tiles: &[usize]) -> Vec<(usize, usize)> {
    let mut pairs = sizes::plane(tiles, &[32]);
    pairs.push((313, 331));
    pairs
}

/// Numbers of pairs and lengths, the first sequence tiled by each of these, and one with 100,000 points.
fn batches(tiles: &[usize]) -> Vec<(usize, usize, usize)> {
    let mut batches: Vec<_> = lengths(tiles).into_iter().map(|(n, m)| (1, n, m)).collect();
    batches.pop();
    batches.extend([(2, 5, 3), (3, 1, 1), (7, 2, 31), (11, 97, 101)]);
    batches.extend(tiles.iter().map(|tile| (5, 2 * tile + 1, 7)));
    batches
}

/// One result for each pair of a batch.
fn each<T>(a: &Array2<u8>, b: &Array2<u8>, align: impl Fn(ArrayView1<'_, u8>, ArrayView1<'_, u8>) -> T) -> Array1<T> {
    a.axis_iter(Axis(0)).zip(b.axis_iter(Axis(0))).map(|(a, b)| align(a, b)).collect()
}

/// Gotoh's tables with a border row and column; a gap costs `open`, each further letter `extend`.
fn local(a: ArrayView1<'_, u8>, b: ArrayView1<'_, u8>, costs: [i32; 4]) -> (i32, i32) {
    let [open, extend, hit, miss] = costs;
    const NEVER: i32 = -1_000_000;
    let (n, m) = (a.len(), b.len());
    let mut h = vec![vec![0; m + 1]; n + 1];
    let mut e = vec![vec![NEVER; m + 1]; n + 1];
    let mut f = vec![vec![NEVER; m + 1]; n + 1];
    let (mut best, mut end) = (i32::MIN, 0);
    for i in 1..=n {
        for j in 1..=m {
            // No gap opens at the border of the table.
            if j > 1 {
                e[i][j] = (e[i][j - 1] - extend).max(h[i][j - 1] - open);
            }
            if i > 1 {
                f[i][j] = (f[i - 1][j] - extend).max(h[i - 1][j] - open);
            }
            let letters = if a[i - 1] == b[j - 1] { hit } else { miss };
            h[i][j] = 0.max(e[i][j]).max(f[i][j]).max(h[i - 1][j - 1] + letters);
            if h[i][j] > best {
                (best, end) = (h[i][j], ((i - 1) * m + j - 1) as i32);
            }
        }
    }
    (best, end)
}

#[test]
fn local_alignment() {
    for (k, n, m) in batches(&[16, 128]) {
        let mut data = Data::new((1000 * (1000 * k + n) + m) as u64);
        let (a, b) = (data.letters((k, n)), data.letters((k, m)));
        for costs in [[5, 1, 2, -3], [2, 1, 3, -1], [1, 1, 0, -1]] {
            let found = each(&a, &b, |a, b| local(a, b, costs));
            let [open, extend, hit, miss] = costs;
            let wanted = (found.mapv(|(score, _)| score), found.mapv(|(_, end)| end));
            check!(smith_waterman(&a, &b, open, extend, hit, miss), wanted);
            check!(smith_waterman_strips(&a, &b, open, extend, hit, miss), wanted);
        }
    }
}

/// Needleman and Wunsch's table with a border row and column.
fn global(a: ArrayView1<'_, u8>, b: ArrayView1<'_, u8>, gap: i32) -> i32 {
    let mut above: Vec<i32> = (0..=b.len() as i32).map(|j| -j * gap).collect();
    for (i, a) in a.iter().enumerate() {
        let mut row = vec![-(i as i32 + 1) * gap];
        for (j, b) in b.iter().enumerate() {
            let letters = if a == b { 1 } else { -1 };
            row.push((above[j] + letters).max(above[j + 1] - gap).max(row[j] - gap));
        }
        above = row;
    }
    above[b.len()]
}

#[test]
fn global_alignment() {
    for (k, n, m) in batches(&[32, 128]) {
        let mut data = Data::new((1000 * (1000 * k + n) + m) as u64);
        let (a, b) = (data.letters((k, n)), data.letters((k, m)));
        for gap in [1, 2] {
            let wanted = each(&a, &b, |a, b| global(a, b, gap));
            check!(needleman_wunsch(&a, &b, gap), wanted);
            check!(needleman_wunsch_strips(&a, &b, gap), wanted);
        }
    }
}

#[test]
fn longest_common_subsequence() {
    for (n, m) in lengths(&[32, 128]) {
        let mut data = Data::new((1000 * n + m) as u64);
        let (a, b) = (data.letters(n), data.letters(m));
        let mut table = vec![vec![0; m + 1]; n + 1];
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                let letters = if a == b { table[i][j] + 1 } else { 0 };
                table[i + 1][j + 1] = table[i][j + 1].max(table[i + 1][j]).max(letters);
            }
        }
        check!(lcs(&a, &b), array![table[n][m]]);
        check!(lcs_strips(&a, &b), array![table[n][m]]);
    }
}

#[test]
fn levenshtein_distance() {
    for (n, m) in lengths(&[32, 128]) {
        let mut data = Data::new((1000 * n + m) as u64);
        let (a, b) = (data.letters(n), data.letters(m));
        let mut above: Vec<i32> = (0..=m as i32).collect();
        for (i, a) in a.iter().enumerate() {
            let mut row = vec![i as i32 + 1];
            for (j, b) in b.iter().enumerate() {
                row.push((above[j] + i32::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1));
            }
            above = row;
        }
        check!(edit_distance(&a, &b), array![above[m]]);
        check!(edit_distance_strips(&a, &b), array![above[m]]);
    }
}

#[test]
fn time_warping() {
    for (n, m) in lengths(&[32, 128]) {
        let mut data = Data::new((1000 * n + m) as u64);
        let (x, y) = (data.array::<f32, _>(n), data.array::<f32, _>(m));
        // A border of infinities, except in the corner, leaves only the real predecessors.
        let mut table = vec![vec![f32::INFINITY; m + 1]; n + 1];
        table[0][0] = 0.0;
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                let before = table[i][j].min(table[i][j + 1]).min(table[i + 1][j]);
                table[i + 1][j + 1] = (x - y).abs() + before;
            }
        }
        check!(dtw(&x, &y), array![table[n][m]]);
        check!(dtw_strips(&x, &y), array![table[n][m]]);
    }
}

/// The forward algorithm, which may start anywhere in the border row and nowhere in the border column.
fn forward(
    read: ArrayView1<'_, u8>,
    err: ArrayView1<'_, f32>,
    hap: ArrayView1<'_, u8>,
    [mm, gm, mi, ii]: [f32; 4],
) -> f32 {
    let (n, m) = (read.len(), hap.len());
    // Match, insertion and deletion at every letter of the haplotype, for the letter of the read above.
    let mut above = vec![[0f32; 3]; m];
    for i in 0..n {
        let mut row: Vec<[f32; 3]> = Vec::with_capacity(m);
        for j in 0..m {
            let emission = if read[i] == hap[j] { 1.0 - err[i] } else { err[i] / 3.0 };
            let arrive = if i == 0 || j == 0 {
                0.0
            } else {
                let [x, y, z] = above[j - 1];
                gm.mul_add(z, gm.mul_add(y, mm * x))
            };
            let start = if i == 0 { 1.0 / m as f32 } else { 0.0 };
            let insertion = if i == 0 { 0.0 } else { ii.mul_add(above[j][1], mi * above[j][0]) };
            let deletion = if j == 0 { 0.0 } else { ii.mul_add(row[j - 1][2], mi * row[j - 1][0]) };
            row.push([emission * (arrive + start), insertion, deletion]);
        }
        above = row;
    }
    above.iter().fold(0.0, |sum, [x, y, _]| x + y + sum)
}

#[test]
fn pair_hidden_markov_model() {
    for (k, n, m) in batches(&[64]) {
        let mut data = Data::new((1000 * (1000 * k + n) + m) as u64);
        let (read, hap) = (data.letters((k, n)), data.letters((k, m)));
        let err = data.array::<f32, _>((k, n)).mapv(|x| 0.001 + 0.1 * x.abs());
        let chances = [0.9, 0.8, 0.05, 0.15];
        let wanted: Array1<f32> = (0..k).map(|k| forward(read.row(k), err.row(k), hap.row(k), chances)).collect();
        let [mm, gm, mi, ii] = chances;
        check!(pairhmm(&read, &err, &hap, mm, gm, mi, ii), wanted);
    }
}
