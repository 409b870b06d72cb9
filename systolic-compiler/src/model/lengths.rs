//! Lengths: a parameter `n: [u32; K] in 1..=N` gives every iteration of a loop `k` a size of its own, `n[k]`.
//!
//! Every way in which a kernel indexes lengths, such as `n[k]` and `n[k - 1]`, is one more size behind those of the call. At one
//! iteration point these are independent unknowns in the declared range. Two points have the same length where their indices are
//! equal, and otherwise lengths that do not depend on each other. Outside its array a length is the least one of its range, so that
//! `n[k - 1]` has a value at `k = 0` too.
use super::{Form, Formula, Int, Kernel, ParameterKind, SizeSource};

/// The declared range of lengths, both ends included.
#[derive(Clone, Debug)]
pub struct Lengths {
    pub least: Int,
    /// A form over the sizes of the call.
    pub most: Form,
}

/// A length among the sizes of a kernel: `n[k - 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Length<'k> {
    /// Its number among the sizes, which is also its dimension.
    pub size: usize,
    pub parameter: usize,
    /// Per axis of the parameter, a loop and what is added to it.
    pub index: &'k [(usize, Int)],
    pub range: &'k Lengths,
}

impl Length<'_> {
    /// A value lies in the declared range.
    pub fn in_range(&self, value: &Form) -> Formula {
        Formula::within(value, &Form::constant(self.range.least), &self.range.most.plus(1))
    }

    /// The range, if both ends are constants of the instance.
    pub fn constant_range(&self) -> Option<(Int, Int)> {
        let Lengths { least, most } = self.range;
        most.is_constant().then(|| (*least, most.constant.max(*least)))
    }

    /// Whether the length depends on a loop.
    pub fn follows(&self, l: usize) -> bool {
        self.index.iter().any(|(of, _)| *of == l)
    }

    /// Its index at a point, given as a form per dimension of the kernel.
    pub fn at(&self, kernel: &Kernel, point: &[Form]) -> Vec<Form> {
        self.index.iter().map(|(l, plus)| point[kernel.loop_dim(*l)].plus(*plus)).collect()
    }
}

impl Kernel {
    /// How many of the sizes a call gives; the others are lengths.
    pub fn call_sizes(&self) -> usize {
        self.sizes.iter().filter(|s| !matches!(s.source, SizeSource::Length { .. })).count()
    }

    /// The lengths among the sizes.
    pub fn lengths(&self) -> impl Iterator<Item = Length<'_>> {
        self.sizes.iter().enumerate().filter_map(|(size, s)| match &s.source {
            SizeSource::Length { parameter, index } => {
                let range = self.range_of(*parameter)?;
                Some(Length { size, parameter: *parameter, index, range })
            }
            SizeSource::Parameter { .. } | SizeSource::Shape { .. } => None,
        })
    }

    /// Whether other iterations of a loop may have other lengths. All points of a step have the same lengths, so no lawful map has
    /// such a loop in the lanes or in tiles.
    pub fn gives_lengths(&self, l: usize) -> bool {
        self.lengths().any(|length| length.index.iter().any(|(of, _)| *of == l))
    }

    /// The range of the elements of a parameter, if they are lengths.
    pub fn range_of(&self, parameter: usize) -> Option<&Lengths> {
        match &self.parameters.get(parameter)?.kind {
            ParameterKind::Array { lengths, .. } => lengths.as_ref(),
            _ => None,
        }
    }

    /// Whether an index of a length may lie outside its array, other than a loop from 0 to the length of the axis.
    pub fn reaches_beyond(&self, length: &Length) -> bool {
        let Some(dims) = self.dims_of(length.parameter) else { return false };
        let whole = |((l, plus), dim): (&(usize, Int), &Form)| {
            let of = &self.loops[*l];
            *plus == 0 && of.low == Form::constant(0) && of.high == *dim
        };
        !length.index.iter().zip(dims).all(whole)
    }

    /// Outside its array a length is the least of its range. The point is given as a form per dimension.
    pub fn least_outside(&self, length: &Length, point: &[Form]) -> Formula {
        let Some(dims) = self.dims_of(length.parameter) else { return Formula::True };
        let at = length.at(self, point);
        let inside = at.iter().zip(dims).map(|(at, dim)| Formula::within(at, &Form::constant(0), dim)).collect();
        let least = Formula::equal(&point[length.size], &Form::constant(length.range.least));
        Formula::All(inside).or(least)
    }

    fn dims_of(&self, parameter: usize) -> Option<&[Form]> {
        match &self.parameters.get(parameter)?.kind {
            ParameterKind::Array { dims, .. } => Some(dims),
            _ => None,
        }
    }

    /// Whether a length depends on this loop.
    pub fn has_lengths_along(&self, l: usize) -> bool {
        self.lengths().any(|length| length.follows(l))
    }

    /// A form with every length at the end of its range where the form is greatest: a form over the sizes of the call and the loops.
    pub fn with_greatest_lengths(&self, form: &Form) -> Form {
        self.lengths().fold(form.clone(), |form, length| {
            let c = form.coef(length.size);
            let end = if c > 0 { length.range.most.clone() } else { Form::constant(length.range.least) };
            &form + &(&end - &Form::var(length.size)).scale(c)
        })
    }
}
