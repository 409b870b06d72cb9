//! Contestants that compute the same result: each is verified first, then all are timed in turn, round by round.
use crate::Fallible;
use crate::json;
use crate::lab::Lab;
use crate::standing::{Line, Outcome, Role, Standing, Subject, median};
use crate::table;
use std::io::{IsTerminal, Write};
use systolic::Stream;

/// Enqueues one run on the stream.
pub type Run<'a> = Box<dyn Fn(&Stream) -> Fallible<()> + 'a>;
/// The function to run, or the reason why the contestant is not available.
pub enum Entry<'a> {
    Ready(Run<'a>),
    Absent(String),
}

/// Checks or overwrites the output, when all runs are done.
pub type Check<'a> = Box<dyn Fn() -> Fallible<()> + 'a>;

pub struct Contestant<'a> {
    pub name: String,
    pub role: Role,
    pub entry: Entry<'a>,
    /// Checks that the result is right.
    pub check: Check<'a>,
    /// Overwrites the output with wrong values.
    pub spoil: Check<'a>,
}

/// A result that several contestants compute.
pub struct Contest<'a> {
    pub subject: Subject,
    pub contestants: Vec<Contestant<'a>>,
}

impl Contest<'_> {
    /// Verifies and times all contestants and prints the results.
    pub fn hold(self, lab: &Lab) -> Standing {
        let mut standing = self.quietly(lab);
        json::join(&mut standing, &lab.beside);
        println!("{}", table::table(&standing));
        standing
    }

    /// Verifies and times all contestants.
    pub fn quietly(self, lab: &Lab) -> Standing {
        let mut outcomes: Vec<Outcome> = self.contestants.iter().map(|c| self.verify(lab, c)).collect();
        for round in 0..lab.plan.rounds {
            progress(&format!("{}: round {} of {}", self.subject.title, round + 1, lab.plan.rounds));
            for (contestant, outcome) in self.contestants.iter().zip(&mut outcomes) {
                let (Outcome::Times(times), Entry::Ready(run)) = (&mut *outcome, &contestant.entry) else { continue };
                match time(lab, run) {
                    Ok(time) => times.push(time),
                    Err(why) => *outcome = Outcome::Failed(why.to_string()),
                }
            }
        }
        progress("");
        let named = self.contestants.into_iter().zip(outcomes);
        let lines = named.map(|(c, outcome)| Line { name: c.name, role: c.role, outcome }).collect();
        Standing { subject: self.subject, lines }
    }

    /// Verifies a contestant. If its result is right, returns an empty list of times.
    fn verify(&self, lab: &Lab, contestant: &Contestant) -> Outcome {
        progress(&format!("{}: verify {}", self.subject.title, contestant.name));
        let run = match &contestant.entry {
            Entry::Ready(run) => run,
            Entry::Absent(why) => return Outcome::Absent(why.clone()),
        };
        let tried = (contestant.spoil)().and_then(|()| {
            run(&lab.stream)?;
            lab.stream.synchronize()?;
            (contestant.check)()
        });
        tried.map_or_else(|why| Outcome::Failed(why.to_string()), |()| Outcome::Times(Vec::new()))
    }
}

/// The median time of several launches in a row, by the device's clock. A first launch is not timed.
pub fn time(lab: &Lab, run: &Run) -> Fallible<f64> {
    run(&lab.stream)?;
    let mut marks = vec![lab.stream.record()?];
    for _ in 0..lab.plan.launches {
        run(&lab.stream)?;
        marks.push(lab.stream.record()?);
    }
    let times: Result<Vec<f64>, systolic::Error> =
        marks.windows(2).map(|pair| Ok(pair[1].since(&pair[0])?.as_secs_f64() * 1e3)).collect();
    median(&times?).ok_or_else(|| "nothing was timed".into())
}

/// Shows the progress in one line, which the next call overwrites; does nothing if stderr is no terminal.
pub fn progress(text: &str) {
    let mut screen = std::io::stderr();
    if screen.is_terminal() {
        // A failure to write is ignored.
        let _ = write!(screen, "\r\x1b[K{text}").and_then(|()| screen.flush());
    }
}
