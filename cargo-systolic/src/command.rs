//! Runs other programs: cargo, and those that it has built.
use std::collections::BTreeSet;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The programs that run now, by number. Each leads a group, so that those that it starts can be ended with it.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Starts a program, which ends with this one if a signal does.
fn start(command: &mut Command) -> std::io::Result<Child> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // While this is held, no signal can come between the start and the note of it.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    running.insert(child.id());
    Ok(child)
}

/// Notes that a program has ended: its number may be given to another one.
fn ended(child: &Child) {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&child.id());
}

/// Ends all programs that run, with those that they have started, and lets no other one start.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    #[cfg(unix)]
    for group in running.iter() {
        // It may have ended in between.
        let _ = Command::new("kill").args(["-TERM", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
    }
    // This program ends now.
    std::mem::forget(running);
}

/// The cargo that called this program, or the one on the path.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

const NOT_RUN: &str = "could not run ";

/// Whether a command failed because its program could not be started.
pub fn is_not_there(why: &str) -> bool {
    why.starts_with(NOT_RUN)
}

/// The standard output of a command. Fails with what it wrote to its error output.
pub fn output(command: &mut Command) -> Result<String, String> {
    outputs(command).map(|(out, _)| out)
}

/// What a command writes to its output, and then what it writes to its error output.
pub fn output_of_both(command: &mut Command) -> Result<String, String> {
    outputs(command).map(|(out, err)| out + &err)
}

fn outputs(command: &mut Command) -> Result<(String, String), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = start(command).map_err(|e| format!("{NOT_RUN}{name}: {e}"))?;
    let readers = [child.stdout.take().map(reader), child.stderr.take().map(reader)];
    let status = child.wait();
    ended(&child);
    let status = status.map_err(|e| format!("could not run {name}: {e}"))?;
    await_signal(status);
    let [out, err] = readers.map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match status.success() {
        true => Ok((text(&out), text(&err))),
        false => Err(said(&err, &format!("{name} failed with {status}"))),
    }
}

/// The same with a limit of time, after which the command is stopped.
pub fn output_within(command: &mut Command, limit: Duration) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let started = Instant::now();
    let mut child = start(command).map_err(|e| format!("could not run {name}: {e}"))?;
    // Read while it runs: a full pipe would stop it.
    let readers = [child.stdout.take().map(reader), child.stderr.take().map(reader)];
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break Some(status),
            None if started.elapsed() > limit => {
                // It may have ended in between.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    ended(&child);
    status.into_iter().for_each(await_signal);
    let [out, err] = readers.map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
    match status {
        None => Err(format!("it took more than {} s", limit.as_secs())),
        Some(status) if status.success() => Ok(String::from_utf8_lossy(&out).into_owned()),
        Some(status) => Err(said(&err, &format!("it failed with {status}"))),
    }
}

/// If a signal has ended a program, it may be for this one too, and this one has ended the other. Then it ends by that signal, and
/// not by the error of the other.
fn await_signal(status: ExitStatus) {
    if status.code().is_none() {
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn reader(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is kept.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

fn said(stderr: &[u8], otherwise: &str) -> String {
    let text = String::from_utf8_lossy(stderr).trim().to_string();
    if text.is_empty() { otherwise.to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{output, output_within};
    use std::process::Command;
    use std::time::Duration;

    #[test]
    #[cfg(unix)]
    fn results_reasons_and_limits() {
        let sh = |text: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", text]);
            command
        };
        assert_eq!(output(&mut sh("echo yes")).as_deref(), Ok("yes\n"));
        assert_eq!(output(&mut sh("echo no >&2; exit 3")), Err("no".to_string()));
        let long = Duration::from_secs(60);
        assert_eq!(output_within(&mut sh("echo yes"), long).as_deref(), Ok("yes\n"));
        assert_eq!(output_within(&mut sh("echo no >&2; exit 3"), long), Err("no".to_string()));
        let slept = output_within(&mut sh("exec sleep 100"), Duration::from_millis(50));
        assert_eq!(slept, Err("it took more than 0 s".to_string()));
        assert!(output(&mut Command::new("no-such-program-there")).is_err());
    }
}
