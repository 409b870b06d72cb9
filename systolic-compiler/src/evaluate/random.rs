//! Inputs for tests: mostly small numbers, so that results are readable, mixed with values that often cause errors.
use super::{Input, Inputs, Tensor, parameter_shape};
use crate::model::{Int, Kernel, ParameterKind, Type, Value};

/// Inputs that fit the kernel at these sizes; equal for equal seeds. A shape that is too large becomes empty.
pub fn random_inputs(kernel: &Kernel, sizes: &[Int], seed: u64) -> Inputs {
    let mut random = SplitMix::new(seed);
    let mut parameters = Vec::new();
    for parameter in &kernel.parameters {
        parameters.push(match &parameter.kind {
            ParameterKind::Array { ty, lengths: Some(range), .. } => {
                let shape = parameter_shape(&parameter.kind, sizes).unwrap_or_else(|_| vec![0]);
                let fits = (1 << (ty.bits() - 1)) - 1;
                let most = range.most.eval(sizes).unwrap_or(range.least).min(fits).max(range.least);
                let count = shape.iter().product();
                let values = (0..count).map(|_| random.length(range.least, most));
                let values = values.map(|v| Value::from_i64(v as i64, *ty).unwrap_or(Value::zero(*ty))).collect();
                Input::Array(Tensor { shape, values })
            }
            ParameterKind::Array { ty, .. } | ParameterKind::Const { ty, .. } => {
                let shape = parameter_shape(&parameter.kind, sizes).unwrap_or_else(|_| vec![0]);
                let count = shape.iter().product();
                // One array in four has no extreme values, so that overflow and NaN do not hide every other difference.
                let wild = random.below(4) > 0;
                let values = (0..count).map(|_| random.value(*ty, wild)).collect();
                Input::Array(Tensor { shape, values })
            }
            ParameterKind::Scalar { ty } => Input::Scalar(random.value(*ty, true)),
            ParameterKind::Size => Input::Size,
        });
    }
    Inputs { parameters }
}

/// The generator by Steele, Lea and Flood: equal numbers for equal seeds, on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; `n` must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.draw() % n
    }

    /// A length: often one of the ends of its range.
    fn length(&mut self, least: Int, most: Int) -> Int {
        match self.below(4) {
            0 => least,
            1 => most,
            _ => least + self.draw() as Int % (most - least + 1),
        }
    }

    fn value(&mut self, ty: Type, wild: bool) -> Value {
        if ty == Type::Bool {
            return Value::Bool(self.below(2) == 1);
        }
        match self.below(if wild { 40 } else { 38 }) {
            0 | 38 if wild => self.edge(ty),
            // Arbitrary bits: large numbers, tiny ones, NaN.
            39 => Value::from_bits(ty, self.draw()),
            n if n < 14 && ty.is_float() => {
                // Multiples of an eighth: their sums round in 16 bits and are exact in 64.
                let eighths = self.below(257) as f64 / 8.0 - 16.0;
                Value::F64(eighths).cast(ty).unwrap_or(Value::zero(ty))
            }
            n if n < 20 && ty.is_float() => {
                let unit = (self.draw() >> 11) as f64 / (1u64 << 53) as f64;
                Value::F64(unit * 2.0 - 1.0).cast(ty).unwrap_or(Value::zero(ty))
            }
            _ => {
                let small = self.below(41) as i64 - if ty.is_signed() { 20 } else { 0 };
                Value::from_i64(small, ty).unwrap_or(Value::zero(ty))
            }
        }
    }

    /// A value at an edge of its type.
    fn edge(&mut self, ty: Type) -> Value {
        if !ty.is_float() {
            let top = u64::MAX >> (64 - ty.bits());
            let sign = 1 << (ty.bits() - 1);
            // Zero, one, all ones, and the two numbers around the sign bit.
            let bits = [0, 1, top, sign, sign - 1];
            return Value::from_bits(ty, bits[self.below(5) as usize]);
        }
        let edges = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 65504.0, 6e-8, 1e-40, 3e38];
        Value::F64(edges[self.below(edges.len() as u64) as usize]).cast(ty).unwrap_or(Value::zero(ty))
    }
}
