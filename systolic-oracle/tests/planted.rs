//! Faults planted in the compiler, one at a time: each is noticed by a few programs. Run with the feature `planted`.
#![cfg(feature = "planted")]
mod machine;

use machine::{Report, WIRES, number, run_map};
use std::panic::{AssertUnwindSafe, catch_unwind};
use systolic_compiler::check;
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::planted::{FAULTS, plant};
use systolic_oracle::random_kernel;

/// The most programs that may be tried for a fault.
const CASES: usize = 500;

/// The first program that is wrong, by its number, and why.
fn noticed(lawful: &[Lawful]) -> Option<(usize, String)> {
    let mut case = 0;
    for (seed, kernel) in lawful.iter().enumerate() {
        for map in kernel.maps() {
            case += 1;
            let mut report = Report::default();
            let run = || run_map(kernel.kernel(), map, Target::Gpu, 400, seed as u64, &mut report);
            let why = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(())) => continue,
                Ok(Err(why)) => why.lines().next().unwrap_or_default().to_string(),
                Err(_) => "a panic".to_string(),
            };
            return Some((case, format!("{}: {why}", kernel.kernel().name.text)));
        }
    }
    None
}

#[test]
fn every_planted_fault_is_noticed() {
    let mut lawful: Vec<Lawful> = Vec::new();
    let mut seed = 0;
    let mut text = WIRES.to_string();
    while lawful.len() < number("SYSTOLIC_PLANTED", CASES as u64 / 2) as usize {
        let checked = check(text.parse().expect("tokens"));
        lawful.extend(checked.kernels.into_iter().flat_map(|(_, instances)| instances));
        text = random_kernel(seed);
        seed += 1;
    }
    plant(0);
    assert_eq!(noticed(&lawful), None, "nothing is planted");
    let mut missed = Vec::new();
    for (k, fault) in FAULTS.iter().enumerate() {
        plant(k as u32 + 1);
        match noticed(&lawful) {
            Some((case, why)) if case <= CASES => println!("{:2} {fault}: case {case}, {why}", k + 1),
            _ => missed.push(fault),
        }
    }
    plant(0);
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
