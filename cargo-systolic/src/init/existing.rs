//! Adds what kernels need to a package that is there: dependencies by `cargo add`, files only where there are none.
use super::Asked;
use crate::End;
use crate::command::{cargo, output};
use crate::files::{folder, replace, undisturbed};
use crate::package::{CALL, Package, compiles_kernels, is_nowhere};
use crate::terminal::print;
use crate::toolkit;
use std::path::{Path, PathBuf};

/// The setting that the build script of `cust` needs where there is no toolkit, and a file that keeps the folder it names.
pub const SETTING: &str = "CUDA_LIBRARY_PATH = { value = \"cuda\", relative = true }";
pub const LIBRARIES: &str = "cuda/lib64/.gitkeep";

/// One change, in words and as it is made.
struct Change {
    words: String,
    kind: Kind,
}

enum Kind {
    /// `cargo add` with these arguments.
    Add(Vec<String>),
    /// A file with this text.
    Write(PathBuf, String),
    /// What only the user can do.
    Ask,
}

/// Adds what is missing to the package of a folder.
pub fn add(path: &Path, name: Option<&str>, asked: &Asked) -> Result<End, String> {
    let package = Package::find_at(path, name).map_err(|why| match is_nowhere(&why) {
        true => "there is no package in this folder or above: `cargo systolic init NAME` makes one".to_string(),
        false => why,
    })?;
    let mut changes = dependencies(&package, asked);
    if asked.gpu {
        changes.extend(script(&package)?);
        changes.extend(setting(&package)?);
    }
    if changes.is_empty() {
        let what = if asked.gpu { "" } else { " on the CPU" };
        print(&format!("nothing to add: `{}` has all that kernels need{what}\n", package.name))?;
        return Ok(End::Done);
    }
    let mut end = End::Done;
    // A dependency without its build script would be of no use.
    let _whole = undisturbed();
    for change in &changes {
        let verb = match (&change.kind, asked.dry) {
            (Kind::Ask, _) => "left to you: ",
            (_, true) => "would add ",
            (_, false) => "added ",
        };
        match &change.kind {
            Kind::Ask => end = End::Not,
            _ if asked.dry => {}
            Kind::Add(arguments) => {
                let mut command = cargo();
                command.args(["add", "--quiet", "--manifest-path"]).arg(&package.manifest).args(arguments);
                output(&mut command).map_err(|why| why.strip_prefix("error: ").map(String::from).unwrap_or(why))?;
            }
            Kind::Write(path, text) => {
                path.parent().map_or(Ok(()), folder)?;
                replace(path, text)?;
            }
        }
        print(&format!("{verb}{}\n", change.words))?;
    }
    if end == End::Done && !asked.dry {
        print("next: `cargo systolic doctor` says what is here, and what every kernel runs on\n")?;
    }
    Ok(end)
}

/// The dependency on the macro, and that of the build script.
fn dependencies(package: &Package, asked: &Asked) -> Vec<Change> {
    let mut changes = Vec::new();
    let features: &[&str] = if asked.gpu { &["cuda"] } else { &[] };
    let cuda = ["--features".to_string(), "cuda".to_string()];
    match package.declared("systolic", false) {
        None => {
            let mut arguments = asked.origin.arguments("systolic");
            arguments.extend(cuda.into_iter().filter(|_| asked.gpu));
            let words = format!("to Cargo.toml: systolic = {}", asked.origin.line("systolic", features));
            changes.push(Change { words, kind: Kind::Add(arguments) });
        }
        Some(there) if asked.gpu && !there.features.iter().any(|feature| feature == "cuda") => {
            let words = "to Cargo.toml: feature `cuda` of `systolic`".to_string();
            changes.push(Change { words, kind: Kind::Add([&["systolic".to_string()][..], &cuda].concat()) });
        }
        Some(_) => {}
    }
    if asked.gpu && package.declared("systolic-build", true).is_none() {
        let mut arguments = asked.origin.arguments("systolic-build");
        arguments.push("--build".to_string());
        let line = asked.origin.line("systolic-build", &[]);
        let words = format!("to Cargo.toml, for the build script: systolic-build = {line}");
        changes.push(Change { words, kind: Kind::Add(arguments) });
    }
    changes
}

