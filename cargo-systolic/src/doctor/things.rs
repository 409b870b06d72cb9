//! What is on this machine, and what the package asks for.
use crate::command::{cargo, is_not_there, output};
use crate::device::{Device, cpu_name, instruction_sets};
use crate::maps::measured_machine;
use crate::package::{CALL, Package, compiles_kernels};
use crate::sources::not_rust;
use crate::toolkit;
use std::path::{Path, PathBuf};
use std::process::Command;
use systolic_build::HostCompiler;
use systolic_compiler::target::gpu::LOWEST_ARCHITECTURE;
use systolic_compiler::target::machine_file;

/// How a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Ok,
    /// The package asks for it, and it is not there.
    Missing,
    /// It is not there, and nobody asks for it.
    Note,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Missing => "missing",
            State::Note => "note",
        }
    }
}

/// One thing.
pub struct Finding {
    pub state: State,
    pub name: &'static str,
    /// Its version and where it is, or why it is not there.
    pub words: String,
    /// What to do if it is missing.
    pub step: Option<String>,
}

/// All things, and why no kernel of the package runs on a GPU, if so.
pub struct Things {
    pub findings: Vec<Finding>,
    /// The best instruction set of the CPU.
    pub cpu: String,
    /// The GPU, or the first reason why kernels do not run on one.
    pub gpu: Result<String, String>,
}

/// Looks at everything. `broken` are the files that are not Rust, and `trouble` is why cargo cannot read the package.
pub fn look(package: Option<&Package>, broken: &[PathBuf], trouble: Option<&str>) -> Things {
    let asks = package.is_some_and(asks_for_gpu);
    let (cpu, best) = cpu();
    let mut findings = vec![rust(), cpu];
    match trouble {
        // The first finding says that Rust is missing.
        Some(why) if is_not_there(why) => findings.push(Finding {
            state: State::Note,
            name: "package",
            words: "not read, because cargo is not here".to_string(),
            step: None,
        }),
        Some(why) => findings.push(thing(
            "package",
            Err(one_line(why)),
            true,
            "correct Cargo.toml: `cargo metadata` shows the whole message",
        )),
        None => findings.extend(of_package(package, broken)),
    }
    let gpu_things = of_gpu(package, asks);
    let gpu = match package {
        Some(_) if !asks => Err("feature `cuda` of `systolic` is not enabled".to_string()),
        None => Err("there is no package".to_string()),
        Some(_) => gpu_things.iter().find(|thing| thing.state != State::Ok).map_or_else(
            || Ok(gpu_things.last().map(|thing| thing.words.clone()).unwrap_or_default()),
            |thing| Err(thing.words.clone()),
        ),
    };
    findings.extend(gpu_things);
    findings.extend(package.map(machine_of));
    Things { findings, cpu: best, gpu }
}

/// Whether the manifest asks for code that runs on GPUs.
fn asks_for_gpu(package: &Package) -> bool {
    let cuda = |feature: &String| feature == "cuda";
    let dependency = package.declared("systolic", false);
    dependency.is_some_and(|dependency| dependency.features.iter().any(cuda))
        || package.declared("systolic-build", true).is_some()
}

fn found(name: &'static str, words: String) -> Finding {
    Finding { state: State::Ok, name, words, step: None }
}

/// A thing that is there, or that is missing if the package asks for it.
fn thing(name: &'static str, result: Result<String, String>, asked: bool, step: &str) -> Finding {
    let missing = if asked { State::Missing } else { State::Note };
    match result {
        Ok(words) => found(name, words),
        Err(words) => Finding { state: missing, name, words, step: Some(step.to_string()) },
    }
}

fn rust() -> Finding {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = output(Command::new(rustc).arg("--version"));
    let built = output(cargo().arg("--version")).map(|text| text.trim().to_string());
    let least = env!("CARGO_PKG_RUST_VERSION");
    let version = |text: &str| {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse::<u32>().ok());
        numbers.next().zip(numbers.next())
    };
    let (result, how) = match told {
        Ok(text) if version(&text) < version(least) => {
            (Err(format!("{} is older than {least}", text.trim())), ": `rustup update stable`")
        }
        Ok(text) => (Ok(format!("{}, {}", text.trim(), built.unwrap_or_else(|why| why))), ""),
        Err(why) => (Err(why), ", by rustup or by your system"),
    };
    thing("Rust", result, true, &format!("install Rust {least} or later{how}"))
}

/// The CPU, and its best instruction set.
fn cpu() -> (Finding, String) {
    let there = instruction_sets().into_iter().filter(|(_, there)| *there).map(|(name, _)| name);
    let sets: Vec<&str> = there.collect();
    let best = sets.last().map_or(String::new(), ToString::to_string);
    (found("CPU", format!("{}: {}", cpu_name(), sets.join(", "))), best)
}

