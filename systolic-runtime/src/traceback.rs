//! Alignments from the directions that a kernel has stored: a walk from the last cell back to the first.
//!
//! A kernel computes the scores of all cells of a table, in any order, and stores one byte per cell that says where the scores of
//! the cell come from. Only the cells of one path matter in the end. Which ones depends on data, so a kernel cannot follow them.
//! [`follow`] does, on the host, in at most twice as many steps as both sequences have letters.
//!
//! The table has one row more than the first sequence has letters, and one column more than the second: cell (i, j) stands after `i`
//! letters of the first and `j` letters of the second sequence. So row 0 and column 0 have directions too, and they decide what a
//! path may do at the ends: a local alignment stops there, a global one goes on to (0, 0).
//!
//! | bits 0 and 1 | the best score of the cell |
//! | --- | --- |
//! | [`STOP`], 0 | begins here |
//! | [`DIAGONAL`], 1 | comes from (i − 1, j − 1): a letter of each sequence |
//! | [`LEFT`], 2 | ends in a gap in the first sequence: it is the score of the cell's horizontal gap |
//! | [`UP`], 3 | ends in a gap in the second sequence: it is the score of the cell's vertical gap |
//!
//! Gaps with affine costs have scores of their own in every cell, and a bit for each:
//!
//! | bit | if it is set | if it is not set |
//! | --- | --- | --- |
//! | [`LEFT_EXTENDS`], 4 | the horizontal gap goes on from that of (i, j − 1) | it begins after the best score of (i, j − 1) |
//! | [`UP_EXTENDS`], 8 | the vertical gap goes on from that of (i − 1, j) | it begins after the best score of (i − 1, j) |
//!
//! A kernel whose gaps cost the same per letter leaves both bits unset.
//!
//! ```
//! # use systolic_runtime as systolic;
//! use systolic::ndarray::arr2;
//! use systolic::traceback::{Run, Step, follow};
//!
//! // "AC" and "AGGC": a match, a gap of two letters that begins at (1, 2), a match.
//! let directions = arr2(&[[0, 2, 6, 6, 6], [3, 1, 2, 6, 6], [11, 3, 1, 1, 1]]);
//! let path = follow(&directions, (2, 4)).unwrap();
//! assert_eq!(path.to_string(), "1M2D1M");
//! assert_eq!((path.start, path.end), ((0, 0), (2, 4)));
//! assert_eq!(path.runs[1], Run { step: Step::Delete, length: 2 });
//! ```
use ndarray::ArrayView2;
use std::fmt;

/// The best score of this cell begins here.
pub const STOP: u8 = 0;
/// The best score of this cell comes from the cell before it in both sequences.
pub const DIAGONAL: u8 = 1;
/// The best score of this cell is that of its horizontal gap.
pub const LEFT: u8 = 2;
/// The best score of this cell is that of its vertical gap.
pub const UP: u8 = 3;
/// The horizontal gap of this cell goes on from that of the cell to the left.
pub const LEFT_EXTENDS: u8 = 4;
/// The vertical gap of this cell goes on from that of the cell above.
pub const UP_EXTENDS: u8 = 8;

/// What an alignment does with the next letters. The names are those of the first sequence, as in a CIGAR of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A letter of each sequence, the same or not: `M`.
    Match,
    /// A letter of the first sequence alone: `I`.
    Insert,
    /// A letter of the second sequence alone: `D`.
    Delete,
}

/// The same step several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The step.
    pub step: Step,
    /// How often, at least once.
    pub length: usize,
}

/// An alignment: letters `start.0..end.0` of the first sequence with letters `start.1..end.1` of the second. Prints as a CIGAR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The cell where it begins.
    pub start: (usize, usize),
    /// The cell where it ends.
    pub end: (usize, usize),
    /// Its steps from `start` to `end`. Runs that follow each other have different steps.
    pub runs: Vec<Run>,
}

