//! The artifact store: files that the build script of the user's package has compiled into its `OUT_DIR`, by key.
use std::path::Path;
use systolic_compiler::link::{self, Compiled, Image};
use systolic_compiler::target::gpu;

/// The compiled files of a program, or the reason why there are none.
pub fn find(key: &str) -> Result<Compiled, String> {
    // Cargo sets it for packages with a build script.
    let Some(out) = std::env::var_os("OUT_DIR") else {
        return Err(
            "the package has no build script: add a build.rs that calls `systolic_build::compile()`".to_string()
        );
    };
    let folder = Path::new(&out).join(link::FOLDER);
    if !folder.is_dir() {
        return Err("the package's build script does not call `systolic_build::compile()`".to_string());
    }
    let Ok(plan) = std::fs::read_to_string(folder.join(link::plan_file(key))) else {
        return Err(
            "the build script did not find this kernel: it sees neither kernels that a `macro_rules!` expands to nor files \
             outside the package, and compiles no map without a GPU program; if a file under OUT_DIR was deleted, run \
             `cargo clean`"
                .to_string(),
        );
    };
    let why = std::fs::read_to_string(folder.join(link::why_file(key))).unwrap_or_default();
    let map = std::fs::read_to_string(folder.join(link::map_file(key))).ok();
    let series = std::fs::read_to_string(folder.join(link::series_file(key))).ok();
    Ok(Compiled { plan, images: images(&folder, key), map, series, why })
}

/// The PTX, then machine code by architecture.
fn images(folder: &Path, key: &str) -> Vec<Image> {
    let mut images = Vec::new();
    let ptx = link::ptx_file(key);
    if folder.join(&ptx).is_file() {
        images.push(Image { architecture: gpu::LOWEST_ARCHITECTURE, is_ptx: true, file: ptx });
    }
    for architecture in gpu::LATER_ARCHITECTURES {
        let file = link::later_ptx_file(key, architecture);
        if folder.join(&file).is_file() {
            images.push(Image { architecture, is_ptx: true, file });
        }
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let cubin = |file: String| {
        let architecture = link::cubin_architecture(key, &file)?;
        Some(Image { architecture, is_ptx: false, file })
    };
    let mut cubins: Vec<Image> = names.filter_map(cubin).collect();
    cubins.sort_by_key(|image| image.architecture);
    images.extend(cubins);
    images
}
