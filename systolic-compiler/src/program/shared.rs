//! The layout of a block's shared memory: where rings and staged boxes lie, and how many bytes they take.
use super::{Program, Ring, Stage};
use crate::model::Int;

/// Offsets in the shared memory of a block, in bytes. Each is a multiple of 16.
pub struct Shared {
    /// Of every ring.
    pub rings: Vec<Int>,
    /// Of every staged box.
    pub stages: Vec<Int>,
    /// The bytes that all of them take.
    pub bytes: Int,
}

impl Shared {
    /// Places all rings, then all boxes.
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
    /// The bytes of the box, with the padding of its rows.
    pub fn bytes(&self) -> Int {
        let rows: Int = self.extents.split_last().map_or(1, |(_, outer)| outer.iter().product());
        rows.saturating_mul(self.pitch).saturating_mul(self.ty.bytes() as Int)
    }
}
