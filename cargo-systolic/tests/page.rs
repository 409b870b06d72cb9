//! The pages of `cargo systolic explain` in a real browser: the animation runs, hovering links the panes, keys work, nothing is
//! requested, nothing is reported on the console. Without Chromium the tests say so and end.
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use support::User;
use support::browser::{Browser, chromium};

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
            "an equation lights itself, the program, the emitted text and the array",
            "a line of the program lights the equations and the emitted text",
            "a line of the emitted text lights the equations and the program",
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

/// With the mouse and the keys of a person, and with what the browser itself reports of requests and of the console.
#[test]
fn a_person_can_use_a_page() {
    let Some(name) = chromium() else { return };
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("person.html");
    for on in ["gpu", "cpu"] {
        page(&package(), &["conv", "--instance", "Q=5", "--on", on], "person.html");
        for (size, dark) in [((1400, 900), false), ((900, 1200), true), ((420, 900), false)] {
            let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("person-{on}-{}", size.0));
            let mut browser = Browser::start(name, &folder);
            browser.open(&path, size, dark);
            let paper = browser.value("getComputedStyle(document.body).backgroundColor");
            assert_eq!(paper, if dark { "rgb(20, 24, 29)" } else { "rgb(246, 247, 249)" });
            let lit = |browser: &mut Browser, pane: &str| {
                browser.value(&format!("document.querySelectorAll('#{pane} .line.lit').length")).as_u64().unwrap_or(0)
            };
            let language = browser.value("document.getElementById('language').textContent");
            assert_eq!(language, if on == "cpu" { "Rust" } else { "CUDA" });
            // A line under the mouse lights its lines in the other panes, and the dependences of the array.
            for (over, others) in [("source", ["program", "emitted"]), ("emitted", ["source", "program"])] {
                browser.hover(&format!("[...document.querySelectorAll('#{over} .line.of')].at(-2)"));
                for pane in others {
                    assert!(lit(&mut browser, pane) > 0, "{on} {size:?}: over {over}, {pane} stays dark");
                }
                assert!(browser.value("document.querySelectorAll('#array path.lit').length").as_u64() > Some(0));
            }
            browser.hover("document.querySelectorAll('#array .cell')[40]");
            assert_eq!(lit(&mut browser, "source"), 1);
            assert_eq!(browser.value("document.getElementById('tip').hidden"), false);
            // Away from all code nothing is lit.
            browser.hover("document.getElementById('title')");
            assert_eq!(lit(&mut browser, "source") + lit(&mut browser, "program"), 0);
            // A click chooses the value of a cell.
            browser.click("document.querySelectorAll('#array .cell')[40]");
            assert_eq!(
                browser.value("state.chosen[1] === +document.querySelectorAll('#array .cell')[40].dataset.k"),
                true
            );
            // The animation, in the time of the clock.
            browser.key("Home", "");
            browser.click("document.getElementById('play')");
            browser.value("new Promise((done) => setTimeout(done, 1500))");
            assert!(browser.value("state.row").as_u64() >= Some(1), "{on} {size:?}: it does not play");
            browser.click("document.getElementById('play')");
            let row = browser.value("state.row").as_u64().expect("a step");
            browser.value("new Promise((done) => setTimeout(done, 900))");
            assert_eq!(browser.value("state.row").as_u64(), Some(row), "{on} {size:?}: it does not stop");
            browser.key("Home", "");
            browser.key("ArrowRight", "");
            assert_eq!(browser.value("state.row").as_u64(), Some(1));
            // A value that is typed.
            browser.click("document.getElementById('find-text')");
            browser.value("document.getElementById('find-text').select()");
            for c in "z[5]".chars() {
                browser.key(&c.to_string(), &c.to_string());
            }
            browser.key("Enter", "\r");
            assert_eq!(browser.value("document.getElementById('value-name').textContent"), "z[5]");
            let place = browser.value("document.getElementById('value-place').textContent");
            assert!(place.as_str().is_some_and(|place| place.starts_with("is stored by lane 9, ")), "{place}");
            let cost = browser.value("document.getElementById('cost').textContent");
            let said = if on == "cpu" { "tune conv --on cpu` measures" } else { "limited by" };
            assert!(cost.as_str().is_some_and(|cost| cost.contains(said)), "{cost}");
            // The page itself, its empty icon, and nothing else.
            let requests = browser.requests();
            let own = |url: &&String| url.starts_with("file://") && url.ends_with("person.html");
            assert_eq!(requests.iter().filter(own).count(), 1, "{requests:?}");
            assert!(requests.iter().all(|url| own(&url) || url.starts_with("data:")), "{requests:?}");
            assert_eq!(browser.complaints(), Vec::<String>::new());
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

/// A map without places: its text has the room, with what is refused.
#[test]
fn refused_maps_without_places_show_their_text() {
    let Some(name) = chromium() else { return };
    let kernel = "systolic::systolic! { kernel flat(x: [f32; 8, 8]) -> (z: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 { z[r, c] = x[r, c]; }
        map { space_time (r, c) -> (s, t) = [[1, 2], [2, 4]]; lanes s; }
    } }";
    let user = User::new("undrawn-page", kernel);
    page(&user.folder, &["flat"], "flat.html");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("flat.html");
    for (size, dark) in [((1400, 900), false), ((900, 1200), true), ((420, 900), false)] {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("undrawn-{}", size.0));
        let mut browser = Browser::start(name, &folder);
        browser.open(&path, size, dark);
        assert_eq!(browser.value("document.querySelector('#refused .fault').textContent"), "[2, 4]");
        assert_eq!(browser.value("document.querySelectorAll('#refused .line').length"), 4);
        let text = browser.value("document.getElementById('refused').textContent");
        assert!(text.as_str().is_some_and(|text| text.contains("the row of `t` is not independent")), "{text}");
        assert_eq!(browser.value("document.getElementById('array-pane').offsetWidth"), 0, "nothing is drawn");
        assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true, "{size:?}");
        // Keys have nothing to step through, which is no error.
        for key in ["ArrowRight", "End", "]", "."] {
            browser.key(key, "");
        }
        assert_eq!(browser.complaints(), Vec::<String>::new());
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
            let started = Instant::now();
            let words = [kernel, "--file", file, "--on", "cpu"];
            let on_cpu = page(&repository().join("tests"), &words, &format!("{file}-{kernel}-cpu.html"));
            let took_on_cpu = started.elapsed();
            assert!(cfg!(debug_assertions) || took_on_cpu < MOST_TIME, "{kernel} on a CPU: {took_on_cpu:?}");
            assert!((on_cpu.len() as u64) < MOST_BYTES, "{kernel} on a CPU: {} bytes", on_cpu.len());
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
