//! The steps of the tests and their order: cheap ones first, then lanes by the folder in which they build.
use crate::expectations;
use crate::levels::levels;
use crate::licences;
use crate::log::say;
use crate::mpi;
use crate::packages;
use crate::run::Plan;
use crate::step::{Outcome, Step};
use crate::toolkit;
use crate::tools::{cargo, has, root, run, shown, target};
use std::process::Command;

/// All steps of the tests. The lane with the longest steps is the first.
pub fn test() -> Plan {
    let first = vec![
        if_there("fmt", "rustfmt", &["fmt", "--check"]),
        // It also fetches what the steps of all lanes depend on.
        Step::new("licences of all dependencies", licences::check),
        // Before all steps that could use it.
        Step::new("toolkit", toolkit::offer),
    ];
    Plan { first, lanes: vec![unoptimised(), checked(), released(), outside()] }
}

/// The steps that build in `target/debug`.
fn unoptimised() -> Vec<Step> {
    vec![
        // Random kernels are excluded, since nobody wrote their text.
        if_there("clippy", "clippy", &CLIPPY),
        step("tests of all packages", &[], &without_optimised()),
        step(
            "runtime with GPUs",
            &[],
            &["test", "-p", "systolic-runtime", "--features", "cuda", "--lib", "--test", "driver"],
        ),
        Step::new("meshes by MPI", mpi::test),
        // It was built with the tests.
        Step::new("example", || {
            let built = target().join("debug/examples/evaluate").with_extension(std::env::consts::EXE_EXTENSION);
            run(&mut Command::new(built))
        }),
        step("example of a picture", &[], &["test", "-p", "image-filter"]),
    ]
}

/// The steps that build in `target/checked`: optimised, with the checks of an unoptimised build.
fn checked() -> Vec<Step> {
    let kernels = Step::new("new kernels for four architectures", || match toolkit::ready() {
        Ok(_) => compile_kernels(&["new".to_string()]),
        Err(why) => Outcome::Skipped(why),
    });
    std::iter::once(kernels).chain(long()).chain([pages()]).collect()
}

/// The page of every workload on every device. Without optimisation that would take a quarter of an hour.
fn pages() -> Step {
    let features = one_compiler("cargo-systolic");
    let arguments = ["test", "--profile", "checked", "-p", "cargo-systolic", "--features", features, "--test", "page"];
    step("pages of all workloads", &[], &[&arguments[..], &["every_workload_has_a_page_that_works"]].concat())
}

/// The steps that build in `target/release`.
fn released() -> Vec<Step> {
    // The levels of the CPU exist only in an optimised build.
    let levels = ["test", "--release", "-p", "systolic-runtime", "--test", "cpu"];
    let mut steps = vec![step("long: every level of the CPU gives the same bits", &LENGTHS, &levels)];
    steps.extend(workloads());
    steps
}

/// The steps that build crates outside the workspace, in folders of their own.
fn outside() -> Vec<Step> {
    let mut steps = vec![Step::new("packages that are published", packages::verify)];
    steps.extend(expectations());
    steps
}

const CLIPPY: [&str; 8] =
    ["clippy", "--workspace", "--exclude", "random-kernels", "--all-targets", "--", "-D", "warnings"];

/// The checks of what users expect of a macro.
pub fn expectations() -> Vec<Step> {
    expectations::STEPS.iter().map(|(name, run)| Step::new(format!("expectation: {name}"), *run)).collect()
}

/// Rewrites the expected messages of rejected programs and other stored results.
pub fn bless() -> Vec<Step> {
    vec![
        step("ui-tests", &[("TRYBUILD", "overwrite")], &["test", "-p", "systolic-ui-tests"]),
        Step::new("README's error", expectations::bless),
        step(
            "generated text",
            &[("SYSTOLIC_BLESS", "1")],
            &["test", "--profile", "checked", "-p", "systolic-oracle", "--test", "golden"],
        ),
        step(
            "errors of the tutorial",
            &[("SYSTOLIC_BLESS", "1")],
            &["test", "-p", "systolic-docs", "--test", "all", "its_errors_are_the_compilers"],
        ),
        step(
            "pictures of the tutorial",
            &[("SYSTOLIC_BLESS", "1")],
            &["test", "-p", "cargo-systolic", "--test", "pictures"],
        ),
    ]
}

/// Installs NVIDIA's compiler.
pub fn toolkit() -> Vec<Step> {
    vec![Step::new("toolkit", toolkit::install)]
}

/// Compiles every workload and map for one architecture of each kind.
pub fn kernels(arguments: &[&str]) -> Vec<Step> {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    vec![Step::new("toolkit", toolkit::install), Step::new("kernels", move || compile_kernels(&arguments))]
}

