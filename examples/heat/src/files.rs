//! The files of the simulation, all in one folder: `initial.raw`, `step-000050.raw` for a checkpoint, `step-000050.pgm` for a
//! picture. Raw files have the elements and nothing else.
use std::path::{Path, PathBuf};
use systolic::ndarray::Array2;
use systolic_mesh::Error;

/// The initial state.
pub fn initial(folder: &Path) -> PathBuf {
    folder.join("initial.raw")
}

/// The checkpoint after a step.
pub fn checkpoint(folder: &Path, step: usize) -> PathBuf {
    folder.join(format!("step-{step:06}.raw"))
}

/// Makes the folder unless it is there.
pub fn made(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| wrong(folder, &error))
}

/// The step and the file of the last checkpoint. A file that was being written has another name, so it is not found.
pub fn last_checkpoint(folder: &Path) -> Result<Option<(usize, PathBuf)>, Error> {
    let entries = std::fs::read_dir(folder).map_err(|error| wrong(folder, &error))?;
    let step = |name: &str| name.strip_prefix("step-")?.strip_suffix(".raw")?.parse::<usize>().ok();
    let steps = entries.flatten().filter_map(|entry| step(entry.file_name().to_str()?));
    Ok(steps.max().map(|step| (step, checkpoint(folder, step))))
}

/// Writes a picture in shades of grey, white for 100 degrees and more.
pub fn draw(folder: &Path, step: usize, plane: &Array2<f32>) -> Result<(), Error> {
    let path = folder.join(format!("step-{step:06}.pgm"));
    let mut bytes = format!("P5\n{} {}\n255\n", plane.ncols(), plane.nrows()).into_bytes();
    bytes.extend(plane.iter().map(|warm| (warm * 2.55) as u8));
    let beside = path.with_extension("incomplete");
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, &path));
    written.map_err(|error| wrong(&path, &error))
}

fn wrong(path: &Path, why: &std::io::Error) -> Error {
    Error::File { path: path.display().to_string(), why: why.to_string() }
}
