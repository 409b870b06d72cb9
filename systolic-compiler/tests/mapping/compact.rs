//! Time rows whose gaps are closed, and maps whose gaps cannot be closed.
use super::one;
use systolic_compiler::check;
use systolic_compiler::fault::message;
use systolic_compiler::laws::Lawful;
use systolic_compiler::model::{Int, RowKind};

/// A copy over three loops of four iterations each and one over `N`, with these clauses as its map.
fn kernel(rows: &str) -> String {
    format!(
        "kernel k(x: [i32; 4, 4, 4, N]) -> (y: [i32; 4, 4, 4, N]) {{
            for i in 0..4, j in 0..4, k in 0..4, n in 0..N {{ y[i, j, k, n] = x[i, j, k, n]; }}
            map {{ {rows} }}
        }}"
    )
}

/// The time rows over `i, j, k, n`.
fn times(lawful: &Lawful) -> Vec<Vec<Int>> {
    lawful.maps()[0].places().of_kind(RowKind::Time).map(|row| row.coefs.clone()).collect()
}

#[track_caller]
fn becomes(map: &str, rows: &[[Int; 4]]) {
    assert_eq!(times(&one(&kernel(map))), rows, "{map}");
}

#[test]
fn multiples_are_divided() {
    becomes(
        "space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [0, 10000000, 0], [0, 0, -7]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, -1, 0]],
    );
    // Also for a loop of run-time length.
    becomes(
        "space_time (i, j, k, n) -> (s, t, u, v) = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 64]]; lanes s;",
        &[[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
    );
}

#[test]
fn two_loops_in_a_row_lie_side_by_side() {
    becomes(
        "space_time (i, j, k) -> (s, t) = [[1, 0, 0], [0, 1000, 1]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, 4, 1, 0]],
    );
    becomes(
        "space_time (i, j, k) -> (s, t) = [[1, 0, 0], [0, -1000, 3]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, -4, 1, 0]],
    );
    // 1000 j + 999 k equals 1000 (j + k) − k.
    becomes(
        "space_time (i, j, k) -> (s, t) = [[1, 0, 0], [0, 1000, 999]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, 4, 3, 0]],
    );
    // Unchanged: the steps have no gaps.
    becomes(
        "space_time (i, j, k) -> (s, t) = [[1, 0, 0], [0, 4, 1]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, 4, 1, 0]],
    );
    // Next to a loop of run-time length no coefficient can be made smaller. For a given `t`, `-j` gives the same order
    // as `n`.
    becomes(
        "space_time (i, j, n) -> (s, t, u) = [[1, 0, 0], [0, 1000, 1], [0, 0, 1]]; lanes s; reorder (k);",
        &[[0, 0, 1, 0], [0, 1000, 0, 1], [0, -1, 0, 0]],
    );
}

#[test]
fn an_outer_row_is_taken_away() {
    becomes(
        "space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [0, 1, 0], [0, 5000, 1]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]],
    );
    // A small skew is kept, as the map chose it.
    becomes(
        "space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [0, 1, 0], [0, 1, 1]]; lanes s; reorder (n);",
        &[[0, 0, 0, 1], [0, 1, 0, 0], [0, 1, 1, 0]],
    );
}

#[test]
fn far_more_steps_than_points_are_refused() {
    let text = "kernel k(x: [i32; 4, 40, 40]) -> (y: [i32; 4, 40, 40]) {
        for i in 0..4, j in 0..40, k in 0..40 { y[i, j, k] = x[i, j, k]; }
        map { space_time (i, j, k) -> (s, t) = [[1, 0, 0], [0, 1000003, 618034]]; lanes s; } }";
    let faults: Vec<String> = check(text.parse().expect("tokens")).faults.iter().map(message).collect();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].starts_with("resources: a block evaluates the equations 63103444 times"), "{faults:?}");
    assert!(faults[0].contains("for at most 6400 points"), "{faults:?}");
}
