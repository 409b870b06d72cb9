//! Compiles kernels for GPUs while a package is built. In `main` of a `build.rs`:
//!
//! ```no_run
//! systolic_build::compile();
//! ```
//!
//! It finds every `systolic!` of the package, writes each kernel as CUDA C++ and runs `nvcc` to compile it to PTX,
//! which the macro embeds. `SYSTOLIC_CUDA_ARCH=90` (or `80,90`) adds machine code for those architectures. Without nvcc
//! there is one warning and the kernels run on the CPU; with `SYSTOLIC_REQUIRE_NVCC=1` that is an error. A kernel is
//! compiled again only if its source, the header, the flags or nvcc change.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod build;
mod find;
mod folder;
mod host;
#[doc(hidden)]
pub mod jobs;
mod machine;
mod manifest;
mod nvcc;
mod resources;
mod scan;
#[cfg(test)]
mod scratch;
mod settings;

pub use build::{flags, later_flags};
pub use find::{File, Found, files, find, find_in};
pub use host::HostCompiler;
pub use nvcc::Nvcc;
pub use resources::{Resources, resources};

use build::{Report, Task, build};
use std::path::PathBuf;
use systolic_compiler::searched_units;

/// Compiles every kernel of the package whose build script calls this. It never panics: problems become warnings of
/// cargo, or errors if `SYSTOLIC_REQUIRE_NVCC` is set.
pub fn compile() {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let (Some(root), Some(out)) = (folder("CARGO_MANIFEST_DIR"), folder("OUT_DIR")) else {
        eprintln!(
            "systolic_build::compile() must be called by a build script: CARGO_MANIFEST_DIR and OUT_DIR are not set"
        );
        return;
    };
    let variable = |name: &str| std::env::var(name).ok();
    let threads = variable("NUM_JOBS").and_then(|number| number.parse().ok()).unwrap_or(1);
    let architectures = variable(settings::ARCHITECTURES).unwrap_or_default();
    let task = Task { root, out, nvcc: Nvcc::find(), architectures, threads, emit: searched_units };
    let report = build(&task);
    tell(&task, &report, settings::says_yes(variable(settings::REQUIRE).as_deref()));
}

/// Tells cargo which inputs the result depends on and what is missing.
fn tell(task: &Task, report: &Report, is_required: bool) {
    report.watched.iter().for_each(|path| println!("cargo::rerun-if-changed={}", path.display()));
    let variables = nvcc::VARIABLES.into_iter().chain([settings::ARCHITECTURES, settings::REQUIRE]);
    let variables = variables.map(String::from).chain(host::variables());
    variables.for_each(|name| println!("cargo::rerun-if-env-changed={name}"));
    match &task.nvcc {
        Ok(nvcc) => println!("cargo::rerun-if-changed={}", nvcc.path().display()),
        // Without nvcc or its C++ compiler, watch PATH, so that a new one is noticed. Otherwise PATH is not watched: it differs between a
        // shell and an editor, and each change would run the build script again.
        Err(_) => println!("cargo::rerun-if-env-changed=PATH"),
    }
    let word = if is_required { "error" } else { "warning" };
    let lines = report.faults.iter().flat_map(|fault| fault.lines()).filter(|line| !line.trim().is_empty());
    lines.for_each(|line| println!("cargo::{word}={line}"));
    report.errors.iter().for_each(|error| println!("cargo::error={error}"));
}
