//! Shared by the tests: checking texts, confirming faults by brute force, and comparing programs with the evaluator.
#![allow(dead_code)]
pub mod brute;
pub mod cases;
pub mod faults;
pub mod files;
pub mod machine;
pub mod mutate;
pub mod rejected;
pub mod report;
pub mod seeds;
pub mod tricky;

use proc_macro2::TokenStream;
use systolic_compiler::fault::Fault;
use systolic_compiler::model::Kernel;
use systolic_compiler::{Checked, check, model, syntax};

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Whether `SYSTOLIC_TRACE` is set: print every case before it is run.
pub fn trace() -> bool {
    std::env::var("SYSTOLIC_TRACE").is_ok()
}

/// Runs the whole front end on a text.
pub fn check_text(text: &str) -> Checked {
    match text.parse::<TokenStream>() {
        Ok(tokens) => check(tokens),
        Err(error) => panic!("no tokens: {error}\n{text}"),
    }
}

/// The instances of the kernel in a text, each with the faults that are reported only later.
pub fn resolve(text: &str) -> Result<Vec<(Kernel, Vec<Fault>)>, Vec<Fault>> {
    let parsed = syntax::parse(text.parse().expect("the text is made of tokens"));
    if !parsed.faults.is_empty() {
        return Err(parsed.faults);
    }
    let resolved = model::resolve(&parsed.block.kernels[0]);
    if !resolved.faults.is_empty() {
        return Err(resolved.faults);
    }
    Ok(resolved.kernels.into_iter().zip(resolved.pending).collect())
}
