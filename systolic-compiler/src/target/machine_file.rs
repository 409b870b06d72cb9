//! The text of a measured machine, which `cargo systolic machine` writes and a build script reads:
//!
//! ```text
//! name = "NVIDIA GeForce RTX 4090"
//! architecture = 89
//! multiprocessors = 128
//! clock = 2.52e9
//! bandwidth = 9.2e11
//! ```
//!
//! What it does not say is as published for its architecture. Nothing here reads a file.
use super::gpu::{Gpu, LOWEST_ARCHITECTURE};
use super::machines::machine;
use crate::sorted::SortedSet;

/// The name of the file, in the folder of a package or of its workspace.
pub const FILE: &str = "systolic-machine.toml";

/// A machine and its name.
#[derive(Clone, Debug)]
pub struct Machine {
    pub name: String,
    pub gpu: Gpu,
}

impl Machine {
    /// The published machine of an architecture.
    pub fn published(architecture: u32) -> Machine {
        let gpu = machine(architecture);
        Machine { name: gpu.name.to_string(), gpu }
    }

    /// Everything that a search can depend on, as text.
    pub fn identity(&self) -> String {
        format!("{:?}", self.gpu)
    }
}

/// A number of the file: its key, its unit, the least and the greatest value that is believed, and its place in a machine.
struct Number {
    key: &'static str,
    unit: &'static str,
    least: f64,
    most: f64,
    /// Whether only integers are numbers of this kind.
    whole: bool,
    get: fn(&Gpu) -> f64,
    set: fn(&mut Gpu, f64),
}

/// The architectures that may ever be: a guard against slips, such as 8.9 for 89.
const HIGHEST_ARCHITECTURE: u32 = 999;

static NUMBERS: [Number; 12] = [
    Number {
        key: "multiprocessors",
        unit: "multiprocessors",
        least: 1.0,
        most: 1e4,
        whole: true,
        get: |gpu| gpu.timing.multiprocessors,
        set: |gpu, value| gpu.timing.multiprocessors = value,
    },
    Number {
        key: "clock",
        unit: "clocks per second under load",
        least: 1e8,
        most: 1e10,
        whole: false,
        get: |gpu| gpu.timing.clock,
        set: |gpu, value| gpu.timing.clock = value,
    },
    Number {
        key: "bandwidth",
        unit: "bytes per second of memory, half read and half written",
        least: 1e9,
        most: 1e14,
        whole: false,
        get: |gpu| gpu.timing.bandwidth,
        set: |gpu, value| gpu.timing.bandwidth = value,
    },
    Number {
        key: "second_cache",
        unit: "bytes per second between the second cache and all multiprocessors",
        least: 1e9,
        most: 1e15,
        whole: false,
        get: |gpu| gpu.timing.second_cache,
        set: |gpu, value| gpu.timing.second_cache = value,
    },
    Number {
        key: "second_cache_stores",
        unit: "the same, of stores alone",
        least: 1e9,
        most: 1e15,
        whole: false,
        get: |gpu| gpu.timing.second_cache_stores,
        set: |gpu, value| gpu.timing.second_cache_stores = value,
    },
    Number {
        key: "far",
        unit: "clocks until a load has come from memory",
        least: 10.0,
        most: 1e5,
        whole: false,
        get: |gpu| gpu.timing.far,
        set: |gpu, value| gpu.timing.far = value,
    },
    Number {
        key: "launch",
        unit: "seconds of a launch among others",
        least: 1e-8,
        most: 1e-2,
        whole: false,
        get: |gpu| gpu.timing.launch,
        set: |gpu, value| gpu.timing.launch = value,
    },
    Number {
        key: "registers",
        unit: "registers of 4 bytes per multiprocessor",
        least: 8192.0,
        most: 1e7,
        whole: true,
        get: |gpu| gpu.registers as f64,
        set: |gpu, value| gpu.registers = value as usize,
    },
    Number {
        key: "warps",
        unit: "warps per multiprocessor",
        least: 32.0,
        most: 1024.0,
        whole: true,
        get: |gpu| gpu.warps as f64,
        set: |gpu, value| gpu.warps = value as usize,
    },
    Number {
        key: "blocks",
        unit: "blocks per multiprocessor",
        least: 1.0,
        most: 1024.0,
        whole: true,
        get: |gpu| gpu.blocks as f64,
        set: |gpu, value| gpu.blocks = value as usize,
    },
    Number {
        key: "shared_bytes",
        unit: "bytes of shared memory per multiprocessor",
        least: 16384.0,
        most: 1e8,
        whole: true,
        get: |gpu| gpu.shared_bytes as f64,
        set: |gpu, value| gpu.shared_bytes = value as usize,
    },
    Number {
        key: "block_shared_bytes",
        unit: "bytes of shared memory per block",
        least: 16384.0,
        most: 1e8,
        whole: true,
        get: |gpu| gpu.block_shared_bytes as f64,
        set: |gpu, value| gpu.block_shared_bytes = value as systolic_sets::Int,
    },
];

