//! Mutants of the workloads. A rejected mutant must be rejected by a law that the mutation explains, at tokens of the
//! text, with a witness that brute force confirms. An accepted mutant must be lawful by brute force.
mod support;

use std::collections::BTreeMap;
use support::brute::objections;
use support::faults::{any_limit, doubts, pointed};
use support::files::workloads;
use support::mutate::{kinds, mutants};
use support::{check_text, number, trace};
use systolic_compiler::fault::Law;

#[test]
fn mutants_are_refused_for_the_right_reason_or_lawful() {
    let workloads = workloads();
    let each = number("SYSTOLIC_MUTANTS", 12) as usize;
    let mut by_law: BTreeMap<Law, usize> = BTreeMap::new();
    let mut by_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut refused, mut limits, mut placed) = (0, 0, 0);
    let mut wrong: Vec<String> = Vec::new();
    let trace = trace();
    for mutant in mutants(&workloads, each, number("SYSTOLIC_SEED", 1)) {
        let about = format!("{} of {}", mutant.kind, mutant.of);
        let start = std::time::Instant::now();
        let checked = check_text(&mutant.text);
        let took = start.elapsed();
        let counts = by_kind.entry(mutant.kind).or_default();
        let mut say = |why: String| wrong.push(format!("{about}: {why}\n{}", mutant.text));
        if checked.faults.is_empty() {
            counts.1 += 1;
            objections(&checked).into_iter().for_each(&mut say);
            if trace {
                eprintln!("{about}: accepted, {took:?}, judged in {:?}", start.elapsed());
            }
            continue;
        }
        counts.0 += 1;
        refused += 1;
        limits += usize::from(any_limit(&checked));
        if trace && any_limit(&checked) {
            eprintln!("LIMIT {about}: {}\n{}", systolic_compiler::fault::message(&checked.faults[0]), mutant.text);
        }
        for law in checked.faults.iter().map(|f| f.law()).collect::<std::collections::BTreeSet<_>>() {
            *by_law.entry(law).or_default() += 1;
            if !mutant.laws.contains(&law) {
                let fault = checked.faults.iter().find(|f| f.law() == law).map(systolic_compiler::fault::message);
                say(format!("unexpected law: {}", fault.unwrap_or_default()));
            }
        }
        if !mutant.places.is_empty() {
            let bare = |s: &str| s.split_whitespace().collect::<String>();
            let found: Vec<String> = checked.faults.iter().map(|f| bare(&pointed(&mutant.text, f.at))).collect();
            placed += 1;
            if !mutant.places.iter().any(|p| found.contains(&bare(p))) {
                say(format!("points at {found:?}, not at {:?}", mutant.places));
            }
        }
        doubts(&mutant.text, &checked).into_iter().for_each(&mut say);
        if trace {
            eprintln!("{about}: {:?}, {took:?}, judged in {:?}", checked.faults[0].law(), start.elapsed());
        }
    }
    println!("{refused} refused, {limits} of them at a limit, {placed} with a place to check; {} kinds", kinds().len());
    by_law.iter().for_each(|(law, n)| println!("{n:6} {law}"));
    by_kind.iter().for_each(|(kind, (no, yes))| println!("{no:6} refused {yes:4} accepted: {kind}"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused >= 500 && kinds().len() >= 25, "{refused} refused of {} kinds", kinds().len());
    for law in Law::ALL {
        assert!(by_law.get(&law).is_some_and(|n| *n >= 10), "{law} only {:?} times", by_law.get(&law));
    }
    assert!(
        kinds().iter().all(|k| by_kind.get(k.name).is_some_and(|(no, _)| *no > 0)),
        "a kind is never refused: {by_kind:?}"
    );
}
