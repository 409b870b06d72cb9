//! Runs other programs: cargo, and those that it has built.
use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The cargo that called this program, or the one on the path.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The standard output of a command. Fails with what it wrote to its error output.
pub fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("could not run {name}: {e}"))?;
    await_signal(output.status);
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(said(&output.stderr, &format!("{name} failed with {}", output.status))),
    }
}

/// The same with a limit of time, after which the command is stopped.
pub fn output_within(command: &mut Command, limit: Duration) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("could not run {name}: {e}"))?;
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
    status.into_iter().for_each(await_signal);
    let [out, err] = readers.map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
    match status {
        None => Err(format!("it took more than {} s", limit.as_secs())),
        Some(status) if status.success() => Ok(String::from_utf8_lossy(&out).into_owned()),
        Some(status) => Err(said(&err, &format!("it failed with {status}"))),
    }
}

/// If a signal has ended a program, it may be for this one too: an interrupt in a terminal goes to both. Then this one ends by
/// it, and not by the error of the other.
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
