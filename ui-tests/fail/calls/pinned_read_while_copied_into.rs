use systolic::{Error, Gpu};

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let (stream, z) = (gpu.stream()?, gpu.zeros::<f32, _>((4, 4))?);
    let mut host = gpu.pinned((4, 4))?;
    let seen = host.view()?;
    stream.download(&z, &mut host)?;
    println!("{seen}");
    Ok(())
}
