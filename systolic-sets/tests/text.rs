//! Sets in text form with known answers.

use systolic_sets::{Answer, Range, check, find_point, parse, project, range, smallest_point};

#[test]
fn equalities() {
    check("{ [i] : 2i = 5 }", "empty");
    check("{ [i] : 2i = 6 }", "[3]");
    check("{ [i, j] : 0 <= i < 4 and 2i = 5 }", "empty");
    check("{ [i, j] : 6i + 9j = 4 }", "empty");
    check("{ [i, j] : 6i + 9j = 3 }", "nonempty");
    check("{ [i, j] : 7i + 12j = 17 }", "nonempty");
    check("{ [i, j] : 7i + 12j = 17, 0 <= i < 4 }", "empty");
    check("{ [i, j, k] : 12i + 20j + 15k = 1 }", "nonempty");
    check("{ [i, j, k] : 12i + 20j + 15k = 1, 0 <= i < 5, 0 <= j < 3 }", "nonempty");
    check("{ [i, j] : i = j, i = j + 1 }", "empty");
    check("{ [i] : i = i }", "[0]");
    check("{ [] : true }", "[]");
    check("{ [] : 1 = 2 }", "empty");
}

#[test]
fn inequalities() {
    check("{ [i] : 3 <= i <= 3 }", "[3]");
    check("{ [i] : 3 <= i < 3 }", "empty");
    check("{ [i] : 4 < 3i < 6 }", "empty");
    check("{ [i] : i <= -2 }", "[-2]");
    check("{ [i, j] : i < j and j < i }", "empty");
    check("{ [i, j, n] : 0 <= i < n and 0 <= j < n and i + j > 2n - 2 }", "empty");
    check("{ [i, j, n] : 0 <= i < n and 0 <= j < n and i + j >= 2n - 2 }", "nonempty");
    // The real shadow is not empty, but there is no integer point: dark shadows and splinters.
    check("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 }", "empty");
    check("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 5 }", "[2, 1]");
    check("{ [x, y] : 27 <= 11x + 13y <= 50 and -10 <= 7x - 9y <= 4 }", "nonempty");
    check("{ [x, y] : 3 <= 6x - 9y <= 5 and 0 <= x <= 100 and 0 <= y <= 100 }", "nonempty");
    check("{ [x, y] : 4 <= 6x - 9y <= 5 and 0 <= x <= 100 and 0 <= y <= 100 }", "empty");
    check("{ [x, y, z] : 5x + 7y + 11z >= 1 and 5x + 7y + 11z <= 1 and x = 2y }", "nonempty");
}

#[test]
fn remainders() {
    check("{ [i] : i % 3 = 1 and 2 <= i < 4 }", "empty");
    check("{ [i] : i % 3 = 1 and 2 <= i < 5 }", "[4]");
    check("{ [i] : i % 3 = 1 and i % 5 = 2 and 0 <= i < 15 }", "[7]");
    check("{ [i] : i % 6 = 1 and i % 4 = 2 }", "empty");
    check("{ [i] : i % 3 != 0 and i % 3 != 1 and i % 3 != 2 }", "empty");
    check("{ [i] : i % 3 != 0 and i % 3 != 1 and 3 <= i < 6 }", "[5]");
    check("{ [i] : i % 3 = 3 }", "empty");
    check("{ [i] : not (i % 3 = 3) }", "[0]");
    check("{ [i] : (i - 7) % 4 = 1 and -3 <= i < 1 }", "[0]");
    check("{ [i] : i % 1 = 0 }", "[0]");
    check("{ [i] : i % 1 != 0 }", "empty");
    check("{ [i] : i % 0 = 0 }", "gave up");
}

#[test]
fn choices() {
    check("{ [i, j] : 0 <= i < 2, 0 <= j < 2, i != j }", "nonempty");
    check("{ [i, j] : 0 <= i < 1, 0 <= j < 1, i != j }", "empty");
    check("{ [i] : 0 <= i < 3 and i != 0 and i != 1 }", "[2]");
    check("{ [i] : 0 <= i < 3 and i != 0 and i != 1 and i != 2 }", "empty");
    check("{ [i] : (i < 0 or i > 4) and not (i < 0) and i < 6 }", "[5]");
    check("{ [i] : not (i = 0 or i != 0) }", "empty");
    check("{ [i] : not (i >= 0 and i <= 5) and 0 <= 2i <= 13 }", "[6]");
    check("{ [i, j] : (i = 1 or j = 1) and (i = 2 or j = 2) and i > j }", "[2, 1]");
}

#[test]
fn the_text_form_is_read_back() {
    for text in [
        "{ [i, j] : 0 <= i < 4 and 2*i = 5 - j }",
        "{ [a, b, c] : (a + 2b) % 3 = 1 or (not (a = b) and c > 3(a - 2(b + 1))) }",
        "{ [] : true }",
        "{ [x] : (x < 3 or x > 5) and (x = 1 or x != 2), -x >= -7 }",
        "{ [x] : ((x) = (3)) }",
    ] {
        let set = parse(text).unwrap();
        let shown = set.to_string();
        let again = parse(&shown).unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(again.to_string(), shown);
        assert_eq!(again.names, set.names);
        for a in -5..9 {
            for b in -3..4 {
                let point = [a, b, 2 * b - a];
                assert_eq!(again.formula.holds(&point), set.formula.holds(&point), "{shown}");
            }
        }
    }
}

