//! Access for lanes that each advance along their own row: elements are loaded, and results stored, for several steps at a
//! time, by transposing a tile of lanes by steps.
#![allow(unsafe_code)]
use super::transpose::{How, Lines, transpose};
use super::vector::low;
use super::{Element, In, LANES, Mask, Offsets, Out, Simd, Vector};
use crate::words::LINE;

/// The most steps of a tile.
pub const DEPTH: usize = 16;

/// One cell of 32 lanes per step of a tile; a group keeps its lanes in the first ones.
pub type Cells<T> = [[T; LANES]; DEPTH];

/// Elements that were loaded for the next steps.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Fetched<T, const N: usize> {
    cells: Cells<T>,
    // The index of the first step, and the number of steps for which there are elements.
    at: [i64; N],
    count: usize,
}

/// Values of the last steps that are not stored yet.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Pending<T, const N: usize> {
    cells: Cells<T>,
    masks: [Mask; DEPTH],
    // The index of the first step, the number of steps, and the number at which they are stored. On a way down: the smallest index, the
    // number of elements from there on, and the cell of the last step.
    at: [i64; N],
    count: usize,
    room: usize,
}

impl<T: Element, const N: usize> Fetched<T, N> {
    /// Returns an empty tile.
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        Fetched { cells: [[T::default(); LANES]; DEPTH], at: [0; N], count: 0 }
    }

    /// Returns the number of the cell that has the elements of an index, if they were loaded.
    #[cfg_attr(optimised, inline(always))]
    fn cell(&self, at: [i64; N]) -> Option<usize> {
        behind(at, self.at).filter(|cell| *cell < self.count)
    }
}

impl<T: Element, const N: usize> Default for Fetched<T, N> {
    fn default() -> Self {
        Fetched::new()
    }
}

impl<T: Element, const N: usize> Pending<T, N> {
    /// Returns an empty tile.
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        Pending { cells: [[T::default(); LANES]; DEPTH], masks: [0; DEPTH], at: [0; N], count: 0, room: 0 }
    }
}

impl<T: Element, const N: usize> Default for Pending<T, N> {
    fn default() -> Self {
        Pending::new()
    }
}

/// Returns how many steps an index is after `from`, if the two differ only along the last axis.
#[cfg_attr(optimised, inline(always))]
fn behind<const N: usize>(at: [i64; N], from: [i64; N]) -> Option<usize> {
    let same = (0..N - 1).all(|k| at[k] == from[k]);
    same.then_some(at[N - 1].wrapping_sub(from[N - 1]) as usize)
}

/// Returns how many elements of a row a tile takes, from 1 to [`DEPTH`]: of a long row, as many as end with a cache line.
fn depth<T>(place: *const T, left: usize) -> usize {
    if left <= 2 * DEPTH {
        return left.clamp(1, DEPTH);
    }
    let size = std::mem::size_of::<T>().max(1);
    let first = ((LINE - place.addr() % LINE) / size).clamp(1, DEPTH);
    let line = (LINE / size).max(1);
    first + (DEPTH - first) / line * line
}

/// Returns how many elements of a row to transpose if this many are needed: those of whole squares.
fn squares_of<T>(needed: usize, by_16: bool) -> usize {
    let size = std::mem::size_of::<T>().max(1);
    let (large, small) = (LINE / size, (16 / size).max(1));
    let side = if by_16 && matches!(size, 4 | 8) && needed > large / 2 { large } else { small };
    needed.next_multiple_of(side).min(DEPTH)
}

/// Returns how many elements before an index of the row of the first lane belong to its tile: on a way down, tiles begin at the beginning
/// of the row. Before it there are none.
#[cfg_attr(optimised, inline(always))]
fn tile_before<const N: usize>(at: [i64; N], lanes: [&Offsets; N], first: usize) -> usize {
    let index = at[N - 1].saturating_add(lanes[N - 1].table[first % LANES]);
    if index > 0 { index as usize % DEPTH } else { 0 }
}

