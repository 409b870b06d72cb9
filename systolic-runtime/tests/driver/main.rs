//! Runs checks of `examples/gpu` without a GPU: `cuda.c` stands for the driver. It shows what is called and freed, and that nothing waits
//! for itself; what overlaps on a device it cannot show.
#![cfg(all(feature = "cuda", target_os = "linux"))]
#[path = "../../examples/gpu/kernels.rs"]
#[expect(dead_code, reason = "the checks need one of the kernels")]
mod kernels;
#[path = "../../examples/gpu/sequences.rs"]
mod sequences;
#[path = "../../examples/gpu/series.rs"]
mod series;
#[path = "../../examples/gpu/streams.rs"]
#[expect(dead_code, reason = "the other checks measure time")]
mod streams;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use systolic_runtime::{Error, Gpu};

type Check = fn(&Gpu) -> Result<(), Error>;

/// Compiles the driver; `None` if there is no C compiler, which is said.
fn driver() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver");
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/driver/cuda.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-pthread", "-o"]).arg(folder.join("libcuda.so.1")).arg(source);
    if compiler.status().is_ok_and(|status| status.success()) {
        return Some(folder);
    }
    // Written directly, because the test harness captures `println!`.
    let _ = writeln!(std::io::stderr(), "skipped: no C compiler to make a driver");
    None
}

/// Runs all checks in a process that finds the driver, and fails if one fails or does not end.
fn check(variables: &[(&str, &str)]) {
    let Some(folder) = driver() else { return };
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "checks", "--ignored", "--nocapture"]).env("LD_LIBRARY_PATH", folder);
    let output = command.envs(variables.iter().copied()).output().expect("it runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains("all checks passed"), "{} {text}", output.status);
}

#[test]
fn with_graphs_and_without() {
    check(&[]);
    check(&[("WITHOUT_GRAPHS", "1")]);
}

#[test]
#[ignore = "the other test runs it, with a driver"]
fn checks() {
    let gpu = Gpu::new(0).expect("a driver that the other test has made");
    assert_eq!(gpu.properties().name, "a test");
    let all =
        [streams::in_order, series::in_turn, sequences::replayed, sequences::awaited, sequences::memory_of_others];
    for check in all as [Check; 5] {
        check(&gpu).expect("it passes");
    }
    // The end of the context reports memory that was not freed.
    drop(gpu);
    println!("all checks passed");
}
