//! Occupancy: how many blocks of a program a multiprocessor runs at a time.
use crate::target::{Gpu, gpu};

/// The resources of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its warps.
    pub warps: usize,
    /// Registers per lane.
    pub registers: usize,
    /// Bytes of shared memory.
    pub shared: usize,
}

/// The blocks that a multiprocessor runs at a time: as many as registers, warps, shared memory and the limit on blocks allow.
/// 0 if not even one fits.
pub fn blocks(machine: &Gpu, block: Block) -> usize {
    let per_warp = (block.registers.max(1) * gpu::WARP).next_multiple_of(machine.register_unit * gpu::WARP);
    // Each quarter of a multiprocessor has its own registers.
    let by_registers = 4 * (machine.registers / 4 / per_warp) / block.warps.max(1);
    let by_warps = machine.warps / block.warps.max(1);
    let taken = block.shared + machine.shared_reserved;
    let by_shared = machine.shared_bytes / taken.max(1).next_multiple_of(machine.shared_unit.max(1));
    by_registers.min(by_warps).min(by_shared).min(machine.blocks)
}
