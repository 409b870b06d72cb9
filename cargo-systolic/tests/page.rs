//! The pages of `cargo systolic explain` in a real browser: the animation runs, hovering links the panes, keys work, nothing is
//! requested, nothing is reported on the console. Without Chromium the tests say so and end.
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use support::browser::{Browser, chromium};
use support::{THERE_AND_BACK, User, data, lines};

/// What a page may weigh.
const MOST_BYTES: u64 = 300_000;

/// What a page may take, with optimisation.
const MOST_TIME: Duration = Duration::from_secs(2);

/// Without optimisation only one workload in sixteen gets its pages; `SYSTOLIC_PAGES=all` makes all of them.
const WITHOUT_OPTIMISATION: usize = 16;

/// One of this many pages is opened in a browser.
const OPENED: usize = 16;

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
                assert!(
                    browser.value("document.querySelectorAll('#array path.lit, #array .dot.lit').length").as_u64()
                        > Some(0)
                );
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

/// Whether the command was built with optimisation: its profile is the folder that it lies in.
fn is_optimised() -> bool {
    !Path::new(env!("CARGO_BIN_EXE_cargo-systolic")).parent().is_some_and(|folder| folder.ends_with("debug"))
}

/// The page of a workload, and how long it took: the time of the processor, where a shell can tell, since other work may be in the way
/// of the clock.
fn timed(kernel: &str, file: &str, on: &str) -> (String, Duration) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{file}-{kernel}-{on}.html"));
    let words = [env!("CARGO_BIN_EXE_cargo-systolic"), "explain", kernel, "--file", file, "--on", on, "--output"];
    let mut command = if cfg!(unix) { Command::new("sh") } else { Command::new(words[0]) };
    if cfg!(unix) {
        command.args(["-c", "\"$@\"; code=$?; times; exit $code", "sh", words[0]]);
    }
    command.args(&words[1..]).arg(&path).current_dir(repository().join("tests"));
    let started = Instant::now();
    let output = command.output().expect("it runs");
    let took = started.elapsed();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(path).expect("a page");
    (text, processor(&String::from_utf8_lossy(&output.stdout)).unwrap_or(took))
}

/// What `times` of a shell says of the programs that it has run: the last line, such as `0m1.250s 0m0.030s`.
fn processor(said: &str) -> Option<Duration> {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let both: Option<Vec<f64>> = said.lines().last()?.split(' ').map(seconds).collect();
    both.filter(|both| both.len() == 2).map(|both| Duration::from_secs_f64(both.iter().sum()))
}

#[test]
fn the_time_of_the_processor() {
    assert_eq!(processor("a page\n0m0.001s 0m0.002s\n1m1.250s 0m0.500s\n"), Some(Duration::from_millis(61_750)));
    assert_eq!(processor("a page\n"), None);
}

/// What every page must be, whether a browser is there or not.
fn check_page(name: &str, text: &str) {
    assert!((text.len() as u64) < MOST_BYTES, "{name}: {} bytes", text.len());
    // The only address is the name of a format. An icon and nothing else has an address of its own, which holds it.
    assert_eq!(text.matches("://").count(), text.matches("http://www.w3.org/2000/svg").count(), "{name}: an address");
    assert_eq!(text.matches(" href=").count(), text.matches(" href=\"data:,\"").count(), "{name}: a link");
    for word in [" src=", "url(", "@import", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon"] {
        // The code may have such a name.
        let template = text.split("const PAGE = ").next().unwrap_or_default();
        assert!(!template.contains(word), "{name}: {word}");
    }
    assert!(text.contains("content=\"default-src 'none';"), "{name}: nothing may be loaded");
    for part in data(text)["parts"].as_array().expect("parts") {
        let loops = part["loops"].as_array().expect("loops").len();
        let spots = part["spots"].as_array().expect("spots").len();
        assert!(spots > 0 && spots.is_multiple_of(7 + loops), "{name}: {spots}");
        assert!(!lines(&part["source"]).is_empty(), "{name}: no equations");
        // Where there is a program, there is its text; where there is none, a reason.
        let (program, code) = (lines(&part["program"]).len(), lines(&part["code"]).len());
        assert_eq!(program > 0, code > 0, "{name}");
        assert!(program > 0 || part["without"].is_string(), "{name}: no program and no reason");
    }
}

