//! Compiles the kernels, with their maps and without, and their hand-written competitors. Records the registers of the kernels.
//! Rejects maps in the sources that use local memory.
mod automatic;
mod registers;

use automatic::{files, said};
use std::path::{Path, PathBuf};
use systolic_build::Nvcc;
use systolic_compiler::link;

/// The hand-written programs, one file each in `peers`.
const PEERS: [&str; 9] = ["tools", "reference", "roof", "micro", "conv1d", "conv2d", "ssam", "ssam_stencils", "jacobi"];

fn main() {
    println!("cargo::rerun-if-changed=peers");
    if let Err(why) = build() {
        why.lines().filter(|line| !line.trim().is_empty()).for_each(|line| println!("cargo::error={line}"));
    }
}

fn build() -> Result<(), String> {
    let folder = |name: &str| std::env::var(name).map(PathBuf::from).map_err(|e| format!("{name}: {e}"));
    let (root, out) = (folder("CARGO_MANIFEST_DIR")?, folder("OUT_DIR")?);
    automatic::write(&root, &root.join("kernels"), &out)?;
    systolic_build::compile();
    automatic::maps(&out)?;
    peers(&out)?;
    note(&out)
}

/// Compiles each to one file with machine code for the requested architectures and PTX for later ones.
fn peers(out: &Path) -> Result<(), String> {
    let nvcc = Nvcc::find()?;
    let wanted = std::env::var("SYSTOLIC_CUDA_ARCH").unwrap_or_default();
    let machine =
        wanted.split(',').map(str::trim).filter(|a| !a.is_empty()).map(|a| format!("compute_{a},code=sm_{a}"));
    let codes: Vec<String> = machine.chain(["compute_75,code=compute_75".to_string()]).collect();
    for name in PEERS {
        let mut command = nvcc.command();
        command.args(["-std=c++17", "-O3", "--fatbin", "-o"]).arg(out.join(format!("{name}.fatbin")));
        command.args(codes.iter().map(|code| format!("-gencode=arch={code}")));
        let output = command.arg(format!("peers/{name}.cu")).output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(format!("peers/{name}.cu: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

/// Records the registers of every entry, one per line, for the cost model.
fn note(out: &Path) -> Result<(), String> {
    let mut lines = Vec::new();
    for path in files(&out.join(link::FOLDER), "cubin")? {
        let code = std::fs::read(&path).map_err(|e| said(&path, e))?;
        for (name, taken) in registers::taken(&code) {
            let local = format!("{name}: {} bytes of local memory", taken.local);
            match taken.local {
                0 => {}
                _ if automatic::is_written(out, &name) => return Err(local),
                _ => println!("cargo::warning={local}"),
            }
            lines.push(format!("{name} {}\n", taken.registers));
        }
    }
    lines.sort();
    let path = out.join("registers.txt");
    std::fs::write(&path, lines.concat()).map_err(|e| said(&path, e))
}
