//! The crate of `docs/gpu.md`, made from the page in a folder outside of the repository, and run.
use crate::step::Outcome;
use crate::tools::{cargo, output, root, target};
use std::path::Path;

/// Builds and runs the page's crate. Where there is no device it must say what the page says.
pub fn run() -> Outcome {
    let folder = std::env::temp_dir().join(format!("systolic-gpu-page-{}", std::process::id()));
    let result = tried(&folder);
    // What cannot be removed stays in the folder for temporary files.
    let _ = std::fs::remove_dir_all(&folder);
    result.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

fn tried(folder: &Path) -> Result<(), String> {
    let page = std::fs::read_to_string(root().join("docs/gpu.md")).map_err(|e| format!("docs/gpu.md: {e}"))?;
    let path = |name: &str| format!("path = {:?}", root().join(name).display().to_string());
    let manifest = block(&page, "toml")?
        .replace("version = \"0.1\", features", &format!("{}, features", path("systolic")))
        .replace("systolic-build = \"0.1\"", &format!("systolic-build = {{ {} }}", path("systolic-build")));
    write(folder, "Cargo.toml", &format!("{manifest}\n[workspace]\n"))?;
    for name in ["build.rs", "src/main.rs"] {
        write(folder, name, &block(&page, &format!("rust {name}"))?)?;
    }
    write(folder, ".cargo/config.toml", &block(&page, "toml .cargo/config.toml")?)?;
    write(folder, "cuda/lib64/.keep", "")?;
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    write(folder, "Cargo.lock", &lock)?;
    let built = target().join("expectations/target");
    let mut command = cargo();
    command.current_dir(folder).args(["run", "--offline"]);
    command.env("CARGO_TARGET_DIR", &built).env_remove("CUDA_LIBRARY_PATH");
    let (success, printed) = output(&mut command)?;
    println!("{printed}");
    let shown = block(&page, "text")?;
    let values = shown.lines().nth(1).unwrap_or_default();
    // The page has no driver; here there may be one.
    if !(success && printed.contains("blurred on ") && printed.contains(values)) {
        return Err(format!("docs/gpu.md shows\n{shown}\nits crate prints\n{printed}"));
    }
    embedded(&built, &printed)
}

/// The program holds code for GPUs, or the build has said why not.
fn embedded(built: &Path, printed: &str) -> Result<(), String> {
    let program = built.join("debug/first").with_extension(std::env::consts::EXE_EXTENSION);
    let bytes = std::fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))?;
    let entry = b".entry k_blur_";
    let reasons = ["no nvcc, so 1 kernel runs on the CPU only", "nvcc refuses the kernel `blur`"];
    match reasons.iter().find(|reason| printed.contains(**reason)) {
        Some(reason) => println!("skipped: code for GPUs in the program: {reason}"),
        None if bytes.windows(entry.len()).any(|window| window == entry) => {}
        None => return Err("the program holds no code for GPUs, and the build has not said why".to_string()),
    }
    Ok(())
}

/// The first fenced block with these words behind its fence.
fn block(page: &str, words: &str) -> Result<String, String> {
    let text = page.split(&format!("\n```{words}\n")).nth(1).and_then(|rest| rest.split("```").next());
    text.map(String::from).ok_or_else(|| format!("docs/gpu.md has no block `{words}`"))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
    written.map_err(|e| format!("{}: {e}", path.display()))
}
