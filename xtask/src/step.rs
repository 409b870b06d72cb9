//! Runs named steps in order and prints their times. The first failure ends the run.
use std::time::{Duration, Instant};

/// The result of a step.
pub enum Outcome {
    Passed,
    /// The reason why there was nothing to do.
    Skipped(String),
    /// The reason of the failure.
    Failed(String),
}

pub struct Step {
    pub name: String,
    pub run: Box<dyn Fn() -> Outcome>,
}

impl Step {
    pub fn new(name: impl Into<String>, run: impl Fn() -> Outcome + 'static) -> Step {
        Step { name: name.into(), run: Box::new(run) }
    }
}

/// Runs the steps whose names contain one of the words; all steps if there are no words.
pub fn run_all(steps: Vec<Step>, only: &[&str]) -> Result<(), String> {
    let steps: Vec<Step> =
        steps.into_iter().filter(|s| only.is_empty() || only.iter().any(|word| s.name.contains(word))).collect();
    if steps.is_empty() {
        return Err(format!("no step is called {}", only.join(" or ")));
    }
    let start = Instant::now();
    let mut lines = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        println!("\n── {}/{} {}", k + 1, steps.len(), step.name);
        let begin = Instant::now();
        let outcome = (step.run)();
        let time = seconds(begin.elapsed());
        let line = match outcome {
            Outcome::Passed => format!("passed   {time}  {}", step.name),
            Outcome::Skipped(why) => format!("skipped  {time}  {}: {why}", step.name),
            Outcome::Failed(why) => {
                return Err(format!("FAILED   {time}  {}: {why}", step.name));
            }
        };
        println!("{line}");
        lines.push(line);
    }
    println!("\n{}\nall      {}", lines.join("\n"), seconds(start.elapsed()));
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:6.1} s", time.as_secs_f64())
}
