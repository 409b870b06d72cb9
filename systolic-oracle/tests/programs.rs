//! Compares warp programs with the evaluator, bit for bit: every workload with every map, and random kernels. Random
//! kernels that the laws accept must also be lawful by brute force; rejected ones need a witness that brute force
//! confirms.
//!
//! `SYSTOLIC_RANDOM` is the number of random kernels, `SYSTOLIC_SEED` the first seed.
mod support;

use support::cases::{CASES, YOUNG};
use support::files::{WIRES, workload_blocks};
use support::machine::{Effort, run};
use support::report::Report;
use support::seeds::{judge, over_all, refused};
use support::{number, trace};
use systolic_compiler::check;
use systolic_compiler::fault::{Law, message};

#[test]
fn workloads_compute_what_they_mean() {
    let only = std::env::var("SYSTOLIC_ONLY").unwrap_or_default();
    let few = number("SYSTOLIC_POINTS", if cfg!(debug_assertions) { 1500 } else { 20_000 }) as usize;
    let mut report = Report::default();
    let wires = [("wires".to_string(), WIRES.parse().expect("tokens"))];
    for (file, block) in wires.into_iter().chain(workload_blocks()) {
        if !file.contains(&only) {
            continue;
        }
        let checked = report.time("laws", || check(block));
        for fault in &checked.faults {
            report.wrong(format!("{file}: {}", message(fault)));
        }
        for (kernel, instances) in &checked.kernels {
            for lawful in instances {
                let name = format!("{file}: {}{}", kernel.name.text, lawful.kernel().instance);
                let start = std::time::Instant::now();
                run(lawful, &name, Effort::with_points(few), 1, &mut report);
                if trace() {
                    println!("{name} {:?}", start.elapsed());
                }
            }
        }
    }
    report.assert_nothing_wrong();
}

#[test]
fn random_kernels_compute_what_they_mean_or_are_refused_rightly() {
    let count = number("SYSTOLIC_RANDOM", if cfg!(debug_assertions) { 200 } else { 3000 });
    let first = number("SYSTOLIC_SEED", 0);
    let effort = Effort { sizes: 8, work: 200_000, ..Effort::with_points(500) };
    let report = over_all(first..first + count, |seed, report| {
        if trace() {
            println!("seed {seed}");
        }
        judge(seed, effort, report);
    });
    report.assert_nothing_wrong();
    println!("\nseeds {first}..{}", first + count);
    // Of 10,000 kernels, at least 100 take every case and at least 50 break every law.
    for case in CASES.into_iter().chain(YOUNG) {
        assert_often(case, report.counted(&format!("with {case}")), count, 100);
    }
    for law in Law::ALL {
        assert_often(law.name(), report.counted(&refused(law)), count, 200);
    }
}

/// Asserts that at least one kernel in `one_in` was counted. With fewer than 10,000 kernels the frequency is not
/// checked.
fn assert_often(what: &str, found: usize, kernels: u64, one_in: u64) {
    println!("{found:7} {what}");
    assert!(kernels < 10_000 || found as u64 * one_in >= kernels, "{what}: {found} of {kernels}");
}
