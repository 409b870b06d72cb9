//! Writes files so that they are there completely or as they were before, even if a signal comes in between.
use crate::terminal::say;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code after an interrupt, as shells give it.
const INTERRUPTED: i32 = 130;

/// Held while something is written that must not be left half done.
static WRITING: Mutex<()> = Mutex::new(());

/// Until it is dropped, an interrupt waits.
pub fn undisturbed() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An interrupt, or a request to end, lets a file that is being written become complete, and then ends the program.
pub fn watch_signals() -> Result<(), String> {
    let end = || {
        let _whole = undisturbed();
        say("interrupted");
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(end).map_err(|e| format!("could not watch for interrupts: {e}"))
}

/// Writes a file so that it is there completely or as it was before.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let _whole = undisturbed();
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|e| {
        // What was written of it is of no use; perhaps nothing was.
        let _ = std::fs::remove_file(&part);
        format!("could not write {}: {e}", path.display())
    })
}

/// Writes a file unless it has this text: cargo builds again what is newer.
pub fn update(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(());
    }
    replace(path, text)
}

/// Creates a folder and those around it.
pub fn folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|e| format!("could not create {}: {e}", path.display()))
}
