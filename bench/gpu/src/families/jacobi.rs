//! Steps of Jacobi's method on a square, fused into one pass, zero outside.
use super::sum::{Launch, Peers, Sum, kernels};
use crate::Fallible;
use crate::automatic::both;
use crate::code::Arguments;
use crate::lab::{Lab, Rows};
use crate::standing::Standing;
use crate::taps::{Border, Taps};
use systolic::ndarray::Ix2;
use systolic::{DeviceArray, Error, Launched, Stream};

const SIDE: usize = 8192;
/// The weight of a neighbour.
const SHARE: f32 = 0.25;
/// Rows per band of the hand-written kernel.
const BAND: u64 = 128;

type Image = DeviceArray<f32, Ix2>;
type Plain = fn(&Stream, &Image, f32, &mut Image) -> Result<Launched, Error>;

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let fused: [(u32, [Plain; 2]); 3] = [
        (2, both!(jacobi::jacobi2d<2>: s x a y)),
        (4, both!(jacobi::jacobi2d<4>: s x a y)),
        (8, both!(jacobi::jacobi2d<8>: s x a y)),
    ];
    let mut held = Vec::new();
    for (steps, launches) in fused {
        let neighbours = [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]];
        let taps = Taps::new(neighbours.map(|at| (at, f64::from(SHARE))));
        let sum = Sum {
            title: format!("jacobi2d {steps} steps f32"),
            family: "jacobi2d f32, steps".to_string(),
            size: steps as usize,
            input: Ix2(SIDE, SIDE),
            output: Ix2(SIDE, SIDE),
            taps: Taps { border: Border::Zero, begins: false, steps, ..taps },
        };
        let shared = |launch: Plain| -> Launch<f32, Ix2> { Box::new(move |s, x, y| launch(s, x, SHARE, y)) };
        held.extend(sum.hold(lab, launches.map(shared), |x, z| hand(lab, steps, x, z))?);
    }
    Ok(held)
}

/// The hand-written kernel: a warp computes 256 columns and stores 240 of them.
fn hand<'a>(lab: &Lab, steps: u32, x: Rows, z: Rows) -> Fallible<Peers<'a>> {
    let grid = [z.columns.div_ceil(4 * 240), z.rows.div_ceil(BAND), 1];
    let arguments = Arguments::default().words([x.address, z.address]);
    let arguments = arguments.lengths([x.pitch, z.pitch, z.rows, z.columns, BAND])?;
    let kernel = lab.code.kernel(&format!("jacobi_{steps}"), grid, 128, arguments)?;
    Ok(vec![("by hand", kernels(vec![kernel]))])
}
