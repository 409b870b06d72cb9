//! Windows: parts of a row that several loads share, so that the position is computed and checked once.
#![allow(unsafe_code)]
use super::input::{group, lanes_inside};
use super::{Element, In, LANES, Mask, Offsets, Simd, Vector};
use crate::input::Border;
use crate::words::{Word, border};
use std::marker::PhantomData;

/// The largest step between lanes for which a window is used: that of 3×3 matrices.
pub const WIDEST_STEP: i64 = 9;

/// Memory for a window that is not entirely inside its row.
#[derive(Clone, Debug)]
pub struct Room<T, const M: usize>([T; M]);

impl<T: Element, const M: usize> Room<T, M> {
    /// Returns memory for `M` elements.
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        Room([T::default(); M])
    }
}

impl<T: Element, const M: usize> Default for Room<T, M> {
    fn default() -> Self {
        Room::new()
    }
}

impl<T: Element, const N: usize> In<'_, T, N> {
    /// Returns the group's part of a window of `M` elements along the last axis, which begins at lane 0 of the warp, at `at`.
    /// Lanes differ only along that axis, by a step of at least 0. Outside the array are the values that the border gives.
    #[cfg_attr(optimised, inline(always))]
    pub fn window<'w, S: Simd, const M: usize>(
        &'w self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        room: &'w mut Room<T, M>,
    ) -> &'w [T] {
        let (first, count) = part::<S, N, M>(simd, at, lanes);
        match self.inside(first, count as i64 - 1) {
            Some(window) => window,
            None => self.continued(first, count, &mut room.0),
        }
    }

    /// As [`window`](In::window), for an array without a border.
    #[cfg_attr(optimised, inline(always))]
    pub fn window_inner<'w, S: Simd, const M: usize>(
        &'w self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        room: &'w mut Room<T, M>,
    ) -> &'w [T] {
        let (first, count) = part::<S, N, M>(simd, at, lanes);
        let place = match self.memory(first, count as i64 - 1) {
            Some(window) => window.as_ptr(),
            None => self.continued(first, count, &mut room.0).as_ptr(),
        };
        // SAFETY: both have this many elements. As one slice of this length, so that loads from it need no checks.
        unsafe { std::slice::from_raw_parts(place, count) }
    }

    /// As [`window`](In::window), if nothing needs what lies beyond the ends of its row: other elements may lie there.
    #[cfg_attr(optimised, inline(always))]
    pub fn window_between<'w, S: Simd, const M: usize>(
        &'w self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        room: &'w mut Room<T, M>,
    ) -> &'w [T] {
        let (first, count) = part::<S, N, M>(simd, at, lanes);
        let (mut row, mut exists, mut k) = (first, true, 0);
        while k < N - 1 {
            // As unsigned numbers, negative indices are too large.
            if first[k] as u64 >= self.lengths[k] as u64 {
                row[k] = self.mapped(k, first[k]).unwrap_or(-1);
                exists &= (row[k] as u64) < self.lengths[k] as u64;
            }
            k += 1;
        }
        let place = match self.memory(row, count as i64 - 1) {
            Some(window) if exists => window.as_ptr(),
            _ => self.continued(first, count, &mut room.0).as_ptr(),
        };
        // SAFETY: both have this many elements. As one slice of this length, so that loads from it need no checks.
        unsafe { std::slice::from_raw_parts(place, count) }
    }

    /// Returns a window of `count` elements that is not entirely inside the array.
    #[cold]
    #[inline(never)]
    fn continued<'w>(&'w self, at: [i64; N], count: usize, room: &'w mut [T]) -> &'w [T] {
        let (mut row, mut exists) = (at, true);
        for k in 0..N - 1 {
            // Most rows lie inside.
            if at[k] as u64 >= self.lengths[k] as u64 {
                // No point reads a row that does not exist.
                if self.is_free() {
                    return &room[..count];
                }
                row[k] = T::Word::inner(at[k], self.lengths[k], border(self.border)).map_or(-1, |i| i as i64);
                exists &= row[k] >= 0;
            }
        }
        if let Some(window) = self.inside(row, count as i64 - 1) {
            return &window[..count];
        }
        let room = &mut room[..count];
        if !(exists && self.copy_line(row, room)) {
            self.read_line(at, room);
        }
        room
    }

    /// Copies the elements along a row that exists, with what the border says beyond its ends. Returns false, and does nothing, for
    /// empty rows and those that do not lie together.
    fn copy_line(&self, at: [i64; N], line: &mut [T]) -> bool {
        let (first, length, count) = (at[N - 1], self.lengths[N - 1], line.len() as i64);
        if self.is_grouped() {
            return false;
        }
        let mut row = at;
        row[N - 1] = 0;
        let Some(whole) = self.memory(row, length - 1).filter(|_| length > 0) else { return false };
        let ([lowest, .., highest] | [lowest @ highest]) = whole else { return false };
        let from = first.saturating_neg().clamp(0, count);
        let to = length.saturating_sub(first).clamp(from, count);
        // Beyond its ends lie other rows: a copy of all elements is faster than one of some.
        if let Some(all) = self.memory(at, count - 1) {
            line.copy_from_slice(all);
        } else {
            row[N - 1] = first.saturating_add(from);
            let some = if to > from { self.memory(row, to - from - 1) } else { None };
            if let Some(some) = some {
                line[from as usize..to as usize].copy_from_slice(some);
            }
        }
        let (from, to) = (from as usize, to as usize);
        // After how many elements the border begins again.
        let period = match self.border {
            Border::Constant(value) => return filled(line, from, to, [value; 2]),
            Border::Clamp => return filled(line, from, to, [*lowest, *highest]),
            Border::Wrap => length,
            Border::Symmetric => length.saturating_mul(2),
            Border::Reflect => (length - 1).saturating_mul(2).max(1),
        };
        let begin = if (-period..0).contains(&first) { first + period } else { first.rem_euclid(period) };
        let head = line.len().min(usize::try_from(period).unwrap_or(usize::MAX));
        for k in (0..from.min(head)).chain(to.min(head)..head) {
            let along = begin + k as i64;
            let along = if along < period { along } else { along - period };
            let inner = match self.border {
                _ if along < length => along,
                Border::Symmetric => period - 1 - along,
                _ => period - along,
            };
            line[k] = whole.get(inner as usize).copied().unwrap_or_default();
        }
        // What repeats is copied, twice as much each time.
        let mut done = head;
        while done < line.len() {
            let more = done.min(line.len() - done);
            line.copy_within(..more, done);
            done += more;
        }
        true
    }
}

