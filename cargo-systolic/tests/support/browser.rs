//! Chromium, spoken to as a debugger does: over a pipe, with the mouse and the keyboard of a person, and with all that the browser
//! itself reports. The protocol is [Chromium's](https://chromedevtools.github.io/devtools-protocol/): objects of JSON with a zero after
//! each.
#![allow(dead_code)]
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The name of Chromium on this machine.
pub fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    let found = names.into_iter().find(is_there);
    if found.is_none() {
        // Not by a macro: the test would capture it.
        let _ = writeln!(std::io::stderr(), "skipped: there is no Chromium on this machine, so no page was opened");
    }
    found
}

pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    folder: PathBuf,
    session: Option<String>,
    calls: u64,
    /// What the browser has reported of itself.
    pub events: Vec<Value>,
}

impl Browser {
    /// Starts a browser with an empty page.
    pub fn start(name: &str, folder: &Path) -> Browser {
        std::fs::create_dir_all(folder).expect("a folder");
        // The browser reads from the third file and writes to the fourth; the shell makes these of the input and the output.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$@\" 3<&0 4>&1 >/dev/null", "sh", name, "--remote-debugging-pipe"]);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]);
        command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
        command.arg(format!("--user-data-dir={}", folder.display()));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
        let to = child.stdin.take().expect("an input");
        let from = BufReader::new(child.stdout.take().expect("an output"));
        let (folder, events) = (folder.to_path_buf(), Vec::new());
        let mut browser = Browser { child, to, from, folder, session: None, calls: 0, events };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = Some(attached["sessionId"].as_str().expect("a session").to_string());
        for domain in ["Page", "Network", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a function of the browser, and keeps what it reports meanwhile.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let answer = self.read();
            if answer["id"].as_u64() == Some(self.calls) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).expect("the browser speaks");
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Opens a file in a window of this size, and waits until it is loaded.
    pub fn open(&mut self, path: &Path, (width, height): (u32, u32), dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let theme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.read();
            self.events.push(event);
        }
    }

    /// The value of an expression in the page; promises are waited for.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// The middle of an element, scrolled into view.
    fn middle(&mut self, element: &str) -> (f64, f64) {
        let at = self.value(&format!(
            "(() => {{ const e = {element}; e.scrollIntoView({{ block: 'center' }}); const b = e.getBoundingClientRect(); \
             return [b.left + Math.min(b.width / 2, 40), b.top + b.height / 2]; }})()"
        ));
        (at[0].as_f64().expect("a place"), at[1].as_f64().expect("a place"))
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), button: &str) {
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Moves the mouse over an element.
    pub fn hover(&mut self, element: &str) {
        let at = self.middle(element);
        self.mouse("mouseMoved", at, "none");
    }

    pub fn click(&mut self, element: &str) {
        let at = self.middle(element);
        self.mouse("mouseMoved", at, "none");
        self.mouse("mousePressed", at, "left");
        self.mouse("mouseReleased", at, "left");
    }

    /// Presses a key and lets it go. `text` is what it types.
    pub fn key(&mut self, name: &str, text: &str) {
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyDown", "key": name, "text": text }));
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": name }));
    }

    /// The addresses that were asked for, in order.
    pub fn requests(&self) -> Vec<String> {
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.filter_map(|event| event["params"]["request"]["url"].as_str()).map(String::from).collect()
    }

    /// What stands on the console, and what the browser complains of.
    pub fn complaints(&self) -> Vec<String> {
        let kinds = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
        let told = self.events.iter().filter(|event| kinds.iter().any(|kind| event["method"] == *kind));
        told.map(|event| event["params"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The shell has become the browser, so this ends it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
