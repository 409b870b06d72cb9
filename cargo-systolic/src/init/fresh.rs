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

/// The crates of this project: cargo refuses a package that has the name of one that it depends on.
const OURS: [&str; 11] = [
    "cargo-systolic",
    "systolic",
    "systolic-arith",
    "systolic-build",
    "systolic-compiler",
    "systolic-driver",
    "systolic-macros",
    "systolic-mesh",
    "systolic-oracle",
    "systolic-runtime",
    "systolic-sets",
];

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
    let name = name_of(path)?;
    if OURS.contains(&name.as_str()) {
        return Err(format!("`{name}` is the name of a crate of this project: choose another one"));
    }
    let files = files(&name, asked, path);
    let listed: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let listed = listed.join(", ");
    if asked.dry {
        print(&format!("would make the crate `{name}` in {}: {listed}\n", path.display()))?;
        return Ok(End::Done);
    }
    write(path, &name, &files)?;
    let enter = if path == Path::new(".") { String::new() } else { format!("cd {} && ", path.display()) };
    print(&format!("made the crate `{name}` in {}: {listed}\nnext: {enter}cargo run\n", path.display()))?;
    Ok(End::Done)
}

/// The name of a folder, also where the path is `.` or `..`.
fn name_of(path: &Path) -> Result<String, String> {
    let whole = || path.canonicalize().ok();
    let folder = if path.file_name().is_some() { Some(path.to_path_buf()) } else { whole() };
    let name = folder.as_ref().and_then(|folder| folder.file_name()).ok_or("the new folder needs a name")?;
    Ok(name.to_string_lossy().into_owned())
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
    let was_there = path.exists();
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A folder that is there stays the same one: a shell may be in it.
    let around = if was_there { path } else { above };
    folder(around)?;
    let part = around.join(format!("{name}.part"));
    let place = || if was_there { move_into(&part, path) } else { std::fs::rename(&part, path) };
    let named = write_files(&part, files)
        .and_then(|()| place().map_err(|e| format!("could not create {}: {e}", path.display())));
    if named.is_err() {
        // What is there of it is of no use; perhaps nothing is.
        let _ = if was_there { empty(path) } else { std::fs::remove_dir_all(&part) };
    }
    named?;
    accepted(path).inspect_err(|_| {
        // If it cannot be removed, a complete crate is left.
        let _ = if was_there { empty(path) } else { std::fs::remove_dir_all(path) };
    })
}

/// Moves what is in a folder into the one around it.
fn move_into(part: &Path, around: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(part)? {
        let entry = entry?;
        std::fs::rename(entry.path(), around.join(entry.file_name()))?;
    }
    std::fs::remove_dir(part)
}

/// Removes what is in a folder that was empty.
fn empty(path: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        if is_folder { std::fs::remove_dir_all(entry.path())? } else { std::fs::remove_file(entry.path())? }
    }
    Ok(())
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
