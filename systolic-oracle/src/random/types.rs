//! Types of the random kernels: literals, conversions and binary operations.
use super::Random;

pub type Type = &'static str;

const TYPES: [Type; 18] = [
    "f32", "f32", "f32", "f32", "f64", "i32", "i32", "i32", "u32", "u32", "u8", "i8", "i64", "u64", "f16", "bf16",
    "i16", "u16",
];

/// A random type to compute in.
pub fn draw(random: &mut Random) -> Type {
    random.pick(&TYPES)
}

/// A type for every variable, usually that of the inputs.
pub fn draw_all(random: &mut Random, inputs: Type, count: usize) -> Vec<Type> {
    let mixed = count > 1 && random.chance(15);
    (0..count)
        .map(|_| match random.below(6) {
            0 if mixed => "bool",
            1 | 2 if mixed => draw(random),
            _ => inputs,
        })
        .collect()
}

/// A literal of this type.
pub fn literal(random: &mut Random, ty: Type) -> String {
    let n = random.below(9);
    let minus = if n > 0 && !ty.starts_with('u') && random.chance(25) { "-" } else { "" };
    match ty {
        "bool" => n.is_multiple_of(2).to_string(),
        _ if is_float(ty) => format!("{minus}{n}.{}", random.pick(&["0", "5", "25"])),
        _ => format!("{minus}{n}"),
    }
}

fn is_float(ty: Type) -> bool {
    ty.contains('f')
}

/// Converts a value of type `from` to type `to`.
pub fn convert(random: &mut Random, value: String, from: Type, to: Type) -> String {
    match (from, to) {
        _ if from == to => value,
        ("bool", _) => format!("(if {value} {{ {} }} else {{ {} }})", literal(random, to), literal(random, to)),
        (_, "bool") => format!("({value} < {})", literal(random, from)),
        _ => format!("({value} as {to})"),
    }
}

/// Combines two values asymmetrically, so that a swap of the operands is noticed.
pub fn combine(random: &mut Random, ty: Type, a: &str, b: &str) -> String {
    if ty == "bool" {
        return match random.below(3) {
            0 => format!("({a} && !{b})"),
            1 => format!("(!{a} || {b})"),
            _ => format!("(if {a} {{ {b} }} else {{ !{b} }})"),
        };
    }
    let two = literal(random, ty);
    match random.below(9) {
        0 => format!("{a} + {b}"),
        1 => format!("{a} - {b}"),
        2 => format!("max({a}, {b} - {two})"),
        3 => format!("min({a} + {two}, {b})"),
        4 => format!("{a} * {two} + {b}"),
        5 => format!("(if {a} < {b} {{ {a} - {two} }} else {{ {b} }})"),
        6 if is_float(ty) => format!("fma({a}, {two}, {b})"),
        6 => format!("(({a}) ^ ({b} << 1))"),
        7 if is_float(ty) => function(random, a, b),
        7 => format!("(({a}) / ({b}) - ({a}) % {two})"),
        _ => format!("{two} - {a} * {b}"),
    }
}

/// A function of a float less another float.
fn function(random: &mut Random, a: &str, b: &str) -> String {
    const OF_ANY: [&str; 12] =
        ["sin", "cos", "tan", "atan", "tanh", "floor", "ceil", "round", "round_even", "trunc", "exp2", "sinh"];
    match random.below(18) {
        0..=2 => format!("sqrt(abs({a})) - {b}"),
        3 => format!("log2(1 + abs({a})) - {b}"),
        4 => format!("pow(abs({a}), {b}) - {b}"),
        5 => format!("pow({a}, round({b})) - {a}"),
        k => format!("{}({a}) - {b}", OF_ANY[k - 6]),
    }
}
