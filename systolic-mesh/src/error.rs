//! Why something on a mesh failed.
use std::fmt;

/// Why a call on a mesh failed. The message names the rank, the array or the file concerned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A mesh cannot have this shape.
    Mesh {
        /// Why not.
        why: String,
    },
    /// An array has fewer rows along a dimension than the mesh has ranks.
    Rows {
        /// The array.
        array: String,
        /// The dimension.
        axis: usize,
        /// Its length.
        rows: usize,
        /// The ranks along that dimension of the mesh.
        ranks: usize,
    },
    /// An array does not fit the mesh.
    Array {
        /// Why not.
        why: String,
    },
    /// The kernel cannot be cut along a dimension of the mesh.
    Split {
        /// The kernel.
        kernel: &'static str,
        /// The dimension.
        axis: usize,
        /// The law that speaks against it, in its words, with a counterexample.
        why: String,
    },
    /// The ranks do not all make the same call.
    Differ {
        /// A rank.
        rank: usize,
        /// Its call.
        call: String,
        /// Another rank.
        other: usize,
        /// Its call.
        other_call: String,
    },
    /// Another rank could not take part in the call, so no rank did.
    Elsewhere {
        /// The rank.
        rank: usize,
        /// Its error.
        why: String,
    },
    /// A rank is lost. Nothing more can be done with this mesh.
    Lost(Lost),
    /// A message is not what was expected.
    Message {
        /// The sender.
        rank: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A file could not be read or written.
    File {
        /// The file.
        path: String,
        /// Why not.
        why: String,
    },
    /// The kernel failed on this rank.
    Kernel(systolic::Error),
    /// MPI is not there, or not as it is needed.
    Mpi {
        /// Why not.
        why: String,
    },
}

/// A rank that no longer takes part, and what happened to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost {
    /// The rank.
    pub rank: usize,
    /// What happened: `panicked`, `has left the mesh`.
    pub how: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} {}", self.rank, self.how)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Mesh { why } | Error::Array { why } => f.write_str(why),
            Error::Rows { array, axis, rows, ranks } => {
                write!(
                    f,
                    "{array}: dimension {axis} has {rows} rows, too few for {ranks} ranks: every rank needs at least one"
                )
            }
            Error::Split { kernel, axis, why } => {
                write!(f, "`{kernel}` cannot be split along dimension {axis}: {why}")
            }
            Error::Differ { rank, call, other, other_call } => {
                write!(f, "the ranks make different calls: rank {rank} calls {call}; rank {other} calls {other_call}")
            }
            Error::Elsewhere { rank, why } => write!(f, "rank {rank} could not take part: {why}"),
            Error::Lost(lost) => lost.fmt(f),
            Error::Message { rank, why } => write!(f, "a message from rank {rank} {why}"),
            Error::File { path, why } => write!(f, "{path}: {why}"),
            Error::Kernel(error) => error.fmt(f),
            Error::Mpi { why } => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

impl From<systolic::Error> for Error {
    fn from(error: systolic::Error) -> Error {
        Error::Kernel(error)
    }
}

impl From<Lost> for Error {
    fn from(lost: Lost) -> Error {
        Error::Lost(lost)
    }
}
