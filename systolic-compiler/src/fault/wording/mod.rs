//! Turns facts into sentences: the law, the fact, the witness, the help. The text of each law stands in one function, here
//! or in `equations` and `maps`.
mod equations;
mod maps;

use super::{Fact, Fault, Filling, Kind, Witness};

/// The message for an error of the compiler itself.
pub fn internal(kernel: &str, found: &str) -> String {
    format!(
        "internal error: an invariant of the compiler does not hold for the kernel `{kernel}`\n{found}\n\
         help: this is a bug in systolic, not in your kernel; please report it with the kernel's text"
    )
}

/// The whole message: the law and the fact on the first line, then the witness, the instance and map, and the help.
pub fn message(fault: &Fault) -> String {
    let mut lines = vec![format!("{}: {}", fault.law(), sentence(fault))];
    lines.extend(proof(fault));
    lines.extend(fault.filling.as_ref().map(filling));
    let mut setting = Vec::new();
    if let Some(instance) = &fault.instance {
        setting.push(format!("instance {instance}"));
    }
    if let Some(map) = &fault.map {
        setting.push(if map.contains(' ') { map.clone() } else { format!("map `{map}`") });
    }
    if !setting.is_empty() {
        lines.push(format!("in {}", setting.join(", ")));
    }
    if let Some(help) = &fault.help {
        lines.push(format!("help: {}", help.text));
    }
    lines.join("\n")
}

/// How an open map was completed.
fn filling(filling: &Filling) -> String {
    let clauses: Vec<String> = filling.clauses.iter().map(|clause| format!("`{clause};`")).collect();
    let with = if clauses.is_empty() { String::new() } else { format!(": with {}", clauses.join(" ")) };
    match filling.attempts {
        1 => format!("the one way to complete this open map breaks this law{with}"),
        n => format!("{n} ways to complete this open map were tried; this one obeys most laws{with}"),
    }
}

/// The fact.
fn sentence(fault: &Fault) -> String {
    match &fault.fact {
        Fact::Syntax(f) => equations::syntax(f),
        Fact::Names(f) => equations::names(f),
        Fact::Rank(f) => equations::rank(f),
        Fact::Types(f) => equations::types(f),
        Fact::Sizes(f) => equations::sizes(f),
        Fact::Uniform(f) => equations::uniform(f),
        Fact::Defined(f) => equations::defined(f),
        Fact::Bounds(f) => equations::bounds(f),
        Fact::Cycle(f) => equations::cycle(f),
        Fact::Outputs(f) => equations::outputs(f),
        Fact::Matrix(f) => maps::matrix(f),
        Fact::Reverse(f) => maps::reverse(f),
        Fact::Collision(f) => maps::collision(f),
        Fact::Lanes(f) => maps::lanes(f),
        Fact::Causality(f) => maps::causality(f),
        Fact::Broadcast(f) => maps::broadcast(f),
        Fact::Blocks(f) => maps::blocks(f),
        Fact::Resources(f) => maps::resources(f),
    }
}

/// The witness in numbers.
fn proof(fault: &Fault) -> Option<String> {
    let witness = fault.witness.as_ref()?;
    let text = match &fault.fact {
        Fact::Defined(f) => equations::defined_proof(f, witness),
        Fact::Bounds(f) => equations::bounds_proof(f, witness),
        Fact::Cycle(f) => equations::cycle_proof(f),
        Fact::Outputs(f) => equations::outputs_proof(f, witness),
        Fact::Collision(_) => maps::collision_proof(witness),
        Fact::Causality(f) => maps::causality_proof(f, witness),
        Fact::Broadcast(f) => maps::broadcast_proof(f, witness),
        Fact::Blocks(f) => maps::blocks_proof(f, witness),
        _ => return None,
    };
    Some(format!("{text}{}", with_sizes(witness)))
}

/// "(c = 0, q = 1)"
fn point(values: &[(String, i128)]) -> String {
    let each: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    format!("({})", each.join(", "))
}

fn other(witness: &Witness) -> String {
    point(witness.other.as_deref().unwrap_or_default())
}

/// "[3, 0]"
fn element(values: &[i128]) -> String {
    let each: Vec<String> = values.iter().map(i128::to_string).collect();
    format!("[{}]", each.join(", "))
}

/// ", for C = 1, Q = 2"
fn with_sizes(witness: &Witness) -> String {
    let each: Vec<String> = witness.sizes.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    if each.is_empty() { String::new() } else { format!(", for {}", each.join(", ")) }
}

/// "1, 2 and 3"
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// "t = 1, u = 0"
fn times(values: &[(String, i128)]) -> String {
    values.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ")
}

/// "1 index", "2 indices"
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A kind of name with its article.
fn a(kind: Kind) -> &'static str {
    match kind {
        Kind::Kernel => "a kernel",
        Kind::Generic => "a generic number",
        Kind::TypeGeneric => "a generic type",
        Kind::Size => "a size",
        Kind::Array => "an input array",
        Kind::ConstArray => "a `const` array",
        Kind::Scalar => "a scalar parameter",
        Kind::SizeParameter => "a `size` parameter",
        Kind::Output => "an output",
        Kind::Constant => "a constant",
        Kind::Loop => "a loop",
        Kind::Variable => "a variable",
        Kind::Map => "a map",
        Kind::Row => "a row of `space_time`",
        Kind::Function => "a function",
        Kind::Type => "a type",
    }
}

fn quoted(names: &[String]) -> String {
    listed(&names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>())
}

/// Added to every question that the decision procedure gave up on.
const LIMIT: &str = "this is a limit of the compiler, not a proof of an error";
