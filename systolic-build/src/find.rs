//! Finds the kernels of a package: starts at the roots of its targets and follows modules and included files.
use crate::manifest::{Targets, targets};
use crate::scan::{Module, calls, contents, leads};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One call of `systolic!`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The file that contains the call.
    pub file: PathBuf,
    /// The tokens inside the call, as text.
    pub text: String,
}

/// Finds every call of `systolic!` in the package in this folder, including those whose `cfg` is off. Files that are
/// not valid Rust are skipped; rustc reports them.
pub fn find(root: &Path) -> Vec<Found> {
    sources(root).found
}

/// The contents of the calls in the text of one file of the package in this folder, as tokens with their places, and the bytes
/// before the first byte that the places count. Both are empty if the text is not Rust.
pub fn find_in(root: &Path, text: &str) -> (Vec<TokenStream>, usize) {
    let code = rust(text);
    let tokens = code.parse::<TokenStream>().unwrap_or_default();
    (contents(tokens, &sources(root).names), text.len() - code.len())
}

/// A file of a package that has calls of `systolic!`, for tools that show places in it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// Its whole text.
    pub text: String,
    /// The tokens inside every call, in the order of the text.
    pub blocks: Vec<TokenStream>,
    /// The bytes before the first byte that the places of the tokens count.
    pub offset: usize,
}

/// The files of the package in this folder that have calls of `systolic!`, sorted by path, and those that are reached but are not
/// made of Rust tokens.
pub fn files(root: &Path) -> (Vec<File>, Vec<PathBuf>) {
    let walk = Walk::through(targets(root).roots);
    let names = walk.all_names();
    let mut files = Vec::new();
    let paths: BTreeSet<PathBuf> = walk.read.into_iter().map(|(path, _)| path).collect();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let code = rust(&text);
        let blocks = contents(code.parse().unwrap_or_default(), &names);
        let offset = text.len() - code.len();
        if !blocks.is_empty() {
            files.push(File { path, text, blocks, offset });
        }
    }
    (files, walk.broken.into_iter().collect())
}

/// The calls found, and the files that they depend on.
#[derive(Debug, Default)]
pub struct Sources {
    pub found: Vec<Found>,
    /// All names that the package gives to the macro.
    pub names: BTreeSet<String>,
    /// Files and folders that decide which calls are found.
    pub watched: BTreeSet<PathBuf>,
}

/// Finds the kernels of a package and the paths to watch for changes.
pub fn sources(root: &Path) -> Sources {
    let Targets { roots, folders } = targets(root);
    let mut walk = Walk::through(roots);
    walk.watched.extend(folders);
    walk.watched.insert(root.join("Cargo.toml"));
    let names = walk.all_names();
    let mut found = BTreeSet::new();
    for (file, tokens) in walk.read {
        found.extend(calls(tokens, &names).into_iter().map(|text| (file.clone(), text)));
    }
    let found = found.into_iter().map(|(file, text)| Found { file, text }).collect();
    Sources { found, names, watched: walk.watched }
}

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Lead {
    path: PathBuf,
    /// The folder in which the modules that it declares are searched.
    modules: PathBuf,
}

#[derive(Default)]
struct Walk {
    waiting: Vec<Lead>,
    seen: BTreeSet<Lead>,
    read: Vec<(PathBuf, TokenStream)>,
    /// Files that are not made of Rust tokens.
    broken: BTreeSet<PathBuf>,
    watched: BTreeSet<PathBuf>,
    names: BTreeSet<String>,
}

impl Walk {
    /// Reads these files, and all that they lead to.
    fn through(roots: Vec<PathBuf>) -> Walk {
        let mut walk = Walk::default();
        for root in roots {
            walk.lead(&root, None);
        }
        while let Some(file) = walk.waiting.pop() {
            walk.file(file);
        }
        walk
    }

    /// All names that the package gives to the macro.
    fn all_names(&self) -> BTreeSet<String> {
        self.names.iter().cloned().chain(["systolic".to_string()]).collect()
    }

    /// Queues a file, if it exists and was not queued before. Its modules lie in its own folder unless `modules` says
    /// otherwise.
    fn lead(&mut self, path: &Path, modules: Option<PathBuf>) {
        // Canonical paths detect a file that is reached twice: `path` attributes may form a cycle.
        let Ok(path) = path.canonicalize() else { return };
        let file = Lead { modules: modules.unwrap_or_else(|| folder_of(&path)), path };
        if self.seen.insert(file.clone()) {
            self.waiting.push(file);
        }
    }

    fn file(&mut self, file: Lead) {
        let Ok(text) = std::fs::read_to_string(&file.path) else { return };
        // Do not watch files that the build script itself has written: they would always look changed.
        let out = std::env::var_os("OUT_DIR").and_then(|out| PathBuf::from(out).canonicalize().ok());
        let is_made = out.is_some_and(|out| file.path.starts_with(out));
        if !is_made {
            self.watched.insert(file.path.clone());
        }
        let Ok(tokens) = rust(&text).parse::<TokenStream>() else {
            self.broken.insert(file.path);
            return;
        };
        let leads = leads(tokens.clone(), &|name| std::env::var(name).ok());
        self.names.extend(leads.renames);
        for module in &leads.modules {
            self.module(&file, module);
        }
        for include in &leads.includes {
            self.lead(&folder_of(&file.path).join(include), None);
        }
        self.read.push((file.path, tokens));
    }

