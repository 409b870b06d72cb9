//! A contest that is over: who took how long.
use serde::{Deserialize, Serialize};

/// What a contestant is compared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Ours,
    Peer,
    /// The yardstick: a copy of as many bytes.
    Copy,
    /// The other yardstick: as many products as the device can add.
    Roof,
}

/// What a contest is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subject {
    pub title: String,
    /// Contests that differ in a size alone have one family.
    pub family: String,
    /// That size: the taps of a line, the side of a filter, the points of a star, the steps.
    pub size: usize,
    /// Bytes that must be read and written once.
    pub bytes: u64,
    /// Products added.
    pub operations: u64,
    /// Results computed, those of every step.
    pub cells: u64,
}

/// How a contestant did.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Milliseconds, one number a round.
    Times(Vec<f64>),
    Failed(String),
    /// Why it did not take part.
    Absent(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    pub name: String,
    pub role: Role,
    pub outcome: Outcome,
}

impl Line {
    pub fn times(&self) -> &[f64] {
        match &self.outcome {
            Outcome::Times(times) => times,
            Outcome::Failed(_) | Outcome::Absent(_) => &[],
        }
    }

    /// The middle of its times.
    pub fn time(&self) -> Option<f64> {
        median(self.times())
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    #[serde(flatten)]
    pub subject: Subject,
    pub lines: Vec<Line>,
}

impl Standing {
    /// A line's times as multiples of the copy's, round by round.
    pub fn by_copy(&self, line: &Line) -> Vec<f64> {
        let copy = self.lines.iter().find(|line| line.role == Role::Copy).map_or(&[][..], Line::times);
        line.times().iter().zip(copy).map(|(time, copy)| time / copy).collect()
    }

    /// The fastest of a role, and its time.
    pub fn best(&self, role: Role) -> Option<(&Line, f64)> {
        let timed = self.lines.iter().filter(|line| line.role == role).filter_map(|line| Some((line, line.time()?)));
        timed.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The middle of some numbers; none of none.
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
