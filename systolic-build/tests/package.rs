//! Builds a user's package by cargo with a real nvcc: checks what is compiled when, what is kept, and what is reported.
#![cfg(unix)]
mod support;

use std::io::Write;
use support::{Package, nvcc};

const ADD: &str = "kernel add(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = x[n] + 1.0; } }";
const DOUBLE: &str = "kernel double(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = x[n] * 2.0; } }";
const NEGATE: &str = "kernel negate(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = -x[n]; } }";
const SQUARE: &str = "kernel square(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = x[n] * x[n]; } }";

/// A package with kernels in a library, a module and a function body, one under a `cfg`, and one that occurs twice.
fn package(name: &str) -> Option<Package> {
    let Ok(nvcc) = nvcc() else {
        // Written directly to stderr, because the test harness captures `eprintln!`.
        let _ = writeln!(std::io::stderr(), "skipped: no nvcc; `cargo xtask toolkit` installs one");
        return None;
    };
    let package = Package::new(name, &nvcc);
    package.write("src/lib.rs", &library(ADD));
    package.write("src/inner.rs", &format!("systolic! {{ {DOUBLE} }}\nfn _body() {{ systolic! {{ {NEGATE} }} }}"));
    package.write("examples/again.rs", &format!("{MACRO} systolic! {{ #[cfg(any())] pub {ADD} }} fn main() {{}}"));
    Some(package)
}

/// Replaces the real macro: these tests are about the build script only.
const MACRO: &str = "macro_rules! systolic { ($($tokens:tt)*) => {} }";

fn library(kernel: &str) -> String {
    format!(
        "{MACRO} mod inner; systolic! {{ /// Words.\n {kernel} }} #[cfg(feature = \"more\")] systolic! {{ {SQUARE} }}"
    )
}

#[test]
fn what_is_compiled_when() {
    let Some(package) = package("when") else { return };
    let built = package.build(&[]);
    assert!(built.success, "{}", built.text);
    assert_eq!(built.compiled, ["add", "double", "negate", "square"], "{}", built.text);
    assert_eq!(package.kernels("ptx"), ["add", "double", "negate", "square"]);
    let built = package.build(&[]);
    assert_eq!((built.success, built.calls), (true, 0), "a second build calls no nvcc: {}", built.text);

    package.write("src/lib.rs", &library(&ADD.replace("1.0", "3.0")));
    let built = package.build(&[]);
    assert_eq!(built.compiled, ["add"], "a changed kernel is compiled alone: {}", built.text);
    assert_eq!(package.kernels("ptx"), ["add", "add", "double", "negate", "square"], "the example has the old one");

    package.write("examples/again.rs", "fn main() {}");
    let built = package.build(&[]);
    assert_eq!(built.compiled, [""; 0], "{}", built.text);
    assert_eq!(package.kernels("ptx"), ["add", "double", "negate", "square"], "what nobody wants is gone");
    assert_eq!(package.kernels("plan"), package.kernels("ptx"));

    package.write("src/lib.rs", &format!("{}\n", library(&ADD.replace("1.0", "3.0"))));
    let built = package.build(&[]);
    assert_eq!(built.compiled, [""; 0], "a new line is no new kernel: {}", built.text);

    // With a broken file, rustc reports an error and the build script still works.
    package.write("src/inner.rs", "fn (");
    let built = package.build(&[]);
    assert!(!built.success && !built.text.contains("panicked"), "{}", built.text);
    assert_eq!(package.kernels("ptx"), ["add", "square"]);
}

