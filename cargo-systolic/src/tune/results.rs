//! What was measured, in a file that can be checked in: `systolic-tune.json` beside `Cargo.toml`.
use crate::files::replace;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "systolic-tune.json";

/// What results are kept under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub kernel: String,
    /// Of the text of the kernel without maps, for one instance.
    pub text: String,
    pub instance: String,
    pub device: String,
    pub sizes: String,
}

/// The result of one map.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The map's text; empty for none.
    pub map: String,
    /// The seconds of a call, or why there are none.
    pub seconds: Result<f64, String>,
}

/// The file.
pub struct Results {
    path: PathBuf,
    entries: Vec<(Key, Vec<Measured>)>,
}

impl Results {
    /// Reads the file of a package, or begins with nothing.
    pub fn open(root: &Path) -> Result<Results, String> {
        let path = root.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Results { path, entries: Vec::new() }),
            Err(e) => return Err(format!("{}: {e}", path.display())),
        };
        let value: Value = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let entries =
            value["results"].as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(entry).collect();
        Ok(Results { path, entries })
    }

    /// The results under a key.
    pub fn of(&self, key: &Key) -> &[Measured] {
        self.entries.iter().find(|(other, _)| other == key).map_or(&[], |(_, measured)| measured)
    }

    /// All results of a kernel's text, on any device and at any sizes.
    pub fn of_text(&self, text: &str) -> impl Iterator<Item = (&Key, &[Measured])> {
        self.entries.iter().filter(move |(key, _)| key.text == text).map(|(key, all)| (key, all.as_slice()))
    }

    /// Adds a result, or replaces the one of the same map, and writes the file.
    pub fn add(&mut self, key: &Key, measured: Measured) -> Result<(), String> {
        if !self.entries.iter().any(|(other, _)| other == key) {
            // Results of a kernel whose text has changed are of no use any more.
            self.entries.retain(|(other, _)| {
                other.text == key.text || other.kernel != key.kernel || other.instance != key.instance
            });
            self.entries.push((key.clone(), Vec::new()));
        }
        for (_, all) in self.entries.iter_mut().filter(|(other, _)| other == key) {
            all.retain(|other| other.map != measured.map);
            all.push(measured.clone());
        }
        self.save()
    }

    fn save(&self) -> Result<(), String> {
        let entries: Vec<Value> = self.entries.iter().map(|(key, measured)| json!({
            "kernel": key.kernel, "text": key.text, "instance": key.instance, "device": key.device, "sizes": key.sizes,
            "maps": measured.iter().map(written).collect::<Vec<_>>(),
        })).collect();
        let text =
            serde_json::to_string_pretty(&json!({ "version": 1, "results": entries })).map_err(|e| e.to_string())?;
        replace(&self.path, &format!("{text}\n"))
    }
}

/// The fastest of some results; those that failed do not count.
pub fn best(measured: &[Measured]) -> Option<(&Measured, f64)> {
    let timed = measured.iter().filter_map(|one| Some((one, *one.seconds.as_ref().ok()?)));
    timed.min_by(|a, b| a.1.total_cmp(&b.1))
}

fn written(measured: &Measured) -> Value {
    match &measured.seconds {
        Ok(seconds) => json!({ "map": measured.map, "seconds": seconds }),
        Err(why) => json!({ "map": measured.map, "failed": why }),
    }
}

fn entry(value: &Value) -> Option<(Key, Vec<Measured>)> {
    let text = |key: &str| value[key].as_str().map(String::from);
    let key = Key {
        kernel: text("kernel")?,
        text: text("text")?,
        instance: text("instance")?,
        device: text("device")?,
        sizes: text("sizes")?,
    };
    Some((key, value["maps"].as_array()?.iter().filter_map(measured).collect()))
}

/// A result, from the file or from a program. A time that is none is a failure.
pub fn measured(value: &Value) -> Option<Measured> {
    Some(Measured { map: value["map"].as_str()?.to_string(), seconds: outcome(value)? })
}

/// The time of a result, or why there is none.
pub fn outcome(value: &Value) -> Option<Result<f64, String>> {
    match (value["seconds"].as_f64(), value["failed"].as_str()) {
        (Some(seconds), None) if seconds > 0.0 => Some(Ok(seconds)),
        (None, Some(why)) => Some(Err(why.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str, sizes: &str) -> Key {
        let of = |word: &str| word.to_string();
        Key { kernel: of("k"), text: of(text), instance: String::new(), device: of("d"), sizes: of(sizes) }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("systolic-results-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let _ = std::fs::remove_file(folder.join(FILE));
        folder
    }

    #[test]
    fn results_survive_and_those_of_another_text_go() {
        let root = folder("survive");
        let one = |map: &str, seconds: Result<f64, &str>| Measured {
            map: map.to_string(),
            seconds: seconds.map_err(String::from),
        };
        let mut results = Results::open(&root).expect("a file");
        results.add(&key("a", "N=1"), one("", Ok(2.0))).expect("written");
        results.add(&key("a", "N=1"), one("fast but wrong", Err("wrong bits"))).expect("written");
        results.add(&key("a", "N=1"), one("m", Ok(3.0))).expect("written");
        results.add(&key("a", "N=1"), one("m", Ok(1.5))).expect("written");
        results.add(&key("a", "N=2"), one("m", Ok(1.0))).expect("written");
        let again = Results::open(&root).expect("a file");
        assert_eq!(again.entries, results.entries);
        assert_eq!(
            best(again.of(&key("a", "N=1"))).map(|(best, _)| best.map.as_str()),
            Some("m"),
            "what is wrong is skipped"
        );
        assert_eq!((again.of(&key("a", "N=1")).len(), again.of(&key("b", "N=1")).len()), (3, 0));
        results.add(&key("b", "N=1"), one("", Ok(1.0))).expect("written");
        assert_eq!((results.of(&key("a", "N=1")).len(), results.of(&key("b", "N=1")).len()), (0, 1));
        std::fs::remove_dir_all(root).expect("it was there");
    }

    #[test]
    fn a_broken_file_is_an_error_and_strange_entries_are_left_out() {
        let root = folder("broken");
        std::fs::write(root.join(FILE), "{").expect("a file");
        assert!(Results::open(&root).is_err_and(|why| why.contains(FILE)));
        std::fs::write(root.join(FILE), "{ \"results\": [1, { \"kernel\": \"k\" }] }").expect("a file");
        assert!(Results::open(&root).is_ok_and(|results| results.entries.is_empty()));
        std::fs::remove_dir_all(root).expect("it was there");
    }

    #[test]
    fn what_a_program_says() {
        let of = |text: &str| outcome(&serde_json::from_str(text).expect("JSON"));
        assert_eq!(of("{ \"candidate\": 3, \"seconds\": 1.5e-3 }"), Some(Ok(1.5e-3)));
        assert_eq!(of("{ \"failed\": \"wrong bits\" }"), Some(Err("wrong bits".to_string())));
        assert_eq!(of("{ \"seconds\": 0 }"), None);
        assert_eq!(of("{}"), None);
    }
}
