//! The clean build of a crate with one kernel: `cargo build` in a folder of its own, with nothing built before.
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SOURCE: &str = "\
systolic::systolic! {
    /// Every element plus those before it.
    pub kernel running_sum(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0 } else { S[n - 1] };
            y[n] = S[n];
        }
        map {
            tile n by 32 as (nb, ni);
            lanes ni;
        }
    }
}

fn main() {
    println!(\"{}\", running_sum::reference(&[3, 1, 4, 1, 5]).unwrap());
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
    println!("| cargo build, one kernel | s |\n| --- | --- |");
    println!("| clean, debug | {:.1} |", build(folder)?);
    write("src/main.rs", &SOURCE.replace("Every element", "Each element"))?;
    println!("| the kernel changed | {:.1} |", build(folder)?);
    Ok(())
}

/// Seconds.
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
