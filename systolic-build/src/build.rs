//! Builds the files that the macro embeds: finds the kernels of a package, emits them, and compiles those that are not
//! up to date.
use crate::find::{Found, sources};
use crate::folder::Folder;
use crate::jobs::each;
use crate::machine::{self, Chosen};
use crate::nvcc::Nvcc;
use crate::settings;
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use systolic_compiler::emit::Unit;
use systolic_compiler::link;
use systolic_compiler::search::Effort;
use systolic_compiler::target::gpu::LATER_ARCHITECTURES;
use systolic_compiler::target::machine_file::Machine;

/// The input of a build: what to compile, with which tools, and where to write the results.
pub struct Task {
    /// The folder of the package.
    pub root: PathBuf,
    /// The folder that cargo gives to the build script.
    pub out: PathBuf,
    /// The compiler, or why there is none.
    pub nvcc: Result<Nvcc, String>,
    /// Architectures to generate machine code for, as the user writes them.
    pub architectures: String,
    pub threads: usize,
    /// Translates the contents of a macro call to CUDA C++.
    pub emit: fn(TokenStream, Effort<'_>) -> Vec<Unit>,
}

/// The result of a build.
#[derive(Debug, Default)]
pub struct Report {
    /// Files and folders that the result depends on.
    pub watched: BTreeSet<PathBuf>,
    /// Reasons why kernels cannot run on the GPU, a few lines each.
    pub faults: Vec<String>,
    /// Mistakes in files that the user wrote for the build script.
    pub errors: Vec<String>,
}

/// Compiles the kernels of a package.
pub fn build(task: &Task) -> Report {
    let sources = sources(&task.root);
    let Chosen { machine, file, error } = machine::choose(&task.root, &task.architectures);
    let mut report = Report { watched: sources.watched, faults: Vec::new(), errors: error.into_iter().collect() };
    // A file that is not there cannot be watched: cargo would run the build script every time.
    report.watched.extend(file);
    let units = emit(task, &machine, &sources.found, &mut report.faults);
    if let Err(why) = fill(task, &machine, &units, &mut report.faults) {
        report.faults.push(format!("could not write the CUDA sources: {why}"));
    }
    report
}

/// Emits the units of all calls, by key, so that equal kernels are compiled once.
fn emit(task: &Task, machine: &Machine, found: &[Found], faults: &mut Vec<String>) -> BTreeMap<String, Unit> {
    let folder = task.out.join(link::FOLDER);
    let heading = machine::heading(machine);
    let kept = |key: &str| {
        let text = std::fs::read_to_string(folder.join(link::map_file(key))).ok()?;
        text.strip_prefix(&heading).map(str::to_string)
    };
    // Without nvcc a search would choose between programs that nobody compiles.
    let effort = Effort { kept: &kept, search: task.nvcc.is_ok(), machine: &machine.gpu };
    let emitted = each(found, task.threads, |found| {
        // The text was printed from tokens, so it parses.
        found.text.parse().map(|tokens| (task.emit)(tokens, effort)).unwrap_or_default()
    });
    let mut units = BTreeMap::new();
    for (found, emitted) in found.iter().zip(emitted) {
        match emitted {
            Some(emitted) => units.extend(emitted.into_iter().map(|unit| (unit.key.clone(), unit))),
            None => {
                faults.push(format!("internal error: the compiler panicked on a kernel in {}", found.file.display()))
            }
        }
    }
    units
}

/// Updates the folder to hold exactly the files that the units need.
fn fill(
    task: &Task,
    machine: &Machine,
    units: &BTreeMap<String, Unit>,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let folder = Folder::open(&task.out.join(link::FOLDER))?;
    let architectures = if units.is_empty() { Vec::new() } else { architectures(task, faults) };
    folder.keep(&names(units.values(), &architectures))?;
    if units.is_empty() {
        return Ok(());
    }
    link::HEADERS.iter().try_for_each(|(name, text)| folder.write(name, text))?;
    let bench = Bench { folder: &folder, nvcc: &task.nvcc, architectures: &architectures, machine };
    let all: Vec<&Unit> = units.values().collect();
    let outcomes = each(&all, task.threads, |unit| bench.make(unit));
    let mut missing = 0;
    for (unit, outcome) in all.iter().zip(outcomes) {
        match outcome.unwrap_or_else(|| Err(Fault::Files("internal error: the build script panicked".to_string()))) {
            Ok(()) => {}
            Err(Fault::NoNvcc) => missing += 1,
            Err(Fault::Refused(why)) => faults.push(refusal(unit, &folder, &why)),
            Err(Fault::Files(why)) => faults.push(format!("the kernel `{}`: {why}", unit.name)),
        }
    }
    if let (1.., Err(why)) = (missing, &task.nvcc) {
        faults.push(absent(missing, why));
    }
    Ok(())
}

/// The requested architectures that nvcc supports.
fn architectures(task: &Task, faults: &mut Vec<String>) -> Vec<u32> {
    let Ok(nvcc) = &task.nvcc else { return settings::numbers(&task.architectures) };
    if task.architectures.trim().is_empty() {
        return Vec::new();
    }
    match nvcc.architectures() {
        Ok(known) => {
            let (chosen, unknown) = settings::architectures(&task.architectures, &known);
            faults.extend(unknown);
            chosen
        }
        Err(why) => {
            faults.push(format!("could not get the list of architectures from nvcc: {why}"));
            Vec::new()
        }
    }
}

/// The names of all files that may be in the folder.
fn names<'a>(units: impl Iterator<Item = &'a Unit>, architectures: &[u32]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = link::HEADERS.iter().map(|(name, _)| name.to_string()).collect();
    for Unit { key, .. } in units {
        names.extend([link::plan_file(key), link::ptx_file(key), link::map_file(key)]);
        names.extend(LATER_ARCHITECTURES.map(|later| link::later_ptx_file(key, later)));
        names.extend([source(key), stamp(key), link::why_file(key), link::series_file(key)]);
        names.extend(architectures.iter().map(|architecture| link::cubin_file(key, *architecture)));
    }
    names
}

