//! Writes files so that they are there completely or as they were before, even if a signal comes in between.
use crate::command::end_all;
use crate::terminal::say;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The exit code after an interrupt, as shells give it.
const INTERRUPTED: i32 = 130;

/// How much is being written that must not be left half done, and a bell that rings when something of it is complete.
static WRITING: Mutex<usize> = Mutex::new(0);
static COMPLETE: Condvar = Condvar::new();

/// Until it is dropped, an interrupt waits. There may be one inside another.
pub struct Undisturbed(());

pub fn undisturbed() -> Undisturbed {
    *WRITING.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    Undisturbed(())
}

impl Drop for Undisturbed {
    fn drop(&mut self) {
        *WRITING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        COMPLETE.notify_all();
    }
}

/// Waits until nothing is being written, and lets nothing begin.
fn stop_writing() -> MutexGuard<'static, usize> {
    let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    COMPLETE.wait_while(writing, |count| *count > 0).unwrap_or_else(PoisonError::into_inner)
}

/// An interrupt, or a request to end, lets a file that is being written become complete, and then ends the programs that this one
/// has started, and this one.
pub fn watch_signals() -> Result<(), String> {
    let end = || {
        let _whole = stop_writing();
        end_all();
        say("interrupted");
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(end).map_err(|e| format!("could not watch for interrupts: {e}"))
}

/// Writes a file so that it is there completely or as it was before. A device or a pipe is written to as it is.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let written = if is_stream(path) { write_to(path, text) } else { replace_file(path, text) };
    written.map_err(|e| format!("could not write {}: {e}", path.display()))
}

/// Whether there is something that is neither a file nor a folder, or a link to it.
fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// An interrupt does not wait for this: a pipe may have no reader.
fn write_to(path: &Path, text: &str) -> std::io::Result<()> {
    std::fs::File::options().write(true).open(path)?.write_all(text.as_bytes())
}

fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    let _whole = undisturbed();
    let file = behind_links(path);
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    // Who may read a file stays as it was.
    let allow = || match std::fs::metadata(&file) {
        Ok(before) if before.is_file() => std::fs::set_permissions(&part, before.permissions()),
        _ => Ok(()),
    };
    let written = std::fs::write(&part, text).and_then(|()| allow()).and_then(|()| std::fs::rename(&part, &file));
    written.inspect_err(|_| {
        // What was written of it is of no use; perhaps nothing was.
        let _ = std::fs::remove_file(&part);
    })
}

/// The file that a link leads to, even if that is not there yet: a link stays a link.
fn behind_links(path: &Path) -> PathBuf {
    let link = || Some(path.parent()?.join(std::fs::read_link(path).ok()?));
    path.canonicalize().ok().or_else(link).unwrap_or_else(|| path.to_path_buf())
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

#[cfg(test)]
mod tests {
    use super::{replace, update};

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = std::env::temp_dir().join(format!("systolic-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (file, link) = (folder.join("file"), folder.join("link"));
        std::fs::write(&file, "before").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("a file");
        symlink(&file, &link).expect("a link");
        replace(&link, "after").expect("it is written");
        update(&folder.join("new"), "new").expect("it is written");
        let (absent, early) = (folder.join("absent"), folder.join("early"));
        symlink("absent", &early).expect("a link");
        replace(&early, "now there").expect("it is written");
        let early = (std::fs::read_to_string(absent).ok(), early.is_symlink());
        let text = std::fs::read_to_string(&file).expect("a file");
        let mode = std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777;
        let is_link = std::fs::symlink_metadata(&link).expect("a link").is_symlink();
        let refused = replace(&folder, "a folder is in the way");
        let count = std::fs::read_dir(&folder).expect("a folder").count();
        std::fs::remove_dir_all(&folder).expect("it was there");
        assert_eq!((text.as_str(), mode, is_link, count), ("after", 0o600, true, 5));
        assert_eq!(early, (Some("now there".to_string()), true));
        assert!(refused.is_err_and(|why| why.starts_with("could not write ")));
    }
}
