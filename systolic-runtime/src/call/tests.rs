//! Tests of sizes solved from shapes: the values, the errors and their messages.
use super::*;
use crate::form::Formula;
use crate::signature::{Condition, Loop, Size};

const fn form(coefs: &'static [i128], constant: i128) -> Form {
    Form::new(coefs, constant)
}

/// x: [R + 2, C + 4], y: [2 * C + 1], steps: size, z: [R, C], where R % 2 == 0
static SIGNATURE: Signature = Signature {
    sizes: &[
        Size { name: "R", source: Source::Shape { input: 0, axis: 0 } },
        Size { name: "C", source: Source::Shape { input: 0, axis: 1 } },
        Size { name: "steps", source: Source::Given(0) },
    ],
    inputs: &[
        Array { name: "x", dims: &[form(&[1], 2), form(&[0, 1], 4)] },
        Array { name: "y", dims: &[form(&[0, 2], 1)] },
    ],
    outputs: &[Array { name: "z", dims: &[form(&[1], 0), form(&[0, 1], 0)] }],
    conditions: &[Condition {
        text: "R % 2 == 0",
        formula: Formula::Remainder { form: form(&[1], 0), modulus: 2, is: 0 },
    }],
    loops: &[
        Loop { name: "r", low: form(&[], 0), high: form(&[1], 0) },
        Loop { name: "c", low: form(&[0, 0, 0, -1], 0), high: form(&[0, 1, 0, 1], 0) },
    ],
    wide: &[],
    near: 0,
};

fn check(x: [usize; 2], y: usize, steps: usize, expected: &str) {
    let text = match SIGNATURE.call(&[&x, &[y]], &[steps]) {
        Ok(call) => format!("{:?} {:?} {}", call.sizes::<3>(), call.lengths::<2>(0), call.is_empty()),
        Err(error) => error.to_string(),
    };
    assert_eq!(text, expected);
}

#[test]
fn sizes_follow_from_shapes() {
    check([6, 7], 7, 5, "[4, 3, 5] [4, 3] false");
}

#[test]
fn every_dimension_is_checked() {
    check([6, 7], 8, 5, "`y`: expected [2 * C + 1] = [7] with C = 3 (from `x`), got [8]");
}

#[test]
fn conditions_are_checked() {
    check([5, 7], 7, 5, "`where R % 2 == 0` does not hold with R = 3 (from `x`)");
    // Also if another size makes all outputs empty, and before a size below 1 is rejected.
    check([3, 4], 1, 5, "`where R % 2 == 0` does not hold with R = 1 (from `x`)");
    check([5, 7], 7, 0, "`where R % 2 == 0` does not hold with R = 3 (from `x`)");
}

#[test]
fn sizes_below_one() {
    // C = 0 and R = 4: z is empty.
    check([6, 4], 1, 5, "[4, 0, 5] [4, 0] true");
    // C = -1 counts as 0, and so does a length of 2 · −1 + 1.
    check([6, 3], 0, 5, "[4, -1, 5] [4, 0] true");
    check([6, 7], 7, 0, "size steps = 0 is below 1, but an output is not empty");
}

#[test]
fn sizes_have_a_limit() {
    let text = "limit: size steps is 68719476737; at most 68719476736 is accepted";
    check([6, 7], 7, (1 << 36) + 1, text);
    check([6, 7], 7, 1 << 36, "[4, 3, 68719476736] [4, 3] false");
}

#[test]
fn a_hull_holds_every_point() {
    let call = SIGNATURE.call(&[&[6, 7], &[7]], &[1]).unwrap();
    // c runs from −r, r up to 4, to C + r.
    assert_eq!(call.hull::<2>().unwrap(), [Range { low: 0, high: 4 }, Range { low: -4, high: 7 }]);
}

#[test]
fn loops_have_a_limit() {
    static FAR: Signature =
        Signature { loops: &[Loop { name: "i", low: form(&[], 0), high: form(&[0, 0, 1 << 20], 0) }], ..SIGNATURE };
    let call = FAR.call(&[&[6, 7], &[7]], &[1 << 30]).unwrap();
    let text = format!("limit: a bound of loop i is {}; at most {} is accepted", 1i64 << 50, 1i64 << 40);
    assert_eq!(call.hull::<1>().unwrap_err().to_string(), text);
    static WIDE: Signature = Signature { wide: &[form(&[0, 0, 1 << 60], 0)], ..SIGNATURE };
    let call = WIDE.call(&[&[6, 7], &[7]], &[5]).unwrap();
    assert!(call.hull::<2>().is_err());
}

