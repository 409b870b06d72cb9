//! Draws random kernels that the laws accept and writes each as a call of `systolic!` with a test, and next to them the
//! inputs and outputs of the evaluator.
//!
//! `SYSTOLIC_KERNELS` is the number of kernels, `SYSTOLIC_KERNELS_SEED` the first seed. With the feature `cuda` each is
//! also compiled for a GPU.
mod data;
mod places;
mod text;

use places::Places;
use std::path::PathBuf;
use systolic_compiler::{check, units_of};
use systolic_oracle::random_kernel;

/// The maximum length of a kernel's CUDA source in bytes: nvcc takes a minute for a source a few times longer.
const MOST_CUDA: usize = 100_000;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let count = number("SYSTOLIC_KERNELS", 400);
    let first = number("SYSTOLIC_KERNELS_SEED", 0);
    let places = Places::read();
    let (mut code, mut bytes, mut seeds, mut long) = (String::new(), Vec::new(), Vec::new(), 0);
    let mut seed = first;
    while (seeds.len() as u64) < count {
        let kernel = random_kernel(seed);
        let checked = check(kernel.parse().expect("the text is made of tokens"));
        // A random kernel has one instance.
        if let ([], [(tree, instances)]) = (&checked.faults[..], &checked.kernels[..])
            && let Some(lawful) = instances.first()
            && let Some(written) = data::runs(lawful, seed)
        {
            if places.gpu && units_of(tree, instances).iter().any(|unit| unit.source.len() > MOST_CUDA) {
                long += 1;
            } else {
                code += &text::module(lawful.kernel(), seed, &kernel, places);
                bytes.extend(written);
                seeds.push(seed);
            }
        }
        seed += 1;
    }
    code += &text::list(&seeds, first..seed, places, long);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where"));
    std::fs::write(out.join("kernels.rs"), code).expect("the folder is there");
    std::fs::write(out.join("data"), bytes).expect("the folder is there");
    // It reads the files that the test includes.
    #[cfg(feature = "cuda")]
    systolic_build::compile();
}

/// A number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
