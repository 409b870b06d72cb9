//! The C++ compiler of the host, which nvcc calls: found by `cc`, as the build scripts of other crates find theirs.
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// nvcc's own variable for its host compiler, a program or the folder of one. It comes before those that `cc` reads.
const OF_NVCC: &str = "NVCC_CCBIN";

/// The C++ compiler that nvcc calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCompiler {
    path: PathBuf,
    /// Flags that the user has set for it.
    flags: Vec<OsString>,
    /// Variables that it needs; those of Visual Studio on Windows.
    variables: Vec<(OsString, OsString)>,
    version: String,
}

impl HostCompiler {
    /// Finds the compiler that `NVCC_CCBIN` names, else the one that `cc` finds for this machine: from `HOST_CXX` or `CXX`, in an
    /// installed Visual Studio on Windows, and `c++` elsewhere. `CXXFLAGS` are its flags. Fails with the reason and what to do if it
    /// cannot be run.
    pub fn find() -> Result<HostCompiler, String> {
        let named = std::env::var_os(OF_NVCC).filter(|value| !value.is_empty()).map(PathBuf::from);
        let mut build = cc::Build::new();
        // Code for GPUs is made on this machine, whatever the target of the package is. All that `cc` would read from the variables
        // of a build script is set here, because tools that are none ask too.
        let host = triple();
        build.cpp(true).host(&host).target(&host).opt_level(0).debug(false);
        build.cargo_metadata(false).cargo_warnings(false);
        // The flags of the user alone: nvcc has its own defaults, and those of rustc are for another target.
        build.no_default_flags(true).inherit_rustflags(false);
        if let Some(named) = &named {
            build.compiler(program(named));
        }
        let tool = build.try_get_compiler().map_err(|why| missing(&why.to_string()))?;
        let flags = flags(&tool);
        // Its successor is too new for the versions of `cc` that other crates may have chosen.
        #[allow(deprecated)]
        let variables = tool.env().to_vec();
        let path = on_path(tool.path()).ok_or_else(|| missing(&absent(tool.path())))?;
        let version = version(&path, &variables).map_err(|why| missing(&why))?;
        Ok(HostCompiler { path, flags, variables, version })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The line that it prints about itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Makes a command of nvcc use this compiler.
    pub fn add_to(&self, nvcc: &mut Command) {
        nvcc.arg("-ccbin").arg(&self.path);
        for flag in &self.flags {
            nvcc.arg("-Xcompiler").arg(escaped(flag));
        }
        nvcc.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

/// The flags of the user for a compiler: those after its name, and those in a variable of their own.
fn flags(tool: &cc::Tool) -> Vec<OsString> {
    let command = tool.to_command();
    // A wrapper, such as `ccache`, takes the compiler as its first argument. nvcc needs the compiler itself.
    let is_wrapped = command.get_program() != tool.path();
    command.get_args().skip(usize::from(is_wrapped)).map(OsStr::to_os_string).collect()
}

/// The environment variables that decide which compiler is found, for cargo to watch.
pub fn variables() -> Vec<String> {
    let host = triple();
    let names = ["CXX", "CXXFLAGS"].into_iter().flat_map(|name| {
        let of_host = [host.clone(), host.replace('-', "_")].map(|host| format!("{name}_{host}"));
        [name.to_string(), format!("HOST_{name}")].into_iter().chain(of_host)
    });
    [OF_NVCC.to_string()].into_iter().chain(names).collect()
}

/// The platform that this code runs on, as rustc names it. nvcc exists for these only.
fn triple() -> String {
    let rest = match std::env::consts::OS {
        "windows" if cfg!(target_env = "gnu") => "pc-windows-gnu",
        "windows" => "pc-windows-msvc",
        "macos" => "apple-darwin",
        _ if cfg!(target_env = "musl") => "unknown-linux-musl",
        _ => "unknown-linux-gnu",
    };
    format!("{}-{rest}", std::env::consts::ARCH)
}

/// The compiler that a value of `NVCC_CCBIN` names, by the rules of nvcc.
fn program(named: &Path) -> PathBuf {
    let default = if cfg!(windows) { "cl.exe" } else { "g++" };
    if named.is_dir() { named.join(default) } else { named.to_path_buf() }
}

/// The file of a program: the path itself, or that of the first program of this name on `PATH`.
fn on_path(named: &Path) -> Option<PathBuf> {
    let with_suffix = |path: PathBuf| {
        let suffixed = PathBuf::from(format!("{}{}", path.display(), std::env::consts::EXE_SUFFIX));
        [path, suffixed].into_iter().find(|path| path.is_file())
    };
    if named.components().count() > 1 {
        return with_suffix(named.to_path_buf());
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).find_map(|folder| with_suffix(folder.join(named)))
}

/// The first line that the compiler prints about itself. The one of Visual Studio prints it without being asked, and fails if it is
/// asked as others are.
fn version(path: &Path, variables: &[(OsString, OsString)]) -> Result<String, String> {
    let is_cl = is_cl(path);
    let mut command = Command::new(path);
    command.args((!is_cl).then_some("--version")).envs(variables.iter().map(|(name, value)| (name, value)));
    let output = command.output().map_err(|why| format!("`{}` could not be run: {why}", path.display()))?;
    if !output.status.success() {
        return Err(format!("`{} --version` failed with {}", path.display(), output.status));
    }
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Ok(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_string())
}

/// Whether this is the compiler of Visual Studio, whatever the case of its name. Paths of Windows end at a backslash elsewhere too, so
/// that this can be tested there.
fn is_cl(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.eq_ignore_ascii_case("cl")
}

/// A flag as nvcc passes it on unchanged: it would split it at commas.
fn escaped(flag: &OsStr) -> OsString {
    match flag.to_str() {
        Some(text) => text.replace(',', "\\,").into(),
        None => flag.to_os_string(),
    }
}

fn absent(path: &Path) -> String {
    format!("`{}` does not exist", path.display())
}

fn missing(why: &str) -> String {
    let install = if cfg!(windows) { "the C++ build tools of Visual Studio" } else { "one (`apt install g++`)" };
    format!("nvcc needs a C++ compiler, and {why}. Install {install}, or set {OF_NVCC} or CXX to the path of one")
}

#[cfg(test)]
mod tests {
    use super::{HostCompiler, escaped, is_cl, triple, variables};
    use std::process::Command;

    #[test]
    fn the_platform_is_one_that_rustc_knows() {
        // cc rejects any other name.
        let built = cc::Build::new().cpp(true).host(&triple()).target(&triple()).opt_level(0).try_get_compiler();
        assert!(built.is_ok(), "{built:?}");
        assert!(triple().starts_with(std::env::consts::ARCH));
    }

    #[test]
    fn flags_keep_their_commas() {
        assert_eq!(escaped("-Wa,-q,x".as_ref()), "-Wa\\,-q\\,x");
    }

    #[test]
    fn the_compiler_of_visual_studio() {
        for path in ["cl", "cl.exe", "C:\\VS\\bin\\Hostx64\\x64\\cl.exe", "CL.EXE", "/mnt/c/VS/bin/cl.exe"] {
            assert!(is_cl(path.as_ref()), "{path}");
        }
        for path in ["clang", "clang++", "clang-cl.exe", "C:\\cl\\g++.exe", "c++", "tcl"] {
            assert!(!is_cl(path.as_ref()), "{path}");
        }
    }

    /// What `cc` finds in Visual Studio reaches nvcc: the path with its spaces, the flags of the user one by one, and the variables
    /// without which `cl` finds neither headers nor libraries.
    #[test]
    fn nvcc_is_told_of_visual_studio() {
        let path = "C:\\Program Files\\VS\\bin\\cl.exe";
        let host = HostCompiler {
            path: path.into(),
            flags: vec!["/EHsc".into(), "/DLIST=a,b".into()],
            variables: vec![("INCLUDE".into(), "C:\\VS\\include".into()), ("LIB".into(), "C:\\VS\\lib".into())],
            version: String::new(),
        };
        let mut nvcc = Command::new("nvcc");
        host.add_to(&mut nvcc);
        let words: Vec<_> = nvcc.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!(words, ["-ccbin", path, "-Xcompiler", "/EHsc", "-Xcompiler", "/DLIST=a\\,b"]);
        let variables: Vec<_> = nvcc.get_envs().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        assert_eq!(variables, ["INCLUDE", "LIB"]);
    }

    #[test]
    fn what_is_watched() {
        let names = variables();
        for name in ["NVCC_CCBIN", "CXX", "HOST_CXX", "CXXFLAGS", "HOST_CXXFLAGS"] {
            assert!(names.iter().any(|n| n == name), "{name}");
        }
        assert!(names.contains(&format!("CXX_{}", triple())));
    }
}