#[test]
fn machine_code_for_architectures() {
    let Some(package) = package("architectures") else { return };
    let built = package.build(&[("SYSTOLIC_CUDA_ARCH", "90,75")]);
    assert!(built.success && !built.text.contains("warning"), "{}", built.text);
    assert_eq!(package.kernels("sm_75.cubin"), ["add", "double", "negate", "square"]);
    assert_eq!(package.kernels("sm_90.cubin"), ["add", "double", "negate", "square"]);

    // The highest architecture stays the same, and with it the machine that maps are chosen for.
    let built = package.build(&[("SYSTOLIC_CUDA_ARCH", "90,42")]);
    let wanted = "SYSTOLIC_CUDA_ARCH: this nvcc does not support the architecture `42`; it supports 75, 80";
    assert!(built.success && built.text.contains(wanted), "{}", built.text);
    assert_eq!(built.compiled, [""; 0], "{}", built.text);
    assert_eq!((package.kernels("sm_75.cubin").len(), package.kernels("sm_90.cubin").len()), (0, 4));

    let built = package.build(&[("SYSTOLIC_CUDA_ARCH", "42"), ("SYSTOLIC_REQUIRE_NVCC", "1")]);
    assert!(!built.success && built.text.contains("`42`"), "{}", built.text);

    // A changed kernel also gets new machine code.
    package.build(&[("SYSTOLIC_CUDA_ARCH", "75")]);
    let before = package.content("add", "sm_75.cubin");
    package.write("src/lib.rs", &library(&ADD.replace("1.0", "3.0")));
    package.write("examples/again.rs", "fn main() {}");
    package.build(&[("SYSTOLIC_CUDA_ARCH", "75")]);
    assert_ne!(package.content("add", "sm_75.cubin"), before);
}

/// Sums along rows, one lane per row: chunks of the rows are copied to shared memory.
const TOTALS: &str = "kernel totals(x: [f32; R, C]) -> (y: [f32; R, C]) {
    for r in 0..R, c in 0..C { S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] }; y[r, c] = S[r, c]; }
    map { tile r by 32 as (rb, ri); tile c by 4 as (co, ci); blocks (rb); lanes s; unroll (u);
          space_time (ri, co, ci) -> (s, t, u) = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; } }";

#[test]
fn later_architectures_copy_without_waiting() {
    let Some(package) = package("later") else { return };
    package.write("src/lib.rs", &library(TOTALS));
    package.write("examples/again.rs", "fn main() {}");
    let built = package.build(&[("SYSTOLIC_CUDA_ARCH", "75,80")]);
    assert!(built.success && !built.text.contains("warning"), "{}", built.text);
    assert_eq!(package.kernels("compute_80.ptx"), ["totals"], "{}", built.text);
    assert_eq!(package.kernels("sm_80.cubin"), ["double", "negate", "square", "totals"]);
    let later = String::from_utf8(package.content("totals", "compute_80.ptx")).expect("text");
    assert!(later.contains(".target sm_80") && later.contains("cp.async"));
    let built = package.build(&[("SYSTOLIC_CUDA_ARCH", "75,80")]);
    assert_eq!((built.success, built.calls), (true, 0), "a second build calls no nvcc: {}", built.text);

    package.write("src/lib.rs", &library(ADD));
    package.build(&[("SYSTOLIC_CUDA_ARCH", "75,80")]);
    assert_eq!(package.kernels("compute_80.ptx"), [""; 0], "what nobody wants is gone");
}

#[test]
fn maps_for_a_machine() {
    let Some(package) = package("machine") else { return };
    let heading = |package: &support::Package| {
        let text = String::from_utf8(package.content("double", "map")).expect("text");
        text.lines().next().unwrap_or_default().to_string()
    };
    assert!(package.build(&[]).success);
    assert!(heading(&package).contains(" for NVIDIA H200, "), "{}", heading(&package));
    assert!(package.build(&[("SYSTOLIC_CUDA_ARCH", "80")]).success);
    assert!(heading(&package).contains(" for NVIDIA A100, "), "{}", heading(&package));

    // A new file is seen when the build script runs again, and watched from then on.
    let (mine, wrong) = ("name = \"Mine\"\narchitecture = 89\n", "architecture = 89\nclock = slow\n");
    package.write("systolic-machine.toml", mine);
    package.write("src/inner.rs", &format!("systolic! {{ {DOUBLE} }}\nfn _body() {{ systolic! {{ {NEGATE} }} }} "));
    assert!(package.build(&[]).success);
    let before = heading(&package);
    assert!(before.contains(" for Mine, "), "{before}");
    package.write("systolic-machine.toml", &format!("{mine}clock = 2e9\n"));
    assert!(package.build(&[]).success);
    assert_ne!(heading(&package), before, "other numbers are another machine");
    package.write("systolic-machine.toml", wrong);
    let built = package.build(&[]);
    let expected = "systolic-machine.toml: line 2: `clock`: expected a number, found `slow`";
    assert!(!built.success && built.text.contains(expected), "{}", built.text);
}

