//! Creates the crate of `docs/gpu.md` from the page, in a folder outside the repository, and runs it.
use crate::log::say;
use crate::page::{Crate, Page, Printed, built};
use crate::step::Outcome;
use crate::tools::root;

/// Builds and runs the programs of the page. Without a device they must print what the page shows for that case.
pub fn run() -> Outcome {
    let tried = || {
        let page = Page::read("docs/gpu.md")?;
        let package = package(&page)?;
        first(&page, &package)?;
        stay(&page, &package)?;
        replay(&page, &package)?;
        theirs(&package)?;
        both(&page, &package)
    };
    tried().map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

fn package(page: &Page) -> Result<Crate, String> {
    let package = Crate::new()?;
    package.manifest(&manifest(page)?)?;
    package.write("build.rs", &page.block("rust,no_run build.rs", 0)?)?;
    for name in ["src/main.rs", "src/bin/stay.rs", "src/bin/replay.rs"] {
        package.write(name, &page.block(&format!("rust {name}"), 0)?)?;
    }
    // It needs feature `cuda`, which the documentation's own test does not enable.
    package.write("src/bin/theirs.rs", &page.block("rust,ignore src/bin/theirs.rs", 0)?)?;
    package.write(".cargo/config.toml", &page.block("toml .cargo/config.toml", 0)?)?;
    package.write("cuda/lib64/.keep", "")?;
    Ok(package)
}

/// The manifest of the page, with the paths of this repository.
fn manifest(page: &Page) -> Result<String, String> {
    let path = |name: &str| format!("path = {:?}", root().join(name).display().to_string());
    let manifest = page.block("toml", 0)?;
    Ok(manifest
        .replace("version = \"0.1\", features", &format!("{}, features", path("systolic")))
        .replace("systolic-build = \"0.1\"", &format!("systolic-build = {{ {} }}", path("systolic-build"))))
}

/// Runs the program that works on any machine.
fn first(page: &Page, package: &Crate) -> Result<(), String> {
    let (printed, shown) = (package.cargo(&["run"])?, page.block("text", 0)?);
    let values = shown.lines().nth(1).unwrap_or_default();
    // The page shows a machine without a driver; this one may have one.
    if !(printed.success && printed.out.starts_with("blurred on ") && printed.out.lines().nth(1) == Some(values)) {
        return Err(format!("docs/gpu.md shows\n{shown}\nits program prints\n{}\n{}", printed.out, printed.err));
    }
    embedded(&printed.err)
}

/// Checks that the program contains GPU code, or that the build has said why not.
fn embedded(said: &str) -> Result<(), String> {
    let program = built().join("debug/first").with_extension(std::env::consts::EXE_EXTENSION);
    let bytes = std::fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))?;
    let entry = b".entry k_blur_";
    let reasons = ["on the CPU only: ", "nvcc could not compile the kernel `blur`"];
    match reasons.iter().find(|reason| said.contains(**reason)) {
        Some(reason) => say!("skipped: code for GPUs in the program: {reason}"),
        None if bytes.windows(entry.len()).any(|window| window == entry) => {}
        None => return Err("the program holds no code for GPUs, and the build has not said why".to_string()),
    }
    Ok(())
}

/// Runs the program that keeps its arrays on a GPU. It must print its result, or the reason why there is none.
fn stay(page: &Page, package: &Crate) -> Result<(), String> {
    let printed = package.cargo(&["run", "--bin", "stay"])?;
    let (with, without) = (page.block("text", 1)?, page.block("text", 2)?);
    let (last, wanted) = (printed.out.lines().last().unwrap_or_default(), with.lines().last().unwrap_or_default());
    if printed.success && last == wanted {
        return Ok(());
    }
    if without.starts_with("no GPU: ") && is_skipped("stay", &printed) {
        return Ok(());
    }
    Err(format!("docs/gpu.md shows\n{with}\nor\n{without}\nits program prints\n{}\n{}", printed.out, printed.err))
}

/// Runs the program that records a sequence and awaits it. The page tells what it prints.
fn replay(page: &Page, package: &Crate) -> Result<(), String> {
    let printed = package.cargo(&["run", "--bin", "replay"])?;
    let last = printed.out.lines().last().unwrap_or_default();
    if printed.success && page.text().contains(&format!("on a GPU prints `{last}`")) && !last.is_empty() {
        return Ok(());
    }
    match is_skipped("replay", &printed) {
        true => Ok(()),
        false => Err(format!("`replay` of docs/gpu.md prints\n{}\n{}", printed.out, printed.err)),
    }
}

/// Runs the program that uses memory of `cust`.
fn theirs(package: &Crate) -> Result<(), String> {
    let printed = package.cargo(&["run", "--bin", "theirs"])?;
    match (printed.success && printed.out == "[2.0, 4.0, 6.0]\n") || is_skipped("theirs", &printed) {
        true => Ok(()),
        false => Err(format!("`theirs` of docs/gpu.md prints\n{}\n{}", printed.out, printed.err)),
    }
}

/// Builds the program that uses `cudarc` beside us, and runs it. The workspace does not depend on `cudarc`, so cargo must fetch it.
fn both(page: &Page, package: &Crate) -> Result<(), String> {
    let manifest = manifest(page)?;
    let (before, after) = manifest.split_once("[build-dependencies]").ok_or("docs/gpu.md has no build dependency")?;
    let with = format!("{before}{}\n[build-dependencies]{after}", page.block("toml both", 0)?);
    package.manifest(&with)?;
    if let Err(why) = package.fetch() {
        say!("skipped: `cudarc` could not be fetched: {why}");
        return Ok(());
    }
    package.write("src/bin/both.rs", &page.block("rust,ignore src/bin/both.rs", 0)?)?;
    let printed = package.cargo(&["run", "--bin", "both"])?;
    match (printed.success && printed.out == "[2.0, 4.0, 6.0]\n") || is_skipped("both", &printed) {
        true => Ok(()),
        false => Err(format!("`both` of docs/gpu.md prints\n{}\n{}", printed.out, printed.err)),
    }
}

/// Whether there is no device or no code for it; the program says which, and this says that it was not run.
fn is_skipped(name: &str, printed: &Printed) -> bool {
    let no_device = printed.success && printed.out.starts_with("no GPU: no CUDA d");
    let is_skipped = no_device || printed.err.contains("has no code for a device");
    if is_skipped {
        say!("skipped: `{name}` of docs/gpu.md was compiled, but there is no GPU to run it: {}", printed.out.trim());
    }
    is_skipped
}
