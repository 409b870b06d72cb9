//! Warp programs against the evaluator, bit for bit: every workload with every map, and random kernels that the laws
//! accept.
//!
//! `SYSTOLIC_PROGRAMS` is the number of random kernels, `SYSTOLIC_SEED` the first seed.
mod machine;

use machine::{Report, WIRES, number, run, workload_blocks};
use systolic_compiler::check;
use systolic_compiler::fault::message;
use systolic_oracle::random_kernel;

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
            report.wrong.push(format!("{file}: {}", message(fault)));
        }
        for (kernel, instances) in &checked.kernels {
            for lawful in instances {
                let name = format!("{file}: {}{}", kernel.name.text, lawful.kernel().instance);
                let start = std::time::Instant::now();
                run(lawful, &name, few, 1, &mut report);
                if std::env::var("SYSTOLIC_TRACE").is_ok() {
                    println!("{name} {:?}", start.elapsed());
                }
            }
        }
    }
    report.print();
    assert!(report.wrong.is_empty(), "{} programs are wrong", report.wrong.len());
}

#[test]
fn random_kernels_compute_what_they_mean() {
    let count = number("SYSTOLIC_PROGRAMS", if cfg!(debug_assertions) { 200 } else { 3000 });
    let first = number("SYSTOLIC_SEED", 0);
    let mut report = Report::default();
    for seed in first..first + count {
        if seed % 64 == 0 {
            // The tokens of earlier kernels are gone, so their places may go too.
            proc_macro2::extra::invalidate_current_thread_spans();
        }
        let text = random_kernel(seed);
        if std::env::var("SYSTOLIC_TRACE").is_ok() {
            println!("seed {seed}\n{text}");
        }
        let tokens = text.parse().expect("the text is made of tokens");
        let checked = report.time("laws", || check(tokens));
        if !checked.faults.is_empty() {
            report.count("refused by the laws");
            continue;
        }
        report.count("accepted by the laws");
        for (_, instances) in &checked.kernels {
            for lawful in instances {
                run(lawful, &format!("seed {seed}\n{text}"), 600, seed, &mut report);
            }
        }
    }
    report.print();
    assert!(report.wrong.is_empty(), "{} programs are wrong", report.wrong.len());
}
