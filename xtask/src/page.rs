//! Crates that a page shows, made from it in a folder outside of the repository, and run.
use crate::tools::{cargo, root, shown, target};
use std::path::PathBuf;

/// A page of the repository.
pub struct Page {
    name: &'static str,
    text: String,
}

impl Page {
    pub fn read(name: &'static str) -> Result<Page, String> {
        let text = std::fs::read_to_string(root().join(name)).map_err(|e| format!("{name}: {e}"))?;
        Ok(Page { name, text })
    }

    /// The fenced block of this number, from 0, among those with exactly these words after their fence.
    pub fn block(&self, words: &str, number: usize) -> Result<String, String> {
        let fence = format!("\n```{words}\n");
        let text = self.text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).nth(number);
        text.map(String::from).ok_or_else(|| format!("{} has no block {number} of `{words}`", self.name))
    }
}

/// A crate in a folder for temporary files, which goes when this does.
pub struct Crate {
    folder: PathBuf,
}

/// What a program has printed.
pub struct Printed {
    pub success: bool,
    /// What the program itself printed.
    pub out: String,
    /// What cargo said, the warnings of build scripts among it, and the program's errors.
    pub err: String,
}

impl Crate {
    /// A crate with the dependencies of this repository, each at the version of its lock file. One at a time: all have the
    /// same path, which is in what is built with them.
    pub fn new() -> Result<Crate, String> {
        let made = Crate { folder: std::env::temp_dir().join(format!("systolic-page-{}", std::process::id())) };
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
        made.write("Cargo.lock", &lock)?;
        Ok(made)
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let parent = path.parent().unwrap_or(&self.folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
        written.map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Writes the manifest; it is a workspace of its own, wherever the folder lies.
    pub fn manifest(&self, text: &str) -> Result<(), String> {
        self.write("Cargo.toml", &format!("{text}\n[workspace]\n"))
    }

    /// Runs cargo there. All pages share what they build; what the workspace fetched is enough.
    pub fn cargo(&self, arguments: &[&str]) -> Result<Printed, String> {
        let mut command = cargo();
        command.current_dir(&self.folder).args(arguments).arg("--offline");
        // What a page sets, it sets by its own files.
        command.env("CARGO_TARGET_DIR", built()).env_remove("CUDA_LIBRARY_PATH").env_remove("RUSTFLAGS");
        let output = command.output().map_err(|error| format!("{}: {error}", shown(&command)))?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let printed = Printed { success: output.status.success(), out: text(output.stdout), err: text(output.stderr) };
        println!("{}{}", printed.err, printed.out);
        Ok(printed)
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Where the crates of pages are built.
pub fn built() -> PathBuf {
    target().join("expectations/target")
}
