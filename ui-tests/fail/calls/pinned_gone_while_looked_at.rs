use systolic::{Error, Gpu};

fn main() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let host = gpu.pinned::<f32, _>(4)?;
    let seen = host.view()?;
    drop(host);
    println!("{seen}");
    Ok(())
}
