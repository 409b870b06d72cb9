//! NVIDIA's compiler: finds it, queries it, compiles a source to PTX, and assembles PTX to machine code.
use crate::host::HostCompiler;
use crate::resources::{Resources, resources};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An nvcc that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nvcc {
    path: PathBuf,
    version: String,
    /// The host compiler that it is told to call; without one it looks for its own.
    host: Option<HostCompiler>,
}

/// Environment variables that select the nvcc.
pub const VARIABLES: [&str; 3] = ["NVCC", "CUDA_PATH", "CUDA_HOME"];

/// Default installation folders of the CUDA toolkit.
const USUAL: [&str; 2] = ["/usr/local/cuda", "/opt/cuda"];

impl Nvcc {
    /// Finds nvcc: the one that `NVCC` names, else the one in `CUDA_PATH` or `CUDA_HOME`, else the first on `PATH`,
    /// else the one in a default installation folder. It calls the C++ compiler that [`HostCompiler::find`] returns. Fails with the
    /// reason and what to do if one of the two is missing or cannot be run.
    pub fn find() -> Result<Nvcc, String> {
        let to_do = "Install a CUDA toolkit, or set NVCC to the path of its nvcc";
        let nvcc = Nvcc::alone().map_err(|why| format!("{why}. {to_do}"))?;
        Ok(Nvcc { host: Some(HostCompiler::find()?), ..nvcc })
    }

    /// As [`find`](Nvcc::find), without the C++ compiler: for tools that report both.
    pub fn alone() -> Result<Nvcc, String> {
        Nvcc::at(&place(&|name| std::env::var_os(name).filter(|value| !value.is_empty()))?)
    }

    /// The nvcc at this path, which looks for a C++ compiler by itself. Fails if it cannot be run.
    pub fn at(path: &Path) -> Result<Nvcc, String> {
        let text = run(Command::new(path).arg("--version"))?;
        let line = text.lines().find(|line| line.contains("release "));
        let line = line.ok_or_else(|| format!("`{} --version` prints no version", path.display()))?;
        let version = line.split(", V").nth(1).or(line.split("release ").nth(1)).unwrap_or(line);
        Ok(Nvcc { path: path.to_path_buf(), version: version.trim().to_string(), host: None })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, such as `13.0.88`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The architectures for which it can generate machine code, in ascending order.
    pub fn architectures(&self) -> Result<Vec<u32>, String> {
        let text = run(Command::new(&self.path).arg("--list-gpu-code"))?;
        let mut known: Vec<u32> = text.lines().filter_map(|l| l.trim().strip_prefix("sm_")?.parse().ok()).collect();
        known.sort_unstable();
        Ok(known)
    }

    /// A command that runs it, with its C++ compiler.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        self.host.iter().for_each(|host| host.add_to(&mut command));
        command
    }

    /// Compiles a source to PTX. Fails with the message of nvcc.
    pub fn ptx(&self, source: &Path, flags: &[String], to: &Path) -> Result<(), String> {
        run(&mut self.ptx_command(source, flags, to)).map(drop)
    }

    /// The command that compiles a source to PTX.
    pub fn ptx_command(&self, source: &Path, flags: &[String], to: &Path) -> Command {
        let mut command = self.command();
        command.args(flags).arg("-o").arg(to).arg(source);
        command
    }

    /// Assembles PTX for one architecture and returns the resources that each of its kernels needs there.
    pub fn cubin(&self, ptx: &Path, architecture: u32, to: &Path) -> Result<Vec<(String, Resources)>, String> {
        run(&mut self.cubin_command(ptx, architecture, to)).map(|text| resources(&text))
    }

    /// The command that assembles PTX. What it prints tells the [`resources`] of the kernels.
    pub fn cubin_command(&self, ptx: &Path, architecture: u32, to: &Path) -> Command {
        // nvcc finds the assembler that belongs to it.
        let mut command = self.command();
        command.args(["--cubin", "-Werror", "all-warnings", "-Xptxas", "-v"]);
        command.arg(format!("-arch=sm_{architecture}")).arg("-o").arg(to).arg(ptx);
        command
    }
}

