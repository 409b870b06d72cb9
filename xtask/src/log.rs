//! Where a step prints. While steps run side by side, each prints to a file of its own, which is shown as a whole when the step
//! ends. A step that runs alone prints to the terminal.
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

thread_local! {
    /// The file of the step that runs on this thread.
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// The output of a step in a file, which stays for later reading.
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// An empty file. Everything is appended, so that commands and this program can write to it in turns.
    pub fn create(path: &Path) -> Result<Log, String> {
        let said = |e: std::io::Error| format!("{}: {e}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(said)?;
        }
        if path.exists() {
            std::fs::remove_file(path).map_err(said)?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(said)?;
        Ok(Log { path: path.to_path_buf(), file })
    }

    /// Calls the function. What it says on this thread goes to the file.
    pub fn collect<T>(&self, run: impl FnOnce() -> T) -> Result<T, String> {
        let file = self.file.try_clone().map_err(|e| format!("{}: {e}", self.path.display()))?;
        let before = FILE.replace(Some(file));
        let result = run();
        FILE.set(before);
        Ok(result)
    }

    /// Everything that was written. It is read as text, whatever commands wrote.
    pub fn text(mut self) -> Result<String, String> {
        let mut bytes = Vec::new();
        let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes));
        read.map_err(|e| format!("{}: {e}", self.path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Prints a line for the step that runs on this thread.
pub fn line(text: &str) {
    FILE.with_borrow_mut(|file| match file {
        // If the disk is full, the commands of the step fail and say so.
        Some(file) => drop(writeln!(file, "{text}")),
        None => println!("{text}"),
    });
}

/// Makes a command write where the step of this thread writes.
pub fn attach(command: &mut Command) -> std::io::Result<()> {
    FILE.with_borrow(|file| {
        if let Some(file) = file {
            command.stdout(file.try_clone()?).stderr(file.try_clone()?);
        }
        Ok(())
    })
}

/// Prints a line, as `println!` does, for the step that runs on this thread.
macro_rules! say {
    ($($words:tt)*) => { $crate::log::line(&format!($($words)*)) };
}
pub(crate) use say;

#[cfg(test)]
mod tests {
    use super::{Log, attach, line};
    use std::process::Command;

    #[test]
    fn commands_and_lines_in_turns() {
        let path = std::env::temp_dir().join(format!("systolic-log-{}/a step.txt", std::process::id()));
        for _ in 0..2 {
            let log = Log::create(&path).unwrap();
            let both = || {
                line("first");
                let mut command = Command::new("rustc");
                attach(&mut command).unwrap();
                assert!(command.arg("--version").status().unwrap().success());
                line("last");
                7
            };
            assert_eq!(log.collect(both), Ok(7));
            line("after it, on the terminal");
            let text = log.text().unwrap();
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.len() == 3 && lines[0] == "first" && lines[1].starts_with("rustc ") && lines[2] == "last");
        }
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
