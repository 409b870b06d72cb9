//! `cargo systolic tune KERNEL`: measures maps of a kernel on this machine, prints the fastest or puts it into the source.
mod candidates;
mod cpu;
mod known;
mod measure;
mod numbers;
mod results;
mod sizes;
mod source;
// The text of programs that measure; a module here only for its tests.
#[cfg(test)]
#[allow(dead_code)]
mod support;
mod write;

pub use known::{Known, all_known, known};
pub use sizes::{chosen as chosen_sizes, parse as parse_sizes, shown as shown_sizes};

use crate::End;
use crate::arguments::{self, flag, many, option};
use crate::date::{time, today};
use crate::device::Device;
use crate::files::replace;
use crate::kernel::{Kernel, fitting};
use crate::package::Package;
use crate::terminal::{print, say};
use candidates::{Candidate, Subject};
use clap::{ArgMatches, Command, value_parser};
use measure::{Budget, Measurement};
use results::{Key, Results, best};
use std::collections::BTreeMap;
use std::path::PathBuf;
use systolic_compiler::check;
use systolic_compiler::fill::read;
use systolic_compiler::laws::Lawful;
use systolic_compiler::model::Int;

/// A map counts as better if it takes less than this part of the other's time: less is noise.
const BETTER: f64 = 0.98;

/// The part of the measurements that go to the first candidates; the others go to the best of them with other numbers.
const FIRST: (usize, usize) = (3, 4);

const EXAMPLES: &str = "\
Examples:
  cargo systolic tune blur --size N=1048576
      measures maps of the kernel `blur` and prints the fastest
  cargo systolic tune conv2d --instance T=f32,P=5,Q=5 --size R=4096 --size C=4096 --on gpu --write
      one instance on the first GPU; the map goes into the source
  cargo systolic tune blur --size N=1048576 --check
      are the maps in the source the best known? Measures nothing

Results are kept in systolic-tune.json beside Cargo.toml, which can be checked in: what is known is not measured
again, and an interrupt loses nothing. Every candidate is proved, and its results are compared bit by bit with those
of the kernel without a map, before it is timed.

Exit codes: 0 done, 1 the maps in the source are not the best known (--check), 2 error.";

/// The options of the command.
pub fn options() -> Command {
    Command::new("tune")
        .about("Measures maps of a kernel on this machine and finds the fastest")
        .after_help(EXAMPLES)
        .arg(arguments::kernel())
        .arg(many("size", "N=8192", "A size of the kernel at which maps are measured; once per size"))
        .arg(option("on", "DEVICE", "Where to measure [default: gpu if there is one]").value_parser(["cpu", "gpu"]))
        .arg(option("instance", "T=f32,Q=5", "Only instances with these generic arguments [default: all]"))
        .arg(arguments::file())
        .arg(arguments::package())
        .arg(
            option("measurements", "COUNT", "The most maps to measure per instance")
                .default_value("16")
                .value_parser(value_parser!(u32).range(2..)),
        )
        .arg(
            option("seconds", "COUNT", "The most time to measure per instance, builds not counted")
                .default_value("60")
                .value_parser(value_parser!(u32).range(1..)),
        )
        .arg(
            option("profile", "NAME", "The profile of cargo in which maps are built and measured")
                .default_value("release")
                .value_parser(["release", "dev"]),
        )
        .arg(flag("write", "Put the fastest map into the source"))
        .arg(
            flag("check", "Measure nothing; say whether the maps in the source are the best known")
                .conflicts_with("write"),
        )
}

/// What the user asks for.
struct Asked {
    sizes: BTreeMap<String, Int>,
    instance: Option<String>,
    measurements: usize,
    seconds: f64,
    profile: String,
    write: bool,
    check: bool,
}

