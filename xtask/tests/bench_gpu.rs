//! Tests the script that measures on a GPU, with another program in place of the benchmark. A successful run replaces
//! the earlier results; a run that is rejected, gives wrong results or is stopped keeps them and says why. A run
//! without timings keeps them too.
#![cfg(target_os = "linux")]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/gpu/run.sh");
/// The files that the benchmark writes.
const FILES: [&str; 2] = ["bench-gpu.json", "tables.md"];
/// Longer than the script takes if its program ends at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// Creates a folder with the script, this program and the results of an earlier run.
fn folder(name: &str, program: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-gpu-{name}"));
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder");
    }
    std::fs::create_dir_all(folder.join("results")).expect("a folder");
    std::fs::copy(SCRIPT, folder.join("run.sh")).expect("the script");
    let path = folder.join("bench-gpu");
    std::fs::write(&path, format!("#!/bin/sh\n{program}\n")).expect("a program");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program that can be run");
    for file in FILES.iter().chain(&["cudnn.json"]) {
        std::fs::write(folder.join("results").join(file), "old").expect("a file");
    }
    folder
}

fn start(folder: &Path, words: &[&str]) -> Child {
    let mut command = Command::new("sh");
    command.arg(folder.join("run.sh")).args(words).env("OUT", folder.join("results")).env_remove("LD_LIBRARY_PATH");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell")
}

fn ended(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().expect("an end");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

/// The text of a result file.
fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join("results").join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// The file names in the results folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("results")).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Checks that the old results are unchanged and that those of the failed run lie in `failed`.
fn check_old(folder: &Path, said: &str, why: &str) {
    assert!(said.contains(why) && said.contains("are as they were"), "{said}");
    assert_eq!(names(folder), ["bench-gpu.json", "cudnn.json", "failed", "tables.md"]);
    FILES.iter().for_each(|file| assert_eq!(text(folder, file), "old", "{file}"));
}

#[test]
fn what_ends_well_replaces_the_old() {
    let folder = folder("right", "echo new; echo new >bench-gpu.json");
    let (code, said) = ended(start(&folder, &[]));
    assert_eq!(code, Some(0), "{said}");
    FILES.iter().for_each(|file| assert_eq!(text(&folder, file), "new\n", "{file}"));
    assert_eq!(names(&folder), ["bench-gpu.json", "device.csv", "tables.md"]);
}

#[test]
fn what_is_refused_leaves_the_old() {
    let folder = folder("refused", "echo 'no CUDA driver' >&2; exit 2");
    let (code, said) = ended(start(&folder, &[]));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no CUDA driver"), "{said}");
    check_old(&folder, &said, "ended with 2");
}

#[test]
fn what_is_wrong_leaves_the_old() {
    let folder = folder("wrong", "echo FAILED; echo new >bench-gpu.json; exit 1");
    let (code, said) = ended(start(&folder, &[]));
    assert_eq!(code, Some(1), "{said}");
    check_old(&folder, &said, "ended with 1");
    assert_eq!(text(&folder, "failed/tables.md"), "FAILED\n");
}

#[test]
fn sizes_leave_the_old() {
    for (result, code) in [("right", 0), ("wrong", 1)] {
        let folder = folder(&format!("sizes-{result}"), &format!("echo \"$@\" >&2; echo new; exit {code}"));
        let (found, said) = ended(start(&folder, &["sizes", "conv2d"]));
        assert_eq!((found, said.trim()), (Some(code), "--sizes conv2d"));
        assert_eq!(names(&folder), ["bench-gpu.json", "cudnn.json", "tables.md"]);
        FILES.iter().for_each(|file| assert_eq!(text(&folder, file), "old", "{file}"));
    }
}

#[test]
fn what_is_stopped_half_way_leaves_the_old() {
    let folder = folder("stopped", "echo new >bench-gpu.json; echo $$ >../../process; exec sleep 600");
    let (script, began) = (start(&folder, &[]), Instant::now());
    let process = loop {
        let process = std::fs::read_to_string(folder.join("process")).unwrap_or_default();
        if process.ends_with('\n') {
            break process.trim().to_string();
        }
        assert!(began.elapsed() < PATIENCE, "the program does not begin");
        std::thread::sleep(Duration::from_millis(20));
    };
    let sent = Command::new("kill").args(["-TERM", &script.id().to_string()]).status().expect("a signal");
    assert!(sent.success());
    let (code, said) = ended(script);
    assert_eq!(code, Some(130), "{said}");
    check_old(&folder, &said, "was stopped");
    let is_gone = || !Path::new("/proc").join(&process).join("exe").exists();
    while !is_gone() {
        assert!(began.elapsed() < PATIENCE, "the program goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A killed script cannot print a reason, but no results are lost.
#[test]
fn what_is_killed_leaves_the_old() {
    let folder = folder("killed", "echo new >bench-gpu.json; kill -KILL $PPID; exit 0");
    let (code, said) = ended(start(&folder, &[]));
    assert_eq!(code, None, "{said}");
    FILES.iter().for_each(|file| assert_eq!(text(&folder, file), "old", "{file}"));
}
