//! A program that measures: a package of its own below the folder in which cargo builds, with the `systolic` of the user's package.
use crate::command::{cargo, output};
use crate::files::update;
use crate::package::Package;
use std::path::PathBuf;

/// The package of a program.
pub struct Program {
    name: String,
    folder: PathBuf,
    /// Where it is built. All programs of a command share it, so that `systolic` is built once.
    target: PathBuf,
    profile: String,
}

impl Program {
    /// Prepares the package of a command and a subject, such as `tune` and `blur`.
    pub fn new(package: &Package, command: &str, subject: &str, gpu: bool, profile: &str) -> Result<Program, String> {
        let name = format!("systolic-{command}-{}", subject.to_ascii_lowercase());
        let around = package.target.join("systolic").join(command);
        let folder = around.join(subject);
        std::fs::create_dir_all(folder.join("src")).map_err(|e| format!("{}: {e}", folder.display()))?;
        let manifest = format!(
            "# Written by `cargo systolic {command}`.\n[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             publish = false\n\n{}\n[profile.release]\nincremental = false\n\n[workspace]\n",
            package.dependencies(gpu)?
        );
        update(&folder.join("Cargo.toml"), &manifest)?;
        let lock = folder.join("Cargo.lock");
        if let (Ok(text), false) = (std::fs::read_to_string(package.workspace.join("Cargo.lock")), lock.exists()) {
            // The versions that the user has; cargo removes what is not needed.
            update(&lock, &text)?;
        }
        let script = folder.join("build.rs");
        match gpu {
            true => update(&script, "fn main() {\n    systolic_build::compile();\n}\n")?,
            // It may be left over from a GPU; that it is not there is fine.
            false => drop(std::fs::remove_file(script)),
        }
        Ok(Program { name, folder, target: around.join("build"), profile: profile.to_string() })
    }

    /// Writes the sources, by name and text, and removes all others.
    pub fn write(&self, sources: &[(String, String)]) -> Result<(), String> {
        let folder = self.folder.join("src");
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries.flatten() {
            if !sources.iter().any(|(name, _)| entry.file_name() == name.as_str()) {
                std::fs::remove_file(entry.path()).map_err(|e| format!("{}: {e}", entry.path().display()))?;
            }
        }
        sources.iter().try_for_each(|(name, text)| update(&folder.join(name), text))
    }

    /// Builds the program and returns its path. Fails with the messages of cargo, one line per error.
    pub fn build(&self) -> Result<PathBuf, String> {
        let mut command = cargo();
        command.current_dir(&self.folder).args([
            "build",
            "--quiet",
            "--message-format",
            "short",
            "--profile",
            &self.profile,
        ]);
        // Warnings of rustc are about code that nobody wrote.
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_TERM_COLOR", "never");
        output(&mut command)?;
        let folder = if self.profile == "dev" { "debug" } else { &self.profile };
        Ok(self.target.join(folder).join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX)))
    }
}

/// The sources that the messages of a build are about: `src/c3.rs:1:1: error: …` is about `c3.rs`.
pub fn guilty(messages: &str, sources: &[String]) -> Vec<(String, String)> {
    let of = |name: &String| {
        let place = format!("src/{name}:");
        let line = messages.lines().find(|line| line.starts_with(&place) && line.contains(": error"))?;
        let why = line.split_once(": error").map_or("", |(_, why)| why.split_once(": ").map_or(why, |(_, why)| why));
        Some((name.clone(), why.trim().to_string()))
    };
    sources.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::guilty;

    #[test]
    fn who_is_guilty() {
        let messages = "src/c1.rs:3:5: warning: unused\nsrc/c2.rs:7:1: error[E0080]: too long\nsrc/c10.rs:1:1: error: causality: no\n\
                        error: could not compile";
        let names = ["c1.rs", "c2.rs", "c10.rs", "c0.rs"].map(String::from);
        let expected =
            [("c2.rs", "too long"), ("c10.rs", "causality: no")].map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!(guilty(messages, &names), expected);
    }
}
