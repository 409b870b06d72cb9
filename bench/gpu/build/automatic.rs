//! Kernels without maps: the kernels of a folder with their maps removed, for which the build script searches maps, and the maps
//! that it found.
use std::path::{Path, PathBuf};
use systolic_compiler::link;
use systolic_compiler::syntax::{self, tree};

/// The folder of the sources in `OUT_DIR`.
const FOLDER: &str = "automatic";

/// Writes every file of a folder of kernels again without the maps, and `mod.rs`, which includes all of them as modules.
pub fn write(root: &Path, kernels: &Path, out: &Path) -> Result<(), String> {
    let folder = out.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|e| said(&folder, e))?;
    let mut modules = String::new();
    for path in files(kernels, "rs")?.iter().filter(|path| !path.ends_with("mod.rs")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(path).map_err(|e| said(path, e))?;
        let bare = without_maps(root, &text).map_err(|why| format!("{}: {why}", path.display()))?;
        let to = folder.join(format!("{name}.rs"));
        std::fs::write(&to, bare).map_err(|e| said(&to, e))?;
        modules += &format!("pub mod {name} {{\n    include!(\"{name}.rs\");\n}}\n");
    }
    let path = folder.join("mod.rs");
    std::fs::write(&path, modules).map_err(|e| said(&path, e))
}

/// The kernels of a file without their maps, in one call of the macro.
fn without_maps(root: &Path, text: &str) -> Result<String, String> {
    let mut kernels = Vec::new();
    for block in systolic_build::find_in(root, text).0 {
        let parsed = syntax::parse(block);
        if !parsed.faults.is_empty() {
            return Err("a kernel cannot be read".to_string());
        }
        kernels.extend(parsed.block.kernels.into_iter().map(|kernel| tree::Kernel { maps: Vec::new(), ..kernel }));
    }
    Ok(format!("use systolic::systolic;\n\nsystolic! {{\n{}}}\n", syntax::print(&tree::Block { kernels })))
}

/// Writes the maps that were found as a list in Rust, of keys and texts.
pub fn maps(out: &Path) -> Result<(), String> {
    let mut list = String::from("[\n");
    for path in files(&out.join(link::FOLDER), "map")? {
        let key = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).map_err(|e| said(&path, e))?;
        list += &format!("    ({key:?}, {text:?}),\n");
    }
    let path = out.join("maps.rs");
    std::fs::write(&path, list + "]\n").map_err(|e| said(&path, e))
}

/// Whether the map of an entry is one of the sources. Those that were found have a file with the map. A variant that uses local
/// memory has neither that nor a plan, so it is not run.
pub fn is_written(out: &Path, entry: &str) -> bool {
    let key = entry.rsplit_once('_').map_or(entry, |(key, _)| key);
    let has = |name: String| out.join(link::FOLDER).join(name).is_file();
    has(link::plan_file(key)) && !has(link::map_file(key))
}

/// The files of a folder whose names end so, sorted.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| said(folder, e))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    Ok(files)
}

pub fn said(path: &Path, why: std::io::Error) -> String {
    format!("{}: {why}", path.display())
}
