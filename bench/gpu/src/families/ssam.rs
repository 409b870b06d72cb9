//! A square filter in the form of chen2019.
use super::sum::kernels;
use crate::Fallible;
use crate::code::Arguments;
use crate::contest::Entry;
use crate::lab::{Lab, Number, Rows};
use crate::weights::Weight;

/// Warps of a block, rows of a warp.
const WARPS: u64 = 4;
const SUMS: u64 = 4;

/// The filter begins so many elements before its output; outside the input lies its nearest element.
pub fn ssam<'a, W: Number + Weight, const P: usize>(
    lab: &Lab,
    x: Rows,
    z: Rows,
    weights: &[[W; P]; P],
    before: usize,
) -> Fallible<Entry<'a>> {
    let valid = 32 - P as u64 + 1;
    let grid = [z.columns.div_ceil(WARPS * valid), z.rows.div_ceil(SUMS), 1];
    let arguments = Arguments::default().words([x.address, z.address]);
    let arguments = arguments.lengths([x.pitch, z.pitch, x.rows, x.columns, z.rows, z.columns, before as u64])?;
    let arguments = W::pass(weights.as_flattened(), arguments);
    Ok(kernels(vec![lab.code.kernel(&format!("ssam_{}_{P}", W::NAME), grid, 128, arguments)?]))
}
