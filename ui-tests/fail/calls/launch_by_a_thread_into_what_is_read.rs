use systolic::{Error, Gpu, systolic};

systolic! {
    kernel ones(n: size) -> (y: [f32; n]) {
        for i in 0..n { y[i] = 1.0; }
    }
}

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let (stream, mut y) = (gpu.stream()?, gpu.zeros(2)?);
    let writer = std::thread::spawn(move || ones::launch(&stream, 2, &mut y));
    println!("{}", y.download()?);
    println!("{:?}", writer.join());
    Ok(())
}
