//! One call of a kernel: its sizes, solved from the shapes that came, and what follows from them.
use crate::error::{Error, Expected, SizeValue};
use crate::form::Form;
use crate::quick;
use crate::signature::{Array, Signature, Source};

/// The largest size. Sums and products of a few of them stay far inside 64 bits.
const LARGEST_SIZE: i128 = 1 << 36;
/// The largest loop value, either side of zero.
const LARGEST_LOOP: i128 = 1 << 40;
/// The largest index a body may compute.
const LARGEST_INDEX: i128 = 1 << 62;

/// The sizes of one call.
#[derive(Clone, Debug)]
pub struct Call {
    signature: &'static Signature,
    sizes: quick::Sizes,
    empty: bool,
}

/// The values of a loop over all points: low inclusive, high exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first.
    pub low: i64,
    /// One past the last; not below `low`.
    pub high: i64,
}

impl Signature {
    /// Solves the sizes from the shapes of the array parameters and the values of the `size` parameters, and checks
    /// every dimension and condition.
    pub fn call(&'static self, shapes: &[&[usize]], given: &[usize]) -> Result<Call, Error> {
        match quick::sizes(self, shapes, given, LARGEST_SIZE as i64) {
            Some(sizes) => Ok(Call { signature: self, sizes, empty: false }),
            None => self.call_with_reasons(shapes, given),
        }
    }

    /// The same with all that can be unusual: sizes below 1, sizes that follow from later ones, and every error.
    #[cold]
    fn call_with_reasons(&'static self, shapes: &[&[usize]], given: &[usize]) -> Result<Call, Error> {
        let sizes = self.solve(shapes, given)?;
        self.check_shapes(shapes, &sizes)?;
        for (size, value) in self.sizes.iter().zip(&sizes) {
            if *value > LARGEST_SIZE {
                return Err(Error::Limit { what: format!("size {}", size.name), value: *value, limit: LARGEST_SIZE });
            }
        }
        // Also where nothing is computed: what a condition asks for does not depend on the rest of the call.
        for condition in self.conditions {
            if condition.formula.holds(&sizes) != Some(true) {
                let mut used = vec![false; self.sizes.len()];
                condition.formula.forms(&mut |form| mark(form, &mut used));
                let sizes = self.values(&used, &sizes);
                return Err(Error::Condition { condition: condition.text, sizes });
            }
        }
        let small = sizes.iter().position(|value| *value < 1);
        // At most 2³⁶, and a length is at least as large as what it was solved for is small.
        let mut narrow = quick::Sizes::new(sizes.len(), 0);
        for (narrow, size) in narrow.iter_mut().zip(&sizes) {
            *narrow = i64::try_from(*size).unwrap_or(0);
        }
        let call = Call { signature: self, sizes: narrow, empty: small.is_some() };
        if let Some(k) = small {
            // The laws assume sizes of at least 1: below that only "nothing" has a meaning.
            let nothing = self.outputs.iter().all(|output| output.dims.iter().any(|dim| length(dim, &sizes) == 0));
            return if nothing { Ok(call) } else { Err(Error::Size { size: self.value(k, &sizes) }) };
        }
        Ok(call)
    }

    /// One unknown at a time, until every size has its value.
    fn solve(&self, shapes: &[&[usize]], given: &[usize]) -> Result<Vec<i128>, Error> {
        let mut values: Vec<Option<i128>> = vec![None; self.sizes.len()];
        // Each round settles at least one size, as the compiler found an order in which they follow.
        for _ in 0..self.sizes.len() {
            let mut open = false;
            for (k, size) in self.sizes.iter().enumerate() {
                if values[k].is_some() {
                    continue;
                }
                values[k] = match size.source {
                    Source::Given(n) => given.get(n).map(|v| *v as i128),
                    Source::Shape { input, axis } => self.solve_one(k, input, axis, shapes, &values)?,
                };
                open |= values[k].is_none();
            }
            if !open {
                break;
            }
        }
        Ok(values.into_iter().map(|value| value.unwrap_or(0)).collect())
    }

