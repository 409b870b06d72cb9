//! What the doctor finds: machines with and without tools for GPUs, packages that ask for them or not, kernels that are refused.
#![cfg(unix)]
mod support;

use serde_json::Value;
use support::{BLUR, MANIFEST, OUTSIDE, Said, User, repository, said};

const DEPENDENCY: &str = "\n[dependencies]\nsystolic = { path = \"ROOT/systolic\", FEATURES }\n";
const BUILD: &str = "\n[build-dependencies]\nsystolic-build = { path = \"ROOT/systolic-build\" }\n";

/// A package that depends on `systolic`.
fn package(name: &str, gpu: bool, source: &str) -> User {
    let user = User::new(name, source);
    let features = if gpu { "features = [\"cuda\"]" } else { "features = []" };
    let build = if gpu { BUILD } else { "" };
    let text = format!("{MANIFEST}{}{build}", DEPENDENCY.replace("FEATURES", features));
    user.write("Cargo.toml", &text.replace("ROOT", &repository().display().to_string()));
    if gpu {
        user.write("build.rs", "fn main() {\n    systolic_build::compile();\n}\n");
    }
    user
}

/// Runs the doctor with these programs before all others.
fn doctor(user: &User, tools: bool, words: &[&str]) -> Said {
    if tools {
        user.program("tools/nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'");
        user.program("tools/c++", "echo 'g++ (ours) 12.2.0'");
        user.program(
            "tools/nvidia-smi",
            "case \"$1\" in *driver_version*) echo 580.65.06;; *) echo 'NVIDIA H200, 9.0, 1980';; esac",
        );
    }
    let paths = std::env::var("PATH").expect("a path");
    let mut command = user.command(&[&["doctor"], words].concat());
    command.env("PATH", format!("{}:{paths}", user.folder.join("tools").display()));
    // Whatever this machine has.
    command.env("NVCC", if tools { "nvcc" } else { "/no/such/nvcc" });
    said(&command.output().expect("it runs"))
}

fn has(said: &Said, parts: &[&str]) {
    for part in parts {
        assert!(said.out.contains(part), "{part}\nis not in\n{}{}", said.out, said.err);
    }
}

