//! The text that the compiler generates stays the same, byte by byte: the Rust, CUDA and launch plans of all workloads, of the
//! kernels of the GPU benchmark and of 300 random kernels are compared with stored hashes.
//!
//! A change that is meant to leave the generated code alone (a rename, a move) passes this test as it is. One that is meant to
//! change it runs `cargo xtask bless`, and the difference of `golden.txt` shows which kernels it changed.
mod support;

use std::fmt::Write;
use std::path::Path;
use support::files::{blocks_in, tokens_of};
use systolic_compiler::{check, expand, syntax, units};
use systolic_oracle::random_kernel;

/// Random kernels that the laws accept.
const RANDOM: usize = 300;

/// FNV-1a, 64 bits: unlike the standard library's it is the same in every release.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// One line per kernel: its name, then the hashes of its Rust, its CUDA and its launch plans.
fn line(name: &str, text: &str) -> String {
    let rust = expand(tokens_of(&format!("(krate) {text}")), &|_| Err(String::new())).to_string();
    let units = units(tokens_of(text));
    let cuda: String = units.iter().map(|unit| unit.source.as_str()).collect();
    let plans: String = units.iter().map(|unit| unit.plan.as_str()).collect();
    format!("{name} {:016x} {:016x} {:016x}\n", hash(&rust), hash(&cuda), hash(&plans))
}

/// The lines of all kernels in the files of a folder.
fn lines_of(folder: &str) -> String {
    let mut lines = String::new();
    for (file, block) in blocks_in(folder) {
        let parsed = syntax::parse(block);
        assert!(parsed.faults.is_empty(), "{file}: {:?}", parsed.faults);
        for kernel in &parsed.block.kernels {
            lines += &line(&format!("{file}/{}", kernel.name.text), &syntax::text(kernel));
        }
    }
    lines
}

fn random_lines() -> String {
    let is_accepted = |text: &String| check(tokens_of(text)).faults.is_empty();
    let accepted = (0..).map(|seed| (seed, random_kernel(seed))).filter(|(_, text)| is_accepted(text));
    accepted.take(RANDOM).map(|(seed, text)| line(&format!("random/{seed}"), &text)).collect()
}

#[test]
fn generated_text_stays_the_same() {
    let found = lines_of("tests/kernels") + &lines_of("bench/gpu/kernels") + &random_lines();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    if std::env::var("SYSTOLIC_BLESS").is_ok() {
        std::fs::write(&path, &found).expect("the file can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let mut changed = String::new();
    for (found, stored) in found.lines().zip(stored.lines()).filter(|(found, stored)| found != stored) {
        writeln!(changed, "found {found}\n  was {stored}").expect("text");
    }
    assert!(changed.is_empty(), "generated text changed; if that was meant, run `cargo xtask bless`\n{changed}");
    assert_eq!(found.lines().count(), stored.lines().count(), "kernels came or went; run `cargo xtask bless`");
}
