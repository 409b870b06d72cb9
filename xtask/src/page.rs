//! Creates the crates that a documentation page shows, in a folder outside the repository, and runs them.
use crate::log::say;
use crate::tools::{cargo, root, shown, target};
use std::path::PathBuf;

/// A documentation page of the repository.
pub struct Page {
    name: &'static str,
    text: String,
}

impl Page {
    pub fn read(name: &'static str) -> Result<Page, String> {
        let text = std::fs::read_to_string(root().join(name)).map_err(|e| format!("{name}: {e}"))?;
        Ok(Page { name, text })
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The fenced block with this number, from 0, among those with exactly these words after the opening fence.
    pub fn block(&self, words: &str, number: usize) -> Result<String, String> {
        let fence = format!("\n```{words}\n");
        let text = self.text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).nth(number);
        text.map(String::from).ok_or_else(|| format!("{} has no block {number} of `{words}`", self.name))
    }
}

/// A crate in a temporary folder, which is removed on drop.
pub struct Crate {
    folder: PathBuf,
}

/// The output of a program.
pub struct Printed {
    pub success: bool,
    /// The standard output of the program.
    pub out: String,
    /// The messages of cargo, including warnings of build scripts, and the standard error of the program.
    pub err: String,
}

impl Crate {
    /// Creates a crate with the dependencies of this repository, at the versions of its lock file. Only one may exist
    /// at a time: all use the same path, which becomes part of the build outputs.
    pub fn new() -> Result<Crate, String> {
        let package = Crate { folder: std::env::temp_dir().join(format!("systolic-page-{}", std::process::id())) };
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
        package.write("Cargo.lock", &lock)?;
        Ok(package)
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let parent = path.parent().unwrap_or(&self.folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
        written.map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Writes the manifest. The crate is its own workspace, wherever the folder lies.
    pub fn manifest(&self, text: &str) -> Result<(), String> {
        self.write("Cargo.toml", &format!("{text}\n[workspace]\n"))
    }

    /// Fetches dependencies that the workspace does not have. Fails without a network.
    pub fn fetch(&self) -> Result<(), String> {
        let output = cargo().current_dir(&self.folder).arg("fetch").output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said.trim().to_string()) }
    }

    /// Runs cargo in the crate. All pages share a target folder and need only dependencies that the workspace has
    /// fetched.
    pub fn cargo(&self, arguments: &[&str]) -> Result<Printed, String> {
        let mut command = cargo();
        command.current_dir(&self.folder).args(arguments).arg("--offline");
        // Settings of a page must come from its own files, not from this environment.
        command.env("CARGO_TARGET_DIR", built()).env_remove("CUDA_LIBRARY_PATH").env_remove("RUSTFLAGS");
        let output = command.output().map_err(|error| format!("{}: {error}", shown(&command)))?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let printed = Printed { success: output.status.success(), out: text(output.stdout), err: text(output.stderr) };
        say!("{}{}", printed.err, printed.out);
        Ok(printed)
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        // If removal fails, the files stay in the temporary folder.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The target folder of the crates of pages.
pub fn built() -> PathBuf {
    target().join("expectations/target")
}
