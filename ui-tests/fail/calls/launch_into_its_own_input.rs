use systolic::{Error, Gpu, systolic};

systolic! {
    kernel scale(x: [f32; N], by: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = by * x[n]; }
    }
}

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let mut x = gpu.upload(&[1.0, 2.0])?;
    scale::launch(&gpu.stream()?, &x, 2.0, &mut x)?;
    Ok(())
}
