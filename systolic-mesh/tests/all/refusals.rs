//! Kernels that cannot be cut are refused on all ranks, with the law's word and a counterexample.
use systolic::ndarray::{Array1, Array2};
use systolic::{Cpu, systolic};
use systolic_mesh::{DistributedArray, Error, Mesh, threads};

systolic! {
    /// As many steps as the call says: no constant bounds the reach.
    kernel steps(x: [f32; N] border wrap, t: size) -> (y: [f32; N]) {
        for k in 0..t + 1, n in k - t..N + t - k {
            U[k, n] = if k == 0 { x[n] } else { U[k - 1, n - 1] + U[k - 1, n + 1] };
            if k == t { y[n] = U[k, n]; }
        }
    }
    kernel index_value(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n] * n as f32; }
    }
    kernel size_value(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n] / N as f32; }
    }
    kernel turned(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[N - 1 - n]; }
    }
    kernel first(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n] - x[0]; }
    }
    kernel transposed(x: [f32; R, C]) -> (y: [f32; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
    }
    kernel square(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for r in 0..N, c in 0..N { y[r, c] = x[r, c]; }
    }
    kernel diagonal(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = if r == c { 0.0 } else { x[r, c] }; }
    }
    kernel middle(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = if 2 * n < N { x[n] } else { -x[n] }; }
    }
    kernel triangle(x: [f32; N]) -> (y: [f32; N]) {
        for i in 0..N, j in 0..i + 1 {
            S[i, j] = x[j] + if j == 0 { 0.0 } else { S[i, j - 1] };
            if j == i { y[i] = S[i, j]; }
        }
    }
    kernel even(x: [f32; N]) -> (y: [f32; N]) where N % 2 == 0 {
        for n in 0..N { y[n] = x[n]; }
    }
    kernel remainder_of_size(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = if (N - n) % 2 == 0 { x[n] } else { -x[n] }; }
    }
    kernel given(x: [f32; 3], n: size) -> (y: [f32; n]) {
        for i in 0..n { y[i] = x[1]; }
    }
    kernel picked(x: [f32; N] border clamp, at: [i32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[at[n]]; }
    }
    kernel sum(x: [f32; N]) -> (y: [f32; 1]) {
        for n in 0..N { S[n] = x[n] + if n == 0 { 0.0 } else { S[n - 1] }; if n == N - 1 { y[0] = S[n]; } }
    }
    kernel guarded_wrap(x: [f32; N] border wrap) -> (y: [f32; N]) {
        for n in 0..N { y[n] = if n == 0 { x[n] } else { x[n + 1] }; }
    }
    kernel wide_wrap(x: [f32; N] border wrap) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n - 1000000000000]; }
    }
    kernel wrap_beside_zero(x: [f32; N] border wrap, z: [f32; N] border zero) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n + 1] * z[n - 1]; }
    }
    kernel filter(x: [f32; N + Q], w: [f32; Q]) -> (y: [f32; N]) {
        for n in 0..N, q in 0..Q {
            S[n, q] = x[n + q] * w[q] + if q == 0 { 0.0 } else { S[n, q - 1] };
            if q == Q - 1 { y[n] = S[n, q]; }
        }
    }
    kernel table(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] } + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
    }
    kernel numbered(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { S[n] = x[n] * n as f32 + if n == 0 { 0.0 } else { S[n - 1] }; y[n] = S[n]; }
    }
    kernel five(x: [f32; A, B, C, D], w: [f32; E]) -> (y: [f32; A, B, C, D]) {
        for a in 0..A, b in 0..B, c in 0..C, d in 0..D, e in 0..E {
            S[a, b, c, d, e] = w[e] * x[a, b, c, d] + if a == 0 { 0.0 } else { S[a - 1, b, c, d, e] };
            Z[a, b, c, d, e] = S[a, b, c, d, e] + if e == 0 { 0.0 } else { Z[a, b, c, d, e - 1] };
            if e == E - 1 { y[a, b, c, d] = Z[a, b, c, d, e]; }
        }
    }
    kernel around(x: [f32; N] border wrap) -> (y: [f32; N]) {
        for n in 0..N { S[n] = x[n + 1] + if n == 0 { 0.0 } else { S[n - 1] }; y[n] = S[n]; }
    }
}

