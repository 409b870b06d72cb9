//! 2-D convolution whose output is as large as its input, with every kind of border.
use super::sum::{Sum, nobody};
use crate::Fallible;
use crate::kernels::same::{clamp, constant, reflect, symmetric, wrap, zero};
use crate::lab::Lab;
use crate::standing::Standing;
use crate::taps::{Border, Taps};
use crate::weights::square;
use systolic::ndarray::Ix2;
use systolic::{DeviceArray, Error, Stream};

const SIDE: usize = 8192;

type Image = DeviceArray<f32, Ix2>;
type Launch = fn(&Stream, &Image, &[[f32; 3]; 3], &mut Image) -> Result<(), Error>;

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let modes: [(&str, Border, Launch); 6] = [
        ("zero", Border::Zero, |s, x, w, z| zero::<3>::launch(s, x, w, z)),
        ("clamp", Border::Clamp, |s, x, w, z| clamp::<3>::launch(s, x, w, z)),
        ("reflect", Border::Reflect, |s, x, w, z| reflect::<3>::launch(s, x, w, z)),
        ("symmetric", Border::Symmetric, |s, x, w, z| symmetric::<3>::launch(s, x, w, z)),
        ("wrap", Border::Wrap, |s, x, w, z| wrap::<3>::launch(s, x, w, z)),
        ("constant", Border::Constant(0.5), |s, x, w, z| constant::<3>::launch(s, x, w, z)),
    ];
    let mut held = Vec::new();
    for (name, border, launch) in modes {
        let weights = square::<f32, 3>();
        let sum = Sum {
            title: format!("conv2d-same 3×3 f32, {name}"),
            family: format!("conv2d-same f32, {name}"),
            size: 3,
            input: Ix2(SIDE, SIDE),
            output: Ix2(SIDE, SIDE),
            taps: Taps::filter([1, 3, 3], weights.as_flattened()).around([1, 3, 3], border),
        };
        held.extend(sum.hold(lab, move |s, x, z| launch(s, x, &weights, z), nobody)?);
    }
    Ok(held)
}
