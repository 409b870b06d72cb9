//! Random kernels by seed, most as drawn, some with a deliberate change, tested on all cores.
use super::brute::objections;
use super::check_text;
use super::faults::doubts;
use super::machine::{Effort, run};
use super::mutate::{kinds_of, mutant};
use super::report::Report;
use std::collections::BTreeSet;
use std::ops::Range;
use systolic_compiler::fault::Law;
use systolic_compiler::{Checked, syntax};
use systolic_oracle::{Random, is_confirmable, is_limit, random_kernel};

/// The laws that random kernels seldom or never break. The last two show only if nothing else is wrong.
const PLANTED: [Law; 11] = [
    Law::Syntax,
    Law::Names,
    Law::Rank,
    Law::Types,
    Law::Sizes,
    Law::Uniform,
    Law::Matrix,
    Law::Reverse,
    Law::Reverse,
    Law::Resources,
    Law::Resources,
];

/// A random kernel; one in eight has a change that targets a law.
pub fn text_of(seed: u64) -> String {
    let text = random_kernel(seed);
    if seed % 8 != 7 {
        return text;
    }
    let parsed = syntax::parse(text.parse().expect("the text is made of tokens"));
    let Some(kernel) = parsed.block.kernels.first() else { return text };
    let mut random = Random::new(!seed);
    let kinds = kinds_of(random.pick(&PLANTED));
    // Not every kernel has something that each kind can change.
    let changed = (0..20).find_map(|_| mutant(&kinds[random.below(kinds.len())], kernel, random.below(1 << 62) as u64));
    changed.map_or(text, |m| m.text)
}

/// Processes every seed of a range on all cores and merges the reports.
pub fn over_all(seeds: Range<u64>, each: impl Fn(u64, &mut Report) + Sync) -> Report {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let work = |thread: u64| {
        let mut report = Report::default();
        for seed in seeds.clone().filter(|seed| seed % threads == thread) {
            if (seed / threads).is_multiple_of(64) {
                // The tokens of earlier kernels are dropped, so their spans may be invalidated.
                proc_macro2::extra::invalidate_current_thread_spans();
            }
            each(seed, &mut report);
        }
        report
    };
    let mut all = Report::default();
    std::thread::scope(|scope| {
        let work = &work;
        let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        started.into_iter().for_each(|thread| all.merge(thread.join().expect("no seed panics")));
    });
    all
}

/// Checks that an accepted kernel is lawful by brute force and computes the right values, and that a rejected one is
/// rejected for a reason.
pub fn judge(seed: u64, effort: Effort, report: &mut Report) {
    let text = text_of(seed);
    let name = format!("seed {seed}\n{text}");
    let checked = report.time("laws", || check_text(&text));
    if !checked.faults.is_empty() {
        report.count("refused");
        return judge_faults(&text, &checked, &name, report);
    }
    report.count("accepted");
    for why in report.time("brute force", || objections(&checked)) {
        report.wrong(format!("{name}{why}"));
    }
    for (_, instances) in &checked.kernels {
        instances.iter().for_each(|lawful| run(lawful, &name, effort, seed, report));
    }
}

fn judge_faults(text: &str, checked: &Checked, name: &str, report: &mut Report) {
    let laws: BTreeSet<Law> = checked.faults.iter().filter(|f| !is_limit(f)).map(|f| f.law()).collect();
    laws.iter().for_each(|law| report.count(refused(*law)));
    let shown: BTreeSet<Law> = checked.faults.iter().filter(|f| is_confirmable(f)).map(|f| f.law()).collect();
    shown.iter().for_each(|law| report.count(format!("{}, confirmed", refused(*law))));
    for fault in checked.faults.iter().filter(|f| is_limit(f)) {
        report.count(format!("limit: {}", fault.law()));
        report.limits.push(format!("{}, {name}", fault.law()));
    }
    for why in report.time("confirm", || doubts(text, checked)) {
        report.wrong(format!("{name}{why}"));
    }
}

/// The name under which kernels that break a law are counted.
pub fn refused(law: Law) -> String {
    format!("refused by {law}")
}
