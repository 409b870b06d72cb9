//! The goal of a random kernel. Rare cases of the rule for wires seldom occur by chance; a goal shifts the odds.
use super::Random;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    Anything,
    /// Values that pass from warp to warp some steps later.
    Ring,
    /// Values that pass from warp to warp inside a step.
    InStep,
    /// Values that pass from warp to warp across an inner loop.
    RowBetweenWarps,
    /// A row that combines two loops.
    FewerRows,
    /// Values that pass from block to block, or from launch to launch.
    Far,
}

impl Aim {
    pub fn draw(random: &mut Random) -> Aim {
        match random.below(100) {
            0..6 => Aim::Ring,
            6..22 => Aim::InStep,
            22..33 => Aim::RowBetweenWarps,
            33..41 => Aim::FewerRows,
            41..70 => Aim::Far,
            _ => Aim::Anything,
        }
    }

    /// Whether values should pass from warp to warp.
    pub fn is_between_warps(self) -> bool {
        matches!(self, Aim::Ring | Aim::InStep | Aim::RowBetweenWarps)
    }

    pub fn loop_count(self, random: &mut Random) -> usize {
        match self {
            Aim::Anything => random.pick(&[1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4]),
            Aim::FewerRows => random.pick(&[2, 2, 3, 3]),
            Aim::RowBetweenWarps => random.pick(&[3, 4, 4]),
            _ => random.pick(&[2, 3, 3, 3, 3, 4]),
        }
    }

    /// The percentage of loops with a constant length.
    pub fn constant_loops(self) -> usize {
        match self {
            Aim::Anything => 40,
            Aim::Ring => 50,
            Aim::InStep | Aim::RowBetweenWarps => 80,
            Aim::FewerRows => 60,
            Aim::Far => 20,
        }
    }

    /// The percentage of maps with warps.
    pub fn warps(self) -> usize {
        if self.is_between_warps() { 95 } else { 30 }
    }
}
