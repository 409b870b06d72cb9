//! Square filters and stencils in the style of chen2019.
use super::sum::kernels;
use crate::Fallible;
use crate::code::Arguments;
use crate::contest::Entry;
use crate::lab::{Lab, Number, Rows};
use crate::weights::Weight;

/// Warps of a block next to each other, or one per plane; rows per warp.
const WARPS: u64 = 4;
const PLANES: u64 = 16;
const SUMS: u64 = 4;

/// A filter that starts `before` elements before its output; outside, the nearest element is used.
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

/// A stencil by name, with its number of planes and its reach along an axis.
pub fn stencil<'a, W: Number + Weight>(
    lab: &Lab,
    name: &str,
    planes: usize,
    reach: usize,
    [x, z]: [Rows; 2],
    weights: &[W],
) -> Fallible<Entry<'a>> {
    let (planes, outer) = (planes as u64, 2 * reach as u64);
    let (rows, valid) = (z.rows / planes, 32 - outer);
    let (grid, threads) = if planes == 1 {
        ([z.columns.div_ceil(WARPS * valid), rows.div_ceil(SUMS), 1], 32 * WARPS)
    } else {
        ([z.columns.div_ceil(valid), rows.div_ceil(SUMS), planes.div_ceil(PLANES - outer)], 32 * PLANES)
    };
    let arguments = Arguments::default().words([x.address, z.address]);
    let arguments = arguments.lengths([x.pitch, z.pitch, planes, rows, z.columns])?;
    let arguments = W::pass(weights, arguments);
    let kernel = lab.code.kernel(&format!("ssam_{name}_{}", W::NAME), grid, u32::try_from(threads)?, arguments)?;
    Ok(kernels(vec![kernel]))
}
