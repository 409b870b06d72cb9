//! Plants faults in the compiler, one at a time: running a few programs must notice each. Run with the feature
//! `planted`.
#![cfg(feature = "planted")]
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use support::brute::objections;
use support::files::WIRES;
use support::machine::{Effort, run_map};
use support::report::Report;
use support::seeds::text_of;
use support::{check_text, number};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::planted::{FAULTS, OF_LAWS, OF_LENGTHS, OF_SHIFTS, OF_TICKETS, plant};
use systolic_compiler::{check, expand};
use systolic_oracle::random_kernel;

/// Lawful kernels, generated on demand: first those with wires of every kind, then random ones.
struct Cases {
    lawful: Vec<Lawful>,
    seed: u64,
}

impl Cases {
    fn new() -> Cases {
        let mut cases = Cases { lawful: Vec::new(), seed: 0 };
        cases.add(WIRES);
        cases
    }

    fn add(&mut self, text: &str) {
        let checked = check(text.parse().expect("tokens"));
        self.lawful.extend(checked.kernels.into_iter().flat_map(|(_, instances)| instances));
    }

    fn get(&mut self, k: usize) -> &Lawful {
        while self.lawful.len() <= k {
            self.add(&random_kernel(self.seed));
            self.seed += 1;
        }
        &self.lawful[k]
    }
}

/// The index of the first kernel with a wrong program, and what is wrong.
fn noticed(cases: &mut Cases, most: usize) -> Option<(usize, String)> {
    for case in 0..most {
        let kernel = cases.get(case);
        for map in kernel.maps() {
            let mut report = Report::default();
            let run = || run_map(kernel.kernel(), map, Target::Gpu, Effort::with_points(400), case as u64, &mut report);
            let why = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(_)) => continue,
                Ok(Err(why)) => why.lines().next().unwrap_or_default().to_string(),
                Err(_) => "a panic".to_string(),
            };
            return Some((case, format!("{}: {why}", kernel.kernel().name.text)));
        }
    }
    None
}

/// The first seed that a broken law accepts and brute force rejects, and the reason.
fn noticed_by_brute_force(most: usize) -> Option<(usize, String)> {
    (0..most).find_map(|seed| {
        let why = || objections(&check_text(&text_of(seed as u64)));
        match catch_unwind(AssertUnwindSafe(why)) {
            Ok(why) => why.first().map(|why| (seed, why.clone())),
            Err(_) => Some((seed, "a panic".to_string())),
        }
    })
}

#[test]
fn every_planted_fault_is_noticed() {
    let most = number("SYSTOLIC_PLANTED", 1000) as usize;
    let mut cases = Cases::new();
    assert_eq!(noticed(&mut cases, 30), None, "nothing is planted");
    assert_eq!(noticed_by_brute_force(most), None, "nothing is planted");
    let mut missed = Vec::new();
    let first = number("SYSTOLIC_FIRST_FAULT", 1) as usize;
    for (k, fault) in FAULTS.iter().enumerate().skip(first - 1) {
        plant(k as u32 + 1);
        let found = match k as u32 + 1 {
            law if OF_LAWS.contains(&law) || OF_LENGTHS.contains(&law) => noticed_by_brute_force(most),
            // Kernels that are proved while nothing is planted have right shifts and tickets.
            proved if OF_SHIFTS.contains(&proved) || proved == OF_TICKETS => noticed(&mut Cases::new(), most),
            _ => noticed(&mut cases, most),
        };
        match found {
            Some((case, why)) => println!("{:2} {fault}: case {case}, {why}", k + 1),
            None => missed.push(fault),
        }
    }
    plant(0);
    assert!(missed.is_empty(), "not noticed in {most} cases: {missed:?}");
}

/// A broken invariant is an error on the kernel's name that names the kernel, the stage and what was found. Nothing is emitted that
/// could compute something wrong.
#[test]
fn a_broken_invariant_is_reported() {
    let reversed = FAULTS.iter().position(|fault| *fault == "the lines of a step are reversed").expect("it is planted");
    let text =
        "(krate) kernel twice(x: [i32; N]) -> (y: [i32; N]) { for n in 0..N { y[n] = x[n] + x[n]; } map { lanes n; } }";
    let text = text.replace("map { lanes n; }", "map { tile n by 32 as (b, i); blocks (b); lanes i; }");
    let expanded = || expand(text.parse().expect("tokens"), &|_| Err(String::new())).to_string();
    assert!(!expanded().contains("compile_error"));
    plant(reversed as u32 + 1);
    let broken = expanded();
    plant(0);
    for part in ["internal error", "kernel `twice`", "stage `schedule`", "an operand is not computed before it"] {
        assert!(broken.contains(part), "{part} is missing: {broken}");
    }
    assert!(!broken.contains("Simd"), "no code for a CPU is emitted: {broken}");
}
