//! Why there is no warp program for a kernel and a map. The equations are then evaluated point by point, with the same bits.
use crate::laws::Order;
use crate::model::Int;
use std::fmt;

/// The reason why there is no warp program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The kernel has no map, and none that the search tried is lawful, though one order of the loops serves all variables.
    NoMap,
    /// The kernel has no map, and the search found none: no order of the loops serves all variables.
    NoOrder,
    /// The compiler cannot invert the rows of the map, to get the loops back from the place.
    Rows,
    /// The fold has more registers than copies of the step may be written out.
    Fold { fold: Int, most: Int },
    /// The loop of a length is sequential, so that a block has several lengths, one after another.
    Lengths,
    /// A step would have more operations than may be written out.
    Long { operations: usize, most: usize },
}

impl Obstacle {
    /// Why no map was found for a kernel that has none.
    pub fn without_map(order: &Order) -> Obstacle {
        match order {
            Order::Nest { .. } => Obstacle::NoMap,
            Order::Keys(_) => Obstacle::NoOrder,
        }
    }
}

/// The end of the sentence "`k` runs point by point: …".
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoMap => {
                f.write_str("it has no map, and none of those that the compiler tried is lawful; one by hand may be")
            }
            Obstacle::NoOrder => f.write_str(
                "it has no map, and the compiler found none, as its variables need different orders of the loops",
            ),
            Obstacle::Rows => f.write_str("the compiler cannot invert the rows of its map to get the loops back"),
            Obstacle::Fold { fold, most } => {
                write!(f, "its map folds {fold} points into a lane, more than {most}: a limit")
            }
            Obstacle::Lengths => f.write_str(
                "the loop of its lengths is sequential, so that a block would have several lengths; let it be a loop of `blocks` \
                 or `launches`",
            ),
            Obstacle::Long { operations, most } => {
                write!(f, "a step of its map has about {operations} operations, more than {most}: a limit")
            }
        }
    }
}
