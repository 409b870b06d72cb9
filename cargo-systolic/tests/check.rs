//! Checks packages: refusals as rustc shows them and as JSON, files that are not Rust, and exit codes.
mod support;

use serde_json::Value;
use support::{BLUR, OUTSIDE, User, repository};

#[test]
fn a_lawful_package_and_one_without_kernels() {
    let user = User::new("check-lawful", BLUR);
    user.write("examples/more.rs", &format!("{}\nfn main() {{}}\n", BLUR.replace("blur", "other")));
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", "2 kernels in 2 files are lawful\n"));
    let said = user.run(&["check", "--json"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    user.write("src/lib.rs", "");
    user.write("examples/more.rs", "fn main() {}");
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), "the package `mine` has no kernels\n"));
}

/// The error of the README, which `cargo xtask test` compares with that of rustc.
#[test]
fn an_error_as_rustc_shows_it() {
    let user = User::new("check-readme", "");
    let path = "docs/samples/too_early.rs";
    user.write("Cargo.toml", &format!("{}\n[lib]\npath = {path:?}\n", support::MANIFEST));
    user.write(path, &std::fs::read_to_string(repository().join(path)).expect("a sample"));
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("a page");
    let shown = readme.split("```text\n").find(|block| block.starts_with("error: causality")).expect("an error");
    let shown = shown.split("```").next().expect("a block");
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "1 of 1 kernel refused, 1 error\n"));
    assert_eq!(said.out, format!("{shown}\n"));
}

/// Every program that `ui-tests` gives to rustc, in one package: the drawings are those of rustc.
#[test]
fn all_refusals_as_rustc_shows_them() {
    let user = User::new("check-ui", "");
    let (mut manifest, mut shown) = (support::MANIFEST.to_string(), String::new());
    for law in std::fs::read_dir(repository().join("ui-tests/fail")).expect("a folder").flatten() {
        for entry in std::fs::read_dir(law.path()).expect("a folder").flatten() {
            let path = entry.path();
            let text = std::fs::read_to_string(&path).expect("text");
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => {
                    let name = format!("fail/{}/{}", law.file_name().display(), entry.file_name().display());
                    manifest += &format!("[[example]]\nname = {:?}\npath = {name:?}\n", name.replace(['/', '.'], "_"));
                    user.write(&name, &text);
                }
                _ => shown += &text,
            }
        }
    }
    user.write("Cargo.toml", &manifest);
    let said = user.run(&["check"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let drawings: Vec<&str> = said.out.split_inclusive("\n\n").collect();
    assert!(drawings.len() > 90, "only {}", drawings.len());
    // rustc chooses another part of a long line.
    // The item that carries a warning has a name, which rustc says first.
    let (warnings, drawings): (Vec<&str>, Vec<&str>) =
        drawings.into_iter().partition(|drawing| drawing.starts_with("warning: "));
    for warning in &warnings {
        let rest = warning["warning: ".len()..].trim_end();
        assert!(shown.contains(&format!("`_::POINT_BY_POINT`: {rest}")), "rustc does not show\n{warning}");
    }
    assert!(!warnings.is_empty() && said.err.contains(" errors, "), "{}", said.err);
    for drawing in drawings.iter().filter(|drawing| !drawing.contains("(((...")) {
        assert!(shown.contains(drawing.trim_end()), "rustc does not show\n{drawing}");
    }
}

#[test]
fn every_kernel_of_every_target_as_json() {
    let user = User::new("check-json", OUTSIDE);
    let sample = std::fs::read_to_string(repository().join("docs/samples/too_early.rs")).expect("a sample");
    user.write("examples/early.rs", &format!("#!/usr/bin/env run\n{sample}\nfn main() {{}}\n"));
    user.write("tests/fine.rs", BLUR);
    let said = user.run(&["check", "--json"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), ""));
    let all: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let [early, outside] = all.as_slice() else { panic!("{}", said.out) };
    assert_eq!(early["level"].as_str(), Some("error"));
    assert_eq!((early["file"].as_str(), early["law"].as_str()), (Some("examples/early.rs"), Some("causality")));
    // One line more than in the sample.
    assert_eq!((early["line"].as_u64(), early["column"].as_u64()), (Some(14), Some(53)));
    assert_eq!((early["end_line"].as_u64(), early["end_column"].as_u64()), (Some(14), Some(60)));
    let message = early["message"].as_str().expect("a message");
    assert!(message.starts_with("`Z` is used before it is computed"), "{message}");
    assert!(early["notes"][0].as_str().is_some_and(|note| note.starts_with("point (c = 0, q = 1) runs at step")));
    assert_eq!(early["help"].as_str(), Some("with `[0, 1]` as the row of `t` the map is lawful"));
    let edit = &early["edits"][0];
    assert_eq!((edit["line"].as_u64(), edit["code"].as_str()), (Some(14), Some("[0, 1]")));
    let rendered = early["rendered"].as_str().expect("a drawing");
    assert!(rendered.contains("14 |             space_time") && !rendered.contains('\x1b'), "{rendered}");
    assert_eq!((outside["file"].as_str(), outside["law"].as_str()), (Some("src/lib.rs"), Some("bounds")));

    // The edit makes the map lawful.
    let source = user.read("examples/early.rs");
    let mut lines: Vec<String> = source.lines().map(String::from).collect();
    let (from, to) =
        (edit["column"].as_u64().expect("a column") as usize, edit["end_column"].as_u64().expect("a column") as usize);
    lines[13].replace_range(from - 1..to - 1, edit["code"].as_str().expect("code"));
    user.write("examples/early.rs", &lines.join("\n"));
    assert_eq!(user.run(&["check", "--json"]).out.lines().count(), 1);
}

