//! Installs NVIDIA's compiler without its installer: pip unpacks five pinned wheels into one folder of the repository.
use crate::log::say;
use crate::step::Outcome;
use crate::tools::{output, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The wheels. Each is needed and all versions must fit together, so pip installs no dependencies of them.
const WHEELS: [&str; 5] = [
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
    "nvidia-cuda-cccl==13.0.85",
];

/// The smallest program that needs all wheels and the host compiler.
const TRIAL: &str =
    "#include <cuda_fp16.h>\nextern \"C\" __global__ void trial(__half *z) { *z = __float2half(1.0f); }\n";

/// Installs the toolkit if necessary, and tests it.
pub fn install() -> Outcome {
    ready().map_or_else(Outcome::Failed, said)
}

/// The same as a step of the tests: if the toolkit cannot be installed, this step and all that need it are skipped.
pub fn offer() -> Outcome {
    ready().map_or_else(|why| Outcome::Skipped(format!("nothing is compiled for GPUs: {why}")), said)
}

fn said(nvcc: PathBuf) -> Outcome {
    say!("{} compiles", nvcc.display());
    Outcome::Passed
}

/// The nvcc that the user names, else that of the toolkit folder. All cargo commands get it as `NVCC`.
pub fn nvcc() -> Option<PathBuf> {
    let named = std::env::var_os("NVCC").filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(program(&folder())).filter(|_| is_whole()))
}

/// A working nvcc, installed if there is none. Fails with the reason if that is not possible.
pub fn ready() -> Result<PathBuf, String> {
    if nvcc().is_none() {
        fetch()?;
    }
    let nvcc = nvcc().ok_or("the wheels hold no nvcc")?;
    try_out(&nvcc)?;
    Ok(nvcc)
}

fn folder() -> PathBuf {
    root().join(".toolkit")
}

fn program(folder: &Path) -> PathBuf {
    folder.join("nvidia/cu13/bin/nvcc").with_extension(std::env::consts::EXE_EXTENSION)
}

/// The list of the wheels in a folder, written when all are installed.
fn list(folder: &Path) -> PathBuf {
    folder.join("wheels.txt")
}

fn is_whole() -> bool {
    let text = std::fs::read_to_string(list(&folder()));
    text.is_ok_and(|text| text.lines().eq(WHEELS)) && program(&folder()).is_file()
}

/// Installs the wheels into a temporary folder next to the final one and renames it when all are there.
fn fetch() -> Result<(), String> {
    let python = python()?;
    let part = root().join(format!(".toolkit.part-{}", std::process::id()));
    say!("{python} -m pip: {} into {}, about 105 MB to fetch", WHEELS.join(" "), folder().display());
    let result = fill(&python, &part).and_then(|()| put(&part));
    if part.exists() {
        std::fs::remove_dir_all(&part).map_err(|e| format!("{}: {e}", part.display()))?;
    }
    result
}

fn fill(python: &str, part: &Path) -> Result<(), String> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--no-deps", "--only-binary", ":all:", "--quiet", "--retries", "2"]);
    pip.args(["--disable-pip-version-check", "--root-user-action", "ignore", "--target"]).arg(part).args(WHEELS);
    match output(&mut pip)? {
        (true, _) => {}
        (false, text) => return Err(format!("pip could not install the wheels:\n{}", text.trim())),
    }
    if !program(part).is_file() {
        return Err(format!("the wheels hold no {}", program(Path::new("")).display()));
    }
    std::fs::write(list(part), WHEELS.map(|wheel| format!("{wheel}\n")).concat()).map_err(|e| e.to_string())
}

/// Renames a complete folder to its final name and replaces an older one.
fn put(part: &Path) -> Result<(), String> {
    let folder = folder();
    let said = |e: std::io::Error| format!("{}: {e}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(said)?;
    }
    std::fs::rename(part, &folder).map_err(said)
}

/// A Python that has pip.
fn python() -> Result<String, String> {
    let works = |name: &&&str| output(Command::new(name).args(["-m", "pip", "--version"])).is_ok_and(|(ok, _)| ok);
    ["python3", "python"].iter().find(works).map(ToString::to_string).ok_or_else(|| {
        "there is no Python with pip here. Install both (Debian: `apt install python3-pip`) and run \
         `cargo xtask toolkit`, or set NVCC to the nvcc of a CUDA toolkit of 13.0 or later"
            .to_string()
    })
}

/// Compiles a small program. This fails if the C++ compiler of the host, which nvcc calls, is missing.
fn try_out(nvcc: &Path) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("systolic-trial-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let source = folder.join("trial.cu");
    let compiled = std::fs::write(&source, TRIAL).map_err(|e| format!("{}: {e}", source.display())).and_then(|()| {
        let mut command = Command::new(nvcc);
        output(command.args(["--cubin", "-arch=sm_75", "-o"]).arg(folder.join("trial.cubin")).arg(&source))
    });
    // If removal fails, the files stay in the temporary folder.
    let _ = std::fs::remove_dir_all(&folder);
    match compiled? {
        (true, _) => Ok(()),
        (false, text) => Err(format!(
            "{} compiles nothing here; it needs a C++ compiler (Debian: `apt install g++`):\n{}",
            nvcc.display(),
            text.trim()
        )),
    }
}
