//! Commands, and the paths of the repository.
use crate::log;
use crate::step::Outcome;
use crate::toolkit;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// The target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |path| root().join(path))
}

/// The cargo that runs this program, with the path of nvcc if there is one.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    if let Some(nvcc) = toolkit::nvcc() {
        command.env("NVCC", nvcc);
    }
    command
}

/// Whether cargo has this subcommand.
pub fn has(subcommand: &str) -> bool {
    let status = cargo().args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs a command and shows its output.
pub fn run(command: &mut Command) -> Outcome {
    match log::attach(command).and_then(|()| command.status()) {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(format!("{} ended with {status}", shown(command))),
        Err(error) => Outcome::Failed(format!("{}: {error}", shown(command))),
    }
}

/// Runs a command and returns its output and whether it succeeded. Fails if it cannot be started.
pub fn output(command: &mut Command) -> Result<(bool, String), String> {
    let output = command.output().map_err(|error| format!("{}: {error}", shown(command)))?;
    let text = [output.stdout, output.stderr].concat();
    Ok((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// A command as one would type it in a shell.
pub fn shown(command: &Command) -> String {
    let envs = command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)));
    let mut words: Vec<String> = envs.map(|(name, value)| format!("{name}={value}")).collect();
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    words.push(program.to_string_lossy().into_owned());
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}
