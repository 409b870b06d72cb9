//! The resources of kernels as a table in the repository.
use crate::compile::Compiled;
use crate::{ARCHITECTURES, root};
use systolic_build::{Nvcc, Resources};
use systolic_compiler::link::{ANY, LONG, WIDE};

const FILE: &str = "bench/results/registers.md";

/// Rewrites the table.
pub fn bless(nvcc: &Nvcc, compiled: &[Compiled]) -> Result<(), String> {
    let path = root().join(FILE);
    let folder = path.parent().ok_or("no folder")?;
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    std::fs::write(&path, text(nvcc, compiled)).map_err(|e| format!("{FILE}: {e}"))?;
    println!("{FILE} is written");
    Ok(())
}

/// Compares the results with the stored table. Skips the comparison if the table is of another nvcc version, whose
/// numbers differ.
pub fn check(nvcc: &Nvcc, compiled: &[Compiled]) -> Result<(), String> {
    let stored = std::fs::read_to_string(root().join(FILE)).map_err(|e| format!("{FILE}: {e}"))?;
    let found = text(nvcc, compiled);
    if !stored.contains(&version(nvcc)) {
        println!("skipped: {FILE} is not of nvcc {}, so its numbers are not compared", nvcc.version());
        return Ok(());
    }
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

fn version(nvcc: &Nvcc) -> String {
    format!("nvcc {},", nvcc.version())
}

fn text(nvcc: &Nvcc, compiled: &[Compiled]) -> String {
    let heads: String = ARCHITECTURES.map(|a| format!(" sm_{a} |")).concat();
    let lines: String = ARCHITECTURES.map(|_| " ---: |").concat();
    let rows: String = compiled.iter().flat_map(rows).collect();
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

fn rows(compiled: &Compiled) -> Vec<String> {
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
