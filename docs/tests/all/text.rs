//! Documents as text: files of the repository, fenced blocks, the inside of a macro call, the error of a rejected kernel.
use std::path::{Path, PathBuf};
use systolic_compiler::{check, fault::message};

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of the repository.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A fenced block: the line it starts at, the word behind the fence and the lines inside.
pub struct Block {
    pub line: usize,
    pub kind: String,
    pub text: String,
}

pub fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in document.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(kind), false) => {
                blocks.push(Block { line: number + 1, kind: kind.to_string(), text: String::new() });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let text = &mut blocks.last_mut().expect("a block is open").text;
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!open, "a fence is not closed");
    blocks
}

/// The tokens inside every `systolic!` of a piece of Rust.
pub fn kernels(rust: &str) -> Vec<proc_macro2::TokenStream> {
    fn walk(tokens: proc_macro2::TokenStream, found: &mut Vec<proc_macro2::TokenStream>) {
        let mut before = [String::new(), String::new()];
        for token in tokens {
            if let proc_macro2::TokenTree::Group(group) = &token {
                if before == ["systolic", "!"] {
                    found.push(group.stream());
                } else {
                    walk(group.stream(), found);
                }
            }
            before = [std::mem::take(&mut before[1]), token.to_string()];
        }
    }
    let mut found = Vec::new();
    walk(rust.parse().unwrap_or_else(|e| panic!("{e}\n{rust}")), &mut found);
    found
}

/// The Markdown files below a folder of the repository, sorted; folders that git ignores are left out.
pub fn pages(folder: &str) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
                walk(&path, found);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    let relative = |path: &PathBuf| path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
    let mut names: Vec<String> = found.iter().map(relative).collect();
    names.sort();
    names
}

/// The one error of a file with a rejected kernel, as rustc prints it.
pub fn rejection(path: &str, source: &str) -> String {
    let found: Vec<_> = kernels(source).into_iter().flat_map(|k| check(k).faults).collect();
    let [fault] = found.as_slice() else { panic!("{path}: one fault is wanted: {found:?}\n{source}") };
    let (start, end) = (fault.at.start.start(), fault.at.end.end());
    assert_eq!(start.line, end.line, "{path}: rustc draws several lines in another way");
    let line = source.lines().nth(start.line - 1).expect("a line");
    let number = start.line.to_string();
    let room = " ".repeat(number.len());
    let mut text = format!("error: {}\n", message(fault).replace('\n', "\n       "));
    text += &format!("{room}--> {path}:{number}:{}\n{room} |\n{number} | {line}\n", start.column + 1);
    text += &format!("{room} | {}{}\n", " ".repeat(start.column), "^".repeat(end.column - start.column));
    text
}
