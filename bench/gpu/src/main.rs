//! Compares maps on a GPU with a copy of the same bytes, hand-written kernels and libraries, and with the maps that a search finds
//! for the same kernels.
//!
//! `bench-gpu [WORD…] [--rounds N] [--launches N] [--out FOLDER] [--beside FILE] [--draw FILE] [--predict FILE]
//! [--sizes]` runs the contests whose name contains a word, or all. `--beside` adds the times that a script has
//! measured to their contests. `--draw` draws earlier results again, and `--predict` compares the compiler's cost model
//! with them; neither needs a GPU. `--sizes` compares our maps with the reference at many sizes and times nothing.
//!
//! Every result is verified before it is timed; a wrong one gets no time, and the program exits with 1. All files are
//! written at the end, or none: if a result was wrong or nothing could be measured, older files are kept.
mod automatic;
mod code;
mod contest;
mod families;
mod json;
#[path = "../kernels/mod.rs"]
mod kernels;
mod lab;
mod libraries;
mod output;
mod pairs;
mod pictures;
mod plan;
mod predict;
mod probes;
mod problem;
mod published;
mod ranked;
mod sizes;
mod standing;
mod svg;
mod table;
mod taps;
mod weights;
mod widths;

use json::Results;
use lab::Lab;
use plan::Plan;
use std::process::ExitCode;

/// A result with any error, of which only the message matters.
pub type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Plan::of(&arguments).and_then(|plan| measure(&plan)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Runs the requested command. Returns false if a result was wrong.
fn measure(plan: &Plan) -> Fallible<bool> {
    if plan.sizes {
        return at_sizes(plan);
    }
    std::fs::create_dir_all(&plan.out).map_err(|e| format!("{}: {e}", plan.out.display()))?;
    if let Some(path) = &plan.draw {
        output::replace(&plan.out, &pictures::draw(&Results::read(path)?))?;
        return Ok(true);
    }
    if let Some(path) = &plan.predict {
        println!("{}", predict::tables(&Results::read(path)?.contests));
        return Ok(true);
    }
    let results = results(plan).map_err(|why| format!("{why}\n{}", output::unchanged(&plan.out)))?;
    output::keep(&plan.out, &results)
}

/// Checks the requested maps at many sizes. Returns false if a result was wrong.
fn at_sizes(plan: &Plan) -> Fallible<bool> {
    let lab = Lab::new(plan)?;
    families::all(&lab)?;
    let (text, is_right) = lab.count.say().ok_or("no contest has such a name")?;
    println!("{text}");
    Ok(is_right)
}

/// Holds the requested contests.
fn results(plan: &Plan) -> Fallible<Results> {
    let lab = Lab::new(plan)?;
    let machine = table::machine(&lab);
    println!("{machine}\n");
    let probes = families::machine(&lab)?;
    let contests = families::all(&lab)?;
    if contests.is_empty() && probes.is_empty() {
        return Err("no contest has such a name".into());
    }
    println!("{}", table::summary(&contests));
    println!("{}", published::table(&contests));
    println!("{}", predict::tables(&contests));
    println!("{}", pairs::table(&contests));
    println!("{}", widths::table(&contests));
    Ok(Results { machine, probes, contests })
}
