//! Every kernel of `tests/kernels`: the time to parse, to prove and to emit it.
use crate::time::{least, ms};
use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use std::time::Duration;
use systolic_compiler::{check, expand, syntax};

/// The number of kernels shown; all others take less time per instance and map.
const SHOWN: usize = 12;

struct Row {
    name: String,
    instances: usize,
    maps: usize,
    parse: Duration,
    check: Duration,
    emit: Duration,
}

impl Row {
    /// The time to parse and prove, per instance and map.
    fn each(&self) -> Duration {
        self.check / (self.instances * self.maps.max(1)) as u32
    }
}

pub fn print() -> Result<(), String> {
    let mut rows = Vec::new();
    for text in texts()? {
        rows.push(measure(&text)?);
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.each()));
    println!("| kernel | instances | maps | parse, ms | parse and prove, ms | an instance and map, ms | emit, ms |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for row in rows.iter().take(SHOWN) {
        let (parse, check, each, emit) = (ms(row.parse), ms(row.check), ms(row.each()), ms(row.emit));
        println!("| `{}` | {} | {} | {parse} | {check} | {each} | {emit} |", row.name, row.instances, row.maps);
    }
    let sum = |part: fn(&Row) -> Duration| ms(rows.iter().map(part).sum());
    let count: usize = rows.iter().map(|r| r.instances * r.maps.max(1)).sum();
    println!(
        "\nAll {} kernels, {count} instances and maps: parse {} ms, parse and prove {} ms, emit {} ms.\n",
        rows.len(),
        sum(|r| r.parse),
        sum(|r| r.check),
        sum(|r| r.emit)
    );
    Ok(())
}

/// The texts, with one kernel each.
fn texts() -> Result<Vec<String>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    let mut texts = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let tokens: TokenStream = source.parse().map_err(|e| format!("{}: {e}", file.display()))?;
        for token in tokens {
            if let TokenTree::Group(block) = token {
                texts.extend(syntax::parse(block.stream()).block.kernels.iter().map(syntax::print_kernel));
            }
        }
    }
    Ok(texts)
}

fn measure(text: &str) -> Result<Row, String> {
    let tokens: TokenStream = text.parse().map_err(|e| format!("{e}\n{text}"))?;
    let checked = check(tokens.clone());
    let [(kernel, instances)] = checked.kernels.as_slice() else { return Err(format!("not accepted:\n{text}")) };
    let krate: TokenStream = "(systolic)".parse().map_err(|e| format!("{e}"))?;
    let all: TokenStream = krate.into_iter().chain(tokens.clone()).collect();
    let check = least(|| check(tokens.clone()));
    Ok(Row {
        name: kernel.name.text.clone(),
        instances: instances.len(),
        maps: kernel.maps.len(),
        parse: least(|| syntax::parse(tokens.clone())),
        check,
        emit: least(|| expand(all.clone(), &|_| Err(String::new()))).saturating_sub(check),
    })
}
