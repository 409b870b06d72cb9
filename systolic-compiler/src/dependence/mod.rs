//! Dependences: every read of a variable, seen from the machine.
//!
//! A read has a distance in the kernel's loops. A map puts loops into tiles, blocks, warps, lanes and time, and a read that crosses
//! the edge of a tile moves differently from one that does not. So a read is split into classes, each with one constant
//! displacement along the rows of the map. Example: the read `S[i - 1]` under `tile i by 32 as (b, p)` has two classes,
//!
//! ```text
//! p >= 1    b stays, p moves by 1       the producer is the lane before
//! p == 0    b moves by 1, p by -31      the producer is lane 31 of the block before
//! ```
//!
//! The laws check the classes (`blocks`, `causality`, `broadcast`), `mapping` chooses the medium of each, `describe` reports them.
//! All of them use what is computed here:
//!
//! | file | says |
//! | --- | --- |
//! | `class` | the classes of a read, their displacements, the points that read so |
//! | `rows` | which time rows are loops and which are unrolled |
//! | `reach` | how many steps, or iterations of which loop, lie between producer and consumer |
//! | `source` | the unrolled instance and the register of the fold in which the producer stands |
mod class;
mod reach;
mod rows;
mod source;

pub use class::{Class, in_register, readers};
pub use reach::{Reach, reach};
pub use rows::{time_rows, unrolled_rows, unrolled_times};
pub use source::{fold_source, unrolled_source};

use crate::model::{Int, Kernel, Mapping, Places};
use crate::sorted::SortedMap;

/// The constant range of every row of a map; `None` where it depends on sizes.
pub type Ranges = Vec<Option<(Int, Int)>>;

/// The classes of all reads of a kernel under a map, computed once.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    by_distance: SortedMap<Vec<Int>, Vec<Class>>,
}

impl Dependences {
    /// Splits every read of the kernel.
    pub fn new(kernel: &Kernel, mapping: &Mapping, places: &Places) -> Dependences {
        let mut by_distance = SortedMap::new();
        for read in kernel.reads() {
            let classes = || class::classes(mapping, places, read.distance);
            by_distance.or_insert_with(read.distance.to_vec(), |_| classes());
        }
        Dependences { by_distance }
    }

    /// The classes of a read with this distance. At every point of the domain exactly one of them holds, or none where the
    /// producer lies outside an overlap.
    pub fn of(&self, distance: &[Int]) -> &[Class] {
        self.by_distance.get(distance).map_or(&[], Vec::as_slice)
    }
}
