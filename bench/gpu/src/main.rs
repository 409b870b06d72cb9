//! Maps on a GPU against a copy of the same bytes, kernels written by hand and the libraries one would use instead.
//!
//! `bench-gpu [WORD…] [--rounds N] [--launches N] [--out FOLDER] [--beside FILE] [--draw FILE] [--predict FILE] [--sizes]`: only
//! the contests whose name holds a word, else all. What a script measured beside joins its contest; to draw is to draw again what
//! was measured, to predict is to hold the compiler's cost model against it; neither needs a GPU. `--sizes` holds our maps
//! against the reference at many sizes, and times nothing.
//! Every result is verified before it is timed; what is wrong gets no time, and ends the program with 1. Files are written at the
//! end, all or none: where something was wrong, or nothing could be measured, older ones stay as they were.
mod code;
mod contest;
mod families;
mod json;
#[path = "../kernels/mod.rs"]
mod kernels;
mod lab;
mod libraries;
mod output;
mod pictures;
mod plan;
mod predict;
mod probes;
mod problem;
mod published;
mod sizes;
mod standing;
mod svg;
mod table;
mod taps;
mod weights;

use json::Results;
use lab::Lab;
use plan::Plan;
use std::process::ExitCode;

/// What can go wrong has a text, and nobody asks for more.
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

/// Does what was asked for. False where a result was wrong.
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
        println!("{}", predict::table(&Results::read(path)?.contests));
        return Ok(true);
    }
    let results = results(plan).map_err(|why| format!("{why}\n{}", output::unchanged(&plan.out)))?;
    output::keep(&plan.out, &results)
}

/// Holds the maps asked for at many sizes. False where a result was wrong.
fn at_sizes(plan: &Plan) -> Fallible<bool> {
    let lab = Lab::new(plan)?;
    families::all(&lab)?;
    let (text, is_right) = lab.count.say().ok_or("no contest has such a name")?;
    println!("{text}");
    Ok(is_right)
}

/// Holds the contests asked for.
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
    println!("{}", predict::table(&contests));
    Ok(Results { machine, probes, contests })
}
