//! A finished contest: the times of its contestants.
use serde::{Deserialize, Serialize};

/// The role of a contestant in the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Ours,
    /// The kernel of one of ours without its maps, with the map that a search found.
    Automatic,
    Peer,
    /// A reference: a copy of as many bytes.
    Copy,
    /// Another reference: as many multiply-adds as the device can do.
    Roof,
}

/// The subject of a contest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subject {
    pub title: String,
    /// Contests that differ only in a size have the same family.
    pub family: String,
    /// That size: the taps of a line, the side of a filter, the points of a star, or the steps.
    pub size: usize,
    /// Bytes that must be read or written at least once.
    pub bytes: u64,
    /// The number of multiply-adds.
    pub operations: u64,
    /// The number of results, including those of every step.
    pub cells: u64,
}

/// The outcome of a contestant.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Milliseconds, one number per round.
    Times(Vec<f64>),
    Failed(String),
    /// The reason why it did not take part.
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

    /// The median of its times.
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

/// The name of the contestant with the same kernel as one of ours, but without its maps.
pub fn automatic(ours: &str) -> String {
    if ours == "ours" { "automatic".to_string() } else { format!("{ours}, automatic") }
}

impl Standing {
    /// The times of a line divided by those of the copy, round by round.
    pub fn by_copy(&self, line: &Line) -> Vec<f64> {
        let copy = self.lines.iter().find(|line| line.role == Role::Copy).map_or(&[][..], Line::times);
        line.times().iter().zip(copy).map(|(time, copy)| time / copy).collect()
    }

    /// The fastest line of a role, and its time.
    pub fn best(&self, role: Role) -> Option<(&Line, f64)> {
        let timed = self.lines.iter().filter(|line| line.role == role).filter_map(|line| Some((line, line.time()?)));
        timed.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The median of some numbers; `None` if there are none.
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