/// Fills a line outside `from..to` with one value before it, and one after it.
fn filled<T: Copy>(line: &mut [T], from: usize, to: usize, [before, after]: [T; 2]) -> bool {
    line[..from].fill(before);
    line[to..].fill(after);
    true
}

/// Returns the group's part of a window of `M` elements: the index of its first element, and the number of elements. Elements
/// that only lanes outside the group read are left out.
#[cfg_attr(optimised, inline(always))]
fn part<S: Simd, const N: usize, const M: usize>(simd: S, at: [i64; N], lanes: [&Offsets; N]) -> ([i64; N], usize) {
    let step = lanes[N - 1].step.unwrap_or(0).max(0) as usize;
    let count = M.saturating_sub((LANES - S::WIDTH).saturating_mul(step));
    (group(at, lanes, simd.first()), count)
}

/// A row of which lanes read consecutive elements, some of them beyond its ends: up to 63 elements.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a, T> {
    /// Where element 0 lies, or would lie.
    first: *const T,
    /// The elements that lie in the row, and those that lie before it: bit k is element k.
    inside: u64,
    before: u64,
    /// What lies before and after the row.
    lowest: T,
    highest: T,
    /// The index of element 0, and the length of the row, or 0 if it does not exist.
    place: i64,
    length: i64,
    row: PhantomData<&'a [T]>,
}

