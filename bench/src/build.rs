//! Measures the clean build of a crate with one kernel, and of one with every workload: `cargo build` in a new folder,
//! without earlier build outputs.
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SOURCE: &str = "\
systolic::systolic! {
    /// 1-D convolution: inputs stay, weights are broadcast, sums migrate.
    pub kernel conv1d_sbm<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 1],
                                            [0, 1]];
            lanes s;
        }
    }
}

fn main() {
    println!(\"{}\", conv1d_sbm::<2>::reference(&[3.0, 1.0, 4.0], &[-1.0, 1.0]).unwrap());
}
";

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
    write("src/main.rs", SOURCE)?;
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    write("Cargo.lock", &lock)?;
    println!("| cargo build | s |\n| --- | --- |");
    println!("| one kernel, clean, debug | {:.1} |", build(folder)?);
    write("src/main.rs", &SOURCE.replace("q == Q - 1", "q + 1 == Q"))?;
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