/// Finds the path of nvcc in this environment.
fn place(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, String> {
    let in_path = |name: &str| {
        let path = variable("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|folder| program(&folder, name)).find(|path| path.is_file())
    };
    if let Some(named) = variable("NVCC").map(PathBuf::from) {
        let is_name = named.components().count() == 1;
        let found =
            if is_name { in_path(&named.to_string_lossy()) } else { Some(named.clone()).filter(|p| p.is_file()) };
        return found.ok_or_else(|| format!("NVCC is set to `{}`, which does not exist", named.display()));
    }
    let folders = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).map(PathBuf::from);
    let in_folder = |folder: PathBuf| Some(program(&folder.join("bin"), "nvcc")).filter(|path| path.is_file());
    let found = folders.filter_map(in_folder).next().or_else(|| in_path("nvcc"));
    found
        .or_else(|| USUAL.into_iter().map(PathBuf::from).find_map(in_folder))
        .ok_or_else(|| format!("nvcc was not found in NVCC, CUDA_PATH, CUDA_HOME, PATH, {}", USUAL.join(", ")))
}

fn program(folder: &Path, name: &str) -> PathBuf {
    let suffix = std::env::consts::EXE_SUFFIX;
    folder.join(if name.ends_with(suffix) { name.to_string() } else { format!("{name}{suffix}") })
}

/// Runs a command and returns its output, as the result or as the error.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("could not run {program}: {e}"))?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    match output.status.success() {
        true => Ok(text),
        false if text.trim().is_empty() => Err(format!("{program} failed with {}", output.status)),
        false => Err(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{Nvcc, place, program};
    use crate::scratch::Scratch;
    use std::path::Path;

    /// The nvcc found among these files with these variables; `@` stands for the folder of the files.
    fn found(files: &[&str], variables: &[(&str, &str)]) -> Result<String, String> {
        let names: Vec<String> =
            files.iter().map(|f| program(Path::new(""), f).to_string_lossy().into_owned()).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
        let scratch = Scratch::new(&files);
        let folder = scratch.path().to_string_lossy().into_owned();
        let value =
            |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.replace('@', &folder).into());
        let place = place(&value).map_err(|why| why.replace(&folder, "@"))?;
        Ok(scratch.name(&place).trim_end_matches(std::env::consts::EXE_SUFFIX).to_string())
    }

    #[test]
    fn the_order_of_places() {
        let files = ["own/n", "path/bin/nvcc", "home/bin/nvcc", "p/nvcc", "p/nvcc-12"];
        let all = [("NVCC", "@/own/n"), ("CUDA_PATH", "@/path"), ("CUDA_HOME", "@/home"), ("PATH", "@/p")];
        let expected = ["own/n", "path/bin/nvcc", "home/bin/nvcc", "p/nvcc"];
        for (k, expected) in expected.iter().enumerate() {
            assert_eq!(found(&files, &all[k..]).as_deref(), Ok(*expected));
        }
        assert_eq!(found(&files, &[("NVCC", "nvcc-12"), ("PATH", "@/p")]).as_deref(), Ok("p/nvcc-12"));
        assert_eq!(found(&files, &[("CUDA_PATH", "@/no"), ("PATH", "@/p")]).as_deref(), Ok("p/nvcc"));
    }

    /// If `NVCC` names no program, that is an error; the other places are not searched.
    #[test]
    fn a_wrong_name_is_said() {
        let variables = [("NVCC", "@/no"), ("PATH", "@/p")];
        assert_eq!(found(&["p/nvcc"], &variables), Err("NVCC is set to `@/no`, which does not exist".to_string()));
    }

    #[test]
    fn what_is_no_nvcc() {
        let scratch = Scratch::new(&[("nvcc", "")]);
        assert!(Nvcc::at(&scratch.path().join("nvcc")).is_err());
        assert!(Nvcc::at(&scratch.path().join("none")).is_err());
    }
}
