//! Programs in which another crate links the driver's library, or loads it: built by cargo with a library that stands for it.
#![cfg(target_os = "linux")]
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library: a function that we define too, with a code that the bindings do not know, and one that we do not define.
const LIBRARY: &str = "int cuInit(unsigned flags) { return 36; }\nint cuNewerThanUs(int x) { return x + 1; }\n";

/// A crate that links the library, as the bindings of `cust` do.
const BINDINGS: &str = "#[link(name = \"cuda\")]\nunsafe extern \"C\" {\n    pub fn cuInit(flags: u32) -> i32;\n}\n";

/// Prints what a call of each kind gives.
const PROGRAM: &str = r#"
#[cfg(feature = "newer")]
#[link(name = "cuda")]
unsafe extern "C" {
    fn cuNewerThanUs(x: i32) -> i32;
}
unsafe extern "C" {
    fn dlopen(file: *const std::ffi::c_char, mode: i32) -> *mut std::ffi::c_void;
    fn dlsym(library: *mut std::ffi::c_void, name: *const std::ffi::c_char) -> *mut std::ffi::c_void;
}
fn main() {
    let code = unsafe { bindings::cuInit(0) };
    println!("linked {code}, the driver's {}", systolic_driver::last());
    #[cfg(feature = "newer")]
    println!("newer {}", unsafe { cuNewerThanUs(1) });
    let library = unsafe { dlopen(c"libcuda.so.1".as_ptr(), 2) };
    if !library.is_null() {
        let place = unsafe { dlsym(library, c"cuInit".as_ptr()) };
        let loaded: unsafe extern "C" fn(u32) -> i32 = unsafe { std::mem::transmute(place) };
        println!("loaded {}", unsafe { loaded(0) });
    }
}
"#;

/// A package with that program.
struct Package {
    folder: PathBuf,
    /// The folder of a toolkit with the library.
    toolkit: PathBuf,
}

impl Package {
    /// `None` if there is no C compiler, which is said.
    fn new() -> Option<Package> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
        let toolkit = folder.join("toolkit");
        let stubs = toolkit.join("lib64/stubs");
        for folder in [&folder.join("src"), &folder.join("bindings/src"), &stubs] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let ours = env!("CARGO_MANIFEST_DIR");
        let manifest = format!(
            "[package]\nname = \"links\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\nnewer = []\n[dependencies]\n\
             bindings = {{ path = \"bindings\" }}\nsystolic-driver = {{ path = {ours:?} }}\n[workspace]\n"
        );
        let inner = "[package]\nname = \"bindings\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        let source = stubs.join("cuda.c");
        for (file, text) in [
            (&folder.join("Cargo.toml"), manifest.as_str()),
            (&folder.join("src/main.rs"), PROGRAM),
            (&folder.join("bindings/Cargo.toml"), inner),
            (&folder.join("bindings/src/lib.rs"), BINDINGS),
            (&source, LIBRARY),
        ] {
            std::fs::write(file, text).expect("a file");
        }
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o"]).arg(stubs.join("libcuda.so")).arg(source);
        if !compiler.status().is_ok_and(|status| status.success()) {
            say("skipped: no C compiler to make a library");
            return None;
        }
        std::fs::copy(stubs.join("libcuda.so"), stubs.join("libcuda.so.1")).expect("a copy");
        Some(Package { folder, toolkit })
    }

    /// The program, built with these flags, with the toolkit or without one.
    fn build(&self, name: &str, toolkit: bool, flags: &[&str], arguments: &[&str]) -> Result<PathBuf, String> {
        let target = self.folder.join(format!("target-{name}"));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.folder).args(["build", "--offline", "--color", "never"]).args(arguments);
        // An incremental build has the most object files, of which a linker takes those that are asked for.
        cargo.env("CARGO_INCREMENTAL", "1");
        cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        for name in
            ["CUDA_LIBRARY_PATH", "CUDA_HOME", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "LIBRARY_PATH", "CUDA_PATH"]
        {
            cargo.env_remove(name);
        }
        if toolkit {
            cargo.env("CUDA_PATH", &self.toolkit);
        }
        let output = cargo.output().expect("cargo runs");
        match output.status.success() {
            true => Ok(target.join(if arguments.contains(&"--release") { "release/links" } else { "debug/links" })),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// What a program prints, with a driver or without one; `None` if it does not start.
    fn run(&self, program: &Path, driver: bool) -> Option<String> {
        let mut command = Command::new(program);
        command.env_remove("LD_LIBRARY_PATH");
        if driver {
            command.env("LD_LIBRARY_PATH", self.toolkit.join("lib64/stubs"));
        }
        let output = command.output().expect("it can be run");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Written directly, because the test harness captures `println!`.
fn say(words: &str) {
    let _ = writeln!(std::io::stderr(), "{words}");
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The driver of this machine, if it has one, would be found too.
fn has_driver() -> bool {
    let paths = ["/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];
    paths.iter().any(|folder| Path::new(folder).join("libcuda.so.1").exists())
}

#[test]
fn beside_the_drivers_own_library() {
    let Some(package) = Package::new() else { return };
    let linkers: &[(&str, &[&str])] = &[("default", &[]), ("bfd", &["-Clink-arg=-fuse-ld=bfd"])];
    for (name, flags) in linkers {
        if *name == "bfd" && !has("ld.bfd") {
            say("skipped: no GNU linker");
            continue;
        }
        for arguments in [&[][..], &["--release"]] {
            // The calls go through our functions, which note the code, also where the library has them too.
            let ours = package.build(name, true, flags, arguments).expect("it links");
            let with = "linked 999, the driver's 36\nloaded 36\n";
            assert_eq!(package.run(&ours, true).as_deref(), Some(with), "{name}");
            // What we do not define comes from the library.
            let newer = [arguments, &["--features", "newer"]].concat();
            let both = package.build(name, true, flags, &newer).expect("it links");
            let with = "linked 999, the driver's 36\nnewer 2\nloaded 36\n";
            assert_eq!(package.run(&both, true).as_deref(), Some(with), "{name}");
            if has_driver() {
                say("skipped: this machine has a driver, so programs without one were not tried");
                continue;
            }
            assert_eq!(package.run(&both, false), None, "{name}: it needs the library");
            let ours = package.build(name, true, flags, arguments).expect("it links");
            assert_eq!(package.run(&ours, false).as_deref(), Some("linked 303, the driver's 303\n"), "{name}");
        }
    }
    // Without the library the linker names what is missing.
    let without = package.build("without", false, &[], &[]).expect("it links");
    assert_eq!(package.run(&without, true).as_deref(), Some("linked 999, the driver's 36\nloaded 36\n"));
    if !has_driver() {
        let error = package.build("without", false, &[], &["--features", "newer"]).expect_err("it does not link");
        assert!(error.contains("cuNewerThanUs"), "{error}");
    }
}
