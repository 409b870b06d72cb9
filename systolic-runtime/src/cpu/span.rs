//! Spans: the elements that all steps of two nested loops access, located and checked once, before the loops.
#![allow(unsafe_code)]
use super::vector::low;
use super::window::WIDEST_STEP;
use super::{Element, In, LANES, Mask, Offsets, Out, Simd, Vector};
use crate::words::LINE;
use std::marker::PhantomData;
use std::ops::Range;

/// The steps of two nested loops.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The number of iterations of the outer loop.
    pub rows: i64,
    /// The number of iterations of the inner loop.
    pub steps: i64,
}

/// Returns how many of a row's lanes lie beyond `steps` whole steps, if that is a part of a step. The row has `lanes` lanes, of
/// which the loop runs those of its `most` steps.
#[cfg_attr(optimised, inline(always))]
pub fn more(lanes: i64, most: i64, steps: i64) -> i64 {
    let all = lanes.min(most.saturating_mul(LANES as i64));
    let more = all.saturating_sub(steps.saturating_mul(LANES as i64));
    if steps > 0 && (0..LANES as i64).contains(&more) { more } else { 0 }
}

impl Steps {
    /// No steps.
    const NONE: Steps = Steps { rows: 0, steps: 0 };

    /// Returns how far the last step is from the first along an axis, in the outer and the inner loop, if there are steps. One more
    /// step goes beyond the last one by `more` lanes, if there are any; then lanes and steps must be the same distance apart.
    #[cfg_attr(optimised, inline(always))]
    fn ends(self, by: [i64; 2], more: i64) -> Option<[i64; 2]> {
        if self.rows < 1 || self.steps < 1 || more > 0 && by[1] % LANES as i64 != 0 {
            return None;
        }
        let end = by[1].checked_mul(self.steps - 1)?;
        let more = (by[1] / LANES as i64).checked_mul(more)?;
        Some([by[0].checked_mul(self.rows - 1)?, end.checked_add(more)?])
    }

    /// Returns the one more step alone, if there is one.
    #[cfg_attr(optimised, inline(always))]
    fn only_last(self, more: i64) -> Steps {
        Steps { rows: self.rows, steps: i64::from(more > 0 && self.steps > 0) }
    }

    /// Returns how far the one more step is from the first in memory; `by` is the distance of steps.
    #[cfg_attr(optimised, inline(always))]
    fn last(self, by: i64, more: i64) -> i64 {
        let end = by.wrapping_mul(self.steps.wrapping_sub(1));
        end.wrapping_add((by / LANES as i64).wrapping_mul(more))
    }

    /// Returns whether an index is below `room` in all steps: it is so in the four corners.
    #[cfg_attr(optimised, inline(always))]
    fn is_below(self, i: i64, by: [i64; 2], more: i64, room: i64) -> Option<bool> {
        let [row, step] = self.ends(by, more)?;
        let (a, b) = (i.checked_add(row)?, i.checked_add(step)?);
        let c = a.checked_add(step)?;
        let room = if room < 0 { 0 } else { room as u64 };
        // As unsigned numbers, negative indices are too large.
        Some((i as u64) < room && (a as u64) < room && (b as u64) < room && (c as u64) < room)
    }

    /// Returns a cell from which all windows, of this length, lie in memory, for windows that have no element there from `cell` on. Returns
    /// `None` if they have some, or if memory is too short.
    #[cold]
    #[inline(never)]
    fn instead(self, cell: i64, by: [i64; 2], more: i64, length: usize, memory: usize) -> Option<i64> {
        let [row, step] = self.ends(by, more)?;
        let before = row.min(0).checked_add(step.min(0))?;
        let after = row.max(0).checked_add(step.max(0))?.checked_add(length as i64)?;
        let (first, end) = (cell.checked_add(before)?, cell.checked_add(after)?);
        let (is_outside, fits) = (end <= 0 || first >= memory as i64, after.checked_sub(before)? <= memory as i64);
        (is_outside && fits).then(|| -before)
    }

    /// Returns the steps of all of these, which are the same unless some has none.
    #[cfg_attr(optimised, inline(always))]
    pub fn all<const M: usize>(each: [Steps; M]) -> Steps {
        let (mut least, mut k) = (if M == 0 { Steps::NONE } else { each[0] }, 1);
        // Only the least of numbers, so that a comparison with any of them vanishes in a loop over these steps.
        while k < M {
            least = Steps { rows: least.rows.min(each[k].rows), steps: least.steps.min(each[k].steps) };
            k += 1;
        }
        least
    }

