//! Which values of a program the lines of its CUDA text mention, and which outputs they store to.
use super::names::Names;
use crate::model::Kernel;
use crate::program::ValueId;
use crate::schedule::Schedule;
use std::collections::HashMap;

/// What a line of CUDA mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// In the order of the line: a line that defines a value mentions it first.
    pub values: Vec<ValueId>,
    /// The output that it stores to.
    pub output: Option<usize>,
}

/// What every line of the source of a program mentions.
pub fn mentions(kernel: &Kernel, program: &Schedule, source: &str) -> Vec<Mentions> {
    let names = Names::new(kernel, program);
    let ids: HashMap<&str, usize> = (0..program.values.len()).map(|k| (names.value(ValueId(k)), k)).collect();
    let of = |word: &str| ids.get(word).or_else(|| ids.get(prefetched(word)?)).map(|k| ValueId(*k));
    let line = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let mut found = Mentions::default();
        for word in words {
            if let Some(id) = of(word).filter(|id| !found.values.contains(id)) {
                found.values.push(id);
            }
            if text.contains("store") && found.output.is_none() {
                found.output = names.outputs.iter().position(|name| name == word);
            }
        }
        found
    };
    source.lines().map(line).collect()
}

/// The value that a prefetched one becomes: `next2_x_5` becomes `x_5`.
fn prefetched(word: &str) -> Option<&str> {
    let (number, name) = word.strip_prefix("next")?.split_once('_')?;
    number.bytes().all(|b| b.is_ascii_digit()).then_some(name)
}
