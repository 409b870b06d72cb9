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

pub use machine::machine;

use crate::Fallible;
use crate::lab::Lab;
use crate::standing::Standing;

/// Every contest that was asked for.
pub fn all(lab: &Lab) -> Fallible<Vec<Standing>> {
    let families =
        [roofs::contests, conv1d::contests, conv2d::contests, same::contests, stencils::contests, jacobi::contests];
    let held: Result<Vec<_>, _> = families.iter().map(|contests| contests(lab)).collect();
    Ok(held?.into_iter().flatten().collect())
}
