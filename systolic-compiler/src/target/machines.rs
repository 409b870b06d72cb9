//! One GPU per architecture: the machine for which the search compares maps, chosen by the architecture that code is built for.
//!
//! Only the H200 was measured. The others are published numbers, not measured here: multiprocessors, clock and bandwidth from
//! NVIDIA's data sheets, limits from the table of compute capabilities in NVIDIA's programming guide, lanes per clock from its
//! table of arithmetic throughput and from the white papers of the architectures. What nobody publishes is scaled from the H200.
use super::gpu::{Gpu, H200, JUDGED_ARCHITECTURE};
use super::timing::{Kind, Pipe, Timing};

/// The part of a data sheet's bandwidth that a copy reaches, on the H200: 4.007 of 4.8 TB/s, `copy_dram`.
const REACHED: f64 = 0.835;

/// What is published of a GPU.
struct Published {
    name: &'static str,
    architecture: u32,
    multiprocessors: f64,
    /// The boost clock, in clocks per second.
    clock: f64,
    /// Bytes per second, of the data sheet.
    bandwidth: f64,
    /// Lanes per clock of a multiprocessor: products of f32, those of f64, sums of integers.
    fma: f64,
    fma64: f64,
    alu: f64,
    /// Warps and blocks per multiprocessor.
    warps: usize,
    blocks: usize,
    /// Shared memory per multiprocessor, in bytes.
    shared_bytes: usize,
    /// What the driver takes of it per block, in bytes, and the multiple that a block gets.
    shared_reserved: usize,
    shared_unit: usize,
}

/// Turing. The driver takes no shared memory before compute capability 8.0.
const T4: Published = Published {
    name: "NVIDIA T4",
    architecture: 75,
    multiprocessors: 40.0,
    clock: 1.59e9,
    bandwidth: 320e9,
    fma: 64.0,
    fma64: 2.0,
    alu: 64.0,
    warps: 32,
    blocks: 16,
    shared_bytes: 64 << 10,
    shared_reserved: 0,
    shared_unit: 256,
};

/// Ampere, of data centres. The SXM module of 80 GB.
const A100: Published = Published {
    name: "NVIDIA A100",
    architecture: 80,
    multiprocessors: 108.0,
    clock: 1.41e9,
    bandwidth: 2.039e12,
    fma: 64.0,
    fma64: 32.0,
    alu: 64.0,
    warps: 64,
    blocks: 32,
    shared_bytes: 164 << 10,
    shared_reserved: 1 << 10,
    shared_unit: 128,
};

/// Ampere, of desktops.
const RTX_3090: Published = Published {
    name: "NVIDIA GeForce RTX 3090",
    architecture: 86,
    multiprocessors: 82.0,
    clock: 1.695e9,
    bandwidth: 936e9,
    fma: 128.0,
    fma64: 2.0,
    warps: 48,
    blocks: 16,
    shared_bytes: 100 << 10,
    ..A100
};

/// Ampere, of small boards. Compute capability 8.8, which nvcc knows too, has no published GPU, and takes this one.
const ORIN: Published = Published {
    name: "NVIDIA Jetson AGX Orin",
    architecture: 87,
    multiprocessors: 16.0,
    clock: 1.3e9,
    bandwidth: 204.8e9,
    shared_bytes: 164 << 10,
    ..RTX_3090
};

/// Ada.
const RTX_4090: Published = Published {
    name: "NVIDIA GeForce RTX 4090",
    architecture: 89,
    multiprocessors: 128.0,
    clock: 2.52e9,
    bandwidth: 1.008e12,
    blocks: 24,
    ..RTX_3090
};

/// Blackwell, of data centres.
const B200: Published = Published {
    name: "NVIDIA B200",
    architecture: 100,
    multiprocessors: 148.0,
    clock: 1.965e9,
    bandwidth: 8e12,
    fma: 128.0,
    fma64: 64.0,
    shared_bytes: 228 << 10,
    ..A100
};

/// The same with few products of f64.
const B300: Published = Published { name: "NVIDIA B300", architecture: 103, clock: 1.92e9, fma64: 2.0, ..B200 };

/// Blackwell, of small boards.
const THOR: Published = Published {
    name: "NVIDIA Jetson AGX Thor",
    architecture: 110,
    multiprocessors: 20.0,
    clock: 1.575e9,
    bandwidth: 273e9,
    fma64: 2.0,
    warps: 48,
    blocks: 24,
    ..B200
};

/// Blackwell, of desktops. Its white paper has twice the integer lanes of Ada.
const RTX_5090: Published = Published {
    name: "NVIDIA GeForce RTX 5090",
    architecture: 120,
    multiprocessors: 170.0,
    clock: 2.407e9,
    bandwidth: 1.792e12,
    alu: 128.0,
    ..RTX_4090
};

/// The same in a small computer.
const GB10: Published = Published {
    name: "NVIDIA GB10",
    architecture: 121,
    multiprocessors: 48.0,
    clock: 2.4e9,
    bandwidth: 273e9,
    ..RTX_5090
};

/// All of them, by architecture. The H200 stands for 9.0.
static PUBLISHED: [Published; 10] = [T4, A100, RTX_3090, ORIN, RTX_4090, B200, B300, THOR, RTX_5090, GB10];

/// The machine for an architecture, such as 89: its own, or the one of the highest architecture below. Architectures below the
/// lowest get the lowest.
pub fn machine(architecture: u32) -> Gpu {
    let below = PUBLISHED.iter().rev().find(|p| p.architecture <= architecture);
    match below {
        Some(p) if p.architecture > JUDGED_ARCHITECTURE || architecture < JUDGED_ARCHITECTURE => p.gpu(),
        Some(_) => H200,
        None => PUBLISHED[0].gpu(),
    }
}

impl Published {
    fn gpu(&self) -> Gpu {
        Gpu {
            name: self.name,
            architecture: self.architecture,
            warps: self.warps,
            blocks: self.blocks,
            block_shared_bytes: (self.shared_bytes - self.shared_reserved) as systolic_sets::Int,
            shared_bytes: self.shared_bytes,
            shared_unit: self.shared_unit,
            shared_reserved: self.shared_reserved,
            timing: self.timing(),
            ..H200
        }
    }

    /// Latencies of the H200, in clocks, that of memory in nanoseconds; the caches move as many bytes per clock and multiprocessor.
    fn timing(&self) -> Timing {
        let of = H200.timing;
        let cycles = self.clock / of.clock;
        let together = cycles * self.multiprocessors / of.multiprocessors;
        let mut kinds = of.kinds;
        for (kind, pipe, lanes, _) in &mut kinds {
            match (*kind, *pipe) {
                (Kind::Fma64, _) => *lanes = self.fma64,
                (Kind::Alu, _) => *lanes = self.alu,
                (_, Pipe::Fma) => *lanes = lanes.min(self.fma),
                _ => {}
            }
        }
        Timing {
            multiprocessors: self.multiprocessors,
            clock: self.clock,
            bandwidth: self.bandwidth * REACHED,
            second_cache: of.second_cache * together,
            second_cache_stores: of.second_cache_stores * together,
            far: of.far * cycles,
            kinds,
            ..of
        }
    }
}
