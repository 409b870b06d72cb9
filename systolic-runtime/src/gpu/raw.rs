//! The driver calls that the runtime needs, on plain handles. Without feature `cuda` a [`Context`] cannot exist, so all
//! code that needs one compiles to nothing.
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(not(feature = "cuda"))]
mod none;

#[cfg(feature = "cuda")]
pub use cuda::Context;
#[cfg(not(feature = "cuda"))]
pub use none::Context;

/// An address in device memory; 0 means none.
pub type Address = u64;

/// A handle of the driver, as a number, so that it is `Send` and `Sync`.
macro_rules! handles {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        $($(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub usize);)+
    };
}

handles! {
    /// A CUDA stream.
    Queue
    /// A CUDA event: a point in the work of a queue.
    Mark
    /// Code that is loaded on a device.
    Module
    /// A kernel in a module.
    Function
    /// Work that was captured, ready to be launched.
    Graph
}

/// What a mark is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Other queues wait for it.
    Plain,
    /// The time between two of them is measured.
    Timed,
    /// A thread of the host waits for it, for long.
    Awaited,
}

/// The rows of a copy between the host and a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The number of rows.
    pub count: usize,
    /// The bytes per row.
    pub bytes: usize,
    /// The bytes from one row to the next on the host.
    pub host: usize,
    /// The bytes from one row to the next on the device.
    pub device: usize,
}

/// The bits of an element that memory is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One byte.
    One(u8),
    /// Two bytes.
    Two(u16),
    /// Four bytes.
    Four(u32),
    /// Eight bytes: the lower half, then the upper one.
    Eight(u32, u32),
}

impl Pattern {
    /// Returns the pattern of an element of 1, 2, 4 or 8 bytes from its bits.
    pub fn new(bytes: usize, bits: u64) -> Pattern {
        match bytes {
            1 => Pattern::One(bits as u8),
            2 => Pattern::Two(bits as u16),
            4 => Pattern::Four(bits as u32),
            _ => Pattern::Eight(bits as u32, (bits >> 32) as u32),
        }
    }
}

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Warps per block.
    pub warps: u32,
    /// Bytes of dynamic shared memory per block.
    pub shared: u32,
}

/// The reason why the driver did not load an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The driver's error code.
    pub code: u32,
    /// The log of its compiler, or the meaning of the error code.
    pub log: String,
}