/// What the macro warns of when the package is built. It is no refusal.
#[test]
fn kernels_that_run_point_by_point_are_warned_of() {
    let slow = "systolic::systolic! {
    kernel sums(x: [f32; 1]) -> (z: [f32; 1]) {
        for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
            V[a, b, c, d, e, f] = x[0];
            if a + b + c + d + e + f == 0 { z[0] = V[a, b, c, d, e, f]; }
        }
        map { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
    }
}
";
    let user = User::new("check-slow", slow);
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), "1 kernel in 1 file is lawful, 1 warning\n"));
    let shown =
        " --> src/lib.rs:2:12\n  |\n2 |     kernel sums(x: [f32; 1]) -> (z: [f32; 1]) {\n  |            ^^^^\n\n";
    assert!(
        said.out.starts_with("warning: kernel `sums` runs point by point: the compiler cannot invert"),
        "{}",
        said.out
    );
    assert!(said.out.ends_with(shown), "{}", said.out);
    let said = user.run(&["check", "--json"]);
    assert_eq!((said.code, said.err.as_str(), said.out.lines().count()), (Some(0), "", 1));
    let warning: Value = serde_json::from_str(&said.out).expect("an object");
    assert_eq!((warning["level"].as_str(), warning["law"].as_str()), (Some("warning"), None));
    assert_eq!((warning["line"].as_u64(), warning["column"].as_u64()), (Some(2), Some(12)));
    assert!(warning["message"].as_str().is_some_and(|text| text.starts_with("kernel `sums` runs point by point")));
    // The user knows.
    user.write("src/lib.rs", &slow.replace("    kernel", "    #[allow(point_by_point)]\n    kernel"));
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", "1 kernel in 1 file is lawful\n"));
    // With an error beside it.
    user.write("src/lib.rs", &format!("{slow}{OUTSIDE}"));
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "1 of 2 kernels refused, 1 error, 1 warning\n"));
}

/// What a macro expands to is seen by rustc alone.
#[test]
fn kernels_that_a_macro_writes_are_left_out() {
    let made = "macro_rules! scale { ($name:ident, $by:expr) => { systolic::systolic! {
        kernel $name(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = $by * x[n]; } }
    } } }\nscale!(double, 2.0);\n";
    let user = User::new("check-made", &format!("{made}{BLUR}"));
    let said = user.run(&["check"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), "1 kernel in 1 file is lawful\n"), "{}", said.out);
}

#[test]
fn a_source_that_is_not_rust_is_an_error() {
    let user = User::new("check-broken", &format!("mod open;\n{OUTSIDE}"));
    user.write("src/open.rs", "fn open() {\n");
    user.write("src/unused.rs", "fn open() {\n");
    let said = user.run(&["check"]);
    assert_eq!(said.code, Some(2));
    assert!(said.out.contains("error: bounds: "), "what can be read is checked: {}", said.out);
    assert_eq!(said.err, "error: src/open.rs:1:11: this is not valid Rust\n");
}