    /// Returns the other steps of the two loops, which run from `low` to `high`, as four parts. These steps begin at `first`, and
    /// with `more` lanes there is one more. The outer loop is given first.
    ///
    /// ```text
    /// 0 0 1 1 1 3
    /// 0 0 . . . 3      a row for each iteration of the outer loop, a column for each of the inner;
    /// 0 0 . . . 3      `.` are these steps
    /// 0 0 2 2 2 3
    /// ```
    #[cfg_attr(optimised, inline(always))]
    pub fn around(self, more: i64, first: [i64; 2], low: [i64; 2], high: [i64; 2]) -> [Part; 4] {
        let end = [high[0].wrapping_add(1), high[1].wrapping_add(1)];
        let [row, column] = if self.rows < 1 || self.steps < 1 { end } else { first };
        let steps = self.steps.saturating_add(i64::from(more > 0));
        let (last_row, last_column) = (row.saturating_add(self.rows), column.saturating_add(steps));
        [
            Part { rows: [low[0], end[0]], steps: [low[1], column] },
            Part { rows: [low[0], row], steps: [column, last_column] },
            Part { rows: [last_row, end[0]], steps: [column, last_column] },
            Part { rows: [low[0], end[0]], steps: [last_column, end[1]] },
        ]
    }
}

/// Some steps of two nested loops: a range of each.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    rows: [i64; 2],
    steps: [i64; 2],
}

impl Part {
    /// Returns the iterations of the outer loop.
    #[cfg_attr(optimised, inline(always))]
    pub fn rows(&self) -> Range<i64> {
        self.rows[0]..self.rows[1]
    }

    /// Returns the iterations of the inner loop.
    #[cfg_attr(optimised, inline(always))]
    pub fn steps(&self) -> Range<i64> {
        self.steps[0]..self.steps[1]
    }
}

/// What two nested loops read of an input: a window per step, each at the same distance from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a, T> {
    first: *const T,
    /// The distance in elements from one iteration to the next, of the outer and of the inner loop.
    by: [i64; 2],
    /// There are none if some step lies outside the array.
    count: Steps,
    /// By how many lanes, at most 31, one more step goes beyond the last one; 0 if there is no such step.
    more: i64,
    /// The elements per window.
    length: usize,
    array: PhantomData<&'a [T]>,
}

/// What an iteration of the outer loop reads.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a, T> {
    first: *const T,
    by: i64,
    steps: i64,
    length: usize,
    array: PhantomData<&'a [T]>,
}

impl<'a, T: Element> Span<'a, T> {
    /// Returns only the one more step if `is_last`, otherwise the others.
    #[cfg_attr(optimised, inline(always))]
    pub fn either(self, is_last: bool) -> Self {
        if !is_last {
            return self;
        }
        let first = self.first.wrapping_offset(self.count.last(self.by[1], self.more) as isize);
        let count = self.count.only_last(self.more);
        Span { first, count, ..self }
    }

    /// Returns the steps; none if some lie outside the array.
    #[cfg_attr(optimised, inline(always))]
    pub fn count(&self) -> Steps {
        self.count
    }

    /// Returns the windows of an iteration of the outer loop; none if there is no such iteration.
    #[cfg_attr(optimised, inline(always))]
    pub fn line(&self, row: i64) -> Line<'a, T> {
        let exists = (row as u64) < self.count.rows as u64;
        let first = self.first.wrapping_offset(self.by[0].wrapping_mul(row) as isize);
        let steps = if exists { self.count.steps } else { 0 };
        Line { first, by: self.by[1], steps, length: self.length, array: PhantomData }
    }
}

impl<'a, T: Element> Line<'a, T> {
    /// Returns the number of steps.
    #[cfg_attr(optimised, inline(always))]
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// Returns the window of a step, which is empty if there is no such step. In a loop over steps the comparison vanishes.
    #[cfg_attr(optimised, inline(always))]
    pub fn part(&self, step: i64) -> &'a [T] {
        if step < 0 || step >= self.steps {
            return &[];
        }
        // SAFETY: the windows in the four corners lie inside the array, and so do all between them. One more step is a corner.
        unsafe {
            std::slice::from_raw_parts(self.first.wrapping_offset(self.by.wrapping_mul(step) as isize), self.length)
        }
    }
}

