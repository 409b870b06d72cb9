//! 2-D convolution whose output is as large as its input, with every kind of border.
use super::sum::{Launch, Sum, nobody};
use crate::Fallible;
use crate::automatic::both;
use crate::lab::Lab;
use crate::standing::Standing;
use crate::taps::{Border, Taps};
use crate::weights::square;
use systolic::ndarray::Ix2;
use systolic::{DeviceArray, Error, Launched, Stream};

const SIDE: usize = 8192;

type Image = DeviceArray<f32, Ix2>;
type Plain = fn(&Stream, &Image, &[[f32; 3]; 3], &mut Image) -> Result<Launched, Error>;

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let modes: [(&str, Border, [Plain; 2]); 6] = [
        ("zero", Border::Zero, both!(same::zero<3>: s x w z)),
        ("clamp", Border::Clamp, both!(same::clamp<3>: s x w z)),
        ("reflect", Border::Reflect, both!(same::reflect<3>: s x w z)),
        ("symmetric", Border::Symmetric, both!(same::symmetric<3>: s x w z)),
        ("wrap", Border::Wrap, both!(same::wrap<3>: s x w z)),
        ("constant", Border::Constant(0.5), both!(same::constant<3>: s x w z)),
    ];
    let mut held = Vec::new();
    for (name, border, launches) in modes {
        let weights = square::<f32, 3>();
        let sum = Sum {
            title: format!("conv2d-same 3×3 f32, {name}"),
            family: format!("conv2d-same f32, {name}"),
            size: 3,
            input: Ix2(SIDE, SIDE),
            output: Ix2(SIDE, SIDE),
            taps: Taps::filter([1, 3, 3], weights.as_flattened()).around([1, 3, 3], border),
        };
        let weighted = |launch: Plain| -> Launch<f32, Ix2> { Box::new(move |s, x, z| launch(s, x, &weights, z)) };
        held.extend(sum.hold(lab, launches.map(weighted), nobody)?);
    }
    Ok(held)
}
