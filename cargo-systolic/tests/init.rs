//! Makes crates and adds to packages: what is written, that a second run changes nothing, and that a new crate runs.
#![cfg(unix)]
mod support;

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{BLUR, MANIFEST, User, repository, said, signal};

/// A folder outside this workspace, which would want to have a crate in it as a member.
fn outside(name: &str) -> User {
    User::nowhere(&format!("init-{name}"))
}

/// A package there, with the versions of this workspace.
fn existing(name: &str) -> User {
    let user = outside(name);
    user.write("Cargo.toml", MANIFEST);
    user.write("src/lib.rs", BLUR);
    user.lock();
    user
}

fn end(user: User) {
    std::fs::remove_dir_all(&user.folder).expect("it was there");
}

#[test]
fn a_new_crate_compiles_and_prints_the_line_of_the_readme() {
    let user = outside("new");
    let said_here = user.run(&["init", "--dry-run", "first"]);
    assert_eq!(said_here.code, Some(0));
    assert!(said_here.out.starts_with("would make the crate `first` in first: Cargo.toml, src/main.rs"));
    assert_eq!(user.files(), []);
    let made = user.run(&["init", "first"]);
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    assert_eq!(made.out, "made the crate `first` in first: Cargo.toml, src/main.rs\nnext: cd first && cargo run\n");
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("a page");
    assert!(
        readme.contains(&format!("```rust src/main.rs\n{}```", user.read("first/src/main.rs"))),
        "as the README has it"
    );
    let lock = std::fs::read_to_string(repository().join("Cargo.lock")).expect("a lock file");
    user.write("first/Cargo.lock", &lock);
    // Where the tests of `tune` build `systolic`.
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("user-target/systolic/tune/build");
    let mut run = Command::new(env!("CARGO"));
    run.args(["run", "--quiet"]).current_dir(user.folder.join("first")).env_remove("RUSTFLAGS");
    let ran = said(&run.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true").output().expect("it runs"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let shown = readme.split("```text\n").find(|block| block.contains("built without GPU support")).expect("a block");
    assert_eq!(ran.out, shown.split("```").next().expect("a block"));
    end(user);
}

#[test]
fn what_gpus_need_is_added_once() {
    let user = existing("existing");
    let before = user.files();
    let dry = user.run(&["init", "--dry-run"]);
    assert_eq!((dry.code, dry.err.as_str()), (Some(0), ""));
    assert!(dry.out.lines().all(|line| line.starts_with("would add ")) && dry.out.lines().count() >= 3, "{}", dry.out);
    assert_eq!(user.files(), before, "nothing changes");
    let added = user.run(&["init"]);
    assert_eq!((added.code, added.err.as_str()), (Some(0), ""), "{}", added.out);
    let manifest = user.read("Cargo.toml");
    assert!(manifest.starts_with(MANIFEST.trim_end()), "{manifest}");
    assert!(manifest.contains("features = [\"cuda\"]") && manifest.contains("[build-dependencies]\nsystolic-build = "));
    assert_eq!(user.read("build.rs"), "fn main() {\n    systolic_build::compile();\n}\n");
    let needs_setting = dry.out.contains("CUDA_LIBRARY_PATH");
    assert_eq!(needs_setting, user.folder.join(".cargo/config.toml").exists(), "only where no toolkit is found");
    assert_eq!(needs_setting, user.folder.join("cuda/lib64").is_dir());
    let after = user.files();
    let again = user.run(&["init"]);
    assert_eq!((again.code, again.out.as_str()), (Some(0), "nothing to add: `mine` has all that kernels need\n"));
    assert_eq!(user.files(), after, "a second run changes nothing");
    assert_eq!(user.parts(), Vec::<String>::new());
    end(user);
}

/// A signal between two changes waits for the last.
#[test]
fn a_signal_while_a_package_gets_what_it_needs() {
    let user = existing("interrupted");
    let began = "case \"$*\" in *systolic-build*) : > begun; sleep 1;; esac";
    user.program("cargo.sh", &format!("{began}\nexec {:?} \"$@\"", env!("CARGO")));
    let mut command = user.command(&["init"]);
    command.env("CARGO", user.folder.join("cargo.sh")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it runs");
    let started = Instant::now();
    while !user.folder.join("begun").exists() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = signal(&child, "TERM");
    let code = child.wait().expect("it ends").code();
    assert!(sent && matches!(code, Some(0 | 130)), "{code:?}");
    let manifest = user.read("Cargo.toml");
    assert!(manifest.contains("features = [\"cuda\"]") && manifest.contains("[build-dependencies]"), "{manifest}");
    assert_eq!(user.read("build.rs"), "fn main() {\n    systolic_build::compile();\n}\n");
    assert_eq!(user.run(&["init"]).out, "nothing to add: `mine` has all that kernels need\n");
    end(user);
}

/// The folder in which the command runs stays the same one: a shell is in it.
#[test]
fn an_empty_folder_gives_its_name() {
    let user = outside("here");
    let folder = user.folder.join("second");
    std::fs::create_dir(&folder).expect("a folder");
    let mut command = user.command(&["init", "."]);
    let before = std::fs::File::open(&folder).expect("a folder");
    let made = said(&command.current_dir(&folder).output().expect("it runs"));
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    assert_eq!(made.out, "made the crate `second` in .: Cargo.toml, src/main.rs\nnext: cargo run\n");
    assert!(user.read("second/Cargo.toml").starts_with("[package]\nname = \"second\"\n"));
    let number = |data: std::io::Result<std::fs::Metadata>| data.expect("a folder").ino();
    assert_eq!(number(before.metadata()), number(std::fs::metadata(&folder)));
    let names: Vec<String> = user.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["second/Cargo.toml", "second/src/main.rs"]);
    end(user);
}

#[test]
fn with_the_variable_or_a_setting_there_is_no_setting() {
    let user = outside("variable");
    user.write("Cargo.toml", MANIFEST);
    user.write("src/lib.rs", BLUR);
    user.write("toolkit/lib64/empty", "");
    let mut command = user.command(&["init", "--dry-run"]);
    let with = said(&command.env("CUDA_LIBRARY_PATH", user.folder.join("toolkit")).output().expect("it runs"));
    assert!(with.code == Some(0) && !with.out.contains("CUDA_LIBRARY_PATH"), "{}", with.out);
    let toolkit = user.folder.join("toolkit").display().to_string();
    user.write(".cargo/config.toml", &format!("[env]\nCUDA_LIBRARY_PATH = {toolkit:?}\n"));
    let with = user.run(&["init", "--dry-run"]);
    assert!(with.code == Some(0) && !with.out.contains("CUDA_LIBRARY_PATH"), "{}", with.out);
    end(user);
}

#[test]
fn a_build_script_of_the_user_is_not_changed() {
    let user = existing("script");
    user.write("build.rs", "fn main() {}\n");
    for _ in 0..2 {
        let asked = user.run(&["init"]);
        assert_eq!(asked.code, Some(1), "{}", asked.err);
        let line = "left to you: build.rs is yours: add the line `systolic_build::compile();` to its `main`\n";
        assert!(asked.out.contains(line), "{}", asked.out);
        assert_eq!(user.read("build.rs"), "fn main() {}\n");
    }
    user.write("build.rs", "fn main() {\n    systolic_build::compile();\n}\n");
    assert_eq!(user.run(&["init"]).code, Some(0));
    end(user);
}

#[test]
fn for_the_cpu_only_the_dependency_is_added() {
    let user = existing("cpu");
    assert_eq!(user.run(&["init", "--cpu"]).code, Some(0));
    let manifest = user.read("Cargo.toml");
    assert!(manifest.contains("systolic") && !manifest.contains("cuda") && !manifest.contains("systolic-build"));
    assert!(!user.folder.join("build.rs").exists() && !user.folder.join(".cargo").exists());
    let again = user.run(&["init", "--cpu"]);
    assert_eq!(again.out, "nothing to add: `mine` has all that kernels need on the CPU\n");
    end(user);
}

/// A crate in a workspace must be one of its members.
#[test]
fn a_new_crate_in_a_workspace() {
    let user = outside("workspace");
    user.write("Cargo.toml", "[workspace]\nmembers = []\nresolver = \"3\"\n");
    std::fs::create_dir(user.folder.join("first")).expect("a folder");
    let refused = user.run(&["init", "first"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("nothing was made") && refused.err.contains("adding `first` to"), "{}", refused.err);
    let left: Vec<String> = user.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!((left, user.folder.join("first").is_dir()), (vec!["Cargo.toml".to_string()], true), "as it was");
    user.write("Cargo.toml", "[workspace]\nmembers = [\"first\"]\nresolver = \"3\"\n");
    let made = user.run(&["init", "first", "--gpu"]);
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    assert_eq!(user.read("first/build.rs"), "fn main() {\n    systolic_build::compile();\n}\n");
    let manifest = user.read("first/Cargo.toml");
    assert!(manifest.contains("features = [\"cuda\"]") && manifest.contains("[build-dependencies]"), "{manifest}");
    end(user);
}

/// An empty folder is lost in a clone, and the setting that names it is then an error.
#[test]
fn the_folder_of_a_setting_is_made_again() {
    let user = outside("folder");
    user.write("Cargo.toml", MANIFEST);
    user.write("src/lib.rs", BLUR);
    user.write(".cargo/config.toml", "[env]\nCUDA_LIBRARY_PATH = { value = \"lost\", relative = true }\n");
    let before = user.read(".cargo/config.toml");
    let dry = user.run(&["init", "--dry-run"]);
    // Only where no toolkit is installed.
    assert!(dry.out.contains("lost/lib64") || !dry.out.contains("lib64"), "{}", dry.out);
    user.write("lost/lib64/.gitkeep", "");
    let dry = user.run(&["init", "--dry-run"]);
    assert!(!dry.out.contains("lib64"), "{}", dry.out);
    assert_eq!(user.read(".cargo/config.toml"), before);
    end(user);
}

#[test]
fn mistakes_leave_nothing() {
    let user = outside("mistaken");
    user.write("full/notes.txt", "mine");
    user.write("file", "mine");
    let before = user.files();
    for (words, expected) in [
        (&["init"][..], "there is no package in this folder or above: `cargo systolic init NAME` makes one"),
        (&["init", "9first"], "cargo does not accept the crate, and nothing was made: invalid character `9`"),
        (&["init", "full"], "full is not empty and has no Cargo.toml"),
        (&["init", "file"], "file is not empty and has no Cargo.toml"),
        (&["init", "new/systolic-build"], "`systolic-build` is the name of a crate of this project"),
        (&["init", "file/first"], "could not create file"),
        (&["init", "first", "--systolic", "full"], "full is no clone of systolic"),
        (&["init", "first", "--systolic", "a", "--git", "b"], "cannot be used with"),
    ] {
        let said = user.run(words);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}: {}", said.err);
        assert!(said.err.starts_with("error: ") && said.err.contains(expected), "{words:?}: {}", said.err);
    }
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).expect("a manifest");
    let members = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("members");
    for name in members.split('"').filter(|name| name.contains("systolic")) {
        let said = user.run(&["init", name]);
        let reason = format!("error: `{name}` is the name of a crate of this project: choose another one\n");
        assert_eq!((said.code, said.err), (Some(2), reason));
    }
    assert_eq!(user.files(), before);
    assert!(!user.folder.join("systolic").exists() && !user.folder.join("new").exists());
    assert!(!user.folder.join("first").exists() && !user.folder.join("9first").exists());
    end(user);
}
