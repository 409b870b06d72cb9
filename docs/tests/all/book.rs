//! The pages as a book: `SUMMARY.md` lists every page once, and every link of every page of the repository leads somewhere.
use crate::text::{blocks, kernels, pages, read, root};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use systolic_compiler::check;
use systolic_compiler::compile::{Programs, by_rules, which};
use systolic_compiler::mapping::Target;

/// The targets of the links of a text, without those in code.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        // Words between backticks are code: every second part.
        let prose: Vec<&str> = if is_code { Vec::new() } else { line.split('`').step_by(2).collect() };
        let prose = prose.join("code");
        found.extend(prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(String::from));
    }
    found
}

/// The anchors of a page, as GitHub and mdBook make them from headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
        plain
    })
}

#[test]
fn every_link_leads_somewhere() {
    let all = pages("");
    assert!(all.len() > 30 && all.contains(&"README.md".to_string()), "{all:?}");
    let mut count = 0;
    for page in all {
        let text = read(&page);
        let folder = Path::new(&page).parent().expect("a folder");
        for link in links(&text).into_iter().filter(|link| !link.starts_with("https://")) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let path = if file.is_empty() { PathBuf::from(&page) } else { plain(&folder.join(file)) };
            assert!(root().join(&path).exists(), "{page} links to {link}");
            let is_there = heading.is_empty() || anchors(&read(&path.to_string_lossy())).contains(heading);
            assert!(is_there, "{page}: there is no {link}");
            count += 1;
        }
    }
    assert!(count > 150, "only {count} links were found");
}

/// mdBook has only what is in its folder: there, a link that leaves it leads nowhere.
#[test]
fn no_link_of_the_book_leaves_it() {
    for page in pages("docs") {
        let folder = Path::new(&page).parent().expect("a folder");
        for link in links(&read(&page)).into_iter().filter(|link| !link.starts_with("https://")) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(plain(&folder.join(file)).starts_with("docs"), "{page}: {link} leaves the book");
        }
    }
}

/// The targets of `href` and `src` in a page of a website, with the file they lead to and the element there.
fn targets(html: &str) -> Vec<(String, String)> {
    let values = ["href=\"", "src=\""].into_iter().flat_map(|start| html.split(start).skip(1));
    let values = values.filter_map(|rest| rest.split('"').next()).filter(|value| !value.contains(':'));
    values
        .map(|value| value.split_once('#').unwrap_or((value, "")))
        .map(|(f, e)| (f.to_string(), e.to_string()))
        .collect()
}

/// The website: every page is there, with its pictures, and every link in it leads somewhere.
#[test]
fn mdbook_builds_the_book() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book");
    let mut command = Command::new("mdbook");
    let Ok(output) = command.arg("build").arg(root().join("docs")).arg("-d").arg(&folder).output() else {
        // Not by a macro: the test would capture it.
        let _ = writeln!(std::io::stderr(), "skipped: there is no mdBook on this machine, so the book was not built");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !said.contains("WARN") && !said.contains("ERROR"), "{said}");
    let mut count = 0;
    for page in pages("docs").iter().filter(|page| *page != "docs/SUMMARY.md") {
        let name = page["docs/".len()..].replace("README.md", "index.html").replace(".md", ".html");
        let path = folder.join(&name);
        let html = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(html.contains("<main>"), "{name}");
        for (file, element) in targets(&html) {
            let target = plain(&path.parent().expect("a folder").join(&file));
            let target = if file.is_empty() { path.clone() } else { target };
            assert!(target.exists(), "{name} links to {file}");
            if !element.is_empty() && target.extension().is_some_and(|extension| extension == "html") {
                let text = std::fs::read_to_string(&target).expect("a page");
                assert!(text.contains(&format!("id=\"{element}\"")), "{name} links to {file}#{element}");
            }
            count += 1;
        }
    }
    assert!(count > 500, "only {count} links");
}

#[test]
fn the_summary_lists_every_page_once() {
    let mut listed = links(&read("docs/SUMMARY.md"));
    listed.sort();
    let twice: Vec<_> = listed.windows(2).filter(|two| two[0] == two[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let there: Vec<String> = pages("docs").iter().map(|page| page["docs/".len()..].to_string()).collect();
    let mut there: Vec<String> = there.into_iter().filter(|page| page != "SUMMARY.md").collect();
    there.sort();
    assert_eq!(listed, there);
}

/// mdBook reads the pages where they are, and writes where git does not look.
#[test]
fn the_book_is_built_outside_of_its_sources() {
    let settings = read("docs/book.toml");
    for line in ["src = \".\"", "build-dir = \"../target/book\""] {
        assert!(settings.lines().any(|l| l == line), "docs/book.toml has no line `{line}`");
    }
    assert!(read(".gitignore").lines().any(|line| line == "/target"));
}

/// Pages whose Rust nobody compiles would rot: `src/lib.rs` includes them all.
#[test]
fn every_page_with_programs_is_tested() {
    let library = read("docs/src/lib.rs");
    let folders = ["docs/tutorial", "docs/recipes"];
    let mut tested: Vec<String> = folders.iter().flat_map(|folder| pages(folder)).collect();
    tested.extend(["docs/coming-from.md", "docs/README.md"].map(String::from));
    for page in tested {
        let has_rust = blocks(&read(&page)).iter().any(|block| block.kind.starts_with("rust"));
        let include = format!("include_str!(\"../{}\")", &page["docs/".len()..]);
        assert!(!has_rust || library.contains(&include), "docs/src/lib.rs has no {include}");
    }
}

/// What a reader copies runs in lanes, on CPUs and on GPUs: nothing in the tutorial or in the recipes runs point by point.
#[test]
fn every_kernel_of_the_book_runs_in_lanes() {
    let (mut count, mut slow) = (0, Vec::new());
    let pages = ["docs/tutorial", "docs/recipes"].map(pages).concat();
    for page in pages.into_iter().chain(["docs/coming-from.md".to_string()]) {
        for block in blocks(&read(&page)).into_iter().filter(|b| b.kind.split([',', ' ']).next() == Some("rust")) {
            for (kernel, instances) in kernels(&block.text).into_iter().flat_map(|tokens| check(tokens).kernels) {
                let targets = [Target::Cpu, Target::Gpu];
                let programs = Programs::new(&kernel, &instances, &targets, &by_rules).expect("no broken invariant");
                for (lawful, target) in instances.iter().flat_map(|lawful| targets.map(|target| (lawful, target))) {
                    let made = programs.get(lawful, which(None, lawful, target), target);
                    slow.extend(made.err().map(|why| format!("{page}: `{}` on {target:?}: {why:?}", kernel.name.text)));
                    count += 1;
                }
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
    assert!(count > 80, "only {count} programs");
}
