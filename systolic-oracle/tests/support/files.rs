//! The workloads and other kernels that are stored in files.
use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use systolic_compiler::syntax::{self, tree};

/// Small kernels, one per medium or per pitfall of the compiler.
pub const WIRES: &str = include_str!("wires.txt");

/// The tokens of a text.
pub fn tokens_of(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("no tokens: {error}\n{text}"))
}

/// The `systolic!` blocks in the files of the workloads, each with its file.
pub fn workload_blocks() -> Vec<(String, TokenStream)> {
    blocks_in("tests/kernels")
}

/// The blocks of `systolic!` in the Rust files of a folder of the repository, in order, with their file.
pub fn blocks_in(folder: &str) -> Vec<(String, TokenStream)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(file).expect("text");
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        all.extend(blocks(tokens_of(&text)).into_iter().map(|b| (name.clone(), b)));
    }
    all
}

/// The kernels of the workloads, one tree each, with at most two values per generic.
pub fn workloads() -> Vec<tree::Kernel> {
    let mut kernels = Vec::new();
    for (file, block) in workload_blocks() {
        let parsed = syntax::parse(block);
        assert!(parsed.faults.is_empty(), "{file}: {:?}", parsed.faults);
        kernels.extend(parsed.block.kernels);
    }
    for kernel in &mut kernels {
        kernel.attributes.clear();
        kernel.visibility = TokenStream::new();
        for generic in &mut kernel.generics {
            match &mut generic.list {
                tree::GenericList::Numbers { values, .. } => values.truncate(2),
                tree::GenericList::Types { values } => values.truncate(1),
            }
        }
    }
    assert!(kernels.len() > 40, "only {} workloads", kernels.len());
    kernels
}

/// The contents of every `systolic! { … }` of a file.
pub fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for k in 0..tokens.len() {
        if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group)] =
            &tokens[k..tokens.len().min(k + 3)]
            && name == "systolic"
            && bang.as_char() == '!'
        {
            found.push(group.stream());
        } else if let TokenTree::Group(group) = &tokens[k] {
            found.extend(blocks(group.stream()));
        }
    }
    found
}
