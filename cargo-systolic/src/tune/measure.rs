//! Builds candidates into one program, runs it once per candidate, and keeps every result at once.
use super::candidates::Candidate;
use super::results::{Key, Measured, Results, outcome};
use super::source::{PLAIN, file, module, sources};
use crate::command::output_within;
use crate::date::time;
use crate::device::Device;
use crate::package::Package;
use crate::program::{Program, guilty};
use crate::terminal::{bar, say_beside};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::syntax::tree;

/// What may still be measured.
pub struct Budget {
    /// Maps, those that are known from before included.
    pub measurements: usize,
    pub seconds: f64,
}

impl Budget {
    /// The longest time of one candidate: what is left, but enough for a verification.
    fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.max(20.0))
    }
}

/// The instance that is measured, and where.
pub struct Measurement<'a> {
    pub package: &'a Package,
    /// With one instance and no map.
    pub tree: &'a tree::Kernel,
    pub kernel: &'a Kernel,
    pub device: &'a Device,
    /// Those of verifications, then those of the times.
    pub sizes: &'a [Vec<Int>],
    pub profile: &'a str,
    pub key: &'a Key,
}

/// How often the winner and what runs now are measured again, in turns.
const TURNS: usize = 3;

/// Candidates with their numbers.
type Numbered<'c> = Vec<(usize, &'c Candidate)>;

