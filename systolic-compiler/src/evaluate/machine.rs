//! Computes values on demand. A value that another one needs is computed first, with an explicit stack of unfinished values.
//! A value that is needed while it is unfinished depends on itself.
use super::arrays::Arrays;
use super::code::{Op, compile};
use super::nest::Nest;
use super::{EvaluateError, Tensor};
use crate::model::{Array, Element, Form, Int, Kernel, Value};
use crate::target::effort;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unmade,
    UnderWay,
    Made,
}

/// An unfinished value: an equation or a store (numbered after the equations), its cell, and the next operation.
struct Frame {
    code: usize,
    cell: usize,
    at: usize,
}

pub(super) struct Machine<'a> {
    kernel: &'a Kernel,
    arrays: &'a Arrays<'a>,
    nest: &'a Nest,
    codes: Vec<Vec<Op<'a>>>,
    /// By equation, then by cell.
    states: Vec<State>,
    values: Vec<Value>,
    /// The sizes, then the point of the current value.
    at: Vec<Int>,
    operands: Vec<Value>,
    frames: Vec<Frame>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        kernel: &'a Kernel,
        sizes: &[Int],
        arrays: &'a Arrays<'a>,
        nest: &'a Nest,
    ) -> Result<Machine<'a>, EvaluateError> {
        let count = kernel.equations.len().checked_mul(nest.cells()).filter(|c| *c <= effort::EVALUATOR_VALUES);
        let count = count.ok_or(EvaluateError::TooLarge)?;
        let mut at = sizes.to_vec();
        at.resize(kernel.dims(), 0);
        Ok(Machine {
            kernel,
            arrays,
            nest,
            codes: compile(kernel),
            states: vec![State::Unmade; count],
            values: vec![Value::Bool(false); count],
            at,
            operands: Vec::new(),
            frames: Vec::new(),
        })
    }

    /// Computes every variable at every point.
    pub(super) fn make_all(&mut self) -> Result<(), EvaluateError> {
        for cell in (0..self.nest.cells()).filter(|cell| self.nest.is_point(*cell)) {
            for equation in 0..self.kernel.equations.len() {
                if self.states[self.slot(equation, cell)] == State::Unmade {
                    self.run(equation, cell)?;
                }
            }
        }
        Ok(())
    }

    /// Runs every store at every point where its guard holds. Fails if an element is stored twice, or never although its output
    /// has no `rest`.
    pub(super) fn store_all(&mut self, shapes: &[Vec<usize>]) -> Result<Vec<Tensor>, EvaluateError> {
        let mut outputs = Vec::new();
        for (output, shape) in self.kernel.outputs.iter().zip(shapes) {
            let length = shape.iter().product();
            outputs.push((vec![output.rest.unwrap_or(Value::zero(output.ty)); length], vec![None; length]));
        }
        for cell in (0..self.nest.cells()).filter(|cell| self.nest.is_point(*cell)) {
            for (store, s) in self.kernel.stores.iter().enumerate() {
                self.go_to(cell);
                if !s.guard.holds(&self.at).ok_or(EvaluateError::TooLarge)? {
                    continue;
                }
                let index = self.index(&s.index)?;
                let Some(flat) = flat(&index, &shapes[s.output]) else {
                    return Err(EvaluateError::StoreOutOfRange { store, point: self.point(), index });
                };
                let value = self.run(self.kernel.equations.len() + store, cell)?;
                let (values, by) = &mut outputs[s.output];
                if let Some(first) = by[flat].replace(cell) {
                    return Err(EvaluateError::StoredTwice {
                        store,
                        output: s.output,
                        element: index,
                        first: self.point_of(first),
                        second: self.point_of(cell),
                    });
                }
                values[flat] = value;
            }
        }
        let mut tensors = Vec::new();
        for (output, ((values, by), shape)) in outputs.into_iter().zip(shapes).enumerate() {
            let never = by.iter().position(Option::is_none);
            if let Some(flat) = never.filter(|_| self.kernel.outputs[output].rest.is_none()) {
                return Err(EvaluateError::NeverStored { output, element: unflatten(flat, shape) });
            }
            tensors.push(Tensor { shape: shape.clone(), values });
        }
        Ok(tensors)
    }

    /// The value of an equation or store at a point; computes the values that it needs first.
    fn run(&mut self, code: usize, cell: usize) -> Result<Value, EvaluateError> {
        self.operands.clear();
        self.frames.clear();
        self.enter(code, cell);
        loop {
            // `run` returns when the last frame is done, so there is always one here.
            let Some(frame) = self.frames.last() else { return Err(EvaluateError::IllTyped) };
            let (code, cell, mut at) = (frame.code, frame.cell, frame.at);
            let mut needed = None;
            while at < self.codes[code].len() {
                if let Op::Read { read, variable, distance } = self.codes[code][at] {
                    let loops = &self.at[self.kernel.sizes.len()..];
                    let Some(source) = self.nest.source(loops, distance) else {
                        let source = loops.iter().zip(distance).map(|(v, d)| v.saturating_sub(*d)).collect();
                        return Err(EvaluateError::Undefined { read, point: self.point(), source });
                    };
                    let slot = self.slot(variable, source);
                    match self.states[slot] {
                        State::Made => self.operands.push(self.values[slot]),
                        State::UnderWay => return Err(self.cycle(variable, source)),
                        State::Unmade => {
                            needed = Some((variable, source));
                            break;
                        }
                    }
                    at += 1;
                } else {
                    at = self.step(code, at)?;
                }
            }
            if let Some((variable, source)) = needed {
                if let Some(frame) = self.frames.last_mut() {
                    frame.at = at;
                }
                self.enter(variable, source);
                continue;
            }
            let value = self.operands.pop().ok_or(EvaluateError::IllTyped)?;
            if code < self.kernel.equations.len() {
                let slot = self.slot(code, cell);
                self.states[slot] = State::Made;
                self.values[slot] = value;
            }
            self.frames.pop();
            match self.frames.last() {
                Some(frame) => self.go_to(frame.cell),
                None => return Ok(value),
            }
        }
    }

    /// Runs one operation other than a read; returns the position of the next.
    fn step(&mut self, code: usize, at: usize) -> Result<usize, EvaluateError> {
        let value = match self.codes[code][at] {
            Op::Literal(value) => Some(value),
            Op::Element { access, element } => Some(self.element(access, element)?),
            Op::Lookup { array, axes } => self.lookup(array, axes),
            Op::Index(form) => Some(Value::I64(form.eval(&self.at).ok_or(EvaluateError::TooLarge)? as i64)),
            Op::Holds(formula) => Some(Value::Bool(formula.holds(&self.at).ok_or(EvaluateError::TooLarge)?)),
            Op::Unary(op) => {
                let [a] = self.take()?;
                Value::unary(op, a)
            }
            Op::Binary(op) => {
                let [a, b] = self.take()?;
                Value::binary(op, a, b)
            }
            Op::Compare(op) => {
                let [a, b] = self.take()?;
                Value::compare(op, a, b).map(Value::Bool)
            }
            Op::Fma => {
                let [a, b, c] = self.take()?;
                a.fma(b, c)
            }
            Op::Cast(ty) => {
                let [a] = self.take()?;
                a.cast(ty)
            }
            Op::Select => {
                let [condition, then, otherwise] = self.take()?;
                match condition {
                    Value::Bool(true) => Some(then),
                    Value::Bool(false) => Some(otherwise),
                    _ => None,
                }
            }
            Op::JumpUnless(guard, to) => {
                let holds = guard.holds(&self.at).ok_or(EvaluateError::TooLarge)?;
                return Ok(if holds { at + 1 } else { to });
            }
            Op::Jump(to) => return Ok(to),
            Op::Read { .. } => None,
        };
        self.operands.push(value.ok_or(EvaluateError::IllTyped)?);
        Ok(at + 1)
    }

    fn enter(&mut self, code: usize, cell: usize) {
        if code < self.kernel.equations.len() {
            let slot = self.slot(code, cell);
            self.states[slot] = State::UnderWay;
        }
        self.frames.push(Frame { code, cell, at: 0 });
        self.go_to(cell);
    }

    fn element(&self, access: usize, element: &Element) -> Result<Value, EvaluateError> {
        let index = self.index(&element.index)?;
        self.arrays.element(element.array, &index).ok_or_else(|| EvaluateError::ReadOutOfRange {
            access,
            array: element.array,
            point: self.point(),
            index,
        })
    }

    /// The element at the indices on the stack.
    fn lookup(&mut self, array: Array, axes: usize) -> Option<Value> {
        let start = self.operands.len().checked_sub(axes)?;
        let position = |value: &Value| match value {
            Value::I64(index) => Some(Int::from(*index)),
            _ => None,
        };
        let index: Option<Vec<Int>> = self.operands[start..].iter().map(position).collect();
        self.operands.truncate(start);
        self.arrays.lookup(array, &index?)
    }

    fn index(&self, forms: &[Form]) -> Result<Vec<Int>, EvaluateError> {
        forms.iter().map(|form| form.eval(&self.at).ok_or(EvaluateError::TooLarge)).collect()
    }

    /// The ring of unfinished values, starting at the one that is needed again.
    fn cycle(&self, variable: usize, cell: usize) -> EvaluateError {
        let first = self.frames.iter().position(|f| f.code == variable && f.cell == cell).unwrap_or(0);
        let ring = self.frames[first..].iter().map(|f| (f.code, self.point_of(f.cell))).collect();
        EvaluateError::Cycle { ring }
    }

    fn take<const N: usize>(&mut self) -> Result<[Value; N], EvaluateError> {
        let start = self.operands.len().checked_sub(N).ok_or(EvaluateError::IllTyped)?;
        let mut taken = [Value::Bool(false); N];
        taken.copy_from_slice(&self.operands[start..]);
        self.operands.truncate(start);
        Ok(taken)
    }

    fn slot(&self, equation: usize, cell: usize) -> usize {
        equation * self.nest.cells() + cell
    }

    fn go_to(&mut self, cell: usize) {
        self.nest.coordinates(cell, &mut self.at[self.kernel.sizes.len()..]);
        self.arrays.set_lengths(self.kernel, &mut self.at);
    }

    fn point(&self) -> Vec<Int> {
        self.at[self.kernel.sizes.len()..].to_vec()
    }

    fn point_of(&self, cell: usize) -> Vec<Int> {
        let mut point = vec![0; self.kernel.loops.len()];
        self.nest.coordinates(cell, &mut point);
        point
    }
}

/// The position of an element in a row-major array, or `None` out of range.
fn flat(index: &[Int], shape: &[usize]) -> Option<usize> {
    if index.len() != shape.len() {
        return None;
    }
    let mut flat = 0;
    for (i, n) in index.iter().zip(shape) {
        let i = usize::try_from(*i).ok().filter(|i| i < n)?;
        flat = flat * n + i;
    }
    Some(flat)
}

fn unflatten(mut flat: usize, shape: &[usize]) -> Vec<Int> {
    let mut index = vec![0; shape.len()];
    for (i, n) in index.iter_mut().zip(shape).rev() {
        *i = (flat % n) as Int;
        flat /= n;
    }
    index
}
