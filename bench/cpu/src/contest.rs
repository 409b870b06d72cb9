//! Contestants for one result: each is verified first, then all are timed in turn, round by round.
use crate::pool::cores;
use crate::table;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// On how many cores a contestant runs.
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

/// What a contestant is compared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Ours,
    Peer,
    /// A bound, not a rival.
    Bound,
}

/// Runs once into the output and says how long it took. With `keep` the output must hold the result afterwards;
/// without, a contestant whose result lies elsewhere may leave it there.
pub type Run<'a, O> = Box<dyn FnMut(&mut O, bool) -> Result<Duration, String> + 'a>;

/// Whether a result is right, or why not.
pub type Check<'a, O> = Box<dyn Fn(&O) -> Result<(), String> + 'a>;

pub struct Contestant<'a, O> {
    pub name: String,
    pub cores: Cores,
    pub role: Role,
    /// Or why it is not there.
    pub run: Result<Run<'a, O>, String>,
    pub check: Check<'a, O>,
}

/// A result that several can make.
pub struct Contest<'a, O> {
    pub title: String,
    /// What one run does, in words.
    pub work: String,
    /// Ours is to take at most one `goal`-th of a peer's time.
    pub goal: f64,
    pub contestants: Vec<Contestant<'a, O>>,
    pub output: O,
    /// Makes an output wrong everywhere, so that an earlier result cannot pass for a later one.
    pub spoil: fn(&mut O),
}

/// How a contestant did.
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
    /// The times in order, shortest first; none where it did not run.
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

/// A contest that is over.
pub struct Standing {
    pub title: String,
    pub work: String,
    pub goal: f64,
    pub lines: Vec<Line>,
}

impl Standing {
    /// Whether nobody was wrong.
    pub fn is_right(&self) -> bool {
        !self.lines.iter().any(|l| matches!(l.outcome, Outcome::Wrong(_)))
    }

    /// Our best median on so many cores.
    pub fn ours(&self, cores: Cores) -> Option<Duration> {
        let ours = self.lines.iter().filter(|l| l.role == Role::Ours && l.cores == cores);
        ours.filter_map(Line::median).min()
    }
}

impl<O> Contest<'_, O> {
    /// Verifies, times, prints.
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

    /// No times yet, if its result is right.
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

/// Shows what goes on in one line that the next one replaces; nothing where nobody looks.
pub fn progress(text: &str) {
    let mut screen = std::io::stderr();
    if screen.is_terminal() {
        // A screen that cannot be written to is no reason to stop.
        let _ = write!(screen, "\r\x1b[K{text}").and_then(|()| screen.flush());
    }
}
