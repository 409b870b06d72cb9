//! Puts an empty `libcuda.a` on the linker's search path, so that `-lcuda` of bindings succeeds and their functions are
//! resolved to those of this crate.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Some(folder) = std::env::var_os("OUT_DIR").map(std::path::PathBuf::from) else {
        println!("cargo::error=OUT_DIR is not set");
        return;
    };
    // The header, which is all of an archive without members.
    if let Err(error) = std::fs::write(folder.join("libcuda.a"), "!<arch>\n") {
        println!("cargo::error=libcuda.a: {error}");
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
}
