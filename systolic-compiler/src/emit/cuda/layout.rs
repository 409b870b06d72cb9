//! Where rings and boxes lie in the shared memory of a block.
use crate::model::{Int, Kernel};
use crate::program::Program;

/// Offsets in bytes, each a multiple of 16.
pub struct Layout {
    pub rings: Vec<Int>,
    pub stages: Vec<Int>,
    /// What follows them.
    pub bytes: Int,
}

impl Layout {
    pub fn of(kernel: &Kernel, program: &Program) -> Layout {
        let mut bytes: Int = 0;
        let mut place = |size: Int| {
            let at = bytes;
            bytes += (size + 15) / 16 * 16;
            at
        };
        let width = |value: crate::program::ValueId| program.values[value.0].ty.bytes() as Int;
        let ring = |r: &crate::program::Ring| r.slots() * program.warp_count() * 32 * width(r.value);
        let rings = program.rings.iter().map(|r| place(ring(r))).collect();
        let stage = |s: &crate::program::Stage| {
            let rows: Int = s.extents.split_last().map_or(1, |(_, outer)| outer.iter().product());
            rows * s.pitch * kernel.element(s.array).bytes() as Int
        };
        let stages = program.stages.iter().map(|s| place(stage(s))).collect();
        Layout { rings, stages, bytes }
    }
}
