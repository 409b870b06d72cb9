//! Compiles the kernels and their hand-written competitors, and records the registers of the kernels. Rejects kernels
//! that use local memory.
mod registers;

use std::path::Path;
use std::process::Command;
use systolic_build::Nvcc;

/// The hand-written programs, one file each in `peers`.
const PEERS: [&str; 9] = ["tools", "reference", "roof", "micro", "conv1d", "conv2d", "ssam", "ssam_stencils", "jacobi"];

fn main() {
    systolic_build::compile();
    println!("cargo::rerun-if-changed=peers");
    if let Err(why) = peers().and_then(|()| note()) {
        why.lines().filter(|line| !line.trim().is_empty()).for_each(|line| println!("cargo::error={line}"));
    }
}

/// Compiles each to one file with machine code for the requested architectures and PTX for later ones.
fn peers() -> Result<(), String> {
    let nvcc = Nvcc::find()?;
    let out = std::env::var("OUT_DIR").map_err(|e| e.to_string())?;
    let wanted = std::env::var("SYSTOLIC_CUDA_ARCH").unwrap_or_default();
    let machine =
        wanted.split(',').map(str::trim).filter(|a| !a.is_empty()).map(|a| format!("compute_{a},code=sm_{a}"));
    let codes: Vec<String> = machine.chain(["compute_75,code=compute_75".to_string()]).collect();
    for name in PEERS {
        let mut command = Command::new(nvcc.path());
        command.args(["-std=c++17", "-O3", "--fatbin", "-o"]).arg(Path::new(&out).join(format!("{name}.fatbin")));
        command.args(codes.iter().map(|code| format!("-gencode=arch={code}")));
        let output = command.arg(format!("peers/{name}.cu")).output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(format!("peers/{name}.cu: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

/// Records the registers of every kernel, one per line, for the cost model.
fn note() -> Result<(), String> {
    let out = std::env::var("OUT_DIR").map_err(|e| e.to_string())?;
    let said = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let folder = Path::new(&out).join("systolic");
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|e| said(&folder, e))?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "cubin") {
            let code = std::fs::read(&path).map_err(|e| said(&path, e))?;
            for (name, taken) in registers::taken(&code) {
                if taken.local > 0 {
                    return Err(format!("{name}: {} bytes of local memory", taken.local));
                }
                lines.push(format!("{name} {}\n", taken.registers));
            }
        }
    }
    lines.sort();
    let path = Path::new(&out).join("registers.txt");
    std::fs::write(&path, lines.concat()).map_err(|e| said(&path, e))
}
