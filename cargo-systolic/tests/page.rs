//! The pages of `cargo systolic explain` in a real browser: the animation runs, hovering links the panes, keys work, nothing is
//! requested, nothing is reported on the console. Without Chromium the tests say so and end.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a page may weigh.
const MOST_BYTES: u64 = 300_000;

/// What a page may take, with optimisation.
const MOST_TIME: Duration = Duration::from_secs(2);

/// Without optimisation only one workload in eight gets its page; `SYSTOLIC_PAGES=all` makes all pages.
const WITHOUT_OPTIMISATION: usize = 8;

/// Runs before the script of the page, and notes what goes wrong.
const BEFORE: &str = "<script>window.wrong = [];
for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation'])
  addEventListener(kind, (e) => wrong.push(kind + ': ' + (e.message || e.reason || e.blockedURI)), true);
for (const kind of ['error', 'warn']) console[kind] = (...words) => wrong.push(kind + ': ' + words.join(' '));
</script>";

/// Runs after it: uses the page as a reader does, and writes what it sees into the page.
const AFTER: &str = include_str!("explained/use.html");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    let found = names.into_iter().find(is_there);
    if found.is_none() {
        eprintln!("skipped: there is no Chromium on this machine, so no page was opened");
    }
    found
}

/// Writes the page of a kernel in a folder, and returns its text.
fn page(folder: &Path, words: &[&str], name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-systolic"));
    command.arg("explain").args(words).arg("--output").arg(&path).current_dir(folder);
    let output = command.output().expect("it runs");
    assert!(output.status.code() != Some(2), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(path).expect("a page")
}

/// A package whose kernels have one medium each, and maps that are refused.
fn package() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shown");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = "[package]\nname = \"shown\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    std::fs::write(folder.join("src/lib.rs"), include_str!("explained/kernels.rs")).expect("a file");
    folder
}

/// Opens a page in a window of this size, uses it, and returns what was seen: one line per observation.
fn used(browser: &str, page: &str, name: &str, size: &str, dark: bool) -> String {
    let page =
        page.replacen("<head>", &format!("<head>{BEFORE}"), 1).replacen("</body>", &format!("{AFTER}</body>"), 1);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}-{size}-{dark}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("page.html");
    std::fs::write(&path, page).expect("a file");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]);
    command.args(["--disable-background-networking", "--virtual-time-budget=200000", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", folder.display())).arg(format!("--window-size={size}"));
    command.args(dark.then_some("--force-dark-mode"));
    let output = command.arg(format!("file://{}", path.display())).output().expect("the browser runs");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let seen = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen
        .unwrap_or_else(|| panic!("the page did not come to its end:\n{}", String::from_utf8_lossy(&output.stderr)));
    std::fs::remove_dir_all(folder).expect("a folder");
    seen.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
}

#[test]
fn readers_can_use_a_page() {
    let Some(browser) = chromium() else { return };
    let page = page(&package(), &["conv", "--instance", "Q=5"], "conv.html");
    for (size, dark) in [("1400,900", false), ("1400,900", true), ("900,1200", false), ("420,900", true)] {
        let seen = used(browser, &page, "conv", size, dark);
        for line in [
            "nothing wrong",
            "requests 0",
            "no pane is wider than the window",
            "no panes overlap",
            "play runs to the end",
            "pause stops",
            "keys step",
            "the slider steps",
            "an equation lights itself, the program, the CUDA text and the array",
            "a line of the program lights the equations and the CUDA text",
            "a line of the CUDA text lights the equations and the program",
            "a cell lights its equation",
            "z[5] is stored by lane 9, block (cb = 0), step 4 (t = 4).",
            "z[5] needs Z[5, 4] register, X[5, 4] register, X[6, 3] register, Z[5, 3] shuffle, w[4] value",
            "a value that is not there is said",
            "another block is drawn",
            "arrows move the chosen value",
            "limited by blocks",
        ] {
            assert!(seen.lines().any(|found| found == line), "{size}: {line}\n{seen}");
        }
    }
}

#[test]
fn refused_maps_show_their_points() {
    let Some(browser) = chromium() else { return };
    for (kernel, marks) in [("late", 3), ("meet", 2), ("crosses", 2)] {
        let page = page(&package(), &[kernel], &format!("{kernel}.html"));
        let seen = used(browser, &page, kernel, "900,1200", false);
        for line in ["nothing wrong", "requests 0", &format!("points and lines of the counterexample: {marks}")] {
            assert!(seen.lines().any(|found| found == line), "{kernel}: {line}\n{seen}");
        }
    }
}

/// The names of all kernels of the workloads, with their files.
fn workloads() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(repository().join("tests/kernels")).expect("the workloads").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("text");
        let file = entry.file_name().to_string_lossy().into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| pair[0] == "kernel") {
            let end = pair[1].find(['(', '<']);
            all.extend(end.map(|end| (pair[1][..end].to_string(), file.clone())));
        }
    }
    all.sort();
    all
}

#[test]
fn every_workload_has_a_page_that_works() {
    let browser = chromium();
    let all = workloads();
    assert!(all.len() > 100, "{}", all.len());
    let is_whole = !cfg!(debug_assertions) || std::env::var("SYSTOLIC_PAGES").is_ok_and(|pages| pages == "all");
    let every = if is_whole { 1 } else { WITHOUT_OPTIMISATION };
    let next = Mutex::new(all.iter().step_by(every).enumerate());
    let slowest = Mutex::new((Duration::ZERO, String::new()));
    let work = || {
        loop {
            let taken = next.lock().expect("no panic").next();
            let Some((k, (kernel, file))) = taken else { return };
            let started = Instant::now();
            let text = page(&repository().join("tests"), &[kernel, "--file", file], &format!("{file}-{kernel}.html"));
            let took = started.elapsed();
            assert!(cfg!(debug_assertions) || took < MOST_TIME, "{kernel}: {took:?}");
            let mut slowest = slowest.lock().expect("no panic");
            *slowest = slowest.clone().max((took, kernel.clone()));
            drop(slowest);
            assert!((text.len() as u64) < MOST_BYTES, "{kernel}: {} bytes", text.len());
            // A browser takes seconds; some pages are opened.
            if let Some(browser) = browser.filter(|_| k % (16 / every) == 0) {
                let seen = used(browser, &text, &format!("{file}-{kernel}"), "1400,900", false);
                for line in ["nothing wrong", "requests 0", "no pane is wider than the window", "no panes overlap"] {
                    assert!(seen.lines().any(|found| found == line), "{kernel}: {line}\n{seen}");
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
    println!("{} pages; the slowest: {:?}", all.len().div_ceil(every), slowest.lock().expect("no panic"));
}