fn compile_kernels(arguments: &[String]) -> Outcome {
    let mut command = cargo();
    command.args(["run", "--quiet", "--profile", "checked", "-p", "systolic-build", "--example", "kernels"]);
    command.args(["--features", one_compiler("systolic-build"), "--"]).args(arguments);
    say!("{}", shown(&command));
    run(&mut command)
}

/// Measures maps on the CPU against other libraries. The benchmark is its own workspace with its own cargo
/// configuration.
pub fn bench(arguments: &[&str]) -> Vec<Step> {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let run_there = move || {
        let mut command = cargo();
        command.current_dir(root().join("bench/cpu")).args(["run", "--release", "--"]).args(&arguments);
        say!("{}", shown(&command));
        run(&mut command)
    };
    vec![Step::new("bench", run_there)]
}

/// Packages whose tests run optimised, in `long`.
const OPTIMISED: [&str; 3] = ["systolic-sets", "systolic-compiler", "systolic-oracle"];

/// The features with which a package is tested optimised. All of them get the same compiler, so that it is built once.
fn one_compiler(package: &str) -> &'static str {
    match package {
        "systolic-build" | "cargo-systolic" => {
            "proc-macro2/span-locations,systolic-compiler/tools,systolic-compiler/planted"
        }
        "systolic-compiler" => "tools,planted",
        "systolic-oracle" => "planted",
        _ => "",
    }
}

/// Runs the tests in the profile that users build first, without optimisation.
fn without_optimised() -> Vec<&'static str> {
    let mut arguments = vec!["test", "--workspace", "--exclude", "systolic-tests"];
    // It enables the feature for GPUs, and cargo would build all packages with it.
    arguments.extend(["--exclude", "image-filter"]);
    OPTIMISED.iter().for_each(|package| arguments.extend(["--exclude", package]));
    arguments
}

/// How long the random tests are.
const LENGTHS: [(&str, &str); 4] = [
    ("SYSTOLIC_SETS_TRIPLES", "1000000"),
    ("SYSTOLIC_RANDOM", "10000"),
    ("SYSTOLIC_MUTANTS", "12"),
    ("SYSTOLIC_FUZZ", "40000"),
];

/// The random tests at full length: optimised, but with debug assertions and overflow checks.
fn long() -> Vec<Step> {
    let mut steps = Vec::new();
    for package in OPTIMISED {
        let features = one_compiler(package);
        let test = |name: &str, what: &[&str]| {
            let arguments = ["test", "--profile", "checked", "-p", package, "--features", features];
            step(&format!("long: {package} {name}"), &LENGTHS, &[&arguments[..], what].concat())
        };
        steps.push(test("itself", &["--lib", "--examples"]));
        steps.extend(targets(package).iter().map(|target| test(target, &["--test", target])));
    }
    steps
}

/// Runs every workload and map at every size in release mode, as users do; built once.
fn workloads() -> Vec<Step> {
    on_every_level("long: workloads in release", &["test", "--release", "-p", "systolic-tests"])
}

/// One step per level of the CPU, skipped if this CPU does not support it.
fn on_every_level(name: &str, arguments: &[&str]) -> Vec<Step> {
    let on = |(level, there): (&'static str, bool)| {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        Step::new(format!("{name} on {level}"), move || {
            if !there {
                return Outcome::Skipped(format!("this CPU has no {level}"));
            }
            let mut command = cargo();
            command.args(&arguments).env("SYSTOLIC_CPU", level);
            say!("{}", shown(&command));
            run(&mut command)
        })
    };
    levels().into_iter().map(on).collect()
}

/// The names of the test targets of a package.
fn targets(package: &str) -> Vec<String> {
    let folder = root().join(package).join("tests");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let is_target =
        |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists();
    let name = |path: std::path::PathBuf| path.file_stem().map(|n| n.to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.filter(is_target).filter_map(name).collect();
    names.sort();
    names
}

fn step(name: &str, envs: &'static [(&str, &str)], arguments: &[&str]) -> Step {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    Step::new(name, move || {
        let mut command = cargo();
        command.args(&arguments).envs(envs.iter().copied());
        say!("{}", shown(&command));
        run(&mut command)
    })
}

/// A step that needs a component of the toolchain which may be missing.
fn if_there(subcommand: &'static str, part: &'static str, arguments: &'static [&'static str]) -> Step {
    Step::new(subcommand, move || {
        if !has(subcommand) {
            return Outcome::Skipped(format!("{part} is not installed"));
        }
        let mut command = cargo();
        command.args(arguments);
        say!("{}", shown(&command));
        run(&mut command)
    })
}
