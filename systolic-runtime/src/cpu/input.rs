//! Inputs read by lanes.
#![allow(unsafe_code)]
use super::window::{WIDEST_STEP, within};
use super::{Element, LANES, Offsets, Simd};
use crate::error::Error;
use crate::input::{Border, inner};
use ndarray::{ArrayView, Dim, Dimension};

/// An input, row-major and contiguous.
#[derive(Clone, Debug)]
pub struct In<'a, T, const N: usize> {
    view: &'a [T],
    // A copy in order, where the view is not; else empty.
    copy: Vec<T>,
    pub(super) lengths: [i64; N],
    strides: [i64; N],
    pub(super) border: Border<T>,
}

impl<'a, T: Element, const N: usize> In<'a, T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// The array with its border; a view that is not contiguous is copied.
    pub fn new(view: ArrayView<'a, T, Dim<[usize; N]>>, border: Border<T>) -> Result<Self, Error> {
        // A length is at most `isize::MAX`, and so is the product of those that are not 0: invariants of ndarray.
        let lengths: [i64; N] = std::array::from_fn(|k| view.shape().get(k).map_or(0, |n| *n as i64));
        let mut strides = [1; N];
        for k in (1..N).rev() {
            strides[k - 1] = lengths[k].wrapping_mul(strides[k]);
        }
        let mut copy = Vec::new();
        let view = match view.to_slice() {
            Some(view) => view,
            None => {
                let elements = view.len();
                copy.try_reserve_exact(elements).map_err(|_| Error::Memory {
                    purpose: "a contiguous copy of an input",
                    elements: elements as u128,
                    bytes: std::mem::size_of::<T>(),
                })?;
                copy.extend(view.iter().copied());
                &[]
            }
        };
        Ok(In { view, copy, lengths, strides, border })
    }
}