/// Why directions cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Broken {
    /// The cell where the alignment should end is not in the array.
    Outside {
        /// The cell.
        cell: (usize, usize),
        /// The shape of the array.
        shape: (usize, usize),
    },
    /// The directions of a cell lead out of the array.
    Leaves {
        /// The cell.
        cell: (usize, usize),
        /// Its directions.
        directions: u8,
    },
    /// A byte has bits that mean nothing.
    Unknown {
        /// The cell.
        cell: (usize, usize),
        /// Its directions.
        directions: u8,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Match => "M",
            Step::Insert => "I",
            Step::Delete => "D",
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.runs.iter().try_for_each(|Run { step, length }| write!(f, "{length}{step}"))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Outside { cell: (i, j), shape: (rows, columns) } => {
                write!(
                    f,
                    "the alignment ends at ({i}, {j}), outside of the directions, whose shape is [{rows}, {columns}]"
                )
            }
            Broken::Leaves { cell: (i, j), directions } => {
                write!(f, "the directions {directions} at ({i}, {j}) lead out of the array")
            }
            Broken::Unknown { cell: (i, j), directions } => {
                write!(f, "{directions} at ({i}, {j}) is no direction: expected at most 15")
            }
        }
    }
}

impl std::error::Error for Broken {}

impl Path {
    /// All steps, one by one, from `start` to `end`.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.runs.iter().flat_map(|run| std::iter::repeat_n(run.step, run.length))
    }
}

/// Which score of a cell the walk is at.
#[derive(Clone, Copy)]
enum State {
    Best,
    Horizontal,
    Vertical,
}

