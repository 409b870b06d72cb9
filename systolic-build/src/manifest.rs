//! Reads the root files of a package's targets from its `Cargo.toml`.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root files of a package's targets.
#[derive(Debug, Default, PartialEq)]
pub struct Targets {
    /// Root files that exist, each once.
    pub roots: Vec<PathBuf>,
    /// Folders in which a new file is a new target.
    pub folders: Vec<PathBuf>,
}

/// A kind of target: its table in the manifest, the key that disables auto-discovery, and the folder searched.
const KINDS: [(&str, &str, &str); 4] = [
    ("bin", "autobins", "src/bin"),
    ("example", "autoexamples", "examples"),
    ("test", "autotests", "tests"),
    ("bench", "autobenches", "benches"),
];

/// The targets of the package in this folder. Without a manifest, the targets that cargo discovers by default.
pub fn targets(root: &Path) -> Targets {
    let settings = settings(&std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default());
    let mut roots: BTreeSet<PathBuf> = ["src/lib.rs", "src/main.rs"].map(|path| root.join(path)).into();
    let mut folders = Vec::new();
    for (kind, switch, folder) in KINDS {
        let folder = root.join(folder);
        for setting in settings.iter().filter(|s| s.table == kind || s.table == "lib") {
            match setting.key.as_str() {
                "path" => drop(roots.insert(root.join(&setting.value))),
                "name" if setting.table == kind => roots.extend(candidates(&folder, &setting.value)),
                _ => {}
            }
        }
        let is_off = settings.iter().any(|s| s.table == "package" && s.key == switch && s.value == "false");
        if !is_off && folder.is_dir() {
            roots.extend(found(&folder));
            folders.push(folder);
        }
    }
    Targets { roots: roots.into_iter().filter(|path| path.is_file()).collect(), folders }
}

/// The paths at which cargo looks for a target of this name.
fn candidates(folder: &Path, name: &str) -> [PathBuf; 2] {
    [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")]
}

/// The targets that cargo discovers in a folder.
fn found(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let root = |path: PathBuf| match path.extension() {
        Some(extension) if extension == "rs" => Some(path),
        _ => Some(path.join("main.rs")).filter(|main| main.is_file()),
    };
    entries.filter_map(root).collect()
}

/// A line `key = value` and the table that it belongs to.
struct Setting {
    table: String,
    key: String,
    value: String,
}

/// The lines of a manifest that set a plain value. Other lines define no target, or use a form so rare that it is not
/// supported; users then write a path.
fn settings(manifest: &str) -> Vec<Setting> {
    let mut heading = String::new();
    let mut settings = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            heading = line.split(']').next().unwrap_or_default().trim_matches(['[', ' ']).to_string();
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim();
            // `lib.path = "…"` above all tables is the same as `path = "…"` under `[lib]`.
            let (table, key) = match key.split_once('.') {
                Some((table, key)) if heading.is_empty() => (table, key),
                _ => (heading.as_str(), key),
            };
            settings.push(Setting { table: table.to_string(), key: key.to_string(), value: plain(value) });
        }
    }
    settings
}

/// A value without its quotes and without a trailing comment.
fn plain(value: &str) -> String {
    let value = value.trim();
    let text = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
        _ => value.split('#').next(),
    };
    text.unwrap_or_default().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::targets;
    use crate::scratch::Scratch;

    fn roots(files: &[(&str, &str)]) -> Vec<String> {
        let scratch = Scratch::new(files);
        let names = targets(scratch.path()).roots.into_iter().map(|path| scratch.name(&path));
        names.collect()
    }

    #[test]
    fn what_cargo_finds_by_itself() {
        let files = ["src/lib.rs", "src/main.rs", "src/x.rs", "src/bin/a.rs", "src/bin/b/main.rs", "src/bin/b/c.rs"];
        let others = ["examples/e.rs", "tests/t.rs", "tests/t/inner.rs", "benches/b/main.rs", "tests/t.txt"];
        let files: Vec<(&str, &str)> = files.iter().chain(&others).map(|name| (*name, "")).collect();
        let expected = ["benches/b/main.rs", "examples/e.rs", "src/bin/a.rs", "src/bin/b/main.rs"];
        let rest = ["src/lib.rs", "src/main.rs", "tests/t.rs"];
        assert_eq!(roots(&files), [&expected[..], &rest[..]].concat());
    }

    #[test]
    fn paths_and_names_of_the_manifest() {
        let manifest = "[package]\nautotests = false # all are named\nautobins=false\n[lib]\npath = 'code/it.rs'\n\
                        [[bin]]\nname = \"one\"\n[[test]]\nname = \"x\"\npath = \"other/x.rs\"\n";
        let files = ["code/it.rs", "other/x.rs", "src/bin/one.rs", "src/bin/two.rs", "tests/y.rs"];
        let mut files: Vec<(&str, &str)> = files.iter().map(|name| (*name, "")).collect();
        files.push(("Cargo.toml", manifest));
        assert_eq!(roots(&files), ["code/it.rs", "other/x.rs", "src/bin/one.rs"]);
    }

    #[test]
    fn dotted_keys() {
        let files = [("Cargo.toml", "lib.path = \"a.rs\"\n[package]\nname = \"p\"\n"), ("a.rs", "")];
        assert_eq!(roots(&files), ["a.rs"]);
    }

    /// A new file in these folders is a new target, so cargo has to watch them.
    #[test]
    fn folders_of_targets() {
        let scratch = Scratch::new(&[("tests/a.rs", ""), ("examples/b.rs", ""), ("src/lib.rs", "")]);
        let folders: Vec<String> = targets(scratch.path()).folders.iter().map(|path| scratch.name(path)).collect();
        assert_eq!(folders, ["examples", "tests"]);
    }
}
