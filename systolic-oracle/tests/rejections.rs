//! Rejections written by hand, several per law: the law, the tokens pointed at and the witness are as expected, and
//! brute force confirms the fault at the witness.
mod support;

use std::collections::BTreeMap;
use support::brute::objections;
use support::check_text;
use support::faults::{doubts, numbers, pointed};
use support::rejected::REJECTIONS;
use support::tricky::Tricky;

use systolic_compiler::fault::{Law, message};

#[test]
fn every_rejection_is_as_written_down() {
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<Law, usize> = BTreeMap::new();
    for (n, rejection) in REJECTIONS.iter().enumerate() {
        let text = rejection.text();
        let checked = check_text(&text);
        let Some(fault) = checked.faults.iter().find(|f| f.law() == rejection.law) else {
            let laws: Vec<_> = checked.faults.iter().map(message).collect();
            wrong.push(format!("#{n}: expected {}, found {laws:?}\n{text}", rejection.law));
            continue;
        };
        *counts.entry(rejection.law).or_default() += 1;
        let found = (pointed(&text, fault.at), numbers(fault));
        if found != (rejection.at.to_string(), rejection.witness.to_string()) {
            wrong.push(format!("#{n} GOT\t{n}\t{}\t{}\n{}", found.0, found.1, message(fault)));
        }
        if checked.faults.len() > 1 {
            let laws: Vec<_> = checked.faults.iter().map(|f| (f.law(), pointed(&text, f.at))).collect();
            println!("#{n}: several faults {laws:?}");
        }
        wrong.extend(doubts(&text, &checked).into_iter().map(|why| format!("#{n}: {why}\n{text}")));
        if message(fault).split(':').next() != Some(rejection.law.name()) {
            wrong.push(format!("#{n}: the message does not start with its law: {}", message(fault)));
        }
    }
    println!("{} rejections: {counts:?}", REJECTIONS.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), REJECTIONS.len(), wrong.join("\n"));
    assert!(
        REJECTIONS.len() >= 60 && Law::ALL.iter().all(|law| counts.get(law).is_some_and(|n| *n >= 2)),
        "{counts:?}"
    );
}

/// Kernels designed to be accepted wrongly, compared with brute force at sizes from 1 to 6 and around the tiles.
#[test]
fn tricky_kernels_are_judged_as_brute_force_judges() {
    let all = support::tricky::tricky();
    let mut wrong = Vec::new();
    for Tricky { about, text, law } in &all {
        let checked = check_text(text);
        let found = checked.faults.iter().map(|f| f.law()).min();
        if found != *law {
            let messages: Vec<_> = checked.faults.iter().map(message).collect();
            wrong.push(format!("{about}: expected {law:?}, found {messages:?}\n{text}"));
        }
        wrong.extend(objections(&checked).into_iter().map(|why| format!("{about}: {why}\n{text}")));
        wrong.extend(doubts(text, &checked).into_iter().map(|why| format!("{about}: {why}\n{text}")));
    }
    println!("{} tricky kernels, {} of them lawful", all.len(), all.iter().filter(|t| t.law.is_none()).count());
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
