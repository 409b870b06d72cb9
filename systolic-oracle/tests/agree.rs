//! The laws against brute force. What they accept breaks nothing at any size tried, and evaluates; what they refuse
//! has a witness that brute force confirms.
//!
//! `SYSTOLIC_RANDOM` is the number of random kernels, `SYSTOLIC_SEED` the first seed.
mod common;

use common::{number, resolve};
use std::collections::BTreeMap;
use systolic_compiler::check;
use systolic_compiler::evaluate::{evaluate, random_inputs};
use systolic_compiler::fault::{Fault, Law, message};
use systolic_compiler::model::{Int, Kernel, Places};
use systolic_oracle::{
    Placement, Random, Step, World, confirm, is_confirmable, is_limit, map_violations, random_kernel, some_sizes,
    violations, wrong_copies,
};

/// Sizes with so few points are looked at.
const FEW: usize = 1500;

#[derive(Default)]
struct Report {
    tally: BTreeMap<String, usize>,
    wrong: Vec<String>,
    limits: Vec<String>,
}

impl Report {
    fn count(&mut self, what: impl Into<String>) {
        *self.tally.entry(what.into()).or_default() += 1;
    }

    fn wrong(&mut self, seed: u64, text: &str, why: String) {
        self.count("DISAGREES");
        self.wrong.push(format!("seed {seed}: {why}\n{text}"));
    }
}

/// All sizes from 1 to 6 as chance has it, and those around the tiles.
fn sizes(kernel: &Kernel, seed: u64) -> Vec<Vec<Int>> {
    let mut random = Random::new(seed);
    let mut all: Vec<Vec<Int>> =
        (0..10).map(|_| kernel.sizes.iter().map(|_| Int::from(random.within(1, 6))).collect()).collect();
    match kernel.maps.first() {
        Some(mapping) => all.extend(some_sizes(kernel, mapping)),
        None => all.push(vec![1; kernel.sizes.len()]),
    }
    all.sort();
    all.dedup();
    all.retain(|s| !World::new(kernel, s).has_more_points_than(FEW));
    all
}

/// What brute force has against an accepted kernel.
fn objection(kernel: &Kernel, seed: u64) -> Option<String> {
    let sizes = sizes(kernel, seed);
    for s in &sizes {
        if let Some(v) = violations(kernel, s).first() {
            return Some(format!("accepted, but at sizes {s:?}: {v}"));
        }
    }
    for mapping in &kernel.maps {
        let places = Places::new(kernel, mapping);
        let mut step = Step::default();
        for s in &sizes {
            if let Some(v) = map_violations(kernel, mapping, &places, s).first() {
                return Some(format!("map accepted, but at sizes {s:?}: {v}"));
            }
            let placement = Placement::new(kernel, mapping, &places, s);
            if placement.world.is_assumed() {
                step.add(&placement, placement.world.points().iter().flat_map(|p| placement.instances(p)));
            }
        }
        if let Some(example) = step.rings().first() {
            return Some(format!("map accepted, but its step has no order: {:?}", example.sink));
        }
    }
    for s in &sizes {
        if World::new(kernel, s).is_assumed()
            && let Err(error) = evaluate(kernel, s, &random_inputs(kernel, s, seed))
        {
            return Some(format!("accepted, but evaluated at sizes {s:?}: {error}"));
        }
    }
    None
}

/// What brute force has against a fault.
fn doubt(kernel: &Kernel, fault: &Fault) -> Option<String> {
    // Of several maps the random kernels have one.
    let mapping = kernel.maps.first();
    let map = mapping.map(|m| (m, Places::new(kernel, m)));
    if let Err(why) = confirm(kernel, map.as_ref().map(|(m, p)| (*m, p)), fault) {
        return Some(format!("{:?} with {:?}: {why}", fault.fact, fault.witness));
    }
    // Equations that are broken at the witness must not evaluate there either.
    let witness = fault.witness.as_ref()?;
    let sizes: Vec<Int> = witness.sizes.iter().map(|(_, v)| *v).collect();
    let few = sizes.len() == kernel.sizes.len() && !World::new(kernel, &sizes).has_more_points_than(FEW);
    if fault.law() <= Law::Outputs && few && evaluate(kernel, &sizes, &random_inputs(kernel, &sizes, 0)).is_ok() {
        return Some(format!("{:?} at {sizes:?}, but it evaluates there", fault.fact));
    }
    None
}

/// `SYSTOLIC_TRACE`: say every seed before it is tried, and every limit.
fn trace() -> bool {
    std::env::var("SYSTOLIC_TRACE").is_ok()
}

#[test]
fn laws_agree_with_brute_force() {
    let count = number("SYSTOLIC_RANDOM", if cfg!(debug_assertions) { 300 } else { 3000 });
    let first = number("SYSTOLIC_SEED", 0);
    let mut report = Report::default();
    for seed in first..first + count {
        let text = random_kernel(seed);
        if trace() {
            eprintln!("seed {seed}");
        }
        let checked = check(text.parse().expect("the text is made of tokens"));
        for fault in &checked.faults {
            assert!(message(fault).starts_with(fault.law().name()), "{}", message(fault));
        }
        let Ok(instances) = resolve(&text) else {
            report.count(format!("refused early: {}", checked.faults[0].law()));
            continue;
        };
        // The random kernels have one instance, and at most one map.
        let (kernel, _) = &instances[0];
        let odd = wrong_copies(kernel);
        if !odd.is_empty() {
            report.wrong(seed, &text, format!("copies of variables {odd:?}"));
        }
        if checked.faults.is_empty() {
            match objection(kernel, seed) {
                Some(why) => report.wrong(seed, &text, why),
                None => report.count("accepted"),
            }
        }
        for fault in &checked.faults {
            if is_limit(fault) {
                report.count(format!("limit: {}", fault.law()));
                report.limits.push(format!("seed {seed}: {}\n{text}", message(fault)));
            } else if !is_confirmable(fault) {
                report.count(format!("refused, nothing to confirm: {}", fault.law()));
            } else if let Some(why) = doubt(kernel, fault) {
                report.wrong(seed, &text, format!("{}\n  but {why}", message(fault)));
            } else {
                report.count(format!("refused and confirmed: {}", fault.law()));
            }
        }
    }
    for (what, n) in &report.tally {
        println!("{n:6} {what}");
    }
    let disagree = report.tally.get("DISAGREES").copied().unwrap_or(0);
    let limits = if trace() { report.limits.len() } else { 3 };
    for text in report.limits.iter().take(limits) {
        println!("limit, {text}");
    }
    let shown = if trace() { report.wrong.len() } else { 20 };
    for text in report.wrong.iter().take(shown) {
        println!("{text}");
    }
    assert_eq!(disagree, 0, "the laws and brute force disagree");
}
