//! A folder of a user in which commands run.
#![allow(dead_code)]
pub mod browser;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

pub const MANIFEST: &str = "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

/// A kernel without a fault.
pub const BLUR: &str = "systolic::systolic! {
    kernel blur(x: [f32; N] border clamp) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 0.25 * x[n - 1] + 0.5 * x[n] + 0.25 * x[n + 1]; }
    }
}
";

/// A kernel whose read leaves its array.
pub const OUTSIDE: &str = "systolic::systolic! {
    kernel outside(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { z[n] = x[n + 1]; }
    }
}
";

/// A kernel whose variables go along the same loop in both directions: no single map suits both.
pub const THERE_AND_BACK: &str = "systolic::systolic! {
    kernel smooth(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            A[r, c] = 0.5 * x[r, c] + 0.5 * if c == 0 { x[r, c] } else { A[r, c - 1] };
            B[r, c] = 0.5 * A[r, c] + 0.5 * if c == C - 1 { A[r, c] } else { B[r, c + 1] };
            z[r, c] = B[r, c];
        }
    }
}
";

pub struct User {
    pub folder: PathBuf,
}

/// How a command ended, and what it said.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl User {
    /// An empty folder.
    pub fn nowhere(name: &str) -> User {
        // Not below the target folder of this workspace, which is a package.
        let folder = std::env::temp_dir().join(format!("systolic-{name}-{}", std::process::id()));
        User::in_folder(folder)
    }

    /// A package with this `src/lib.rs`.
    pub fn new(name: &str, source: &str) -> User {
        let user = User::in_folder(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name));
        user.write("Cargo.toml", MANIFEST);
        user.write("src/lib.rs", source);
        user
    }

    fn in_folder(folder: PathBuf) -> User {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("an old folder goes");
        }
        std::fs::create_dir_all(&folder).expect("a folder");
        User { folder }
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// The versions of this workspace for a package.
    pub fn lock(&self) {
        self.write("Cargo.lock", &std::fs::read_to_string(repository().join("Cargo.lock")).expect("a lock file"));
    }

    /// A program that is a script of a shell.
    #[cfg(unix)]
    pub fn program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.folder.join(name), mode).expect("a program");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-systolic"));
        command.arg("systolic").args(words).current_dir(&self.folder).stdin(Stdio::null());
        command.env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true");
        for name in ["CUDA_LIBRARY_PATH", "NVCC", "CUDA_PATH", "CUDA_HOME", "NVCC_CCBIN", "CXX", "HOST_CXX"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, words: &[&str]) -> Said {
        said(&self.command(words).output().expect("it runs"))
    }

    /// All files below the folder, with their texts, in order. What cargo builds is left out.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        walk(&self.folder, &self.folder, &mut files);
        files.sort();
        files
    }

    /// Files that are only there in part.
    pub fn parts(&self) -> Vec<String> {
        self.files().into_iter().map(|(name, _)| name).filter(|name| name.contains(".part")).collect()
    }
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if entry.file_name() == "target" => {}
            true => walk(root, &path, files),
            false => {
                let name = path.strip_prefix(root).expect("below").display().to_string();
                files.push((name, std::fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
}

pub fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Sends a process a signal, `TERM` or `INT`. Returns whether it was there.
pub fn signal(child: &Child, name: &str) -> bool {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).output();
    sent.expect("kill runs").status.success()
}

/// The folder of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// The data of a page of `explain`.
pub fn data(page: &str) -> serde_json::Value {
    let data = page.split("const PAGE = ").nth(1).and_then(|rest| rest.split(";\n").next()).expect("data");
    serde_json::from_str(data).expect("JSON")
}

/// The lines of one of the texts of a page, with the statements of each: different ones stand once, then the indentation and the number
/// of every line.
pub fn lines(text: &serde_json::Value) -> Vec<(String, Vec<u64>)> {
    let number = |value: &serde_json::Value| value.as_u64().expect("a number") as usize;
    let of = |pair: &[serde_json::Value]| {
        let (indent, line) = (number(&pair[0]), &text[0][number(&pair[1])]);
        let statements = line[1].as_array().map_or(Vec::new(), |all| all.iter().map(|k| number(k) as u64).collect());
        (format!("{:indent$}{}", "", line[0].as_str().expect("a text")), statements)
    };
    text[1].as_array().expect("an order").chunks(2).map(of).collect()
}
