//! Checks what users expect of a macro, in small separate crates: every lint, both editions, a renamed dependency,
//! names of every kind, documentation that says what a kernel takes and returns, README's error as rustc prints it, and
//! the programs of the documentation pages.
use crate::gpu_page;
use crate::log::say;
use crate::names;
use crate::readme_page;
use crate::step::Outcome;
use crate::tools::{cargo, has, output, root, target};
use std::path::PathBuf;
use std::process::Command;

/// Kernels in every position where a user might write them.
const USER: &str = include_str!("../fixtures/user.rs");
/// Only kernels, which must pass every lint.
const FORBIDDEN: &str = include_str!("../fixtures/forbidden.rs");
/// A kernel with an error, and a caller for which no error must be reported.
const REFUSED: &str = include_str!("../../docs/samples/too_early.rs");

/// The name of a check and the function that runs it.
pub type Expectation = (&'static str, fn() -> Outcome);

pub const STEPS: [Expectation; 10] = [
    ("edition 2021, all lints", || lints("edition-2021", "2021", "systolic")),
    ("edition 2024, all lints", || lints("edition-2024", "2024", "systolic")),
    ("`systolic` renamed", || lints("renamed", "2024", "sys")),
    ("every lint forbidden", forbidden),
    ("every name in every position", named),
    ("a page says what a kernel takes and gives", page),
    ("README's error is what rustc prints", refusal),
    ("the tutorial's errors are what rustc prints", tutorial_refusals),
    ("README's program prints what it shows", readme_page::run),
    ("the crate of docs/gpu.md", gpu_page::run),
];

/// Creates a crate and returns its folder.
fn make(name: &str, edition: &str, dependency: &str, source: &str) -> Result<PathBuf, String> {
    let folder = target().join("expectations").join(name);
    let write = |path: &str, text: &str| {
        std::fs::write(folder.join(path), text).map_err(|e| format!("{}: {e}", folder.join(path).display()))
    };
    std::fs::create_dir_all(folder.join("src")).map_err(|e| format!("{}: {e}", folder.display()))?;
    let systolic = root().join("systolic").display().to_string().replace('\\', "/");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n[dependencies]\n\
         {dependency} = {{ package = \"systolic\", path = \"{systolic}\" }}\n\n[workspace]\n"
    );
    write("Cargo.toml", &manifest)?;
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    write("Cargo.lock", &lock)?;
    // Written last, so that it is newer than earlier build outputs.
    write("src/lib.rs", source)?;
    Ok(folder)
}

/// Cargo in such a crate. All crates share a target folder and need only dependencies that the workspace has fetched.
fn inside(folder: &PathBuf, arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.current_dir(folder).args(arguments).arg("--offline").arg("--quiet");
    command.env("CARGO_TARGET_DIR", target().join("expectations").join("target"));
    command.env_remove("RUSTFLAGS");
    command
}

fn lints(name: &str, edition: &str, dependency: &str) -> Outcome {
    let source = USER.replace("systolic::", &format!("{dependency}::"));
    let folder = match make(name, edition, dependency, &source) {
        Ok(folder) => folder,
        Err(why) => return Outcome::Failed(why),
    };
    if let Err(why) = succeeds(&mut inside(&folder, &["check"])) {
        return Outcome::Failed(why);
    }
    if !has("clippy") {
        say!("without clippy: it is not installed");
        return Outcome::Passed;
    }
    let mut clippy = inside(&folder, &["clippy"]);
    clippy.args(["--", "-D", "warnings"]);
    outcome(succeeds(&mut clippy))
}

/// Every lint of rustc and of clippy is forbidden, so emitted code cannot use `allow`.
fn forbidden() -> Outcome {
    let compiles = || {
        let folder = make("forbidden", "2024", "systolic", FORBIDDEN)?;
        let mut rustc = inside(&folder, &["rustc"]);
        // Some lints are not stable yet, and `warnings` is in the list too.
        rustc.args(["--", "-A", "unknown_lints"]);
        lint_names()?.iter().for_each(|lint| {
            rustc.args(["-F", lint]);
        });
        succeeds(&mut rustc)?;
        if !has("clippy") {
            say!("without clippy: it is not installed");
            return Ok(());
        }
        let mut clippy = inside(&folder, &["clippy"]);
        clippy.arg("--");
        for group in ["correctness", "style", "complexity", "perf", "pedantic", "nursery", "restriction"] {
            clippy.args(["-F", &format!("clippy::{group}")]);
        }
        // `blanket_clippy_restriction_lints` rejects enabling all of `restriction`. It belongs to `suspicious`, so that
        // group is denied, not forbidden, and the one lint allowed.
        clippy.args(["-D", "clippy::suspicious", "-A", "clippy::blanket_clippy_restriction_lints"]);
        succeeds(&mut clippy)
    };
    outcome(compiles())
}

/// The lints of rustc, except `unknown_lints`, which would reject those that are not stable yet.
fn lint_names() -> Result<Vec<String>, String> {
    let (_, text) = output(Command::new("rustc").args(["-W", "help"]))?;
    let level = |word: &str| ["allow", "warn", "deny"].contains(&word);
    let names = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        words.next().filter(|_| words.next().is_some_and(level)).map(|name| name.replace('-', "_"))
    });
    let names: Vec<String> = names.filter(|name| name != "unknown_lints").collect();
    if names.len() < 100 { Err(format!("few lints are known:\n{text}")) } else { Ok(names) }
}