/// A message of cargo, without its drawings.
fn one_line(why: &str) -> String {
    let is_words =
        |line: &&str| !line.is_empty() && *line != "Caused by:" && !line.contains(" |") && !line.starts_with('|');
    let lines: Vec<&str> = why.lines().map(|line| line.trim().trim_start_matches("--> ")).filter(is_words).collect();
    lines.join(": ")
}

/// The package and its dependency on the macro.
fn of_package(package: Option<&Package>, broken: &[PathBuf]) -> Vec<Finding> {
    let Some(package) = package else {
        let words = "there is no Cargo.toml in this folder or above".to_string();
        return vec![Finding { state: State::Note, name: "package", words, step: None }];
    };
    let systolic = package.declared("systolic", false);
    let result = systolic.map(|systolic| {
        let features = if systolic.features.is_empty() { "none".to_string() } else { systolic.features.join(", ") };
        format!("from {}, features: {features}", systolic.from)
    });
    let result = result.ok_or(format!("`{}` does not depend on `systolic`", package.name));
    let mut findings = vec![
        found("package", format!("`{}` in {}", package.name, package.root.display())),
        thing("systolic", result, true, "`cargo systolic init` adds the dependency"),
    ];
    let broken = broken.iter().map(|file| Err(not_rust(package, file)));
    findings
        .extend(broken.map(|broken| thing("source", broken, true, "`cargo check` says what is wrong in the source")));
    findings
}

/// All that kernels need to run on a GPU, in the order in which a build and a program need it. The last is the GPU.
fn of_gpu(package: Option<&Package>, asks: bool) -> Vec<Finding> {
    let mut things = Vec::new();
    if let Some(package) = package.filter(|_| asks) {
        let cuda = package.declared("systolic", false).filter(|one| one.features.iter().any(|f| f == "cuda"));
        let cuda = cuda.map(|_| "enabled".to_string()).ok_or("feature `cuda` of `systolic` is not enabled".to_string());
        things.push(thing("feature cuda", cuda, true, "`cargo systolic init` enables the feature"));
        things.push(thing("build script", script(package), true, "`cargo systolic init` adds the build script"));
        let bindings = toolkit::bindings(&package.root);
        things.push(thing("cust", bindings, true, "`cargo systolic init` adds the setting that `cust` needs"));
    }
    let nvcc = toolkit::nvcc().map(|nvcc| format!("{} at {}", nvcc.version(), nvcc.path().display()));
    let install = "install a CUDA toolkit, or set NVCC to the path of its nvcc: docs/gpu.md, \"What is needed where\"";
    things.push(thing("nvcc", nvcc, asks, install));
    let compiler = HostCompiler::find().map(|found| format!("{} at {}", found.version(), found.path().display()));
    things.push(thing("C++ compiler", compiler, asks, "install a C++ compiler, which nvcc calls: `apt install g++`"));
    let driver = toolkit::driver();
    let gpu = if driver.is_ok() { gpu() } else { Err("no GPU can be seen without a driver".to_string()) };
    let update = "install NVIDIA's driver; until then the program runs on the CPU";
    things.push(thing("driver", driver, asks, update));
    things.push(thing("GPU", gpu, asks, "run the program on a machine with a GPU; on this one it runs on the CPU"));
    things
}

fn gpu() -> Result<String, String> {
    let Device { name, gpu, .. } = Device::gpu()?;
    match gpu {
        Some((architecture, _)) if architecture < LOWEST_ARCHITECTURE => {
            Err(format!("{name} (sm_{architecture}) is older than sm_{LOWEST_ARCHITECTURE}"))
        }
        Some((architecture, _)) => Ok(format!("{name} (sm_{architecture})")),
        None => Ok(name),
    }
}

fn script(package: &Package) -> Result<String, String> {
    if package.declared("systolic-build", true).is_none() {
        return Err("there is no build dependency on `systolic-build`".to_string());
    }
    let path = package.script.as_deref().ok_or("the package has no build script")?;
    match std::fs::read_to_string(path) {
        Ok(text) if compiles_kernels(&text) => Ok(format!("{} calls {CALL}", shown(package, path))),
        Ok(_) => Err(format!("{} does not call `{CALL}`", shown(package, path))),
        Err(e) => Err(format!("{}: {e}", path.display())),
    }
}

fn shown(package: &Package, path: &Path) -> String {
    path.strip_prefix(&package.root).unwrap_or(path).display().to_string()
}

/// The machine for which build scripts search maps.
fn machine_of(package: &Package) -> Finding {
    match measured_machine(package) {
        Some(file) => found("machine", file.display().to_string()),
        None => Finding {
            state: State::Note,
            name: "machine",
            words: format!("there is no {}: maps are searched for an H200", machine_file::FILE),
            step: None,
        },
    }
}
