//! What was measured of a map before, for commands that do not measure.
use super::candidates::Candidate;
use super::results::Results;
use std::path::Path;
use systolic_compiler::compile::Which;
use systolic_compiler::syntax::tree;

/// A measured time on a GPU.
pub struct Known {
    pub seconds: f64,
    pub device: String,
    /// `R=12, C=3000`
    pub sizes: String,
}

/// The time of a map, or of the kernel without a map, under the key of the kernel's text. Of several, that of the largest sizes.
pub fn known(root: &Path, key: &str, tree: &tree::Kernel, which: Which) -> Result<Option<Known>, String> {
    let map = match which {
        Which::Map(position) => tree.maps.get(position).map_or_else(Candidate::plain, Candidate::of),
        Which::Default => Candidate::plain(),
    };
    let results = Results::open(root)?;
    let mut best: Option<Known> = None;
    for (key, measured) in results.of_text(key) {
        let timed = measured.iter().find(|one| one.map == map.text).and_then(|one| one.seconds.as_ref().ok());
        // The name of a CPU says how many threads it has.
        let on_gpu = !key.device.contains(" thread");
        if let Some(seconds) =
            timed.filter(|seconds| on_gpu && best.as_ref().is_none_or(|known| known.seconds < **seconds))
        {
            best = Some(Known { seconds: *seconds, device: key.device.clone(), sizes: key.sizes.clone() });
        }
    }
    Ok(best)
}
