//! Parameters and constants as one list of arrays, and the meaning of reads outside them.
use super::{EvaluateError, Input, Inputs, parameter_shape};
use crate::model::{Array, Border, Int, Kernel, ParameterKind, Type, Value};

/// Every array that can be read, with its border.
pub(crate) struct Arrays<'a> {
    parameters: Vec<Option<Operand<'a>>>,
    constants: Vec<Option<Operand<'a>>>,
}

struct Operand<'a> {
    shape: Vec<Int>,
    values: &'a [Value],
    border: Option<Edge>,
    /// Whether the border is for indices that are values alone: the array is passed by value.
    by_value: bool,
}

/// A border whose value is known.
#[derive(Clone, Copy)]
enum Edge {
    Clamp,
    /// Mirrored; `repeated` is 1 if the element at the edge is repeated, otherwise 0.
    Mirror {
        repeated: Int,
    },
    Wrap,
    Constant(Value),
}

impl<'a> Arrays<'a> {
    /// Fails if the kind, type or shape of an input is wrong.
    pub(crate) fn new(kernel: &'a Kernel, sizes: &[Int], inputs: &'a Inputs) -> Result<Arrays<'a>, EvaluateError> {
        if inputs.parameters.len() != kernel.parameters.len() {
            return Err(EvaluateError::Input { parameter: inputs.parameters.len().min(kernel.parameters.len()) });
        }
        let mut parameters = Vec::new();
        for (parameter, (p, input)) in kernel.parameters.iter().zip(&inputs.parameters).enumerate() {
            let wrong = EvaluateError::Input { parameter };
            let shape = parameter_shape(&p.kind, sizes)?;
            let (ty, values): (Type, &[Value]) = match (&p.kind, input) {
                (ParameterKind::Array { ty, .. } | ParameterKind::Const { ty, .. }, Input::Array(tensor)) => {
                    if tensor.shape != shape || tensor.values.len() != shape.iter().product::<usize>() {
                        return Err(wrong);
                    }
                    (*ty, &tensor.values)
                }
                (ParameterKind::Scalar { ty }, Input::Scalar(value)) => (*ty, std::slice::from_ref(value)),
                (ParameterKind::Size, Input::Size) => {
                    parameters.push(None);
                    continue;
                }
                _ => return Err(wrong),
            };
            if values.iter().any(|v| v.ty() != ty) {
                return Err(wrong);
            }
            if let ParameterKind::Array { lengths: Some(range), .. } = &p.kind {
                let most = range.most.eval(sizes).ok_or(EvaluateError::TooLarge)?;
                let fits = |v: &Value| v.integer().is_some_and(|n| (range.least..=most).contains(&n));
                if let Some(item) = values.iter().position(|v| !fits(v)) {
                    return Err(EvaluateError::Length { parameter, item });
                }
            }
            let border = match &p.kind {
                ParameterKind::Array { border: Some(border), .. }
                | ParameterKind::Const { border: Some(border), .. } => Some(edge(border, ty, inputs).ok_or(wrong)?),
                _ => None,
            };
            let shape = shape.into_iter().map(|n| n as Int).collect();
            let by_value = matches!(p.kind, ParameterKind::Const { .. });
            parameters.push(Some(Operand { shape, values, border, by_value }));
        }
        let constants = kernel.constants.iter().map(|constant| {
            let border = constant.border.as_ref().and_then(|border| edge(border, constant.ty, inputs));
            Some(Operand { shape: constant.dims.clone(), values: &constant.values, border, by_value: true })
        });
        Ok(Arrays { parameters, constants: constants.collect() })
    }

    /// Writes the lengths of a point: `at` has the sizes of the call, the lengths and the loops. Outside its array a length is the
    /// least of its range.
    pub(crate) fn set_lengths(&self, kernel: &Kernel, at: &mut [Int]) {
        for length in kernel.lengths() {
            let index: Vec<Int> = length.index.iter().map(|(l, plus)| at[kernel.loop_dim(*l)] + plus).collect();
            at[length.size] = self.length_at(length.parameter, &index).unwrap_or(length.range.least);
        }
    }

    /// An element of an array as a whole number; `None` outside.
    pub(crate) fn length_at(&self, parameter: usize, index: &[Int]) -> Option<Int> {
        self.operand(Array::Parameter(parameter))?.element(index, None).and_then(Value::integer)
    }

    /// The length of an array along an axis.
    pub(crate) fn length(&self, array: Array, axis: usize) -> Option<Int> {
        self.operand(array)?.shape.get(axis).copied()
    }

    fn operand(&self, array: Array) -> Option<&Operand<'a>> {
        match array {
            Array::Parameter(k) => self.parameters.get(k)?.as_ref(),
            Array::Constant(k) => self.constants.get(k)?.as_ref(),
        }
    }

    /// The element at an affine index, by the border if it lies outside; `None` if there is none.
    pub(crate) fn element(&self, array: Array, index: &[Int]) -> Option<Value> {
        let operand = self.operand(array)?;
        operand.element(index, operand.border.filter(|_| !operand.by_value))
    }

    /// The element at an index that is a value.
    pub(crate) fn lookup(&self, array: Array, index: &[Int]) -> Option<Value> {
        let operand = self.operand(array)?;
        operand.element(index, operand.border)
    }
}