    /// size = (length − rest) / coefficient, or nothing while the rest is not known.
    fn solve_one(
        &self,
        size: usize,
        input: usize,
        axis: usize,
        shapes: &[&[usize]],
        values: &[Option<i128>],
    ) -> Result<Option<i128>, Error> {
        let (Some(array), Some(shape)) = (self.inputs.get(input), shapes.get(input)) else { return Ok(None) };
        let (Some(form), Some(length)) = (array.dims.get(axis), shape.get(axis)) else { return Ok(None) };
        let mut rest = form.constant;
        for (k, c) in form.coefs.iter().enumerate().filter(|(k, c)| *k != size && **c != 0) {
            let Some(Some(value)) = values.get(k) else { return Ok(None) };
            let term = c.checked_mul(*value).and_then(|term| rest.checked_add(term));
            rest = term.ok_or_else(|| self.too_large(array, *value))?;
        }
        let length = *length;
        let whole = (length as i128).checked_sub(rest).ok_or_else(|| self.too_large(array, rest))?;
        let coef = form.coef(size);
        match (whole.checked_rem(coef), whole.checked_div(coef)) {
            (Some(0), Some(value)) => Ok(Some(value)),
            _ => Err(Error::Remainder {
                parameter: array.name,
                axis,
                dimension: form.text(&self.names()),
                length,
                size: self.sizes.get(size).map_or("", |s| s.name),
            }),
        }
    }

    fn too_large(&self, array: &Array, value: i128) -> Error {
        Error::Limit { what: format!("a dimension of `{}`", array.name), value, limit: LARGEST_INDEX }
    }

    /// Every dimension of every input against the sizes.
    fn check_shapes(&self, shapes: &[&[usize]], sizes: &[i128]) -> Result<(), Error> {
        self.inputs.iter().zip(shapes).try_for_each(|(array, shape)| self.check_shape(array, shape, sizes))
    }

    fn check_shape(&self, array: &Array, shape: &[usize], sizes: &[i128]) -> Result<(), Error> {
        let fits = |(dim, got): (&Form, &usize)| length(dim, sizes) == *got;
        if array.dims.len() == shape.len() && array.dims.iter().zip(shape).all(fits) {
            return Ok(());
        }
        Err(self.shape_error(array, shape, sizes))
    }

    /// Apart from the check, which every call makes.
    #[cold]
    fn shape_error(&self, array: &Array, shape: &[usize], sizes: &[i128]) -> Error {
        let mut used = vec![false; self.sizes.len()];
        array.dims.iter().for_each(|dim| mark(dim, &mut used));
        let expected = Expected {
            dimensions: array.dims.iter().map(|dim| dim.text(&self.names())).collect(),
            lengths: array.dims.iter().map(|dim| length(dim, sizes)).collect(),
            sizes: self.values(&used, sizes),
        };
        Error::Shape { parameter: array.name, expected: Box::new(expected), got: shape.to_vec() }
    }

    fn names(&self) -> Vec<&'static str> {
        self.sizes.iter().map(|size| size.name).collect()
    }

    fn value(&self, k: usize, sizes: &[i128]) -> SizeValue {
        let (name, from) = self.sizes.get(k).map_or(("", ""), |size| {
            let from = match size.source {
                Source::Given(_) => size.name,
                Source::Shape { input, .. } => self.inputs.get(input).map_or("", |array| array.name),
            };
            (size.name, from)
        });
        SizeValue { name, value: sizes.get(k).copied().unwrap_or(0), from }
    }

    fn values(&self, used: &[bool], sizes: &[i128]) -> Vec<SizeValue> {
        (0..used.len()).filter(|k| used[*k]).map(|k| self.value(k, sizes)).collect()
    }
}

/// The length of a dimension: one that comes out below 0 counts as 0, one that overflows fits nothing.
fn length(dim: &Form, sizes: &[i128]) -> usize {
    dim.value(sizes).map_or(usize::MAX, |v| usize::try_from(v.max(0)).unwrap_or(usize::MAX))
}

/// Marks the dimensions that a form uses.
fn mark(form: &Form, used: &mut [bool]) {
    for (used, c) in used.iter_mut().zip(form.coefs) {
        *used |= *c != 0;
    }
}

