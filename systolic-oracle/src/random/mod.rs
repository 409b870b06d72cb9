//! Small random kernels with random maps, as text, so that they go through the whole front end. Most distances are
//! chosen such that the map accepts them; the others violate laws of every kind.
mod aim;
mod band;
mod body;
mod guards;
mod inputs;
mod lookups;
mod loops;
mod map;
mod ragged;
mod star;
mod stores;
mod sum;
mod types;

use aim::Aim;
use loops::Loops;
use map::Map;
use systolic_compiler::evaluate::SplitMix;

/// A random number generator with a seed.
#[derive(Clone)]
pub struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for k in (1..list.len()).rev() {
            list.swap(k, self.below(k + 1));
        }
    }
}

/// One seed in this many gives a band, another one a star, and four others a ragged batch.
const ROUND: u64 = 64;

/// One seed in this many gives time rows with gaps.
const STRETCHED: u64 = 11;

/// One seed in this many gives shifted variables.
const SHIFTED: u64 = 7;

/// One seed in this many gives reads at indices that are values.
const LOOKED_UP: u64 = 9;

/// One seed in this many gives outputs that hold something where no point stores.
const RESTED: u64 = 5;

/// A kernel and its map. The same seed gives the same text.
pub fn random_kernel(seed: u64) -> String {
    let mut random = Random::new(seed);
    match seed % ROUND {
        33 => return band::draw(&mut random),
        17 => return star::draw(&mut random),
        5 | 22 | 38 | 54 => return ragged::draw(&mut random),
        _ => {}
    }
    let aim = Aim::draw(&mut random);
    let loops = Loops::draw(&mut random, aim);
    let mut map = Map::draw(&mut random, &loops, aim);
    if seed % SHIFTED == 5 {
        map.draw_shifts(&mut Random::new(seed ^ SHIFTED << 32), &loops);
    }
    let mut body = body::draw(&mut random, &loops, &map);
    if seed % LOOKED_UP == 4 {
        lookups::add(&mut Random::new(seed ^ LOOKED_UP << 40), &loops, &mut body);
    }
    if seed % RESTED == 2 {
        stores::add_rests(&mut Random::new(seed ^ RESTED << 48), &mut body.outputs);
    }
    map.draw_stages(&mut random, &body.arrays);
    map.name_shifts(&body.variables, &body.stored);
    if seed % STRETCHED == 3 {
        map.stretch(&mut Random::new(!seed));
    }
    let generic = loops.generic.map_or(String::new(), |q| format!("<const Q: usize = {q}>"));
    let nest: Vec<String> =
        loops.list.iter().map(|l| format!("{} in {}..{}", l.name, l.low_text, l.high_text)).collect();
    let conditions =
        if loops.conditions.is_empty() { String::new() } else { format!(" where {}", loops.conditions.join(", ")) };
    let constants: String = body.constants.iter().map(|c| format!("        {c}\n")).collect();
    let statements: String = body.statements.iter().map(|s| format!("            {s}\n")).collect();
    // Sometimes without a map, to test the default map too.
    let clauses = if random.chance(4) { String::new() } else { format!("        map {{ {} }}\n", map.text()) };
    format!(
        "    kernel random{generic}({}) -> ({}){conditions} {{\n{constants}        for {} {{\n{statements}        }}\n{clauses}    }}\n",
        body.parameters.join(", "),
        body.outputs.join(", "),
        nest.join(", "),
    )
}
