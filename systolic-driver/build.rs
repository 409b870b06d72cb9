//! Lays an empty `libcuda.a` on the linker's path: bindings that ask for `-lcuda` find it, and take the functions of
//! this crate instead.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Some(folder) = std::env::var_os("OUT_DIR").map(std::path::PathBuf::from) else {
        println!("cargo::error=OUT_DIR is not set");
        return;
    };
    // All that an archive without members has.
    if let Err(error) = std::fs::write(folder.join("libcuda.a"), "!<arch>\n") {
        println!("cargo::error=libcuda.a: {error}");
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
}