impl Asked {
    fn new(matches: &ArgMatches) -> Result<Asked, String> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let number = |name: &str| matches.get_one::<u32>(name).copied().unwrap_or(1);
        Ok(Asked {
            sizes: arguments::sizes(matches, "size")?,
            instance: text("instance"),
            measurements: number("measurements") as usize,
            seconds: f64::from(number("seconds")),
            profile: text("profile").unwrap_or_default(),
            write: matches.get_flag("write"),
            check: matches.get_flag("check"),
        })
    }
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let text = |name: &str| arguments::text(matches, name);
    let asked = Asked::new(matches)?;
    let package = Package::find(text("package"))?;
    let file = matches.get_one::<PathBuf>("file").map(PathBuf::as_path);
    let kernel = Kernel::find(&package, text("kernel").unwrap_or_default(), file)?;
    let device = Device::find(text("on"))?;
    let instances = fitting(&kernel.instances, asked.instance.as_deref())?;
    let mut results = Results::open(&package.root)?;
    let mut end = End::Done;
    for lawful in instances {
        let tuning = Tuning::new(&asked, &package, &kernel, &device, lawful)?;
        let held = if asked.check { tuning.check(&results)? } else { tuning.tune(&mut results).map(|()| true)? };
        end = if held { end } else { End::Not };
    }
    Ok(end)
}

/// The work on one instance.
struct Tuning<'a> {
    asked: &'a Asked,
    package: &'a Package,
    kernel: &'a Kernel,
    device: &'a Device,
    lawful: &'a Lawful,
    sizes: Vec<Int>,
    key: Key,
}

