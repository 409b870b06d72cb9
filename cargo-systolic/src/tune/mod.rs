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

pub use known::known;
pub use sizes::{chosen as chosen_sizes, parse as parse_sizes};

use crate::End;
use crate::command::replace;
use crate::date::today;
use crate::device::Device;
use crate::kernel::{Kernel, fits};
use crate::package::Package;
use candidates::{Candidate, Subject};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use measure::{Budget, Measurement};
use results::{Key, Results, best};
use std::collections::BTreeMap;
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
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("tune")
        .about("Measures maps of a kernel on this machine and finds the fastest")
        .after_help(EXAMPLES)
        .arg(Arg::new("kernel").value_name("KERNEL").required(true).help("The name of the kernel"))
        .arg(
            option("size", "N=8192", "A size of the kernel at which maps are measured; once per size")
                .action(ArgAction::Append),
        )
        .arg(option("on", "DEVICE", "Where to measure [default: gpu if there is one]").value_parser(["cpu", "gpu"]))
        .arg(option("instance", "T=f32,Q=5", "Only instances with these generic arguments [default: all]"))
        .arg(option("package", "NAME", "The package of the kernel [default: that of the current folder]").short('p'))
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
        let words: Vec<String> = matches.get_many::<String>("size").unwrap_or_default().cloned().collect();
        Ok(Asked {
            sizes: sizes::parse(&words)?,
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
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let asked = Asked::new(matches)?;
    let package = Package::find(text("package"))?;
    let kernel = Kernel::find(&package, text("kernel").unwrap_or_default())?;
    let device = Device::find(text("on"))?;
    let wanted =
        |lawful: &&Lawful| asked.instance.as_deref().is_none_or(|words| fits(&lawful.kernel().instance, words));
    let instances: Vec<&Lawful> = kernel.instances.iter().filter(wanted).collect();
    if instances.is_empty() {
        let all: Vec<String> =
            kernel.instances.iter().map(|lawful| format!("`{}`", lawful.kernel().instance)).collect();
        return Err(format!("no instance fits `{}`; there are {}", asked.instance.unwrap_or_default(), all.join(", ")));
    }
    let mut results = Results::open(&package.root)?;
    let mut end = End::Done;
    for lawful in instances {
        let tuning = Tuning::new(&asked, &package, &kernel, &device, lawful)?;
        let held = if asked.check { tuning.check(&results) } else { tuning.tune(&mut results).map(|()| true)? };
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
    fn check(&self, results: &Results) -> bool {
        let current = self.subject().current();
        let known = results.of(&self.key);
        let seconds = known.iter().find(|one| one.map == current.text).and_then(|one| one.seconds.clone().ok());
        match (best(known), seconds) {
            (Some((_, least)), Some(seconds)) if least >= seconds * BETTER => {
                println!("{}: the map in the source is the best known, {}", self.heading(), time(seconds));
                true
            }
            (Some((_, least)), Some(seconds)) => {
                let (least, ratio) = (time(least), seconds / least);
                println!(
                    "{}: a known map takes {least} and that in the source {ratio:.2} times as long",
                    self.heading()
                );
                false
            }
            _ => {
                println!("{}: the map in the source was not measured", self.heading());
                false
            }
        }
    }

    /// Measures, and prints or writes the best map.
    fn tune(&self, results: &mut Results) -> Result<(), String> {
        eprintln!("{}", self.heading());
        let subject = self.subject();
        let most = self.asked.measurements;
        let mut budget = Budget { measurements: most, seconds: self.asked.seconds };
        let known = results.of(&self.key).len();
        if known > 0 {
            eprintln!("    {known} maps known from before");
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
            eprintln!("what runs now, {before_words}, is the fastest: {}", time(before.unwrap_or(seconds)));
            return Ok(());
        }
        let ratio = before.map(|before| format!("{:.2} times as fast as {before_words}", before / seconds));
        eprintln!(
            "the fastest: {}{}",
            time(seconds),
            ratio.as_ref().map_or(String::new(), |words| format!(", {words}"))
        );
        if candidate.map.is_none() {
            eprintln!("it is the kernel without a map: remove the maps for this device");
            return Ok(());
        }
        let text = self.placed(candidate);
        if !self.asked.write {
            print!("{text}");
            return Ok(());
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
        eprintln!("written to {}", path.display());
        Ok(())
    }
}

/// A time for people.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}
