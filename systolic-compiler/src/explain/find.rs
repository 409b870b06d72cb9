//! Questions about a picture: where a value is computed, what it needs, who needs it.
use super::picture::{Carrier, Picture, Spot, Statement};
use crate::model::{Int, RowKind};

/// A value that a statement reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// `X[5, 1]` or `x[6]`.
    pub name: String,
    pub carrier: Carrier,
    pub words: String,
    /// The statement that computes it, if it is a variable.
    pub variable: Option<usize>,
    /// The spot of the producer, if it is a variable and shown.
    pub from: Option<usize>,
}

impl Picture {
    /// The statements and spots that compute or store a value such as `z[5]`, `Z[5, 2]`, or `z` if that is a scalar; those outside halos
    /// first. Fails if this is no name of a value.
    pub fn find(&self, text: &str) -> Result<Vec<(usize, usize)>, String> {
        let wrong = || format!("expected a value such as `{}`, found `{text}`", self.example());
        let is_scalar = |s: &Statement| s.is_store && s.index.is_empty() && s.name == text.trim();
        let (name, index) = match text.trim().split_once('[') {
            None if self.statements.iter().any(is_scalar) => (text, Vec::new()),
            None => return Err(wrong()),
            Some((name, rest)) => {
                let inside = rest.strip_suffix(']').ok_or_else(wrong)?;
                let index = inside.split(',').map(|word| word.trim().parse().map_err(|_| wrong()));
                (name, index.collect::<Result<Vec<Int>, _>>()?)
            }
        };
        let named: Vec<usize> =
            (0..self.statements.len()).filter(|k| self.statements[*k].name == name.trim()).collect();
        if named.is_empty() {
            let mut names: Vec<String> = self.statements.iter().map(|s| format!("`{}`", s.name)).collect();
            names.dedup();
            return Err(format!("there is no variable or output `{name}`; there are {}", names.join(", ")));
        }
        let mut found = Vec::new();
        for (k, spot) in self.spots.iter().enumerate() {
            let here = named.iter().filter(|s| spot.statements.contains(s) && self.index(**s, spot) == index);
            found.extend(here.map(|statement| (*statement, k)));
        }
        found.sort_by_key(|(_, spot)| self.spots[*spot].halo);
        Ok(found)
    }

    /// The value that pages show first: an output in the middle of the picture, or any value.
    pub fn first(&self) -> Option<(usize, usize)> {
        let is_store = |(statement, _): &(usize, usize)| self.statements[*statement].is_store;
        let stores: Vec<(usize, usize)> = self.all().filter(is_store).collect();
        // In the first block, where nothing is cut, half-way through its stores.
        let near = stores.iter().filter(|(_, spot)| self.spots[*spot].block == 0).count();
        let step = stores.get(near / 2).map_or(0, |(_, spot)| self.spots[*spot].step);
        let here = |(_, spot): &&(usize, usize)| self.spots[*spot].step == step && self.spots[*spot].block == 0;
        let from_middle = |(_, spot): &&(usize, usize)| (2 * self.spots[*spot].lane - self.lanes).abs();
        let middle = stores.iter().filter(here).min_by_key(from_middle);
        middle.or(stores.first()).copied().or_else(|| self.all().next())
    }

    fn all(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.spots.iter().enumerate().flat_map(|(k, spot)| spot.statements.iter().map(move |s| (*s, k)))
    }

    /// The name of a value that is in the picture.
    pub fn example(&self) -> String {
        self.first().map_or("z[0]".to_string(), |(statement, spot)| self.name(statement, spot))
    }

    /// The indices of a statement's value or element at a spot.
    fn index(&self, statement: usize, spot: &Spot) -> Vec<Int> {
        self.statements[statement].index.iter().map(|form| form.at(&spot.point)).collect()
    }

