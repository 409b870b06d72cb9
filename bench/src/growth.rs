//! How the time to parse and prove a kernel grows with its equations, loops and instances.
use crate::time::{least, ms};
use proc_macro2::TokenStream;
use systolic_compiler::check;

pub fn print() -> Result<(), String> {
    table("equations", &[1, 2, 4, 8, 16, 32], equations)?;
    table("loops", &[1, 2, 3, 4, 5, 6], loops)?;
    table("instances", &[1, 4, 16, 64], instances)
}

fn table(what: &str, sizes: &[usize], kernel: fn(usize) -> String) -> Result<(), String> {
    let mut cells = Vec::new();
    for size in sizes {
        let text = kernel(*size);
        let tokens: TokenStream = text.parse().map_err(|e| format!("{e}\n{text}"))?;
        let checked = check(tokens.clone());
        if let Some(fault) = checked.faults.first() {
            return Err(format!("{}\n{text}", systolic_compiler::fault::message(fault)));
        }
        cells.push(ms(least(|| check(tokens.clone()))));
    }
    let head: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    println!("| {what} | {} |\n|{}", head.join(" | "), " --- |".repeat(sizes.len() + 1));
    println!("| parse and prove, ms | {} |\n", cells.join(" | "));
    Ok(())
}

/// A chain of variables, each reading itself in two directions and the one before.
fn equations(count: usize) -> String {
    let body: String = (0..count)
        .map(|k| {
            let before = if k == 0 { "x[i, j]".to_string() } else { format!("V{}[i, j]", k - 1) };
            format!(
                "V{k}[i, j] = {before} + (if i == 0 {{ 0.0 }} else {{ V{k}[i - 1, j] }}) \
                 + if j == 0 {{ 0.0 }} else {{ V{k}[i, j - 1] }};\n"
            )
        })
        .collect();
    format!(
        "kernel grown(x: [f32; N, M]) -> (y: [f32; N, M]) {{ for i in 0..N, j in 0..M {{ {body} y[i, j] = V{}[i, j]; }}
         map {{ tile i by 32 as (ib, ii); space_time (ii, j) -> (s, t) = [[1, 0], [1, 1]]; lanes s; }} }}",
        count - 1
    )
}

/// A sum over all loops except the first, which runs across the lanes.
fn loops(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|k| format!("i{k}")).collect();
    let ranges: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(k, n)| if k == 0 { format!("{n} in 0..N") } else { format!("{n} in 0..4") })
        .collect();
    let mut sum = String::from("0.0");
    for k in 1..count {
        let index: Vec<String> = (0..count)
            .map(|l| match l {
                l if l == k => format!("i{l} - 1"),
                l if l > k => format!("i{l} + 3"),
                l => format!("i{l}"),
            })
            .collect();
        let inner: Vec<String> = (k + 1..count).map(|l| format!("i{l} == 0")).chain([format!("i{k} > 0")]).collect();
        sum = format!("if {} {{ V[{}] }} else {{ {sum} }}", inner.join(" && "), index.join(", "));
    }
    let all = names.join(", ");
    let last: Vec<String> = (1..count).map(|k| format!("i{k} == 3")).collect();
    let store = if count == 1 {
        format!("y[i0] = V[{all}];")
    } else {
        format!("if {} {{ y[i0] = V[{all}]; }}", last.join(" && "))
    };
    format!(
        "kernel grown(x: [f32; N]) -> (y: [f32; N]) {{ for {} {{ V[{all}] = x[i0] + {sum}; {store} }}
         map {{ tile i0 by 32 as (ib, ii); blocks (ib); lanes ii; }} }}",
        ranges.join(", ")
    )
}

/// The 1-D convolution for this many numbers of taps, from 2 on.
fn instances(count: usize) -> String {
    let taps: Vec<String> = (2..count + 2).map(|q| q.to_string()).collect();
    format!(
        "kernel grown<const Q: usize in [{}]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {{
            for c in 0..C, q in 0..Q {{
                X[c, q] = if q == 0 || c == C - 1 {{ x[c + q] }} else {{ X[c + 1, q - 1] }};
                Z[c, q] = X[c, q] * w[q] + if q == 0 {{ 0.0 }} else {{ Z[c, q - 1] }};
                if q == Q - 1 {{ z[c] = Z[c, q]; }}
            }}
            map {{ tile c by 32 as (cb, ci); blocks (cb); space_time (ci, q) -> (s, t) = [[1, 0], [0, 1]]; lanes s; }}
        }}",
        taps.join(", ")
    )
}
