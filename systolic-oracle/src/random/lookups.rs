//! Reads of tables at indices that are values: of inputs, of parameters by value and of constants, with every border.
use super::Random;
use super::body::Body;
use super::loops::Loops;
use super::types::{Type, combine, literal};

/// The types that an index may have.
const INTEGERS: [Type; 6] = ["i8", "u8", "i16", "i32", "u32", "i64"];

/// Combines the values of some variables with elements of new tables.
pub fn add(random: &mut Random, loops: &Loops, body: &mut Body) {
    for n in 0..body.types.len() {
        if n > 0 && random.chance(50) {
            continue;
        }
        let ty = body.types[n];
        let Some((left, value)) = body.statements[n].split_once(" = ") else { continue };
        let (left, value) = (left.to_string(), value.trim_end_matches(';').to_string());
        let rank = random.pick(&[1, 1, 2, 2, 3]);
        let table = table(random, body, ty, rank);
        let known = random.below(rank);
        let index: Vec<String> = (0..rank).map(|k| index(random, loops, &value, k == known)).collect();
        let value = combine(random, ty, &value, &format!("{table}[{}]", index.join(", ")));
        body.statements[n] = format!("{left} = {value};");
    }
}

/// A new table; its name.
fn table(random: &mut Random, body: &mut Body, ty: Type, rank: usize) -> String {
    let name = format!("t{}", body.parameters.len() + body.constants.len());
    let dims: Vec<i64> = (0..rank).map(|_| random.within(1, 4)).collect();
    let border = match random.below(6) {
        0 => "zero".to_string(),
        1 => "clamp".to_string(),
        2 => "reflect".to_string(),
        3 => "symmetric".to_string(),
        4 => "wrap".to_string(),
        _ => format!("constant({})", literal(random, ty)),
    };
    let listed: Vec<String> = dims.iter().map(i64::to_string).collect();
    let array = format!("[{ty}; {}] border {border}", listed.join(", "));
    match random.below(3) {
        0 => body.parameters.push(format!("{name}: {array}")),
        1 => body.parameters.push(format!("{name}: const {array}")),
        _ => {
            let value = values(random, ty, &dims);
            body.constants.push(format!("const {name}: {array} = {value};"));
        }
    }
    name
}

/// A nested list of literals.
fn values(random: &mut Random, ty: Type, dims: &[i64]) -> String {
    match dims.split_first() {
        None => literal(random, ty),
        Some((count, rest)) => {
            let items: Vec<String> = (0..*count).map(|_| values(random, ty, rest)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

/// An index, which may be a form of the loops unless it has to be a value.
fn index(random: &mut Random, loops: &Loops, value: &str, is_value: bool) -> String {
    let name = random.pick(&loops.names());
    match random.below(if is_value { 3 } else { 4 }) {
        0 => format!("({value}) as {}", random.pick(&INTEGERS)),
        1 => format!("({name} as i32) * {} - {}", random.within(1, 3), random.within(0, 4)),
        2 => format!("((({value}) as i64) & 7) - {}", random.within(0, 3)),
        _ => format!("{name} - {}", random.within(0, 2)),
    }
}
