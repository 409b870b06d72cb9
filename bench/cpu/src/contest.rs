//! Contestants that compute the same result: each is verified first, then all are timed in turn, round by round.
use crate::pool::cores;
use crate::table;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// The number of cores on which a contestant runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cores {
    One,
    All,
}

impl Cores {
    pub const BOTH: [Cores; 2] = [Cores::One, Cores::All];

    pub fn count(self) -> usize {
        match self {
            Cores::One => 1,
            Cores::All => cores(),
        }
    }
}

/// The role of a contestant in the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Ours,
    Peer,
    /// A bound, not a competitor.
    Bound,
}

/// Runs once and returns the time. With `keep` the output must hold the result afterwards; without it, a contestant
/// that computes elsewhere need not copy its result.
pub type Run<'a, O> = Box<dyn FnMut(&mut O, bool) -> Result<Duration, String> + 'a>;

/// Checks a result. Fails with the reason if it is wrong.
pub type Check<'a, O> = Box<dyn Fn(&O) -> Result<(), String> + 'a>;

pub struct Contestant<'a, O> {
    pub name: String,
    pub cores: Cores,
    pub role: Role,
    /// The function to run, or the reason why it is not available.
    pub run: Result<Run<'a, O>, String>,
    pub check: Check<'a, O>,
}

/// A result that several contestants compute.
pub struct Contest<'a, O> {
    pub title: String,
    /// A description of one run.
    pub work: String,
    /// Our time should be at most a peer's time divided by `goal`.
    pub goal: f64,
    pub contestants: Vec<Contestant<'a, O>>,
    pub output: O,
    /// Overwrites an output with wrong values, so that an earlier result cannot be taken for a later one.
    pub spoil: fn(&mut O),
}

/// The outcome of a contestant.
pub enum Outcome {
    Times(Vec<Duration>),
    Absent(String),
    Wrong(String),
}

pub struct Line {
    pub name: String,
    pub cores: Cores,
    pub role: Role,
    pub outcome: Outcome,
}

impl Line {
    /// The times, shortest first; empty if it did not run.
    pub fn times(&self) -> Vec<Duration> {
        let mut times = match &self.outcome {
            Outcome::Times(times) => times.clone(),
            _ => Vec::new(),
        };
        times.sort();
        times
    }

    pub fn median(&self) -> Option<Duration> {
        let times = self.times();
        times.get(times.len() / 2).copied()
    }
}

/// A finished contest.
pub struct Standing {
    pub title: String,
    pub work: String,
    pub goal: f64,
    pub lines: Vec<Line>,
}

impl Standing {
    /// Whether no result was wrong.
    pub fn is_right(&self) -> bool {
        !self.lines.iter().any(|l| matches!(l.outcome, Outcome::Wrong(_)))
    }

    /// Our best median time on this many cores.
    pub fn ours(&self, cores: Cores) -> Option<Duration> {
        let ours = self.lines.iter().filter(|l| l.role == Role::Ours && l.cores == cores);
        ours.filter_map(Line::median).min()
    }
}

impl<O> Contest<'_, O> {
    /// Verifies and times all contestants and prints the results.
    pub fn hold(mut self, rounds: usize) -> Standing {
        let mut outcomes: Vec<Outcome> = (0..self.contestants.len()).map(|k| self.verify(k)).collect();
        for round in 0..rounds {
            for (k, outcome) in outcomes.iter_mut().enumerate() {
                let Outcome::Times(times) = outcome else { continue };
                progress(&format!("{}: round {} of {rounds}: {}", self.title, round + 1, self.name(k)));
                match self.once(k, false) {
                    Ok(time) => times.push(time),
                    Err(why) => *outcome = Outcome::Wrong(why),
                }
            }
        }
        progress("");
        let named = self.contestants.iter().zip(outcomes);
        let lines = named.map(|(c, outcome)| Line { name: c.name.clone(), cores: c.cores, role: c.role, outcome });
        let standing = Standing { lines: lines.collect(), title: self.title, work: self.work, goal: self.goal };
        println!("{}", table::table(&standing));
        standing
    }

    fn name(&self, k: usize) -> &str {
        self.contestants.get(k).map_or("", |c| &c.name)
    }

    /// Verifies a contestant. If its result is right, returns an empty list of times.
    fn verify(&mut self, k: usize) -> Outcome {
        progress(&format!("{}: verify {}", self.title, self.name(k)));
        if let Err(why) = &self.contestants[k].run {
            return Outcome::Absent(why.clone());
        }
        (self.spoil)(&mut self.output);
        let made = self.once(k, true);
        match made.and_then(|_| (self.contestants[k].check)(&self.output)) {
            Ok(()) => Outcome::Times(Vec::new()),
            Err(why) => Outcome::Wrong(why),
        }
    }

    fn once(&mut self, k: usize, keep: bool) -> Result<Duration, String> {
        match &mut self.contestants[k].run {
            Ok(run) => run(&mut self.output, keep),
            Err(why) => Err(why.clone()),
        }
    }
}

/// Shows the progress in one line, which the next call overwrites; does nothing if stderr is no terminal.
pub fn progress(text: &str) {
    let mut screen = std::io::stderr();
    if screen.is_terminal() {
        // A failure to write is ignored.
        let _ = write!(screen, "\r\x1b[K{text}").and_then(|()| screen.flush());
    }
}