/// What two nested loops store to an output.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a, T> {
    first: *mut T,
    by: [i64; 2],
    count: Steps,
    more: i64,
    /// Whether all groups of lanes begin on a cache line, and bypass the caches.
    past: bool,
    /// How many consecutive elements each lane stores.
    each: usize,
    array: PhantomData<&'a mut [T]>,
}

/// What an iteration of the outer loop stores.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a, T> {
    first: *mut T,
    by: i64,
    steps: i64,
    past: bool,
    each: usize,
    array: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> Reach<'a, T> {
    /// Returns only the one more step if `is_last`, otherwise the others.
    #[cfg_attr(optimised, inline(always))]
    pub fn either(self, is_last: bool) -> Self {
        if !is_last {
            return self;
        }
        let first = self.first.wrapping_offset(self.count.last(self.by[1], self.more) as isize);
        let count = self.count.only_last(self.more);
        Reach { first, count, past: false, ..self }
    }

    /// Returns the steps; none if some lie outside the array.
    #[cfg_attr(optimised, inline(always))]
    pub fn count(&self) -> Steps {
        self.count
    }

    /// Returns the elements of an iteration of the outer loop; none if there is no such iteration.
    #[cfg_attr(optimised, inline(always))]
    pub fn line(&self, row: i64) -> Track<'a, T> {
        let exists = (row as u64) < self.count.rows as u64;
        let first = self.first.wrapping_offset(self.by[0].wrapping_mul(row) as isize);
        let steps = if exists { self.count.steps } else { 0 };
        Track { first, by: self.by[1], steps, past: self.past, each: self.each, array: PhantomData }
    }
}

impl<T: Element> Track<'_, T> {
    /// Returns the number of steps.
    #[cfg_attr(optimised, inline(always))]
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// Stores the lanes in the group's mask, every `STEP`-th element. Does nothing if there is no such step.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd, const STEP: usize>(&self, _: S, step: i64, mask: Mask, v: S::V<T>) {
        if step < 0 || step >= self.steps || mask == 0 {
            return;
        }
        let place = self.first.wrapping_offset(self.by.wrapping_mul(step) as isize);
        // SAFETY: the elements in the four corners lie inside the array for all lanes of the block, and so do all between them. One
        // more step is a corner.
        // The array is borrowed for as long as `self` lives, and no other block writes them.
        unsafe {
            if mask != const { low(S::WIDTH) } {
                v.store_where(mask, place);
            } else if const { STEP > 1 } {
                v.store_apart(place, STEP);
            } else if self.past {
                v.stream(place);
            } else {
                v.store(place);
            }
        }
    }

    /// Stores one element of every value for lane 0, then for lane 1, and so on, if the mask has all lanes. Does nothing if it has
    /// none, or if there is no such step.
    #[cfg_attr(optimised, inline(always))]
    pub fn put_together<S: Simd, const STEP: usize>(&self, _: S, step: i64, mask: Mask, values: [S::V<T>; STEP]) {
        let fits = step >= 0 && step < self.steps && self.each == STEP && (2..=WIDEST_STEP as usize).contains(&STEP);
        if !fits || mask != const { low(S::WIDTH) } {
            return;
        }
        let place = self.first.wrapping_offset(self.by.wrapping_mul(step) as isize);
        // SAFETY: as in `put`, for as many consecutive elements per lane as there are values.
        unsafe { S::V::<T>::store_together(values, place) }
    }
}

impl Steps {
    /// Returns whether the accesses of all steps lie inside an array of these lengths. The first step accesses the elements from `at`
    /// to the one `reach` further along the last axis; along each axis the next ones are `by` further.
    #[cfg_attr(optimised, inline(always))]
    fn are_inside<const N: usize>(
        self,
        mut at: [i64; N],
        by: [[i64; 2]; N],
        more: i64,
        lengths: &[i64; N],
        first: i64,
        reach: i64,
    ) -> bool {
        at[N - 1] = at[N - 1].wrapping_add(first);
        let (mut fits, mut k) = (true, 0);
        // No iterator, because every level of every kernel would compile its code.
        while k < N {
            let room = if k == N - 1 { lengths[k].wrapping_sub(reach) } else { lengths[k] };
            fits &= self.is_below(at[k], by[k], more, room).unwrap_or(false);
            k += 1;
        }
        fits
    }

