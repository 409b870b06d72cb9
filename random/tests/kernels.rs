//! Compares random kernels, compiled by the macro, with the evaluator, bit for bit: `reference`, `run` and `run_into`
//! on the CPU, and `launch` on a GPU if `SYSTOLIC_GPU` is set. `SYSTOLIC_KERNELS_ON=gpu` leaves out the CPU.
#![forbid(unsafe_code)]
// Random kernels trigger arbitrary lints.
#![allow(clippy::all, deprecated, unused, non_snake_case)]
use random_kernels::{Data, untouched};
use std::sync::OnceLock;
use systolic::ndarray::{Ix1, Ix2, Ix3, Ix4, arr1};
use systolic::{Cpu, Error, bf16, f16};
use systolic_tests::{Same, gpu};

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Whether kernels run on the CPU: they are built for it, and the environment does not exclude it.
fn on_cpu() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    let read = || match std::env::var("SYSTOLIC_KERNELS_ON").as_deref() {
        Err(_) => FOR_CPU,
        Ok("gpu") => false,
        Ok(word) => panic!("SYSTOLIC_KERNELS_ON is `{word}`: it may be `gpu`"),
    };
    *ON.get_or_init(read)
}

/// Records a difference between a result and the expected one, or the error of a call.
fn same<T: Same>(wrong: &mut Vec<String>, seed: u64, how: &str, got: Result<T, Error>, wanted: &T) {
    let why = match got {
        Ok(got) => got.difference(wanted),
        Err(error) => Some(error.to_string()),
    };
    wrong.extend(why.map(|why| format!("seed {seed}, {how}: {why}")));
}

#[test]
fn compiled_kernels_compute_what_they_mean() {
    let mut data = Data::new(include_bytes!(concat!(env!("OUT_DIR"), "/data")));
    let mut wrong = Vec::new();
    KERNELS.iter().for_each(|compare| compare(&mut data, &mut wrong));
    let places = [on_cpu().then(|| "the CPU".to_string()), gpu().map(|gpu| gpu.properties().to_string())];
    let places: Vec<String> = places.into_iter().flatten().collect();
    assert!(!places.is_empty(), "on a GPU alone: SYSTOLIC_GPU=1 has it run there");
    println!("{} kernels of the seeds {SEEDS:?} on {}, {} wrong", KERNELS.len(), places.join(" and "), wrong.len());
    if LONG > 0 {
        println!("{LONG} left out: their CUDA is long");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(data.is_empty(), "more was written than read");
}
