//! Text to model, as the front end does it.
use systolic_compiler::fault::Fault;
use systolic_compiler::model::Kernel;
use systolic_compiler::{model, syntax};

/// The instances of the kernel in a text, each with the faults that are said only later.
pub fn resolve(text: &str) -> Result<Vec<(Kernel, Vec<Fault>)>, Vec<Fault>> {
    let tokens = text.parse().expect("the text is made of tokens");
    let parsed = syntax::parse(tokens);
    if !parsed.faults.is_empty() {
        return Err(parsed.faults);
    }
    let resolved = model::resolve(&parsed.block.kernels[0]);
    if !resolved.faults.is_empty() {
        return Err(resolved.faults);
    }
    Ok(resolved.kernels.into_iter().zip(resolved.pending).collect())
}

/// A number from the environment.
#[allow(dead_code)]
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
