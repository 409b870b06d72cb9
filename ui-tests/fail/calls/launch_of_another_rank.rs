use systolic::{DeviceArray, Error, Gpu, ndarray::Ix2, systolic};

systolic! {
    kernel scale(x: [f32; N], by: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = by * x[n]; }
    }
}

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let (x, mut y): (_, DeviceArray<f32, Ix2>) = (gpu.zeros(4)?, gpu.zeros([2, 2])?);
    scale::launch(&gpu.stream()?, &x, 2.0, &mut y)?;
    Ok(())
}
