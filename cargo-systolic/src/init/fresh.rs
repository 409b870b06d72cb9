//! A new crate. It is written beside its folder and gets its name when it is complete.
use super::Asked;
use super::existing::{LIBRARIES, SETTING};
use crate::End;
use crate::command::{cargo, output};
use crate::files::{folder, undisturbed};
use crate::package::CALL;
use crate::terminal::print;
use crate::toolkit;
use std::path::{Path, PathBuf};

/// The program of the first page of the documentation.
const MAIN: &str = include_str!("new_main.txt");

/// Makes the crate in this folder, which is empty or not there.
pub fn make(path: &Path, asked: &Asked) -> Result<End, String> {
    let is_empty = |path: &Path| std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if path.exists() && !is_empty(path) {
        return Err(format!(
            "{} is not empty and has no Cargo.toml: `cargo init` makes a package of it, then `cargo systolic init` adds \
             what kernels need",
            path.display()
        ));
    }
    let name = path.file_name().ok_or("the new folder needs a name")?.to_string_lossy().into_owned();
    let files = files(&name, asked, path);
    let listed: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let listed = listed.join(", ");
    if asked.dry {
        print(&format!("would make the crate `{name}` in {}: {listed}\n", path.display()))?;
        return Ok(End::Done);
    }
    write(path, &name, &files)?;
    print(&format!("made the crate `{name}` in {}: {listed}\nnext: cd {0} && cargo run\n", path.display()))?;
    Ok(End::Done)
}

/// The files of the crate, by name and text.
fn files(name: &str, asked: &Asked, path: &Path) -> Vec<(String, String)> {
    let features: &[&str] = if asked.gpu { &["cuda"] } else { &[] };
    let mut manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nsystolic = {}\n",
        asked.origin.line("systolic", features)
    );
    let mut files = vec![("src/main.rs".to_string(), MAIN.to_string())];
    if asked.gpu {
        let build = asked.origin.line("systolic-build", &[]);
        manifest += &format!("\n[build-dependencies]\nsystolic-build = {build}\n");
        files.push(("build.rs".to_string(), format!("fn main() {{\n    {CALL}\n}}\n")));
        let around = path.ancestors().skip(1).find(|above| above.is_dir()).unwrap_or(Path::new("."));
        let around = around.canonicalize().unwrap_or_default();
        if toolkit::bindings(&around).is_err() {
            files.push((".cargo/config.toml".to_string(), format!("[env]\n{SETTING}\n")));
            files.push((LIBRARIES.to_string(), String::new()));
        }
    }
    files.insert(0, ("Cargo.toml".to_string(), manifest));
    files
}

/// Writes the crate under another name, gives it its own, and removes it if cargo does not accept it.
fn write(path: &Path, name: &str, files: &[(String, String)]) -> Result<(), String> {
    let _whole = undisturbed();
    let around = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder(around)?;
    let part = around.join(format!("{name}.part"));
    let was_there = path.exists();
    let named = write_files(&part, files)
        .and_then(|()| std::fs::rename(&part, path).map_err(|e| format!("could not create {}: {e}", path.display())));
    if named.is_err() {
        // What is there of it is of no use; perhaps nothing is.
        let _ = std::fs::remove_dir_all(&part);
    }
    named?;
    accepted(path).inspect_err(|_| {
        // If it cannot be removed, a complete crate is left.
        let _ = std::fs::remove_dir_all(path);
        let _ = if was_there { std::fs::create_dir(path) } else { Ok(()) };
    })
}

fn write_files(part: &Path, files: &[(String, String)]) -> Result<(), String> {
    for (name, text) in files {
        let file: PathBuf = part.join(name);
        folder(file.parent().unwrap_or(part))?;
        std::fs::write(&file, text).map_err(|e| format!("could not write {}: {e}", file.display()))?;
    }
    Ok(())
}

/// Whether cargo accepts the crate: its name, and the workspace around it.
fn accepted(path: &Path) -> Result<(), String> {
    let words = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    output(cargo().args(words).current_dir(path)).map(drop).map_err(|why| {
        let why = why.strip_prefix("error: ").unwrap_or(&why);
        format!("cargo does not accept the crate, and nothing was made: {why}")
    })
}
