//! The machine for which the search compares maps: by the architecture that code is built for, or measured by
//! `cargo systolic machine`.
use crate::settings;
use std::path::{Path, PathBuf};
use systolic_compiler::link;
use systolic_compiler::target::gpu::{JUDGED_ARCHITECTURE, LOWEST_ARCHITECTURE};
use systolic_compiler::target::machine_file::{self, FILE, Machine};

/// The machine of a build.
pub struct Chosen {
    pub machine: Machine,
    /// The file of a measured machine, whether it was used or not.
    pub file: Option<PathBuf>,
    /// Why that file cannot be used.
    pub error: Option<String>,
}

/// Chooses the machine of a package: that of the highest architecture asked for, or the H200. A file in the folder of the
/// package or its workspace replaces it. If the build asks for an architecture, the file must be for the same one.
pub fn choose(root: &Path, architectures: &str) -> Chosen {
    let asked = settings::numbers(architectures).into_iter().filter(|number| *number >= LOWEST_ARCHITECTURE).max();
    let published = Machine::published(asked.unwrap_or(JUDGED_ARCHITECTURE));
    let Some(file) = file(root) else { return Chosen { machine: published, file: None, error: None } };
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string());
    let (machine, error) = match text.and_then(|text| machine_file::read(&text)) {
        Ok(machine) if asked.is_none_or(|asked| asked == machine.gpu.architecture) => (machine, None),
        Ok(_) => (published, None),
        Err(why) => (published, Some(format!("{}: {why}", file.display()))),
    };
    Chosen { machine, file: Some(file), error }
}

/// The file of a measured machine: in the folder of the package, or in one above up to that of the workspace, which has the lock file.
fn file(root: &Path) -> Option<PathBuf> {
    for folder in root.ancestors() {
        let file = folder.join(FILE);
        if file.is_file() {
            return Some(file);
        }
        if folder.join("Cargo.lock").exists() {
            return None;
        }
    }
    None
}

/// The first line of a map that was kept: another version of the compiler, or another machine, may choose another one.
pub fn heading(machine: &Machine) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("// found by systolic {version} for {}, {}\n", machine.name, link::key("", &[&machine.identity()]))
}

#[cfg(test)]
mod tests {
    use super::{choose, heading};
    use crate::scratch::Scratch;

    #[test]
    fn by_architecture() {
        let scratch = Scratch::new(&[("Cargo.lock", "")]);
        let name = |architectures: &str| choose(scratch.path(), architectures).machine.name;
        assert_eq!(name(""), "NVIDIA H200");
        assert_eq!(name("90, 80"), "NVIDIA H200");
        assert_eq!(name("sm_75;80"), "NVIDIA A100");
        assert_eq!(name("nonsense"), "NVIDIA H200");
        assert_eq!(name("12"), "NVIDIA H200", "no GPU that runs our code");
        assert!(choose(scratch.path(), "").file.is_none());
    }

    #[test]
    fn a_file_of_the_package_or_its_workspace() {
        let scratch = Scratch::new(&[
            ("systolic-machine.toml", "architecture = 75"),
            ("w/Cargo.lock", ""),
            ("w/systolic-machine.toml", "name = \"Mine\"\narchitecture = 89\nclock = 2e9"),
            ("w/a/src/lib.rs", ""),
            ("w/b/systolic-machine.toml", "name = \"Other\"\narchitecture = 86"),
            ("x/Cargo.lock", ""),
        ]);
        let at = |folder: &str, architectures: &str| choose(&scratch.path().join(folder), architectures);
        assert_eq!(at("w/a", "").machine.name, "Mine");
        assert_eq!(at("w/b", "").machine.name, "Other");
        assert_eq!(at("w/a", "89,80").machine.name, "Mine");
        assert_eq!(at("w/a", "90").machine.name, "NVIDIA H200", "code for another architecture");
        assert_eq!(at("w/a", "90").file, Some(scratch.path().join("w/systolic-machine.toml")), "it is watched");
        assert_eq!(at("x", "").machine.name, "NVIDIA H200", "what lies above the workspace is not ours");
        assert_ne!(heading(&at("w/a", "").machine), heading(&at("x", "89").machine));
    }

    #[test]
    fn a_wrong_file_is_an_error_with_its_place() {
        let scratch = Scratch::new(&[("Cargo.lock", ""), ("systolic-machine.toml", "architecture = 89\nclock = slow")]);
        let chosen = choose(scratch.path(), "80");
        let why = chosen.error.expect("an error");
        assert!(why.ends_with("systolic-machine.toml: line 2: `clock`: expected a number, found `slow`"), "{why}");
        assert_eq!(chosen.machine.name, "NVIDIA A100");
        std::fs::write(scratch.path().join("systolic-machine.toml"), [0xff, 0xfe]).expect("a file for tests");
        assert!(choose(scratch.path(), "").error.is_some());
    }
}