/// Reads a machine from the text of a file. Fails with the line and what is wrong there.
pub fn read(text: &str) -> Result<Machine, String> {
    let lines = || text.lines().enumerate().map(|(k, line)| (k + 1, content(line))).filter(|(_, l)| !l.is_empty());
    let mut settings = Vec::new();
    for (line, text) in lines() {
        let (key, value) =
            text.split_once('=').ok_or(format!("line {line}: expected `key = value`, found `{text}`"))?;
        settings.push((line, key.trim(), value.trim()));
    }
    let mut seen = SortedSet::new();
    if let Some((line, key, _)) = settings.iter().find(|(_, key, _)| !seen.insert(*key)) {
        return Err(format!("line {line}: `{key}` is set twice"));
    }
    let of = |wanted: &str| settings.iter().find(|(_, key, _)| *key == wanted);
    let (line, _, value) = of("architecture").ok_or("`architecture` is missing, such as `architecture = 89`")?;
    let architecture = match value.parse::<u32>() {
        Ok(number) if (LOWEST_ARCHITECTURE..=HIGHEST_ARCHITECTURE).contains(&number) => number,
        _ => {
            let lowest = LOWEST_ARCHITECTURE;
            return Err(format!("line {line}: expected an architecture from {lowest} on, such as 89, found `{value}`"));
        }
    };
    let mut machine = Machine::published(architecture);
    machine.gpu.architecture = architecture;
    for (line, key, value) in &settings {
        match (*key, NUMBERS.iter().find(|number| number.key == *key)) {
            ("architecture", _) => {}
            ("name", _) => machine.name = unquoted(value).ok_or(format!("line {line}: expected a name in quotes"))?,
            (_, Some(number)) => {
                let value = number.parse(value).map_err(|why| format!("line {line}: `{key}`: {why}"))?;
                (number.set)(&mut machine.gpu, value);
            }
            (_, None) => return Err(format!("line {line}: unknown key `{key}`; the keys are {}", keys())),
        }
    }
    let (block, all) = (machine.gpu.block_shared_bytes, machine.gpu.shared_bytes as systolic_sets::Int);
    if block > all {
        return Err(format!("a block has {block} bytes of shared memory, and its multiprocessor only {all}"));
    }
    Ok(machine)
}

/// Writes a machine as the text of a file: all its numbers, each with its unit.
pub fn write(machine: &Machine) -> String {
    let name: String = machine.name.chars().filter(|c| !c.is_control() && !"\"\\".contains(*c)).collect();
    let mut text = format!("name = \"{name}\"\narchitecture = {}\n", machine.gpu.architecture);
    for number in &NUMBERS {
        let value = (number.get)(&machine.gpu);
        let value = if number.whole { format!("{value}") } else { format!("{value:e}") };
        text.push_str(&format!("{} = {value} # {}\n", number.key, number.unit));
    }
    text
}

impl Number {
    fn parse(&self, text: &str) -> Result<f64, String> {
        // Underscores between digits, as in TOML.
        let plain = text.replace('_', "");
        let value: f64 = plain.parse().map_err(|_| format!("expected a number, found `{text}`"))?;
        if !(self.least..=self.most).contains(&value) || (self.whole && value.fract() != 0.0) {
            let kind = if self.whole { "a whole number" } else { "a number" };
            let (least, most, unit) = (self.least, self.most, self.unit);
            return Err(format!("expected {kind} from {least:e} to {most:e} ({unit}), found `{text}`"));
        }
        Ok(value)
    }
}

