//! Compares maps on the CPU with plain loops and with libraries, on the same cores.
//!
//! `cargo run --release` in this folder measures everything; `-- WORD…` only the contests whose name contains a word;
//! `--rounds N` sets how often each is timed. `-- peers` installs the Python peers into `.venv`.
mod align;
mod contest;
mod conv;
mod data;
mod goal;
mod image_peers;
mod json;
mod kernels;
mod plain;
mod pool;
mod python;
mod scan;
mod table;
mod vectors;

use contest::Standing;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The default number of rounds; fewer show no spread.
const ROUNDS: usize = 9;

/// The requested measurements.
pub struct Plan {
    words: Vec<String>,
    pub rounds: usize,
}

impl Plan {
    fn of(arguments: &[String]) -> Result<Plan, String> {
        let mut plan = Plan { words: Vec::new(), rounds: ROUNDS };
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            if word == "--rounds" {
                let number = rest.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                plan.rounds = number.ok_or("--rounds wants a number above 0")?;
            } else {
                plan.words.push(word.clone());
            }
        }
        Ok(plan)
    }

    /// Whether a contest is requested.
    pub fn wants(&self, title: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| title.contains(word.as_str()))
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [word] if word == "peers" => python::install().map(|()| true),
        _ => Plan::of(&arguments).and_then(|plan| measure(&plan)),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Holds the requested contests. Returns false if a result was wrong.
fn measure(plan: &Plan) -> Result<bool, String> {
    let machine = table::machine();
    println!("{machine}\n");
    let mut standings = conv::contests(plan)?;
    standings.extend(scan::contests(plan)?);
    standings.extend(align::contests(plan)?);
    if standings.is_empty() {
        return Err("no contest has such a name".to_string());
    }
    println!("{}", goal::report(&standings));
    let path = results();
    json::write(&path, &machine, &standings).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("Written to {}.", path.display());
    Ok(standings.iter().all(Standing::is_right))
}

/// The path of the results file.
fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-cpu.json")
}
