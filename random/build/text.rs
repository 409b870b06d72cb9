//! Writes a kernel as Rust: the macro call, and a function that runs it in every way and compares the results.
use crate::places::Places;
use systolic_compiler::model::{Int, Kernel, ParameterKind};

/// The kernel in its own module.
pub fn module(kernel: &Kernel, seed: u64, text: &str, places: Places) -> String {
    let inputs: String = kernel.parameters.iter().enumerate().map(|(k, p)| input(k, &p.kind)).collect();
    let wanted: String = kernel
        .outputs
        .iter()
        .enumerate()
        .map(|(k, o)| format!("            let z{k} = data.array::<{}, Ix{}>();\n", o.ty, o.dims.len()))
        .collect();
    let on_cpu = if places.cpu { on_cpu(kernel, seed) } else { String::new() };
    let on_gpu = if places.gpu { on_gpu(kernel, seed) } else { String::new() };
    format!(
        "mod seed_{seed} {{
    use super::*;
    systolic::systolic! {{
{text}    }}
    pub fn compare(data: &mut Data, wrong: &mut Vec<String>) {{
        for _ in 0..data.number() {{
{inputs}{wanted}            let wanted = {};
{on_cpu}{on_gpu}        }}
    }}
}}
",
        tuple(&outputs(kernel, |k| format!("z{k}.clone()"))),
    )
}

/// The code that runs `reference`, `run` and `run_into`.
fn on_cpu(kernel: &Kernel, seed: u64) -> String {
    let name = name(kernel);
    let made = outputs(kernel, |k| format!("                let mut o{k} = untouched(&z{k});\n")).concat();
    let given = given(kernel, |k| format!("&x{k}"));
    let is_scalar = |k: usize| kernel.outputs[k].is_scalar;
    let into = outputs(kernel, |k| if is_scalar(k) { format!("&mut o{k}[0]") } else { format!("&mut o{k}") });
    // The evaluator gives a scalar as an array of one element.
    let result = tuple(&outputs(kernel, |k| format!("r{k}")));
    let arrays = outputs(kernel, |k| if is_scalar(k) { format!("arr1(&[r{k}])") } else { format!("r{k}") });
    let arrays = format!("map(|{result}| {})", tuple(&arrays));
    format!(
        "            if on_cpu() {{
{made}                same(wrong, {seed}, \"reference\", {name}::reference({}).{arrays}, &wanted);
                same(wrong, {seed}, \"run\", {name}::run({}).{arrays}, &wanted);
                let stored = {name}::run_into({});
                same(wrong, {seed}, \"run_into\", stored.map(|()| {}), &wanted);
            }}
",
        call(&[&given]),
        call(&[&["&Cpu".to_string()], &given]),
        call(&[&["&Cpu".to_string()], &given, &into]),
        tuple(&outputs(kernel, |k| format!("o{k}"))),
    )
}

/// The code that runs `launch`, on outputs filled with a pattern that is not a result.
fn on_gpu(kernel: &Kernel, seed: u64) -> String {
    let up = |(k, kind): (usize, &ParameterKind)| match kind {
        ParameterKind::Array { .. } => format!("                    let d{k} = gpu.upload(&x{k})?;\n"),
        _ => String::new(),
    };
    let up: String = kernel.parameters.iter().map(|p| &p.kind).enumerate().map(up).collect();
    let made = outputs(kernel, |k| format!("                    let mut e{k} = gpu.upload(&untouched(&z{k}))?;\n"));
    let into = outputs(kernel, |k| format!("&mut e{k}"));
    format!(
        "            if let Some(gpu) = gpu() {{
                let launched = || {{
{up}{}                    {}::launch({})?;
                    Ok({})
                }};
                same(wrong, {seed}, \"launch\", launched(), &wanted);
            }}
",
        made.concat(),
        name(kernel),
        call(&[&["&gpu.stream()?".to_string()], &given(kernel, |k| format!("&d{k}")), &into]),
        tuple(&outputs(kernel, |k| format!("e{k}.download()?"))),
    )
}

/// The list of all kernels in order, the range of seeds, where they run, and how many are left out for their length.
pub fn list(seeds: &[u64], tried: std::ops::Range<u64>, places: Places, long: usize) -> String {
    let entries: String = seeds.iter().map(|seed| format!("    seed_{seed}::compare,\n")).collect();
    format!(
        "const SEEDS: std::ops::Range<u64> = {tried:?};\nconst FOR_CPU: bool = {};\nconst LONG: usize = {long};\n\
         const KERNELS: [fn(&mut Data, &mut Vec<String>); {}] = [\n{entries}];\n",
        places.cpu,
        seeds.len()
    )
}

fn name(kernel: &Kernel) -> String {
    match kernel.instance.number("Q") {
        Some(q) => format!("random::<{q}>"),
        None => "random".to_string(),
    }
}

/// One text per output.
fn outputs(kernel: &Kernel, text: impl Fn(usize) -> String) -> Vec<String> {
    (0..kernel.outputs.len()).map(text).collect()
}

/// A single array as it is, several as a tuple.
fn tuple(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    }
}

fn call(arguments: &[&[String]]) -> String {
    arguments.concat().join(", ")
}

fn input(k: usize, kind: &ParameterKind) -> String {
    let read = match kind {
        ParameterKind::Array { ty, dims, .. } => format!("array::<{ty}, Ix{}>", dims.len()),
        ParameterKind::Const { ty, dims, .. } => format!("row::<{ty}, {}>", dims.iter().product::<Int>()),
        ParameterKind::Scalar { ty } => format!("one::<{ty}>"),
        ParameterKind::Size => "number".to_string(),
    };
    format!("            let x{k} = data.{read}();\n")
}

/// The arguments of a call; `array` gives the text of an array argument.
fn given(kernel: &Kernel, array: impl Fn(usize) -> String) -> Vec<String> {
    let passed = |(k, kind): (usize, &ParameterKind)| match kind {
        ParameterKind::Array { .. } => array(k),
        ParameterKind::Const { dims, .. } if dims.len() == 1 => format!("&x{k}"),
        ParameterKind::Const { dims, .. } => format!("(&x{k}[..], {dims:?})"),
        ParameterKind::Scalar { .. } | ParameterKind::Size => format!("x{k}"),
    };
    kernel.parameters.iter().map(|p| &p.kind).enumerate().map(passed).collect()
}
