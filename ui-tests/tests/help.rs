//! Help that offers code is true: with it done, the fault is gone and nothing new is wrong.
use proc_macro2::{TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};
use systolic_compiler::fault::{Edit, Fault, message};

/// The tokens of every `systolic! { … }` in a file.
fn blocks(tokens: TokenStream, out: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (k, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let named = k >= 2
            && matches!(&trees[k - 1], TokenTree::Punct(p) if p.as_char() == '!')
            && matches!(&trees[k - 2], TokenTree::Ident(i) if i == "systolic");
        if named { out.push(group.stream()) } else { blocks(group.stream(), out) }
    }
}

fn faults(text: &str) -> Vec<Fault> {
    let mut found = Vec::new();
    blocks(text.parse().expect("tokens"), &mut found);
    found.into_iter().flat_map(|block| systolic_compiler::check(block).faults).collect()
}

/// The text with the edits made, the last first so that places stay true.
fn edited(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|e| std::cmp::Reverse(e.at.start.byte_range().start));
    let mut text = text.to_string();
    for edit in edits {
        text.replace_range(edit.at.start.byte_range().start..edit.at.end.byte_range().end, &edit.code);
    }
    text
}

fn programs() -> Vec<PathBuf> {
    let fail = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail");
    let folders = fs::read_dir(fail).expect("a folder").map(|e| e.expect("an entry").path());
    let files = folders.flat_map(|f| fs::read_dir(f).expect("a folder").map(|e| e.expect("an entry").path()));
    let mut programs: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "rs")).collect();
    programs.sort();
    programs
}

#[test]
fn offered_code_mends_the_fault() {
    let mut offered = 0;
    for path in programs() {
        let text = fs::read_to_string(&path).expect("text");
        // Only rustc can say what a macro makes of its tokens.
        if text.contains("macro_rules!") {
            continue;
        }
        let before = faults(&text);
        for fault in &before {
            let Some(help) = fault.help.as_ref().filter(|h| !h.edits.is_empty()) else { continue };
            offered += 1;
            let after = faults(&edited(&text, &help.edits));
            let said: Vec<String> = after.iter().map(message).collect();
            assert_eq!(after.len(), before.len() - 1, "{}: {}\nthen: {said:#?}", path.display(), message(fault));
        }
    }
    assert!(offered >= 40, "{offered} programs offer code");
}
