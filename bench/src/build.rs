//! Measures the clean build of a crate with one kernel, and of one with every workload: `cargo build` in a new folder,
//! without earlier build outputs.
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The first kernel of this file is the one of the small crate.
const KERNELS: &str = include_str!("../../tests/kernels/conv1d.rs");

/// A program with one kernel.
fn one_kernel() -> Result<String, String> {
    let first = KERNELS.split_once("systolic! {\n").and_then(|(_, all)| all.split_once("\n    }\n"));
    let (kernel, _) = first.ok_or("tests/kernels/conv1d.rs has no kernel")?;
    let call = "conv1d_sbm::<2>::reference(&[3.0, 1.0, 4.0], &[-1.0, 1.0]).unwrap()";
    Ok(format!("systolic::systolic! {{\n{kernel}\n    }}\n}}\n\nfn main() {{\n    println!(\"{{}}\", {call});\n}}\n"))
}

pub fn print() -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("systolic-bench-{}", std::process::id()));
    let result = measure(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn measure(folder: &Path) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let write = |path: &str, text: &str| std::fs::write(folder.join(path), text).map_err(|e| format!("{path}: {e}"));
    std::fs::create_dir_all(folder.join("src")).map_err(|e| format!("{}: {e}", folder.display()))?;
    let systolic = root.join("systolic").display().to_string().replace('\\', "/");
    let manifest = format!(
        "[package]\nname = \"one-kernel\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         systolic = {{ path = \"{systolic}\" }}\n\n[workspace]\n"
    );
    write("Cargo.toml", &manifest)?;
    let source = one_kernel()?;
    write("src/main.rs", &source)?;
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    write("Cargo.lock", &lock)?;
    println!("| cargo build | s |\n| --- | --- |");
    println!("| one kernel, clean, debug | {:.1} |", build(folder)?);
    write("src/main.rs", &source.replace("q == Q - 1", "q + 1 == Q"))?;
    println!("| the kernel changed | {:.1} |", build(folder)?);
    let kernels = workloads(&root.join("tests/kernels"), &folder.join("src"))?;
    std::fs::remove_file(folder.join("src/main.rs")).map_err(|e| format!("src/main.rs: {e}"))?;
    write("src/lib.rs", &kernels.iter().map(|name| format!("pub mod {name};\n")).collect::<String>())?;
    std::fs::remove_dir_all(folder.join("target")).map_err(|e| format!("target: {e}"))?;
    println!("| every workload, clean, debug | {:.1} |", build(folder)?);
    Ok(())
}

/// Files of `tests/kernels` whose kernels are not workloads: each tests one feature of the language.
const QUESTIONS: [&str; 3] = ["borders", "shapes", "types"];

/// Copies the files of workloads and returns their names without `.rs`.
fn workloads(from: &Path, to: &Path) -> Result<Vec<String>, String> {
    let told = |e: std::io::Error| format!("{}: {e}", from.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(from).map_err(told)? {
        let name = entry.map_err(told)?.file_name().to_string_lossy().into_owned();
        let Some(module) = name.strip_suffix(".rs").filter(|module| !QUESTIONS.contains(module)) else { continue };
        std::fs::copy(from.join(&name), to.join(&name)).map_err(told)?;
        names.push(module.to_string());
    }
    names.sort();
    Ok(names)
}

/// Builds a crate and returns the seconds.
fn build(folder: &Path) -> Result<f64, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--offline", "--quiet"]).current_dir(folder);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    let start = Instant::now();
    let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("cargo build ended with {status}"));
    }
    Ok(start.elapsed().as_secs_f64())
}
