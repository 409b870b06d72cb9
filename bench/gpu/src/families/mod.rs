//! The contests, by family.
mod conv1d;
mod conv2d;
mod jacobi;
mod machine;
mod roofs;
mod same;
mod ssam;
mod stencils;
mod sum;
mod widths;

pub use machine::machine;

use crate::Fallible;
use crate::lab::Lab;
use crate::standing::Standing;

/// Holds every requested contest. If maps are checked at many sizes, contests without a map of ours are left out, and so are those of
/// widths.
pub fn all(lab: &Lab) -> Fallible<Vec<Standing>> {
    let mut held = if lab.plan.sizes { Vec::new() } else { roofs::contests(lab)? };
    for contests in [conv1d::contests, conv2d::contests, same::contests, stencils::contests, jacobi::contests] {
        held.extend(contests(lab)?);
    }
    if !lab.plan.sizes {
        held.extend(widths::contests(lab)?);
    }
    Ok(held)
}
