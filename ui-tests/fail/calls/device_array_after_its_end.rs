use systolic::{Error, Gpu};

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let x = gpu.upload(&[1.0f32, 2.0])?;
    drop(x);
    println!("{}", x.download()?);
    Ok(())
}
