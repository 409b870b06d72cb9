//! The list of kernels that nvcc has compiled: for each the hash of everything that its code depends on. A kernel whose hash is in
//! the list would give the same code again.
use crate::{ARCHITECTURES, root};
use std::collections::BTreeMap;
use std::time::SystemTime;
use systolic_build::Nvcc;
use systolic_compiler::emit::Unit;
use systolic_compiler::link;

const FILE: &str = "bench/results/compiled.txt";
const HEADING: &str = "# The kernels that nvcc has compiled without local memory, after the hash of text, header, flags, \
                       architectures and nvcc.\n# `cargo xtask kernels bless` writes this list.\n";
/// After this many days every kernel has been compiled, whatever the list holds.
const DAYS: u64 = 8;
const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// The hash of each kernel, by the kernel's name.
#[derive(Debug, Default, PartialEq)]
pub struct Record(BTreeMap<String, String>);

impl Record {
    /// The list in the repository; without one nothing has been compiled.
    pub fn read() -> Record {
        Record::parse(&std::fs::read_to_string(root().join(FILE)).unwrap_or_default())
    }

    fn parse(text: &str) -> Record {
        let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
        Record(lines.map(|(hash, name)| (name.to_string(), hash.to_string())).collect())
    }

    pub fn holds(&self, name: &str, hash: &str) -> bool {
        self.0.get(name).is_some_and(|known| known == hash)
    }

    /// Notes what became of a kernel: its hash if it passed.
    pub fn note(&mut self, name: &str, hash: Option<String>) {
        match hash {
            Some(hash) => self.0.insert(name.to_string(), hash),
            None => self.0.remove(name),
        };
    }

    /// Keeps only kernels that exist.
    pub fn keep(&mut self, exists: impl Fn(&str) -> bool) {
        self.0.retain(|name, _| exists(name));
    }

    pub fn write(&self) -> Result<(), String> {
        std::fs::write(root().join(FILE), self.text()).map_err(|e| format!("{FILE}: {e}"))?;
        println!("{FILE} is written");
        Ok(())
    }

    fn text(&self) -> String {
        let lines: String = self.0.iter().map(|(name, hash)| format!("{hash} {name}\n")).collect();
        format!("{HEADING}{lines}")
    }
}

/// The hash of what the code of a unit depends on.
pub fn hash(nvcc: &Nvcc, unit: &Unit) -> String {
    let architectures = ARCHITECTURES.map(|a| a.to_string()).join(" ");
    let headers: Vec<&str> = unit.headers().iter().map(|(_, text)| *text).collect();
    let texts = [unit.source.as_str(), nvcc.version(), &architectures];
    hashed(&[&texts[..], &headers, &link::FLAGS].concat())
}

fn hashed(texts: &[&str]) -> String {
    link::key("", texts).trim_start_matches("k__").to_string()
}

/// The number of the current day.
pub fn today() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_secs() / SECONDS_PER_DAY
}

/// Whether a kernel is compiled on this day even if it is in the list. This depends only on its name, so that no change of other
/// kernels delays its turn.
pub fn is_due(name: &str, day: u64) -> bool {
    // The low bits of the hash depend only on those of the letters; the remainder by a prime depends on all bits.
    u128::from_str_radix(&hashed(&[name]), 16)
        .is_ok_and(|number| number % 8191 % u128::from(DAYS) == u128::from(day % DAYS))
}

#[cfg(test)]
mod tests {
    use super::{DAYS, HEADING, Record, hashed, is_due};

    #[test]
    fn the_list_is_read_as_it_is_written() {
        let mut record = Record::default();
        record.note("scan::<f32, 3>", Some("ab".to_string()));
        record.note("blur", Some("cd".to_string()));
        record.note("worse", Some("ef".to_string()));
        record.note("worse", None);
        assert_eq!(record.text(), format!("{HEADING}cd blur\nab scan::<f32, 3>\n"));
        assert_eq!(Record::parse(&record.text()), record);
        assert!(record.holds("blur", "cd") && record.holds("scan::<f32, 3>", "ab"));
        assert!(!record.holds("blur", "ab") && !record.holds("worse", "ef") && !record.holds("#", "The"));
        record.keep(|name| name == "blur");
        assert_eq!(record.text(), format!("{HEADING}cd blur\n"));
    }

    #[test]
    fn every_kernel_has_its_turn_once_in_eight_days() {
        let names: Vec<String> = (0..400).map(|k| format!("kernel_{k}::<f32, {k}>")).collect();
        for first in [0, 1, 20_000] {
            for name in &names {
                assert_eq!((first..first + DAYS).filter(|day| is_due(name, *day)).count(), 1, "{name}");
            }
        }
        for day in 0..DAYS {
            let due = names.iter().filter(|name| is_due(name, day)).count();
            assert!((25..=75).contains(&due), "{due} of {} on day {day}", names.len());
        }
    }

    #[test]
    fn every_text_counts() {
        let texts = ["text", "header", "version"];
        for k in 0..texts.len() {
            let mut other = texts;
            other[k] = "other";
            assert_ne!(hashed(&texts), hashed(&other));
        }
        assert_eq!(hashed(&texts).len(), 32);
    }
}
