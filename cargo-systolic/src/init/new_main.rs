use systolic::{Cpu, Gpu, systolic};

systolic! {
    /// Every element becomes a weighted mean of itself and its two neighbours.
    kernel blur(x: [f32; N] border clamp) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = 0.25 * x[n - 1] + 0.5 * x[n] + 0.25 * x[n + 1];
        }
    }
}

fn main() -> Result<(), systolic::Error> {
    let x = [0.0f32, 0.0, 0.0, 1.0, 1.0, 1.0];
    println!("{} on the CPU", blur::run(&Cpu, &x)?);
    match Gpu::new(0) {
        Ok(gpu) => println!("{} on {}", blur::run(&gpu, &x)?, gpu.properties()),
        Err(why) => println!("no GPU: {why}"),
    }
    Ok(())
}
