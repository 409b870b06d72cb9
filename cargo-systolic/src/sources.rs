//! The kernels in the files of a package, as tokens with their places.
use crate::package::Package;
use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use std::path::{Path, PathBuf};
use systolic_build::File;
use systolic_compiler::fault::{Fault, nearest};
use systolic_compiler::region::Region;

/// Names of kernels that a message lists.
const MOST_NAMES: usize = 12;

/// One kernel of a package, not checked yet.
pub struct Found {
    pub name: String,
    pub file: PathBuf,
    pub tokens: TokenStream,
    /// Lines of the file before the first that the places of the tokens count.
    pub before: usize,
}

impl Found {
    /// `src/lib.rs:12:9`: where a fault of the kernel stands.
    pub fn place(&self, package: &Package, fault: &Fault) -> String {
        let at = span(fault.at, self.before).0;
        format!("{}:{}:{}", relative(package, &self.file), at.line, at.column + 1)
    }
}

/// The first place of a region and the one after its last, by line from 1 and column from 0.
pub fn span(at: Region, before: usize) -> (LineColumn, LineColumn) {
    let moved = |at: LineColumn| LineColumn { line: at.line + before, column: at.column };
    (moved(at.start.start()), moved(at.end.end()))
}

/// The lines of a file before the first that places count: a line for the system that runs scripts is no Rust.
pub fn lines_before(file: &File) -> usize {
    file.text.bytes().take(file.offset).filter(|byte| *byte == b'\n').count()
}

/// The files of a package that have kernels, and those that are not made of Rust tokens. Calls in the definition of a
/// `macro_rules!` are left out: what they expand to is not known here.
pub fn files(package: &Package) -> (Vec<File>, Vec<PathBuf>) {
    let (mut files, broken) = systolic_build::files(&package.root);
    files.iter_mut().for_each(|file| file.blocks.retain(|block| !is_pattern(block)));
    files.retain(|file| !file.blocks.is_empty());
    (files, broken)
}

/// Whether tokens have variables of a `macro_rules!`.
fn is_pattern(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '$',
        TokenTree::Group(group) => is_pattern(&group.stream()),
        _ => false,
    })
}

/// The kernel of this name. Only this one is checked later: others of the package may take long, or have faults.
pub fn find(package: &Package, name: &str, file: Option<&Path>) -> Result<Found, String> {
    let (files, broken) = files(package);
    let mut found: Vec<Found> = Vec::new();
    let mut names = Vec::new();
    for of in &files {
        for (other, tokens) in of.blocks.iter().cloned().flat_map(kernels) {
            if other == name && file.is_none_or(|file| of.path.ends_with(file)) {
                found.push(Found { name: other.clone(), file: of.path.clone(), tokens, before: lines_before(of) });
            }
            names.push(other);
        }
    }
    match found.len() {
        1 => found.pop().ok_or_else(String::new),
        0 => Err(missing(package, name, names, &broken)),
        _ => {
            let files: Vec<String> = found.iter().map(|found| relative(package, &found.file)).collect();
            Err(format!("there are several kernels `{name}`, in {}: say which by `--file`", files.join(", ")))
        }
    }
}

/// Why there is no such kernel: a near name, all names, or a file that is not Rust.
fn missing(package: &Package, name: &str, mut names: Vec<String>, broken: &[PathBuf]) -> String {
    if let Some(broken) = broken.first() {
        return format!("there is no kernel `{name}` that can be read: {}", not_rust(package, broken));
    }
    names.sort();
    names.dedup();
    let near = nearest(name, names.iter().map(String::as_str)).map(|near| format!("; did you mean `{near}`?"));
    let all: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let more = match names.len() - all.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed = if all.is_empty() {
        ": it has no kernels".to_string()
    } else {
        format!("; there are {}{more}", all.join(", "))
    };
    format!("there is no kernel `{name}` in `{}`{}", package.name, near.unwrap_or(listed))
}

/// `src/lib.rs:1:11: this is not valid Rust`, for a file that is not made of Rust tokens.
pub fn not_rust(package: &Package, file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let at = text.parse::<TokenStream>().err().map(|error| error.span().start());
    let at = at.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column + 1));
    format!("{}{at}: this is not valid Rust", relative(package, file))
}

/// The kernels of a block, by name. A kernel ends with its body.
pub fn kernels(block: TokenStream) -> Vec<(String, TokenStream)> {
    let tokens: Vec<TokenTree> = block.into_iter().collect();
    let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let named = |part: &[TokenTree]| {
        part.windows(2).find_map(|pair| match pair {
            [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "kernel" => Some(name.to_string()),
            _ => None,
        })
    };
    tokens.split_inclusive(is_body).filter_map(|part| Some((named(part)?, part.iter().cloned().collect()))).collect()
}

/// A file as seen from the folder of the package.
pub fn relative(package: &Package, file: &Path) -> String {
    let root = package.root.canonicalize().unwrap_or_else(|_| package.root.clone());
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}