    /// Follows a module to its file, by the rules of rustc: a `path` is relative to the folder of the file, or to that
    /// of the enclosing inline module.
    fn module(&mut self, file: &Lead, module: &Module) {
        let around = module.inside.iter().fold(file.modules.clone(), |folder, name| folder.join(name));
        let base = if module.inside.is_empty() { folder_of(&file.path) } else { around.clone() };
        for path in &module.paths {
            self.lead(&base.join(path), None);
        }
        if !module.paths.is_empty() && !module.is_guarded {
            return;
        }
        let folder = around.join(&module.name);
        let (plain, nested) = (around.join(format!("{}.rs", module.name)), folder.join("mod.rs"));
        if nested.is_file() {
            self.lead(&nested, None);
        } else if plain.is_file() {
            self.lead(&plain, folder.canonicalize().ok().or(Some(folder)));
        } else if !module.is_guarded {
            // rustc will not find the file either. Watch for it, so that its kernels are found once it is written.
            self.watched.insert(plain);
        }
    }
}

/// The text without a byte order mark and without a shebang line, so that it can be tokenized.
fn rust(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => rest.split_once('\n').map_or("", |(_, rest)| rest),
        _ => text,
    }
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().map(PathBuf::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{File, files, find, sources};
    use crate::scratch::Scratch;

    /// The calls found in these files, each with the name of its file.
    fn found(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let scratch = Scratch::new(files);
        find(scratch.path()).into_iter().map(|found| (scratch.name(&found.file), found.text)).collect()
    }

    fn check(files: &[(&str, &str)], expected: &[(&str, &str)]) {
        let owned: Vec<(String, String)> = expected.iter().map(|(f, t)| (f.to_string(), t.to_string())).collect();
        assert_eq!(found(files), owned);
    }

    #[test]
    fn through_modules_by_file() {
        let files = [
            ("src/lib.rs", "mod a; mod b { mod c; } #[path = \"else/where.rs\"] mod d; systolic! { lib }"),
            ("src/a.rs", "mod x; #[path = \"p.rs\"] mod y; systolic! { a }"),
            ("src/a/x.rs", "systolic! { ax }"),
            ("src/p.rs", "systolic! { p }"),
            ("src/b/c/mod.rs", "mod z; systolic! { bc }"),
            ("src/b/c/z.rs", "systolic! { bcz }"),
            ("src/else/where.rs", "mod w; systolic! { elsewhere }"),
            ("src/else/w.rs", "systolic! { w }"),
            ("src/unused.rs", "systolic! { unused }"),
        ];
        let expected = [
            ("src/a/x.rs", "ax"),
            ("src/a.rs", "a"),
            ("src/b/c/mod.rs", "bc"),
            ("src/b/c/z.rs", "bcz"),
            ("src/else/w.rs", "w"),
            ("src/else/where.rs", "elsewhere"),
            ("src/lib.rs", "lib"),
            ("src/p.rs", "p"),
        ];
        check(&files, &expected);
    }

    #[test]
    fn targets_conditions_bodies_includes_and_names() {
        let files = [
            ("src/main.rs", "#!/usr/bin/env run\nfn main() { systolic! { main } include!(\"more.in\"); }"),
            ("src/more.in", "k! { more }"),
            ("src/bin/tool/main.rs", "mod part; use systolic::systolic as k;"),
            ("src/bin/tool/part.rs", "#[cfg(feature = \"x\")] systolic::systolic! { part }"),
            ("tests/t.rs", "#[cfg(any())] mod absent; #[cfg(unix)] #[path = \"t/u.rs\"] mod u;"),
            ("tests/t/u.rs", "\u{feff}systolic! { u }"),
            ("examples/e.rs", "#![allow(unused)] systolic! { e }"),
        ];
        let found = found(&files);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["e", "part", "main", "more", "u"]);
    }

    /// Files that include each other, one that is not Rust, and one that is not text.
    #[test]
    fn nothing_stops_it() {
        let scratch = Scratch::new(&[
            (
                "src/lib.rs",
                "#[path = \"../src/lib.rs\"] mod a; include!(\"lib.rs\"); mod broken; mod bytes; systolic! { k }",
            ),
            ("src/broken.rs", "fn ( { systolic! { b }"),
        ]);
        std::fs::write(scratch.path().join("src/bytes.rs"), [0xff, 0xfe, 0]).expect("a file for tests");
        assert_eq!(find(scratch.path()).len(), 1);
    }

    #[test]
    fn files_with_calls_and_files_that_are_not_rust() {
        let scratch = Scratch::new(&[
            ("src/lib.rs", "mod b; mod broken; mod none; systolic! { one } systolic! { two }"),
            ("src/b.rs", "#!/usr/bin/env run\nsystolic! { three }"),
            ("src/none.rs", "fn f() {}"),
            ("src/broken.rs", "fn ( {"),
            ("src/unused.rs", "fn ( {"),
        ]);
        let (found, broken) = files(scratch.path());
        let shown = |file: &File| {
            let blocks: Vec<String> = file.blocks.iter().map(ToString::to_string).collect();
            format!("{} {} {}", scratch.name(&file.path), blocks.join("+"), file.offset)
        };
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), ["src/b.rs three 19", "src/lib.rs one+two 0"]);
        assert_eq!(broken.iter().map(|path| scratch.name(path)).collect::<Vec<_>>(), ["src/broken.rs"]);
    }

    #[test]
    fn what_is_watched() {
        let scratch = Scratch::new(&[
            ("Cargo.toml", ""),
            ("src/lib.rs", "mod a; mod missing; #[cfg(any())] mod absent; include!(\"i.rs\");"),
            ("src/a.rs", "fn ( {"),
            ("src/i.rs", ""),
            ("tests/t.rs", ""),
        ]);
        let watched: Vec<String> = sources(scratch.path()).watched.iter().map(|path| scratch.name(path)).collect();
        let expected = ["Cargo.toml", "src/a.rs", "src/i.rs", "src/lib.rs", "src/missing.rs", "tests", "tests/t.rs"];
        assert_eq!(watched, expected);
    }
}
