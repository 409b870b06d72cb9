//! What was measured of maps before, for commands that do not measure.
use super::candidates::Candidate;
use super::results::Results;
use std::path::Path;
use systolic_compiler::compile::Which;
use systolic_compiler::mapping::Target;
use systolic_compiler::syntax::tree;

/// A measured time.
#[derive(Clone, Debug)]
pub struct Known {
    pub seconds: f64,
    pub device: String,
    /// `R=12, C=3000`
    pub sizes: String,
}

impl Known {
    /// Whether it was measured on a GPU: the name of a CPU says how many threads it has.
    pub fn on_gpu(&self) -> bool {
        !self.device.contains(" thread")
    }
}

/// All times of a map, or of the kernel without a map, under the key of the kernel's text.
pub fn all_known(root: &Path, key: &str, tree: &tree::Kernel, which: Which) -> Result<Vec<Known>, String> {
    let map = match which {
        Which::Map(position) => tree.maps.get(position).map_or_else(Candidate::plain, Candidate::of),
        Which::Default => Candidate::plain(),
    };
    let results = Results::open(root)?;
    let mut all = Vec::new();
    for (key, measured) in results.of_text(key) {
        let timed = measured.iter().find(|one| one.map == map.text).and_then(|one| one.seconds.as_ref().ok());
        all.extend(timed.map(|seconds| Known {
            seconds: *seconds,
            device: key.device.clone(),
            sizes: key.sizes.clone(),
        }));
    }
    Ok(all)
}

/// The time of a map on a GPU or on a CPU. Of several, that of the largest sizes.
pub fn known(
    root: &Path,
    key: &str,
    tree: &tree::Kernel,
    which: Which,
    target: Target,
) -> Result<Option<Known>, String> {
    let all = all_known(root, key, tree, which)?.into_iter().filter(|one| one.on_gpu() == (target == Target::Gpu));
    Ok(all.max_by(|a, b| a.seconds.total_cmp(&b.seconds)))
}