type Result<T> = std::result::Result<T, Error>;

/// The error that both ranks of a mesh get.
fn refused<D: systolic::Rank>(
    shape: &[usize],
    run: impl Fn(&Mesh) -> Result<DistributedArray<f32, D>> + Sync,
) -> String {
    let results = threads(shape.iter().product(), |rank| {
        let mesh = Mesh::new(rank, shape)?;
        let error = run(&mesh).err();
        // Nothing is broken: the mesh is as good as before.
        DistributedArray::from_fn(&mesh, (6, 6, 6), |_| 1i32)?.reduce(|a, b| a + b)?;
        Ok::<_, Error>(error)
    });
    let mut errors: Vec<String> = Vec::new();
    for result in results {
        errors.push(result.expect("no panic").expect("the mesh works").expect("it is refused").to_string());
    }
    errors.dedup();
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

fn line(mesh: &Mesh) -> Result<DistributedArray<f32, systolic::ndarray::Ix1>> {
    DistributedArray::from_fn(mesh, 9, |n| n as f32)
}

fn plane(mesh: &Mesh) -> Result<DistributedArray<f32, systolic::ndarray::Ix2>> {
    DistributedArray::from_fn(mesh, (9, 9), |(r, c)| (r + c) as f32)
}

#[test]
fn values_that_are_carried_from_part_to_part() {
    let error = refused(&[2], |mesh| steps::run_on(mesh, &Cpu, &line(mesh)?, 3));
    assert_eq!(
        error,
        "`steps` cannot be split along dimension 0: blocks: the value of `U` is carried along `n` from part to part: point \
         (k = 1, n = 0) reads it at (k = 0, n = -1), for N = 1, t = 1; `U`, which point (k = 1, n = 0) reads at (k = 0, n = 1), is \
         carried the other way, so the ranks are no pipeline"
    );
    let error = refused(&[2, 2], |mesh| table::run_on(mesh, &Cpu, &plane(mesh)?));
    assert_eq!(
        error,
        "`table` cannot be split along dimension 1: blocks: the value of `S` is carried along `c` from part to part: point \
         (r = 0, c = 1) reads it at (r = 0, c = 0), for R = 1, C = 2; values are carried along dimension 0 too, and only one \
         dimension of a mesh can be a pipeline (a limit)"
    );
    let error = refused(&[2], |mesh| numbered::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the value `n` (used at (n = 0))");
    let error = refused(&[2], |mesh| {
        let x = DistributedArray::from_fn(mesh, (9, 2, 2, 2), |_| 1.0)?;
        five::run_on(mesh, &Cpu, &x, &[1.0; 2])
    });
    assert!(
        error.contains("resources: the values of `S` are carried along `a` from part to part, but it runs along 5"),
        "{error}"
    );
    let error = refused(&[2], |mesh| around::run_on(mesh, &Cpu, &line(mesh)?));
    assert!(error.contains("borders: with `border wrap` a part at the end of `n` goes on at the other end"), "{error}");
}

/// The part of the message that says what depends on the position.
fn depends(error: &str) -> &str {
    let from = error.split("the result would depend on the mesh: ").nth(1).unwrap_or(error);
    from.split(" depends on where").next().unwrap_or(error)
}

#[test]
fn whatever_depends_on_the_position_in_the_whole() {
    let on_line = |run: fn(&Mesh) -> Result<DistributedArray<f32, systolic::ndarray::Ix1>>| refused(&[2], run);
    let error = on_line(|mesh| index_value::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(
        error,
        "`index_value` cannot be split along dimension 0: blocks: the result would depend on the mesh: the value `n` (used at \
         (n = 0)) depends on where `n` stands in `0..N`, so a part cannot know it"
    );
    let error = on_line(|mesh| size_value::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the value `N` (used at (n = 0))");
    let error = on_line(|mesh| turned::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the index `-n + N - 1` of `x`");
    let error = on_line(|mesh| first::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the index `0` of `x`");
    let error = on_line(|mesh| middle::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the guard on `-2 * n + N - 1`");
    let error = on_line(|mesh| triangle::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the bound `i + 1` of the loop `j`");
    let error = on_line(|mesh| remainder_of_size::run_on(mesh, &Cpu, &line(mesh)?));
    assert_eq!(depends(&error), "the guard on `-n + N` modulo 2");
    let error = on_line(|mesh| picked::run_on(mesh, &Cpu, &line(mesh)?, &Array1::zeros(9)));
    assert_eq!(depends(&error), "`x`, which is read at an index that is a value,");
    let error = on_line(|mesh| given::run_on(mesh, &Cpu, &[1.0; 3], 9));
    assert_eq!(depends(&error), "the parameter `n: size`");
    let error = on_line(|mesh| filter::run_on(mesh, &Cpu, &line(mesh)?, &Array1::zeros(3)));
    assert_eq!(depends(&error), "`x`, whose axis 0 has the length `Q + N`,");
    let error = refused(&[2], |mesh| even::run_on(mesh, &Cpu, &DistributedArray::from_fn(mesh, 8, |n| n as f32)?));
    assert_eq!(depends(&error), "`where N % 2 == 0`");
}

#[test]
fn axes_that_follow_no_single_size_and_loop() {
    let on_plane = |run: fn(&Mesh) -> Result<DistributedArray<f32, systolic::ndarray::Ix2>>| refused(&[2], run);
    let error = on_plane(|mesh| square::run_on(mesh, &Cpu, &plane(mesh)?));
    assert_eq!(depends(&error), "the bound `N` of the loop `c`");
    let error = on_plane(|mesh| diagonal::run_on(mesh, &Cpu, &plane(mesh)?));
    assert_eq!(depends(&error), "the guard on `-c + r`");
    let error = refused(&[2], |mesh| sum::run_on(mesh, &Cpu, &line(mesh)?));
    assert!(error.contains("sizes: axis 0 of the output `y` has the length `1`"), "{error}");
    let error = refused(&[1, 2], bounds_of_rank);
    assert!(error.contains("has 1 dimensions, but the mesh has 2"), "{error}");
}

fn bounds_of_rank(mesh: &Mesh) -> Result<DistributedArray<f32, systolic::ndarray::Ix1>> {
    even::run_on(mesh, &Cpu, &DistributedArray::from_fn(mesh, 8, |n| n as f32)?)
}

#[test]
fn borders_that_go_around_and_ends_that_are_fixed() {
    let error = refused(&[2], |mesh| guarded_wrap::run_on(mesh, &Cpu, &line(mesh)?));
    assert!(error.contains("borders: with `border wrap` a part at the end of `n`"), "{error}");
    let error = refused(&[2], |mesh| wide_wrap::run_on(mesh, &Cpu, &line(mesh)?));
    assert!(error.contains("the halo has more than 1048576 iterations"), "{error}");
    let error = refused(&[2], |mesh| wrap_beside_zero::run_on(mesh, &Cpu, &line(mesh)?, &line(mesh)?));
    assert!(error.contains("one input has `border wrap` and another `zero` or `constant`"), "{error}");
}

#[test]
fn a_transposition_is_cut_by_its_outputs() {
    let whole = Array2::from_shape_fn((9, 7), |(r, c)| (10 * r + c) as f32);
    for result in threads(3, |rank| {
        let mesh = Mesh::new(rank, &[3])?;
        let x = DistributedArray::from_fn(&mesh, (9, 7), |index| whole[index])?;
        transposed::run_on(&mesh, &Cpu, &x)?.gather(0)
    }) {
        assert!(result.unwrap().unwrap().is_none_or(|y| y == whole.t()));
    }
}

#[test]
fn shapes_that_do_not_fit_are_told_as_by_run() {
    systolic! {
        kernel add(a: [f32; R, C], b: [f32; R, C]) -> (c: [f32; R, C]) {
            for r in 0..R, k in 0..C { c[r, k] = a[r, k] + b[r, k]; }
        }
    }
    let error = refused(&[2], |mesh| add::run_on(mesh, &Cpu, &plane(mesh)?, &Array2::zeros((9, 8))));
    assert_eq!(error, "`b`: expected [R, C] = [9, 9] with R = 9 (from `a`) and C = 9 (from `a`), got [9, 8]");
    let error = refused(&[2], |mesh| {
        let other = threads(1, |rank| Mesh::new(rank, &[1])).remove(0).expect("no panic")?;
        let x = plane(mesh)?;
        add::run_on(&other, &Cpu, &x, &x)
    });
    assert_eq!(error, "`a` is distributed over another mesh");
}