impl Measurement<'_> {
    /// Measures the candidates that are not known, as far as the budget goes; the first ones, `always`, whatever else is known.
    /// Returns how many it measured.
    pub fn run(
        &self,
        candidates: &[Candidate],
        always: usize,
        budget: &mut Budget,
        results: &mut Results,
    ) -> Result<usize, String> {
        let known = results.of(self.key);
        let left = budget.measurements.saturating_sub(known.len());
        let is_known = |candidate: &Candidate| known.iter().any(|one| one.map == candidate.text);
        let mut open: Numbered<'_> = candidates.iter().enumerate().filter(|(_, one)| !is_known(one)).collect();
        let needed = open.iter().filter(|(k, _)| *k < always).count();
        open.truncate(left.max(needed));
        if open.is_empty() {
            return Ok(0);
        }
        let bar = bar(open.len(), "building")?;
        let program = self.build(&mut open, results, &bar)?;
        let count = open.len();
        let mut nothing_runs = false;
        for (k, candidate) in open {
            if budget.seconds <= 0.0 {
                say_beside(&bar, "    no time is left for the other candidates");
                break;
            }
            bar.set_message("measuring");
            let started = Instant::now();
            let seconds = measured(&program, k, budget.limit());
            budget.seconds -= started.elapsed().as_secs_f64();
            // If not even the kernel without a map runs, no map is to blame, and a failure is not kept.
            nothing_runs |= candidate.map.is_none() && seconds.is_err();
            match nothing_runs && seconds.is_err() {
                true => tell(candidate, &seconds, &bar),
                false => self.keep(candidate, seconds, results, &bar)?,
            }
        }
        bar.finish_and_clear();
        Ok(count)
    }

    /// Measures two candidates in turns, and keeps the least time of each: what else the machine did in between hits both.
    pub fn again(&self, two: [&Candidate; 2], budget: &mut Budget, results: &mut Results) -> Result<(), String> {
        let mut open: Numbered<'_> = two.into_iter().enumerate().collect();
        let bar = bar(TURNS * open.len(), "building")?;
        let program = self.build(&mut open, results, &bar)?;
        let mut least: Vec<Option<f64>> = vec![None; open.len()];
        for _ in 0..TURNS {
            for ((k, _), least) in open.iter().zip(&mut least) {
                if budget.seconds <= 0.0 {
                    continue;
                }
                bar.set_message("measuring again");
                let started = Instant::now();
                let seconds = measured(&program, *k, budget.limit()).ok();
                budget.seconds -= started.elapsed().as_secs_f64();
                *least = [*least, seconds].into_iter().flatten().min_by(f64::total_cmp);
                bar.inc(1);
            }
        }
        for ((_, candidate), seconds) in open.iter().zip(least) {
            let before = results.of(self.key).iter().find(|one| one.map == candidate.text);
            let before = before.and_then(|one| one.seconds.clone().ok());
            if let Some(seconds) = [seconds, before].into_iter().flatten().min_by(f64::total_cmp) {
                self.keep(candidate, Ok(seconds), results, &bar)?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn keep(
        &self,
        candidate: &Candidate,
        seconds: Result<f64, String>,
        results: &mut Results,
        bar: &ProgressBar,
    ) -> Result<(), String> {
        tell(candidate, &seconds, bar);
        results.add(self.key, Measured { map: candidate.text.clone(), seconds })
    }

    /// Builds a program with all candidates that compile, and removes the others.
    fn build(&self, open: &mut Numbered<'_>, results: &mut Results, bar: &ProgressBar) -> Result<PathBuf, String> {
        let gpu = self.device.gpu.is_some();
        let subject = match self.key.instance.as_str() {
            "" => self.key.kernel.clone(),
            // Letters, digits and `-` for a folder and the name of a package.
            text => format!("{}-{}", self.key.kernel, text.replace(" = ", "").replace(", ", "-")),
        };
        let program = Program::new(self.package, "tune", &subject, gpu, self.profile)?;
        let build = |candidates: &Numbered<'_>| {
            program.write(&sources(self.tree, self.kernel, self.device.target, self.sizes, candidates))?;
            program.build()
        };
        let why = match build(open) {
            Ok(path) => return Ok(path),
            Err(why) => why,
        };
        // What every program has: no candidate is to blame.
        if !guilty(&why, &[PLAIN, "main", "support"].map(file)).is_empty() {
            return Err(why);
        }
        let files: Vec<String> = open.iter().map(|(k, _)| file(&module(*k))).collect();
        let mut refused: Vec<(usize, String)> = guilty(&why, &files)
            .into_iter()
            .filter_map(|(name, why)| Some((open.iter().find(|(k, _)| file(&module(*k)) == name)?.0, why)))
            .collect();
        if refused.is_empty() {
            // Nobody is named: perhaps the program does not build at all; if it does, one after another.
            build(&Vec::new())?;
            for (k, candidate) in open.iter() {
                refused.extend(build(&vec![(*k, *candidate)]).err().map(|why| (*k, why)));
            }
        }
        for (k, why) in refused {
            if let Some(at) = open.iter().position(|(other, _)| *other == k) {
                let (_, candidate) = open.remove(at);
                self.keep(candidate, Err(format!("it does not build: {why}")), results, bar)?;
            }
        }
        build(open)
    }
}

/// The time of a candidate, from a program.
fn measured(program: &Path, candidate: usize, limit: Duration) -> Result<f64, String> {
    let text = output_within(Command::new(program).arg(candidate.to_string()), limit)?;
    let line = text.lines().last().unwrap_or_default();
    let value: serde_json::Value = serde_json::from_str(line).map_err(|_| format!("it said `{line}`"))?;
    outcome(&value).unwrap_or_else(|| Err(format!("it said `{line}`")))
}

/// Shows a result.
fn tell(candidate: &Candidate, seconds: &Result<f64, String>, bar: &ProgressBar) {
    let words = match seconds {
        Ok(seconds) => time(*seconds),
        Err(_) => "skipped".to_string(),
    };
    say_beside(bar, &format!("    {words:>12}  {}", summary(candidate)));
    if let Err(why) = seconds {
        say_beside(bar, &format!("    {:>12}  {}", "because", why.lines().next().unwrap_or_default()));
    }
    bar.inc(1);
}

/// A candidate on one line.
fn summary(candidate: &Candidate) -> String {
    let words: Vec<&str> = candidate.text.split_whitespace().collect();
    let clauses = words.join(" ").trim_start_matches("map {").trim_end_matches('}').trim().to_string();
    if clauses.is_empty() { "no map".to_string() } else { clauses }
}

#[cfg(test)]
mod tests {
    use super::super::support::{filled, median, same};
    use super::*;

    /// A candidate whose results differ in one bit is reported and not timed.
    #[test]
    fn wrong_bits_are_found() {
        let expected = filled::<f32, _>([3, 5], 1);
        let mut wrong = expected.clone();
        assert_eq!(same("y", &expected, &wrong), Ok(()));
        wrong[[1, 2]] = f32::from_bits(wrong[[1, 2]].to_bits() ^ 1);
        assert_eq!(same("y", &expected, &wrong), Err("wrong bits in `y`, first at element 7".to_string()));
        let other = filled::<f32, _>([5, 3], 1);
        assert!(same("y", &expected, &other).is_err_and(|why| why.contains("shape")));
    }

    #[test]
    fn a_program_that_fails_is_no_result() {
        assert!(measured(Path::new("/no/such/program"), 0, Duration::from_secs(1)).is_err());
        #[cfg(unix)]
        assert_eq!(measured(Path::new("/bin/echo"), 7, Duration::from_secs(9)), Err("it said `7`".to_string()));
    }

    #[test]
    fn the_median_of_rounds() {
        let mut calls = 0;
        let seconds = median(&mut |count| {
            calls += 1;
            Ok(count as f64 * if calls == 3 { 1.0 } else { 0.25 })
        });
        assert_eq!(seconds, Ok(0.25));
        assert!(median(&mut |_| Err("no".to_string())).is_err());
    }
}
