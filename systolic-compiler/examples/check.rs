//! Checks the kernels of a Rust file and prints the faults: `cargo run -p systolic-compiler --example check FILE`.
use proc_macro2::{TokenStream, TokenTree};
use std::time::Instant;

fn blocks(tokens: TokenStream, out: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (k, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            let named = k >= 2
                && matches!(&trees[k - 1], TokenTree::Punct(p) if p.as_char() == '!')
                && matches!(&trees[k - 2], TokenTree::Ident(i) if i == "systolic");
            if named { out.push(group.stream()) } else { blocks(group.stream(), out) }
        }
    }
}

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut found = Vec::new();
        blocks(text.parse().expect("tokens"), &mut found);
        for block in found {
            let start = Instant::now();
            let checked = systolic_compiler::check(block);
            let took = start.elapsed();
            for fault in &checked.faults {
                let at = fault.at.start.start();
                println!("{path}:{}:{}: error: {}\n", at.line, at.column + 1, systolic_compiler::fault::message(fault));
            }
            let instances: usize = checked.kernels.iter().map(|(_, i)| i.len()).sum();
            println!(
                "{path}: {} kernels, {instances} instances lawful, {} faults, {took:?}",
                checked.kernels.len(),
                checked.faults.len()
            );
        }
    }
}
