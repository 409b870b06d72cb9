//! What a project says of itself: manifests that can be published, the workflow, `CONTRIBUTING.md`, `CHANGELOG.md`.
use crate::text::{read, root};

/// The members of the workspace by folder, with their manifests.
fn members() -> Vec<(String, String)> {
    let manifest = read("Cargo.toml");
    let list = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("members");
    let folders = list.split('"').skip(1).step_by(2);
    folders.map(|folder| (folder.to_string(), read(&format!("{folder}/Cargo.toml")))).collect()
}

/// The members that are published.
fn published() -> Vec<(String, String)> {
    members().into_iter().filter(|(_, manifest)| !manifest.contains("\npublish = false\n")).collect()
}

/// The value of a line of the root's manifest, without quotes.
fn workspace(name: &str) -> String {
    let manifest = read("Cargo.toml");
    let value = manifest.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))).expect("a line");
    value.trim_matches('"').to_string()
}

#[test]
fn these_are_published_and_no_others() {
    let folders: Vec<String> = published().into_iter().map(|(folder, _)| folder).collect();
    let wanted = ["", "-arith", "-build", "-compiler", "-driver", "-macros", "-mesh", "-runtime", "-sets"];
    let libraries = wanted.map(|suffix| format!("systolic{suffix}"));
    assert_eq!(folders, [&["cargo-systolic".to_string()][..], &libraries].concat());
    for folder in folders {
        assert!(read("CHANGELOG.md").contains(&format!("`{folder}`")), "CHANGELOG.md does not name {folder}");
    }
}

/// What a registry shows of a package is there; `cargo xtask test packages` builds it.
#[test]
fn a_published_package_has_what_a_registry_shows() {
    for (folder, manifest) in published() {
        for line in [
            "description = \"",
            "keywords = [\"",
            "categories = [\"",
            "readme = \"",
            "include = [\"/src\"",
            "[package.metadata.docs.rs]",
        ] {
            assert!(manifest.contains(&format!("\n{line}")), "{folder}/Cargo.toml has no `{line}`");
        }
        for line in ["version", "edition", "rust-version", "license"] {
            assert!(manifest.contains(&format!("\n{line}.workspace = true\n")), "{folder}: `{line}`");
        }
        assert!(manifest.contains("\n[lints]\nworkspace = true\n"), "{folder} has lints of its own");
        assert_eq!(read(&format!("{folder}/LICENSE")), read("LICENSE"), "{folder}/LICENSE");
        let readme = manifest.split("\nreadme = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a readme");
        assert!(root().join(&folder).join(readme).is_file(), "{folder}: {readme}");
    }
}

/// A dependency on another package of ours has its version: a registry knows no paths.
#[test]
fn dependencies_have_the_version_of_the_workspace() {
    let (manifest, version) = (read("Cargo.toml"), workspace("version"));
    // Nothing depends on a command.
    for (folder, _) in published().into_iter().filter(|(folder, _)| !folder.starts_with("cargo-")) {
        let line = format!("\n{folder} = {{ version = \"{version}\", path = \"{folder}\" }}\n");
        assert!(manifest.contains(&line), "Cargo.toml has no{line}");
    }
}

#[test]
fn the_minimum_rust_version_is_said_once_and_checked() {
    let version = workspace("rust-version");
    assert!(read("Cargo.toml").contains("\nincompatible_msrv = \"deny\"\n"));
    let workflow = read(".github/workflows/ci.yml");
    assert!(workflow.contains(&format!("cargo +{version} check")), "the workflow has not Rust {version}");
    for document in ["CHANGELOG.md", "README.md"] {
        assert!(read(document).contains(&format!("Rust version is {version}")), "{document}: Rust {version}");
    }
}

#[test]
fn the_workflow_runs_what_ci_runs() {
    assert!(read(".github/workflows/ci.yml").contains("- run: .ci/run\n"));
    assert!(read(".ci/run").lines().any(|line| line == "cargo xtask test"));
}

#[test]
fn every_path_of_the_page_for_contributors_exists() {
    let text = read("CONTRIBUTING.md").replace("```", "");
    let words =
        text.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && *word != "//!" && !word.contains(' '));
    let paths: Vec<&str> = words.collect();
    assert!(paths.len() > 10, "{paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "CONTRIBUTING.md names {path}");
    }
}
