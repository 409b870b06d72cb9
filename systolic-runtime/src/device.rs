//! Where kernels run.
use crate::error::Error;

/// The machine's own cores: blocks over threads, lanes as vectors of the best kind it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu;

/// Wherever there is a place: today the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Auto;

/// What a kernel's `run` can be given. Only the types of this crate are.
pub trait Device: sealed::Sealed {
    /// Where to run, if it is there.
    #[doc(hidden)]
    fn target(&self) -> Result<Target, Error>;
}

/// A device that is there.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The machine's own cores.
    Cpu,
}

impl Device for Cpu {
    fn target(&self) -> Result<Target, Error> {
        Ok(Target::Cpu)
    }
}

impl Device for Auto {
    fn target(&self) -> Result<Target, Error> {
        Ok(Target::Cpu)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Cpu {}
    impl Sealed for super::Auto {}
}
