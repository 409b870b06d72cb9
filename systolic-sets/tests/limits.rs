//! Every query ends soon and without a panic.

mod common;

use common::Random;
use std::time::{Duration, Instant};
use systolic_sets::{
    Answer, Budget, Form, Formula, Int, Matrix, Range, find_point, find_point_within, project, range, smallest_point,
};

/// For an unoptimised build on a busy machine. The default budget takes a fraction of this.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs every kind of query and returns the longest time that one took.
fn ask(dims: usize, formula: &Formula) -> (Answer, Duration) {
    let mut longest = Duration::ZERO;
    let mut timed = |name: &str, each: &mut dyn FnMut()| {
        let started = Instant::now();
        each();
        let took = started.elapsed();
        assert!(took < PATIENCE, "{name} took {took:?}");
        longest = longest.max(took);
    };
    let mut answer = Answer::GaveUp;
    timed("find_point", &mut || answer = find_point(dims, formula));
    if let Answer::Point(point) = &answer {
        assert_eq!(formula.holds(point), Some(true), "{point:?} is not in the set");
    }
    timed("smallest_point", &mut || {
        if let Answer::Point(point) = smallest_point(dims, formula, &[1, 0]) {
            assert_eq!(formula.holds(&point), Some(true), "{point:?} is not in the set");
        }
    });
    timed("range", &mut || {
        let _ = range(dims, formula, &Form::var(0));
    });
    timed("project", &mut || {
        let keep: Vec<bool> = (0..dims).map(|k| k % 2 == 0).collect();
        let _ = project(dims, formula, &keep);
    });
    (answer, longest)
}

fn dense(random: &mut Random, dims: usize, rows: usize, entry: &dyn Fn(&mut Random) -> Int) -> Formula {
    let parts = (0..rows)
        .map(|_| {
            let coefs = (0..dims).map(|_| entry(random)).collect();
            let form = Form::new(coefs, entry(random));
            match random.next() % 4 {
                0 => Formula::Zero(form),
                1 => Formula::Remainder { form, modulus: random.within(1, 50) as Int, is: 0 },
                _ => Formula::AtLeast(form),
            }
        })
        .collect();
    Formula::All(parts)
}

#[test]
fn numbers_at_the_limits() {
    let huge = [Int::MAX, Int::MIN, Int::MAX - 1, Int::MIN + 1, Int::MAX / 2, Int::MIN / 2, 1, -1];
    let mut random = Random(1);
    let mut longest = Duration::ZERO;
    for _ in 0..400 {
        let dims = random.within(1, 5) as usize;
        let rows = random.within(1, 8) as usize;
        let formula = dense(&mut random, dims, rows, &|random| huge[random.within(0, huge.len() as i64 - 1) as usize]);
        longest = longest.max(ask(dims, &formula).1);
        longest = longest.max(ask(dims, &formula.negate()).1);
    }
    println!("limits: longest {longest:?}");
}

#[test]
fn large_entries() {
    let size = 1_000_000_000_000_000_000;
    let mut random = Random(2);
    let mut longest = Duration::ZERO;
    for _ in 0..200 {
        let dims = random.within(1, 6) as usize;
        let rows = random.within(1, 8) as usize;
        let formula = dense(&mut random, dims, rows, &|random| random.within(-size, size) as Int);
        longest = longest.max(ask(dims, &formula).1);
    }
    println!("large entries: longest {longest:?}");
}

#[test]
fn many_dense_dimensions() {
    let mut random = Random(3);
    let mut longest = Duration::ZERO;
    let mut gave_up = 0;
    for round in 0..24 {
        let dims = 20;
        let mut parts = vec![dense(&mut random, dims, 20, &|random| random.within(-9, 9) as Int)];
        if round % 2 == 0 {
            for k in 0..dims {
                let bound = Form::constant(10);
                parts.push(Formula::within(&Form::var(k), &bound.neg(), &bound));
            }
        }
        let (answer, took) = ask(dims, &Formula::All(parts));
        gave_up += u32::from(answer == Answer::GaveUp);
        longest = longest.max(took);
    }
    println!("20 dense dimensions: gave up on {gave_up} of 24, longest {longest:?}");
}

#[test]
fn many_choices() {
    // 17 different numbers with 16 values: empty, but proving it takes very many branches.
    let count = 17;
    let mut parts = Vec::new();
    for a in 0..count {
        let top = Form::constant(count as Int - 1);
        parts.push(Formula::within(&Form::var(a), &Form::constant(0), &top));
        for b in 0..a {
            parts.push(Formula::differs(&Form::var(a), &Form::var(b)));
        }
    }
    let (answer, took) = ask(count, &Formula::All(parts));
    assert_eq!(answer, Answer::GaveUp);
    println!("many choices: longest {took:?}");
}

