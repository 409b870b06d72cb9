//! Sharpens a PNG on the GPU, or on the CPU if there is none, and reports where it ran and how fast:
//! `cargo run --release -p image-filter [INPUT [OUTPUT]]`.
mod measure;
mod picture;
#[cfg(test)]
mod tests;

use picture::Picture;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use systolic::{Auto, systolic};

systolic! {
    /// Filters every plane of a picture: each pixel is a weighted sum of the 5 × 5 pixels around it. Outside, the nearest
    /// pixel is used.
    pub kernel filter(x: [u8; K, R, C] border clamp, w: const [f32; 5, 5]) -> (y: [u8; K, R, C]) {
        for k in 0..K, r in 0..R, c in 0..C, p in 0..5, q in 0..5 {
            S[k, r, c, p, q] = x[k, r + p - 2, c + q - 2] as f32 * w[p, q]
                + if q > 0 { S[k, r, c, p, q - 1] } else if p > 0 { S[k, r, c, p - 1, q + 4] } else { 0.0 };
            // `as u8` truncates and saturates to 0..=255.
            if p == 4 && q == 4 { y[k, r, c] = (S[k, r, c, p, q] + 0.5) as u8; }
        }
    }
}

/// The weights of the filter.
pub type Weights = [[f32; 5]; 5];

/// The picture that is filtered if no file is given.
const EXAMPLE: &[u8] = include_bytes!("../picture.png");

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    // Not `println!`, which panics if the output is closed.
    match sharpen(&arguments) {
        Ok(report) => {
            let _ = writeln!(std::io::stdout(), "{report}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

/// Reads, filters and writes a picture. Returns the report.
fn sharpen(arguments: &[PathBuf]) -> Result<String, Box<dyn Error>> {
    let (input, output) = match arguments {
        [] => (Picture::decode(EXAMPLE)?, None),
        [input] => (Picture::read(input)?, None),
        [input, output] => (Picture::read(input)?, Some(output.clone())),
        _ => return Err("usage: image-filter [INPUT.png [OUTPUT.png]]".into()),
    };
    let output = output.map_or_else(beside_the_program, Ok)?;
    let weights = unsharp(1.0);
    let sharp = filter::run(&Auto, input.colours(), &weights)?;
    input.clone().with_colours(&sharp).write(&output)?;
    let speed = measure::measure(&input, &weights, &sharp)?;
    Ok(format!("wrote {}\nran on {}\n{speed}", output.display(), filter::choice(&Auto)))
}

/// The unsharp mask: a pixel plus `amount` times its difference from a blur. The weights add up to 1.
fn unsharp(amount: f32) -> Weights {
    const BINOMIAL: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
    let mut weights = BINOMIAL.map(|row| BINOMIAL.map(|column| -amount * row * column / 256.0));
    weights[2][2] += 1.0 + amount;
    weights
}

fn beside_the_program() -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name("sharpened.png"))
}