#[test]
fn sizes_are_solved_in_any_order() {
    // a: [A + 3 * B, 2 * B]: A can only be solved after B.
    static LATE: Signature = Signature {
        sizes: &[
            Size { name: "A", source: Source::Shape { input: 0, axis: 0 } },
            Size { name: "B", source: Source::Shape { input: 0, axis: 1 } },
        ],
        inputs: &[Array { name: "a", dims: &[form(&[1, 3], 0), form(&[0, 2], 0)] }],
        outputs: &[Array { name: "z", dims: &[form(&[1], 0)] }],
        conditions: &[],
        loops: &[],
        wide: &[],
        near: 0,
    };
    assert_eq!(LATE.call(&[&[10, 4]], &[]).unwrap().sizes::<2>(), [4, 2]);
    let text = "`a`: expected length `2 * B` with a whole number B in dimension 1, got 5";
    assert_eq!(LATE.call(&[&[10, 5]], &[]).unwrap_err().to_string(), text);
}

/// The quick path gives the sizes of the slow path, or `None`.
#[test]
fn quick_and_slow_solve_alike() {
    let mut quick_ones = 0;
    for (r, c, y, z) in (0..12).flat_map(|r| (0..12).flat_map(move |c| (0..20).map(move |y| (r, c, y, y % 3)))) {
        let (x, y) = ([r, c], [y]);
        let shapes: [&[usize]; 2] = [&x, &y];
        let slow = SIGNATURE.call_with_reasons(&shapes, &[z]);
        let quick = quick::sizes(&SIGNATURE, &shapes, &[z], LARGEST_SIZE);
        match (&slow, &quick) {
            (Ok(slow), Some(quick)) => assert_eq!(*slow.sizes, **quick),
            (Ok(slow), None) => assert!(slow.is_empty()),
            (Err(_), None) => {}
            (Err(error), Some(_)) => panic!("{error}"),
        }
        let Ok(call) = slow else { continue };
        quick_ones += usize::from(quick.is_some());
        let (a, mut b) = (call.hull::<2>().unwrap(), [super::Range { low: 0, high: 0 }; 2]);
        call.hull_with_reasons(&mut b).unwrap();
        assert_eq!(a, b);
    }
    assert!(quick_ones > 5, "{quick_ones}");
}

#[test]
fn the_first_length_that_does_not_fit_is_named() {
    let call = SIGNATURE.call(&[&[6, 7], &[7]], &[5]).unwrap();
    let declared = Lengths { name: "n", least: 1, most: form(&[0, 2], 0) };
    let said = |lengths: &ndarray::Array2<i64>| match call.check_lengths(&declared, &lengths.view()) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    };
    assert_eq!(said(&ndarray::array![[1, 2], [3, 6]]), "");
    let text = "`n`: expected a length from 1 to 6 at [1, 0] with C = 3 (from `x`), got 7";
    assert_eq!(said(&ndarray::array![[1, 2], [7, 0]]), text);
    let text = "`n`: expected a length from 1 to 6 at [0, 1] with C = 3 (from `x`), got -1";
    assert_eq!(said(&ndarray::array![[1, -1], [9, 9]]), text);
}

#[test]
fn ranges_of_lengths_come_before_the_loops() {
    // x: [C], n in 1..=2 * C; for k in 0..C, i in 0..n[k]
    static RAGGED: Signature = Signature {
        sizes: &[Size { name: "C", source: Source::Shape { input: 0, axis: 0 } }],
        inputs: &[Array { name: "x", dims: &[form(&[1], 0)] }],
        outputs: &[],
        conditions: &[],
        loops: &[
            Loop { name: "n[k]", low: form(&[], 1), high: form(&[2], 0) },
            Loop { name: "k", low: form(&[], 0), high: form(&[1], 0) },
            Loop { name: "i", low: form(&[], 0), high: form(&[0, 1], 0) },
        ],
        wide: &[],
        near: 0,
    };
    let call = RAGGED.call(&[&[5]], &[]).unwrap();
    assert_eq!(call.hull::<2>().unwrap(), [super::Range { low: 0, high: 5 }, super::Range { low: 0, high: 10 }]);
}
