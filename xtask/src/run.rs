//! Runs a plan and prints what its steps print, their results and their times.
use crate::lanes::{self, Lane};
use crate::log::Log;
use crate::step::{Outcome, Step};
use crate::tools::target;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// More steps at a time would take turns on the cores and in memory: most of them use two cores for some of their time.
const MOST_WORKERS: usize = 2;

/// Steps that run first, one after the other, and then lanes of steps that run side by side.
pub struct Plan {
    pub first: Vec<Step>,
    pub lanes: Vec<Vec<Step>>,
}

impl From<Vec<Step>> for Plan {
    fn from(first: Vec<Step>) -> Plan {
        Plan { first, lanes: Vec::new() }
    }
}

/// Runs the steps whose names contain one of the words; all steps if there are no words. After a failure no other step begins.
pub fn run_all(plan: impl Into<Plan>, only: &[&str]) -> Result<(), String> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
    run(plan.into(), only, workers, target().join("steps"))
}

/// `logs` is the folder for the output of steps that run side by side.
fn run(plan: Plan, only: &[&str], workers: usize, logs: PathBuf) -> Result<(), String> {
    let chosen = |steps: Vec<Step>| -> Vec<Step> {
        steps.into_iter().filter(|s| only.is_empty() || only.iter().any(|word| s.name.contains(word))).collect()
    };
    let first = chosen(plan.first);
    let lanes: Vec<Vec<Step>> = plan.lanes.into_iter().map(chosen).filter(|lane| !lane.is_empty()).collect();
    let count = first.len() + lanes.iter().map(Vec::len).sum::<usize>();
    if count == 0 {
        return Err(format!("no step is called {}", only.join(" or ")));
    }
    let start = Instant::now();
    let state = State { begun: 0, lines: Vec::new(), failures: Vec::new() };
    let run = Run { count, logs, state: Mutex::new(state) };
    lanes::run(vec![Lane::new(first)], 1, |step| run.alone(step));
    let has_passed = run.lock().failures.is_empty();
    if has_passed {
        let is_alone = workers == 1 || lanes.len() == 1;
        let lanes = lanes.into_iter().map(Lane::new).collect();
        lanes::run(lanes, workers, |step| if is_alone { run.alone(step) } else { run.beside(step) });
    }
    let state = run.lock();
    println!("\n{}\nall      {}", state.lines.join("\n"), seconds(start.elapsed()));
    match state.failures.as_slice() {
        [] => Ok(()),
        failures => Err(format!("{}\n{} of {count} steps were not begun", failures.join("\n"), count - state.begun)),
    }
}

/// A plan that is running.
struct Run {
    /// The number of its steps.
    count: usize,
    logs: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// How many steps have begun.
    begun: usize,
    /// A line for each step that has ended.
    lines: Vec<String>,
    /// The lines of those that failed.
    failures: Vec<String>,
}

impl Run {
    /// Whoever holds the lock may print.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a step that prints to the terminal, and returns whether it passed.
    fn alone(&self, step: &Step) -> bool {
        let number = self.begin();
        println!("\n── {number}/{} {}", self.count, step.name);
        let (outcome, time) = timed(step);
        self.end(step, outcome, time, "")
    }

    /// Runs a step beside others: its output is printed when it has ended. Returns whether it passed.
    fn beside(&self, step: &Step) -> bool {
        let number = self.begin();
        let path = self.logs.join(format!("{number}.txt"));
        let title = format!("{number}/{} {}", self.count, step.name);
        println!("\n── {title}: begins; it prints to {}", path.display());
        let collected = Log::create(&path).and_then(|log| {
            let (outcome, time) = log.collect(|| timed(step))?;
            Ok((outcome, time, log.text()?))
        });
        let (outcome, time, text) =
            collected.unwrap_or_else(|why| (Outcome::Failed(why), Duration::ZERO, String::new()));
        self.end(step, outcome, time, &format!("\n── {title}: its output\n{text}"))
    }

    /// The number of a step that begins, from 1.
    fn begin(&self) -> usize {
        let mut state = self.lock();
        state.begun += 1;
        state.begun
    }

    /// Prints the output and the result of a step, and returns whether it passed.
    fn end(&self, step: &Step, outcome: Outcome, time: Duration, text: &str) -> bool {
        let (time, name) = (seconds(time), &step.name);
        let (has_passed, line) = match outcome {
            Outcome::Passed => (true, format!("passed   {time}  {name}")),
            Outcome::Skipped(why) => (true, format!("skipped  {time}  {name}: {why}")),
            Outcome::Failed(why) => (false, format!("FAILED   {time}  {name}: {why}")),
        };
        let mut state = self.lock();
        println!("{text}{line}");
        if !has_passed {
            state.failures.push(line.clone());
        }
        state.lines.push(line);
        has_passed
    }
}

