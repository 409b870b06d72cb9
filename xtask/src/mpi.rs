//! The tests of `systolic-mesh` under MPI, where there is one.
use crate::log::say;
use crate::step::Outcome;
use crate::tools::{cargo, run, shown};
use std::path::Path;
use std::process::{Command, Stdio};

/// Builds the mesh with MPI and runs its tests, or says what is missing.
pub fn test() -> Outcome {
    if let Some(missing) = missing() {
        return Outcome::Skipped(format!("no mesh is tested under MPI: {missing} is not here"));
    }
    let mut command = cargo();
    command.args(["test", "-p", "systolic-mesh", "--features", "mpi", "--test", "mpi"]);
    say!("{}", shown(&command));
    run(&mut command)
}

/// What the build or the tests need and this machine does not have.
fn missing() -> Option<&'static str> {
    let runs = |program: &str| {
        let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    ["mpirun", "mpicc"].into_iter().find(|program| !runs(program)).or((!has_libclang()).then_some("libclang"))
}

/// Whether the library is where the build of the bindings looks for it: in a folder that the user names, or in the usual ones.
fn has_libclang() -> bool {
    if std::env::var_os("LIBCLANG_PATH").is_some() {
        return true;
    }
    let listed = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let llvm = listed(Path::new("/usr/lib")).filter(|path| path.to_string_lossy().contains("llvm"));
    let usual = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];
    let folders = llvm.map(|path| path.join("lib")).chain(usual.into_iter().map(Into::into));
    // Not `libclang-cpp`, another library.
    let is_it = |name: &str| {
        let rest = name.strip_prefix("libclang");
        rest.is_some_and(|rest| rest.starts_with(".so") || rest.starts_with("-1") || rest.starts_with("-2"))
    };
    folders
        .into_iter()
        .any(|folder| listed(&folder).any(|path| path.file_name().is_some_and(|name| is_it(&name.to_string_lossy()))))
}
