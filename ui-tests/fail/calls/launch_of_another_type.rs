use systolic::{Error, Gpu, ndarray::Array1, systolic};

systolic! {
    kernel scale(x: [f32; N], by: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = by * x[n]; }
    }
}

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let (x, mut y) = (gpu.upload(&Array1::<f64>::zeros(2))?, gpu.zeros(2)?);
    scale::launch(&gpu.stream()?, &x, 2.0, &mut y)?;
    Ok(())
}
