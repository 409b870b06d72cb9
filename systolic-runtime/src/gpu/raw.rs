//! The driver's calls that the runtime makes, on plain handles. Without feature `cuda` a [`Context`] cannot exist, so
//! all that is built on one compiles to nothing.
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(not(feature = "cuda"))]
mod none;

#[cfg(feature = "cuda")]
pub use cuda::Context;
#[cfg(not(feature = "cuda"))]
pub use none::Context;

/// A place in a device's memory; 0 is none.
pub type Address = u64;

/// A handle of the driver's, as a number: it goes from thread to thread.
macro_rules! handles {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        $($(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub usize);)+
    };
}

handles! {
    /// What work is put in order on.
    Queue
    /// A point in a queue's work.
    Mark
    /// Code that a device has loaded.
    Module
    /// A kernel in a module.
    Function
}

/// Rows of bytes on both sides of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// How many.
    pub count: usize,
    /// The bytes of one.
    pub bytes: usize,
    /// From one to the next on the host.
    pub host: usize,
    /// From one to the next on the device.
    pub device: usize,
}

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Warps of a block.
    pub warps: u32,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
}

/// Code that the driver did not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its code.
    pub code: u32,
    /// What its compiler said, if anything.
    pub log: String,
}
