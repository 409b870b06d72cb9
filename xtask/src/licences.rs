//! Lists the licences of all packages that the workspace depends on, and fails if one is not allowed. Benchmarks with
//! their own workspace are not included.
use crate::log::say;
use crate::metadata::{self, Package};
use crate::step::Outcome;
use std::collections::BTreeMap;

/// Licences that permit at least what MIT permits.
const ALLOWED: [&str; 9] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unicode-3.0", "Unlicense", "Zlib"];

/// Lists the licences. Fails if a package has none, or one that is not allowed.
pub fn check() -> Outcome {
    let packages = match packages() {
        Ok(packages) => packages,
        Err(why) => return Outcome::Failed(why),
    };
    say!("{}", listed(&packages));
    let refused = refused(&packages);
    if refused.is_empty() { Outcome::Passed } else { Outcome::Failed(refused.join("; ")) }
}

/// The packages of every platform. If cargo cannot fetch those of other platforms, only the packages of this one.
fn packages() -> Result<Vec<Package>, String> {
    // Dependencies that only a feature asks for are dependencies too.
    let all = metadata::packages(&["--locked", "--all-features"]);
    all.or_else(|why| {
        let host = host()?;
        say!("only the packages of {host}, as those of other platforms are not here: {}", first_line(&why));
        metadata::packages(&["--locked", "--all-features", "--offline", "--filter-platform", &host])
    })
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| line.starts_with("error")).unwrap_or(text)
}

/// The host platform, as cargo names it.
fn host() -> Result<String, String> {
    let mut command = std::process::Command::new("rustc");
    let (_, text) = crate::tools::output(command.args(["--version", "--verbose"]))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(String::from).ok_or_else(|| format!("rustc does not name its platform:\n{text}"))
}

/// Every licence with its packages.
fn listed(packages: &[Package]) -> String {
    let mut by_licence: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for package in packages {
        let licence = package.licence.as_deref().unwrap_or("none");
        by_licence.entry(licence).or_default().push(format!("{} {}", package.name, package.version));
    }
    let line = |(licence, packages): (&&str, &Vec<String>)| format!("{licence}: {}", packages.join(", "));
    by_licence.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The problems, one message per package.
fn refused(packages: &[Package]) -> Vec<String> {
    let fault = |package: &Package| match &package.licence {
        None => Some(format!("{} {} names no licence", package.name, package.version)),
        Some(licence) => match allowed(licence) {
            Ok(true) => None,
            Ok(false) => Some(format!("{} {} is under {licence}", package.name, package.version)),
            Err(why) => Some(format!("{} {}: {why}", package.name, package.version)),
        },
    };
    packages.iter().filter_map(fault).collect()
}

/// Whether the licences above can satisfy an SPDX expression. `a/b` is the old form of `a OR b`.
fn allowed(expression: &str) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let result = any(&mut rest).ok_or_else(|| format!("`{expression}` is no licence expression"))?;
    if rest.is_empty() { Ok(result) } else { Err(format!("`{expression}` is no licence expression")) }
}

fn any(words: &mut &[&str]) -> Option<bool> {
    let mut result = all(words)?;
    while take(words, "OR") {
        // Both sides are parsed, whatever the value of the first.
        result |= all(words)?;
    }
    Some(result)
}

fn all(words: &mut &[&str]) -> Option<bool> {
    let mut result = one(words)?;
    while take(words, "AND") {
        result &= one(words)?;
    }
    Some(result)
}

fn one(words: &mut &[&str]) -> Option<bool> {
    if take(words, "(") {
        let result = any(words)?;
        return take(words, ")").then_some(result);
    }
    let (word, rest) = words.split_first()?;
    if ["AND", "OR", "WITH", ")"].contains(word) {
        return None;
    }
    *words = rest;
    if take(words, "WITH") {
        // An exception only adds permissions to the licence.
        *words = words.split_first()?.1;
    }
    Some(ALLOWED.contains(word))
}

fn take(words: &mut &[&str], word: &str) -> bool {
    match words.split_first() {
        Some((first, rest)) if *first == word => {
            *words = rest;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_allowed_if_a_choice_is() {
        for (expression, wanted) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only", false),
            ("MIT AND GPL-3.0-only", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR Apache-2.0) AND OpenSSL", false),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("GPL-3.0-only OR MIT AND MPL-2.0", false),
        ] {
            assert_eq!(allowed(expression), Ok(wanted), "{expression}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for expression in ["", "MIT OR", "(MIT", "MIT)", "OR MIT", "MIT Apache-2.0", "Apache-2.0 WITH"] {
            assert!(allowed(expression).is_err(), "{expression}");
        }
    }

    #[test]
    fn faults_name_the_package() {
        let package = |name: &str, licence: Option<&str>| Package {
            name: name.into(),
            version: "1.0.0".into(),
            licence: licence.map(String::from),
            private: false,
        };
        let packages = [package("a", Some("MIT")), package("b", None), package("c", Some("GPL-3.0-only"))];
        assert_eq!(refused(&packages), ["b 1.0.0 names no licence", "c 1.0.0 is under GPL-3.0-only"]);
        assert_eq!(listed(&packages), "GPL-3.0-only: c 1.0.0\nMIT: a 1.0.0\nnone: b 1.0.0");
    }
}