impl Call {
    /// Whether a size is below 1: then every output is empty and nothing is to be computed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The sizes in order.
    pub fn sizes<const N: usize>(&self) -> [i64; N] {
        let mut sizes = [0; N];
        for (size, value) in sizes.iter_mut().zip(&*self.sizes) {
            *size = *value;
        }
        sizes
    }

    /// All sizes in order, as many as there are.
    pub(crate) fn all_sizes(&self) -> Vec<i64> {
        self.sizes.to_vec()
    }

    /// The lengths of output `k`.
    pub fn lengths<const N: usize>(&self, k: usize) -> [usize; N] {
        let mut lengths = [0; N];
        self.lengths_of(k, &mut lengths);
        lengths
    }

    #[inline(never)]
    fn lengths_of(&self, k: usize, lengths: &mut [usize]) {
        let dims = self.signature.outputs.get(k).map_or(&[][..], |output| output.dims);
        for (length, dim) in lengths.iter_mut().zip(dims) {
            *length = quick::length(dim, &self.sizes).unwrap_or(usize::MAX);
        }
    }

    /// Output `k` has the shape that follows.
    #[inline(never)]
    pub fn check_output(&self, k: usize, shape: &[usize]) -> Result<(), Error> {
        match self.signature.outputs.get(k) {
            Some(output) if quick::has_shape(output, shape, &self.sizes) => Ok(()),
            Some(output) => self.signature.check_shape(output, shape, &self.wide()),
            None => Ok(()),
        }
    }

    /// A range a loop that holds its values at every point.
    pub fn hull<const N: usize>(&self) -> Result<[Range; N], Error> {
        let mut hull = [Range { low: 0, high: 0 }; N];
        self.hull_of(&mut hull)?;
        Ok(hull)
    }

    /// The values of no loop, and no index, are beyond a limit.
    #[inline(never)]
    pub fn check_loops(&self) -> Result<(), Error> {
        if self.sizes.iter().all(|size| *size <= self.signature.near) {
            return Ok(());
        }
        let mut hull = vec![Range { low: 0, high: 0 }; self.signature.loops.len()];
        self.hull_of(&mut hull)
    }

    /// The same for any number of loops, compiled once.
    #[inline(never)]
    fn hull_of(&self, hull: &mut [Range]) -> Result<(), Error> {
        match quick::hull(self.signature, &self.sizes, LARGEST_LOOP as i64, hull) {
            Some(()) => Ok(()),
            None => self.hull_with_reasons(hull),
        }
    }

    /// The sizes in 128 bits.
    fn wide(&self) -> Vec<i128> {
        self.sizes.iter().map(|size| i128::from(*size)).collect()
    }

    /// The same in 128 bits, with the words for what is beyond a limit.
    #[cold]
    fn hull_with_reasons(&self, hull: &mut [Range]) -> Result<(), Error> {
        let limit = |what: String, value| Error::Limit { what, value, limit: LARGEST_LOOP };
        let mut ranges: Vec<(i128, i128)> = self.wide().into_iter().map(|v| (v, v)).collect();
        for (range, l) in hull.iter_mut().zip(self.signature.loops) {
            let bounds = l.low.interval(&ranges).zip(l.high.interval(&ranges));
            let Some(((low, _), (_, high))) = bounds else {
                return Err(limit(format!("a bound of loop {}", l.name), i128::MAX));
            };
            let high = high.max(low);
            for bound in [low, high] {
                if bound.unsigned_abs() > LARGEST_LOOP.unsigned_abs() {
                    return Err(limit(format!("a bound of loop {}", l.name), bound));
                }
            }
            // Within the limit, so both fit.
            *range = Range { low: low as i64, high: high as i64 };
            ranges.push((low, high));
        }
        for form in self.signature.wide {
            let magnitude = form.magnitude(&ranges).unwrap_or(i128::MAX);
            if magnitude > LARGEST_INDEX {
                let what = "an index of the kernel".to_string();
                return Err(Error::Limit { what, value: magnitude, limit: LARGEST_INDEX });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
