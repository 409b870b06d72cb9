//! Integer sets and exact matrices. Given an affine condition on integer points, the crate finds a point that satisfies
//! it or proves that there is none.
//!
//! The procedure is exact and complete (the Omega test). Equalities are removed by unimodular changes of variables,
//! inequalities by Fourier–Motzkin elimination with dark shadows and splinters. A disjunction is split only if a
//! candidate point violates it. All arithmetic is checked and the work is bounded; an overflow or an exhausted budget
//! is the third answer, [`Answer::GaveUp`].
//!
//! ```
//! use systolic_sets::{find_point, parse, Answer};
//! let set = parse("{ [i, j] : 0 <= i < 4 and 2i = 3j + 1 and i != 2 }").unwrap();
//! assert_eq!(find_point(2, &set.formula), Answer::None);
//! ```

mod budget;
mod equalities;
mod form;
mod formula;
mod matrix;
mod number;
mod omega;
mod parse;
mod project;
mod range;
mod residue;
mod search;
mod shadow;
mod smallest;
mod system;
mod text;

pub use budget::Budget;
pub use form::Form;
pub use formula::Formula;
pub use matrix::Matrix;
pub use project::project;
pub use range::{Range, range};
pub use search::{Answer, find_point, find_point_within};
pub use smallest::smallest_point;
pub use text::{ParseError, Set, check, parse};

/// The integer type of every set and matrix.
pub type Int = i128;
