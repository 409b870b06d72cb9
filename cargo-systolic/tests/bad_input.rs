//! Every command with what it cannot use: no package, no such kernel, sources that are not Rust, outputs that cannot be written,
//! readers that go away, and signals in the middle.
#![cfg(unix)]
mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{BLUR, User, said, signal};

const ABOUT_KERNELS: [&str; 3] = ["explain", "compare", "tune"];

#[test]
fn outside_a_package() {
    let user = User::nowhere("outside");
    for words in [&["check"][..], &["explain", "blur"], &["compare", "blur"], &["tune", "blur", "--on", "cpu"]] {
        let said = user.run(words);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(said.err.starts_with("error: could not find `Cargo.toml`"), "{words:?}: {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    }
    assert_eq!(user.files(), []);
    std::fs::remove_dir_all(&user.folder).expect("it was there");
}

#[test]
fn kernels_that_are_not_there_or_cannot_be_read() {
    let user = User::new("unknown", BLUR);
    for command in ABOUT_KERNELS {
        let said = user.run(&[command, "blurr"]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}");
        assert_eq!(said.err, "error: there is no kernel `blurr` in `mine`; did you mean `blur`?\n", "{command}");
    }
    user.write("src/lib.rs", "");
    let said = user.run(&["explain", "blur"]);
    assert_eq!(said.err, "error: there is no kernel `blur` in `mine`: it has no kernels\n");
    user.write("src/lib.rs", "fn open() {");
    for command in ABOUT_KERNELS {
        let said = user.run(&[command, "blur"]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}");
        assert!(said.err.ends_with("src/lib.rs:1:11: this is not valid Rust\n"), "{command}: {}", said.err);
    }
    user.write("Cargo.toml", "[package\n");
    for words in [&["check"][..], &["init"], &["explain", "blur"]] {
        let said = user.run(words);
        assert!(said.code == Some(2) && said.err.starts_with("error: "), "{words:?}: {:?} {}", said.code, said.err);
    }
}

/// Folders in the way of files, and a file in the way of a folder.
#[test]
fn outputs_that_cannot_be_written() {
    let user = User::new("unwritable", BLUR);
    let failed = |words: &[&str], expected: &str| {
        let said = user.run(words);
        assert_eq!(said.code, Some(2), "{words:?}: {}", said.err);
        assert!(said.err.starts_with("error: ") && said.err.contains(expected), "{words:?}: {}", said.err);
        assert_eq!(user.parts(), Vec::<String>::new());
    };
    failed(&["explain", "blur", "--output", "src"], "could not write src: ");
    failed(&["explain", "blur", "--output", "none/page.html"], "could not write none/page.html: ");
    user.write("systolic-tune.json/in_the_way", "");
    failed(&["tune", "blur", "--on", "cpu"], "systolic-tune.json: ");
    failed(&["compare", "blur"], "systolic-tune.json: ");
    std::fs::remove_dir_all(user.folder.join("systolic-tune.json")).expect("it was there");
    user.write("target", "a file");
    failed(&["explain", "blur"], "could not create ");
    user.write("build.rs/in_the_way", "");
    let before = user.files();
    failed(&["init", "--dry-run"], "build.rs");
    assert_eq!(user.files(), before);
    if std::path::Path::new("/dev/full").exists() {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let full = said(&user.command(&["doctor"]).stdout(full).output().expect("it runs"));
        assert_eq!(full.code, Some(2));
        assert!(full.err.starts_with("error: could not write the output: "), "{}", full.err);
    }
}

/// What is no file is written to as it is, and stays what it is; a link stays a link.
#[test]
fn outputs_that_are_no_files() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let user = User::new("streams", BLUR);
    let page = |out: &str| out.starts_with("<!doctype html>") && out.ends_with("</html>\n");
    let made = Command::new("mkfifo").arg(user.folder.join("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    let reader = Command::new("cat").arg(user.folder.join("pipe")).stdout(Stdio::piped()).spawn().expect("it runs");
    let to_pipe = user.run(&["explain", "blur", "--output", "pipe"]);
    let there = std::fs::metadata(user.folder.join("pipe")).expect("it is there");
    if !there.file_type().is_fifo() {
        // Nothing would ever write to its reader.
        signal(&reader, "TERM");
        panic!("the pipe was replaced");
    }
    let read = said(&reader.wait_with_output().expect("it ends"));
    assert_eq!((to_pipe.code, to_pipe.out.as_str()), (Some(0), "pipe\n"));
    assert!(page(&read.out), "{}", read.out);
    user.write("page.html", "before");
    symlink("page.html", user.folder.join("link")).expect("a link");
    assert_eq!(user.run(&["explain", "blur", "--output", "link"]).code, Some(0));
    assert!(user.folder.join("link").is_symlink() && page(&user.read("page.html")));
    for name in ["-", "/dev/stdout"] {
        let to_output = user.run(&["explain", "blur", "--output", name]);
        assert!(to_output.code == Some(0) && page(&to_output.out), "{name}: {}", to_output.err);
    }
    assert!(!user.folder.join("-").exists());
    let is_device = || std::fs::metadata("/dev/full").is_ok_and(|full| full.file_type().is_char_device());
    if is_device() {
        let full = user.run(&["explain", "blur", "--output", "/dev/full"]);
        assert_eq!((full.code, full.out.as_str()), (Some(2), ""));
        let reason = "error: could not write /dev/full: No space left on device";
        assert!(full.err.starts_with(reason) && is_device(), "{}", full.err);
    }
}

#[test]
fn readers_that_go_away() {
    let user = User::new("closed", BLUR);
    let away: [(&[&str], i32); 7] = [
        (&["doctor"], 1),
        (&["check"], 0),
        (&["compare", "blur"], 0),
        (&["explain", "blur", "--as", "text"], 0),
        (&["init", "--dry-run"], 0),
        (&["completions", "bash"], 0),
        (&["help"], 0),
    ];
    for (words, code) in away {
        // Both ends go away, first the output, then both.
        for both in [false, true] {
            let mut command = user.command(words);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
            drop(child.stdout.take());
            if both {
                drop(child.stderr.take());
            }
            let ended = said(&child.wait_with_output().expect("it ends"));
            assert_eq!(ended.code, Some(code), "{words:?}: {}", ended.err);
            assert!(!ended.err.contains("panicked"), "{words:?}: {}", ended.err);
        }
    }
}

/// A signal at any moment leaves the file of before, or the new one.
#[test]
fn a_signal_while_a_page_is_written() {
    let user = User::new("interrupted", BLUR);
    let complete = |text: &str| text.starts_with("<!doctype html>") && text.ends_with("</html>\n");
    let whole = Instant::now();
    assert_eq!(user.run(&["explain", "blur", "--output", "page.html"]).code, Some(0));
    let whole = whole.elapsed();
    let mut codes = Vec::new();
    for k in 0..24u32 {
        user.write("page.html", "before");
        let mut command = user.command(&["explain", "blur", "--output", "page.html"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(whole * k / 20);
        signal(&child, if k % 2 == 0 { "INT" } else { "TERM" });
        codes.push(child.wait().expect("it ends").code());
        let text = user.read("page.html");
        assert!(text == "before" || complete(&text), "{text}");
        assert_eq!(user.parts(), Vec::<String>::new());
    }
    // Before the handler is there, the signal itself ends the program, and then there is no code.
    assert!(codes.iter().all(|code| matches!(code, None | Some(0 | 130))), "{codes:?}");
    assert!(codes.contains(&Some(130)), "{codes:?}");
}

/// The same while `tune` has begun: a line, an exit code, and nothing half written beside the manifest.
#[test]
fn a_signal_while_candidates_are_measured() {
    let user = User::new("interrupted-tune", BLUR);
    let systolic = support::repository().join("systolic");
    user.write("Cargo.toml", &format!("{}\n[dependencies]\nsystolic = {{ path = {systolic:?} }}\n", support::MANIFEST));
    user.lock();
    let words = ["tune", "blur", "--size", "N=100000", "--on", "cpu", "--profile", "dev", "--write"];
    let mut command = user.command(&words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    // It builds by then.
    let started = Instant::now();
    while !user.folder.join("target/systolic/tune").exists() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    // To this process alone: it ends cargo, and the compilers that cargo has started.
    signal(&child, "TERM");
    let ended = child.wait().expect("it ends");
    let mut err = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("an output"), &mut err).expect("text");
    assert_eq!(ended.code(), Some(130), "{err}");
    assert!(err.contains("`blur` on ") && err.ends_with("interrupted\n"), "{err}");
    assert_eq!(user.read("src/lib.rs"), BLUR);
    assert_eq!(user.parts(), Vec::<String>::new());
    let started = Instant::now();
    while !working_in(&user.folder).is_empty() && started.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(working_in(&user.folder), Vec::<String>::new());
}

/// The commands of all processes that work in a folder, or on files in it; none where there is no `/proc`.
fn working_in(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let name = folder.to_string_lossy();
    let command = |process: std::path::PathBuf| {
        let words = std::fs::read(process.join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        let is_there = std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        (is_there || words.contains(&*name)).then_some(words).filter(|words| !words.is_empty())
    };
    entries.filter_map(command).collect()
}
