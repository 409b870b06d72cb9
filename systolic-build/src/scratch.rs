//! A folder of files for one test, removed when the test ends.
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder with these files, given by name and text.
    pub fn new(files: &[(&str, &str)]) -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("systolic-build-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for tests");
        let scratch = Scratch(folder.canonicalize().expect("it is there"));
        files.iter().for_each(|(name, text)| scratch.write(name, text));
        scratch
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder for tests");
        std::fs::write(path, text).expect("a file for tests");
    }

    /// The path of a file relative to the folder.
    pub fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.0).expect("below the folder").to_string_lossy().replace('\\', "/")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If removal fails, the files stay in the temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
