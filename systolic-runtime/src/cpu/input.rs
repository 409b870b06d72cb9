//! Inputs, read by all lanes of a warp or group at once.
#![allow(unsafe_code)]
use super::joined::join;
use super::window::{WIDEST_STEP, within};
use super::{Element, LANES, Mask, Offsets, Simd, Vector};
use crate::error::Failure;
use crate::input::Border;
use crate::words::{Packed, Word, border, of_all_words, of_word, of_words, standard, words};
use ndarray::{ArrayView, Dim, Dimension};
use std::mem::MaybeUninit;
use systolic_arith::CastTo;

/// Lanes that are read one by one rather than all together.
const FEW: u32 = 4;

/// An input, row-major and contiguous.
#[derive(Debug)]
pub struct In<'a, T, const N: usize> {
    // The elements: those of the view, or those of `copy`, which is not changed. Every access begins with them, so it should not
    // have to choose.
    view: &'a [T],
    // A contiguous copy if the view is not in standard layout, otherwise empty. It has no other use than to be freed.
    copy: Vec<T>,
    pub(super) lengths: [i64; N],
    pub(super) strides: [i64; N],
    pub(super) border: Border<T>,
    // Whether it is never read outside where that matters, so that any element may stand for one outside.
    free: bool,
    // How many consecutive elements of the last axis the border moves together.
    group: i64,
}

impl<'a, T: Element, const N: usize> In<'a, T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns the array with its border. A view that is not in standard layout is copied; fails if there is no memory for
    /// that.
    #[inline]
    pub fn new(view: ArrayView<'a, T, Dim<[usize; N]>>, border: Border<T>) -> Result<Self, Failure> {
        In::with(view, border, false)
    }

    /// Returns an array without a border: no iteration point reads outside it. What lanes without a point read there does not
    /// matter, so they read whatever lies in its place.
    #[inline]
    pub fn unbordered(view: ArrayView<'a, T, Dim<[usize; N]>>) -> Result<Self, Failure> {
        In::with(view, Border::Constant(T::default()), true)
    }

    // Always: a result that is returned through memory would be waited for.
    #[cfg_attr(optimised, inline(always))]
    fn with(view: ArrayView<'a, T, Dim<[usize; N]>>, border: Border<T>, free: bool) -> Result<Self, Failure> {
        let (mut lengths, mut strides, mut copy) = ([0; N], [0; N], Vec::new());
        let mut place = view.as_ptr();
        if !standard(view.shape(), view.strides(), &mut lengths, &mut strides) {
            // SAFETY: these are the elements of the view.
            copy = of_words(unsafe { T::Word::contiguous(place.cast(), view.shape(), view.strides()) }?);
            place = copy.as_ptr();
        }
        // SAFETY: the view has this many elements, and so has its copy. They are contiguous, and a copy lives as long as what is
        // returned, which gives no reference to its elements that lives longer.
        let view = unsafe { std::slice::from_raw_parts(place, view.len()) };
        Ok(In { view, copy, lengths, strides, border, free, group: 1 })
    }
}

impl<'a, T: Element, const N: usize> In<'a, T, N> {
    /// Returns an element of lengths; outside, the least one.
    pub fn length(&self, index: [i64; N], least: i64) -> i64 {
        let inside = index.iter().zip(&self.lengths).all(|(i, n)| (0..*n).contains(i));
        let cell: i64 = index.iter().zip(&self.strides).map(|(i, step)| i.wrapping_mul(*step)).sum();
        let values = self.view;
        let element = if inside { values.get(cell as usize).copied() } else { None };
        crate::lengths::length(element, least)
    }

    /// Returns the array with `count` axes from axis `first` on as one, if `is_joined`: the last takes all their elements.
    #[inline]
    pub fn joined(mut self, is_joined: bool, first: usize, count: usize) -> Self {
        if is_joined {
            join(&mut self.lengths, first, count);
        }
        self
    }

