//! Evaluates kernels point by point; rustc has proved them legal when it compiled this file:
//! `cargo run --example evaluate`.
use std::error::Error;
use systolic::ndarray::{Array1, Array2, arr2};
use systolic::{Design, systolic};

systolic! {
    /// 1-D convolution: inputs stay, weights are broadcast, sums migrate.
    pub kernel conv1d_sbm<const Q: usize in [2, 5]>(
        x: [f32; C + Q - 1],
        w: const [f32; Q],
    ) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 1],
                                            [0, 1]];
            lanes s;
        }
    }

    /// The same sums in another machine: inputs are broadcast, weights are forwarded, sums stay.
    pub kernel conv1d_bfs<const Q: usize in [5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = x[c + q];
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
    }

    /// Every element plus those before it.
    pub kernel running_sum(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0 } else { S[n - 1] };
            y[n] = S[n];
        }
    }

    /// Local alignment with linear gaps: the best score and where it ends, counted along the rows of the table.
    pub kernel smith_waterman(a: [u8; N], b: [u8; M], gap: i32, hit: i32, miss: i32) -> (best: [i32; 1], end: [i32; 1]) {
        for i in 0..N, j in 0..M {
            H[i, j] = max(0,
                (if i == 0 { 0 } else { H[i - 1, j] }) - gap,
                (if j == 0 { 0 } else { H[i, j - 1] }) - gap,
                (if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] }) + if a[i] == b[j] { hit } else { miss });
            // The best of the row so far and where it is, then the best of all rows so far.
            R[i, j] = if j == 0 { H[i, j] } else { max(R[i, j - 1], H[i, j]) };
            P[i, j] = if j == 0 { i as i32 * M as i32 }
                else { if H[i, j] > R[i, j - 1] { i as i32 * M as i32 + j as i32 } else { P[i, j - 1] } };
            B[i, j] = if i == 0 { R[i, j] } else { max(B[i - 1, j], R[i, j]) };
            E[i, j] = if i == 0 { P[i, j] } else { if R[i, j] > B[i - 1, j] { P[i, j] } else { E[i - 1, j] } };
            if i == N - 1 && j == M - 1 { best[0] = B[i, j]; end[0] = E[i, j]; }
        }
    }

    /// `c = a · b`.
    pub kernel product(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            C[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { C[i, j, k - 1] };
            if k == K - 1 { c[i, j] = C[i, j, k]; }
        }
    }

    /// Five points, continued outside by the nearest element.
    pub kernel smooth(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        const CENTRE: f32 = 0.5;
        const SIDE: f32 = 0.125;
        for r in 0..R, c in 0..C {
            y[r, c] = CENTRE * x[r, c] + SIDE * (x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1]);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    convolutions()?;
    scan()?;
    alignment()?;
    stencil()?;
    wrong_shape()
}

/// One signal on two machines, with the same bits.
fn convolutions() -> Result<(), Box<dyn Error>> {
    let weights = [0.1, 0.2, 0.4, 0.2, 0.1];
    let signal: Array1<f32> = (0..20).map(|n| if (8..12).contains(&n) { 10.0 } else { 0.0 }).collect();
    let stays = conv1d_sbm::<5>::reference(&signal, &weights)?;
    let moves = conv1d_bfs::<5>::reference(&signal, &weights)?;
    println!("1-D convolution, a pulse of 20 samples blurred by 5 weights");
    println!("  pulse          {}", row(&signal));
    println!("  inputs stay    {}", row(&stays));
    println!("  sums stay      {}", row(&moves));
    println!("  the same bits: {}", stays == moves);

    println!("\nTwo weights find its edges");
    println!("  edges          {}", row(&conv1d_sbm::<2>::reference(&signal, &[-1.0, 1.0])?));

    println!("\nThe machines of one block, for 16 results");
    println!("{}", indented("inputs stay", &conv1d_sbm::<5>::describe(16)));
    println!("{}", indented("sums stay", &conv1d_bfs::<5>::describe(16)));
    Ok(())
}

fn scan() -> Result<(), Box<dyn Error>> {
    let digits = [3, 1, 4, 1, 5, 9, 2, 6];
    println!("\nRunning sum");
    println!("  {digits:?}\n  {}", running_sum::reference(&digits)?);
    Ok(())
}

fn alignment() -> Result<(), Box<dyn Error>> {
    let (a, b) = ("GGTTGACTA", "TGTTACGG");
    let (best, end) = smith_waterman::reference(a.as_bytes(), b.as_bytes(), 2, 3, -3)?;
    let (i, j) = (end[0] as usize / b.len(), end[0] as usize % b.len());
    println!("\nSmith-Waterman, {a} against {b}: gap 2, hit +3, miss -3");
    println!("  best score {}, ending at {}[{i}] = {} and {}[{j}] = {}", best[0], a, &a[i..=i], b, &b[j..=j]);
    Ok(())
}

fn stencil() -> Result<(), Box<dyn Error>> {
    let mut image = Array2::zeros((5, 7));
    image[[2, 3]] = 8.0;
    image[[0, 0]] = 8.0;
    println!("\nA five-point stencil; outside the image its nearest element is read");
    println!("{}", smooth::reference(&image)?);
    assert_eq!(smooth::reference(&arr2(&[[4.0, 4.0]]))?, arr2(&[[4.0, 4.0]]), "a flat image stays flat");
    Ok(())
}

/// The inner lengths of a product differ: the error names the parameter, what was expected and what was passed.
fn wrong_shape() -> Result<(), Box<dyn Error>> {
    let (a, b) = (arr2(&[[1.0, 2.0], [3.0, 4.0]]), arr2(&[[5.0, 6.0], [7.0, 8.0]]));
    println!("\nA matrix product\n{}", product::reference(&a, &b)?);
    println!("A shape that does not fit is an error, not a panic");
    match product::reference(&a, &Array2::zeros((3, 2))) {
        Ok(c) => println!("  {c}"),
        Err(error) => println!("  Err: {error}"),
    }
    Ok(())
}

fn row(values: &Array1<f32>) -> String {
    values.iter().map(|v| format!("{v:4.0}")).collect()
}

/// A design as an indented table under its name.
fn indented(name: &str, design: &Design) -> String {
    let table = design.to_string();
    let lines: Vec<String> = table.lines().map(|line| format!("    {line}").trim_end().to_string()).collect();
    format!("  {name}\n{}", lines.join("\n"))
}
