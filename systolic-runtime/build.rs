//! Sets `cfg(optimised)` in optimised builds. Vectors are worth their compile time only there. In an unoptimised build every
//! operation is a call, and all CPUs use the plain level, which gives the same bits.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(optimised)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        println!("cargo::rustc-cfg=optimised");
    }
}
