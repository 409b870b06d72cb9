//! How many blocks of a program a multiprocessor runs at a time.
use crate::target::{Gpu, gpu};

/// What a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub warps: usize,
    /// Registers of a lane.
    pub registers: usize,
    /// Bytes of shared memory.
    pub shared: usize,
}

/// Blocks at a time: as registers, warps, shared memory and places for blocks allow. None where one does not fit.
pub fn blocks(machine: &Gpu, block: Block) -> usize {
    let a_warp = (block.registers.max(1) * gpu::WARP).next_multiple_of(machine.register_unit * gpu::WARP);
    // Each quarter of a multiprocessor has its own.
    let by_registers = 4 * (machine.registers / 4 / a_warp) / block.warps.max(1);
    let by_warps = machine.warps / block.warps.max(1);
    let taken = block.shared + machine.shared_reserved;
    let by_shared = machine.shared_bytes / taken.next_multiple_of(machine.shared_unit);
    by_registers.min(by_warps).min(by_shared).min(machine.blocks)
}