/// Follows directions from the cell where an alignment ends to the cell where it begins. [The module](self) says what the bits mean.
///
/// Every second step at the latest goes to a smaller row or column, so the walk ends whatever the bytes are.
///
/// # Errors
///
/// Fails if `end` is not a cell of the array, if the directions lead out of it, or if a byte on the way is greater than 15.
pub fn follow<'a>(directions: impl Into<ArrayView2<'a, u8>>, end: (usize, usize)) -> Result<Path, Broken> {
    let directions = directions.into();
    let mut cell = end;
    let mut state = State::Best;
    let mut runs: Vec<Run> = Vec::new();
    loop {
        let Some(&bits) = directions.get(cell) else {
            return Err(Broken::Outside { cell, shape: directions.dim() });
        };
        if bits > 15 {
            return Err(Broken::Unknown { cell, directions: bits });
        }
        let (step, before, next) = match state {
            State::Best => match bits & 3 {
                STOP => break,
                DIAGONAL => (Step::Match, (1, 1), State::Best),
                direction => {
                    state = if direction == LEFT { State::Horizontal } else { State::Vertical };
                    continue;
                }
            },
            State::Horizontal => (Step::Delete, (0, 1), if bits & LEFT_EXTENDS == 0 { State::Best } else { state }),
            State::Vertical => (Step::Insert, (1, 0), if bits & UP_EXTENDS == 0 { State::Best } else { state }),
        };
        let (Some(i), Some(j)) = (cell.0.checked_sub(before.0), cell.1.checked_sub(before.1)) else {
            return Err(Broken::Leaves { cell, directions: bits });
        };
        (cell, state) = ((i, j), next);
        match runs.last_mut() {
            Some(run) if run.step == step => run.length += 1,
            _ => runs.push(Run { step, length: 1 }),
        }
    }
    runs.reverse();
    Ok(Path { start: cell, end, runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, ArrayView2, arr2};

    #[test]
    fn a_gap_goes_on_while_its_bit_is_set() {
        // (0, 3) is reached by a gap of three letters; the best score of (0, 1) would stop.
        let gap = arr2(&[[0, 0, LEFT_EXTENDS, LEFT | LEFT_EXTENDS]]);
        let path = follow(&gap, (0, 3)).unwrap();
        assert_eq!((path.to_string(), path.start), ("3D".to_string(), (0, 0)));
        let begins = arr2(&[[0, 0, 0, LEFT | LEFT_EXTENDS]]);
        let path = follow(&begins, (0, 3)).unwrap();
        assert_eq!((path.to_string(), path.start), ("2D".to_string(), (0, 1)));
        // The bit of the other gap says nothing here.
        let other = arr2(&[[0, 0, UP_EXTENDS, LEFT | UP_EXTENDS]]);
        assert_eq!(follow(&other, (0, 3)).unwrap().start, (0, 2));
        let down = arr2(&[[0], [0], [UP_EXTENDS], [UP | UP_EXTENDS]]);
        assert_eq!(follow(&down, (3, 0)).unwrap().to_string(), "3I");
    }

    #[test]
    fn a_path_that_begins_where_it_ends_is_empty() {
        let path = follow(&Array2::zeros((3, 3)), (2, 1)).unwrap();
        assert_eq!(path, Path { start: (2, 1), end: (2, 1), runs: Vec::new() });
        assert_eq!((path.to_string(), path.steps().count()), (String::new(), 0));
    }

    #[test]
    fn steps_are_the_runs_one_by_one() {
        let directions = arr2(&[[0, 0, 0], [UP, DIAGONAL, LEFT], [UP, UP, DIAGONAL]]);
        let path = follow(&directions, (2, 2)).unwrap();
        assert_eq!(path.steps().collect::<Vec<_>>(), [Step::Match, Step::Match]);
        assert_eq!(path.runs, [Run { step: Step::Match, length: 2 }]);
    }

    #[test]
    fn directions_that_lead_out_are_errors() {
        for (bits, cell) in [(LEFT, (2, 0)), (UP, (0, 2)), (DIAGONAL, (0, 1)), (LEFT | LEFT_EXTENDS, (0, 0))] {
            let directions = Array2::from_elem((3, 3), bits);
            let broken = follow(&directions, (cell.0, cell.1)).unwrap_err();
            assert_eq!(broken, Broken::Leaves { cell, directions: bits });
        }
        let broken = follow(&Array2::from_elem((4, 9), LEFT | LEFT_EXTENDS), (3, 8)).unwrap_err();
        assert_eq!(broken.to_string(), "the directions 6 at (3, 0) lead out of the array");
        let broken = follow(&arr2(&[[0, 16]]), (0, 1)).unwrap_err();
        assert_eq!(broken.to_string(), "16 at (0, 1) is no direction: expected at most 15");
        let broken = follow(&Array2::zeros((2, 3)), (1, 3)).unwrap_err();
        assert_eq!(
            broken.to_string(),
            "the alignment ends at (1, 3), outside of the directions, whose shape is [2, 3]"
        );
        for shape in [(0, 0), (0, 5), (5, 0)] {
            assert_eq!(follow(&Array2::zeros(shape), (0, 0)), Err(Broken::Outside { cell: (0, 0), shape }));
        }
        assert!(follow(&Array2::zeros((1, 1)), (usize::MAX, usize::MAX)).is_err());
    }

    /// Any bytes: the walk ends, and a path that it returns connects its ends.
    #[test]
    fn any_bytes_end() {
        let mut state = 7u32;
        let mut number = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let (mut paths, mut left) = (0, 0);
        for _ in 0..20_000 {
            let (rows, columns) = (number(6) as usize, number(6) as usize);
            // Bytes above 15 are rare, or no walk would get far.
            let directions =
                Array2::from_shape_simple_fn((rows, columns), || (number(16) + 16 * (number(64) / 63)) as u8);
            let end = (number(6) as usize, number(6) as usize);
            match follow(&directions, end) {
                Ok(path) => {
                    let count = |step: Step| path.steps().filter(|s| *s == step).count();
                    let (both, a, b) = (count(Step::Match), count(Step::Insert), count(Step::Delete));
                    assert_eq!((path.start.0 + both + a, path.start.1 + both + b), path.end);
                    assert!(path.runs.windows(2).all(|pair| pair[0].step != pair[1].step), "{path:?}");
                    paths += 1;
                }
                Err(Broken::Leaves { .. }) => left += 1,
                Err(Broken::Outside { cell, .. }) => assert_eq!(cell, end),
                Err(Broken::Unknown { directions, .. }) => assert!(directions > 15),
            }
        }
        assert!(paths > 1000 && left > 1000, "{paths} {left}");
    }

    #[test]
    fn views_in_any_layout() {
        let directions = arr2(&[[0, 2, 6], [3, 1, 2], [11, 3, 1]]);
        let expected = follow(&directions, (2, 2)).unwrap();
        let turned = directions.t().as_standard_layout().into_owned();
        assert_eq!(follow(turned.t(), (2, 2)).unwrap(), expected);
        let view: ArrayView2<'_, u8> = directions.view();
        assert_eq!(follow(view, (2, 2)).unwrap(), expected);
    }
}
