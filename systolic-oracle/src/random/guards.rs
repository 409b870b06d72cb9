//! Random guards: comparisons of loops, sizes and numbers, and remainders, combined by logical operators.
use super::Random;
use super::loops::Loops;
use super::sum::Sum;

/// A condition on indices and sizes only.
pub fn draw(random: &mut Random, loops: &Loops) -> String {
    match random.below(10) {
        0 => format!("({} || {})", comparison(random, loops), comparison(random, loops)),
        1 => format!("!({} && {})", comparison(random, loops), comparison(random, loops)),
        2 => format!("!({})", comparison(random, loops)),
        _ => comparison(random, loops),
    }
}

fn comparison(random: &mut Random, loops: &Loops) -> String {
    let names = loops.names();
    let mut left = Sum::name(&random.pick(&names));
    if random.chance(35) {
        left = left.plus(random.pick(&[-1, 1, 2]), &Sum::name(&random.pick(&names)));
    }
    if random.chance(25) {
        let by = random.within(2, 3);
        return format!("({left}) % {by} == {}", random.within(0, by - 1));
    }
    let sign = random.pick(&["==", "!=", "<", "<=", ">", ">="]);
    match loops.sizes.first() {
        Some(size) if random.chance(30) => format!("{left} {sign} {}", Sum::name(size).add(-random.within(0, 2))),
        _ => format!("{left} {sign} {}", random.within(0, 4)),
    }
}
