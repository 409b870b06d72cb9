//! Peers in Python: one process that filters an image on request and reports the time.
use crate::contest::{Cores, Run};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use systolic::ndarray::Array2;

/// The packages that pip installs.
const PACKAGES: [&str; 3] = ["numpy", "scipy", "opencv-python-headless"];

/// A running `peers.py`, or the reason why there is none.
pub struct Python {
    process: Result<Process, String>,
    /// Each peer's version, or the reason why it is not available.
    peers: BTreeMap<String, Result<String, String>>,
    folder: PathBuf,
}

struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Process {
    fn start() -> Result<Process, String> {
        let script = here().join("peers.py");
        let mut child = Command::new(interpreter())
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("python3: {e}"))?;
        let (to, from) = (child.stdin.take().ok_or("no input")?, child.stdout.take().ok_or("no output")?);
        Ok(Process { child, to, from: BufReader::new(from) })
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            Ok(0) => Err("peers.py has ended".to_string()),
            Ok(_) => Ok(line.trim_end().to_string()),
            Err(e) => Err(format!("peers.py: {e}")),
        }
    }

    /// Sends a request and returns the text after `ok` in its answer.
    fn ask(&mut self, request: &[&str]) -> Result<String, String> {
        writeln!(self.to, "{}", request.join("\t")).map_err(|e| format!("peers.py: {e}"))?;
        let answer = self.line()?;
        answer.strip_prefix("ok").map(|rest| rest.trim().to_string()).ok_or(answer)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Errors do not matter: the process is no longer needed.
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

impl Python {
    /// Starts the process, if there is Python, and sends it the image.
    pub fn start(image: &Array2<f32>) -> Result<Python, String> {
        let folder = std::env::temp_dir().join(format!("bench-cpu-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut python = Python { process: Process::start(), peers: BTreeMap::new(), folder };
        if let Ok(process) = &mut python.process {
            // Every peer reports in one line whether it is available; an empty line ends the list.
            loop {
                let line = process.line()?;
                let Some((name, rest)) = line.split_once('\t') else { break };
                let found = rest.strip_prefix("version ").map(String::from).ok_or(rest.to_string());
                python.peers.insert(name.to_string(), found);
            }
        }
        let (rows, columns) = (image.nrows().to_string(), image.ncols().to_string());
        let path = python.put("image", image.iter())?;
        python.ask_if_there(&["image", &path, &rows, &columns])?;
        Ok(python)
    }

    /// Sets the filter for the following runs.
    pub fn filter(&mut self, weights: &[f32], side: usize) -> Result<(), String> {
        let path = self.put("filter", weights.iter())?;
        self.ask_if_there(&["filter", &path, &side.to_string()])
    }

    fn ask_if_there(&mut self, request: &[&str]) -> Result<(), String> {
        match &mut self.process {
            Ok(process) if self.peers.values().any(Result::is_ok) => process.ask(request).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// The version of a peer, or the reason why it is not available.
    fn version(&self, peer: &str) -> Result<String, String> {
        match (&self.process, self.peers.get(peer)) {
            (Err(why), _) => Err(why.clone()),
            (Ok(_), Some(found)) => found.clone(),
            (Ok(_), None) => Err("not installed".to_string()),
        }
    }

    /// Runs once; with `keep` reads the result back.
    fn run(&mut self, peer: &str, cores: Cores, keep: bool, z: &mut Array2<f32>) -> Result<Duration, String> {
        let path = self.folder.join("result");
        let (path, cores) = (path.to_str().ok_or("a folder without a name")?, cores.count().to_string());
        let process = self.process.as_mut().map_err(|why| why.clone())?;
        let seconds = process.ask(&["run", peer, &cores, if keep { path } else { "" }])?;
        if keep {
            let bytes = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
            if bytes.len() != 4 * z.len() {
                return Err(format!("{} bytes instead of {}", bytes.len(), 4 * z.len()));
            }
            // Written into the existing array: a new one might not be aligned to cache lines, which would slow down all
            // later contestants.
            let values = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            z.iter_mut().zip(values).for_each(|(z, value)| *z = value);
        }
        let seconds: f64 = seconds.parse().map_err(|_| format!("`{seconds}` is no time"))?;
        Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
    }

    /// Writes floats to a file and returns its path.
    fn put<'a>(&self, name: &str, values: impl Iterator<Item = &'a f32>) -> Result<String, String> {
        let path = self.folder.join(name);
        let bytes: Vec<u8> = values.flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        path.to_str().map(String::from).ok_or("a folder without a name".to_string())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // The files are only for the other process; if removal fails, they stay in the temporary folder.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A peer as a contestant. Fails with the reason if it is not available.
pub fn peer<'a>(python: &'a RefCell<Python>, name: &'a str, cores: Cores) -> Result<Run<'a, Array2<f32>>, String> {
    python.borrow().version(name)?;
    Ok(Box::new(move |z, keep| python.borrow_mut().run(name, cores, keep, z)))
}

/// Creates `.venv` and installs the peers there.
pub fn install() -> Result<(), String> {
    let venv = here().join(".venv");
    let run = |command: &mut Command| match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} ended with {status}")),
        Err(e) => Err(format!("{command:?}: {e}")),
    };
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    run(Command::new(interpreter()).args(["-m", "pip", "install"]).args(PACKAGES))
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The Python of `.venv` if there is one, else the system's.
fn interpreter() -> PathBuf {
    let ours = here().join(".venv/bin/python3");
    if ours.exists() { ours } else { "python3".into() }
}
