//! Documents as text: files of the repository, fenced blocks, the inside of a macro call.
use std::path::PathBuf;

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
