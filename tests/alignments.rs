//! Alignments with affine gaps against Gotoh's tables written as plain loops, and against scores and paths that parasail and Biopython
//! have computed. `fixtures/alignments.txt` says with which versions, `fixtures/alignments.py` how.
#![deny(warnings, missing_docs)]

#[path = "kernels/alignments.rs"]
mod kernels;

use kernels::*;
use systolic::Cpu;
use systolic::ndarray::{Array1, Array2, Array3, ArrayView1, Axis, arr2, s};
use systolic::traceback::{Path, Step, follow};
use systolic_tests::blosum::{BLOSUM62, indices};
use systolic_tests::{Data, assert_says, check, sizes};

type Scores = [[i32; 24]; 24];

/// What a letter outside of the table scores.
const UNKNOWN: i32 = -4;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    Local,
    Global,
    SemiGlobal,
}

use Mode::*;

/// What an alignment costs.
struct Costs<'a> {
    score: &'a Scores,
    open: i32,
    extend: i32,
}

impl Costs<'_> {
    fn letters(&self, a: u8, b: u8) -> i32 {
        *self.score.get(usize::from(a)).and_then(|row| row.get(usize::from(b))).unwrap_or(&UNKNOWN)
    }
}

/// What Gotoh's three tables give: cell (i, j) is after `i` letters of `a` and `j` of `b`.
struct Tables {
    mode: Mode,
    /// The best scores.
    h: Array2<i32>,
    directions: Array2<u8>,
}

fn tables(a: ArrayView1<'_, u8>, b: ArrayView1<'_, u8>, costs: &Costs<'_>, mode: Mode) -> Tables {
    const NEVER: i32 = -1_000_000;
    // The best scores, and the best of those that end in a gap in `a` and in `b`.
    let shape = (a.len() + 1, b.len() + 1);
    let (mut h, mut e, mut f) =
        (Array2::<i32>::zeros(shape), Array2::from_elem(shape, NEVER), Array2::from_elem(shape, NEVER));
    let mut directions = Array2::zeros(shape);
    for i in 0..shape.0 {
        for j in 0..shape.1 {
            let mut bits = 0;
            if j > 0 {
                let opened = h[[i, j - 1]] - costs.open;
                e[[i, j]] = opened.max(e[[i, j - 1]] - costs.extend);
                bits |= if e[[i, j]] > opened { 4 } else { 0 };
            }
            if i > 0 {
                let opened = h[[i - 1, j]] - costs.open;
                f[[i, j]] = opened.max(f[[i - 1, j]] - costs.extend);
                bits |= if f[[i, j]] > opened { 8 } else { 0 };
            }
            // The first of equals: nothing, letters, a gap in `a`, a gap in `b`.
            let mut ways = Vec::new();
            if (i, j) == (0, 0) || mode == Local || mode == SemiGlobal && i == 0 {
                ways.push((0, 0));
            }
            if i > 0 && j > 0 {
                ways.push((h[[i - 1, j - 1]] + costs.letters(a[i - 1], b[j - 1]), 1));
            }
            ways.extend([(e[[i, j]], 2), (f[[i, j]], 3)]);
            let (best, way) = ways.into_iter().reduce(|best, way| if way.0 > best.0 { way } else { best }).unwrap();
            h[[i, j]] = best;
            directions[[i, j]] = bits | way;
        }
    }
    Tables { mode, h, directions }
}

impl Tables {
    /// The score and the cell where the alignment ends: the first of equals, row by row.
    fn best(&self) -> (i32, (usize, usize)) {
        let last = (self.h.nrows() - 1, self.h.ncols() - 1);
        let may = |cell: (usize, usize)| match self.mode {
            Local => true,
            Global => cell == last,
            SemiGlobal => cell.0 == last.0,
        };
        let cells = self.h.indexed_iter().filter(|(cell, _)| may(*cell)).map(|(cell, h)| (*h, cell));
        cells.reduce(|best, next| if next.0 > best.0 { next } else { best }).unwrap()
    }
}

/// The score of a path, letter by letter.
fn score(path: &Path, a: ArrayView1<'_, u8>, b: ArrayView1<'_, u8>, costs: &Costs<'_>) -> i32 {
    let (mut i, mut j) = path.start;
    let mut sum = 0;
    for run in &path.runs {
        for n in 0..run.length {
            let gap = if n == 0 { costs.open } else { costs.extend };
            match run.step {
                Step::Match => sum += costs.letters(a[i], b[j]),
                Step::Insert | Step::Delete => sum -= gap,
            }
            i += usize::from(run.step != Step::Delete);
            j += usize::from(run.step != Step::Insert);
        }
    }
    assert_eq!((i, j), path.end);
    sum
}