#[test]
fn huge_splinters() {
    let big: Int = 1 << 60;
    let (x, y) = (Form::var(0), Form::var(1));
    let thin = &(&x * big) - &(&y * (big - 1));
    let formula = Formula::within(&thin, &Form::constant(1), &Form::constant(big / 2)).and(Formula::within(
        &(&x + &y),
        &Form::constant(0),
        &Form::constant(big),
    ));
    let (_, took) = ask(2, &formula);
    println!("huge splinters: longest {took:?}");
}

#[test]
fn unbounded_sets_have_points() {
    let mut random = Random(4);
    for _ in 0..300 {
        // Rows through one point, all satisfied there.
        let dims = random.within(1, 8) as usize;
        let at: Vec<Int> = (0..dims).map(|_| random.within(-99, 99) as Int).collect();
        let parts = (0..random.within(1, 8))
            .map(|_| {
                let form = common::form(&mut random, dims, 4);
                let value = form.eval(&at).unwrap_or(0);
                let room = random.within(0, 3) as Int;
                match random.next() % 3 {
                    0 => Formula::Zero(form.plus(-value)),
                    _ => Formula::AtLeast(form.plus(room - value)),
                }
            })
            .collect();
        let formula = Formula::All(parts);
        assert_eq!(formula.holds(&at), Some(true));
        let (answer, _) = ask(dims, &formula);
        assert!(matches!(answer, Answer::Point(_)), "{answer:?} for {formula:?}");
    }
}

#[test]
fn a_small_budget_gives_up_and_a_shared_one_runs_out() {
    let x = Form::var(0);
    let formula = Formula::within(&(&x * 3), &Form::constant(4), &Form::constant(6));
    let mut none = Budget::new(0);
    assert_eq!(find_point_within(1, &formula, &mut none), Answer::GaveUp);
    let mut shared = Budget::new(100);
    let mut answers = 0;
    while find_point_within(1, &formula, &mut shared) == Answer::None {
        answers += 1;
    }
    assert!((1..100).contains(&answers));
    assert_eq!(find_point(1, &formula), Answer::None);
}

#[test]
fn forms_that_overflowed_are_not_answered() {
    let over = Form::var(0).scale(Int::MAX - 1).scale(2);
    for formula in [Formula::AtLeast(over.clone()), Formula::Zero(over.clone())] {
        assert_eq!(find_point(1, &formula), Answer::GaveUp);
        assert_eq!(find_point(1, &formula.negate()), Answer::GaveUp);
        assert_eq!(range(1, &formula, &Form::var(0)), Range::GaveUp);
        assert_eq!(project(1, &formula, &[false]), None);
    }
    assert_eq!(range(1, &Formula::True, &over), Range::GaveUp);
    let line = Formula::equal(&Form::constant(Int::MAX - 1).plus(2), &Form::constant(0));
    assert_eq!(find_point(0, &line), Answer::GaveUp);
}

#[test]
fn forms_with_trailing_zeros_are_the_same() {
    let form = Form { coefs: vec![2, 0, 0, 0, 0], constant: -4 };
    assert_eq!(find_point(1, &Formula::Zero(form.clone())), Answer::Point(vec![2]));
    let set = Formula::within(&Form::var(0), &Form::constant(0), &Form::constant(3));
    assert_eq!(range(1, &set, &form), Range::Bounds { low: Some(-4), high: Some(0) });
    assert_eq!(project(1, &Formula::Zero(form), &[]), Some(Formula::True));
}

#[test]
fn matrices_at_the_limits() {
    let mut random = Random(5);
    for _ in 0..2000 {
        let (rows, cols) = (random.within(0, 5) as usize, random.within(0, 5) as usize);
        let size = 1_i64 << random.within(0, 61);
        let entries =
            (0..rows).map(|_| (0..cols).map(|_| random.within(-size, size) as Int * size as Int).collect()).collect();
        let Some(matrix) = Matrix::from_rows(entries) else { panic!("rows of one length") };
        let _ = (matrix.rank(), matrix.determinant(), matrix.inverse());
        if let Some((form, change)) = matrix.hermite()
            && let Some(product) = change.mul(&matrix)
        {
            assert_eq!(product, form);
        }
        let _ = matrix.null_lattice();
    }
    assert_eq!(Matrix::from_rows(vec![vec![1], vec![]]), None);
    assert_eq!(Matrix::from_rows(vec![vec![Int::MIN]]).and_then(|m| m.determinant()), Some(Int::MIN));
    assert_eq!(Matrix::from_rows(vec![vec![Int::MIN]]).and_then(|m| m.inverse()), None);
    assert_eq!(Matrix::identity(0).determinant(), Some(1));
    assert_eq!(Matrix::zero(0, 3).null_lattice().map(|basis| basis.len()), Some(3));
}
