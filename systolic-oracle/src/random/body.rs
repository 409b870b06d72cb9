//! Random equations over random loops: reads at distances that the map usually accepts, moving copies, loads, stencils.
use super::Random;
use super::guards;
use super::inputs::Inputs;
use super::loops::Loops;
use super::map::Map;
use super::stores;
use super::sum::Sum;
use super::types::{self, Type, combine, convert, literal};

pub struct Body {
    pub parameters: Vec<String>,
    /// The names of the array parameters.
    pub arrays: Vec<String>,
    pub outputs: Vec<String>,
    pub constants: Vec<String>,
    pub statements: Vec<String>,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// Their types. The first statements are their equations.
    pub types: Vec<Type>,
    /// The name of every output and the number of the variable that it stores.
    pub stored: Vec<(String, usize)>,
}

pub fn draw(random: &mut Random, loops: &Loops, map: &Map) -> Body {
    let ty = types::draw(random);
    let names = &["U", "V", "W", "R"][..random.pick(&[1, 1, 1, 2, 2, 2, 3, 3, 4])];
    let types = types::draw_all(random, ty, names.len());
    let variables: Vec<Variable> = names.iter().zip(types).map(|(name, ty)| Variable { name, ty }).collect();
    let inputs = Inputs::new(random, loops, ty);
    let mut writer = Writer { random, loops, map, inputs, variables: &variables };
    let mut statements = Vec::new();
    for (n, variable) in variables.iter().enumerate() {
        let value = writer.equation(n);
        statements.push(format!("{}[{}] = {value};", variable.name, loops.names().join(", ")));
    }
    let Writer { random, mut inputs, .. } = writer;
    let (mut outputs, mut stored) = (Vec::new(), Vec::new());
    for (n, variable) in variables.iter().enumerate() {
        if n + 1 < variables.len() && random.chance(45) {
            continue;
        }
        let (output, lines) = stores::draw(random, loops, map, &mut inputs, variable);
        stored.push((format!("o{}", variable.name), n));
        outputs.push(output);
        statements.extend(lines);
    }
    let Inputs { parameters, arrays, constants, .. } = inputs;
    let types = variables.iter().map(|variable| variable.ty).collect();
    let variables = names.iter().map(|name| name.to_string()).collect();
    Body { parameters, arrays, outputs, constants, statements, variables, types, stored }
}

pub struct Variable {
    pub name: &'static str,
    pub ty: Type,
}

struct Writer<'a> {
    random: &'a mut Random,
    loops: &'a Loops,
    map: &'a Map,
    inputs: Inputs<'a>,
    variables: &'a [Variable],
}