impl<T: Element, const N: usize> In<'_, T, N> {
    /// Returns the elements that begin at an index. With `BACK` the border gives elements of the row, otherwise a constant. Unless
    /// it is `clamp` or a constant, at most one element on each side of the row is what the border gives.
    #[cfg_attr(optimised, inline(always))]
    pub fn edge<S: Simd, const BACK: bool>(&self, simd: S, mut at: [i64; N]) -> Edge<'_, T> {
        at[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        // One row has two edges, so a call costs little, and all levels share its code. Many rows have many.
        if const { N == 1 } { self.edge_called::<BACK>(at) } else { self.edge_at::<BACK>(at) }
    }

    #[inline(never)]
    fn edge_called<const BACK: bool>(&self, at: [i64; N]) -> Edge<'_, T> {
        self.edge_at::<BACK>(at)
    }

    /// The elements that begin at an index, for a group whose first lane is there.
    #[cfg_attr(optimised, inline(always))]
    fn edge_at<const BACK: bool>(&self, at: [i64; N]) -> Edge<'_, T> {
        // First what depends on the column only: a loop over rows computes it once.
        let (length, first) = (self.lengths[N - 1], at[N - 1]);
        // From -63 to the length: further away nothing changes. So no shift overflows.
        let near = first.min(length).max(-63);
        let before = !(u64::MAX << 0.max(-near));
        let mut inside = !(u64::MAX << (length - near).min(63)) & !before;
        let (mut cell, mut exists, mut k) = (0i64, length > 0, 0);
        while k < N - 1 {
            let mut i = at[k];
            // As unsigned numbers, negative indices are too large.
            if i as u64 >= self.lengths[k] as u64 {
                i = self.mapped(k, i).unwrap_or_default();
                // Nothing lies in a row that does not exist.
                exists &= (i as u64) < self.lengths[k] as u64 && BACK;
            }
            cell = cell.wrapping_add(i.wrapping_mul(self.strides[k]));
            k += 1;
        }
        let row = self.values().as_ptr().wrapping_offset(cell as isize);
        let (mut lowest, mut highest) = (T::default(), T::default());
        if const { !BACK } {
            let Border::Constant(value) = self.border else { return self.nothing() };
            (lowest, highest) = (value, value);
        } else if exists {
            let (before, after) = beside(self.border, length);
            // SAFETY: two elements of a row inside the array, which is not empty.
            (lowest, highest) =
                unsafe { (*row.wrapping_offset(before as isize), *row.wrapping_offset(after as isize)) };
        }
        inside = if exists { inside } else { 0 };
        let (at, length) = (row.wrapping_offset(first as isize), if exists { length } else { 0 });
        Edge { first: at, inside, before, lowest, highest, place: first, length, row: PhantomData }
    }

    /// Returns the index within an axis that an index outside maps to, if there is one.
    #[cold]
    #[inline(never)]
    fn mapped(&self, axis: usize, i: i64) -> Option<i64> {
        T::Word::inner(i, self.lengths[axis], border(self.border)).map(|i| i as i64)
    }

    /// An edge without elements.
    fn nothing(&self) -> Edge<'_, T> {
        let (first, zero) = (self.values().as_ptr(), T::default());
        Edge { first, inside: 0, before: 0, lowest: zero, highest: zero, place: 0, length: 0, row: PhantomData }
    }
}

/// Returns the elements of a row, which is not empty, that stand for the ones before its first and after its last.
#[cfg_attr(optimised, inline(always))]
fn beside<T>(border: Border<T>, length: i64) -> (i64, i64) {
    let last = length - 1;
    match border {
        Border::Wrap => (last, 0),
        Border::Reflect => (last.min(1), (last - 1).max(0)),
        Border::Clamp | Border::Symmetric | Border::Constant(_) => (0, last),
    }
}

/// Reads consecutive elements, which begin `at` elements after the first one, and what lies beyond the ends of the row. If not
/// `BEFORE`, nothing needs what lies before the row; if not `AFTER`, what lies after it. Of a row
/// that does not exist, every element is read as one that lies before it.
#[cfg_attr(optimised, inline(always))]
pub fn within_edge<S: Simd, T: Element, const BEFORE: bool, const AFTER: bool>(
    simd: S,
    edge: &Edge<'_, T>,
    at: i64,
) -> S::V<T> {
    if at as u64 >= 63 {
        return simd.zero();
    }
    let (inside, before) = ((edge.inside >> at) as Mask, (edge.before >> at) as Mask);
    // Constant conditions, so that the code for the other cases is not compiled.
    let other = if const { BEFORE && AFTER } {
        S::V::<T>::select(before, simd.splat(edge.lowest), simd.splat(edge.highest))
    } else if const { AFTER } {
        simd.splat(edge.highest)
    } else {
        simd.splat(edge.lowest)
    };
    // SAFETY: the elements in the mask are inside the row.
    unsafe { S::V::<T>::load_where(inside, edge.first.wrapping_offset(at as isize), other) }
}