impl<'a> Tuning<'a> {
    fn new(
        asked: &'a Asked,
        package: &'a Package,
        kernel: &'a Kernel,
        device: &'a Device,
        lawful: &'a Lawful,
    ) -> Result<Tuning<'a>, String> {
        let of = lawful.kernel();
        let sizes = sizes::chosen(of, &asked.sizes, device.target)?;
        let key = Key {
            kernel: kernel.tree.name.text.clone(),
            text: kernel.key(&of.instance),
            instance: of.instance.to_string(),
            device: device.name.clone(),
            sizes: sizes::shown(of, &sizes),
        };
        Ok(Tuning { asked, package, kernel, device, lawful, sizes, key })
    }

    fn subject(&self) -> Subject<'_> {
        Subject { tree: &self.kernel.tree, lawful: self.lawful, device: self.device }
    }

    /// The instance, the device and the sizes, for people.
    fn heading(&self) -> String {
        let Key { kernel, instance, device, sizes, .. } = &self.key;
        let instance = if instance.is_empty() { String::new() } else { format!(" ({instance})") };
        format!("`{kernel}`{instance} on {device}, {sizes}")
    }

    /// Whether what runs now is the best known.
    fn check(&self, results: &Results) -> Result<bool, String> {
        let current = self.subject().current();
        let known = results.of(&self.key);
        let seconds = known.iter().find(|one| one.map == current.text).and_then(|one| one.seconds.clone().ok());
        let heading = self.heading();
        let (line, holds) = match (best(known), seconds) {
            (Some((_, least)), Some(seconds)) if least >= seconds * BETTER => {
                (format!("{heading}: the map in the source is the best known, {}\n", time(seconds)), true)
            }
            (Some((_, least)), Some(seconds)) => {
                let (least, ratio) = (time(least), seconds / least);
                (
                    format!("{heading}: a known map takes {least} and that in the source {ratio:.2} times as long\n"),
                    false,
                )
            }
            _ => (format!("{heading}: the map in the source was not measured\n"), false),
        };
        print(&line)?;
        Ok(holds)
    }

    /// Measures, and prints or writes the best map.
    fn tune(&self, results: &mut Results) -> Result<(), String> {
        say(&self.heading());
        let subject = self.subject();
        let most = self.asked.measurements;
        let mut budget = Budget { measurements: most, seconds: self.asked.seconds };
        let known = results.of(&self.key).len();
        if known > 0 {
            say(&format!("    {known} maps known from before"));
        }
        let measurement = Measurement {
            package: self.package,
            tree: &self.kernel.of_instance(&self.lawful.kernel().instance),
            kernel: self.lawful.kernel(),
            device: self.device,
            sizes: &sizes::sets(self.lawful.kernel(), &self.sizes),
            profile: &self.asked.profile,
            key: &self.key,
        };
        let first = subject.first((most * FIRST.0 / FIRST.1).max(2));
        // Without a map, and what runs now.
        let mut new = measurement.run(&first, 2.min(1 + subject.written().len()), &mut budget, results)?;
        // What is known from before counts, if it is still a map of the kernel.
        let of = |text: &str| Candidate::read(&self.kernel.tree, text);
        let fastest =
            |results: &Results| best(results.of(&self.key)).and_then(|(one, seconds)| Some((of(&one.map)?, seconds)));
        if let Some((candidate, _)) = fastest(results).filter(|_| results.of(&self.key).len() < most) {
            new += measurement.run(&subject.near(&candidate), 0, &mut budget, results)?;
        }
        let current = subject.current();
        if let Some((candidate, _)) = fastest(results).filter(|(one, _)| new > 0 && one.text != current.text) {
            measurement.again([&current, &candidate], &mut budget, results)?;
        }
        let (candidate, seconds) = fastest(results).ok_or("no candidate could be measured")?;
        self.conclude(&candidate, seconds, results)
    }

    fn conclude(&self, candidate: &Candidate, seconds: f64, results: &Results) -> Result<(), String> {
        let current = self.subject().current();
        let before = results.of(&self.key).iter().find(|one| one.map == current.text);
        let before = before.and_then(|one| one.seconds.clone().ok());
        let before_words = if current.map.is_some() { "the map before" } else { "no map" };
        if before.is_some_and(|before| seconds >= before * BETTER) {
            say(&format!("what runs now, {before_words}, is the fastest: {}", time(before.unwrap_or(seconds))));
            return Ok(());
        }
        let ratio = before.map(|before| format!("{:.2} times as fast as {before_words}", before / seconds));
        let compared = ratio.as_ref().map_or(String::new(), |words| format!(", {words}"));
        say(&format!("the fastest: {}{compared}", time(seconds)));
        if candidate.map.is_none() {
            say("it is the kernel without a map: remove the maps for this device");
            return Ok(());
        }
        let text = self.placed(candidate);
        if !self.asked.write {
            return print(&text);
        }
        let Key { device, sizes, .. } = &self.key;
        let ratio = ratio.map_or(String::new(), |words| format!(", {words}"));
        self.write(&text, &format!("{device}, {sizes}, {}{ratio}", today()))
    }

    /// The text of a map with its device and, if the kernel has several instances, the one that it is for.
    fn placed(&self, candidate: &Candidate) -> String {
        let condition = match self.kernel.instances.len() {
            1 => String::new(),
            _ => format!(" where {}", self.key.instance.replace(" = ", " == ")),
        };
        candidate.text.replacen(" {", &format!(" on {}{condition} {{", self.device.word()), 1)
    }

    /// Puts a map into the source, if the result is lawful.
    fn write(&self, text: &str, comment: &str) -> Result<(), String> {
        let path = &self.kernel.file;
        let before = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let map = read(&self.kernel.tree, text).ok_or("internal error: the map cannot be read again")?;
        let blocks = systolic_build::find_in(&self.package.root, &before);
        let name = &self.key.kernel;
        let after = write::with_map(&before, &blocks, name, &write::Tuned { text, map: &map, comment })?;
        let (blocks, _) = systolic_build::find_in(&self.package.root, &after);
        let is_lawful = |tokens| check(tokens).kernels.iter().any(|(tree, _)| tree.name.text == *name);
        if !blocks.into_iter().any(is_lawful) {
            return Err(format!("the map would not compile in {}; nothing was written:\n{text}", path.display()));
        }
        replace(path, &after)?;
        say(&format!("written to {}", path.display()));
        Ok(())
    }
}
