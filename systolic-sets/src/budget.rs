//! Bounds the work of a search, so that every query terminates.

use crate::Int;
use crate::system::Stop;

/// The amount of work that a query may do, in row operations: a combination of two rows, or a pass over one row.
/// Counting rows instead of time gives the same answer on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// A budget of this many row operations.
    pub fn new(rows: u64) -> Budget {
        Budget { left: rows }
    }

    /// Row operations not yet spent.
    pub fn left(&self) -> u64 {
        self.left
    }

    pub(crate) fn spend(&mut self, rows: usize) -> Result<(), Stop> {
        match self.left.checked_sub(rows as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Stop::GaveUp)
            }
        }
    }

    /// Pays for a pass over rows of some width. Wide rows cost more, so that the budget also bounds
    /// how deep the eliminations of many columns nest.
    pub(crate) fn spend_pass(&mut self, rows: usize, width: usize) -> Result<(), Stop> {
        self.spend(1 + width / 8 + rows + rows.saturating_mul(width) / 32)
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Rejects the extreme values of the type, because [`crate::Form`] saturates there on overflow.
    pub(crate) fn admit(value: Int) -> Result<Int, Stop> {
        if value == Int::MAX || value == Int::MIN { Err(Stop::GaveUp) } else { Ok(value) }
    }
}

impl Default for Budget {
    /// A budget far above the need of the compiler's sets (some hundreds of operations). Even an unoptimised build uses
    /// it up in a fraction of a second.
    fn default() -> Budget {
        Budget::new(60_000)
    }
}