/// A ragged batch: proteins as rows, relatives of each other, and their lengths.
struct Batch {
    a: Array2<u8>,
    b: Array2<u8>,
    n: Array1<u32>,
    m: Array1<u32>,
}

impl Batch {
    fn new(items: usize, n: usize, m: usize, least: usize) -> Self {
        let mut data = Data::new((1000 * (1000 * items + n) + m) as u64);
        // Letters 24 and 25 are not in the table.
        let a = data.array::<u8, _>((items, n)).mapv(|x| x % 26);
        let b = Array2::from_shape_fn((items, m), |(k, j)| match data.below(4) {
            0 => (data.bits() % 26) as u8,
            _ => a[[k, (j + k) % n]],
        });
        let mut length = |most: usize, k: usize| match k % 3 {
            0 => most,
            1 => least,
            _ => least + data.below(most - least + 1),
        };
        let lengths: Vec<_> = (0..items).map(|k| (length(n, k), length(m, k / 2))).collect();
        let [n, m] = [0, 1].map(|which| lengths.iter().map(|l| if which == 0 { l.0 } else { l.1 } as u32).collect());
        Batch { a, b, n, m }
    }

    fn tables(&self, costs: &Costs<'_>, mode: Mode) -> Vec<Tables> {
        (0..self.a.nrows()).map(|k| tables(self.first(k), self.second(k), costs, mode)).collect()
    }

    fn first(&self, k: usize) -> ArrayView1<'_, u8> {
        self.a.slice(s![k, ..self.n[k] as usize])
    }

    fn second(&self, k: usize) -> ArrayView1<'_, u8> {
        self.b.slice(s![k, ..self.m[k] as usize])
    }
}

/// Numbers of items and lengths around lanes of 32, and some of several rows of tiles.
const BATCHES: [(usize, usize, usize); 9] =
    [(1, 1, 1), (2, 1, 7), (3, 5, 1), (4, 31, 32), (3, 32, 31), (2, 33, 65), (5, 64, 3), (7, 70, 70), (1, 130, 40)];

/// A table that is not symmetric.
fn odd_scores() -> Scores {
    let mut data = Data::new(5);
    let mut scores = [[0; 24]; 24];
    scores.iter_mut().enumerate().for_each(|(a, row)| {
        row.iter_mut().enumerate().for_each(|(b, score)| *score = data.below(9) as i32 - if a == b { 1 } else { 6 })
    });
    scores
}

