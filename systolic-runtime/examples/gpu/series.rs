//! A series of launches: the arrays between them are memory, and every output is stored by its own launch.
use crate::kernels::{LINE, LINES};
use systolic_runtime::emitted::gpu::{Face, Launch, Part, Plan, Series, Variant};
use systolic_runtime::ndarray::Array1;
use systolic_runtime::{Error, Gpu};

/// Two launches that store arrays for later ones, and one that stores the output. All read the input.
static SERIES: Plan = Plan {
    images: &[],
    variants: &[Variant::Series(Series {
        launch: 0.0,
        between: &[BETWEEN, BETWEEN],
        parts: &[part(&[], &[0]), part(&[], &[1]), part(&[0], &[])],
        members: &[LINES, LINES, LINES],
    })],
    ..LINES
};

const BETWEEN: Face = Face { bytes: 4, lengths: |sizes, to| to.push(sizes[0].into()) };

const fn part(outputs: &'static [usize], stores: &'static [usize]) -> Part {
    Part { outputs, reads: &[], stores }
}

pub fn in_turn(gpu: &Gpu) -> Result<(), Error> {
    let stream = gpu.stream()?;
    for length in [1_usize, 63, 1000, 0] {
        let x = Array1::from_iter((0..length).map(|n| n as f32));
        let (a, mut b) = (gpu.upload(&x)?, gpu.zeros::<f32, _>(length)?);
        let call = LINE.call(&[a.shape()], &[])?;
        let mut launch = Launch::new(&stream, &SERIES, &call)?;
        launch.input(&a)?;
        launch.scalar(2.0_f32)?;
        launch.scalar(0_u32)?;
        launch.output(&mut b)?;
        launch.go()?;
        assert_eq!(b.download()?, x * 2.0);
    }
    Ok(())
}