impl Operand<'_> {
    fn element(&self, index: &[Int], border: Option<Edge>) -> Option<Value> {
        if index.len() != self.shape.len() {
            return None;
        }
        let mut at = 0;
        for (i, n) in index.iter().zip(&self.shape) {
            let i = if (0..*n).contains(i) {
                *i
            } else {
                match border? {
                    Edge::Constant(value) => return Some(value),
                    // An axis of length 0 has no nearest element.
                    _ if *n < 1 => return None,
                    Edge::Clamp => (*i).clamp(0, n - 1),
                    Edge::Wrap => i.rem_euclid(*n),
                    // The period is once forward and once back: 0 for one element that is not repeated.
                    Edge::Mirror { repeated } => {
                        let period = 2 * (n - 1 + repeated);
                        let there = i.rem_euclid(period.max(1));
                        there.min(period - repeated - there)
                    }
                }
            };
            at = at * n + i;
        }
        self.values.get(usize::try_from(at).ok()?).copied()
    }
}

fn edge(border: &Border, ty: Type, inputs: &Inputs) -> Option<Edge> {
    let constant = |value: Value| (value.ty() == ty).then_some(Edge::Constant(value));
    match border {
        Border::Zero => constant(Value::zero(ty)),
        Border::Clamp => Some(Edge::Clamp),
        Border::Reflect => Some(Edge::Mirror { repeated: 0 }),
        Border::Symmetric => Some(Edge::Mirror { repeated: 1 }),
        Border::Wrap => Some(Edge::Wrap),
        Border::Constant(value) => constant(*value),
        Border::Scalar(parameter) => match inputs.parameters.get(*parameter)? {
            Input::Scalar(value) => constant(*value),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(border: Option<Edge>, n: Int, index: Int) -> Option<i64> {
        let values: Vec<Value> = (0..n as i64).map(Value::I64).collect();
        let operand = Operand { shape: vec![n], values: &values, border, by_value: false };
        let arrays = Arrays { parameters: vec![Some(operand)], constants: vec![] };
        match arrays.element(Array::Parameter(0), &[index]) {
            Some(Value::I64(v)) => Some(v),
            _ => None,
        }
    }

    #[test]
    fn borders_say_what_lies_outside() {
        let row = |border, n, from: Int, to: Int| (from..to).map(|i| read(border, n, i)).collect::<Vec<_>>();
        let some = |v: &[i64]| v.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(row(None, 2, -1, 3), [None, Some(0), Some(1), None]);
        assert_eq!(row(Some(Edge::Clamp), 3, -2, 5), some(&[0, 0, 0, 1, 2, 2, 2]));
        assert_eq!(row(Some(Edge::Wrap), 3, -4, 5), some(&[2, 0, 1, 2, 0, 1, 2, 0, 1]));
        let reflect = Some(Edge::Mirror { repeated: 0 });
        assert_eq!(row(reflect, 3, -5, 8), some(&[1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]));
        assert_eq!(row(reflect, 1, -2, 3), some(&[0; 5]));
        assert_eq!(row(reflect, 2, -2, 4), some(&[0, 1, 0, 1, 0, 1]));
        let symmetric = Some(Edge::Mirror { repeated: 1 });
        assert_eq!(row(symmetric, 3, -8, 8), some(&[1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]));
        assert_eq!(row(symmetric, 1, -3, 4), some(&[0; 7]));
        assert_eq!(row(symmetric, 2, -5, 5), some(&[0, 0, 1, 1, 0, 0, 1, 1, 0, 0]));
        assert_eq!(row(symmetric, 0, 0, 1), [None]);
        assert_eq!(row(Some(Edge::Constant(Value::I64(9))), 1, -1, 2), some(&[9, 0, 9]));
        assert_eq!(row(Some(Edge::Clamp), 0, 0, 1), [None]);
        assert_eq!(row(Some(Edge::Constant(Value::I64(9))), 0, 0, 1), some(&[9]));
    }
}