/// The file of the CUDA source, kept for people to read.
fn source(key: &str) -> String {
    format!("{key}.cu")
}

/// The file that records the inputs of the PTX and the machine code.
fn stamp(key: &str) -> String {
    format!("{key}.stamp")
}

/// The reason why files of a unit are missing.
enum Fault {
    NoNvcc,
    /// The message of nvcc.
    Refused(String),
    /// The message of the file system, or that machine code is missing although there is PTX.
    Files(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Fault {
        Fault::Files(why)
    }
}

/// The context in which units are built one after another.
struct Bench<'a> {
    folder: &'a Folder,
    nvcc: &'a Result<Nvcc, String>,
    architectures: &'a [u32],
    machine: &'a Machine,
}

impl Bench<'_> {
    /// Builds the missing files of a unit. If there is no PTX afterwards, writes the reason to a file.
    fn make(&self, unit: &Unit) -> Result<(), Fault> {
        let made = self.chosen(unit);
        let file = link::why_file(&unit.key);
        match &made {
            Ok(()) => self.folder.remove(&file)?,
            Err(fault) => self.folder.write(&file, &self.reason(fault))?,
        }
        made?;
        self.architectures.iter().try_for_each(|architecture| self.cubin(unit, *architecture))
    }

    /// Compiles a unit, or the first of its alternatives whose code has no local memory; if all have some, that with least.
    fn chosen(&self, unit: &Unit) -> Result<(), Fault> {
        if unit.is_variant && !self.folder.has(&link::map_file(&unit.key)) {
            self.compiled(unit)?;
            // A variant that needs local memory is slower than predicted. Without its plan nobody runs it.
            if self.local_memory(unit) > 0 {
                self.folder.remove(&link::map_file(&unit.key))?;
                return Ok(self.folder.remove(&link::plan_file(&unit.key))?);
            }
        }
        let all: Vec<&Unit> = [unit].into_iter().chain(&unit.alternatives).collect();
        let mut best: Option<(u32, usize)> = None;
        for (k, candidate) in all.iter().enumerate() {
            match self.compiled(candidate) {
                // One that nvcc refuses is no alternative.
                Err(Fault::Refused(_)) if k > 0 => continue,
                result => result?,
            }
            let local = if all.len() == 1 { 0 } else { self.local_memory(candidate) };
            if best.is_none_or(|(least, _)| local < least) {
                best = Some((local, k));
            }
            if local == 0 {
                break;
            }
        }
        let Some((local, k)) = best else { return Ok(()) };
        if local > 0 && k + 1 < all.len() {
            self.compiled(all[k])?;
        }
        let heading = machine::heading(self.machine);
        match &all[k].map {
            // Kept last: what is written before is complete then.
            Some(map) => Ok(self.folder.write(&link::map_file(&unit.key), &format!("{heading}{map}"))?),
            None => Ok(self.folder.remove(&link::map_file(&unit.key))?),
        }
    }

    /// Writes the plan, the source and the PTX of a unit.
    fn compiled(&self, unit: &Unit) -> Result<(), Fault> {
        self.folder.write(&link::plan_file(&unit.key), &unit.plan)?;
        self.folder.write(&source(&unit.key), &unit.source)?;
        match &unit.series {
            Some(series) => self.folder.write(&link::series_file(&unit.key), series)?,
            None => self.folder.remove(&link::series_file(&unit.key))?,
        }
        self.ptx(unit)
    }

    /// The bytes of local memory of a unit's first entry, on the architecture of the machine that it was chosen for. If the assembler
    /// fails, none: that is no reason to take another map.
    fn local_memory(&self, unit: &Unit) -> u32 {
        let Ok(nvcc) = self.nvcc else { return 0 };
        let architecture = self.machine.gpu.architecture;
        let ptx = self.ptx_for(&unit.key, architecture);
        let judged = link::cubin_file(&unit.key, architecture);
        let part = self.folder.file(&format!("part_judged_{judged}"));
        let entries = nvcc.cubin(&ptx, architecture, &part).unwrap_or_default();
        // It is only left over if it cannot be removed; the next build removes it then.
        let _ = std::fs::remove_file(&part);
        let wanted = [link::WIDE, link::ANY].map(|suffix| format!("{}_{suffix}", unit.key));
        let of =
            |name: &String| entries.iter().find(|(entry, _)| entry == name).map(|(_, resources)| resources.local());
        wanted.iter().find_map(of).unwrap_or(0)
    }

    /// The reason why there is no PTX, for the macro.
    fn reason(&self, fault: &Fault) -> String {
        match fault {
            Fault::NoNvcc => format!("it was not compiled: {}", self.nvcc.as_ref().err().map_or("", String::as_str)),
            Fault::Refused(why) => format!("nvcc could not compile it: {}", why.trim()),
            Fault::Files(why) => format!("could not write its code: {why}"),
        }
    }

    /// Compiles the PTX, unless it is up to date. Without nvcc, PTX of the same source is kept whatever nvcc compiled
    /// it.
    fn ptx(&self, unit: &Unit) -> Result<(), Fault> {
        let Unit { key, source: text, .. } = unit;
        let headers: Vec<&str> = unit.headers().iter().map(|(_, text)| *text).collect();
        let content = link::key("", &[&[text.as_str()], &headers[..], &link::FLAGS].concat());
        let version = self.nvcc.as_ref().map_or("", Nvcc::version);
        let stamped = format!("{content} {version}\n");
        let before = self.folder.read(&stamp(key)).unwrap_or_default();
        let is_same = before == stamped || (self.nvcc.is_err() && before.starts_with(&content));
        let later = |architecture: u32| link::later_ptx_file(key, architecture);
        let has_later = LATER_ARCHITECTURES.into_iter().find(|a| self.folder.has(&later(*a)));
        if is_same && self.folder.has(&link::ptx_file(key)) && has_later == unit.later() {
            return Ok(());
        }
        // Remove the stamp first: an interrupted build must not look complete.
        self.folder.remove(&stamp(key))?;
        self.folder.remove(&link::ptx_file(key))?;
        LATER_ARCHITECTURES.iter().try_for_each(|a| self.folder.remove(&later(*a)))?;
        self.architectures.iter().try_for_each(|a| self.folder.remove(&link::cubin_file(key, *a)))?;
        let nvcc = self.nvcc.as_ref().map_err(|_| Fault::NoNvcc)?;
        let flags = flags(self.folder.path());
        let source = self.folder.file(&source(key));
        self.folder.make(&link::ptx_file(key), |part| nvcc.ptx(&source, &flags, part).map_err(Fault::Refused))?;
        if let Some(architecture) = unit.later() {
            let flags = later_flags(self.folder.path(), architecture);
            self.folder.make(&later(architecture), |part| nvcc.ptx(&source, &flags, part).map_err(Fault::Refused))?;
        }
        Ok(self.folder.write(&stamp(key), &stamped)?)
    }

    /// The PTX from which machine code for an architecture is made.
    fn ptx_for(&self, key: &str, architecture: u32) -> PathBuf {
        let possible = LATER_ARCHITECTURES.iter().filter(|later| architecture >= **later);
        let later = possible.map(|later| link::later_ptx_file(key, *later)).find(|file| self.folder.has(file));
        self.folder.file(&later.unwrap_or_else(|| link::ptx_file(key)))
    }

    /// Assembles the PTX for an architecture, unless that is done. Stale machine code was removed together with its
    /// PTX.
    fn cubin(&self, unit: &Unit, architecture: u32) -> Result<(), Fault> {
        let name = link::cubin_file(&unit.key, architecture);
        if self.folder.has(&name) {
            return Ok(());
        }
        let missing = |why: &String| Fault::Files(format!("no machine code for sm_{architecture}: {why}"));
        let nvcc = self.nvcc.as_ref().map_err(missing)?;
        let ptx = self.ptx_for(&unit.key, architecture);
        self.folder.make(&name, |part| nvcc.cubin(&ptx, architecture, part).map_err(Fault::Refused)).map(drop)
    }
}

/// The flags of nvcc, including the folder of the header.
pub fn flags(include: &Path) -> Vec<String> {
    let include = ["-I".to_string(), include.to_string_lossy().into_owned()];
    link::FLAGS.iter().map(ToString::to_string).chain(include).collect()
}

/// The flags for the second PTX of a unit.
pub fn later_flags(include: &Path, later: u32) -> Vec<String> {
    flags(include).iter().map(|flag| link::later_flag(flag, later)).collect()
}

fn refusal(unit: &Unit, folder: &Folder, why: &str) -> String {
    let source = folder.file(&source(&unit.key));
    format!("nvcc could not compile the kernel `{}`, whose source is {}:\n{}", unit.name, source.display(), why.trim())
}

fn absent(missing: usize, why: &str) -> String {
    let kernels = if missing == 1 { "1 kernel runs".to_string() } else { format!("{missing} kernels run") };
    format!("{kernels} on the CPU only: {why}")
}
