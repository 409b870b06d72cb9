//! Where rings and boxes lie in the shared memory of a block, and how much they take.
use super::{Program, Ring, Stage};
use crate::model::Int;

/// Offsets in bytes, each a multiple of 16.
pub struct Shared {
    pub rings: Vec<Int>,
    pub stages: Vec<Int>,
    /// What follows them.
    pub bytes: Int,
}

impl Shared {
    pub fn of(program: &Program) -> Shared {
        let mut bytes: Int = 0;
        let mut place = |size: Int| {
            let at = bytes;
            bytes += (size + 15) / 16 * 16;
            at
        };
        let rings = program.rings.iter().map(|ring| place(program.ring_bytes(ring))).collect();
        let stages = program.stages.iter().map(|stage| place(stage.bytes())).collect();
        Shared { rings, stages, bytes }
    }
}

impl Program {
    /// The bytes of a ring: its slots for all lanes of the block.
    pub fn ring_bytes(&self, ring: &Ring) -> Int {
        ring.slots() * self.warp_count() * 32 * self.values[ring.value.0].ty.bytes() as Int
    }
}

impl Stage {
    /// The bytes of the box, with what keeps its rows in banks of their own.
    pub fn bytes(&self) -> Int {
        let rows: Int = self.extents.split_last().map_or(1, |(_, outer)| outer.iter().product());
        rows.saturating_mul(self.pitch).saturating_mul(self.ty.bytes() as Int)
    }
}
