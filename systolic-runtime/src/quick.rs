//! The fast path for the sizes of a call, in 64 bits. Every call starts with it, so it allocates nothing in the usual case and
//! gives no reasons: on `None`, [`crate::call`] solves the sizes again in 128 bits and returns the error, if any.
use crate::call::Range;
use crate::form::{Form, Formula, Simple};
use crate::short::Short;
use crate::signature::{Array, Signature, Source};

/// The sizes of a call; up to four are kept without an allocation.
pub type Sizes = Short<i64, 4>;

/// Returns the sizes if each is at least 1 and at most `largest`, every shape fits and every condition holds.
#[inline(never)]
pub fn sizes(signature: &Signature, shapes: &[&[usize]], given: &[usize], largest: i64) -> Option<Sizes> {
    let mut sizes = Sizes::new(signature.sizes.len(), 0);
    for (k, size) in signature.sizes.iter().enumerate() {
        let value = match size.source {
            Source::Given(n) => i64::try_from(*given.get(n)?).ok()?,
            Source::Shape { input, axis } => {
                let form = signature.inputs.get(input)?.dims.get(axis)?;
                let length = i64::try_from(*shapes.get(input)?.get(axis)?).ok()?;
                solve(form, k, length, &sizes)?
            }
        };
        if !(1..=largest).contains(&value) {
            return None;
        }
        *sizes.get_mut(k)? = value;
    }
    let fits = |(array, shape): (&Array, &&[usize])| has_shape(array, shape, &sizes);
    let holds = signature.inputs.iter().zip(shapes).all(fits)
        && signature.conditions.iter().all(|condition| holds(&condition.formula, &sizes) == Some(true));
    holds.then_some(sizes)
}

/// Solves for size `k` from a dimension of this length. `None` if the dimension contains a later size, which is still unknown.
#[inline]
fn solve(form: &Form, k: usize, length: i64, sizes: &[i64]) -> Option<i64> {
    match form.simple {
        Simple::Plus(size, plus) if size == k => length.checked_sub(plus),
        _ => solve_any(form, k, length, sizes),
    }
}

#[inline(never)]
fn solve_any(form: &Form, k: usize, length: i64, sizes: &[i64]) -> Option<i64> {
    if form.coefs.iter().skip(k + 1).any(|c| *c != 0) {
        return None;
    }
    // Size `k` itself is still 0 in `sizes`.
    let whole = length.checked_sub(value(form, sizes)?)?;
    match small(*form.coefs.get(k)?)? {
        1 => Some(whole),
        coef if whole.checked_rem(coef)? == 0 => whole.checked_div(coef),
        _ => None,
    }
}

/// Returns whether an array has the shape that follows from the sizes.
#[inline]
pub fn has_shape(array: &Array, shape: &[usize], sizes: &[i64]) -> bool {
    let fits = |(dim, got): (&Form, &usize)| length(dim, sizes) == Some(*got);
    array.dims.len() == shape.len() && array.dims.iter().zip(shape).all(fits)
}

/// Returns the length of a dimension; a negative one counts as 0.
#[inline]
pub fn length(dim: &Form, sizes: &[i64]) -> Option<usize> {
    usize::try_from(value(dim, sizes)?.max(0)).ok()
}

/// Computes one range per loop. `None` if a bound exceeds `largest`, or if the kernel has forms that may overflow 64 bits.
#[inline(never)]
pub fn hull(signature: &Signature, sizes: &[i64], largest: i64, hull: &mut [Range]) -> Option<()> {
    if !signature.wide.is_empty() {
        return None;
    }
    let mut ranges: Short<(i64, i64), 8> = Short::new(sizes.len() + hull.len(), (0, 0));
    for (range, size) in ranges.iter_mut().zip(sizes) {
        *range = (*size, *size);
    }
    for (k, (range, l)) in hull.iter_mut().zip(signature.loops).enumerate() {
        let known = ranges.get(..sizes.len() + k)?;
        let (low, high) = (interval(&l.low, known)?.0, interval(&l.high, known)?.1);
        let high = high.max(low);
        if low < -largest || high > largest {
            return None;
        }
        *range = Range { low, high };
        *ranges.get_mut(sizes.len() + k)? = (low, high);
    }
    Some(())
}

#[inline]
fn small(number: i128) -> Option<i64> {
    i64::try_from(number).ok()
}

#[inline]
fn value(form: &Form, dims: &[i64]) -> Option<i64> {
    match form.simple {
        Simple::Plus(k, plus) => dims.get(k)?.checked_add(plus),
        Simple::Number(number) => Some(number),
        Simple::No => any_value(form, dims),
    }
}

#[inline(never)]
fn any_value(form: &Form, dims: &[i64]) -> Option<i64> {
    let mut sum = small(form.constant)?;
    for (c, d) in form.coefs.iter().zip(dims) {
        // Most are 0 or 1.
        match *c {
            0 => {}
            1 => sum = sum.checked_add(*d)?,
            c => sum = sum.checked_add(small(c)?.checked_mul(*d)?)?,
        }
    }
    Some(sum)
}

#[inline]
fn interval(form: &Form, ranges: &[(i64, i64)]) -> Option<(i64, i64)> {
    let constant = small(form.constant)?;
    let mut interval = (constant, constant);
    for (c, (low, high)) in form.coefs.iter().zip(ranges) {
        let c = small(*c)?;
        let (a, b) = (c.checked_mul(*low)?, c.checked_mul(*high)?);
        interval = (interval.0.checked_add(a.min(b))?, interval.1.checked_add(a.max(b))?);
    }
    Some(interval)
}

fn holds(formula: &Formula, dims: &[i64]) -> Option<bool> {
    Some(match formula {
        Formula::AtLeast(form) => value(form, dims)? >= 0,
        Formula::Zero(form) => value(form, dims)? == 0,
        Formula::Remainder { form, modulus, is } => {
            value(form, dims)?.checked_rem_euclid(small(*modulus)?)? == small(*is)?
        }
        // Rare: left to the slow path in 128 bits.
        _ => return None,
    })
}
