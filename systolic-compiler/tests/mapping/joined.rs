//! Which loops may run as one.
use super::one;
use systolic_compiler::mapping::Joined;

/// The sizes of the loops that run as one, and where the inputs have them.
fn joined(kernel: &str) -> Option<(Vec<usize>, Vec<Option<usize>>)> {
    Joined::of(one(kernel).kernel()).map(|joined| (joined.sizes, joined.inputs))
}

#[test]
fn what_is_accessed_at_the_point_itself() {
    let plain =
        "kernel k(x: [f32; R, C], a: f32) -> (y: [f32; R, C]) { for r in 0..R, c in 0..C { y[r, c] = a * x[r, c]; } }";
    assert_eq!(joined(plain), Some((vec![0, 1], vec![Some(0), None])));
    let colours =
        "kernel k(x: [u8; R, C, 3]) -> (y: [u8; R, C]) { for r in 0..R, c in 0..C { y[r, c] = x[r, c, 1]; } }";
    assert_eq!(joined(colours), Some((vec![0, 1], vec![Some(0)])));
    let three = "kernel k(x: [f32; K, R, C]) -> (y: [f32; K, R, C]) {
        for k in 0..K, r in 0..R, c in 0..C { y[k, r, c] = -x[k, r, c]; }
    }";
    assert_eq!(joined(three), Some((vec![0, 1, 2], vec![Some(0)])));
    let above = "kernel k(x: [f32; K, R, C]) -> (y: [f32; K, R, C]) {
        for k in 0..K, r in 0..R, c in 0..C {
            S[k, r, c] = x[k, r, c] + if k == 0 { 0.0 } else { S[k - 1, r, c] };
            y[k, r, c] = S[k, r, c];
        }
    }";
    assert_eq!(joined(above), Some((vec![1, 2], vec![Some(1)])), "along the first loop a value is read");
}

#[test]
fn what_depends_on_the_loops_stays() {
    let with = |signature: &str, value: &str| {
        joined(&format!("kernel k({signature}) -> (y: [i32; R, C]) {{ for r in 0..R, c in 0..C {{ {value} }} }}"))
    };
    assert!(with("x: [i32; R, C]", "y[r, c] = x[r, c];").is_some());
    for (signature, value) in [
        ("x: [i32; R, C] border zero", "y[r, c] = x[r, c - 1];"),
        ("x: [i32; R, C], w: [i32; C]", "y[r, c] = w[c] * x[r, c];"),
        ("x: [i32; C, R]", "y[r, c] = x[c, r];"),
        ("x: [i32; R, 3, C]", "y[r, c] = x[r, 1, c];"),
        ("x: [i32; R, C + 1]", "y[r, c] = x[r, c];"),
        ("x: [i32; R, C]", "y[r, c] = x[r, c] + c as i32;"),
        ("x: [i32; R, C]", "y[r, c] = x[r, c] + C as i32;"),
        ("x: [i32; R, C]", "y[r, c] = if r == 0 { 0 } else { x[r, c] };"),
        ("x: [i32; R, C]", "y[r, c] = if (r + c) % 2 == 0 { 0 } else { x[r, c] };"),
        ("x: [i32; R, C]", "S[r, c] = x[r, c] + if c == 0 { 0 } else { S[r, c - 1] }; y[r, c] = S[r, c];"),
        ("x: [i32; R, C], R: size", "y[r, c] = x[r, c];"),
    ] {
        assert_eq!(with(signature, value), None, "{signature}: {value}");
    }
    let condition = "kernel k(x: [i32; R, C]) -> (y: [i32; R, C]) where C <= 100 { for r in 0..R, c in 0..C { y[r, c] = x[r, c]; } }";
    assert_eq!(joined(condition), None, "the condition need not hold for one long row");
    let triangle = "kernel k(x: [i32; N, N]) -> (y: [i32; N, N]) { for i in 0..N, j in 0..N { y[i, j] = x[i, j]; } }";
    assert_eq!(joined(triangle), None, "one size for both");
}
