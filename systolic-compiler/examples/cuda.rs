//! Prints the CUDA sources and launch plans of the kernels in a file: `cargo run -p systolic-compiler --example cuda FILE
//! [KERNEL]`. With a folder as third argument it writes them there, with their header.
use std::path::Path;
use systolic_compiler::{link, units};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let wanted = arguments.next().unwrap_or_default();
    let text = std::fs::read_to_string(&path)?;
    let at = text.find("systolic! {").expect("a block") + "systolic! {".len();
    let end = text.rfind('}').expect("an end");
    let found = units(text[at..end].parse().expect("tokens"));
    let folder = arguments.next();
    for unit in found.iter().filter(|u| u.name.starts_with(&wanted)) {
        match &folder {
            None => println!("{}\n// {}\n", unit.source, unit.plan),
            Some(folder) => {
                let folder = Path::new(folder);
                std::fs::write(folder.join(link::HEADER_NAME), link::HEADER)?;
                std::fs::write(folder.join(format!("{}.cu", unit.key)), &unit.source)?;
            }
        }
    }
    Ok(())
}
