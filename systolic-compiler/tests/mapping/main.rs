//! Layouts of maps: the point of every place, compared with enumeration, and the default maps of kernels without a map.
mod compact;
mod default;
mod interleaved;
mod inverse;
mod jam;
mod joined;
mod shifts;

use systolic_compiler::fault::message;
use systolic_compiler::laws::Lawful;
use systolic_compiler::{Checked, check};

/// The instances of a block of kernels; empty if a law rejects it.
fn lawful(text: &str) -> Vec<Lawful> {
    let Checked { kernels, faults, .. } = check(text.parse().unwrap_or_else(|error| panic!("{error}: {text}")));
    if !faults.is_empty() {
        return Vec::new();
    }
    kernels.into_iter().flat_map(|(_, instances)| instances).collect()
}

/// The first instance of a text that must be lawful.
fn one(text: &str) -> Lawful {
    let faults: Vec<String> = check(text.parse().expect("tokens")).faults.iter().map(message).collect();
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    lawful(text).remove(0)
}

/// A random number generator with a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A number from `low` to `high`, both included.
    fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}