#[test]
fn mistakes_are_pointed_at() {
    for (text, at) in [
        ("[i] : i = 0", 0),
        ("{ [i, i] }", 6),
        ("{ [i] : j = 0 }", 8),
        ("{ [i] : i }", 10),
        ("{ [i] : i*i = 4 }", 12),
        ("{ [i] : i % 3 < 4 }", 18),
        ("{ [i] : i = 0 } x", 16),
        ("{ [i] : i ~ 0 }", 10),
        ("{ [i] : i = 0 ", 14),
        ("{ [i] : i = 999999999999999999999999999999999999999999 }", 12),
    ] {
        assert_eq!(parse(text).unwrap_err().at, at, "{text}");
    }
    assert!(parse(&format!("{{ [i] : {}i = 0 }}", "(".repeat(9999))).is_err());
    assert!(parse(&format!("{{ [i] : i = {}i }}", "-".repeat(9999))).is_err());
}

#[test]
fn ranges() {
    let of = |text: &str, form: &str| {
        let set = parse(text).unwrap();
        let named = parse(&format!("{{ [{}] : {form} = 0 }}", set.names.join(", "))).unwrap();
        let systolic_sets::Formula::Zero(form) = named.formula else { panic!("{form}") };
        range(set.names.len(), &set.formula, &form)
    };
    let bounds = |low, high| Range::Bounds { low, high };
    assert_eq!(of("{ [i] : 0 <= 2i < 9 }", "i"), bounds(Some(0), Some(4)));
    assert_eq!(of("{ [i] : i % 5 = 2, i >= 8 }", "i"), bounds(Some(12), None));
    assert_eq!(of("{ [i, n] : 0 <= i < n }", "n - i"), bounds(Some(1), None));
    assert_eq!(of("{ [i, n] : 0 <= i < n }", "i - n"), bounds(None, Some(-1)));
    assert_eq!(of("{ [i, j] : i < j }", "i + j"), bounds(None, None));
    assert_eq!(of("{ [i] : i < 3 and i > 2 }", "i"), Range::Empty);
    assert_eq!(
        of("{ [i] : (i > 3 or i < -2) and (i < 9 or i = 20) and i != -3 and i > -9 }", "2i"),
        bounds(Some(-16), Some(40))
    );
    assert_eq!(of("{ [i] : (i > 3 or i = -2) }", "i"), bounds(Some(-2), None));
}

#[test]
fn smallest_points() {
    let of = |text: &str, order: &[usize]| {
        let set = parse(text).unwrap();
        match smallest_point(set.names.len(), &set.formula, order) {
            Answer::Point(point) => point,
            other => panic!("{text}: {other:?}"),
        }
    };
    assert_eq!(of("{ [i, j] : i + j = 7 }", &[]), [0, 7]);
    assert_eq!(of("{ [i, j] : i + j = 7 }", &[1]), [7, 0]);
    assert_eq!(of("{ [i] : i != 0 }", &[]), [1]);
    assert_eq!(of("{ [i] : i < 0 }", &[0, 0, 9]), [-1]);
    assert_eq!(of("{ [i, n] : 1 <= n, 0 <= i < n, 3 < i }", &[1]), [4, 5]);
    assert_eq!(of("{ [i] : i % 1000000007 = 1000000000 }", &[]), [-7]);
    let set = parse("{ [i] : 2i = 1 }").unwrap();
    assert_eq!(smallest_point(1, &set.formula, &[]), Answer::None);
    assert_eq!(find_point(1, &set.formula), Answer::None);
}

#[test]
fn projections() {
    // The eliminated dimensions are unbounded here, so the expected result is given as a function.
    let keeps_first = |text: &str, expected: fn(i128) -> bool| {
        let set = parse(text).unwrap();
        let found = project(set.names.len(), &set.formula, &[true]).unwrap();
        for at in -40..40 {
            assert_eq!(found.holds(&[at]), Some(expected(at)), "{at} in {text}: {found:?}");
        }
    };
    keeps_first("{ [n, i] : 0 <= i < n }", |n| n >= 1);
    keeps_first("{ [i, j] : i = 2j }", |i| i % 2 == 0);
    keeps_first("{ [i, j] : 3j <= i <= 3j + 1 }", |i| i.rem_euclid(3) != 2);
    keeps_first("{ [i, j, k] : i = 6j + 10k }", |i| i % 2 == 0);
    keeps_first("{ [i, j, k] : i = 6j + 10k + 1, j >= 0, k >= 0 }", |i| {
        (0..9).any(|j| (0..9).any(|k| i == 6 * j + 10 * k + 1))
    });
    keeps_first("{ [i, j] : i < j or i > j }", |_| true);
    keeps_first("{ [i, j] : i % 3 != 1 and (j > 5 or j = i) and j < 5 }", |i| i.rem_euclid(3) != 1 && i < 5);
    keeps_first("{ [i, j] : (i + j) % 4 != 1 and j % 2 = 0 and 0 <= j < 2 }", |i| i.rem_euclid(4) != 1);
    keeps_first("{ [i, j] : 2j = 1 }", |_| false);
}