    /// Returns the steps, or none.
    #[cfg_attr(optimised, inline(always))]
    fn only_if(self, fits: bool) -> Steps {
        if fits { self } else { Steps::NONE }
    }
}

/// Returns the position in memory of the first of the accesses, and how far the next ones are, in elements. The stride along the last
/// axis is `last`, and the group accesses `first` elements further along it.
#[cfg_attr(optimised, inline(always))]
fn located<const N: usize>(
    at: [i64; N],
    by: [[i64; 2]; N],
    strides: &[i64; N],
    last: i64,
    first: i64,
) -> (i64, [i64; 2]) {
    let (mut cell, mut moved, mut k) = (first.wrapping_mul(last), [0i64; 2], 0);
    // No iterator, because every level of every kernel would compile its code.
    while k < N {
        let stride = if k == N - 1 { last } else { strides[k] };
        cell = cell.wrapping_add(at[k].wrapping_mul(stride));
        moved[0] = moved[0].wrapping_add(by[k][0].wrapping_mul(stride));
        moved[1] = moved[1].wrapping_add(by[k][1].wrapping_mul(stride));
        k += 1;
    }
    (cell, moved)
}

impl<T: Element, const N: usize> In<'_, T, N> {
    /// Returns the windows of all steps, or none if some are not inside the array. That of the first step has `M` elements for a
    /// warp and begins at `at`; along each axis the next ones are `by` further. Lanes differ only along the last axis.
    #[cfg_attr(optimised, inline(always))]
    pub fn span<S: Simd, const M: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        by: [[i64; 2]; N],
        count: Steps,
        more: i64,
    ) -> Span<'_, T> {
        let length = group_length::<S>(M, lanes[N - 1]);
        let (first, reach) = (lanes[N - 1].of(simd.first()), length as i64 - 1);
        let fits = count.are_inside(at, by, more, &self.lengths, first, reach);
        let (cell, by) = located(at, by, &self.strides, 1, first);
        self.windows(cell, by, count.only_if(fits), more, length)
    }

    /// As [`span`](In::span), for an array without a border: any element of its memory may stand for one outside. Windows that all
    /// lie outside are those of rows after the last one, in a tile that is not full: other windows stand for them.
    #[cfg_attr(optimised, inline(always))]
    pub fn span_inner<S: Simd, const M: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        by: [[i64; 2]; N],
        count: Steps,
        more: i64,
    ) -> Span<'_, T> {
        let length = group_length::<S>(M, lanes[N - 1]);
        let (cell, by) = located(at, by, &self.strides, 1, lanes[N - 1].of(simd.first()));
        let room = (self.values().len() as i64).wrapping_sub(length as i64 - 1);
        let fits = count.is_below(cell, by, more, room).unwrap_or(false);
        let instead = if fits { None } else { count.instead(cell, by, more, length, self.values().len()) };
        self.windows(instead.unwrap_or(cell), by, count.only_if(fits || instead.is_some()), more, length)
    }

    #[cfg_attr(optimised, inline(always))]
    fn windows(&self, cell: i64, by: [i64; 2], count: Steps, more: i64, length: usize) -> Span<'_, T> {
        Span {
            first: self.values().as_ptr().wrapping_offset(cell as isize),
            by,
            count,
            more,
            length,
            array: PhantomData,
        }
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// Returns the elements that all steps store, or none if some are not inside the array. In the first step lane 0 of the warp
    /// stores at `at`; each next lane of the block's `lanes` lanes stores `STEP` elements further along the last axis, and along
    /// each axis the next steps are `by` further. A lane stores `EACH` consecutive elements.
    #[cfg_attr(optimised, inline(always))]
    pub fn reach<S: Simd, const STEP: usize, const EACH: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: usize,
        by: [[i64; 2]; N],
        count: Steps,
        more: i64,
    ) -> Reach<'_, T> {
        let own = self.strides[N - 1];
        let lanes = lanes.saturating_sub(simd.first()).clamp(1, S::WIDTH);
        let (first, reach) = ((simd.first() * STEP) as i64, ((lanes - 1) * STEP + EACH - 1) as i64);
        let fits = count.are_inside(at, by, more, &self.lengths, first, reach);
        let count = count.only_if(fits && (S::WIDTH == 1 || own == 1));
        // The last stride of several lanes is 1.
        let (cell, by) = located(at, by, &self.strides, if S::WIDTH > 1 { 1 } else { own }, first);
        let place = self.place.wrapping_offset(cell as isize);
        let lines = const { STEP == 1 && (S::WIDTH * size_of::<T>()).is_multiple_of(LINE) };
        let past = lines && self.large && is_in_lines(place.addr(), by, size_of::<T>());
        Reach { first: place, by, count, more, past, each: EACH, array: PhantomData }
    }
}