    /// `Z[5, 2]`: the value that a statement computes at a spot.
    pub fn name(&self, statement: usize, spot: usize) -> String {
        element(&self.statements[statement].name, &self.index(statement, &self.spots[spot]))
    }

    /// What a statement reads at a spot.
    pub fn inputs(&self, statement: usize, spot: usize) -> Vec<Input> {
        let mut inputs = Vec::new();
        for wire in self.wires.iter().filter(|wire| wire.reader == statement) {
            for (_, from) in wire.links.iter().filter(|(to, _)| *to == spot) {
                let name = match from {
                    Some(from) => self.name(wire.variable, *from),
                    None => format!("{}[…]", self.statements[wire.variable].name),
                };
                let (variable, words) = (Some(wire.variable), wire.words.clone());
                inputs.push(Input { name, carrier: wire.carrier, words, variable, from: *from });
            }
        }
        for load in self.loads.iter().filter(|load| load.reader == statement && load.spots.contains(&spot)) {
            let index: Vec<Int> = load.index.iter().map(|form| form.at(&self.spots[spot].point)).collect();
            let outside = index.iter().zip(&load.dims).any(|(at, length)| !(0..*length).contains(at));
            let name = if index.is_empty() { format!("{}[…]", load.array) } else { element(&load.array, &index) };
            let border = load.border.as_ref().filter(|_| outside).map(|word| format!("outside: border {word}"));
            let words = [border.unwrap_or_default(), load.words.clone()].into_iter().filter(|w| !w.is_empty());
            let words = words.collect::<Vec<_>>().join(", ");
            inputs.push(Input { name, carrier: load.carrier, words, variable: None, from: None });
        }
        inputs
    }

    /// What a row of the map is, in one word.
    pub fn kind(&self, row: usize) -> &'static str {
        match self.rows[row].kind {
            RowKind::Block if row < self.launches => "launch",
            RowKind::Block => "block",
            RowKind::Warp => "warp",
            RowKind::Lane => "lane",
            RowKind::Time => "time",
        }
    }

    /// `block 0, warp 0, lane 7, step 4 (t = 4)`
    pub fn place(&self, spot: usize) -> String {
        let Spot { block, warp, lane, register, step, .. } = &self.spots[spot];
        let mut words = Vec::new();
        if !self.blocks[*block].is_empty() {
            words.push(format!("block {}", numbers(&self.blocks[*block])));
        }
        if self.warps > 1 {
            words.push(format!("warp {warp}"));
        }
        words.push(format!("lane {lane}"));
        if self.fold > 1 {
            words.push(format!("register {register}"));
        }
        let number = self.steps_of(*block).iter().position(|other| other == step).unwrap_or_default();
        words.push(format!("step {number}{}", self.time(*step)));
        words.join(", ")
    }

    /// The steps in which a block has points, in order. Pages count the steps of a block from 0.
    pub fn steps_of(&self, block: usize) -> Vec<usize> {
        let mut steps: Vec<usize> =
            self.spots.iter().filter(|spot| spot.block == block).map(|spot| spot.step).collect();
        steps.sort();
        steps.dedup();
        steps
    }

    /// ` (r = 0, t = 4)`: the time rows of a step.
    pub fn time(&self, step: usize) -> String {
        let names = self.rows.iter().filter(|row| row.kind == RowKind::Time).map(|row| &row.name);
        let parts: Vec<String> =
            names.zip(&self.steps[step]).map(|(name, value)| format!("{name} = {value}")).collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    }
}

/// `(1, 0)` or `1`
fn numbers(values: &[Int]) -> String {
    let all: Vec<String> = values.iter().map(Int::to_string).collect();
    if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(", ")) }
}

/// An element or value by its name, and a scalar, which has no index.
fn element(name: &str, index: &[Int]) -> String {
    if index.is_empty() {
        return name.to_string();
    }
    format!("{name}[{}]", index.iter().map(Int::to_string).collect::<Vec<_>>().join(", "))
}
