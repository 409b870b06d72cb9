//! `docs/tutorial`: its programs print what the pages show, and its errors are the compiler's. `cargo test --doc` runs the
//! other fences, and `cargo test -p cargo-systolic --test pictures` draws the pictures.
use crate::text::{blocks, pages, read, rejection, root};
use std::cell::RefCell;

thread_local! {
    /// What the program of a page has printed.
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

fn print(line: &str) {
    PRINTED.with_borrow_mut(|all| *all += &format!("{line}\n"));
}

/// Programs print here, so that what they print can be compared.
macro_rules! println {
    ($($part:tt)*) => { crate::tutorial::print(&format!($($part)*)) };
}

/// The `main` of a page.
type Program = fn() -> Result<(), systolic::Error>;

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Lines about GPUs depend on the machine and on the features that cargo builds with.
fn without_gpus(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.contains("GPU") && !line.contains("CPU:")).collect()
}

#[test]
fn every_program_prints_what_its_page_shows() {
    assert_eq!(PROGRAMS.len(), 7, "every chapter has a program");
    for (page, run) in PROGRAMS {
        let blocks = blocks(&read(&format!("docs/tutorial/{page}")));
        let after = blocks.iter().skip_while(|block| block.kind != "rust src/main.rs").nth(1).expect("what it prints");
        assert_eq!(after.kind, "text", "{page}: the block after the program");
        run().unwrap_or_else(|e| panic!("{page}: {e}"));
        let printed = PRINTED.take();
        assert_eq!(without_gpus(&printed), without_gpus(&after.text), "{page}");
    }
}

/// A rejected kernel and the error below it, as they stand on a page.
fn with_error(kernel: &str, error: &str) -> String {
    format!("{kernel}```\n\n```text\n{error}```\n")
}

/// A fence that does not compile is followed by the error, as rustc prints it for `src/main.rs`.
#[test]
fn its_errors_are_the_compilers() {
    let mut count = 0;
    for page in pages("docs/tutorial") {
        let blocks = blocks(&read(&page));
        for pair in blocks.windows(2).filter(|pair| pair[0].kind == "rust,compile_fail") {
            let error = rejection("src/main.rs", &pair[0].text);
            if std::env::var_os("SYSTOLIC_BLESS").is_some() {
                let (old, new) = (with_error(&pair[0].text, &pair[1].text), with_error(&pair[0].text, &error));
                std::fs::write(root().join(&page), read(&page).replace(&old, &new)).expect("it is written");
            } else {
                assert_eq!(pair[1].text, error, "{page}:{}: `SYSTOLIC_BLESS=1` puts it right", pair[0].line);
            }
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} errors are shown");
}

/// A page of the tutorial can be read at one sitting.
#[test]
fn chapters_are_short_and_end_with_exercises() {
    let chapters: Vec<String> = pages("docs/tutorial");
    assert_eq!(chapters.len(), 7, "{chapters:?}");
    for page in chapters {
        let text = read(&page);
        let lines = text.lines().count();
        // Seven machines need room.
        let most = if text.contains("seven machines") { 280 } else { 230 };
        assert!(lines <= most, "{page} has {lines} lines");
        let (_, exercises) = text.split_once("\n## Exercises\n").unwrap_or_else(|| panic!("{page} has no exercises"));
        let solutions = exercises.matches("<details>").count();
        assert!((2..=3).contains(&solutions), "{page} has {solutions} solutions");
        assert!(text.contains("](pictures/"), "{page} has no picture");
    }
}
