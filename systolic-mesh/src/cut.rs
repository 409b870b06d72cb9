//! Which rows of an axis belong to which rank, and which rows a rank reads.
use std::ops::Range;
use systolic::__private::{Along, Outside, Split};

/// The rows of part `k` if an axis is cut into `parts`: parts differ by at most one row, and longer ones come first.
pub fn part(length: usize, parts: usize, k: usize) -> Range<usize> {
    let (each, more) = (length / parts.max(1), length % parts.max(1));
    let begin = k * each + k.min(more);
    begin..begin + each + usize::from(k < more)
}

/// The iterations that a part may have beyond the whole, where a border wraps around. Other halos end where the whole ends.
const HALO: i64 = 1 << 20;

/// The iterations that a part runs: of the whole from `begin` on, `size` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first iteration. It is below 0 where a border wraps around.
    pub begin: i64,
    /// The size that the kernel has on this part.
    pub size: i64,
}

/// The first and the last iteration that stores one of these rows of the outputs; `None` if there are no rows.
pub fn iterations(split: &Split, rows: &[Range<usize>]) -> Option<(i64, i64)> {
    let some = || split.outputs.iter().zip(rows).filter(|(_, rows)| !rows.is_empty());
    let first = some().map(|(along, rows)| ceil(rows.start as i64 - along.high, along.stride)).min();
    let last = some().map(|(along, rows)| (rows.end as i64 - 1 - along.low).div_euclid(along.stride)).max();
    first.zip(last)
}

/// Which of these rows of the outputs only iterations from `first` to `last` store.
pub fn complete(split: &Split, rows: &[Range<usize>], first: i64, last: i64) -> Vec<Range<usize>> {
    let each = split.outputs.iter().zip(rows).map(|(along, rows)| {
        let (start, end) = (along.stride * (first - 1) + along.high + 1, along.stride * (last + 1) + along.low);
        let start = usize::try_from(start).unwrap_or(0).clamp(rows.start, rows.end);
        start..usize::try_from(end).unwrap_or(0).clamp(start, rows.end)
    });
    each.collect()
}

/// The iterations to run for these rows of the outputs, of a kernel that has `size` for the whole. `Err` says why the ends
/// cannot be treated so.
pub fn covering(split: &Split, size: i64, rows: &[Range<usize>]) -> Result<Interval, String> {
    let (first, last) = iterations(split, rows).unwrap_or((0, 0));
    around(split, size, first, last)
}

/// The iterations to run so that those from `first` to `last` have the values of the whole.
pub fn around(split: &Split, size: i64, first: i64, last: i64) -> Result<Interval, String> {
    let (mut begin, mut end) = (first - split.behind - split.before, last + split.ahead + split.after);
    let down = |begin: i64| begin.div_euclid(split.modulus) * split.modulus;
    if wraps(split)? {
        begin = down(begin);
        if end - begin > size.saturating_add(HALO) {
            let name = split.loop_name;
            return Err(format!("borders: the halo has more than {HALO} iterations of `{name}` (a limit)"));
        }
        return Ok(Interval { begin, size: (end - begin).max(split.least) });
    }
    begin = down(begin.max(0));
    end = end.clamp(begin + 1, size.max(begin + 1));
    // A mirrored read must find its element in the part.
    end = end.max(begin + split.least).min(size);
    begin = begin.min(down((end - split.least).max(0)));
    Ok(Interval { begin, size: end - begin })
}

/// Whether an input continues at the other end of the axis. Then parts at the ends begin and end beyond it.
pub fn wraps(split: &Split) -> Result<bool, String> {
    let along = || split.inputs.iter().flatten();
    if !along().any(|along| along.outside == Outside::Wrap) {
        return Ok(false);
    }
    if let Some(why) = split.fixed {
        return Err(format!(
            "borders: with `border wrap` a part at the end of `{}` goes on at the other end, which {why} does not allow (a limit)",
            split.loop_name
        ));
    }
    if along().any(|along| along.outside == Outside::Value) {
        return Err(format!(
            "borders: along `{}` one input has `border wrap` and another `zero` or `constant` (a limit)",
            split.loop_name
        ));
    }
    Ok(true)
}

/// The rows of the whole array that a part holds along an axis, in order. Rows outside are those that the border gives.
pub fn rows(along: &Along, length: usize, interval: Interval) -> Vec<usize> {
    let (begin, count) = (along.stride * interval.begin, (along.stride * interval.size + along.rest).max(0));
    (begin..begin + count).map(|row| resolved(row, length as i64, along.outside) as usize).collect()
}

/// The element that a read at an index gives.
fn resolved(index: i64, length: i64, outside: Outside) -> i64 {
    if (0..length).contains(&index) || length < 1 {
        return index.max(0);
    }
    match outside {
        Outside::Wrap => index.rem_euclid(length),
        // No value of the result depends on what stands where nothing is read.
        Outside::Clamp | Outside::Nothing | Outside::Value => index.clamp(0, length - 1),
        Outside::Reflect if length == 1 => 0,
        Outside::Reflect => {
            let folded = index.rem_euclid(2 * length - 2);
            folded.min(2 * length - 2 - folded)
        }
        Outside::Symmetric => {
            let folded = index.rem_euclid(2 * length);
            folded.min(2 * length - 1 - folded)
        }
    }
}

/// ⌈a / b⌉
pub fn ceil(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

/// Consecutive rows: `count` of them, from `row` of the whole on, which stand from `at` on in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first row of the whole.
    pub row: usize,
    /// Where it stands.
    pub at: usize,
    /// How many.
    pub count: usize,
}

/// The rows that lie in a range, as runs.
pub fn runs(rows: &[usize], within: &Range<usize>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| within.contains(row)) {
        match runs.last_mut() {
            Some(run) if run.row + run.count == *row && run.at + run.count == at => run.count += 1,
            _ => runs.push(Run { row: *row, at, count: 1 }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_an_axis_and_differ_by_at_most_one_row() {
        for (length, parts) in [(7, 3), (6, 6), (100, 7), (1, 1), (5, 2), (0, 1)] {
            let all: Vec<Range<usize>> = (0..parts).map(|k| part(length, parts, k)).collect();
            assert_eq!(all.iter().flat_map(Clone::clone).collect::<Vec<_>>(), (0..length).collect::<Vec<_>>());
            let lengths: Vec<usize> = all.iter().map(Range::len).collect();
            assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1, "{lengths:?}");
        }
    }

    #[test]
    fn borders_lead_back_as_numpy_pads() {
        let at = |outside| (-5..8).map(|k| resolved(k, 3, outside)).collect::<Vec<_>>();
        assert_eq!(at(Outside::Wrap), [1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]);
        assert_eq!(at(Outside::Clamp), [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]);
        assert_eq!(at(Outside::Reflect), [1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
        assert_eq!(at(Outside::Symmetric), [1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]);
    }

    #[test]
    fn runs_are_consecutive_on_both_sides() {
        let run = |row, at, count| Run { row, at, count };
        assert_eq!(runs(&[8, 9, 0, 1, 2, 3], &(0..3)), [run(0, 2, 3)]);
        assert_eq!(runs(&[8, 9, 0, 1, 2, 3], &(3..10)), [run(8, 0, 2), run(3, 5, 1)]);
        assert_eq!(runs(&[2, 1, 0], &(0..3)), [run(2, 0, 1), run(1, 1, 1), run(0, 2, 1)]);
    }
}
