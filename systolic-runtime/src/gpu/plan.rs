//! What emitted code says about a kernel's launches.

/// How a kernel is launched.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// For people: `conv2d_rows::<f32, 3, 3>`.
    pub kernel: &'static str,
    /// Its code; empty where there is none.
    pub images: &'static [Image],
    /// Why there is no code.
    pub why: &'static str,
    /// The start of its entries' names; they end in `_wide`, `_any` and `_64`.
    pub entry: &'static str,
    /// The arrays that wide accesses touch; none: there is no such entry.
    pub wide: &'static [Wide],
    /// The warps of a block.
    pub warps: u32,
    /// Bytes of dynamic shared memory a block, a multiple of 16, without rows.
    pub shared: u32,
    /// The first block of each axis, by the sizes; axis 0 is the slowest.
    pub low: fn(&[i64]) -> [i64; 3],
    /// The last block; below the first there is none.
    pub high: fn(&[i64]) -> [i64; 3],
    /// The bytes of rows of a block, a multiple of 16.
    pub rows: fn(&[i64], [i64; 3]) -> i64,
    /// Whether they depend on the block.
    pub rows_vary: bool,
    /// The points of a block, at most.
    pub points: fn(&[i64]) -> i128,
    /// Evaluations of the equations by the warps of a block, at most.
    pub evaluations: fn(&[i64]) -> i128,
    /// What no number that the kernel computes for indices exceeds, in either direction.
    pub magnitude: fn(&[i64]) -> i128,
}

impl Plan {
    /// One without code.
    pub const NOTHING: Plan = Plan {
        kernel: "",
        images: &[],
        why: "",
        entry: "",
        wide: &[],
        warps: 1,
        shared: 0,
        low: |_| [0; 3],
        high: |_| [-1; 3],
        rows: |_, _| 0,
        rows_vary: false,
        points: |_| 0,
        evaluations: |_| 0,
        magnitude: |_| 0,
    };
}

/// Code for a device.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// The architecture: 90 for `sm_90`.
    pub arch: u32,
    /// Text that the driver compiles, for this architecture and later ones; else for exactly this one.
    pub ptx: bool,
    /// The code.
    pub bytes: &'static [u8],
}

/// An array that wide accesses touch.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// By position among the arrays, inputs first.
    pub array: usize,
    /// The bytes of an access: the place and every pitch are multiples of it.
    pub bytes: u32,
}
