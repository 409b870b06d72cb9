//! One call of a kernel: its sizes, solved from the shapes of the arguments, and the shapes and loop bounds that follow.
use crate::error::{Error, Expected, Failure, SizeValue};
use crate::form::Form;
use crate::lengths::whole;
use crate::limits::Limits;
use crate::points;
use crate::quick;
use crate::signature::{Array, Lengths, Signature, Source};
use ndarray::{ArrayView, Dimension};
use systolic_arith::Scalar;

/// The largest size. Sums and products of a few of them stay far inside 64 bits.
pub const LARGEST_SIZE: i64 = 1 << 36;
/// The largest absolute value of a loop.
const LARGEST_LOOP: i128 = 1 << 40;
/// The largest index a body may compute.
const LARGEST_INDEX: i128 = 1 << 62;
/// How many evaluations take as long as an iteration of a loop that counts points.
const VISITED: i128 = 16;

/// The sizes of one call.
#[derive(Clone, Debug)]
pub struct Call {
    signature: &'static Signature,
    sizes: quick::Sizes,
    empty: bool,
}

/// The range of a loop's values over all points: low inclusive, high exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first value.
    pub low: i64,
    /// One past the last value; not below `low`.
    pub high: i64,
}

impl Range {
    /// Returns how many layers a grid has along this loop, of which it keeps at most these.
    pub fn layers(self, keep: i64) -> i64 {
        (self.high - self.low).min(keep).max(0)
    }
}

impl Signature {
    /// Solves the sizes from the shapes of the array parameters and the values of the `size` parameters. Fails if a
    /// dimension or a condition of the `where` does not fit, or if a size is outside its limits.
    pub fn call(&'static self, shapes: &[&[usize]], given: &[usize]) -> Result<Call, Failure> {
        match quick::sizes(self, shapes, given, LARGEST_SIZE) {
            Some(sizes) => Ok(Call { signature: self, sizes, empty: false }),
            None => Ok(self.call_with_reasons(shapes, given)?),
        }
    }

    /// The slow path of [`call`](Signature::call): handles sizes below 1 and sizes that follow from later ones, and returns
    /// every error.
    #[cold]
    fn call_with_reasons(&'static self, shapes: &[&[usize]], given: &[usize]) -> Result<Call, Error> {
        let sizes = self.solve(shapes, given)?;
        self.check_shapes(shapes, &sizes)?;
        for (size, value) in self.sizes.iter().zip(&sizes) {
            let limit = i128::from(LARGEST_SIZE);
            if *value > limit {
                return Err(Error::Limit { what: format!("size {}", size.name), value: *value, limit });
            }
        }
        // Conditions are checked even if all outputs are empty and nothing is computed.
        for condition in self.conditions {
            if condition.formula.holds(&sizes) != Some(true) {
                let mut used = vec![false; self.sizes.len()];
                condition.formula.forms(&mut |form| mark(form, &mut used));
                let sizes = self.values(&used, &sizes);
                return Err(Error::Condition { condition: condition.text, sizes });
            }
        }
        let small = sizes.iter().position(|value| *value < 1);
        // At most 2³⁶; a negative size is bounded by the length and the other terms of the dimension it was solved from.
        let mut narrow = quick::Sizes::new(sizes.len(), 0);
        for (narrow, size) in narrow.iter_mut().zip(&sizes) {
            *narrow = i64::try_from(*size).unwrap_or(0);
        }
        let call = Call { signature: self, sizes: narrow, empty: small.is_some() };
        if let Some(k) = small {
            // The laws assume sizes of at least 1. Below that a call is valid only if all outputs are empty.
            let nothing = self.outputs.iter().all(|output| output.dims.iter().any(|dim| length(dim, &sizes) == 0));
            return if nothing { Ok(call) } else { Err(Error::Size { size: self.value(k, &sizes) }) };
        }
        Ok(call)
    }

