//! The layout of a map: what each of its rows becomes in the program, and which iteration point every place has.
//!
//! ```text
//! for r in 0..R, n in 0..N, q in 0..3 {          blocks     nb
//!     …                                          lanes      ni: 32 lanes, a fold of 2 registers
//!     map {                                      loops      r, the loop t0 of the program
//!         tile n by 64 as (nb, ni);        ──▶   unrolled   q, inside the loop
//!         blocks (nb);                           instances  6: q = 0, 1, 2 with register 0 and with register 1
//!         lanes ni fold 2;                       leaves     r = t0, nb = block0, ni = 2 lane0 + register, q = t1
//!     }
//! }
//! ```
//!
//! A step is an iteration of the innermost loop of the program. It contains one copy of the equations per instance. In the
//! instance with q = 1 and register 0, a place has the iteration point r = t0, n = 64 block0 + 2 lane0, q = 1.
//!
//! On a CPU, a fold whose registers do not exchange values is *strided*: it becomes the outermost loop of the program, and in
//! each of its iterations adjacent lanes have adjacent values. In the example the fold is then the loop t0 with
//! ni = lane0 + 32 t0, r is the loop t1, and there are 3 instances, one per value of q.
//!
//! | file | holds |
//! | --- | --- |
//! | `build` | the construction of a layout |
//! | `point` | rows, leaf loops and loops of the kernel as forms of the place |
//! | `bounds` | the bounds of the loops and of the grid |
//! | `intervals` | the least and the greatest value of every loop of the kernel and of its tiles |
mod bounds;
mod build;
mod intervals;
mod point;

pub use point::over_leaves;

use super::faces::Face;
use super::place_form::PlaceForm;
use crate::dependence::Dependences;
use crate::laws::{Edge, Tickets};
use crate::model::{Device, Int, Kernel, Mapping, Places, Row, RowKind, RowName, StageMedium};
use crate::sorted::SortedSet;

/// The machine that runs the program. Several media can carry a value; the costs of the machine decide between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A shuffle is cheap, a second load is not; adjacent values of a fold are one wide load.
    Gpu,
    /// An unaligned load beats a shuffle; adjacent lanes are one wide load.
    Cpu,
}

impl Target {
    /// The device, as maps name it.
    pub fn device(self) -> Device {
        match self {
            Target::Gpu => Device::Gpu,
            Target::Cpu => Device::Cpu,
        }
    }
}

/// A row of lanes or warps: `extent` coordinates of `fold` values each. Its least value is `low`.
#[derive(Clone, Debug)]
pub struct Space {
    pub row: usize,
    pub low: Int,
    pub extent: Int,
    pub fold: Int,
    /// Whether the distance between two values of a lane is `extent`; otherwise they are adjacent.
    pub strided: bool,
}

/// A loop of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLoop {
    /// The registers of a strided fold, one after the other. Possible because no computed value moves between them.
    Fold,
    /// A time row.
    Row(usize),
}

/// One copy of the equations in the body of a step: a time of the rows that are unrolled, and a register of the fold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The values of the rows that are unrolled.
    pub unrolled: Vec<Int>,
    pub register: Int,
}

/// The layout of a map. Rows are numbered as in `Places`.
#[derive(Clone, Debug)]
pub struct Layout<'k> {
    pub kernel: &'k Kernel,
    pub mapping: &'k Mapping,
    pub places: &'k Places,
    /// The classes of every read.
    pub dependences: &'k Dependences,
    pub target: Target,
    /// About how many instructions a group of lines that a step may skip should have.
    pub group: usize,
    /// The block rows.
    pub blocks: Vec<usize>,
    /// The warp rows. The last one varies fastest.
    pub warps: Vec<Space>,
    /// The lane rows. The last one varies fastest and has the fold.
    pub lanes: Vec<Space>,
    /// The loops of the program, outermost first.
    pub loops: Vec<TimeLoop>,
    /// The time rows that are unrolled inside the innermost loop.
    pub unrolled: Vec<usize>,
    /// The ranges of rows, where they are constants.
    pub ranges: Vec<Option<(Int, Int)>>,
    /// The copies of the equations in a step, in order of time.
    pub instances: Vec<Instance>,
    /// Every leaf loop as a form of the place.
    pub leaves: Vec<PlaceForm>,
    /// Forms that are 0 at every place that is an iteration point.
    pub consistent: Vec<PlaceForm>,
    /// What carries values from block to block and from launch to launch.
    pub faces: Vec<Face>,
    /// The order of blocks, if values cross them.
    pub tickets: Option<&'k Tickets>,
    /// Reads that no point performs, if the program leaves them out because they do not fit.
    pub unused: SortedSet<Edge>,
}

impl Layout<'_> {
    pub fn lane_count(&self) -> Int {
        self.lanes.iter().map(|s| s.extent).product()
    }

    pub fn warp_count(&self) -> Int {
        self.warps.iter().map(|s| s.extent).product()
    }

    /// The number of a time row: the loops of the program come first, then the rows that are unrolled.
    pub fn time_number(&self, row: usize) -> Option<usize> {
        let unrolled = self.unrolled.iter().map(|row| TimeLoop::Row(*row));
        self.loops.iter().copied().chain(unrolled).position(|r| r == TimeLoop::Row(row))
    }

    /// The name of a loop of the program.
    pub fn loop_name(&self, number: usize) -> String {
        match self.loops[number] {
            TimeLoop::Fold => "fold".to_string(),
            TimeLoop::Row(row) => self.places.rows[row].name.clone(),
        }
    }

    /// Whether some time row is a sum of several loops.
    pub fn is_skewed(&self) -> bool {
        let terms = |row: &Row| row.coefs.iter().filter(|c| **c != 0).count();
        self.places.of_kind(RowKind::Time).any(|row| terms(row) > 1)
    }

    /// Whether some loop of the program runs along the lanes too, so that they begin one after another.
    pub fn is_wavefront(&self) -> bool {
        let rows = &self.places.rows;
        let loops = self.loops.iter().filter_map(|l| match l {
            TimeLoop::Row(row) => Some(&rows[*row]),
            TimeLoop::Fold => None,
        });
        let along = |row: &Row| {
            let shares = |lanes: &Row| row.coefs.iter().zip(&lanes.coefs).any(|(a, b)| *a != 0 && *b != 0);
            self.places.of_kind(RowKind::Lane).any(shares)
        };
        loops.into_iter().any(along)
    }

    /// The parameters staged in shared memory, each with its level: the number of loops inside which its box is filled.
    pub fn staged_in_shared(&self) -> Vec<(usize, usize)> {
        let level = |name: RowName| {
            let row = self.places.named(name)?;
            match self.places.rows[row].kind {
                RowKind::Time => Some((self.time_number(row)? + 1).min(self.loops.len())),
                _ => Some(0),
            }
        };
        let stages = self.mapping.stages.iter().filter(|s| s.medium == StageMedium::Shared);
        stages.filter_map(|s| Some((s.parameter, level(s.row)?))).collect()
    }

    /// The parameters staged in registers.
    pub fn staged_in_registers(&self) -> Vec<usize> {
        let stages = self.mapping.stages.iter().filter(|s| s.medium == StageMedium::Registers);
        stages.map(|s| s.parameter).collect()
    }
}
