//! The resources of kernels as a table in the repository.
use crate::compile::Compiled;
use crate::{ARCHITECTURES, root};
use std::collections::BTreeSet;
use systolic_build::{Nvcc, Resources};
use systolic_compiler::emit::Unit;
use systolic_compiler::link::{ANY, LONG, WIDE};

const FILE: &str = "bench/results/registers.md";

/// Rewrites the rows of the compiled kernels. Those of other kernels stay; fails if they are of another nvcc version.
pub fn bless(nvcc: &Nvcc, units: &[Unit], compiled: &[Compiled]) -> Result<(), String> {
    let stored = stored().unwrap_or_default();
    if compiled.len() < units.len() && !stored.contains(&version(nvcc)) {
        return Err(format!("{FILE} is not of nvcc {}: compile all kernels for it", nvcc.version()));
    }
    let found = text(nvcc, &rows(&stored, units, compiled));
    std::fs::write(root().join(FILE), found).map_err(|e| format!("{FILE}: {e}"))?;
    println!("{FILE} is written");
    Ok(())
}

/// Compares the results with the stored table. Skips the comparison if the table is of another nvcc version, whose
/// numbers differ.
pub fn check(nvcc: &Nvcc, units: &[Unit], compiled: &[Compiled]) -> Result<(), String> {
    let stored = stored()?;
    if !stored.contains(&version(nvcc)) {
        println!("skipped: {FILE} is not of nvcc {}, so its numbers are not compared", nvcc.version());
        return Ok(());
    }
    let found = text(nvcc, &rows(&stored, units, compiled));
    let lines = |sign: &'static str, these: &str, others: &str| {
        let others: Vec<&str> = others.lines().collect();
        these.lines().filter(|l| !others.contains(l)).map(|l| format!("{sign} {l}\n")).collect::<String>()
    };
    let difference = lines("-", &stored, &found) + &lines("+", &found, &stored);
    if !difference.is_empty() {
        return Err(format!("{FILE} says otherwise:\n{difference}`cargo xtask kernels bless` writes it anew"));
    }
    println!("{FILE} says the same");
    Ok(())
}

/// The names of the kernels that the stored table has rows of.
pub fn kernels() -> BTreeSet<String> {
    stored().unwrap_or_default().lines().filter_map(kernel).map(String::from).collect()
}

fn stored() -> Result<String, String> {
    std::fs::read_to_string(root().join(FILE)).map_err(|e| format!("{FILE}: {e}"))
}

/// The kernel of a row.
fn kernel(row: &str) -> Option<&str> {
    row.strip_prefix("| `")?.split('`').next()
}

/// The rows of all kernels: new ones for those that were compiled, the stored ones for others.
fn rows(stored: &str, units: &[Unit], compiled: &[Compiled]) -> String {
    let of = |unit: &Unit| match compiled.iter().find(|compiled| compiled.name == unit.name) {
        Some(compiled) => rows_of(compiled).concat(),
        None => {
            let rows = stored.lines().filter(|line| kernel(line) == Some(unit.name.as_str()));
            rows.map(|row| format!("{row}\n")).collect()
        }
    };
    units.iter().map(of).collect()
}

fn version(nvcc: &Nvcc) -> String {
    format!("nvcc {},", nvcc.version())
}

fn text(nvcc: &Nvcc, rows: &str) -> String {
    let heads: String = ARCHITECTURES.map(|a| format!(" sm_{a} |")).concat();
    let lines: String = ARCHITECTURES.map(|_| " ---: |").concat();
    format!(
        "# What kernels take\n\n\
         Every workload and map, one instance each, by {} one row an entry: `{WIDE}` has 32-bit indices and wide accesses, \
         `{ANY}` takes any\nalignment, `{LONG}` has 64-bit indices. Bytes of shared memory a block without its scratch rows, bytes \
         of local memory a lane,\nthen registers a lane on each architecture. `cargo xtask kernels` holds it against \
         the compiler, `cargo xtask kernels bless` writes it.\n\n\
         | kernel | entry | shared | local |{heads}\n| --- | --- | ---: | ---: |{lines}\n{rows}",
        version(nvcc)
    )
}

fn rows_of(compiled: &Compiled) -> Vec<String> {
    let row = |(entry, all): &(String, Vec<Resources>)| {
        let entry = entry.rsplit('_').next().unwrap_or(entry);
        let (shared, local) = (compiled.shared + most(all, |r| r.shared), most(all, Resources::local));
        let registers: String = all.iter().map(|r| format!(" {} |", r.registers)).collect();
        format!("| `{}` | {entry} | {shared} | {local} |{registers}\n", compiled.name)
    };
    compiled.entries.iter().map(row).collect()
}

/// The largest value over all architectures.
fn most(all: &[Resources], of: impl Fn(&Resources) -> u32) -> u32 {
    all.iter().map(of).max().unwrap_or(0)
}