    /// Returns the array with its last axes as one, so that there are `M`. A border applies to the first of the merged axes, so to
    /// groups of as many elements as the others have: no index along them lies outside.
    pub fn merged<const M: usize>(self) -> In<'a, T, M> {
        let (mut lengths, mut strides) = ([1; M], [1; M]);
        let kept = M.min(N);
        lengths[..kept].copy_from_slice(&self.lengths[..kept]);
        strides[..kept].copy_from_slice(&self.strides[..kept]);
        let group = self.lengths.iter().skip(M).fold(1i64, |product, length| product.wrapping_mul(*length));
        if M > 0 {
            lengths[M - 1] = lengths[M - 1].wrapping_mul(group);
            strides[M - 1] = 1;
        }
        In { view: self.view, copy: self.copy, lengths, strides, border: self.border, free: self.free, group }
    }
}

impl<T: Element, const N: usize> In<'_, T, N> {
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn values(&self) -> &[T] {
        self.view
    }

    /// Reads the array at indices that are values, one element per lane; outside, the value that the border gives.
    #[cfg_attr(optimised, inline(always))]
    pub fn lookup<S: Simd, I: Element + CastTo<i64> + CastTo<i32>>(&self, simd: S, index: [S::V<I>; N]) -> S::V<T> {
        super::each::lookup_far(simd, self.values(), self.lengths, self.border, index)
    }

    /// Lane l of the warp reads the element at `at[k] + lanes[k].table[l]`; outside, the value that the border gives.
    #[cfg_attr(optimised, inline(always))]
    pub fn load<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) -> S::V<T> {
        // With constant offsets all of this is evaluated at compile time, except whether the window is inside the array.
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

    /// As [`load`](In::load), if lanes read consecutive elements of a row. Lane 0 of the warp is at `at`.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_row<S: Simd>(&self, simd: S, mut at: [i64; N]) -> S::V<T> {
        at[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        match self.inside(at, S::WIDTH as i64 - 1) {
            Some(row) => simd.take(row),
            None => {
                let mut row = MaybeUninit::uninit();
                simd.take(self.gather_row(at, S::WIDTH, &mut row))
            }
        }
    }

    /// As [`load`](In::load), if all lanes read the same element.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_same<S: Simd>(&self, simd: S, at: [i64; N]) -> S::V<T> {
        match self.inside(at, 0) {
            Some([x, ..]) => simd.splat(*x),
            _ => simd.splat(self.read(at)),
        }
    }

    /// As [`load_same`](In::load_same), for an array without a border: it calls no function, so that nothing of the step waits in
    /// memory.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_inner<S: Simd>(&self, simd: S, at: [i64; N]) -> S::V<T> {
        match self.inside(at, 0) {
            Some([x, ..]) => simd.splat(*x),
            _ => simd.zero(),
        }
    }

    /// As [`load_row`](In::load_row), for an array without a border.
    #[cfg_attr(optimised, inline(always))]
    pub fn row_inner<S: Simd>(&self, simd: S, mut at: [i64; N]) -> S::V<T> {
        at[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        match self.memory(at, S::WIDTH as i64 - 1) {
            Some(row) => simd.take(row),
            None => self.part_of_row(simd, at),
        }
    }

    /// As [`load`](In::load), for an array without a border, if each lane reads the element before that of the last lane. Lane 0
    /// of the warp is at `at`.
    #[cfg_attr(optimised, inline(always))]
    pub fn row_down<S: Simd>(&self, simd: S, mut at: [i64; N]) -> S::V<T> {
        at[N - 1] = at[N - 1].wrapping_sub((simd.first() + S::WIDTH - 1) as i64);
        match self.memory(at, S::WIDTH as i64 - 1) {
            Some(row) => simd.take(row).reverse(),
            None => self.part_of_row(simd, at).reverse(),
        }
    }

    /// Returns the elements from this index to the one `reach` further in memory, or `None` if one of them would lie outside the
    /// memory of the array.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn memory(&self, at: [i64; N], reach: i64) -> Option<&[T]> {
        let (cell, values) = (self.cell(at), self.values());
        if cell as u64 >= from_zero(values.len() as i64 - reach) {
            return None;
        }
        let from = cell as usize;
        // SAFETY: the last of these elements was compared with the number of values.
        Some(unsafe { values.get_unchecked(from..from + (reach + 1) as usize) })
    }

    /// Returns the position of an index in memory, relative to the first element.
    #[cfg_attr(optimised, inline(always))]
    fn cell(&self, at: [i64; N]) -> i64 {
        let mut cell = 0i64;
        for (k, i) in at.into_iter().enumerate() {
            // The last stride is 1.
            cell = cell.wrapping_add(if k == N - 1 { i } else { i.wrapping_mul(self.strides[k]) });
        }
        cell
    }

    /// Reads a row of which some elements lie outside the memory of the array, which has no border. Lane 0 of the group is at
    /// `at`; lanes outside read anything.
    #[cfg_attr(optimised, inline(always))]
    fn part_of_row<S: Simd>(&self, simd: S, at: [i64; N]) -> S::V<T> {
        let (cell, values) = (self.cell(at), self.values());
        let mask = lanes_inside(cell, values.len() as i64, S::WIDTH);
        // SAFETY: the token exists, so the CPU has the level; the lanes in the mask read existing elements.
        unsafe { S::V::<T>::load_where(mask, values.as_ptr().wrapping_offset(cell as isize), simd.zero()) }
    }

    /// Reads a row that is not entirely inside the array, into memory of the caller: a returned array would be copied.
    #[cold]
    #[inline(never)]
    fn gather_row<'r>(&self, at: [i64; N], width: usize, row: &'r mut MaybeUninit<[T; LANES]>) -> &'r [T; LANES] {
        if self.group > 1 {
            let line = row.write([T::default(); LANES]);
            self.read_groups(at, &mut line[..width]);
            return line;
        }
        // SAFETY: an element has the size and alignment of its word.
        let words = unsafe { &mut *row.as_mut_ptr().cast::<[MaybeUninit<T::Word>; LANES]>() };
        T::Word::read_row(self.packed(), &at, width, words);
        // SAFETY: all words are written. They come from the array or its border, or are zero.
        unsafe { row.assume_init_ref() }
    }

    /// As [`load`](In::load), for offsets that are computed at run time. It does not distinguish the cases of `load`, because
    /// without constant offsets the code for all of them would be compiled at every load.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_each<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) -> S::V<T> {
        simd.take(&self.gather(at, lanes, simd.first(), S::WIDTH))
    }

    /// As [`load`](In::load), for lanes whose offsets have a constant step along every axis. The lanes outside the group's mask
    /// may have any value.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_far<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask) -> S::V<T> {
        let (mut cell, mut apart, mut fits, mut k) = (0i64, 0i64, true, 0);
        // No iterator, because every level of every kernel would compile its code.
        while k < N {
            let (first, step) = (at[k].wrapping_add(lanes[k].of(simd.first())), lanes[k].step.unwrap_or(0));
            let last = first.wrapping_add(step.wrapping_mul(S::WIDTH as i64 - 1));
            // As unsigned numbers, negative indices are too large.
            fits &= (first as u64) < self.lengths[k] as u64 && (last as u64) < self.lengths[k] as u64;
            fits &= lanes[k].step.is_some();
            // The last stride is 1.
            let stride = if k == N - 1 { 1 } else { self.strides[k] };
            cell = cell.wrapping_add(first.wrapping_mul(stride));
            apart = apart.wrapping_add(step.wrapping_mul(stride));
            k += 1;
        }
        if !fits {
            return self.load_some(simd, at, lanes, mask);
        }
        // SAFETY: the token exists, so the CPU has the level. The elements of the first and the last lane are inside the array,
        // and each axis has a constant step, so those between are too.
        unsafe { S::V::<T>::load_far(self.values().as_ptr().wrapping_offset(cell as isize), apart as isize) }
    }

    /// As [`load_each`](In::load_each), but the lanes outside the group's mask may have any value.
    #[cfg_attr(optimised, inline(always))]
    pub fn load_some<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask) -> S::V<T> {
        match mask.count_ones() {
            0 => simd.zero(),
            1..=FEW => simd.take(&self.pick(at, lanes, simd.first(), mask)),
            _ => self.load_each(simd, at, lanes),
        }
    }

    /// Reads the lanes of a mask, counted from lane `first`.
    #[inline(never)]
    fn pick(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, mask: Mask) -> [T; LANES] {
        let mut read = [T::default(); LANES];
        let mut left = mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let index = std::array::from_fn(|k| at[k].saturating_add(lanes[k].of(first + lane)));
            read[lane] = match self.inside(index, 0) {
                Some([value, ..]) => *value,
                _ => self.read(index),
            };
        }
        read
    }

    /// Returns the elements from this index to the one `reach` further along the last axis, or `None` if one of them is
    /// outside; without a border, if one of them would lie outside the memory of the array.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn inside(&self, at: [i64; N], reach: i64) -> Option<&[T]> {
        let (mut cell, mut fits, mut k) = (0i64, true, 0);
        // No iterator, because every level of every kernel would compile its code.
        while k < N - 1 {
            // As unsigned numbers, negative indices are too large.
            fits &= (at[k] as u64) < self.lengths[k] as u64;
            cell = cell.wrapping_add(at[k].wrapping_mul(self.strides[k]));
            k += 1;
        }
        fits &= (at[k] as u64) < from_zero(self.lengths[k].wrapping_sub(reach));
        // The last stride is 1.
        let cell = cell.wrapping_add(at[k]);
        let values = self.values();
        // Elements beyond the end of a row are those of the next row.
        let there = || self.free && (cell as u64) < from_zero(values.len() as i64 - reach);
        if !fits && !there() {
            return None;
        }
        // SAFETY: every index is within its axis, the last one even plus `reach`, and there are as many values as the product
        // of the lengths. Otherwise the last of these elements was compared with the number of values.
        Some(unsafe { std::slice::from_raw_parts(values.as_ptr().add(cell as usize), (reach + 1) as usize) })
    }

    /// Reads lane by lane: `width` lanes starting at lane `first`, as the first elements of a list.
    #[inline(never)]
    fn gather(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, width: usize) -> [T; LANES] {
        if self.group > 1 {
            let index = |l: usize| std::array::from_fn(|k| at[k].saturating_add(lanes[k].of(first + l)));
            return std::array::from_fn(|l| if l < width { self.read(index(l)) } else { T::default() });
        }
        let read = T::Word::gather(self.packed(), &at, &lanes, first, width);
        // SAFETY: the words come from the array or its border, or are zero.
        *unsafe { of_all_words(&read) }
    }

    /// Reads the elements along the last axis starting at an index; outside, the values that the border gives.
    #[inline]
    pub(super) fn read_line(&self, at: [i64; N], line: &mut [T]) {
        if self.group > 1 {
            return self.read_groups(at, line);
        }
        // SAFETY: an element has the size and alignment of its word, and only words of the array or its border, or zero, are
        // written.
        let line = unsafe { std::slice::from_raw_parts_mut(line.as_mut_ptr().cast(), line.len()) };
        T::Word::read_line(self.packed(), &at, line);
    }

    /// As [`read_line`](In::read_line), where the border moves groups of elements.
    #[inline(never)]
    fn read_groups(&self, at: [i64; N], line: &mut [T]) {
        let mut place = at;
        let mut inside = 0..0;
        // What lies in the row is one copy.
        let from = at[N - 1].saturating_neg().clamp(0, line.len() as i64);
        let to = self.lengths[N - 1].saturating_sub(at[N - 1]).clamp(from, line.len() as i64);
        place[N - 1] = at[N - 1].saturating_add(from);
        if to > from
            && let Some(row) = self.inside(place, to - from - 1)
        {
            inside = from as usize..to as usize;
            line[inside.clone()].copy_from_slice(row);
        }
        let groups = self.lengths[N - 1] / self.group;
        let mut k = 0;
        while k < line.len() {
            if inside.contains(&k) {
                k = inside.end;
                continue;
            }
            let i = at[N - 1].saturating_add(k as i64);
            let rest = i.rem_euclid(self.group);
            let more = ((self.group - rest) as usize).min(line.len() - k);
            let some = &mut line[k..k + more];
            place[N - 1] = match T::Word::inner(i.div_euclid(self.group), groups, border(self.border)) {
                Some(at) => (at as i64).wrapping_mul(self.group).wrapping_add(rest),
                None => -1,
            };
            match self.inside(place, more as i64 - 1) {
                Some(row) => some.copy_from_slice(row),
                // The row itself lies outside, or the border is a constant.
                None => {
                    place[N - 1] = i;
                    for x in some {
                        *x = self.read(place);
                        place[N - 1] = place[N - 1].saturating_add(1);
                    }
                }
            }
            k += more;
        }
    }

    /// Returns the number of elements.
    pub(super) fn count(&self) -> usize {
        self.values().len()
    }

    /// Whether it is never read outside where that matters.
    pub(super) fn is_free(&self) -> bool {
        self.free
    }

    /// Whether the border moves several elements together.
    pub(super) fn is_grouped(&self) -> bool {
        self.group > 1
    }

    /// Returns the element at an index; outside, the value that the border gives.
    #[inline(never)]
    pub(super) fn read(&self, mut index: [i64; N]) -> T {
        if self.group > 1 {
            let (whole, rest) = (index[N - 1].div_euclid(self.group), index[N - 1].rem_euclid(self.group));
            let groups = self.lengths[N - 1] / self.group;
            let Some(at) = T::Word::inner(whole, groups, border(self.border)) else { return self.outside() };
            index[N - 1] = (at as i64).wrapping_mul(self.group).wrapping_add(rest);
        }
        // SAFETY: the word comes from the array or its border, or is zero.
        unsafe { of_word(T::Word::read(self.packed(), &index)) }
    }

    /// What a constant border gives.
    fn outside(&self) -> T {
        if let Border::Constant(value) = self.border { value } else { T::default() }
    }

    fn packed(&self) -> Packed<'_, T::Word> {
        Packed {
            values: words(self.values()),
            lengths: &self.lengths,
            strides: &self.strides,
            border: border(self.border),
        }
    }

    /// Prefetches the cache lines that a later load at this index needs. Does nothing outside the array.
    #[cfg_attr(optimised, inline(always))]
    pub fn prefetch<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) {
        if let Some([first, ..]) = self.inside(group(at, lanes, simd.first()), 0) {
            super::prefetch(first, S::WIDTH);
        }
    }
}

