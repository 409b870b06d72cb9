//! Random equations over random loops: reads at distances the map accepts, mostly, copies that move, loads.
use super::Random;
use super::inputs::{Inputs, is_float, literal};
use super::loops::Loops;
use super::map::Map;
use super::stores;
use super::sum::Sum;

pub struct Body {
    pub parameters: Vec<String>,
    pub outputs: Vec<String>,
    pub constants: Vec<String>,
    pub statements: Vec<String>,
}

const TYPES: [&str; 14] =
    ["f32", "f32", "f32", "f64", "i32", "i32", "i32", "u32", "u8", "i64", "f16", "bf16", "i16", "u16"];

pub fn draw(random: &mut Random, loops: &Loops, map: &Map) -> Body {
    let ty = random.pick(&TYPES);
    let variables = &["U", "V", "W"][..random.pick(&[1, 1, 2, 2, 3])];
    let mut writer = Writer { random, loops, map, inputs: None, ty };
    writer.inputs = Some(Inputs::new(writer.random, loops, ty));
    let mut statements = Vec::new();
    for (n, variable) in variables.iter().enumerate() {
        let value = writer.equation(variables, n);
        statements.push(format!("{variable}[{}] = {value};", loops.names().join(", ")));
    }
    let Writer { random, inputs, .. } = writer;
    let mut inputs = inputs.unwrap_or_else(|| Inputs::new(random, loops, ty));
    let mut outputs = Vec::new();
    for (n, variable) in variables.iter().enumerate() {
        if n + 1 < variables.len() && random.chance(45) {
            continue;
        }
        let (output, lines) = stores::draw(random, loops, map, &mut inputs, variable);
        outputs.push(output);
        statements.extend(lines);
    }
    Body { parameters: inputs.parameters, outputs, constants: inputs.constants, statements }
}

struct Writer<'a> {
    random: &'a mut Random,
    loops: &'a Loops,
    map: &'a Map,
    inputs: Option<Inputs<'a>>,
    ty: &'static str,
}

impl Writer<'_> {
    fn load(&mut self) -> String {
        match &mut self.inputs {
            Some(inputs) => inputs.load(self.random),
            None => literal(self.random, self.ty),
        }
    }

    fn equation(&mut self, variables: &[&str], n: usize) -> String {
        let variable = variables[n];
        if variables.len() > 1 && self.random.chance(35) {
            return self.copy(variables, n);
        }
        let mut parts = Vec::new();
        if let Some(e) = distance(self.random, self.loops, self.map, false) {
            parts.push(self.read(variable, &e));
        }
        for (m, other) in variables.iter().enumerate().filter(|(m, _)| *m != n) {
            if !self.random.chance(60) {
                continue;
            }
            // Of a later variable at the same point: most likely a cycle.
            if self.random.chance(if m < n { 55 } else { 12 }) {
                parts.push(self.read(other, &vec![0; self.loops.list.len()]));
            } else if let Some(e) = distance(self.random, self.loops, self.map, m < n) {
                parts.push(self.read(other, &e));
            }
        }
        if self.random.chance(30)
            && let Some(e) = distance(self.random, self.loops, self.map, false)
        {
            parts.push(self.read(variable, &e));
        }
        // Something must have a type of its own.
        if parts.is_empty() || self.random.chance(70) {
            parts.push(self.load());
        } else {
            let index = self.random.pick(&self.loops.names());
            parts.push(format!("({index} as {})", self.ty));
        }
        self.random.shuffle(&mut parts);
        let mut text = parts[0].clone();
        for part in &parts[1..] {
            text = self.combine(text, part.clone());
        }
        text
    }

    /// Two values to one, in a way that shows when they are swapped.
    fn combine(&mut self, a: String, b: String) -> String {
        let two = literal(self.random, self.ty);
        match self.random.below(8) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} - {b}"),
            2 => format!("max({a}, {b} - {two})"),
            3 => format!("min({a} + {two}, {b})"),
            4 => format!("{a} * {two} + {b}"),
            5 => format!("(if {a} < {b} {{ {a} - {two} }} else {{ {b} }})"),
            6 if is_float(self.ty) => format!("fma({a}, {two}, {b})"),
            6 => format!("(({a}) ^ ({b} << 1))"),
            _ => format!("{two} - {a} * {b}"),
        }
    }

    /// `V` at `z − e` where that is a point, else a load or a number.
    fn read(&mut self, variable: &str, e: &[i64]) -> String {
        let read = format!("{variable}[{}]", self.loops.at(e));
        let mut inside = self.loops.inside(e);
        if !inside.is_empty() && self.random.chance(5) {
            // Forget one condition: a fault of `defined`.
            let forgotten = self.random.below(inside.len());
            inside.remove(forgotten);
        }
        if inside.is_empty() {
            return read;
        }
        let otherwise = if self.random.chance(50) { literal(self.random, self.ty) } else { self.load() };
        format!("(if {} {{ {read} }} else {{ {otherwise} }})", inside.join(" && "))
    }

    /// An input that moves along a distance, or stays where it is read.
    fn copy(&mut self, variables: &[&str], n: usize) -> String {
        let variable = variables[n];
        let e: Vec<i64> = self.loops.list.iter().map(|_| self.random.pick(&[-1, 0, 0, 0, 1, 1])).collect();
        let axes: Vec<usize> = (0..e.len()).filter(|k| e[*k] != 0).collect();
        let mut coefs: Vec<i64> = e.iter().map(|d| if *d == 0 { self.random.within(0, 1) } else { 0 }).collect();
        if let [a, b] = axes[..] {
            (coefs[a], coefs[b]) = (e[b], -e[a]);
        }
        let mut form = Sum::number(0);
        for (l, c) in self.loops.list.iter().zip(&coefs) {
            form = form.plus(*c, &Sum::name(&l.name));
        }
        let forms = if self.random.chance(70) || axes.len() > 1 {
            vec![form]
        } else {
            // The loops it does not move along, each an index.
            let still = self.loops.list.iter().zip(&e).filter(|(_, d)| **d == 0);
            let forms: Vec<Sum> = still.map(|(l, _)| Sum::name(&l.name)).collect();
            if forms.is_empty() { vec![form] } else { forms }
        };
        let load = match &mut self.inputs {
            // What an earlier variable has, whether that is a copy or not.
            Some(_) if n > 0 && self.random.chance(25) => {
                format!("{}[{}]", variables[n - 1], self.loops.names().join(", "))
            }
            Some(inputs) => inputs.array_of(self.random, forms),
            None => literal(self.random, self.ty),
        };
        let inside = self.loops.inside(&e);
        if inside.is_empty() {
            return load;
        }
        format!("if {} {{ {variable}[{}] }} else {{ {load} }}", inside.join(" && "), self.loops.at(&e))
    }
}

/// A distance that is not zero; mostly one that the map accepts, or none where that is hard to find.
pub fn distance(random: &mut Random, loops: &Loops, map: &Map, overlap: bool) -> Option<Vec<i64>> {
    let blind = random.chance(12);
    for _ in 0..25 {
        let e: Vec<i64> = loops.list.iter().map(|_| random.pick(&[-2, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2])).collect();
        if e.iter().any(|d| *d != 0) && (blind || map.accepts(loops, &e, overlap)) {
            return Some(e);
        }
    }
    None
}