fn keys() -> String {
    let numbers = NUMBERS.iter().map(|number| number.key);
    ["name", "architecture"].into_iter().chain(numbers).map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// A line without its comment; a `#` between quotes is no comment.
fn content(line: &str) -> &str {
    let mut quoted = false;
    let end = line.char_indices().find(|(_, letter)| {
        quoted ^= *letter == '"';
        *letter == '#' && !quoted
    });
    line[..end.map_or(line.len(), |(at, _)| at)].trim()
}

fn unquoted(value: &str) -> Option<String> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    (!inside.contains(['"', '\\'])).then(|| inside.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::gpu::H200;
    use super::*;

    #[test]
    fn every_architecture_has_a_machine() {
        for (asked, expected) in [
            (50, 75),
            (75, 75),
            (80, 80),
            (86, 86),
            (87, 87),
            (88, 87),
            (89, 89),
            (90, 90),
            (100, 100),
            (103, 103),
            (110, 110),
            (120, 120),
            (121, 121),
            (200, 121),
        ] {
            let gpu = machine(asked);
            assert_eq!(gpu.architecture, expected, "sm_{asked} is {}", gpu.name);
            assert!(gpu.block_shared_bytes as usize + gpu.shared_reserved <= gpu.shared_bytes, "{}", gpu.name);
            assert!(gpu.timing.second_cache > gpu.timing.bandwidth, "{}", gpu.name);
        }
        assert_eq!(format!("{:?}", machine(90)), format!("{H200:?}"), "the measured one is as it was");
    }

    #[test]
    fn a_machine_survives_its_text() {
        for architecture in [75, 80, 86, 89, 90, 100, 120] {
            let machine = Machine::published(architecture);
            let again = read(&write(&machine)).expect("it reads what it wrote");
            assert_eq!((again.identity(), again.name), (machine.identity(), machine.name));
        }
    }

    #[test]
    fn numbers_of_a_file_count() {
        let machine =
            read("# mine\nname = \"a # b\"\narchitecture = 88 # no GPU has it\n\nclock = 1_500e6\nwarps = 48")
                .expect("a machine");
        assert_eq!((machine.name.as_str(), machine.gpu.architecture), ("a # b", 88));
        assert_eq!((machine.gpu.timing.clock, machine.gpu.warps), (1.5e9, 48));
        assert_ne!(machine.identity(), Machine::published(88).identity());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "`architecture` is missing, such as `architecture = 89`"),
            ("architecture 89", "line 1: expected `key = value`, found `architecture 89`"),
            ("architecture = 8.9", "line 1: expected an architecture from 75 on, such as 89, found `8.9`"),
            ("architecture = 50", "line 1: expected an architecture from 75 on, such as 89, found `50`"),
            ("architecture = 89\nclok = 1", "line 2: unknown key `clok`; the keys are `name`, `architecture`, `multi"),
            ("architecture = 89\nclock = fast", "line 2: `clock`: expected a number, found `fast`"),
            ("architecture = 89\nclock = 0", "line 2: `clock`: expected a number from 1e8 to 1e10 (clocks per second"),
            ("architecture = 89\nclock = NaN", "line 2: `clock`: expected a number from 1e8"),
            ("architecture = 89\nclock = -inf", "line 2: `clock`: expected a number from 1e8"),
            ("architecture = 89\nwarps = 48.5", "line 2: `warps`: expected a whole number from 3.2e1"),
            ("architecture = 89\nwarps = 48\nwarps = 48", "line 3: `warps` is set twice"),
            ("architecture = 89\nname = mine", "line 2: expected a name in quotes"),
            ("architecture = 89\nblock_shared_bytes = 200000", "a block has 200000 bytes of shared memory, and its"),
            ("\"", "line 1: expected `key = value`, found `\"`"),
        ] {
            let why = read(text).expect_err(text);
            assert!(why.starts_with(expected), "{text}: {why}");
        }
    }
}