/// All tables of scores and costs of gaps that are tried.
fn costs(run: impl Fn(&Costs<'_>)) {
    run(&Costs { score: &BLOSUM62, open: 11, extend: 1 });
    run(&Costs { score: &odd_scores(), open: 3, extend: 2 });
    // A gap costs the same for every letter.
    run(&Costs { score: &BLOSUM62, open: 2, extend: 2 });
}

fn column<T>(tables: &[Tables], of: impl Fn(i32, (usize, usize)) -> T) -> Array1<T> {
    tables.iter().map(|tables| tables.best()).map(|(best, cell)| of(best, cell)).collect()
}

/// The directions of all items; what lies behind an item is 0.
fn directions(batch: &Batch, tables: &[Tables]) -> Array3<u8> {
    let mut all = Array3::zeros((batch.a.nrows(), batch.a.ncols() + 1, batch.b.ncols() + 1));
    for (mut item, tables) in all.axis_iter_mut(Axis(0)).zip(tables) {
        item.slice_mut(s![..tables.h.nrows(), ..tables.h.ncols()]).assign(&tables.directions);
    }
    all
}

/// The first of the best cells of an item that is not empty, as indices of its last letters.
fn last_letters(tables: &Tables) -> (i32, (usize, usize)) {
    let cells = tables.h.slice(s![1.., 1..]);
    let cells = cells.indexed_iter().map(|(cell, h)| (*h, cell));
    cells.reduce(|best, next| if next.0 > best.0 { next } else { best }).unwrap()
}

#[test]
fn local_scores_and_where_they_end() {
    for (items, n, m) in BATCHES {
        let batch = Batch::new(items, n, m, 1);
        let Batch { a, b, n, m } = &batch;
        costs(|costs| {
            let found: Vec<_> = batch.tables(costs, Local).iter().map(last_letters).collect();
            let rows: Array1<u32> = found.iter().map(|(_, cell)| cell.0 as u32).collect();
            let columns: Array1<u32> = found.iter().map(|(_, cell)| cell.1 as u32).collect();
            let best: Array1<i32> = found.iter().map(|(best, _)| *best).collect();
            let wide = (best.clone(), rows.clone(), columns.clone());
            check!(local::<i32>(a, n, b, m, costs.score, costs.open, costs.extend), wide);
            let narrow = (best.mapv(|best| best as i16), rows, columns);
            let scores = costs.score.map(|row| row.map(|score| score as i16));
            check!(local::<i16>(a, n, b, m, &scores, costs.open as i16, costs.extend as i16), narrow);
        });
    }
}

#[test]
fn global_and_semi_global_scores() {
    for (items, n, m) in BATCHES {
        let batch = Batch::new(items, n, m, 0);
        let Batch { a, b, n, m } = &batch;
        costs(|costs| {
            let total = column(&batch.tables(costs, Global), |best, _| best);
            check!(global(a, n, b, m, costs.score, costs.open, costs.extend), total);
            let tables = batch.tables(costs, SemiGlobal);
            let wanted = (column(&tables, |best, _| best), column(&tables, |_, cell| cell.1 as u32));
            check!(semi_global(a, n, b, m, costs.score, costs.open, costs.extend), wanted);
        });
    }
}

#[test]
fn one_pair() {
    let mut shapes = sizes::plane(&[32], &[32]);
    shapes.push((213, 231));
    for (n, m) in shapes {
        let batch = Batch::new(1, n, m, 1);
        let (a, b) = (batch.first(0), batch.second(0));
        costs(|costs| {
            let (best, (row, column)) = last_letters(&tables(a, b, costs, Local));
            let wanted = (best, row as u32, column as u32);
            check!(local_pair(a, b, costs.score, costs.open, costs.extend), wanted);
            let total = tables(a, b, costs, Global).best().0;
            check!(global_pair(a, b, costs.score, costs.open, costs.extend), total);
        });
    }
}

#[test]
fn paths_of_batches() {
    for (items, n, m) in BATCHES {
        let batch = Batch::new(items, n, m, 0);
        let Batch { a, b, n, m } = &batch;
        costs(|costs| {
            let tables = batch.tables(costs, Local);
            let wanted = (
                column(&tables, |best, _| best),
                column(&tables, |_, cell| cell.0 as u32),
                column(&tables, |_, cell| cell.1 as u32),
                directions(&batch, &tables),
            );
            check!(local_paths(a, n, b, m, costs.score, costs.open, costs.extend), wanted);
            let (best, rows, columns, bits) = wanted;
            for k in 0..items {
                let path = follow(bits.index_axis(Axis(0), k), (rows[k] as usize, columns[k] as usize)).unwrap();
                assert_eq!(score(&path, batch.first(k), batch.second(k), costs), best[k], "{path}");
            }
            let tables = batch.tables(costs, Global);
            let wanted = (column(&tables, |best, _| best), directions(&batch, &tables));
            check!(global_paths(a, n, b, m, costs.score, costs.open, costs.extend), wanted);
            for k in 0..items {
                let path = follow(wanted.1.index_axis(Axis(0), k), (n[k] as usize, m[k] as usize)).unwrap();
                assert_eq!(path.start, (0, 0));
                assert_eq!(score(&path, batch.first(k), batch.second(k), costs), wanted.0[k], "{path}");
            }
        });
    }
}

#[test]
fn the_path_of_one_pair() {
    for (n, m) in [(1, 1), (1, 40), (40, 1), (31, 33), (32, 32), (33, 31), (70, 131)] {
        let batch = Batch::new(1, n, m, 1);
        let (a, b) = (batch.first(0), batch.second(0));
        costs(|costs| {
            let tables = tables(a, b, costs, SemiGlobal);
            let (best, end) = tables.best();
            let path = follow(&tables.directions, end).unwrap();
            assert_eq!((path.start.0, path.end.0), (0, n), "all of the first sequence");
            assert_eq!(score(&path, a, b, costs), best, "{path}");
            let wanted = (best, end.1 as u32, tables.directions);
            check!(semi_global_path(a, b, costs.score, costs.open, costs.extend), wanted);
        });
    }
}

/// Scores, ends and paths of two other programs.
#[test]
fn as_parasail_and_biopython_align() {
    let (mut scores, mut paths) = (0, 0);
    for line in include_str!("fixtures/alignments.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [mode, open, extend, one, other, wanted, path] = words[..] else { panic!("{line}") };
        let [open, extend, wanted] = [open, extend, wanted].map(|word| word.parse::<i32>().unwrap());
        let (a, b) = (Array1::from(indices(one)), Array1::from(indices(other)));
        let (n, m) = (a.len(), b.len());
        let [n_, m_] = [n, m].map(|length| Array1::from_elem(1, length as u32));
        let (a_, b_) = (a.view().insert_axis(Axis(0)), b.view().insert_axis(Axis(0)));
        let (end, directions) = match mode {
            "local" => {
                let (best, row, column) = local::<i32>::run(&Cpu, a_, &n_, b_, &m_, &BLOSUM62, open, extend).unwrap();
                assert_eq!(best[0], wanted, "{line}");
                let pair = local_pair::run(&Cpu, &a, &b, &BLOSUM62, open, extend).unwrap();
                assert_eq!(pair, (wanted, row[0], column[0]), "{line}");
                let (best, row, column, bits) =
                    local_paths::run(&Cpu, a_, &n_, b_, &m_, &BLOSUM62, open, extend).unwrap();
                assert_eq!(best[0], wanted, "{line}");
                ((row[0] as usize, column[0] as usize), bits.index_axis_move(Axis(0), 0))
            }
            "global" => {
                let total = global::run(&Cpu, a_, &n_, b_, &m_, &BLOSUM62, open, extend).unwrap();
                assert_eq!(total[0], wanted, "{line}");
                assert_eq!(global_pair::run(&Cpu, &a, &b, &BLOSUM62, open, extend), Ok(wanted), "{line}");
                let (total, bits) = global_paths::run(&Cpu, a_, &n_, b_, &m_, &BLOSUM62, open, extend).unwrap();
                assert_eq!(total[0], wanted, "{line}");
                ((n, m), bits.index_axis_move(Axis(0), 0))
            }
            "semi-global" => {
                let (best, column) = semi_global::run(&Cpu, a_, &n_, b_, &m_, &BLOSUM62, open, extend).unwrap();
                assert_eq!(best[0], wanted, "{line}");
                let (total, last, bits) = semi_global_path::run(&Cpu, &a, &b, &BLOSUM62, open, extend).unwrap();
                assert_eq!((total, last), (wanted, column[0]), "{line}");
                ((n, last as usize), bits)
            }
            _ => panic!("{line}"),
        };
        scores += 1;
        if path != "-" {
            let found = follow(&directions, end).unwrap();
            let text = format!("{},{}-{},{}:{found}", found.start.0, found.start.1, found.end.0, found.end.1);
            assert_eq!(text, path, "{line}");
            paths += 1;
        }
    }
    assert!(scores > 200 && paths > 100, "{scores} {paths}");
}

#[test]
fn lengths_that_do_not_fit_and_sequences_without_letters() {
    let letters = arr2(&[[0u8, 1, 2]]);
    let call = |n: u32| global::run(&Cpu, &letters, &[n], &letters, &[3], &BLOSUM62, 11, 1);
    assert_eq!(call(0).unwrap()[0], -13);
    assert_says(call(4), &["n", "4", "3"]);
    let none: [u8; 0] = [];
    assert_says(global_pair::run(&Cpu, &none, &[1, 2], &BLOSUM62, 11, 1), &["N", "0"]);
    assert_eq!(
        global::run(
            &Cpu,
            &Array2::zeros((0, 3)),
            &Vec::<u32>::new(),
            &Array2::zeros((0, 3)),
            &Vec::<u32>::new(),
            &BLOSUM62,
            11,
            1
        )
        .unwrap()
        .len(),
        0
    );
    // All gaps of both sequences are there: without letters of `a` the path is one gap.
    let (total, bits) = global_paths::run(&Cpu, &letters, &[0], &letters, &[3], &BLOSUM62, 11, 1).unwrap();
    let path = follow(bits.index_axis(Axis(0), 0), (0, 3)).unwrap();
    assert_eq!((total[0], path.to_string()), (-13, "3D".to_string()));
}
