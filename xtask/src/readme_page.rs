//! Runs the program of `README.md` in a crate created from it, and checks that it prints what the page shows, and that a reader is
//! done within minutes.
use crate::log::say;
use crate::page::{Crate, Page};
use crate::step::Outcome;
use crate::tools::root;
use std::time::{Duration, Instant};

/// From a fresh folder to a program that runs on the CPU and is ready for GPUs, on two cores.
const SOON: Duration = Duration::from_secs(300);

/// Runs the first program with the dependencies for the CPU, then with those for GPUs.
pub fn run() -> Outcome {
    let tried = || {
        let (page, started) = (Page::read("README.md")?, Instant::now());
        on_the_cpu(&page)?;
        with_gpus(&page)?;
        let seconds = started.elapsed().as_secs();
        say!("README's program was built and run for the CPU and for GPUs in {seconds} s");
        match started.elapsed() > SOON {
            true => Err(format!("README's program took {seconds} s from a fresh folder, more than {}", SOON.as_secs())),
            false => Ok(()),
        }
    };
    tried().map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

/// Creates a crate with README's program and these dependencies, whose path is replaced by that of this repository.
fn package(page: &Page, dependencies: &str) -> Result<Crate, String> {
    let package = Crate::new()?;
    let lines = dependencies.replace("path = \"../systolic/", &format!("path = \"{}/", root().display()));
    if lines == dependencies {
        return Err("README.md names no path to a clone".to_string());
    }
    package.manifest(&format!("[package]\nname = \"readme\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{lines}"))?;
    package.write("src/main.rs", &page.block("rust src/main.rs", 0)?)?;
    Ok(package)
}

fn on_the_cpu(page: &Page) -> Result<(), String> {
    let (printed, shown) = (package(page, &page.block("toml", 0)?)?.cargo(&["run"])?, page.block("text", 0)?);
    if printed.success && printed.out == shown {
        return Ok(());
    }
    Err(format!("README.md shows\n{shown}\nits program prints\n{}\n{}", printed.out, printed.err))
}

fn with_gpus(page: &Page) -> Result<(), String> {
    let package = package(page, &page.block("toml", 1)?)?;
    package.write("build.rs", &page.block("rust,no_run build.rs", 0)?)?;
    // The setting that README leaves to `docs/gpu.md`.
    package.write(".cargo/config.toml", &Page::read("docs/gpu.md")?.block("toml .cargo/config.toml", 0)?)?;
    package.write("cuda/lib64/.keep", "")?;
    let printed = package.cargo(&["run"])?;
    let (with, without) = (page.block("text", 1)?, page.block("text", 2)?);
    let fits = match printed.out.lines().nth(1) {
        // Compared only up to the name of the GPU.
        Some(line) if line.contains(" on GPU ") => same_until(&printed.out, &with, " on GPU "),
        // The page shows a machine without a driver; this one may have a driver but no device.
        Some(_) => {
            say!("skipped: README's program on a GPU: there is none here");
            same_until(&printed.out, &without, "no GPU: no CUDA d")
        }
        None if printed.err.contains("has no code for a device") => {
            say!("skipped: README's program on a GPU: nothing was compiled for it");
            return Ok(());
        }
        None => false,
    };
    if printed.success && fits {
        return Ok(());
    }
    Err(format!("README.md shows\n{with}\nor\n{without}\nits program prints\n{}\n{}", printed.out, printed.err))
}

/// Whether both texts contain these words and are equal up to the end of them.
fn same_until(a: &str, b: &str, words: &str) -> bool {
    let until = |text: &str| text.find(words).map(|at| text[..at + words.len()].to_string());
    until(a).is_some() && until(a) == until(b)
}
