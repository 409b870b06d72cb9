//! Tells the crate whether it is optimised. Vectors are only worth their compile time where they are: in an unoptimised
//! build every operation is a call, and one level, the plain one, serves every CPU with the same bits.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(optimised)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        println!("cargo::rustc-cfg=optimised");
    }
}
