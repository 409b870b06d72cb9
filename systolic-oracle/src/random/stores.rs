//! Random stores: of the whole box, one face of it, one corner, or two halves; sometimes with a gap or an overlap.
use super::Random;
use super::body::{Variable, distance};
use super::inputs::Inputs;
use super::loops::Loops;
use super::map::Map;
use super::sum::Sum;
use super::types::{combine, convert};

/// The declaration of the output and the statements that store it.
pub fn draw(
    random: &mut Random,
    loops: &Loops,
    map: &Map,
    inputs: &mut Inputs,
    variable: &Variable,
) -> (String, Vec<String>) {
    let Variable { name: variable, ty } = variable;
    let name = format!("o{variable}");
    // Loops of which only the first or last value is stored. A loop whose bounds depend on an outer loop must be one of
    // them, because its points form no box.
    let mut faces: Vec<usize> = (0..loops.list.len()).filter(|k| loops.list[*k].leans || random.chance(25)).collect();
    let leaned_on = |k: usize| {
        loops.list.iter().any(|l| l.low.coef(&loops.list[k].name) != 0 && l.high.coef(&loops.list[k].name) == 0)
    };
    // `j in i..N` may be empty for some i: store only at the corner where i is least.
    faces.extend((0..loops.list.len()).filter(|k| leaned_on(*k)));
    faces.sort_unstable();
    faces.dedup();
    let (mut guard, mut index, mut dims) = (Vec::new(), Vec::new(), Vec::new());
    for (k, l) in loops.list.iter().enumerate() {
        if faces.contains(&k) {
            let first = leaned_on(k) || random.chance(40);
            let edge = if first { l.low.clone() } else { l.high.add(-1) };
            guard.push(format!("{} == {edge}", l.name));
        } else {
            index.push(Sum::name(&l.name).plus(-1, &l.low));
            dims.push(l.high.plus(-1, &l.low));
        }
    }
    if index.is_empty() {
        index.push(Sum::number(0));
        dims.push(Sum::number(1));
    }
    match random.below(100) {
        0..2 => guard.push(format!("{} != {}", loops.list[0].name, random.within(0, 2))),
        2..4 => {
            guard.pop();
        }
        4..6 => index[0] = index[0].add(random.pick(&[-1, 1])),
        6..7 => dims[0] = dims[0].add(1),
        _ => {}
    }
    let text = |list: &[Sum]| list.iter().map(Sum::to_string).collect::<Vec<_>>().join(", ");
    // What is one element is a scalar if there is an odd number of loops, and else an array.
    let is_scalar = text(&index) == "0" && text(&dims) == "1" && loops.list.len() % 2 == 1;
    let left = if is_scalar { name.clone() } else { format!("{name}[{}]", text(&index)) };
    let output = if is_scalar { format!("{name}: {ty}") } else { format!("{name}: [{ty}; {}]", text(&dims)) };
    let here = format!("{variable}[{}]", loops.names().join(", "));
    let value = match random.below(10) {
        0 => match distance(random, loops, map, true) {
            Some(e) => {
                let inside = loops.inside(&e);
                let read = format!("{variable}[{}]", loops.at(&e));
                if inside.is_empty() {
                    read
                } else {
                    format!("if {} {{ {read} }} else {{ {here} }}", inside.join(" && "))
                }
            }
            None => here.clone(),
        },
        1 => {
            let load = inputs.load(random);
            let load = convert(random, load, inputs.ty, ty);
            combine(random, ty, &here, &load)
        }
        _ => here.clone(),
    };
    let store = |guard: &[String], value: &str| {
        if guard.is_empty() {
            format!("{left} = {value};")
        } else {
            format!("if {} {{ {left} = {value}; }}", guard.join(" && "))
        }
    };
    if random.chance(12) {
        // Two halves that meet exactly, or almost.
        let k = random.below(loops.list.len());
        let at = loops.list[k].low.add(random.within(0, 2));
        let name = &loops.list[k].name;
        let slip = if random.chance(5) { ">=" } else { ">" };
        let (mut low, mut high) = (guard.clone(), guard);
        low.push(format!("{name} <= {at}"));
        high.push(format!("{name} {slip} {at}"));
        return (output, vec![store(&low, &here), store(&high, &value)]);
    }
    (output, vec![store(&guard, &value)])
}

/// Says what the outputs hold where no point stores. Most of them become longer than what is stored.
pub fn add_rests(random: &mut Random, outputs: &mut [String]) {
    for output in outputs {
        let longer = if random.chance(70) { format!(" + {}", random.within(1, 3)) } else { String::new() };
        let rest = if output.contains("bool") { "true" } else { "7" };
        *output = match output.strip_suffix(']') {
            Some(array) => format!("{array}{longer}] rest {rest}"),
            None => format!("{output} rest {rest}"),
        };
    }
}