impl Writer<'_> {
    /// An input as a value of this type.
    fn load(&mut self, ty: Type) -> String {
        let load = self.inputs.load(self.random);
        convert(self.random, load, self.inputs.ty, ty)
    }

    fn equation(&mut self, n: usize) -> String {
        let ty = self.variables[n].ty;
        if self.variables.len() > 1 && ty == self.inputs.ty && self.random.chance(30) {
            return self.copy(n);
        }
        let mut parts = self.reads(n);
        if self.random.chance(12) {
            for read in self.inputs.stencil(self.random) {
                parts.push(convert(self.random, read, self.inputs.ty, ty));
            }
        }
        // At least one operand must have a type of its own.
        if parts.is_empty() || self.random.chance(70) {
            parts.push(self.load(ty));
        } else {
            let index = self.random.pick(&self.loops.names());
            parts.push(convert(self.random, format!("({index} as i64)"), "i64", ty));
        }
        self.random.shuffle(&mut parts);
        let mut text = parts[0].clone();
        for part in &parts[1..] {
            text = combine(self.random, ty, &text, part);
        }
        text
    }

    /// Reads of this variable and of the others.
    fn reads(&mut self, n: usize) -> Vec<String> {
        let mut parts = Vec::new();
        parts.extend(self.read_far(n, n, false));
        for m in (0..self.variables.len()).filter(|m| *m != n) {
            if !self.random.chance(60) {
                continue;
            }
            // Reading a later variable at the same point most likely gives a cycle.
            if self.random.chance(if m < n { 55 } else { 12 }) {
                let here = vec![0; self.loops.list.len()];
                parts.push(self.read(n, m, &self.map.unshifted(n, m, &here)));
            } else {
                parts.extend(self.read_far(n, m, m < n));
            }
        }
        if self.random.chance(30) {
            parts.extend(self.read_far(n, n, false));
        }
        parts
    }

    fn read_far(&mut self, n: usize, m: usize, overlap: bool) -> Option<String> {
        let e = distance(self.random, self.loops, self.map, overlap)?;
        Some(self.read(n, m, &self.map.unshifted(n, m, &e)))
    }

    /// The read of `m` at `z − e` by variable `n`: that value if it exists, otherwise a load or a number.
    fn read(&mut self, n: usize, m: usize, e: &[i64]) -> String {
        let (ty, from) = (self.variables[n].ty, &self.variables[m]);
        let read = format!("{}[{}]", from.name, self.loops.at(e));
        let read = convert(self.random, read, from.ty, ty);
        let mut inside = self.loops.inside(e);
        if !inside.is_empty() && self.random.chance(5) {
            // Omit one condition, which violates `defined`.
            let forgotten = self.random.below(inside.len());
            inside.remove(forgotten);
        }
        if self.random.chance(15) {
            inside.push(guards::draw(self.random, self.loops));
        }
        if inside.is_empty() {
            return read;
        }
        let otherwise = if self.random.chance(50) { literal(self.random, ty) } else { self.load(ty) };
        format!("(if {} {{ {read} }} else {{ {otherwise} }})", inside.join(" && "))
    }

    /// An input that moves along a distance, or stays where it is read.
    fn copy(&mut self, n: usize) -> String {
        let variable = self.variables[n].name;
        let e: Vec<i64> = self.loops.list.iter().map(|_| self.random.pick(&[-1, 0, 0, 0, 1, 1])).collect();
        let load = match n.checked_sub(1).map(|m| &self.variables[m]) {
            // The value of an earlier variable, whether that is a copy or not.
            Some(earlier) if earlier.ty == self.inputs.ty && self.random.chance(25) => {
                format!("{}[{}]", earlier.name, self.loops.names().join(", "))
            }
            _ => {
                let forms = self.carried(&e);
                self.inputs.array_of(self.random, forms)
            }
        };
        let inside = self.loops.inside(&e);
        if inside.is_empty() {
            return load;
        }
        format!("if {} {{ {variable}[{}] }} else {{ {load} }}", inside.join(" && "), self.loops.at(&e))
    }

    /// The index of an element that does not change along a distance.
    fn carried(&mut self, e: &[i64]) -> Vec<Sum> {
        let axes: Vec<usize> = (0..e.len()).filter(|k| e[*k] != 0).collect();
        let still: Vec<Sum> =
            self.loops.list.iter().zip(e).filter(|(_, d)| **d == 0).map(|(l, _)| Sum::name(&l.name)).collect();
        if axes.len() <= 1 && !still.is_empty() && self.random.chance(30) {
            return still;
        }
        let mut coefs: Vec<i64> = e.iter().map(|d| if *d == 0 { self.random.within(0, 1) } else { 0 }).collect();
        if let [a, b] = axes[..] {
            (coefs[a], coefs[b]) = (e[b], -e[a]);
        }
        let sum = |form: Sum, (l, c): (&super::loops::Loop, &i64)| form.plus(*c, &Sum::name(&l.name));
        vec![self.loops.list.iter().zip(&coefs).fold(Sum::number(0), sum)]
    }
}

/// A nonzero distance, usually one that the map accepts and that fits its goal; `None` if that is hard to find.
pub fn distance(random: &mut Random, loops: &Loops, map: &Map, overlap: bool) -> Option<Vec<i64>> {
    let blind = random.chance(12);
    let aimed = !random.chance(20);
    let mut second = None;
    for _ in 0..100 {
        let e: Vec<i64> = loops.list.iter().map(|_| random.pick(&[-2, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2])).collect();
        if e.iter().any(|d| *d != 0) && (blind || map.accepts(loops, &e, overlap)) {
            if blind || !aimed || map.is_aimed(loops, &e) {
                return Some(e);
            }
            second = Some(e);
        }
    }
    second
}
