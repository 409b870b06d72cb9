//! Tunes the kernel of a small package on the CPU: candidates are measured and kept, the winner goes into the source and compiles.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = "[package]\nname = \"tuned\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nsystolic = { path = PATH }\n\n\
                        [workspace]\n";

const LIB: &str = "\
//! A package of a user. Ümlaute before the kernel move bytes.
pub mod parts {
    systolic::systolic! {
        /// Scales rows, and adds what the row before has.
        pub kernel rows<type T in [f32, i16]>(x: [T; R, C], w: const [T; 2], a: T) -> (y: [T; R, C], top: [T; C]) {
            for r in 0..R, c in 0..C {
                S[r, c] = x[r, c] * w[1] + if r == 0 { a } else { S[r - 1, c] };
                y[r, c] = S[r, c];
                if r == R - 1 { top[c] = S[r, c] + w[0]; }
            }
            // For wide arrays.
            map wide on cpu { tile c by 64 as (cb, ci); blocks (cb); lanes ci fold 2; }
        }
    }
}
";

struct User {
    folder: PathBuf,
}

impl User {
    fn new() -> User {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("user");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("an old folder goes");
        }
        std::fs::create_dir_all(folder.join("src")).expect("a folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let ours = root.join("systolic").canonicalize().expect("the repository");
        let user = User { folder };
        user.write("Cargo.toml", &MANIFEST.replace("PATH", &format!("{ours:?}")));
        user.write("src/lib.rs", LIB);
        user.write("Cargo.lock", &std::fs::read_to_string(root.join("Cargo.lock")).expect("the lock file"));
        user
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("a file")
    }

    /// Runs a command in the package. What cargo builds is kept between runs, so that `systolic` is built once.
    fn run(&self, command: &mut Command, built: &str) -> Output {
        let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("user-target").join(built);
        command.current_dir(&self.folder).env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
        command.env_remove("RUSTFLAGS").output().expect("it runs")
    }

    /// The exit code and both outputs of the command with these words.
    fn systolic(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let output = self.run(Command::new(env!("CARGO_BIN_EXE_cargo-systolic")).arg("systolic").args(words), "");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

const TUNE: [&str; 13] = [
    "tune",
    "rows",
    "--size",
    "R=12",
    "--size",
    "C=3000",
    "--on",
    "cpu",
    "--measurements",
    "5",
    "--profile",
    "dev",
    "--instance=T=f32",
];

#[test]
fn a_kernel_is_tuned_written_and_checked() {
    let user = User::new();
    let with = |words: &[&str]| user.systolic(&[&TUNE[..], words].concat());

    let (code, out, err) = with(&["--check"]);
    assert_eq!(code, Some(1), "nothing was measured yet: {out}{err}");
    assert!(out.contains("was not measured"), "{out}");

    let (code, out, err) = with(&[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.contains("no map\n") && err.contains("tile c by 64 as (cb, ci); blocks (cb); lanes ci fold 2;"),
        "{err}"
    );
    assert!(out.is_empty() || out.starts_with("    map on cpu where T == f32 {\n"), "{out}");
    assert_eq!(user.read("src/lib.rs"), LIB, "it only prints");
    let known = user.read("systolic-tune.json");
    assert!((3..=5).contains(&known.matches("\"seconds\"").count()), "{known}");

    // A result that is better than all others wins: here that of a map which is not in the source. The order of results
    // depends on the times that were measured.
    let slow = known.replace("\"seconds\": ", "\"seconds\": 1");
    let is_other = |line: &str| line.contains("\"map\": \"    map") && !line.contains("tile c by 64 as (cb, ci)");
    let mut lines: Vec<&str> = slow.lines().collect();
    let at = lines.iter().position(|line| is_other(line)).unwrap_or_else(|| panic!("no other map: {known}"));
    assert!(lines[at + 1].contains("\"seconds\""), "{known}");
    lines[at + 1] = "\"seconds\": 1e-9";
    user.write("systolic-tune.json", &lines.join("\n"));
    let (code, out, err) = with(&["--check"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("times as long"), "{out}");
    let (code, out, err) = with(&["--write"]);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(err.contains("known from before") && !err.contains("skipped"), "{err}");
    let written = user.read("src/lib.rs");
    let comment = "            // tuned: ";
    let line = written.lines().find(|line| line.starts_with(comment)).unwrap_or_else(|| panic!("{written}\n{err}"));
    assert!(line.contains(", R=12, C=3000, 20") && line.ends_with(" times as fast as the map before"), "{line}");
    assert!(written.contains("            map on cpu where T == f32 {\n"), "{written}");
    let map = written.find(comment).expect("a comment")..written.find("            // For wide").expect("a comment");
    assert_eq!(format!("{}{}", &written[..map.start], &written[map.end..]), LIB, "all other bytes are as before");
    let (code, out, err) = with(&["--check"]);
    assert_eq!(code, Some(0), "{out}{err}");
    // Where candidates were built, `systolic` is.
    let built = user.run(Command::new(env!("CARGO")).args(["build", "--quiet"]), "systolic/tune/build");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

#[test]
fn mistakes_are_said() {
    let user = User { folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")) };
    for (words, expected) in [
        (&["tune"][..], "required"),
        (
            &["tune", "no_such_kernel", "--on", "cpu", "--package", "systolic-arith"],
            "there is no kernel `no_such_kernel`",
        ),
        (&["tune", "k", "--size", "N"], "expected a size such as `N=8192`, found `N`"),
        (&["tune", "k", "--on", "fpga"], "invalid value 'fpga'"),
        (&["tune", "k", "--package", "none"], "there is no package `none`"),
        (&["tune", "k", "--write", "--check"], "cannot be used with"),
    ] {
        let (code, _, err) = user.systolic(words);
        assert!(code == Some(2) && err.contains(expected), "{words:?}: {code:?} {err}");
    }
    let (code, out, _) = user.systolic(&["help", "tune"]);
    assert!(code == Some(0) && out.contains("cargo systolic tune blur --size N=1048576 --check"), "{out}");
    if Command::new("nvidia-smi").output().is_err() {
        let (code, _, err) = user.systolic(&["machine"]);
        assert!(code == Some(2) && err.starts_with("error: there is no GPU: "), "{err}");
    }
}
