//! What a test counts, how long its parts took, and what went wrong.
use super::number;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Report {
    pub tally: BTreeMap<String, usize>,
    pub times: BTreeMap<&'static str, Duration>,
    /// Lawful maps that the layout cannot undo, and kernels that the laws give up on.
    pub limits: Vec<String>,
    pub wrong: Vec<String>,
}

impl Report {
    pub fn count(&mut self, what: impl Into<String>) {
        self.add(what, 1);
    }

    pub fn add(&mut self, what: impl Into<String>, n: usize) {
        *self.tally.entry(what.into()).or_default() += n;
    }

    pub fn counted(&self, what: &str) -> usize {
        self.tally.get(what).copied().unwrap_or(0)
    }

    pub fn wrong(&mut self, why: String) {
        self.count("WRONG");
        self.wrong.push(why);
    }

    /// Runs and takes the time.
    pub fn time<T>(&mut self, what: &'static str, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = run();
        *self.times.entry(what).or_default() += start.elapsed();
        result
    }

    /// Takes what another one counted, too.
    pub fn merge(&mut self, other: Report) {
        other.tally.into_iter().for_each(|(what, n)| self.add(what, n));
        other.times.into_iter().for_each(|(what, time)| *self.times.entry(what).or_default() += time);
        self.limits.extend(other.limits);
        self.wrong.extend(other.wrong);
    }

    pub fn print(&self) {
        for (what, time) in &self.times {
            println!("{:7.2} s {what}", time.as_secs_f64());
        }
        for (what, n) in &self.tally {
            println!("{n:7} {what}");
        }
        let shown = number("SYSTOLIC_SHOWN", 5) as usize;
        self.limits.iter().take(shown).for_each(|text| println!("limit, {text}"));
        self.wrong.iter().take(shown).for_each(|text| println!("{text}\n"));
    }

    /// Everything is printed first.
    pub fn assert_nothing_wrong(&self) {
        self.print();
        assert!(self.wrong.is_empty(), "{} are wrong", self.wrong.len());
    }
}
