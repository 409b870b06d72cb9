//! Why no warp program runs a kernel by a map: then the equations are evaluated point by point, with the same bits.
use crate::model::Int;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The kernel has no map, and the search found none that is lawful.
    NoMap,
    /// No way that is known here leads from the rows of the map back to the loops.
    Rows,
    /// The fold has more registers than a step is written out for.
    Fold { fold: Int, most: Int },
    /// A step would have more operations than are written out.
    Long { operations: usize, most: usize },
}

/// As the end of "`k` runs point by point: …".
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoMap => f.write_str(
                "it has no map, and the compiler found none, as its variables need different orders of the loops",
            ),
            Obstacle::Rows => {
                f.write_str("the compiler does not know how to get from the rows of its map back to the loops")
            }
            Obstacle::Fold { fold, most } => {
                write!(f, "its map folds {fold} points into a lane; at most {most} are written out")
            }
            Obstacle::Long { operations, most } => {
                write!(f, "a step of its map has about {operations} operations; at most {most} are written out")
            }
        }
    }
}