impl<T: Element, const N: usize> In<'_, T, N> {
    /// As [`load`](In::load), if the next step reads the next element of every lane's row. If `REACH` is not 0, only that many
    /// elements after the first one are read.
    #[cfg_attr(optimised, inline(always))]
    pub fn walk<S: Simd, const REACH: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        fetched: &mut Fetched<T, N>,
    ) -> S::V<T> {
        let cell = match fetched.cell(at) {
            Some(cell) => cell,
            None => {
                // Another array, so that the one of most steps stays in registers.
                let at = std::array::from_fn(|k| at[k]);
                self.fetch(simd, at, lanes, REACH, fetched);
                0
            }
        };
        // Below the count, which is at most the depth.
        simd.take(&fetched.cells[cell % DEPTH])
    }

    /// As [`load`](In::load), if the next step reads the element before in every lane's row.
    #[cfg_attr(optimised, inline(always))]
    pub fn walk_down<S: Simd>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        fetched: &mut Fetched<T, N>,
    ) -> S::V<T> {
        let cell = match fetched.cell(at) {
            Some(cell) => cell,
            None => {
                let before = tile_before(at, lanes, simd.first());
                let mut from = std::array::from_fn(|k| at[k]);
                from[N - 1] = at[N - 1].wrapping_sub(before as i64);
                self.fetch(simd, from, lanes, before.max(1), fetched);
                before
            }
        };
        simd.take(&fetched.cells[cell % DEPTH])
    }

    #[inline(never)]
    fn fetch<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], reach: usize, fetched: &mut Fetched<T, N>) {
        let (first, width, by_16) = (simd.first(), S::WIDTH, S::WORDS == 16);
        let index = |l: usize| -> [i64; N] { std::array::from_fn(|k| at[k].saturating_add(lanes[k].table[l])) };
        let count = match self.inside(index(first), 0) {
            // Without a border any elements may follow.
            _ if reach > 0 && self.is_free() => squares_of::<T>(reach + 1, by_16),
            _ if reach > 0 => (reach + 1).min(DEPTH),
            Some(row) => {
                // Not positive if the lane lies outside the row, which is possible without a border.
                let left = self.lengths[N - 1] - index(first)[N - 1];
                depth(row.as_ptr(), if left > 0 { left as usize } else { DEPTH })
            }
            None => DEPTH,
        };
        (fetched.at, fetched.count) = (at, count);
        let is_inside = |l: usize| self.inside(index(first + l), count as i64 - 1).map(<[T]>::as_ptr);
        // The lanes inside are consecutive if each axis has a constant step. At the ends of the array there may be fewer.
        let (mut low, mut high) = (0, width);
        if lanes.iter().any(|axis| axis.step.is_none()) {
            high = 0;
        }
        while low < high && is_inside(low).is_none() {
            low += 1;
        }
        while low < high && is_inside(high - 1).is_none() {
            high -= 1;
        }
        if low < high
            && let (Some(from), Some(to)) = (is_inside(low), is_inside(high - 1))
        {
            let (apart, rows) = (apart(from, to, high - low), high - low);
            // SAFETY: the elements of the first and of the last of these lanes are inside the array. Each axis has a constant
            // step, so those of the lanes between are inside too.
            unsafe {
                let cells = fetched.cells.as_mut_ptr().cast::<T>().wrapping_add(low);
                let cells = Lines { first: cells, apart: LANES as isize };
                transpose(
                    Lines { first: from, apart },
                    cells,
                    rows,
                    count,
                    How { ahead: reach == 0, past: false, by_16 },
                );
            }
        }
        for l in (0..low).chain(high..width).filter(|l| self.may_matter(index(first + l), count)) {
            let mut place = index(first + l);
            for cell in fetched.cells.iter_mut().take(fetched.count) {
                cell[l] = self.read(place);
                place[N - 1] = place[N - 1].saturating_add(1);
            }
        }
    }

    /// Whether elements of a row from an index on may have to be right: not if the array is never read outside where that
    /// matters, and they are all outside its memory.
    fn may_matter(&self, at: [i64; N], count: usize) -> bool {
        let term = |k: usize| at[k].checked_mul(self.strides[k]);
        let cell = (0..N).try_fold(0i64, |cell, k| cell.checked_add(term(k)?));
        let is_there = |cell: i64| cell < self.count() as i64 && cell > -(count as i64);
        !self.is_free() || cell.is_some_and(is_there)
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// As [`store`](Out::store), if the next step stores the next element of every lane's row. After the last step,
    /// [`finish`](Out::finish) must store the rest. If `REACH` is not 0, at most that many elements follow the first one.
    #[cfg_attr(optimised, inline(always))]
    pub fn walk<S: Simd, const REACH: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        mask: Mask,
        v: S::V<T>,
        pending: &mut Pending<T, N>,
    ) {
        if behind(at, pending.at) != Some(pending.count) || pending.count >= pending.room {
            self.finish(simd, lanes, pending);
            pending.at = at;
            if const { REACH > 0 } {
                pending.room = const { if REACH < DEPTH { REACH + 1 } else { DEPTH } };
                return self.wait::<S>(mask, v, pending);
            }
            let left =
                self.lengths[N - 1].saturating_sub(at[N - 1].saturating_add(lanes[N - 1].table[simd.first() % LANES]));
            pending.room =
                self.place(at, lanes, simd.first()).map_or(DEPTH, |place| depth(place, left.max(1) as usize));
        }
        self.wait::<S>(mask, v, pending);
    }

    /// As [`walk`](Out::walk), if the next step stores the element before in every lane's row.
    #[cfg_attr(optimised, inline(always))]
    pub fn walk_down<S: Simd>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        mask: Mask,
        v: S::V<T>,
        pending: &mut Pending<T, N>,
    ) {
        let next = behind(at, pending.at).filter(|cell| *cell < pending.count && cell + 1 == pending.room);
        let cell = next.unwrap_or_else(|| {
            self.finish(simd, lanes, pending);
            let before = tile_before(at, lanes, simd.first());
            pending.at = at;
            pending.at[N - 1] = at[N - 1].wrapping_sub(before as i64);
            pending.count = before + 1;
            // Steps that do not come store nothing.
            pending.masks = [0; DEPTH];
            before
        });
        pending.room = cell;
        v.put(&mut pending.cells[cell % DEPTH]);
        pending.masks[cell % DEPTH] = mask & const { low(S::WIDTH) };
    }

    /// Adds the values of a step to those that are not stored yet.
    #[cfg_attr(optimised, inline(always))]
    fn wait<S: Simd>(&self, mask: Mask, v: S::V<T>, pending: &mut Pending<T, N>) {
        if let (Some(cell), Some(kept)) = (pending.cells.get_mut(pending.count), pending.masks.get_mut(pending.count)) {
            v.put(cell);
            *kept = mask & const { low(S::WIDTH) };
            pending.count += 1;
        }
    }

    /// Stores all pending values.
    #[cfg_attr(optimised, inline(always))]
    pub fn finish<S: Simd>(&self, simd: S, lanes: [&Offsets; N], pending: &mut Pending<T, N>) {
        if pending.count > 0 {
            self.store_block(simd, lanes, pending);
            pending.count = 0;
        }
    }

    #[inline(never)]
    fn store_block<S: Simd>(&self, simd: S, lanes: [&Offsets; N], pending: &Pending<T, N>) {
        let (first, width, by_16) = (simd.first(), S::WIDTH, S::WORDS == 16);
        let Pending { cells, masks, at, count, .. } = pending;
        let step = |step: usize| {
            let mut at = *at;
            at[N - 1] = at[N - 1].saturating_add(step as i64);
            at
        };
        let end = step(count - 1);
        let even = lanes.iter().all(|axis| axis.step.is_some()) && self.strides[N - 1] == 1;
        // The lanes that store at every step, as far as they are consecutive.
        let whole = masks.iter().take(*count).fold(low(width), |all, mask| all & mask);
        let from = whole.trailing_zeros() as usize;
        let rows = (!whole.checked_shr(from as u32).unwrap_or(0)).trailing_zeros() as usize;
        let mut done: Mask = 0;
        if even && whole != 0 {
            let (head, tail) = (first + from, first + from + rows - 1);
            let corners = [(*at, head), (*at, tail), (end, head), (end, tail)];
            if let [Some(place), Some(to), Some(_), Some(_)] = corners.map(|(at, lane)| self.place(at, lanes, lane)) {
                let apart = apart(place, to, rows);
                let lines = |bytes: usize| bytes.is_multiple_of(LINE);
                let aligned = lines(place.addr()) && lines(apart.unsigned_abs() * std::mem::size_of::<T>());
                let past = self.large && aligned && lines(count * std::mem::size_of::<T>());
                done = low(rows) << from;
                // SAFETY: the first and the last element of the first and of the last of these lanes are inside the array, in
                // rows of stride 1. Each axis has a constant step, so the elements of the lanes between are inside too. The
                // array is borrowed for as long as `self` lives, and no other block writes these elements.
                unsafe {
                    let cells = Lines { first: cells.as_ptr().cast::<T>().wrapping_add(from), apart: LANES as isize };
                    transpose(cells, Lines { first: place, apart }, *count, rows, How { ahead: false, past, by_16 });
                }
            }
        }
        for (k, (cell, mask)) in cells.iter().zip(masks).enumerate().take(*count) {
            self.scatter(step(k), lanes, first, mask & !done, cell);
        }
    }
}

/// Returns the distance between lanes in elements, from the addresses of the first and the last lane.
fn apart<T>(from: *const T, to: *const T, width: usize) -> isize {
    let bytes = to.addr().wrapping_sub(from.addr()) as isize;
    bytes / std::mem::size_of::<T>().max(1) as isize / (width as isize - 1).max(1)
}
