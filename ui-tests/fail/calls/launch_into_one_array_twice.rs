use systolic::{Error, Gpu, systolic};

systolic! {
    kernel halves(x: [f32; 2 * N]) -> (y: [f32; N], z: [f32; N]) {
        for n in 0..N { y[n] = x[2 * n]; z[n] = x[2 * n + 1]; }
    }
}

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let (x, mut y) = (gpu.upload(&[1.0, 2.0])?, gpu.zeros(1)?);
    halves::launch(&gpu.stream()?, &x, &mut y, &mut y)?;
    Ok(())
}
