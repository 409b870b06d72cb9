//! Makes `-lcuda` of bindings succeed where there is no such library: puts an empty `libcuda.a` on the linker's search path, and the
//! functions are resolved to those of this crate. Where there is a `libcuda.so`, its folder is put there instead, for crates that need
//! functions which this crate does not define. Those that it defines are taken from it in both cases.
use std::path::PathBuf;

/// Variables that name the folder of a toolkit.
const TOOLKITS: [&str; 5] = ["CUDA_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR"];

/// The variable that names further folders of libraries, to compilers and linkers.
const FOLDERS: &str = "LIBRARY_PATH";

/// Where installers put a toolkit.
const INSTALLED: [&str; 2] = ["/usr/local/cuda", "/opt/cuda"];

/// Where a toolkit has the library: one to link with, which no program loads.
const INSIDE: [&str; 4] = ["lib64/stubs", "lib/stubs", "lib64", "lib"];

/// Where systems have libraries, besides the folder of the machine's architecture.
const OF_SYSTEM: [&str; 4] = ["/usr/lib64", "/usr/lib", "/lib64", "/lib"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    TOOLKITS.iter().chain([&FOLDERS]).for_each(|name| println!("cargo::rerun-if-env-changed={name}"));
    let folder = match real() {
        Some(folder) => folder,
        None => match empty() {
            Ok(folder) => folder,
            Err(why) => return println!("cargo::error={why}"),
        },
    };
    println!("cargo::rustc-link-search=native={}", folder.display());
}

/// The folder of a `libcuda.so`.
fn real() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).into_iter().flat_map(|value| paths(&value)).collect::<Vec<_>>();
    let toolkits = TOOLKITS.iter().flat_map(|name| of(name)).chain(INSTALLED.map(PathBuf::from));
    let inside = toolkits.flat_map(|toolkit| INSIDE.map(|part| toolkit.join(part)));
    let machine = std::env::var("CARGO_CFG_TARGET_ARCH").map(|arch| format!("/usr/lib/{arch}-linux-gnu"));
    let of_system = OF_SYSTEM.into_iter().map(PathBuf::from).chain(machine.ok().map(PathBuf::from));
    let is_same = std::env::var("HOST").ok() == std::env::var("TARGET").ok();
    // What this machine has is not for another one.
    let of_system = of_system.filter(|_| is_same);
    of(FOLDERS).into_iter().chain(inside).chain(of_system).find(|folder| folder.join("libcuda.so").is_file())
}

fn paths(value: &std::ffi::OsStr) -> Vec<PathBuf> {
    std::env::split_paths(value).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// A folder with an empty library.
fn empty() -> Result<PathBuf, String> {
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).ok_or("OUT_DIR is not set")?;
    // The header, which is all of an archive without members.
    std::fs::write(folder.join("libcuda.a"), "!<arch>\n").map_err(|error| format!("libcuda.a: {error}"))?;
    Ok(folder)
}
