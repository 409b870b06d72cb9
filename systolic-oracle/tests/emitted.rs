//! The amount of code that is emitted for a kernel, which determines rustc's time. `docs/speed.md` has the times.
mod support;

use proc_macro2::{TokenStream, TokenTree};
use support::number;
use systolic_compiler::compile::compile;
use systolic_compiler::mapping::Target;
use systolic_compiler::schedule::weight;
use systolic_compiler::target::cpu::MOST_WEIGHT;
use systolic_compiler::{check, expand};
use systolic_oracle::random_kernel;

/// The token limit for a kernel with one instance and one map. The longest of the seeds below 600 has 43,852.
const TOKENS: usize = 60_000;

fn count(tokens: TokenStream) -> usize {
    let inner = |token| if let TokenTree::Group(group) = token { 2 + count(group.stream()) } else { 1 };
    tokens.into_iter().map(inner).sum()
}

/// The number of tokens that a block expands to.
fn emitted(text: &str) -> usize {
    let input = format!("(krate) {text}").parse().expect("tokens");
    count(expand(input, &|_| Err(String::new())))
}

/// The weights of a kernel's CPU programs.
fn weights(text: &str) -> Vec<usize> {
    let checked = check(text.parse().expect("tokens"));
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let all = checked.kernels.iter().flat_map(|(_, instances)| instances);
    let programs = all.flat_map(|l| l.maps().iter().filter_map(|map| compile(l.kernel(), map, Target::Cpu).ok()));
    programs.map(|program| weight(&program)).collect()
}

fn bounded(text: &str) {
    let tokens = emitted(text);
    assert!(tokens <= TOKENS, "{tokens} tokens:\n{text}");
    assert!(weights(text).iter().all(|weight| *weight <= MOST_WEIGHT), "{:?}:\n{text}", weights(text));
}

#[test]
fn random_kernels_stay_short() {
    let (mut largest, mut seen) = ((0, 0), 0);
    for seed in 0..number("SYSTOLIC_RANDOM", 300).min(600) {
        let text = random_kernel(seed);
        if check(text.parse().expect("tokens")).faults.is_empty() {
            bounded(&text);
            largest = largest.max((emitted(&text), seed));
            seen += 1;
        }
    }
    println!("{seen} kernels; the longest, seed {}, has {} tokens", largest.1, largest.0);
    assert!(seen > 50);
}

/// A triangle folded seven times, with a value that is chosen in four ways.
#[test]
fn a_folded_triangle() {
    bounded(
        "kernel triangle(x: [f32; N], y: [f32; N]) -> (z: [f32; N]) {
            for i in 0..N, j in 0..i + 1 {
                S[i, j] = if j == 0 { if x[i] < y[i] { x[i] } else { y[i] } } else {
                    if x[j] < y[i] { S[i, j - 1] + x[j] } else { if y[j] < x[i] { S[i, j - 1] * y[j] } else { S[i, j - 1] - x[i] } }
                };
                if j == i { z[i] = S[i, j]; }
            }
            map { tile i by 224 as (b, p); blocks (b); lanes p fold 7; }
        }",
    );
}

/// An unrolled row of 35 steps and more, in two warps.
#[test]
fn an_unrolled_row_in_two_warps() {
    bounded(
        "kernel long(x: [f32; N, 2, 32, 3]) -> (z: [f32; N, 2, 32]) {
            for n in 0..N, w in 0..2, l in 0..32, k in 0..3 {
                S[n, w, l, k] = x[n, w, l, k] + if k == 0 { 0.0 } else { S[n, w, l, k - 1] };
                if k == 2 { z[n, w, l] = S[n, w, l, k]; }
            }
            map { blocks (n); warps (v); space_time (w, l, k) -> (v, s, t) = [[1, 0, 0], [0, 1, 0], [1, 0, 35]]; lanes s; unroll (t); }
        }",
    );
}

/// 400 nested conditions.
#[test]
fn a_chain_of_conditions() {
    let chain: String = (0..400).map(|k| format!("if n == {k} {{ x[n] * {k}.0 }} else ")).collect();
    bounded(&format!(
        "kernel chain(x: [f32; N]) -> (z: [f32; N]) {{ for n in 0..N {{ z[n] = {chain} {{ x[n] }}; }} }}"
    ));
}

/// Code that many small kernels in one block share is emitted once.
#[test]
fn two_hundred_kernels_in_a_block() {
    let kernel =
        |k: usize| format!("kernel k{k}(x: [f32; N]) -> (z: [f32; N]) {{ for n in 0..N {{ z[n] = x[n] + {k}.0; }} }} ");
    let (one, all) = (emitted(&kernel(0)), emitted(&(0..200).map(kernel).collect::<String>()));
    println!("one kernel: {one} tokens; 200: {all}");
    assert!(one <= 5300 && all <= 200 * one, "{one} {all}");
}
