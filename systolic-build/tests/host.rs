//! Which C++ compiler nvcc is told to call: programs that only print their name stand for compilers and for nvcc, and every case runs
//! in a process with its own variables.
#![cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use systolic_build::{HostCompiler, Nvcc};

/// The variables that decide. Whatever this machine has set is removed.
const VARIABLES: [&str; 9] =
    ["NVCC_CCBIN", "CXX", "HOST_CXX", "CXXFLAGS", "HOST_CXXFLAGS", "NVCC", "CUDA_PATH", "CUDA_HOME", "PATH"];

/// A folder with programs.
struct Tools(PathBuf);

impl Tools {
    fn new(name: &str) -> Tools {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("host-{name}"));
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("an old folder goes");
        }
        std::fs::create_dir_all(&folder).expect("a folder");
        Tools(folder)
    }

    /// A program that runs this line of a shell.
    fn program(&self, name: &str, line: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        std::fs::write(&path, format!("#!/bin/sh\n{line}\n")).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script can be run");
    }

    /// A compiler that says its name.
    fn compiler(&self, name: &str) {
        self.program(name, &format!("echo '{name} of a test'"));
    }

    /// What a process with these variables finds; `@` stands for the folder.
    fn asked(&self, variables: &[(&str, &str)]) -> String {
        let folder = self.0.display().to_string();
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args(["--exact", "asked_by_the_others", "--ignored", "--nocapture"]);
        for name in VARIABLES {
            command.env_remove(name);
        }
        command.env("PATH", self.0.join("none"));
        command.envs(variables.iter().map(|(name, value)| (*name, value.replace('@', &folder))));
        let output = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).replace(&folder, "@");
        let told = text.lines().filter_map(|line| line.split_once("FOUND ").map(|(_, told)| told.trim()));
        told.collect::<Vec<_>>().join("\n")
    }
}

/// Prints what is found in this process.
#[test]
#[ignore = "the other tests run it, with variables of their own"]
fn asked_by_the_others() {
    println!();
    match HostCompiler::find() {
        Ok(found) => println!("FOUND {} at {}", found.version(), found.path().display()),
        Err(why) => println!("FOUND nothing: {why}"),
    }
    // An nvcc that prints its arguments shows what it is told.
    if std::env::var_os("NVCC").is_some() {
        let told = Nvcc::find().and_then(|nvcc| nvcc.command().output().map_err(|why| why.to_string()));
        match told {
            Ok(output) => println!("FOUND nvcc {}", String::from_utf8_lossy(&output.stdout).trim()),
            Err(why) => println!("FOUND no nvcc: {why}"),
        }
    }
}

#[test]
fn the_order_of_places() {
    let tools = Tools::new("order");
    ["c++", "mine", "of_host", "g++", "nvcc_g++"].iter().for_each(|name| tools.compiler(name));
    let all = [("NVCC_CCBIN", "@/nvcc_g++"), ("HOST_CXX", "of_host"), ("CXX", "mine"), ("PATH", "@")];
    for (k, name) in ["nvcc_g++", "of_host", "mine", "c++"].into_iter().enumerate() {
        assert_eq!(tools.asked(&all[k..]), format!("{name} of a test at @/{name}"));
    }
    // An empty value is none, a folder has nvcc's default, and a name is looked for.
    assert_eq!(tools.asked(&[("NVCC_CCBIN", ""), ("CXX", " "), ("PATH", "@")]), "c++ of a test at @/c++");
    assert_eq!(tools.asked(&[("NVCC_CCBIN", "@"), ("PATH", "@")]), "g++ of a test at @/g++");
    assert_eq!(tools.asked(&[("NVCC_CCBIN", "mine"), ("PATH", "@")]), "mine of a test at @/mine");
}

#[test]
fn what_nvcc_is_told() {
    let tools = Tools::new("told");
    tools.compiler("mine");
    tools.program("ccache", "exit 1");
    let version = "echo 'Cuda compilation tools, release 13.0, V13.0.88'";
    tools.program("nvcc", &format!("case \"$1\" in --version) {version};; *) echo \"$@\";; esac"));
    let variables = [
        ("CXX", "ccache mine --sysroot=/there"),
        ("CXXFLAGS", "-DA=1,2"),
        ("NVCC", "@/nvcc"),
        ("PATH", "@"),
        // Those of a build script for another target do not matter, and neither do the flags of its Rust.
        ("TARGET", "aarch64-unknown-linux-gnu"),
        ("HOST", "aarch64-unknown-linux-gnu"),
        ("OPT_LEVEL", "3"),
        ("CARGO_ENCODED_RUSTFLAGS", "-Ccontrol-flow-guard"),
    ];
    let told = "nvcc -ccbin @/mine -Xcompiler --sysroot=/there -Xcompiler -DA=1\\,2";
    assert_eq!(tools.asked(&variables), format!("mine of a test at @/mine\n{told}"));
}

/// The compiler of Visual Studio says its name without being asked, to the error output, and fails if it is asked as others are.
#[test]
fn a_compiler_that_is_asked_otherwise() {
    let tools = Tools::new("cl");
    tools.program("cl", "if [ $# -gt 0 ]; then exit 2; fi; echo 'Optimizing Compiler of a test' >&2");
    tools.program("nvcc", "case \"$1\" in --version) echo 'release 13.0, V13.0.88';; *) echo \"$@\";; esac");
    let variables = [("NVCC_CCBIN", "@/cl"), ("CXXFLAGS", "/EHsc /DLIST=a,b"), ("NVCC", "@/nvcc"), ("PATH", "@")];
    let told = "nvcc -ccbin @/cl -Xcompiler /EHsc -Xcompiler /DLIST=a\\,b";
    assert_eq!(tools.asked(&variables), format!("Optimizing Compiler of a test at @/cl\n{told}"));
}

#[test]
fn what_is_missing_is_said() {
    let tools = Tools::new("missing");
    tools.program("nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'");
    tools.program("broken", "exit 3");
    let end = ". Install one (`apt install g++`), or set NVCC_CCBIN or CXX to the path of one";
    let says = |what: &str| format!("nvcc needs a C++ compiler, and {what}{end}");
    assert_eq!(tools.asked(&[]), format!("nothing: {}", says("`c++` does not exist")));
    let broken = says("`@/broken --version` failed with exit status: 3");
    assert_eq!(tools.asked(&[("CXX", "@/broken")]), format!("nothing: {broken}"));
    let none = says("`@/no` does not exist");
    let both = format!("nothing: {none}\nno nvcc: {none}");
    assert_eq!(tools.asked(&[("NVCC_CCBIN", "@/no"), ("NVCC", "@/nvcc"), ("PATH", "@")]), both);
    // Without nvcc the reason is nvcc.
    let told = tools.asked(&[("NVCC", "@/none")]);
    assert!(told.ends_with("no nvcc: NVCC is set to `@/none`, which does not exist. Install a CUDA toolkit, or set NVCC to the path of its nvcc"), "{told}");
}
