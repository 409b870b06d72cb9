//! What a kernel is aimed at. Chance alone seldom brings the rarer cases of the rule; an aim shifts the odds.
use super::Random;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    Anything,
    /// Values from warp to warp, steps later.
    Ring,
    /// Values from warp to warp inside a step.
    InStep,
    /// Values from warp to warp past an inner loop.
    RowBetweenWarps,
    /// A row that holds two loops at once.
    FewerRows,
}

impl Aim {
    pub fn draw(random: &mut Random) -> Aim {
        match random.below(100) {
            0..6 => Aim::Ring,
            6..22 => Aim::InStep,
            22..33 => Aim::RowBetweenWarps,
            33..41 => Aim::FewerRows,
            _ => Aim::Anything,
        }
    }

    /// Whether values shall go from warp to warp.
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

    /// Of a hundred loops, how many have a constant length.
    pub fn constant_loops(self) -> usize {
        match self {
            Aim::Anything => 40,
            Aim::Ring => 50,
            Aim::InStep | Aim::RowBetweenWarps => 80,
            Aim::FewerRows => 60,
        }
    }

    /// Of a hundred maps, how many have warps.
    pub fn warps(self) -> usize {
        if self.is_between_warps() { 95 } else { 30 }
    }
}
