//! Turns the programs of the tutorial into modules of the tests: every fence `rust src/main.rs` of `tutorial/*.md`.
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new("tutorial");
    println!("cargo::rerun-if-changed=tutorial");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    let (mut modules, mut list) = (String::new(), String::new());
    for (k, page) in pages.iter().enumerate() {
        let text = std::fs::read_to_string(page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        let Some((_, rest)) = text.split_once("\n```rust src/main.rs\n") else { continue };
        let (program, _) = rest.split_once("\n```\n").expect("the fence is closed");
        let run = "pub fn run() -> Result<(), systolic::Error> { main() }";
        let _ = write!(modules, "mod program_{k} {{\n{program}\n{run}\n}}\n");
        let name = page.file_name().expect("a name").to_string_lossy();
        let _ = writeln!(list, "    ({name:?}, program_{k}::run),");
    }
    let all = format!("{modules}\nconst PROGRAMS: &[(&str, Program)] = &[\n{list}];\n");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("programs.rs"), all).expect("it is written");
}