/// Runs a step. A panic of it is a failure, so that other steps can end.
fn timed(step: &Step) -> (Outcome, Duration) {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (step.run)()));
    (outcome.unwrap_or_else(|_| Outcome::Failed("the step panicked".to_string())), start.elapsed())
}

fn seconds(time: Duration) -> String {
    format!("{:6.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::{Plan, run};
    use crate::log::say;
    use crate::step::{Outcome, Step};
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    /// A plan whose steps write down that they ran: one named `bad` fails, one named `panics` panics.
    fn plan(first: &[&str], lanes: &[&[&str]]) -> (Plan, Arc<Mutex<Vec<String>>>) {
        let ran: Arc<Mutex<Vec<String>>> = Arc::default();
        let step = |name: &&str| {
            let (name, ran) = (name.to_string(), ran.clone());
            Step::new(name.clone(), move || {
                say!("{name} says this");
                ran.lock().unwrap().push(name.clone());
                assert!(name != "panics");
                if name == "bad" { Outcome::Failed("it is bad".to_string()) } else { Outcome::Passed }
            })
        };
        let steps = |names: &[&str]| names.iter().map(step).collect();
        (Plan { first: steps(first), lanes: lanes.iter().map(|lane| steps(lane)).collect() }, ran)
    }

    /// A folder of its own for each call.
    fn folder() -> PathBuf {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        std::env::temp_dir().join(format!("systolic-steps-{}-{number}", std::process::id()))
    }

    /// The result, and the names of the steps that ran, sorted.
    fn ran(first: &[&str], lanes: &[&[&str]], only: &[&str], workers: usize) -> (Result<(), String>, Vec<String>) {
        let ((plan, ran), logs) = (plan(first, lanes), folder());
        let result = run(plan, only, workers, logs.clone());
        if logs.exists() {
            std::fs::remove_dir_all(logs).unwrap();
        }
        let mut names = ran.lock().unwrap().clone();
        names.sort();
        (result, names)
    }

    #[test]
    fn steps_side_by_side_print_to_files() {
        let logs = folder();
        run(plan(&["one"], &[&["two"], &["three"]]).0, &[], 2, logs.clone()).unwrap();
        let read = |number: usize| std::fs::read_to_string(logs.join(format!("{number}.txt"))).unwrap();
        let mut texts = [read(2), read(3)];
        texts.sort();
        assert_eq!(texts, ["three says this\n", "two says this\n"]);
        assert!(!logs.join("1.txt").exists());
        std::fs::remove_dir_all(&logs).unwrap();
        // One after the other they print to the terminal.
        run(plan(&["one"], &[&["two"], &["three"]]).0, &[], 1, logs.clone()).unwrap();
        run(plan(&["one"], &[&["two"], &["three"]]).0, &["two"], 2, logs.clone()).unwrap();
        assert!(!logs.exists());
    }

    #[test]
    fn all_steps_or_those_with_a_word() {
        let (first, lanes): (&[&str], &[&[&str]]) = (&["one"], &[&["two", "three"], &["four"]]);
        for workers in [1, 2] {
            assert_eq!(ran(first, lanes, &[], workers).1, ["four", "one", "three", "two"]);
            assert_eq!(ran(first, lanes, &["thr", "on"], workers).1, ["one", "three"]);
            let none = ran(first, lanes, &["five", "six"], workers);
            assert_eq!(none, (Err("no step is called five or six".to_string()), Vec::new()));
        }
    }

    #[test]
    fn a_failure_is_named_and_ends_the_run() {
        let (result, names) = ran(&["one", "bad", "two"], &[&["three"], &["four"]], &[], 2);
        let why = result.unwrap_err();
        assert!(why.contains("bad: it is bad\n3 of 5 steps were not begun"), "{why}");
        assert_eq!(names, ["bad", "one"]);
        let (result, names) = ran(&[], &[&["bad", "never"]], &[], 2);
        let why = result.unwrap_err();
        assert!(why.starts_with("FAILED") && why.ends_with("1 of 2 steps were not begun"), "{why}");
        assert_eq!(names, ["bad"]);
    }

    #[test]
    fn a_panic_is_a_failure() {
        let (result, names) = ran(&[], &[&["panics", "never"]], &[], 1);
        assert!(result.unwrap_err().contains("panics: the step panicked"));
        assert_eq!(names, ["panics"]);
    }
}
