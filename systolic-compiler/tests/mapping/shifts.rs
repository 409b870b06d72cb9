//! Kernels whose variables have no common order get shifts: stages that read each other at later points run in one pass.
use super::one;
use systolic_compiler::compile::compile;
use systolic_compiler::evaluate::{evaluate, random_inputs};
use systolic_compiler::interpret::interpret;
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::{Int, Shifted};

/// The shifts of a map in words, without those that move nothing.
fn shifts(lawful: &Lawful, map: &LawfulMap) -> String {
    let kernel = lawful.kernel();
    let shifted = map.mapping().shifts.iter().filter(|s| s.by.iter().any(|by| *by != 0));
    let told = shifted.map(|s| match s.of {
        Shifted::Variable(v) => format!("{} {:?}", kernel.equations[v].variable.text, s.by),
        Shifted::Output(o) => format!("{} {:?}", kernel.outputs[o].name.text, s.by),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The shifts of the default map, whose programs give the bits of the evaluator.
fn found(text: &str) -> String {
    let lawful = one(text);
    let map = default_map(&lawful, Target::Gpu).expect("a map");
    runs(&lawful, &map);
    shifts(&lawful, &map)
}

/// Checks the programs of a map at some sizes.
fn runs(lawful: &Lawful, map: &LawfulMap) {
    let kernel = lawful.kernel();
    for target in [Target::Cpu, Target::Gpu] {
        let program = compile(kernel, map, target).expect("a program");
        for size in [1, 2, 3, 5, 33, 40] {
            let sizes: Vec<Int> = kernel.sizes.iter().enumerate().map(|(k, _)| size + k as Int).collect();
            let inputs = random_inputs(kernel, &sizes, 7);
            let expected = evaluate(kernel, &sizes, &inputs).expect("it evaluates");
            let outputs = interpret(&program, kernel, &sizes, &inputs, 3).expect("it runs");
            assert!(outputs.iter().zip(&expected).all(|(a, b)| a.same_bits(b)), "{target:?} at {sizes:?}");
        }
    }
}

fn kernel(body: &str) -> String {
    format!("kernel k(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {{ for r in 0..R, c in 0..C {{ {body} }} }}")
}

#[test]
fn blur_then_gradient() {
    let gradient = "if r == 0 || r == R - 1 { 0.0 } else { B[r + 1, c] - B[r - 1, c] }";
    let blur = "B[r, c] = (x[r - 1, c] + x[r, c] + x[r + 1, c]) / 3.0;";
    let named = kernel(&format!("{blur} G[r, c] = {gradient}; y[r, c] = G[r, c];"));
    assert_eq!(found(&named), "G [1, 0], y [1, 0]");
    // Without a variable of its own, the store is shifted.
    assert_eq!(found(&kernel(&format!("{blur} y[r, c] = {gradient};"))), "y [1, 0]");
    // With a copy of the input, which moves along.
    let copied = "X[r, c] = x[r, c]; B[r, c] = X[r, c] + if r == R - 1 { 0.0 } else { X[r + 1, c] };";
    assert_eq!(found(&kernel(&format!("{copied} y[r, c] = {gradient};"))), "B [1, 0], y [2, 0]");
}

#[test]
fn several_stencils_in_a_row() {
    let edge = "r == 0 || r == R - 1 || c == 0 || c == C - 1";
    let stage = |to: &str, from: &str| {
        let sum = format!("{from}[r - 1, c] + {from}[r + 1, c] + {from}[r, c - 1] + {from}[r, c + 1]");
        format!("{to}[r, c] = if {edge} {{ {from}[r, c] }} else {{ 0.25 * ({sum}) }};")
    };
    let first = "A[r, c] = x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1];";
    let body = [first, &stage("B", "A"), &stage("D", "B"), "y[r, c] = D[r, c];"].concat();
    assert_eq!(found(&kernel(&body)), "B [1, 0], D [2, 0], y [2, 0]");
}

#[test]
fn separable_filters() {
    let down = |of: &str| {
        format!("(if r < 2 || r + 2 >= R {{ 0.0 }} else {{ {of}[r - 2, c] + {of}[r, c] + {of}[r + 2, c] }})")
    };
    let along = "H[r, c] = x[r, c - 1] + 2.0 * x[r, c] + x[r, c + 1];";
    assert_eq!(found(&kernel(&format!("{along} y[r, c] = {};", down("H")))), "y [2, 0]");
    let across = "V[r, c] = x[r - 1, c] + x[r + 1, c];
        y[r, c] = if c == 0 || c == C - 1 { V[r, c] } else { V[r, c - 1] + V[r, c + 1] };";
    assert_eq!(found(&kernel(across)), "y [0, 1]");
}

#[test]
fn unsharp_masking() {
    let body = "H[r, c] = 0.25 * x[r, c - 1] + 0.5 * x[r, c] + 0.25 * x[r, c + 1];
        V[r, c] = 0.25 * (if r == 0 { H[r, c] } else { H[r - 1, c] }) + 0.5 * H[r, c]
                + 0.25 * (if r == R - 1 { H[r, c] } else { H[r + 1, c] });
        y[r, c] = x[r, c] + 1.5 * (x[r, c] - V[r, c]);";
    assert_eq!(found(&kernel(body)), "V [1, 0], y [1, 0]");
}

#[test]
fn one_loop_and_three() {
    let line = "kernel k(x: [i32; N] border zero) -> (y: [i32; N]) { for n in 0..N {
        A[n] = x[n - 1] + x[n + 1];
        B[n] = (if n < 3 { 0 } else { A[n - 3] }) - if n + 2 < N { A[n + 2] } else { 1 };
        y[n] = B[n] * A[n]; } }";
    assert_eq!(found(line), "B [2], y [2]");
    // Time runs downwards where a variable reads itself so.
    let down = "kernel k(x: [i32; N]) -> (y: [i32; N]) { for n in 0..N {
        S[n] = x[n] + if n == N - 1 { 0 } else { S[n + 1] };
        y[n] = if n == 0 { S[n] } else { S[n - 1] }; } }";
    assert_eq!(found(down), "y [-1]");
    let cube = "kernel k(x: [i32; P, R, C] border zero) -> (y: [i32; P, R, C]) { for p in 0..P, r in 0..R, c in 0..C {
        A[p, r, c] = x[p, r, c] + x[p, r, c + 1];
        y[p, r, c] = (if p == P - 1 { 0 } else { A[p + 1, r, c] }) + if p == 0 { 1 } else { A[p - 1, r, c] }; } }";
    assert_eq!(found(cube), "y [1, 0, 0]");
}

#[test]
fn maps_that_a_user_writes() {
    let map = "map { tile c by 8 as (cb, ci); blocks (cb); lanes ci; shift G by (1, 0); }";
    let body = "B[r, c] = x[r - 1, c] + x[r, c];
        G[r, c] = if r == R - 1 { 0.0 } else { B[r + 1, c] }; y[r, c] = G[r, c];";
    let lawful = one(&kernel(body).replace("; } }", &format!("; }} {map} }}")));
    runs(&lawful, &lawful.maps()[0]);
    // Nothing is shifted by 0.
    let still = one(&kernel(&body.replace("r + 1", "r"))
        .replace("; } }", "; } map { tile c by 8 as (cb, ci); blocks (cb); lanes ci; shift G by (0, 0); } }"));
    let map = &still.maps()[0];
    assert!(std::ptr::eq(map.kernel(still.kernel()), still.kernel()));
}
