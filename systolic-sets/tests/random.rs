//! Random sets, decided twice: by the solver, and by testing every point of a bounding box.
//!
//! `SYSTOLIC_SETS_TRIPLES` sets their number (default 20000).

mod common;

use common::{Case, Random, case, form, truth, value};
use std::collections::BTreeSet;
use systolic_sets::{Answer, Form, Int, Matrix, Range, find_point, project, range, smallest_point};

const THREADS: u64 = 4;
const BLOCK: u64 = 500;

#[derive(Default, Debug, Clone, Copy)]
struct Counts {
    triples: u64,
    empty: u64,
    nonempty: u64,
    gave_up: u64,
    ranges: u64,
    smallest: u64,
    projections: u64,
    inexact: u64,
    matrices: u64,
}

#[test]
fn agrees_with_every_point_of_the_box() {
    let triples: u64 = match std::env::var("SYSTOLIC_SETS_TRIPLES") {
        Ok(text) => text.parse().expect("SYSTOLIC_SETS_TRIPLES is a number"),
        Err(_) => 20_000,
    };
    let started = std::time::Instant::now();
    let blocks = triples.div_ceil(BLOCK);
    let next = std::sync::atomic::AtomicU64::new(0);
    let mut total = Counts::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let mut counts = Counts::default();
                    loop {
                        let block = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        if block >= blocks {
                            return counts;
                        }
                        // Each block has its own seed, so the sets do not depend on how threads take blocks.
                        let mut random = Random(block.wrapping_mul(0x1234_5678_9abc_def1));
                        for _ in 0..BLOCK.min(triples - block * BLOCK) {
                            one(&mut random, &mut counts);
                        }
                    }
                })
            })
            .collect();
        for worker in workers {
            total.add(&worker.join().expect("a worker failed"));
        }
    });
    println!("{total:?} in {:.1?}", started.elapsed());
    assert_eq!(total.triples, triples);
    assert_eq!(total.gave_up, 0, "the solver gave up");
    assert_eq!(total.inexact, 0, "a projection was not found");
    if triples >= 1000 {
        // Both answers and every kind of query must make up a substantial share.
        assert!(total.empty * 5 > triples && total.nonempty * 5 > triples, "{total:?}");
        for kind in [total.ranges, total.smallest, total.projections, total.matrices] {
            assert!(kind * 20 > triples, "{total:?}");
        }
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.triples += other.triples;
        self.empty += other.empty;
        self.nonempty += other.nonempty;
        self.gave_up += other.gave_up;
        self.ranges += other.ranges;
        self.smallest += other.smallest;
        self.projections += other.projections;
        self.inexact += other.inexact;
        self.matrices += other.matrices;
    }
}

fn one(random: &mut Random, counts: &mut Counts) {
    let case = case(random);
    counts.triples += 1;
    let points = case.points();
    match find_point(case.dims(), &case.formula) {
        Answer::None => {
            counts.empty += 1;
            assert!(points.is_empty(), "{:?} is in {}", points.first(), show(&case));
        }
        Answer::Point(point) => {
            counts.nonempty += 1;
            assert_eq!(point.len(), case.dims());
            assert!(truth(&case.formula, &small(&point)), "{point:?} is not in {}", show(&case));
        }
        Answer::GaveUp => {
            counts.gave_up += 1;
            println!("gave up on {}", show(&case));
        }
    }
    match random.next() % 10 {
        0 => check_range(random, &case, &points, counts),
        1 => check_smallest(random, &case, &points, counts),
        2 => check_projection(random, &case, &points, counts),
        3 => check_matrix(random, &case, counts),
        _ => {}
    }
}

fn check_range(random: &mut Random, case: &Case, points: &[Vec<i64>], counts: &mut Counts) {
    counts.ranges += 1;
    let form = form(random, case.dims(), 3);
    let values = || points.iter().map(|point| value(&form, point) as Int);
    let expected = match (values().min(), values().max()) {
        (None, _) => Range::Empty,
        (low, high) => Range::Bounds { low, high },
    };
    let found = range(case.dims(), &case.formula, &form);
    assert_eq!(found, expected, "{form:?} over {}", show(case));
}

fn check_smallest(random: &mut Random, case: &Case, points: &[Vec<i64>], counts: &mut Counts) {
    counts.smallest += 1;
    let dims = case.dims();
    let order: Vec<usize> =
        (0..random.within(0, dims as i64)).map(|_| random.within(0, dims as i64) as usize).collect();
    let mut full: Vec<usize> = Vec::new();
    for k in order.iter().copied().filter(|k| *k < dims).chain(0..dims) {
        if !full.contains(&k) {
            full.push(k);
        }
    }
    let key =
        |point: &&Vec<i64>| -> Vec<(i64, bool)> { full.iter().map(|k| (point[*k].abs(), point[*k] < 0)).collect() };
    let expected = match points.iter().min_by_key(key) {
        Some(point) => Answer::Point(point.iter().map(|x| *x as Int).collect()),
        None => Answer::None,
    };
    let found = smallest_point(dims, &case.formula, &order);
    assert_eq!(found, expected, "{order:?} of {}", show(case));
}