/// Returns a number, or 0 if it is negative. Compared with it as unsigned numbers, negative ones are too large.
#[cfg_attr(optimised, inline(always))]
pub fn from_zero(number: i64) -> u64 {
    if number < 0 { 0 } else { number as u64 }
}

/// Returns whether the lanes differ only along the last axis.
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

/// Returns the lanes l below `width` for which first + l is in 0..length.
#[cfg_attr(optimised, inline(always))]
pub fn lanes_inside(first: i64, length: i64, width: usize) -> Mask {
    // Limited to 32, so that a shift in 64 bits never overflows.
    let bits = |lanes: i64| (1u64 << lanes.clamp(0, width as i64)) - 1;
    let before_end = bits(length.saturating_sub(first));
    // Most rows begin inside. Without the branch both shifts would become one of vectors, which takes longer.
    if first >= 0 { before_end as Mask } else { (before_end & !bits(first.saturating_neg())) as Mask }
}

/// Returns the index of a group's first lane.
#[cfg_attr(optimised, inline(always))]
pub fn group<const N: usize>(at: [i64; N], lanes: [&Offsets; N], first: usize) -> [i64; N] {
    let mut index = at;
    for k in 0..N {
        index[k] = at[k].wrapping_add(lanes[k].of(first));
    }
    index
}
