//! Measures how long the macro takes and prints the tables of `docs/speed.md`.
//!
//! `cargo run --release -p systolic-bench` measures optimised, without `--release` unoptimised, as users have it.
//! `cargo run -p systolic-bench -- build` measures the clean build of a crate with one kernel.
//! `cargo run --release -p systolic-bench -- calls` measures small calls, for `docs/cpu.md`.
//! `cargo run --release -p systolic-bench -- kernels 500` measures how long rustc takes, optimised, for random kernels, and
//! `… -- kernels FILE…` for files of kernels.
mod build;
mod calls;
mod growth;
mod kernels;
mod rustc;
mod time;
mod workloads;

fn main() {
    let result = match std::env::args().nth(1).as_deref() {
        None => {
            println!("{}\n", if cfg!(debug_assertions) { "Unoptimised." } else { "Optimised." });
            workloads::print().and_then(|()| growth::print())
        }
        Some("build") => build::print(),
        Some("calls") => calls::print(),
        Some("kernels") => kernels::print(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some(other) => Err(format!("nothing is called `{other}`: leave it out, or say `build`, `calls` or `kernels`")),
    };
    if let Err(why) = result {
        eprintln!("{why}");
        std::process::exit(1);
    }
}
