//! The laws, their order and their stages.
use std::fmt;

/// The laws of kernels and maps, in the order of their stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Law {
    Syntax,
    Names,
    Rank,
    Types,
    Sizes,
    Uniform,
    Defined,
    Bounds,
    Cycle,
    Outputs,
    Matrix,
    Reverse,
    Collision,
    Lanes,
    Causality,
    Broadcast,
    Blocks,
    Resources,
}

use Law::*;

impl Law {
    pub const ALL: [Law; 18] = [
        Syntax, Names, Rank, Types, Sizes, Uniform, Defined, Bounds, Cycle, Outputs, Matrix, Reverse, Collision, Lanes,
        Causality, Broadcast, Blocks, Resources,
    ];

    /// The law's name, with which its messages start.
    pub fn name(self) -> &'static str {
        match self {
            Syntax => "syntax",
            Names => "names",
            Rank => "rank",
            Types => "types",
            Sizes => "sizes",
            Uniform => "uniform",
            Defined => "defined",
            Bounds => "bounds",
            Cycle => "cycle",
            Outputs => "outputs",
            Matrix => "matrix",
            Reverse => "reverse",
            Collision => "collision",
            Lanes => "lanes",
            Causality => "causality",
            Broadcast => "broadcast",
            Blocks => "blocks",
            Resources => "resources",
        }
    }

    /// The stage in which the law is checked. A stage runs only if all earlier ones found nothing.
    pub fn stage(self) -> usize {
        match self {
            Syntax => 0,
            Names | Rank => 1,
            Types | Sizes | Uniform => 2,
            Defined | Bounds | Cycle | Outputs => 3,
            Matrix | Reverse => 4,
            Collision | Lanes => 5,
            Causality | Broadcast | Blocks => 6,
            Resources => 7,
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
