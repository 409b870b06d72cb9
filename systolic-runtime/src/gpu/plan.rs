//! The launch plan of a kernel, which emitted code contains.

/// The launch plan of a kernel. Functions take the sizes as their first argument.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The name for messages: `conv2d_rows::<f32, 3, 3>`.
    pub kernel: &'static str,
    /// Its code; empty if there is none.
    pub images: &'static [Image],
    /// Why there is no code, if there is none.
    pub why: &'static str,
    /// The prefix of the names of its entries, which end in `_wide`, `_any` and `_64`.
    pub entry: &'static str,
    /// The arrays with vectorised accesses. If there are none, there is no entry `_wide`.
    pub wide: &'static [Wide],
    /// The warps of a block.
    pub warps: u32,
    /// Bytes of dynamic shared memory per block, without scratch rows; a multiple of 16.
    pub shared: u32,
    /// The first block along each axis; axis 0 is the slowest.
    pub low: fn(&[i64]) -> [i64; 3],
    /// The last block along each axis; if it is below the first, there are no blocks.
    pub high: fn(&[i64]) -> [i64; 3],
    /// The bytes of scratch rows of a block, which hold values for later steps; a multiple of 16.
    pub rows: fn(&[i64], [i64; 3]) -> i64,
    /// Whether `rows` depends on the block.
    pub rows_vary: bool,
    /// An upper bound on the points of a block.
    pub points: fn(&[i64]) -> i128,
    /// An upper bound on the evaluations of the equations by the warps of a block.
    pub evaluations: fn(&[i64]) -> i128,
    /// An upper bound on the absolute value of every number that the kernel computes for indices.
    pub magnitude: fn(&[i64]) -> i128,
}

impl Plan {
    /// A plan without code.
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
    /// Whether the code is PTX text, which the driver compiles for this architecture or a later one. Otherwise it is a
    /// cubin for exactly this architecture.
    pub ptx: bool,
    /// The code.
    pub bytes: &'static [u8],
}

/// An array with vectorised accesses.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// The array, by its position among all arrays, inputs first.
    pub array: usize,
    /// The bytes of an access. The address and all strides in bytes must be multiples of it.
    pub bytes: u32,
}
