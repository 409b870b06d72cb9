//! `docs/errors.md` tells the truth: a heading a law in order, examples that fail as shown, fixes that are accepted.
use systolic_compiler::fault::{Law, message};

/// A heading with its fenced blocks: the words behind the fence, and the text.
struct Section<'a> {
    heading: &'a str,
    blocks: Vec<(&'a str, String)>,
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), line.strip_prefix("## ")) {
            (Some(words), _) => {
                inside = !inside;
                if inside {
                    let section = sections.last_mut().expect("a block stands below a heading");
                    section.blocks.push((words, String::new()));
                }
            }
            (None, Some(heading)) if !inside => sections.push(Section { heading, blocks: Vec::new() }),
            _ if inside => {
                if let Some((_, block)) = sections.last_mut().and_then(|s| s.blocks.last_mut()) {
                    block.push_str(line);
                    block.push('\n');
                }
            }
            _ => {}
        }
    }
    sections
}

/// What the compiler says of the one `systolic! { … }` in a text, with the laws.
fn check(text: &str) -> Vec<(Law, String)> {
    let inside = text.trim().strip_prefix("systolic! {").and_then(|t| t.strip_suffix('}'));
    let tokens = inside.expect("one `systolic!` block").parse().expect("tokens");
    systolic_compiler::check(tokens).faults.iter().map(|f| (f.law(), message(f))).collect()
}

#[test]
fn errors_md() {
    let text = include_str!("../../docs/errors.md");
    let sections = sections(text);
    let headings: Vec<&str> = sections.iter().map(|s| s.heading).collect();
    assert_eq!(headings, Law::ALL.map(Law::name), "a heading a law, in the order of the stages");
    for (law, Section { heading, blocks }) in Law::ALL.into_iter().zip(&sections) {
        let [("rust,fail", example), ("text", shown), ("rust", fix)] = blocks.as_slice() else {
            panic!("{heading}: a failing example, what it says, and the fix");
        };
        let found = check(example);
        assert!(
            found.iter().all(|(of, _)| *of == law),
            "{heading}: the example breaks this law and no other: {found:?}"
        );
        let said: Vec<String> = found.iter().map(|(_, text)| format!("error: {text}\n")).collect();
        assert_eq!(said.join("\n"), *shown, "{heading}: what the example says");
        assert_eq!(check(fix), [], "{heading}: the fix is accepted");
    }
}
