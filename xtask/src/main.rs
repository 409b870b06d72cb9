//! Tests everything: `cargo xtask test`. `cargo xtask bless` rewrites the expected messages of rejected
//! programs.
mod bench_gpu;
mod bundle;
mod expectations;
mod gpu_page;
mod json;
mod lanes;
mod levels;
mod licences;
mod log;
mod metadata;
mod mpi;
mod names;
mod packages;
mod page;
mod plan;
mod readme_page;
mod run;
mod step;
mod toolkit;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test           everything there is to test, two steps at a time; after a failure no other step begins
cargo xtask test WORD…     only the steps whose name holds one of the words
cargo xtask expectations   what users expect of a macro: lints, editions, renaming, pages
cargo xtask bless          writes the words of refused programs anew; read them before you keep them
cargo xtask toolkit        installs NVIDIA's compiler from five wheels into `.toolkit`, by Python's pip
cargo xtask kernels        compiles every workload and map for four architectures, one instance each; `new` those that are not in
                           the list of compiled ones, and an eighth of the others by the date; `all` every instance for all
                           architectures; `bless` writes the table of registers and the list. Words after these select
                           kernels by their names
cargo xtask bundle         a folder for a machine with a GPU: tests with their kernels in them, and a script that runs them
cargo xtask bundle WORD…   only the steps whose name holds one of the words, into the folder as it is
cargo xtask bench WORD…    the CPU against plain loops and other libraries; `bench peers` installs those of Python
cargo xtask bench-gpu      the benchmark for GPUs with its kernels in it, as an archive for a machine that has one";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", only @ ..] => run::run_all(plan::test(), only),
        ["expectations"] => run::run_all(plan::expectations(), &[]),
        ["bless", only @ ..] => run::run_all(plan::bless(), only),
        ["toolkit"] => run::run_all(plan::toolkit(), &[]),
        ["kernels", rest @ ..] => run::run_all(plan::kernels(rest), &[]),
        ["bundle", only @ ..] => run::run_all(bundle::steps(), only),
        ["bench-gpu"] => run::run_all(bench_gpu::steps(), &[]),
        ["bench", rest @ ..] => run::run_all(plan::bench(rest), &[]),
        _ => {
            println!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}