#[test]
fn every_workload_has_a_page_that_works() {
    let browser = chromium();
    let all = workloads();
    assert!(all.len() > 100, "{}", all.len());
    let is_whole = is_optimised() || std::env::var("SYSTOLIC_PAGES").is_ok_and(|pages| pages == "all");
    let every = if is_whole { 1 } else { WITHOUT_OPTIMISATION };
    let next = Mutex::new(all.iter().step_by(every).enumerate());
    let slowest = Mutex::new((Duration::ZERO, String::new()));
    let work = || {
        loop {
            let taken = next.lock().expect("no panic").next();
            let Some((k, (kernel, file))) = taken else { return };
            for on in ["gpu", "cpu"] {
                let (text, took) = timed(kernel, file, on);
                assert!(!is_optimised() || took < MOST_TIME, "{kernel} on a {on}: {took:?}");
                check_page(&format!("{kernel} on a {on}"), &text);
                let mut slowest = slowest.lock().expect("no panic");
                *slowest = slowest.clone().max((took, format!("{kernel} on a {on}")));
                drop(slowest);
                // A browser takes seconds; some pages are opened.
                if let Some(browser) = browser.filter(|_| on == "gpu" && k % (OPENED / every) == 0) {
                    let seen = used(browser, &text, &format!("{file}-{kernel}"), "1400,900", false);
                    for line in ["nothing wrong", "requests 0", "no pane is wider than the window", "no panes overlap"]
                    {
                        assert!(seen.lines().any(|found| found == line), "{kernel}: {line}\n{seen}");
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
    println!("{} kernels; the slowest page: {:?}", all.len().div_ceil(every), slowest.lock().expect("no panic"));
}

/// A kernel that no single map suits: a page per launch or pass, in one file.
#[test]
fn parts_of_a_kernel_can_be_chosen() {
    let Some(name) = chromium() else { return };
    let user = User::new("parts-page", THERE_AND_BACK);
    page(&user.folder, &["smooth"], "parts.html");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("parts.html");
    for (size, dark) in [((1400, 900), false), ((900, 1200), true), ((420, 900), false)] {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("parts-{}", size.0));
        let mut browser = Browser::start(name, &folder);
        browser.open(&path, size, dark);
        let title = |browser: &mut Browser| browser.value("document.getElementById('title').textContent");
        assert_eq!(title(&mut browser), "smooth, launch 1 of 2");
        assert_eq!(browser.value("document.querySelectorAll('#parts button').length"), 2);
        browser.click("document.getElementById('theme')");
        let paper = browser.value("getComputedStyle(document.body).backgroundColor");
        browser.click("document.querySelectorAll('#parts button')[1]");
        // The page is read again, and takes no questions meanwhile.
        std::thread::sleep(Duration::from_secs(1));
        assert_eq!(title(&mut browser), "smooth, launch 2 of 2");
        assert_eq!(browser.value("document.querySelector('#parts [aria-current]').textContent"), "launch 2: B, z");
        // What a reader has chosen stays.
        assert_eq!(browser.value("getComputedStyle(document.body).backgroundColor"), paper, "{size:?}");
        let words = browser.value("document.getElementById('of-part').textContent");
        assert!(words.as_str().is_some_and(|words| words.contains("reads `A_kept` from before")), "{words}");
        let cost = browser.value("document.getElementById('cost').textContent");
        assert!(cost.as_str().is_some_and(|cost| cost.contains("All 2 launches together: predicted")), "{cost}");
        assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true, "{size:?}");
        let own = |url: &String| url.starts_with("file://") && url.contains("parts.html") || url.starts_with("data:");
        assert!(browser.requests().iter().all(own), "{:?}", browser.requests());
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}
