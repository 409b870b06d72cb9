//! The results of a test: counts, times and failures.
use super::number;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Report {
    pub tally: BTreeMap<String, usize>,
    pub times: BTreeMap<&'static str, Duration>,
    /// Lawful maps that the layout cannot invert, and kernels on which the laws give up.
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

    /// Runs a function and adds its time.
    pub fn time<T>(&mut self, what: &'static str, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = run();
        *self.times.entry(what).or_default() += start.elapsed();
        result
    }

    /// Adds the counts of another report.
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

    /// Prints everything before it asserts.
    pub fn assert_nothing_wrong(&self) {
        self.print();
        assert!(self.wrong.is_empty(), "{} are wrong", self.wrong.len());
    }
}