fn check_projection(random: &mut Random, case: &Case, points: &[Vec<i64>], counts: &mut Counts) {
    counts.projections += 1;
    let keep: Vec<bool> = (0..case.dims()).map(|_| random.chance(2)).collect();
    let Some(found) = project(case.dims(), &case.formula, &keep) else {
        counts.inexact += 1;
        return;
    };
    let shadow =
        |point: &[i64]| -> Vec<i64> { point.iter().zip(&keep).map(|(x, keep)| if *keep { *x } else { 0 }).collect() };
    let shadows: BTreeSet<Vec<i64>> = points.iter().map(|point| shadow(point)).collect();
    case.each_point(1, |point| {
        // The result must not depend on the eliminated coordinates.
        let expected = shadows.contains(&shadow(point));
        assert_eq!(truth(&found, point), expected, "at {point:?}, keeping {keep:?} of {}: {found:?}", show(case));
        true
    });
}

fn check_matrix(random: &mut Random, case: &Case, counts: &mut Counts) {
    counts.matrices += 1;
    let size = random.within(1, 5) as usize;
    let mut rows = case.matrix.clone();
    let cols = if rows.is_empty() { size } else { case.dims() };
    for _ in 0..random.within(0, 3) {
        rows.push((0..cols).map(|_| random.within(-3, 3) as Int).collect());
    }
    if rows.is_empty() {
        rows.push(vec![0; cols]);
    }
    let matrix = Matrix::from_rows(rows).expect("rows of one length");
    let (height, width) = (matrix.rows(), matrix.cols());
    let rank = matrix.rank().expect("small entries");

    let (form, change) = matrix.hermite().expect("small entries");
    assert_eq!(change.mul(&matrix), Some(form.clone()), "{matrix:?}");
    assert_eq!(change.determinant().map(Int::abs), Some(1), "{matrix:?}");
    check_hermite_shape(&form, rank);

    let basis = matrix.null_lattice().expect("small entries");
    assert_eq!(basis.len(), width - rank, "{matrix:?}");
    for x in &basis {
        assert_eq!(matrix.apply(x), Some(vec![0; height]), "{matrix:?}");
    }
    check_null_lattice(&matrix, basis);

    if height == width {
        let determinant = matrix.determinant().expect("small entries");
        assert_eq!(determinant, by_minors(&matrix), "{matrix:?}");
        assert_eq!(determinant == 0, rank < height, "{matrix:?}");
        match matrix.inverse() {
            None => assert_eq!(determinant, 0, "{matrix:?}"),
            Some((numerator, denominator)) => {
                assert!(denominator > 0);
                let product = numerator.mul(&matrix).expect("small entries");
                for i in 0..height {
                    for j in 0..height {
                        assert_eq!(product.get(i, j), if i == j { denominator } else { 0 });
                    }
                }
                let entries = (0..height).flat_map(|i| numerator.row(i).iter().copied());
                assert_eq!(entries.fold(denominator, gcd), 1, "{matrix:?}");
            }
        }
    }
}

fn check_hermite_shape(form: &Matrix, rank: usize) {
    let mut before: Option<usize> = None;
    for i in 0..form.rows() {
        let first = form.row(i).iter().position(|c| *c != 0);
        assert_eq!(first.is_some(), i < rank, "{form:?}");
        let Some(first) = first else { continue };
        assert!(before.is_none_or(|before| before < first), "{form:?}");
        assert!(form.get(i, first) > 0, "{form:?}");
        for above in 0..i {
            assert!((0..form.get(i, first)).contains(&form.get(above, first)), "{form:?}");
        }
        before = Some(first);
    }
}

/// Checks that every integer x with matrix · x = 0 is an integer combination of the basis: the maximal minors of the
/// basis have no common factor.
fn check_null_lattice(matrix: &Matrix, basis: Vec<Vec<Int>>) {
    if basis.is_empty() {
        return;
    }
    let count = basis.len();
    let (form, _) = Matrix::from_rows(basis).expect("one length").transpose().hermite().unwrap();
    for i in 0..count {
        assert_eq!(form.get(i, i), 1, "the null lattice of {matrix:?} has gaps");
    }
}

fn by_minors(matrix: &Matrix) -> Int {
    let size = matrix.rows();
    if size == 0 {
        return 1;
    }
    (0..size)
        .map(|j| {
            let rows = (1..size).map(|i| (0..size).filter(|c| *c != j).map(|c| matrix.get(i, c)).collect()).collect();
            let minor = by_minors(&Matrix::from_rows(rows).expect("one length"));
            let sign = if j % 2 == 0 { 1 } else { -1 };
            sign * matrix.get(0, j) * minor
        })
        .sum()
}

fn gcd(a: Int, b: Int) -> Int {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn small(point: &[Int]) -> Vec<i64> {
    point.iter().map(|x| *x as i64).collect()
}

fn show(case: &Case) -> String {
    let names = (0..case.dims()).map(|k| format!("x{k}")).collect();
    systolic_sets::Set { names, formula: case.formula.clone() }.to_string()
}

#[test]
fn forms_compare_as_their_values() {
    let mut random = Random(7);
    for _ in 0..1000 {
        let (a, b) = (form(&mut random, 3, 3), form(&mut random, 3, 3));
        let point = [random.within(-5, 5), random.within(-5, 5), random.within(-5, 5)];
        assert_eq!(value(&(&a + &b), &point), value(&a, &point) + value(&b, &point));
        assert_eq!(value(&(&a - &b), &point), value(&a, &point) - value(&b, &point));
        assert_eq!(&(&a - &b) + &b, a);
        assert_eq!(&a - &a, Form::constant(0));
    }
}
