//! Broken invariants: errors of the compiler itself. They are reported on the kernel's name, and nothing is emitted for it.
use crate::mapping::Obstacle;
use std::fmt;

/// An invariant that does not hold after a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The stage that left it so.
    pub stage: &'static str,
    /// What was found.
    pub found: String,
}

/// Why a map has no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// Its equations run point by point.
    Obstacle(Obstacle),
    /// The compiler made a mistake.
    Broken(Broken),
}

/// The second line of the message; the first one names the kernel.
impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after the stage `{}` of the compiler: {}", self.stage, self.found)
    }
}

impl fmt::Display for NoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProgram::Obstacle(obstacle) => obstacle.fmt(f),
            NoProgram::Broken(broken) => broken.fmt(f),
        }
    }
}

impl From<Broken> for NoProgram {
    fn from(broken: Broken) -> NoProgram {
        NoProgram::Broken(broken)
    }
}

impl From<Obstacle> for NoProgram {
    fn from(obstacle: Obstacle) -> NoProgram {
        NoProgram::Obstacle(obstacle)
    }
}