/// Reads consecutive elements, which begin `at` elements after the first one, and what lies beyond the ends of the row: `clamp` repeats
/// the `GROUP` elements at each end of it. Nothing needs more than `MOST` groups on each side.
#[cfg_attr(optimised, inline(always))]
pub fn within_groups<S: Simd, T: Element, const GROUP: i64, const MOST: i64>(
    simd: S,
    edge: &Edge<'_, T>,
    at: i64,
) -> S::V<T> {
    let place = edge.place.wrapping_add(at);
    let inside = lanes_inside(place, edge.length, LANES);
    // Limited to 32, so that a shift in 64 bits never overflows.
    let mut before = ((1u64 << place.saturating_neg().clamp(0, LANES as i64)) - 1) as Mask;
    let mut after = !(inside | before);
    let from = edge.first.wrapping_offset(at as isize);
    // SAFETY: the elements in the mask are inside the row.
    let mut x = unsafe { S::V::<T>::load_where(inside, from, simd.zero()) };
    let mut groups = 1;
    // A constant number of iterations.
    while groups <= MOST {
        let by = groups.wrapping_mul(GROUP);
        let later = before & lanes_inside(place.wrapping_add(by), edge.length, LANES);
        let earlier = after & lanes_inside(place.wrapping_sub(by), edge.length, LANES);
        // SAFETY: as many elements after the ones in the first mask, and before those in the second one, are inside the row.
        x = unsafe { S::V::<T>::load_where(later, from.wrapping_offset(by as isize), x) };
        // SAFETY: the same.
        x = unsafe { S::V::<T>::load_where(earlier, from.wrapping_offset(by.wrapping_neg() as isize), x) };
        (before, after) = (before & !later, after & !earlier);
        groups += 1;
    }
    x
}

/// Reads consecutive elements from a window; the group's first lane is at `at`.
#[cfg_attr(optimised, inline(always))]
pub fn within_row<S: Simd, T: Element>(simd: S, window: &[T], at: i64) -> S::V<T> {
    // A single comparison, whose right side is loop-invariant while the window stays the same.
    if at as u64 >= window.len().saturating_sub(S::WIDTH - 1) as u64 {
        return simd.zero();
    }
    // SAFETY: the last element is before the end of the window.
    simd.take(unsafe { window.get_unchecked(at as usize..at as usize + S::WIDTH) })
}

/// Reads the element at `at` of a window into all lanes.
#[cfg_attr(optimised, inline(always))]
pub fn within_same<S: Simd, T: Element>(simd: S, window: &[T], at: i64) -> S::V<T> {
    match window.get(at as usize) {
        Some(x) if at >= 0 => simd.splat(*x),
        _ => simd.zero(),
    }
}

/// Reads from a window: the group's first lane at `at`, each next one a step further. The step is from 0 to [`WIDEST_STEP`].
#[cfg_attr(optimised, inline(always))]
pub fn within<S: Simd, T: Element>(simd: S, window: &[T], at: i64, lanes: &Offsets) -> S::V<T> {
    match lanes.step {
        Some(0) => within_same(simd, window, at),
        Some(1) => within_row(simd, window, at),
        Some(step @ 2..=WIDEST_STEP) => {
            let reach = (S::WIDTH - 1) * step as usize;
            // A single comparison, whose right side is loop-invariant while the window stays the same.
            if at as u64 >= window.len().saturating_sub(reach) as u64 {
                return simd.zero();
            }
            // SAFETY: the last element is before the end of the window.
            simd.apart(unsafe { window.get_unchecked(at as usize..at as usize + reach + 1) }, step as usize)
        }
        _ => simd.zero(),
    }
}

/// As [`within`], from the `PHASE`-th of the elements at `at`, where the window has `STEP` elements for each lane: loads of all
/// phases share registers.
#[cfg_attr(optimised, inline(always))]
pub fn within_phase<S: Simd, T: Element, const STEP: usize, const PHASE: usize>(
    simd: S,
    window: &[T],
    at: usize,
) -> S::V<T> {
    match window.get(at..).and_then(|from| from.get(..S::WIDTH * STEP)) {
        Some(all) => simd.phase(all, STEP, PHASE),
        None => simd.zero(),
    }
}