/// Returns whether an address begins a cache line, and so do all that are this many elements further.
#[cfg_attr(optimised, inline(always))]
fn is_in_lines(address: usize, by: [i64; 2], size: usize) -> bool {
    address.is_multiple_of(LINE) && by.iter().all(|by| (*by as usize).wrapping_mul(size).is_multiple_of(LINE))
}

/// The elements of a window that the lanes of a group read.
#[cfg_attr(optimised, inline(always))]
fn group_length<S: Simd>(warp: usize, lanes: &Offsets) -> usize {
    let step = match lanes.step {
        Some(step) if step > 0 => step as usize,
        _ => 0,
    };
    let beyond = (LANES - S::WIDTH) * step;
    if warp > beyond { warp - beyond } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_other_steps() {
        for (rows, steps, more) in [(0, 0, 0), (1, 1, 0), (3, 2, 0), (4, 5, 31), (1, 3, 1)] {
            for (row, column) in [(0, 0), (1, 0), (0, 2), (1, 2)] {
                let (high, mut seen) = ([row + rows, column + steps + 1], Vec::new());
                let whole = Steps::all([Steps { rows, steps }; 2]);
                for part in whole.around(more, [row, column], [0, 0], high) {
                    seen.extend(part.steps().flat_map(|t| part.rows().map(move |r| (r, t))));
                }
                let end = column + whole.steps + i64::from(more > 0);
                let is_whole = |r, t| (row..row + whole.rows).contains(&r) && (column..end).contains(&t);
                let all = (0..=high[0]).flat_map(|r| (0..=high[1]).map(move |t| (r, t)));
                let expected: Vec<_> = all.filter(|(r, t)| !is_whole(*r, *t)).collect();
                seen.sort_unstable();
                assert_eq!(seen, expected, "{rows} {steps} {row} {column}");
            }
        }
        assert_eq!(Steps::all([]).rows, 0);
    }

    #[test]
    fn one_more_step_ends_with_the_row() {
        assert_eq!((more(100, 4, 3), more(96, 3, 3), more(95, 3, 2), more(20, 1, 0)), (4, 0, 31, 0));
        // The loop ends before the row does.
        assert_eq!(more(1000, 3, 3), 0);
        // Too few steps for another reason.
        assert_eq!(more(100, 4, 2), 0);
        let steps = Steps { rows: 1, steps: 3 };
        assert_eq!((steps.ends([0, 32], 4), steps.last(32, 4)), (Some([0, 68]), 68));
        assert_eq!((steps.ends([0, 64], 4), steps.ends([0, 33], 4)), (Some([0, 136]), None));
        assert_eq!((steps.is_below(0, [0, 32], 4, 69), steps.is_below(0, [0, 32], 4, 68)), (Some(true), Some(false)));
    }

    #[test]
    fn windows_without_elements_lie_elsewhere() {
        let row = Steps { rows: 1, steps: 10 };
        let at = |cell: i64| row.instead(cell, [0, 1], 0, 1, 100);
        assert_eq!((at(100), at(99), at(1 << 40), at(-10), at(-9)), (Some(0), None, Some(0), Some(0), None));
        // Down, where only the last cell is the smallest.
        let down = |cell: i64| row.instead(cell, [0, -1], 0, 1, 100);
        assert_eq!((down(109), down(108), down(-1), down(0)), (Some(9), None, Some(9), None));
        // No room.
        assert_eq!((row.instead(100, [0, 1], 0, 1, 10), row.instead(100, [0, 1], 0, 1, 9)), (Some(0), None));
        let both = Steps { rows: 3, steps: 2 };
        assert_eq!((both.instead(101, [20, -1], 0, 4, 100), both.instead(100, [20, -1], 0, 4, 100)), (Some(1), None));
        assert_eq!((row.instead(i64::MAX, [0, 1], 0, 1, 100), row.instead(i64::MIN, [0, -1], 0, 1, 100)), (None, None));
        assert_eq!(Steps::NONE.instead(500, [0, 1], 0, 1, 100), None);
    }
}