#[test]
fn without_nvcc() {
    let Some(package) = package("without") else { return };
    let none = [("NVCC", "no/such/nvcc")];
    let built = package.build(&none);
    let wanted = "4 kernels run on the CPU only: NVCC is set to `no/such/nvcc`, which does not exist";
    assert!(built.success && built.text.contains(wanted), "{}", built.text);
    assert_eq!(built.text.matches("on the CPU only").count(), 1, "{}", built.text);
    assert_eq!((package.kernels("ptx").len(), package.kernels("plan").len(), package.kernels("why").len()), (0, 4, 4));
    let built = package.build(&[("NVCC", "no/such/nvcc"), ("SYSTOLIC_REQUIRE_NVCC", "1")]);
    assert!(!built.success && built.text.contains(wanted), "{}", built.text);

    // With nvcc again, everything is compiled. Then one kernel changes while nvcc is missing.
    assert_eq!(package.build(&[]).compiled.len(), 4);
    assert_eq!(package.kernels("why"), [""; 0]);
    package.write("src/lib.rs", &library(&ADD.replace("1.0", "3.0")));
    package.write("examples/again.rs", "fn main() {}");
    let built = package.build(&none);
    assert!(built.success && built.text.contains("1 kernel runs on the CPU only"), "{}", built.text);
    assert_eq!(package.kernels("ptx"), ["double", "negate", "square"], "nothing stale stays, nothing good goes");
}

#[test]
fn without_a_host_compiler() {
    let Some(package) = package("hostless") else { return };
    let none = [("NVCC_CCBIN", "no/such/compiler")];
    let built = package.build(&none);
    let wanted =
        "4 kernels run on the CPU only: nvcc needs a C++ compiler, and `no/such/compiler` does not exist. Install";
    assert!(built.success && built.text.contains(wanted), "{}", built.text);
    assert_eq!(package.kernels("ptx").len(), 0);
    // cargo watches the variable.
    assert_eq!(package.build(&[]).compiled.len(), 4);
    assert_eq!(package.kernels("ptx").len(), 4);
    // Once compiled, the code stays.
    assert!(package.build(&none).success);
    assert_eq!(package.kernels("ptx").len(), 4);
}

#[test]
fn what_nvcc_refuses() {
    let Some(package) = package("refused") else { return };
    package.refuse("negate");
    let built = package.build(&[]);
    assert!(built.success, "{}", built.text);
    for wanted in [
        "nvcc could not compile the kernel `negate`, whose source is /",
        "/systolic/k_negate",
        ".cu:",
        "'--no-such-option'",
    ] {
        assert!(built.text.contains(wanted), "{wanted}:\n{}", built.text);
    }
    assert_eq!(package.kernels("ptx"), ["add", "double", "square"]);
    assert!(package.content("negate", "why").starts_with(b"nvcc could not compile it: "));
    let built = package.build(&[("SYSTOLIC_REQUIRE_NVCC", "1")]);
    assert!(!built.success && built.text.contains("'--no-such-option'"), "{}", built.text);
    package.refuse("nothing");
    let built = package.build(&[]);
    assert_eq!(built.compiled, ["negate"], "{}", built.text);
}