#[test]
fn a_package_for_the_cpu_needs_no_gpu() {
    let user = package("doctor-cpu", false, BLUR);
    let said = doctor(&user, false, &[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    has(
        &said,
        &[
            "ok       Rust          rustc 1.",
            "plain Rust",
            "ok       systolic      from ",
            "note     nvcc          NVCC is set to `/no/such/nvcc`, which does not exist\n",
            "    blur (src/lib.rs)\n        CPU: ",
            "        GPU: no: feature `cuda` of `systolic` is not enabled\n",
            "\nnext: `cargo systolic explain blur` shows how a kernel runs\n",
        ],
    );
}

#[test]
fn a_package_for_gpus_on_a_machine_with_one() {
    let user = package("doctor-gpu", true, BLUR);
    user.write(".cargo/config.toml", "[env]\nCUDA_LIBRARY_PATH = { value = \"cuda\", relative = true }\n");
    user.write("cuda/lib64/.gitkeep", "");
    let said = doctor(&user, true, &[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    has(
        &said,
        &[
            "ok       build script  build.rs calls systolic_build::compile();\n",
            "ok       nvcc          13.0.88 at ",
            "ok       C++ compiler  g++ (ours) 12.2.0 at ",
            "ok       driver        580.65.06\n",
            "ok       GPU           NVIDIA H200 (sm_90)\n",
            "        GPU: yes, on NVIDIA H200 (sm_90)\n",
        ],
    );
    let said = doctor(&user, true, &["--json"]);
    let value: Value = serde_json::from_str(&said.out).expect("an object");
    assert_eq!((said.code, value["findings"][0]["name"].as_str()), (Some(0), Some("Rust")));
    assert_eq!(value["kernels"][0]["runs"][1]["runs"], true);
    assert!(value["next"].as_str().is_some_and(|next| next.contains("explain blur")));
}

/// A machine to which programs are carried: it has a driver and a GPU, and nothing to build with.
#[test]
fn a_machine_with_a_gpu_and_without_rust() {
    let user = package("doctor-bare", true, BLUR);
    let smi = "case \"$1\" in *driver_version*) echo 580.65.06;; *) echo 'NVIDIA H200, 9.0, 1980';; esac";
    user.program("tools/nvidia-smi", smi);
    let mut command = user.command(&["doctor"]);
    command.env("PATH", user.folder.join("tools")).env_remove("CARGO").env_remove("RUSTC");
    let said = said_by(&mut command);
    assert_eq!(said.code, Some(1), "{}", said.out);
    has(
        &said,
        &[
            "missing  Rust          could not run rustc: ",
            "note     package       not read, because cargo is not here\n",
            "ok       driver        580.65.06\n",
            "ok       GPU           NVIDIA H200 (sm_90)\n",
            "next: install Rust 1.89 or later, by rustup or by your system\n",
        ],
    );
}

#[test]
fn what_is_missing_and_the_next_step() {
    let user = package("doctor-missing", true, BLUR);
    let said = doctor(&user, false, &[]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    has(&said, &["missing  nvcc          NVCC is set to `/no/such/nvcc`", "        GPU: no: "]);
    // Old tools are not enough.
    user.program("tools/nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.99'");
    user.program("tools/nvidia-smi", "echo 535.1");
    let mut command = user.command(&["doctor"]);
    let paths = format!("{}:{}", user.folder.join("tools").display(), std::env::var("PATH").expect("a path"));
    let old = said_by(command.env("PATH", paths));
    has(&old, &["is nvcc 12.4.99; 13.0 or later is needed", "the driver 535.1 is too old for code of nvcc 13.0"]);
    // A build script without the call, and none.
    user.write("build.rs", "fn main() {}\n");
    let said = doctor(&user, true, &[]);
    assert_eq!(said.code, Some(1));
    has(
        &said,
        &["build.rs does not call `systolic_build::compile();`", "next: `cargo systolic init` adds the build script"],
    );
    std::fs::remove_file(user.folder.join("build.rs")).expect("it was there");
    has(&doctor(&user, true, &[]), &["missing  build script  the package has no build script\n"]);
    // A dependency that is not where the manifest says.
    user.write("Cargo.toml", &format!("{MANIFEST}{}", DEPENDENCY.replace("ROOT", "none").replace("FEATURES", "")));
    let said = doctor(&user, true, &[]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    has(
        &said,
        &[
            "missing  package       failed to load manifest for dependency `systolic`: failed to read",
            "next: correct Cargo.toml",
        ],
    );
    // No dependency.
    let user = User::new("doctor-without", BLUR);
    let said = doctor(&user, true, &[]);
    assert_eq!(said.code, Some(1));
    has(
        &said,
        &["missing  systolic      `mine` does not depend on `systolic`\n", "next: `cargo systolic init` adds the dep"],
    );
}

fn said_by(command: &mut std::process::Command) -> Said {
    said(&command.output().expect("it runs"))
}

#[test]
fn kernels_that_are_refused_or_run_point_by_point() {
    let slow = "systolic::systolic! {
        kernel sums(x: [f32; 1]) -> (z: [f32; 1]) {
            for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
                V[a, b, c, d, e, f] = x[0];
                if a + b + c + d + e + f == 0 { z[0] = V[a, b, c, d, e, f]; }
            }
            map { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
        }
    }";
    let user = package("doctor-kernels", false, &format!("{slow}\n{OUTSIDE}"));
    let said = doctor(&user, false, &[]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    has(
        &said,
        &[
            "    sums (src/lib.rs)\n        CPU: point by point, which is slow: the compiler cannot invert the rows of its map",
            "    outside (src/lib.rs)\n        refused: by the law bounds, at src/lib.rs:12:34\n",
            "next: `cargo systolic check` shows why kernels are refused\n",
        ],
    );
    user.write("src/lib.rs", "fn open() {");
    let said = doctor(&user, false, &[]);
    assert_eq!(said.code, Some(1));
    has(&said, &["missing  source        src/lib.rs:1:11: this is not valid Rust\n", "next: `cargo check` says"]);
}

#[test]
fn a_folder_without_a_package() {
    let user = User::nowhere("doctor");
    let said = doctor(&user, false, &[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    has(&said, &["note     package       there is no Cargo.toml", "next: `cargo systolic init NAME` makes a crate"]);
    let said = doctor(&user, false, &["--package", "none"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    std::fs::remove_dir_all(&user.folder).expect("it was there");
}
