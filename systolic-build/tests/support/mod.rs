//! User packages in separate folders, and an nvcc that counts its calls.
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use systolic_build::Nvcc;

/// An nvcc that can compile: the user's, or that of `cargo xtask toolkit`.
pub fn nvcc() -> Result<PathBuf, String> {
    let ours = root().join(".toolkit/nvidia/cu13/bin/nvcc");
    let nvcc = Nvcc::find().or_else(|_| Nvcc::at(&ours))?;
    let folder = tmp().join(format!("trial-{:?}", std::thread::current().id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let source = folder.join("trial.cu");
    std::fs::write(&source, "__global__ void trial() {}\n").map_err(|e| e.to_string())?;
    nvcc.ptx(&source, &["--ptx".to_string()], &folder.join("trial.ptx"))?;
    nvcc.path().canonicalize().map_err(|e| e.to_string())
}

/// The result of a build.
pub struct Built {
    pub success: bool,
    /// The complete output of cargo and rustc.
    pub text: String,
    /// The kernels that nvcc compiled to PTX, ordered by name.
    pub compiled: Vec<String>,
    /// The number of calls of nvcc.
    pub calls: usize,
}

pub struct Package {
    name: String,
    folder: PathBuf,
}

impl Package {
    /// A package with a build script, and an nvcc wrapper that logs each call.
    pub fn new(name: &str, nvcc: &Path) -> Package {
        let folder = tmp().join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("an old folder goes");
        }
        let package = Package { name: format!("user-{name}"), folder };
        // Remove build outputs of an earlier run, so that everything is built again.
        for part in ["debug/build", "debug/.fingerprint"] {
            let built = std::fs::read_dir(target().join(part)).into_iter().flatten().flatten();
            let of_it = format!("{}-", package.name);
            for entry in built.filter(|entry| entry.file_name().to_string_lossy().starts_with(&of_it)) {
                std::fs::remove_dir_all(entry.path()).expect("an old folder goes");
            }
        }
        let ours = root().join("systolic-build").display().to_string();
        let manifest = format!(
            "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nbuild = \"build.rs\"\n\n[features]\nmore = []\n\n\
             [build-dependencies]\nsystolic-build = {{ path = {ours:?} }}\n\n[workspace]\n",
            package.name
        );
        package.write("Cargo.toml", &manifest);
        package.write("build.rs", "fn main() { systolic_build::compile(); }\n");
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file of the workspace");
        package.write("Cargo.lock", &lock);
        let (calls, refused) = (package.folder.join("calls"), package.folder.join("refused"));
        let script = format!(
            "#!/bin/sh\necho \"$*\" >> {calls:?}\ncase \"$*\" in *--ptx*)\n  for word in $(cat {refused:?}); do\n    \
             case \"$*\" in *systolic/k_$word*) set -- --no-such-option \"$@\";; esac\n  done;;\nesac\nexec {nvcc:?} \"$@\"\n"
        );
        package.write("nvcc.sh", &script);
        package.refuse("nothing");
        let path = package.folder.join("nvcc.sh");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a script can be run");
        package
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Makes nvcc reject a kernel from now on, by an option that nvcc does not know.
    pub fn refuse(&self, kernel: &str) {
        self.write("refused", kernel);
        // Cargo watches the nvcc file, so change it.
        let path = self.folder.join("nvcc.sh");
        let script = std::fs::read_to_string(&path).expect("it is there");
        self.write("nvcc.sh", &format!("{script}# {kernel}\n"));
    }

    /// Builds all targets with these variables. All packages share a target folder, so that our crates are built once.
    pub fn build(&self, variables: &[(&str, &str)]) -> Built {
        // Cargo compares modification times, whose resolution depends on the file system.
        std::thread::sleep(std::time::Duration::from_millis(20));
        self.write("calls", "");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.folder).args(["build", "--all-targets", "--offline", "--color", "never"]);
        cargo.env("CARGO_TARGET_DIR", target()).env("NVCC", self.folder.join("nvcc.sh"));
        for name in ["RUSTFLAGS", "SYSTOLIC_CUDA_ARCH", "SYSTOLIC_REQUIRE_NVCC", "CUDA_PATH", "CUDA_HOME", "NVCC_CCBIN"]
        {
            cargo.env_remove(name);
        }
        let output = cargo.envs(variables.iter().copied()).output().expect("cargo runs");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let calls = std::fs::read_to_string(self.folder.join("calls")).expect("a list of calls");
        let compiled = calls.lines().filter(|call| call.contains("--ptx")).filter_map(|call| {
            let source = call.split_whitespace().last()?;
            Some(kernel(Path::new(source).file_name()?.to_str()?))
        });
        let mut compiled: Vec<String> = compiled.collect();
        compiled.sort();
        Built { success: output.status.success(), text, compiled, calls: calls.lines().count() }
    }

    /// The kernels that have a file of this kind for the macro, ordered by name.
    pub fn kernels(&self, kind: &str) -> Vec<String> {
        let mut kernels: Vec<String> = self.files(kind).iter().map(|path| kernel(&file_name(path))).collect();
        kernels.sort();
        kernels
    }

    /// The contents of a kernel's only file of this kind.
    pub fn content(&self, name: &str, kind: &str) -> Vec<u8> {
        let files = self.files(kind).into_iter().filter(|path| kernel(&file_name(path)) == name).collect::<Vec<_>>();
        let [file] = files.as_slice() else { panic!("{name} has {} files {kind}", files.len()) };
        std::fs::read(file).expect("it is there")
    }

    /// The files of a kind in the folder that the macro reads.
    fn files(&self, kind: &str) -> Vec<PathBuf> {
        let folders = std::fs::read_dir(target().join("debug/build")).expect("cargo was here").flatten();
        let ours = folders.filter(|e| e.file_name().to_string_lossy().starts_with(&format!("{}-", self.name)));
        let folder = ours.map(|e| e.path().join("out/systolic")).find(|path| path.is_dir());
        let files = std::fs::read_dir(folder.expect("the build script has run")).expect("a folder").flatten();
        files.map(|e| e.path()).filter(|path| file_name(path).ends_with(&format!(".{kind}"))).collect()
    }
}

/// The kernel name in a file name, which starts with the kernel's key.
fn kernel(file: &str) -> String {
    file.split('_').nth(1).unwrap_or_default().to_string()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

fn tmp() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("packages")
}

/// Kept between runs, so that the compiler is built only once.
fn target() -> PathBuf {
    tmp().join("target")
}
