//! A kernel as Rust: the macro's call, and a function that runs it in every way and compares.
use systolic_compiler::model::{Kernel, ParameterKind};

/// The kernel in a module of its own.
pub fn module(kernel: &Kernel, seed: u64, text: &str) -> String {
    let name = match kernel.instance.number("Q") {
        Some(q) => format!("random::<{q}>"),
        None => "random".to_string(),
    };
    let inputs: String = kernel.parameters.iter().enumerate().map(|(k, p)| input(k, &p.kind)).collect();
    let outputs: Vec<String> = (0..kernel.outputs.len()).map(|k| format!("z{k}")).collect();
    let wanted: String = kernel
        .outputs
        .iter()
        .enumerate()
        .map(|(k, o)| format!("            let z{k} = data.array::<{}, Ix{}>();\n", o.ty, o.dims.len()))
        .collect();
    let made: String =
        outputs.iter().map(|z| format!("            let mut o{} = untouched(&{z});\n", &z[1..])).collect();
    let given: Vec<String> = kernel.parameters.iter().enumerate().map(|(k, p)| passed(k, &p.kind)).collect();
    let into: Vec<String> = (0..outputs.len()).map(|k| format!("&mut o{k}")).collect();
    let stored: Vec<String> = (0..outputs.len()).map(|k| format!("o{k}")).collect();
    let call = |first: &[&str], last: &[String]| {
        let first = first.iter().map(ToString::to_string);
        first.chain(given.iter().cloned()).chain(last.iter().cloned()).collect::<Vec<_>>().join(", ")
    };
    format!(
        "mod seed_{seed} {{
    use super::*;
    systolic::systolic! {{
{text}    }}
    pub fn compare(data: &mut Data, wrong: &mut Vec<String>) {{
        for _ in 0..data.number() {{
{inputs}{wanted}{made}            let wanted = {};
            same(wrong, {seed}, \"reference\", {name}::reference({}), &wanted);
            same(wrong, {seed}, \"run\", {name}::run({}), &wanted);
            let stored = {name}::run_into({});
            same(wrong, {seed}, \"run_into\", stored.map(|()| {}), &wanted);
        }}
    }}
}}
",
        tuple(&outputs),
        call(&[], &[]),
        call(&["&Cpu"], &[]),
        call(&["&Cpu"], &into),
        tuple(&stored),
    )
}

/// All of them, in order, and the seeds they are among.
pub fn list(seeds: &[u64], tried: std::ops::Range<u64>) -> String {
    let entries: String = seeds.iter().map(|seed| format!("    seed_{seed}::compare,\n")).collect();
    format!(
        "const SEEDS: std::ops::Range<u64> = {tried:?};\nconst KERNELS: [fn(&mut Data, &mut Vec<String>); {}] = [\n{entries}];\n",
        seeds.len()
    )
}

/// One array by itself, several in a tuple.
fn tuple(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    }
}

fn input(k: usize, kind: &ParameterKind) -> String {
    let read = match kind {
        ParameterKind::Array { ty, dims, .. } => format!("array::<{ty}, Ix{}>", dims.len()),
        ParameterKind::Const { ty, dims } => format!("row::<{ty}, {}>", dims[0]),
        ParameterKind::Scalar { ty } => format!("one::<{ty}>"),
        ParameterKind::Size => "number".to_string(),
    };
    format!("            let x{k} = data.{read}();\n")
}

fn passed(k: usize, kind: &ParameterKind) -> String {
    match kind {
        ParameterKind::Array { .. } | ParameterKind::Const { .. } => format!("&x{k}"),
        ParameterKind::Scalar { .. } | ParameterKind::Size => format!("x{k}"),
    }
}