/// Names that have another meaning elsewhere, in every position of a kernel, next to items of the same names.
fn named() -> Outcome {
    let compiles = || succeeds(&mut inside(&make("names", "2024", "systolic", &names::source())?, &["check"]));
    outcome(compiles())
}

/// The documentation of a kernel has the user's text, parameters and outputs, sizes, instances and maps.
fn page() -> Outcome {
    let wanted = [
        "A filter over a line.",
        "Arguments",
        "[T; N]",
        "a read outside gives zero",
        "[T; 2 * K + 1]",
        "passed by value",
        "Returns",
        "Sizes",
        "follows from dimension 0 of",
        "Instances",
        "pub fn reference",
        "pub fn describe",
        "fir_wide",
    ];
    let page = || {
        let folder = make("pages", "2024", "systolic", USER)?;
        let mut doc = inside(&folder, &["doc", "--no-deps"]);
        succeeds(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
        let path = target().join("expectations/target/doc/pages/struct.fir.html");
        let html = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let text = plain(&html);
        match wanted.iter().find(|words| !text.contains(**words)) {
            None => Ok(()),
            Some(words) => Err(format!("the page does not say `{words}`:\n{text}")),
        }
    };
    outcome(page())
}

/// README shows exactly the error that rustc prints, and rustc reports nothing else.
fn refusal() -> Outcome {
    let refused = || {
        let (readme, printed) = (readme()?, refused()?);
        let error = shown_error(&readme);
        // The error itself, and cargo's final line.
        if !printed.starts_with(error) || printed.lines().filter(|l| l.starts_with("error")).count() != 2 {
            return Err(format!("README says\n{error}\nrustc says\n{printed}\n`cargo xtask bless` puts it right"));
        }
        Ok(())
    };
    outcome(refused())
}

/// Every fence of the tutorial that does not compile is followed by exactly the error that rustc prints.
fn tutorial_refusals() -> Outcome {
    let tried = || {
        let page = "docs/tutorial/2-reading-a-refusal.md";
        let text = std::fs::read_to_string(root().join(page)).map_err(|e| format!("{page}: {e}"))?;
        for part in text.split("\n```rust,compile_fail\n").skip(1) {
            let (kernel, rest) = part.split_once("```\n").ok_or_else(|| format!("{page}: a fence is not closed"))?;
            let error = shown_error(rest);
            let folder = make("refused", "2024", "systolic", kernel)?;
            let (_, printed) = output(&mut inside(&folder, &["check"]))?;
            let printed = printed.replace("src/lib.rs", "src/main.rs").replace("src\\lib.rs", "src/main.rs");
            if error.is_empty() || !printed.starts_with(error) {
                return Err(format!("{page} says\n{error}\nrustc says\n{printed}"));
            }
        }
        Ok(())
    };
    outcome(tried())
}

/// Writes the error that rustc prints into README.
pub fn bless() -> Outcome {
    let write = || {
        let (readme, printed) = (readme()?, refused()?);
        let first = printed.split("\n\n").next().unwrap_or_default();
        let error = shown_error(&readme);
        if error.is_empty() {
            return Err("README.md shows no error".to_string());
        }
        let new = readme.replace(error, &format!("{first}\n"));
        std::fs::write(root().join("README.md"), new).map_err(|e| format!("README.md: {e}"))
    };
    outcome(write())
}

fn readme() -> Result<String, String> {
    std::fs::read_to_string(root().join("README.md")).map_err(|e| format!("README.md: {e}"))
}

/// The error shown in README.
fn shown_error(readme: &str) -> &str {
    let text = readme.split("```text\n").find(|text| text.starts_with("error: ")).unwrap_or_default();
    text.split("```").next().unwrap_or_default()
}

/// The output of rustc for the rejected kernel and its caller.
fn refused() -> Result<String, String> {
    let path = "docs/samples/too_early.rs";
    // The kernel's signature is still emitted, so the caller causes no further error.
    let caller = "\n/// Calls it.\npub fn caller() { let _ = conv1d::reference(&[0.0f32; 9], &[0.0; 5]); }\n";
    let folder = make("refused", "2024", "systolic", &format!("{REFUSED}{caller}"))?;
    let (success, text) = output(&mut inside(&folder, &["check"]))?;
    if success {
        return Err("the refused kernel compiles".to_string());
    }
    Ok(text.replace("src/lib.rs", path).replace("src\\lib.rs", path))
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    match output(command)? {
        (true, _) => Ok(()),
        (false, text) => Err(format!("{}\n{text}", crate::tools::shown(command))),
    }
}

fn outcome(result: Result<(), String>) -> Outcome {
    result.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

/// The text of an HTML page without its tags.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&#39;", "'")
}
