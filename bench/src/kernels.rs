//! The time that rustc takes for a kernel in a release build: the usual and the slowest of random kernels that the laws
//! accept, each as a crate of its own; or the time of each of some files of kernels. `SYSTOLIC_BENCH_FOLDER` names a
//! folder in which build outputs are kept, so that the next run builds less.
use crate::rustc::Rustc;
use std::path::Path;
use systolic_compiler::compile::compile;
use systolic_compiler::mapping::Target;
use systolic_compiler::schedule::weight;
use systolic_compiler::{Checked, check};
use systolic_oracle::random_kernel;

/// The number of slowest kernels that are listed.
const NAMED: usize = 5;

/// `500` measures this many random kernels, `500 7000` starts at this seed; other arguments are files of kernels.
pub fn print(arguments: &[String]) -> Result<(), String> {
    let rustc = Rustc::new()?;
    let nothing = least(&rustc, "")?;
    let numbers: Vec<u64> = arguments.iter().map_while(|word| word.parse().ok()).collect();
    match numbers[..] {
        _ if numbers.len() != arguments.len() => files(&rustc, arguments, nothing),
        [] => random(&rustc, 500, 0, nothing),
        [count] => random(&rustc, count, 0, nothing),
        [count, first, ..] => random(&rustc, count, first, nothing),
    }
}

/// The smaller time of two runs: the first one loads files into memory.
fn least(rustc: &Rustc, text: &str) -> Result<f64, String> {
    Ok(rustc.seconds(text)?.min(rustc.seconds(text)?))
}

fn files(rustc: &Rustc, files: &[String], nothing: f64) -> Result<(), String> {
    println!("| file | user time, s |\n| --- | --- |\n| nothing | {nothing:.2} |");
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        println!("| `{name}` | {:.2} |", rustc.seconds(&text)?);
    }
    Ok(())
}

/// The total weight of a kernel's programs, as the compiler estimates it.
fn weights(checked: &Checked) -> usize {
    let all = checked.kernels.iter().flat_map(|(_, instances)| instances);
    let programs = all.flat_map(|l| l.maps().iter().filter_map(|map| compile(l.kernel(), map, Target::Cpu).ok()));
    programs.map(|program| weight(&program)).sum()
}

fn random(rustc: &Rustc, count: u64, first: u64, nothing: f64) -> Result<(), String> {
    let mut times: Vec<(f64, u64)> = Vec::new();
    let mut seed = first;
    while (times.len() as u64) < count {
        let kernel = random_kernel(seed);
        let checked = check(kernel.parse().map_err(|e| format!("{e}\n{kernel}"))?);
        if checked.faults.is_empty() {
            // A kernel that nobody can call is not compiled.
            let text = format!("systolic::systolic! {{\n{}}}\n", kernel.replacen("kernel", "pub kernel", 1));
            let seconds = rustc.seconds(&text)?;
            eprintln!("{seed} {seconds:.2} {}", weights(&checked));
            times.push((seconds, seed));
        }
        seed += 1;
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let part = |percent: usize| times[(times.len() - 1) * percent / 100].0;
    println!(
        "{count} random kernels of the seeds {first}..{seed}, each a crate of its own, user time of rustc in seconds:\n"
    );
    println!("| nothing | median | 90 % | 99 % | largest |\n| --- | --- | --- | --- | --- |");
    println!("| {nothing:.2} | {:.2} | {:.2} | {:.2} | {:.2} |\n", part(50), part(90), part(99), part(100));
    let slowest: Vec<String> = times.iter().rev().take(NAMED).map(|(s, seed)| format!("{seed} ({s:.2})")).collect();
    println!("The slowest seeds: {}.", slowest.join(", "));
    Ok(())
}
