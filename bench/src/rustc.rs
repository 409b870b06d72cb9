//! Runs rustc as `cargo build --release` does, on a separate crate. Its dependencies are built before, so that only
//! this call is measured.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder with the crate `systolic`, built in release mode.
pub struct Rustc {
    folder: PathBuf,
    systolic: PathBuf,
    /// Whether the folder is kept at the end.
    keeps: bool,
}

impl Rustc {
    /// Builds the dependencies.
    pub fn new() -> Result<Rustc, String> {
        let kept = std::env::var_os("SYSTOLIC_BENCH_FOLDER").map(PathBuf::from);
        let (folder, keeps) = match kept {
            Some(folder) => (folder, true),
            None => (std::env::temp_dir().join(format!("systolic-bench-{}", std::process::id())), false),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let write =
            |path: &str, text: &str| std::fs::write(folder.join(path), text).map_err(|e| format!("{path}: {e}"));
        std::fs::create_dir_all(folder.join("src")).map_err(|e| format!("{}: {e}", folder.display()))?;
        let systolic = root.join("systolic").display().to_string().replace('\\', "/");
        let manifest = format!(
            "[package]\nname = \"some-kernels\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             systolic = {{ path = \"{systolic}\" }}\n\n[workspace]\n"
        );
        write("Cargo.toml", &manifest)?;
        write("src/lib.rs", "")?;
        let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
        write("Cargo.lock", &lock)?;
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--release", "--offline", "--quiet"]).current_dir(&folder);
        cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
        let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
        if !status.success() {
            return Err(format!("cargo build ended with {status}"));
        }
        let deps = folder.join("target/release/deps");
        let entries = std::fs::read_dir(&deps).map_err(|e| format!("{}: {e}", deps.display()))?;
        let is_it = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libsystolic-") && name.ends_with(".rlib")
        };
        let systolic = entries.flatten().map(|e| e.path()).find(is_it);
        Ok(Rustc { systolic: systolic.ok_or("cargo left no library of `systolic`")?, folder, keeps })
    }

    /// Compiles a text as a library, optimised. Returns rustc's CPU time in seconds, over all its threads.
    pub fn seconds(&self, text: &str) -> Result<f64, String> {
        let source = self.folder.join("src/kernel.rs");
        std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
        let mut rustc = Command::new("rustc");
        rustc.args(["--crate-name", "kernel", "--edition", "2024", "--crate-type", "lib", "--cap-lints", "allow"]);
        rustc.args(["--emit", "metadata,link", "-C", "opt-level=3", "-C", "embed-bitcode=no"]);
        rustc.arg("--out-dir").arg(self.folder.join("out")).arg(&source);
        rustc.arg("-L").arg(format!("dependency={}", self.folder.join("target/release/deps").display()));
        rustc.arg("--extern").arg(format!("systolic={}", self.systolic.display()));
        rustc.current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        let before = children()?;
        let status = rustc.status().map_err(|e| format!("rustc: {e}"))?;
        if !status.success() {
            return Err(format!("rustc ended with {status} on\n{text}"));
        }
        Ok(children()? - before)
    }
}

impl Drop for Rustc {
    fn drop(&mut self) {
        if !self.keeps {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The user CPU time in seconds of all finished child processes. Unlike wall time, it hardly depends on the load of the
/// machine.
fn children() -> Result<f64, String> {
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|e| format!("/proc/self/stat: {e}"))?;
    // The fields after the name, which may contain anything, start with the state, field 3. The user time of children
    // is field 16.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().nth(13);
    let ticks: f64 = fields.and_then(|f| f.parse().ok()).ok_or("/proc/self/stat has no 16 fields")?;
    // A tick is a hundredth of a second on every Linux that Rust supports.
    Ok(ticks / 100.0)
}
