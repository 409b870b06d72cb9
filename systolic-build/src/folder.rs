//! The folder that the macro reads: files appear only when they are complete, and stale files are removed.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens the folder at this path and creates it if necessary.
    pub fn open(path: &Path) -> Result<Folder, String> {
        std::fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Folder { path: path.to_path_buf() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file, whether it exists or not.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.file(name).is_file()
    }

    /// The text of a file, or `None` if it does not exist.
    pub fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.file(name)).ok()
    }

    /// Writes a text, unless the file has it already.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        if self.read(name).as_deref() == Some(text) {
            return Ok(());
        }
        self.make(name, |part| std::fs::write(part, text).map_err(|e| format!("{}: {e}", part.display())))
    }

    /// Creates a file under a temporary name and renames it once it is complete.
    pub fn make<R, E: From<String>>(&self, name: &str, make: impl FnOnce(&Path) -> Result<R, E>) -> Result<R, E> {
        let part = self.file(&format!("part_{name}"));
        let result = make(&part)?;
        std::fs::rename(&part, self.file(name)).map_err(|e| format!("{}: {e}", self.file(name).display()))?;
        Ok(result)
    }

    /// Removes every file except these.
    pub fn keep(&self, names: &BTreeSet<String>) -> Result<(), String> {
        let entries = std::fs::read_dir(&self.path).map_err(|e| format!("{}: {e}", self.path.display()))?;
        for entry in entries.flatten().filter(|e| !names.contains(&*e.file_name().to_string_lossy())) {
            remove(&entry.path())?;
        }
        Ok(())
    }

    /// Removes a file if it exists.
    pub fn remove(&self, name: &str) -> Result<(), String> {
        if self.has(name) { remove(&self.file(name)) } else { Ok(()) }
    }
}

fn remove(path: &Path) -> Result<(), String> {
    let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    removed.map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::Folder;
    use crate::scratch::Scratch;
    use std::collections::BTreeSet;

    fn names(folder: &Folder) -> Vec<String> {
        let entries = std::fs::read_dir(folder.path()).expect("it is there").flatten();
        let names: BTreeSet<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.into_iter().collect()
    }

    #[test]
    fn what_fails_leaves_no_file_of_its_name() {
        let scratch = Scratch::new(&[]);
        let folder = Folder::open(&scratch.path().join("f")).expect("a folder");
        folder.write("a", "old").expect("written");
        let failed = folder.make("a", |part| {
            std::fs::write(part, "half").expect("written");
            Err::<(), String>("broken".to_string())
        });
        assert_eq!((failed, folder.read("a").as_deref()), (Err("broken".to_string()), Some("old")));
        folder.keep(&BTreeSet::from(["a".to_string()])).expect("removed");
        assert_eq!(names(&folder), ["a"]);
    }

    /// An unchanged file keeps its modification time, so that it triggers no rebuild.
    #[test]
    fn what_is_right_is_left_alone() {
        let scratch = Scratch::new(&[("f/a", "text"), ("f/b", ""), ("f/c/d", "")]);
        let folder = Folder::open(&scratch.path().join("f")).expect("a folder");
        let time = || folder.file("a").metadata().and_then(|m| m.modified()).expect("a time");
        let before = time();
        folder.write("a", "text").expect("written");
        assert_eq!(time(), before);
        folder.keep(&BTreeSet::from(["a".to_string()])).expect("removed");
        assert_eq!(names(&folder), ["a"]);
    }
}
