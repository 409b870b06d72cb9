//! What a machine has for GPUs: nvcc, the driver, and the folder that the build script of `cust` looks for.
use crate::command::output;
use std::path::{Path, PathBuf};
use std::process::Command;
use systolic_build::Nvcc;

/// The oldest nvcc that compiles our CUDA.
const LEAST_NVCC: u32 = 13;

/// The oldest driver that reads the PTX of that nvcc.
const LEAST_DRIVER: u32 = 580;

/// The variable that names a folder of CUDA's libraries.
pub const VARIABLE: &str = "CUDA_LIBRARY_PATH";

/// The folders in which the build script of `cust` looks for a toolkit by itself.
const INSTALLED: [&str; 2] = ["/opt/cuda", "/usr/local/cuda"];

/// NVIDIA's compiler, if it is there and new enough.
pub fn nvcc() -> Result<Nvcc, String> {
    let nvcc = Nvcc::alone()?;
    let major = nvcc.version().split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major < LEAST_NVCC => {
            Err(format!("{} is nvcc {}; {LEAST_NVCC}.0 or later is needed", nvcc.path().display(), nvcc.version()))
        }
        _ => Ok(nvcc),
    }
}

/// The version of NVIDIA's driver, if one is loaded and new enough.
pub fn driver() -> Result<String, String> {
    let query = ["--query-gpu=driver_version", "--format=csv,noheader"];
    let told = output(Command::new("nvidia-smi").args(query)).ok();
    let told = told.and_then(|text| text.lines().next().map(|line| line.trim().to_string()));
    let version = told.or_else(loaded).ok_or("there is no driver: nvidia-smi was not found, or finds none")?;
    match version.split('.').next().and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major < LEAST_DRIVER => {
            Err(format!("the driver {version} is too old for code of nvcc {LEAST_NVCC}.0: {LEAST_DRIVER} or later"))
        }
        Some(_) => Ok(version),
        None => Err(format!("there is no driver: nvidia-smi says `{version}`")),
    }
}

/// The version of the module in the kernel of Linux: `NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  …`.
fn loaded() -> Option<String> {
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    let is_version = |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    text.split_whitespace().find(is_version).map(String::from)
}

/// What the build script of `cust` finds when cargo builds in this folder: an installed toolkit, or the folder that a setting
/// names. Fails if that is nothing, for then nothing that needs `cust` builds.
pub fn bindings(folder: &Path) -> Result<String, String> {
    let has_libraries = |base: &Path| base.join("lib64").is_dir();
    let versions = std::fs::read_dir("/usr/local").into_iter().flatten().flatten().map(|entry| entry.path());
    let versions =
        versions.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cuda-")));
    let mut installed = INSTALLED.into_iter().map(PathBuf::from).chain(versions);
    if let Some(found) = installed.find(|base| has_libraries(base)) {
        return Ok(found.display().to_string());
    }
    if let Some(named) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        return match std::env::split_paths(&named).any(|base| has_libraries(&base)) {
            true => Ok(format!("{VARIABLE} is {}", named.display())),
            false => Err(format!("{VARIABLE} is {}, which has no folder `lib64`", named.display())),
        };
    }
    match setting(folder) {
        Some((file, named)) if named.is_relative() || has_libraries(&named) => {
            Ok(format!("{VARIABLE} in {}", file.display()))
        }
        Some((file, named)) => {
            Err(format!("{VARIABLE} in {} is {}, which has no folder `lib64`", file.display(), named.display()))
        }
        None => {
            Err(format!("no toolkit in /usr/local/cuda, /usr/local/cuda-* or /opt/cuda, and no setting {VARIABLE}"))
        }
    }
}

/// The file of settings that sets the variable when cargo builds in this folder, and the folder that it names: relative only if
/// nobody can say to what.
pub fn setting(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    settings(folder).into_iter().find_map(|file| {
        let text = std::fs::read_to_string(&file).ok()?;
        let line = text.lines().find(|line| line.trim_start().starts_with(VARIABLE))?;
        let value = line.split_once("value").map_or(line, |(_, rest)| rest);
        let named = PathBuf::from(value.split(['"', '\'']).nth(1)?);
        let is_relative = line.split_once("relative").is_some_and(|(_, rest)| rest.contains("true"));
        let around = file.parent().and_then(Path::parent).filter(|_| is_relative);
        Some((file.clone(), around.map_or(named.clone(), |around| around.join(&named))))
    })
}

/// The files of settings that cargo reads in this folder.
fn settings(folder: &Path) -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let folders = folder.ancestors().map(|above| above.join(".cargo")).chain(home);
    folders.flat_map(|folder| ["config", "config.toml"].map(|name| folder.join(name))).filter(|f| f.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::{bindings, setting};

    #[test]
    fn settings_of_folders_above() {
        let folder = std::env::temp_dir().join(format!("systolic-toolkit-{}", std::process::id()));
        let inner = folder.join("a/b");
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::create_dir_all(folder.join(".cargo")).expect("a folder");
        let file = folder.join(".cargo/config.toml");
        let with = |text: &str| {
            std::fs::write(&file, text).expect("a file");
            (setting(&inner).map(|(_, named)| named), bindings(&inner))
        };
        let (none, without) = with("[env]\n");
        let (inside, missing) = with("[env]\nCUDA_LIBRARY_PATH = { value = \"cuda\", relative = true }\n");
        std::fs::create_dir_all(folder.join("cuda/lib64")).expect("a folder");
        let there = bindings(&inner);
        let (unknown, plain) = with("[env]\nCUDA_LIBRARY_PATH = \"x\"\n");
        std::fs::remove_dir_all(&folder).expect("it was there");
        assert_eq!((none, inside, unknown), (None, Some(folder.join("cuda")), Some("x".into())));
        assert!(there.is_ok() && plain.is_ok(), "{there:?} {plain:?}");
        // A machine with a toolkit, or with the variable, needs no setting.
        assert!(without.is_ok() || without.is_err_and(|why| why.contains("no setting CUDA_LIBRARY_PATH")));
        assert!(missing.is_ok() || missing.is_err_and(|why| why.contains("which has no folder `lib64`")));
    }
}