    /// Solves for one unknown size at a time.
    fn solve(&self, shapes: &[&[usize]], given: &[usize]) -> Result<Vec<i128>, Error> {
        let mut values: Vec<Option<i128>> = vec![None; self.sizes.len()];
        // Each round finds at least one size: the compiler has checked that there is an order in which they follow.
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

    /// size = (length − rest) / coefficient, or `None` while a size in the rest is unknown.
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

    /// Checks every dimension of every input against the sizes.
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

    /// Separate from the check, because every call runs the check.
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

/// The length of a dimension. A negative one counts as 0; one that overflows becomes `usize::MAX`, which no shape has.
fn length(dim: &Form, sizes: &[i128]) -> usize {
    dim.value(sizes).map_or(usize::MAX, |v| usize::try_from(v.max(0)).unwrap_or(usize::MAX))
}

/// Marks the dimensions that a form uses.
fn mark(form: &Form, used: &mut [bool]) {
    for (used, c) in used.iter_mut().zip(form.coefs) {
        *used |= *c != 0;
    }
}

/// The length of an axis for emitted code, or -1 if there is no such axis.
#[inline]
pub fn axis(shape: &[usize], k: usize) -> i64 {
    if k < shape.len() { shape[k] as i64 } else { -1 }
}

impl Call {
    /// Returns a call of the first `count` of these sizes. Emitted code has compared them with every shape and found each from 1 to the
    /// signature's `near`.
    #[inline]
    pub fn near(signature: &'static Signature, count: usize, sizes: [i64; 4]) -> Call {
        Call { signature, sizes: quick::Sizes::first(count, sizes), empty: false }
    }

    /// Returns whether a size is below 1. Then every output is empty and there is nothing to compute.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Returns the sizes in order.
    pub fn sizes<const N: usize>(&self) -> [i64; N] {
        let mut sizes = [0; N];
        let (from, mut k) = (&*self.sizes, 0);
        while k < N && k < from.len() {
            sizes[k] = from[k];
            k += 1;
        }
        sizes
    }

    /// Returns all sizes in order, for any number of them.
    pub fn all_sizes(&self) -> Vec<i64> {
        self.sizes.to_vec()
    }

    /// Returns the shape of output `k`, of any rank.
    pub fn shape(&self, k: usize) -> Vec<usize> {
        let rank = self.signature.outputs.get(k).map_or(0, |output| output.dims.len());
        let mut shape = vec![0; rank];
        self.lengths_of(k, &mut shape);
        shape
    }

    /// Returns the names of the array parameters and of the outputs.
    pub fn array_names(&self) -> (Vec<&'static str>, Vec<&'static str>) {
        let names = |arrays: &'static [Array]| arrays.iter().map(|array| array.name).collect();
        (names(self.signature.inputs), names(self.signature.outputs))
    }

    /// Returns the lengths of output `k`.
    pub fn lengths<const N: usize>(&self, k: usize) -> [usize; N] {
        let mut lengths = [0; N];
        self.lengths_of(k, &mut lengths);
        lengths
    }

    /// Returns the lengths of an array between the passes of a kernel.
    pub fn lengths_between<const N: usize>(&self, dims: &[Form; N]) -> [usize; N] {
        let mut lengths = [0; N];
        for (length, dim) in lengths.iter_mut().zip(dims) {
            *length = quick::length(dim, &self.sizes).unwrap_or(usize::MAX);
        }
        lengths
    }

    #[inline(never)]
    fn lengths_of(&self, k: usize, lengths: &mut [usize]) {
        let dims = self.signature.outputs.get(k).map_or(&[][..], |output| output.dims);
        for (length, dim) in lengths.iter_mut().zip(dims) {
            *length = quick::length(dim, &self.sizes).unwrap_or(usize::MAX);
        }
    }

    /// Fails unless the shape of output `k` is the one that follows from the sizes.
    #[inline(never)]
    pub fn check_output(&self, k: usize, shape: &[usize]) -> Result<(), Failure> {
        match self.signature.outputs.get(k) {
            Some(output) if quick::has_shape(output, shape, &self.sizes) => Ok(()),
            Some(output) => Ok(self.signature.check_shape(output, shape, &self.wide())?),
            None => Ok(()),
        }
    }

    /// Returns one range per loop that contains the loop's values at all points. Fails if a loop or index exceeds its limit.
    #[inline]
    pub fn hull<const N: usize>(&self) -> Result<[Range; N], Failure> {
        let mut hull = [Range { low: 0, high: 0 }; N];
        match self.hull_into(&mut hull) {
            Ok(()) => Ok(hull),
            Err(why) => Err(why),
        }
    }

    /// As [`hull`](Call::hull), for any number of loops, so that it is compiled once.
    #[inline(never)]
    fn hull_into(&self, hull: &mut [Range]) -> Result<(), Failure> {
        match self.signature.loops.len().checked_sub(hull.len()) {
            None | Some(0) => Ok(self.hull_of(hull)?),
            // The first ranges are those of lengths.
            Some(lengths) => {
                let mut all = vec![Range { low: 0, high: 0 }; self.signature.loops.len()];
                self.hull_of(&mut all)?;
                hull.copy_from_slice(&all[lengths..]);
                Ok(())
            }
        }
    }

    /// Returns whether fewer than one in [`evaluations_per_point`](crate::Limits) of these places or evaluations is a point, and then
    /// the number of points. Counting takes less time than the evaluations would: it ends when enough are found, or after too many
    /// empty iterations. Where lengths decide it, the points of all lengths in their range are counted, which are more.
    #[inline(never)]
    pub fn sparse(&self, of: i128) -> Option<i128> {
        let enough = of / i128::from(Limits::get().evaluations_per_point.max(1));
        let (mut values, loops) = (self.wide(), self.signature.loops);
        values.resize(self.sizes.len() + loops.len(), 0);
        let points = points::count(loops, &mut values, self.sizes.len(), enough, &mut (of / VISITED))?;
        Some(points).filter(|points| *points < enough)
    }

    /// Fails unless every element lies in the declared range. The error names the first that does not.
    pub fn check_lengths<T: Scalar, D: Dimension>(
        &self,
        declared: &Lengths,
        lengths: &ArrayView<'_, T, D>,
    ) -> Result<(), Failure> {
        let most = declared.most.value(&self.wide()).unwrap_or(i128::MAX);
        for (number, value) in lengths.iter().enumerate() {
            let value = whole(*value);
            if !(declared.least..=most.min(LARGEST_SIZE.into())).contains(&value) {
                return Err(self.length_error(declared, (number, lengths.shape()), value, most).into());
            }
        }
        Ok(())
    }

    /// The error for an item, given by its number in order and the shape of the lengths.
    #[cold]
    fn length_error(&self, of: &Lengths, (mut number, shape): (usize, &[usize]), value: i128, most: i128) -> Error {
        if (of.least..=most).contains(&value) {
            return Error::Limit { what: format!("a length in `{}`", of.name), value, limit: LARGEST_SIZE.into() };
        }
        let mut item: Vec<usize> = Vec::new();
        for length in shape.iter().rev() {
            item.insert(0, number % (*length).max(1));
            number /= (*length).max(1);
        }
        let mut used = vec![false; self.signature.sizes.len()];
        mark(&of.most, &mut used);
        let sizes = self.signature.values(&used, &self.wide());
        Error::Length { parameter: of.name, item, value, least: of.least, most, sizes }
    }

    /// Fails if the values of a loop, or an index, exceed their limit.
    #[inline(never)]
    pub fn check_loops(&self) -> Result<(), Failure> {
        if self.sizes.iter().all(|size| *size <= self.signature.near) {
            return Ok(());
        }
        let mut hull = vec![Range { low: 0, high: 0 }; self.signature.loops.len()];
        Ok(self.hull_of(&mut hull)?)
    }

    /// The ranges of all loops, with those of lengths.
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

    /// The slow path of [`hull`](Call::hull): computes in 128 bits, and returns the error for a value beyond a limit.
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
            // Both are within the limit, so they fit.
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
