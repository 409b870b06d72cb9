//! Prints what a stage of the compiler makes of the kernels in a Rust file:
//!
//! ```sh
//! cargo run -p systolic-compiler --example show -- STAGE FILE [KERNEL] [SIZE=…] [cpu]
//! ```
//!
//! | STAGE | what is printed |
//! | --- | --- |
//! | `syntax` | the kernels as they were read |
//! | `model` | the resolved instances |
//! | `laws` | the faults, or that there are none |
//! | `mapping` | the layout of every map: loops, lanes, warps, the iteration point of every place |
//! | `lower` | the programs as they were built |
//! | `optimise` | the programs after all passes |
//! | `schedule` | the programs as they run |
//! | `cuda` | the CUDA sources and launch plans |
//! | `rust` | the Rust that the macro emits |
//! | `search` | the maps that the search finds for a GPU, best first, whatever maps the kernel has; then the series, if one is faster |
//! | `cost` | what the programs cost on an H200; a size that is not given is 8192 |
//!
//! From `mapping` to `schedule` the programs are those for a GPU, or for a CPU with the word `cpu`.
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::process::ExitCode;
use systolic_compiler::compile::{compile, compile_layout};
use systolic_compiler::cost::cost;
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::lower::lower;
use systolic_compiler::mapping::{Layout, Target, default_map};
use systolic_compiler::model::Int;
use systolic_compiler::optimise::optimise;
use systolic_compiler::schedule::{print, print_program};
use systolic_compiler::search::{Candidate, Search, find_series};
use systolic_compiler::target::gpu::H200;
use systolic_compiler::{check, expand, fault, model, syntax, units_of};

/// The words of the command line.
struct Asked {
    stage: String,
    kernel: Option<String>,
    sizes: BTreeMap<String, Int>,
    target: Target,
}