impl<T: Element, const N: usize> In<'_, T, N> {
    #[cfg_attr(optimised, inline(always))]
    fn values(&self) -> &[T] {
        if self.copy.is_empty() { self.view } else { &self.copy }
    }

    /// Lane l of the warp reads the element at `at[k] + lanes[k].table[l]`; outside, what the border says.
    #[cfg_attr(optimised, inline(always))]
    pub fn load<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) -> S::V<T> {
        // With constant offsets all of this is decided when compiling, but for where the window lies.
        let window = match lanes[N - 1].step {
            Some(step @ 0..=WIDEST_STEP) if stand(lanes) => {
                self.inside(group(at, lanes, simd.first()), (S::WIDTH as i64 - 1).wrapping_mul(step))
            }
            _ => None,
        };
        match window {
            Some(window) => within(simd, window, 0, lanes[N - 1]),
            None => self.load_each(simd, at, lanes),
        }
    }

    /// As [`load`](In::load), where lanes read elements of a row that follow each other: lane 0 of the warp at `at`.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_row<S: Simd>(&self, simd: S, mut at: [i64; N]) -> S::V<T> {
        at[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        match self.inside(at, S::WIDTH as i64 - 1) {
            Some(row) => simd.take(row),
            None => simd.take(&self.gather_row(at, S::WIDTH)),
        }
    }

    /// As [`load`](In::load), where all lanes read the same element.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_same<S: Simd>(&self, simd: S, at: [i64; N]) -> S::V<T> {
        match self.inside(at, 0) {
            Some([x, ..]) => simd.splat(*x),
            _ => simd.splat(self.read(at)),
        }
    }

    /// A row that is not all inside the array, element by element.
    #[cold]
    #[inline(never)]
    fn gather_row(&self, mut at: [i64; N], width: usize) -> [T; LANES] {
        let mut row = [T::default(); LANES];
        for x in row.iter_mut().take(width) {
            *x = self.read(at);
            at[N - 1] = at[N - 1].saturating_add(1);
        }
        row
    }

    /// As [`load`](In::load), where the offsets are computed: what nobody knows when compiling is not asked here, as the
    /// answers to all cases would stand at every load.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_each<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) -> S::V<T> {
        simd.take(&self.gather(at, lanes, simd.first(), S::WIDTH))
    }

    /// The elements from this index to the one `reach` further along the last axis, where both lie inside.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn inside(&self, at: [i64; N], reach: i64) -> Option<&[T]> {
        let mut cell: i64 = 0;
        for (k, i) in at.into_iter().enumerate() {
            let room = if k == N - 1 { (self.lengths[k] - reach).max(0) } else { self.lengths[k] };
            // Negative ones are large without a sign.
            if i as u64 >= room as u64 {
                return None;
            }
            // The last stride is 1.
            let step = if k == N - 1 { i } else { i.wrapping_mul(self.strides[k]) };
            cell = cell.wrapping_add(step);
        }
        let from = cell as usize;
        // SAFETY: every index lies inside its axis, the last by `reach` more, and there are as many values as the
        // product of the lengths: so many follow.
        Some(unsafe { self.values().get_unchecked(from..from + reach as usize + 1) })
    }

    /// Lane by lane: so many from this one on, as the first of a list.
    #[inline(never)]
    fn gather(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, width: usize) -> [T; LANES] {
        let inside = (0..N)
            .all(|k| at[k].saturating_add(lanes[k].low) >= 0 && at[k].saturating_add(lanes[k].high) < self.lengths[k]);
        let mut read = [T::default(); LANES];
        // Along a row, as at its ends: the lanes inside by one copy. Lanes that leave 64 bits stay at the end of them, each
        // on its own.
        let straight = lanes[N - 1].step == Some(1) && lanes[..N - 1].iter().all(|axis| axis.step == Some(0));
        let fits = |k: usize| at[k].checked_add(lanes[k].low).and(at[k].checked_add(lanes[k].high)).is_some();
        if straight && (0..N).all(fits) {
            self.read_line(group(at, lanes, first), &mut read[..width.min(LANES)]);
            return read;
        }
        for (read, l) in read.iter_mut().zip(first..LANES).take(width) {
            let index = std::array::from_fn(|k| at[k].saturating_add(lanes[k].table[l]));
            *read = if inside { self.at(index) } else { self.read(index) };
        }
        read
    }

    /// The elements along the last axis from an index on; outside, what the border says.
    pub(super) fn read_line(&self, at: [i64; N], line: &mut [T]) {
        let outside = || if let Border::Constant(value) = self.border { value } else { T::default() };
        let mut start = 0i64;
        for (k, i) in at.into_iter().enumerate().take(N - 1) {
            match inner(i, self.lengths[k], &self.border) {
                Some(i) => start = start.wrapping_add((i as i64).wrapping_mul(self.strides[k])),
                None => return line.fill(outside()),
            }
        }
        let (first, length, count) = (at[N - 1], self.lengths[N - 1], line.len() as i64);
        let from = first.saturating_neg().clamp(0, count);
        let to = length.saturating_sub(first).clamp(from, count);
        // The lanes from `from` to `to` lie inside their row, so the row is inside the array.
        let inside = usize::try_from(start.wrapping_add(first).wrapping_add(from)).ok();
        let inside = inside.and_then(|begin| self.values().get(begin..)?.get(..(to - from) as usize));
        let (before, rest) = line.split_at_mut(from as usize);
        let (within, behind) = rest.split_at_mut((to - from) as usize);
        if let Some(inside) = inside {
            within.copy_from_slice(inside);
        }
        if let Border::Constant(value) = self.border {
            before.fill(value);
            behind.fill(value);
            return;
        }
        let read = |i: i64| {
            let place = inner(i, length, &self.border).map(|i| start.wrapping_add(i as i64));
            let place = place.and_then(|place| usize::try_from(place).ok());
            place.and_then(|place| self.values().get(place)).copied().unwrap_or_default()
        };
        for (l, x) in before.iter_mut().enumerate() {
            *x = read(first.saturating_add(l as i64));
        }
        for (l, x) in behind.iter_mut().enumerate() {
            *x = read(first.saturating_add(to).saturating_add(l as i64));
        }
    }

    /// The element at an index; outside, what the border says.
    #[inline(never)]
    pub(super) fn read(&self, index: [i64; N]) -> T {
        let mut cells = index;
        for cell in cells.iter_mut().zip(self.lengths) {
            match inner(*cell.0, cell.1, &self.border) {
                Some(i) => *cell.0 = i as i64,
                None => return if let Border::Constant(value) = self.border { value } else { T::default() },
            }
        }
        self.at(cells)
    }

    /// The element at an index inside.
    #[cfg_attr(optimised, inline(always))]
    fn at(&self, index: [i64; N]) -> T {
        let cell = (0..N).fold(0i64, |cell, k| cell.wrapping_add(index[k].wrapping_mul(self.strides[k])));
        let x = usize::try_from(cell).ok().and_then(|cell| self.values().get(cell));
        x.copied().unwrap_or_default()
    }

    /// Asks for the lines that a later load at this index needs. Outside the array nothing happens.
    #[cfg_attr(optimised, inline(always))]
    pub fn prefetch<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) {
        if let Some([first, ..]) = self.inside(group(at, lanes, simd.first()), 0) {
            super::prefetch(first, S::WIDTH);
        }
    }
}

/// Whether lanes differ along the last axis alone.
#[cfg_attr(optimised, inline(always))]
pub fn stand<const N: usize>(lanes: [&Offsets; N]) -> bool {
    let mut stand = true;
    let mut k = 0;
    while k + 1 < N {
        stand &= matches!(lanes[k].step, Some(0));
        k += 1;
    }
    stand
}

/// The index of a group's first lane.
#[cfg_attr(optimised, inline(always))]
pub fn group<const N: usize>(at: [i64; N], lanes: [&Offsets; N], first: usize) -> [i64; N] {
    let mut index = at;
    for k in 0..N {
        index[k] = at[k].wrapping_add(lanes[k].of(first));
    }
    index
}

/// Every so many elements of a window. The step is constant where this is inlined, so the loop is written out.
#[cfg_attr(optimised, inline(always))]
pub fn apart<T: Element, S: Simd>(simd: S, window: &[T], step: usize) -> S::V<T> {
    let mut read = [T::default(); LANES];
    if let Some(window) = window.get(..(S::WIDTH - 1) * step + 1) {
        for l in 0..S::WIDTH {
            read[l] = window[l * step];
        }
    }
    simd.take(&read)
}
