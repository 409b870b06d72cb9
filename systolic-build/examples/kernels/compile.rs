//! Compiles units and measures the resources that each needs on each architecture.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use systolic_build::{Nvcc, Resources, flags, jobs::each, later_flags};
use systolic_compiler::emit::Unit;
use systolic_compiler::link;

/// A compiled unit.
pub struct Compiled {
    pub name: String,
    /// Bytes of dynamic shared memory that a launch requests.
    pub shared: u32,
    /// The architectures that it was compiled for.
    pub architectures: &'static [u32],
    /// The resources of each of its kernels, one entry per architecture in order.
    pub entries: Vec<(String, Vec<Resources>)>,
    /// The time that nvcc took for the PTX, and for the machine code of all architectures.
    pub time: (Duration, Duration),
}

impl Compiled {
    /// One line for each use of local memory.
    pub fn local(&self) -> Vec<String> {
        let uses =
            self.entries.iter().flat_map(|(entry, all)| all.iter().zip(self.architectures).map(move |u| (entry, u)));
        let uses = uses.filter(|(_, (resources, _))| resources.local() > 0);
        uses.map(|(entry, (resources, a))| {
            let Resources { registers, stack, spill_bytes, .. } = resources;
            let name = &self.name;
            format!("{name} ({entry}) on sm_{a}: {registers} registers, {stack} bytes of stack, {spill_bytes} spilled")
        })
        .collect()
    }
}

/// Compiles all units in a temporary folder. Fails with the first error of nvcc.
pub fn compile(
    nvcc: &Nvcc,
    units: &[&Unit],
    architectures: &'static [u32],
    threads: usize,
) -> Result<Vec<Compiled>, String> {
    let folder = std::env::temp_dir().join(format!("systolic-kernels-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let compiled = in_folder(nvcc, units, architectures, threads, &folder);
    // Keep the folder if nvcc failed, so that the sources can be read.
    if compiled.is_ok() {
        std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    compiled
}

fn in_folder(
    nvcc: &Nvcc,
    units: &[&Unit],
    architectures: &'static [u32],
    threads: usize,
    folder: &Path,
) -> Result<Vec<Compiled>, String> {
    link::HEADERS.iter().try_for_each(|(name, text)| write(&folder.join(name), text))?;
    let done = each(units, threads, |unit| {
        one(nvcc, unit, architectures, folder)
            .map_err(|why| format!("{} ({}/{}.cu): {why}", unit.name, folder.display(), unit.key))
    });
    done.into_iter().map(|unit| unit.unwrap_or_else(|| Err("a thread broke".to_string()))).collect()
}

fn one(nvcc: &Nvcc, unit: &Unit, architectures: &'static [u32], folder: &Path) -> Result<Compiled, String> {
    let (source, ptx) = (folder.join(format!("{}.cu", unit.key)), folder.join(link::ptx_file(&unit.key)));
    write(&source, &unit.source)?;
    let start = Instant::now();
    nvcc.ptx(&source, &flags(folder), &ptx)?;
    let later = |architecture: u32| folder.join(link::later_ptx_file(&unit.key, architecture));
    if let Some(architecture) = unit.later() {
        nvcc.ptx(&source, &later_flags(folder, architecture), &later(architecture))?;
    }
    let first = start.elapsed();
    let mut entries: Vec<(String, Vec<Resources>)> = Vec::new();
    for architecture in architectures {
        let cubin = folder.join(link::cubin_file(&unit.key, *architecture));
        let from = unit.later_for(*architecture).map_or_else(|| ptx.clone(), later);
        for (entry, resources) in nvcc.cubin(&from, *architecture, &cubin)? {
            match entries.iter_mut().find(|(name, _)| *name == entry) {
                Some((_, all)) => all.push(resources),
                None => entries.push((entry, vec![resources])),
            }
        }
        remove(&cubin)?;
    }
    if entries.is_empty() || entries.iter().any(|(_, all)| all.len() != architectures.len()) {
        return Err("the assembler does not say of every kernel what it takes".to_string());
    }
    let shared = shared(&unit.plan).ok_or("its plan does not say how much shared memory a launch asks for")?;
    Ok(Compiled { name: unit.name.clone(), shared, architectures, entries, time: (first, start.elapsed() - first) })
}

/// The dynamic shared memory that a launch requests, read from its plan.
fn shared(plan: &str) -> Option<u32> {
    let behind = plan.split("shared").nth(1)?.trim_start().strip_prefix(':')?.trim_start();
    behind.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A line that summarises how long nvcc took.
pub fn times(compiled: &[Compiled], whole: Duration) -> String {
    let sum = |part: fn(&Compiled) -> Duration| compiled.iter().map(part).sum::<Duration>().as_secs_f64();
    let count = compiled.len().max(1) as f64;
    let slowest = compiled.iter().max_by_key(|c| c.time.0).map_or("none", |c| c.name.as_str());
    let longest = compiled.iter().map(|c| c.time.0).max().unwrap_or_default().as_secs_f64();
    format!(
        "compiled in {:.1} s: PTX {:.2} s a kernel, at most {longest:.2} s ({slowest}); machine code {:.3} s a kernel and architecture",
        whole.as_secs_f64(),
        sum(|c| c.time.0) / count,
        sum(|c| c.time.1) / compiled.iter().map(|c| c.architectures.len()).sum::<usize>().max(1) as f64,
    )
}

fn write(path: &PathBuf, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn remove(path: &PathBuf) -> Result<(), String> {
    std::fs::remove_file(path).map_err(|e| format!("{}: {e}", path.display()))
}