fn main() -> ExitCode {
    let (sizes, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.contains('='));
    let (targets, words): (Vec<String>, Vec<String>) = words.into_iter().partition(|word| word == "cpu");
    let [stage, path, kernel @ ..] = words.as_slice() else {
        eprintln!("say which stage and which file: `show STAGE FILE [KERNEL] [SIZE=…] [cpu]`");
        return ExitCode::FAILURE;
    };
    let sizes = sizes.iter().filter_map(|word| word.split_once('='));
    let asked = Asked {
        stage: stage.clone(),
        kernel: kernel.first().cloned(),
        sizes: sizes.filter_map(|(name, value)| Some((name.to_string(), value.parse().ok()?))).collect(),
        target: if targets.is_empty() { Target::Gpu } else { Target::Cpu },
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let Ok(tokens) = text.parse::<TokenStream>() else {
        eprintln!("{path} is not made of Rust tokens");
        return ExitCode::FAILURE;
    };
    let mut found = Vec::new();
    blocks(tokens, &mut found);
    match found.into_iter().try_for_each(|block| show(&asked, path, block)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The contents of every `systolic! { … }`.
fn blocks(tokens: TokenStream, found: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (k, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            let named = k >= 2
                && matches!(&trees[k - 1], TokenTree::Punct(p) if p.as_char() == '!')
                && matches!(&trees[k - 2], TokenTree::Ident(i) if i == "systolic");
            if named { found.push(group.stream()) } else { blocks(group.stream(), found) }
        }
    }
}

/// Prints one block.
fn show(asked: &Asked, path: &str, block: TokenStream) -> Result<(), String> {
    let wanted = |name: &str| asked.kernel.as_deref().is_none_or(|kernel| kernel == name);
    match asked.stage.as_str() {
        "syntax" => {
            for kernel in syntax::parse(block).block.kernels.iter().filter(|k| wanted(&k.name.text)) {
                println!("{}\n", syntax::text(kernel));
            }
        }
        "model" => {
            for kernel in syntax::parse(block).block.kernels.iter().filter(|k| wanted(&k.name.text)) {
                model::resolve(kernel).kernels.iter().for_each(|instance| println!("{instance:#?}\n"));
            }
        }
        "laws" => laws(path, block),
        "rust" => println!("{}", rust(asked.kernel.as_deref(), block)?),
        "mapping" | "lower" | "optimise" | "schedule" | "search" | "cuda" | "cost" => {
            for (tree, instances) in check(block).kernels.iter().filter(|(tree, _)| wanted(&tree.name.text)) {
                if asked.stage == "cuda" {
                    units_of(tree, instances).iter().for_each(|unit| println!("{}\n// {}\n", unit.source, unit.plan));
                    continue;
                }
                if asked.stage == "search" {
                    instances.iter().for_each(|lawful| search(tree, lawful));
                    continue;
                }
                instances.iter().for_each(|lawful| of_instance(asked, &tree.name.text, lawful));
            }
        }
        other => return Err(format!("there is no stage `{other}`")),
    }
    Ok(())
}

/// The Rust that the macro emits for a block, or for one kernel of it.
fn rust(kernel: Option<&str>, block: TokenStream) -> Result<String, String> {
    let Some(kernel) = kernel else { return expanded(block) };
    let kernels = syntax::parse(block).block.kernels;
    let of = |kernel: &syntax::tree::Kernel| {
        let text = syntax::print_kernel(kernel);
        expanded(text.parse().map_err(|_| format!("`{}` is not printed as tokens", kernel.name.text))?)
    };
    kernels.iter().filter(|k| k.name.text == kernel).map(of).collect()
}

fn expanded(block: TokenStream) -> Result<String, String> {
    let mut tokens: TokenStream = "(systolic)".parse().map_err(|_| "no tokens")?;
    tokens.extend(block);
    Ok(expand(tokens, &|_| Err("it is only shown".to_string())).to_string())
}

/// Prints the maps that the search finds for an instance.
fn search(tree: &syntax::tree::Kernel, lawful: &Lawful) {
    let started = std::time::Instant::now();
    let mut search = Search::new(tree, lawful, &H200);
    let found = search.run();
    let took = started.elapsed().as_millis();
    let (name, instance) = (&tree.name.text, &lawful.kernel().instance);
    println!(
        "{name} {instance}: {} tried, {} refused, {} operations, {took} ms",
        search.tried, search.refused, search.work
    );
    for map in lawful.maps() {
        if let Ok(schedule) = compile(lawful.kernel(), map, Target::Gpu) {
            let cost = cost(&H200, lawful.kernel(), &schedule, search.sizes(), None);
            println!(
                "    its own map: {:.1} us, {} registers, {}",
                cost.time.total * 1e6,
                cost.registers,
                cost.time.roof.name()
            );
        }
    }
    let single = found.first().map(|best| best.rank());
    found.iter().for_each(print_found);
    let started = std::time::Instant::now();
    let series = find_series(tree, lawful, &H200, search.sizes(), single);
    println!("    series: {} ms", started.elapsed().as_millis());
    let Some(series) = series else { return };
    println!("    a series of {} launches, {:.1} us", series.members.len(), series.seconds * 1e6);
    for (member, found) in series.series.members.iter().zip(&series.members) {
        println!("{}", syntax::text(&member.tree));
        found.first().into_iter().for_each(print_found);
    }
}

fn print_found(found: &Candidate) {
    let cost = &found.cost;
    println!("    {:.1} us, {} registers, {}", cost.time.total * 1e6, cost.registers, cost.time.roof.name());
    println!("{}", syntax::print_map(&found.map));
}

/// Prints the faults of a block as rustc would.
fn laws(path: &str, block: TokenStream) {
    let checked = check(block);
    for fault in &checked.faults {
        let at = fault.at.start.start();
        println!("{path}:{}:{}: error: {}\n", at.line, at.column + 1, fault::message(fault));
    }
    let instances: usize = checked.kernels.iter().map(|(_, instances)| instances.len()).sum();
    println!(
        "{path}: {} kernels, {instances} instances lawful, {} faults",
        checked.kernels.len(),
        checked.faults.len()
    );
}

/// Prints every map of an instance, or the default map where it has none.
fn of_instance(asked: &Asked, kernel: &str, lawful: &Lawful) {
    let default = lawful.maps().is_empty().then(|| default_map(lawful, asked.target)).flatten();
    for map in lawful.maps().iter().chain(&default) {
        let name = map.mapping().name.as_ref().map_or(String::new(), |name| format!(", map {}", name.text));
        println!("{kernel} {}{name}", lawful.kernel().instance);
        match of_map(asked, lawful, map) {
            Ok(text) => println!("{text}"),
            Err(why) => println!("    no program: {why}\n"),
        }
    }
}

fn of_map(asked: &Asked, lawful: &Lawful, map: &LawfulMap) -> Result<String, String> {
    let layout = Layout::of(lawful.kernel(), map, asked.target).map_err(|obstacle| obstacle.to_string())?;
    match asked.stage.as_str() {
        "mapping" => Ok(format!("{layout:#?}")),
        "lower" => lower(&layout).map(|program| print_program(&program)),
        "optimise" => {
            let mut program = lower(&layout)?;
            optimise(&mut program);
            Ok(print_program(&program))
        }
        _ => {
            let schedule = compile_layout(&layout).map_err(|why| why.to_string())?;
            if asked.stage == "schedule" {
                return Ok(print(&schedule));
            }
            let size = |name: &String| asked.sizes.get(name).copied().unwrap_or(8192);
            let sizes: Vec<Int> = lawful.kernel().sizes.iter().map(|s| size(&s.name)).collect();
            Ok(format!("{}\n", cost(&H200, lawful.kernel(), &schedule, &sizes, None)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{expanded, rust};
    use proc_macro2::TokenStream;

    const FIRST: &str =
        "/// Doubles.\npub kernel first(x: [f32; N]) -> (y: [f32; N]) { for n in 0..N { y[n] = 2.0 * x[n]; } }";
    const SECOND: &str = "kernel second(x: [i32; N]) -> (y: [i32; N]) { for n in 0..N { y[n] = x[n] + 1; } }";

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[test]
    fn rust_of_one_kernel_is_its_part_of_the_block() {
        let both = format!("{FIRST} {SECOND}");
        let whole = rust(None, tokens(&both)).unwrap();
        for (name, text) in [("first", FIRST), ("second", SECOND)] {
            let part = rust(Some(name), tokens(&both)).unwrap();
            assert_eq!(part, expanded(tokens(text)).unwrap());
            assert!(whole.contains(&part), "{part}");
        }
        assert!(whole.contains("Doubles") && rust(Some("third"), tokens(&both)).unwrap().is_empty());
    }
}