/// The build script. One that is there is not changed.
fn script(package: &Package) -> Result<Option<Change>, String> {
    let path = package.script.clone().unwrap_or_else(|| package.root.join("build.rs"));
    let shown = path.strip_prefix(&package.root).unwrap_or(&path).display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) if compiles_kernels(&text) => Ok(None),
        Ok(_) => {
            let words = format!("{shown} is yours: add the line `{CALL}` to its `main`");
            Ok(Some(Change { words, kind: Kind::Ask }))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let text = format!("fn main() {{\n    {CALL}\n}}\n");
            Ok(Some(Change { words: format!("{shown}, which calls {CALL}"), kind: Kind::Write(path, text) }))
        }
        Err(e) => Err(format!("{}: {e}", path.display())),
    }
}

/// The setting for `cust`, only where its build script finds no toolkit.
fn setting(package: &Package) -> Result<Vec<Change>, String> {
    if toolkit::bindings(&package.root).is_ok() {
        return Ok(Vec::new());
    }
    if let Some((_, named)) = toolkit::setting(&package.root) {
        let words = format!("the empty folder {}, which a setting names", named.join("lib64").display());
        return Ok(vec![Change { words, kind: Kind::Write(named.join("lib64/.gitkeep"), String::new()) }]);
    }
    // Cargo reads the file of the folder in which it is called, and those above.
    let around = &package.workspace;
    // The old name of the file comes first.
    let files = ["config", "config.toml"].map(|name| around.join(".cargo").join(name));
    let path = files.iter().find(|file| file.exists()).unwrap_or(&files[1]).clone();
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(format!("{}: {e}", path.display())),
    };
    let shown = path.strip_prefix(around).unwrap_or(&path).display().to_string();
    let Some(after) = with_setting(&before) else {
        let words = format!("{shown} has an `env` of yours: add `{SETTING}` to it, and make the folder cuda/lib64");
        return Ok(vec![Change { words, kind: Kind::Ask }]);
    };
    let libraries = around.join(LIBRARIES);
    let mut changes = Vec::new();
    // The folder first: the setting without it is an error.
    if !libraries.exists() {
        let words = "the empty folder cuda/lib64".to_string();
        changes.push(Change { words, kind: Kind::Write(libraries, String::new()) });
    }
    let words = format!("to {shown}, as no CUDA toolkit is installed: {SETTING}");
    changes.push(Change { words, kind: Kind::Write(path, after) });
    Ok(changes)
}

/// The text of a file of settings with the new one: under `[env]` if that is there. `None` if `env` is written in another way.
fn with_setting(before: &str) -> Option<String> {
    let is_table = |line: &str| line.split('#').next().unwrap_or_default().trim() == "[env]";
    if before.lines().any(is_table) {
        let line = |line: &str| if is_table(line) { format!("{line}\n{SETTING}\n") } else { format!("{line}\n") };
        return Some(before.lines().map(line).collect());
    }
    let is_other = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', '[', '"']);
        line.strip_prefix("env").is_some_and(|rest| rest.starts_with(['.', '=', ' ', '"', ']']))
    };
    if before.lines().any(is_other) {
        return None;
    }
    let gap = if before.is_empty() { "" } else { "\n" };
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    Some(format!("{before}{end}{gap}[env]\n{SETTING}\n"))
}

#[cfg(test)]
mod tests {
    use super::{SETTING, with_setting};

    #[test]
    fn a_setting_beside_others() {
        assert_eq!(with_setting(""), Some(format!("[env]\n{SETTING}\n")));
        assert_eq!(with_setting("[build]\njobs = 1"), Some(format!("[build]\njobs = 1\n\n[env]\n{SETTING}\n")));
        let there = "[env] # ours\nA = \"1\"\n\n[build]\njobs = 1\n";
        let with = format!("[env] # ours\n{SETTING}\nA = \"1\"\n\n[build]\njobs = 1\n");
        assert_eq!(with_setting(there), Some(with));
        for other in ["env.A = \"1\"\n", "env = { A = \"1\" }\n", "[env.A]\nvalue = \"1\"\n"] {
            assert_eq!(with_setting(other), None, "{other}");
        }
    }
}
