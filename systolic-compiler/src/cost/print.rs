//! A cost as a short table for people.
use super::{Cost, Roof};
use crate::target::timing::Kind;
use std::fmt;

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registers = match self.given {
            Some(given) => format!("{given} registers ({} predicted)", self.registers),
            None => format!("{} registers predicted", self.registers),
        };
        writeln!(
            f,
            "{:.0} blocks, {registers}, {} warps a multiprocessor, {:.2} waves",
            self.blocks, self.warps, self.time.waves
        )?;
        writeln!(
            f,
            "{:.1} MB read, {:.1} MB written, {:.0} instructions in the loop",
            self.launch.read / 1e6,
            self.launch.written / 1e6,
            self.loop_length
        )?;
        for load in &self.launch.loads {
            let place = if load.at_edge { "at an edge" } else { "a block" };
            write!(f, "{place} ({:.0} of them): {:.1} KB;", load.blocks, (load.loaded + load.stored) / 1e3)?;
            let kinds = Kind::ALL.iter().filter(|kind| load.mix.get(**kind) > 0.0);
            let each: Vec<String> = kinds.map(|kind| format!(" {} {:.0}", kind.name(), load.mix.get(*kind))).collect();
            writeln!(f, "{}", each.join(","))?;
        }
        for (roof, seconds) in &self.time.roofs {
            let mark = if *roof == self.time.roof { " <" } else { "" };
            writeln!(f, "  {:<14} {:>10.4} ms{mark}", roof.name(), seconds * 1e3)?;
        }
        write!(f, "  {:<14} {:>10.4} ms", "predicted", self.time.total * 1e3)
    }
}

impl fmt::Display for Roof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
