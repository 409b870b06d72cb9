//! The error type of kernel calls.
use crate::text::{list, names};
use std::fmt;

/// An error as emitted code hands it on. An error is long, and every `?` would compile to the code that copies it.
pub type Failure = Box<Error>;

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        *failure
    }
}

/// Why a call failed. For an argument that does not fit, the message names the parameter, what was expected and what was given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An array does not have the shape that follows from the sizes.
    Shape {
        /// The parameter.
        parameter: &'static str,
        /// The expected shape.
        expected: Box<Expected>,
        /// The given shape.
        got: Vec<usize>,
    },
    /// A slice does not have as many elements as its shape says.
    Elements {
        /// The parameter.
        parameter: &'static str,
        /// The given shape.
        shape: Vec<usize>,
        /// The number of elements of the slice.
        got: usize,
    },
    /// The length of a dimension yields no whole number for its size.
    Remainder {
        /// The parameter.
        parameter: &'static str,
        /// The index of the dimension.
        axis: usize,
        /// The dimension as an affine form of the sizes, `2 * C + 3`.
        dimension: String,
        /// The given length.
        length: usize,
        /// The size that has no value.
        size: &'static str,
    },
    /// A size is below 1, but an output is not empty.
    Size {
        /// The size, its value and the parameter that gave it.
        size: SizeValue,
    },
    /// A condition of the kernel's `where` does not hold.
    Condition {
        /// The condition as written.
        condition: &'static str,
        /// The sizes in it, with their values.
        sizes: Vec<SizeValue>,
    },
    /// An element of lengths lies outside their range.
    Length {
        /// The parameter.
        parameter: &'static str,
        /// The index of the first such item.
        item: Vec<usize>,
        /// Its value.
        value: i128,
        /// The least length.
        least: i128,
        /// The greatest length.
        most: i128,
        /// The sizes in the greatest length, with their values.
        sizes: Vec<SizeValue>,
    },
    /// A number exceeds a limit of the runtime.
    Limit {
        /// A description of the number.
        what: String,
        /// Its value.
        value: i128,
        /// The largest accepted value.
        limit: i128,
    },
    /// There is not enough memory.
    OutOfMemory {
        /// Whose memory.
        memory: Memory,
        /// What it is for.
        purpose: &'static str,
        /// The bytes that are needed.
        bytes: u128,
    },
    /// The map evaluates the equations more often than [`Limits::evaluations_per_point`](crate::Limits) allows.
    Evaluations {
        /// The number of evaluations, each by a warp of 32 lanes.
        evaluations: i128,
        /// The number of iteration points.
        points: i128,
        /// The limit per point.
        per_point: u64,
    },
    /// The map keeps more values for later steps than [`Limits::scratch_bytes`](crate::Limits) allows.
    Scratch {
        /// The bytes per block.
        bytes: i128,
        /// The limit.
        limit: u64,
    },
    /// Few points lie in a large box, all of which a variable would have memory for, more than
    /// [`Limits::scratch_bytes`](crate::Limits) allows. Only evaluation point by point needs that.
    Sparse {
        /// What would take the memory.
        what: &'static str,
        /// The bytes.
        bytes: i128,
        /// The number of iteration points.
        points: i128,
        /// The limit.
        limit: u64,
    },
    /// The kernel failed to compile; the compiler has reported why.
    NotCompiled {
        /// The kernel.
        kernel: &'static str,
    },
    /// This program was built without feature `cuda`.
    NoFeature,
    /// There is no CUDA driver on this machine.
    NoDriver,
    /// There is no CUDA device with this number.
    NoDevice {
        /// The requested number.
        ordinal: usize,
        /// The number of devices.
        devices: usize,
    },
    /// The kernel has no code for the device.
    NoCode {
        /// The kernel.
        kernel: &'static str,
        /// The device's architecture: 90 for `sm_90`.
        device: u32,
        /// The code that there is instead, or why there is none.
        there: String,
    },
    /// The kernel's PTX is newer than the driver supports.
    PtxTooNew {
        /// The kernel.
        kernel: &'static str,
        /// The version of the PTX, `9.0`.
        ptx: String,
        /// The CUDA version of the driver, `12.4`.
        driver: String,
    },
    /// The driver could not load the kernel's code.
    Jit {
        /// The kernel.
        kernel: &'static str,
        /// The driver's error code.
        code: u32,
        /// The log of its compiler.
        log: String,
    },
    /// A kernel failed while it ran. The device's arrays are lost; those of the host are unchanged.
    Launch {
        /// The driver's error code.
        code: u32,
        /// Its meaning.
        text: &'static str,
    },
    /// An array is on another device than the stream.
    WrongDevice {
        /// The array's device.
        array: usize,
        /// The stream's device.
        stream: usize,
    },
    /// A call that cannot be a part of a recorded sequence.
    Recording {
        /// What cannot be recorded.
        what: &'static str,
    },
    /// Memory of another owner cannot be used as an array.
    Foreign {
        /// Why not.
        why: &'static str,
    },
    /// The memory of an array was given back to its owner.
    GivenBack,
    /// The sizes require more blocks than a launch can have.
    Grid {
        /// The kernel.
        kernel: &'static str,
        /// The blocks along each axis.
        blocks: [u64; 3],
    },
    /// A driver call failed.
    Driver {
        /// The name of the call.
        call: &'static str,
        /// The driver's error code.
        code: u32,
        /// Its meaning.
        text: &'static str,
    },
}

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Memory {
    /// The memory of the host.
    Host,
    /// Memory of the host that a device can access, which the operating system cannot move.
    Pinned,
    /// The memory of a device.
    Device,
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Memory::Host => "host",
            Memory::Pinned => "pinned",
            Memory::Device => "device",
        })
    }
}

/// The shape that a call expected for a parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Expected {
    /// The dimensions as affine forms of the sizes: `C + 4`.
    pub dimensions: Vec<String>,
    /// Their values.
    pub lengths: Vec<usize>,
    /// The sizes in them.
    pub sizes: Vec<SizeValue>,
}

/// A size and where its value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SizeValue {
    /// The name in the kernel.
    pub name: &'static str,
    /// Its value in this call.
    pub value: i128,
    /// The parameter that gave it.
    pub from: &'static str,
}

impl fmt::Display for SizeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SizeValue { name, value, from } = self;
        // A `size` parameter is its own source.
        if name == from { write!(f, "{name} = {value}") } else { write!(f, "{name} = {value} (from `{from}`)") }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape { parameter, expected, got } => {
                let dimensions = list(&expected.dimensions);
                let lengths = list(&expected.lengths);
                write!(f, "`{parameter}`: expected {dimensions}")?;
                if dimensions != lengths {
                    write!(f, " = {lengths}")?;
                }
                if !expected.sizes.is_empty() {
                    write!(f, " with {}", names(&expected.sizes))?;
                }
                write!(f, ", got {}", list(got))
            }
            Error::Elements { parameter, shape, got } => {
                let elements = shape.iter().try_fold(1usize, |product, length| product.checked_mul(*length));
                let expected = elements.map_or("more elements than memory holds".to_string(), |n| match n {
                    1 => "1 element".to_string(),
                    n => format!("{n} elements"),
                });
                write!(f, "`{parameter}`: expected {expected} for the shape {}, got {got}", list(shape))
            }
            Error::Remainder { parameter, axis, dimension, length, size } => write!(
                f,
                "`{parameter}`: expected length `{dimension}` with a whole number {size} in dimension {axis}, got {length}"
            ),
            Error::Size { size } => write!(f, "size {size} is below 1, but an output is not empty"),
            Error::Condition { condition, sizes } if sizes.is_empty() => {
                write!(f, "`where {condition}` does not hold")
            }
            Error::Condition { condition, sizes } => {
                write!(f, "`where {condition}` does not hold with {}", names(sizes))
            }
            Error::Length { parameter, item, value, least, most, sizes } => {
                write!(f, "`{parameter}`: expected a length from {least} to {most} at {}", list(item))?;
                if !sizes.is_empty() {
                    write!(f, " with {}", names(sizes))?;
                }
                write!(f, ", got {value}")
            }
            Error::Limit { what, value, limit } => write!(f, "limit: {what} is {value}; at most {limit} is accepted"),
            Error::OutOfMemory { memory, purpose, bytes } => {
                write!(f, "not enough {memory} memory for {bytes} bytes ({purpose})")
            }
            Error::Evaluations { evaluations, points, per_point } => write!(
                f,
                "the map takes {evaluations} evaluations for {points} points, more than {per_point} per point: choose smaller \
                 entries in its matrix or blocks that have more points, or raise `systolic::Limits::evaluations_per_point`"
            ),
            Error::Scratch { bytes, limit } => write!(
                f,
                "a block of the map keeps {bytes} bytes for later steps, more than {limit}: choose smaller entries in its \
                 matrix or smaller tiles, or raise `systolic::Limits::scratch_bytes`"
            ),
            Error::Sparse { what, bytes, points, limit } => write!(
                f,
                "{what} would take {bytes} bytes for {points} points, because the box around them is large, more than {limit}: count \
                 a loop from the one that it follows, as in `for i in 0..N, d in 0..3` with `i + d` in place of `j`, or raise \
                 `systolic::Limits::scratch_bytes`"
            ),
            Error::NotCompiled { kernel } => {
                write!(f, "kernel `{kernel}` did not compile; see the compiler's errors")
            }
            _ => self.device_fault(f),
        }
    }
}

impl Error {
    /// The host has no memory for some elements; `bytes` is the size of one.
    pub(crate) fn no_memory(purpose: &'static str, elements: u128, bytes: usize) -> Error {
        Error::OutOfMemory { memory: Memory::Host, purpose, bytes: elements.saturating_mul(bytes as u128) }
    }

    /// A device has no memory for this many bytes.
    pub(crate) fn no_device_memory(purpose: &'static str, bytes: u128) -> Error {
        Error::OutOfMemory { memory: Memory::Device, purpose, bytes }
    }

    /// Writes the messages of errors about devices.
    fn device_fault(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoFeature => f.write_str(
                "built without GPU support: enable feature `cuda` of `systolic` in the program's Cargo.toml",
            ),
            Error::NoDriver => f.write_str("no CUDA driver: `libcuda.so.1` is not on this machine"),
            Error::NoDevice { ordinal, devices: 0 } => write!(f, "no CUDA device {ordinal}: there are none"),
            Error::NoDevice { ordinal, devices } => {
                write!(f, "no CUDA device {ordinal}: there are {devices}, counted from 0")
            }
            Error::NoCode { kernel, device, there } => {
                write!(f, "kernel `{kernel}` has no code for a device of sm_{device}: {there}")
            }
            Error::PtxTooNew { kernel, ptx, driver } => write!(
                f,
                "kernel `{kernel}` has PTX of version {ptx}, which is too new for the driver of CUDA {driver}"
            ),
            Error::Jit { kernel, code, log } => write!(f, "the driver rejected kernel `{kernel}` (code {code}): {log}"),
            Error::Launch { code, text } => write!(f, "a kernel failed on the device (code {code}): {text}"),
            Error::WrongDevice { array, stream } => {
                write!(f, "the array is on device {array}, but the stream is on device {stream}")
            }
            Error::Recording { what } => write!(f, "{what} cannot be recorded"),
            Error::Foreign { why } => write!(f, "the memory cannot be used as an array: {why}"),
            Error::GivenBack => f.write_str("the memory of the array was given back to its owner"),
            Error::Grid { kernel, blocks: [a, b, c] } => {
                write!(f, "kernel `{kernel}`: {a} × {b} × {c} blocks are more than a launch can have")
            }
            Error::Driver { call, code, text } => write!(f, "`{call}` failed (code {code}): {text}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(name: &'static str, value: i128, from: &'static str) -> SizeValue {
        SizeValue { name, value, from }
    }

    #[test]
    fn is_an_error_that_travels() {
        fn travels<E: std::error::Error + Send + Sync + 'static>() {}
        travels::<Error>();
        // Above this size, clippy asks every caller to box the error.
        assert!(std::mem::size_of::<Error>() <= 128);
    }

    #[test]
    fn a_shape_says_what_was_expected_and_what_came() {
        let expected =
            Expected { dimensions: vec!["C + 4".into()], lengths: vec![20], sizes: vec![size("C", 16, "x")] };
        let error = Error::Shape { parameter: "w", expected: Box::new(expected), got: vec![19] };
        assert_eq!(error.to_string(), "`w`: expected [C + 4] = [20] with C = 16 (from `x`), got [19]");
    }

    #[test]
    fn a_fixed_shape_is_said_once() {
        let expected = Expected { dimensions: vec!["7".into()], lengths: vec![7], sizes: vec![] };
        let error = Error::Shape { parameter: "w", expected: Box::new(expected), got: vec![6] };
        assert_eq!(error.to_string(), "`w`: expected [7], got [6]");
    }

    #[test]
    fn the_others_read_aloud() {
        let check = |error: Error, text: &str| assert_eq!(error.to_string(), text);
        check(
            Error::Remainder { parameter: "x", axis: 0, dimension: "2 * C + 3".into(), length: 4, size: "C" },
            "`x`: expected length `2 * C + 3` with a whole number C in dimension 0, got 4",
        );
        check(
            Error::Elements { parameter: "x", shape: vec![3, 4], got: 11 },
            "`x`: expected 12 elements for the shape [3, 4], got 11",
        );
        check(
            Error::Elements { parameter: "x", shape: vec![usize::MAX, 2], got: 1 },
            "`x`: expected more elements than memory holds for the shape [18446744073709551615, 2], got 1",
        );
        check(Error::Size { size: size("steps", 0, "steps") }, "size steps = 0 is below 1, but an output is not empty");
        check(
            Error::Condition { condition: "R % 4 == 0", sizes: vec![size("R", 6, "x")] },
            "`where R % 4 == 0` does not hold with R = 6 (from `x`)",
        );
        check(Error::Limit { what: "size N".into(), value: 5, limit: 4 }, "limit: size N is 5; at most 4 is accepted");
        check(
            Error::Evaluations { evaluations: 4000, points: 10, per_point: 64 },
            "the map takes 4000 evaluations for 10 points, more than 64 per point: choose smaller entries in its matrix or \
             blocks that have more points, or raise `systolic::Limits::evaluations_per_point`",
        );
        check(
            Error::Scratch { bytes: 4000, limit: 100 },
            "a block of the map keeps 4000 bytes for later steps, more than 100: choose smaller entries in its matrix or \
             smaller tiles, or raise `systolic::Limits::scratch_bytes`",
        );
        check(
            Error::Sparse { what: "variable `S`", bytes: 4000, points: 3, limit: 100 },
            "variable `S` would take 4000 bytes for 3 points, because the box around them is large, more than 100: count a \
             loop from the one that it follows, as in `for i in 0..N, d in 0..3` with `i + d` in place of `j`, or raise \
             `systolic::Limits::scratch_bytes`",
        );
        check(Error::no_memory("variable `Z`", 10, 4), "not enough host memory for 40 bytes (variable `Z`)");
    }

    #[test]
    fn what_is_wrong_with_a_device_reads_aloud() {
        let check = |error: Error, text: &str| assert_eq!(error.to_string(), text);
        let kernel = "conv2d::<f32, 3, 3>";
        check(
            Error::NoFeature,
            "built without GPU support: enable feature `cuda` of `systolic` in the program's Cargo.toml",
        );
        check(Error::NoDriver, "no CUDA driver: `libcuda.so.1` is not on this machine");
        check(Error::NoDevice { ordinal: 0, devices: 0 }, "no CUDA device 0: there are none");
        check(Error::NoDevice { ordinal: 2, devices: 2 }, "no CUDA device 2: there are 2, counted from 0");
        check(
            Error::NoCode { kernel, device: 75, there: "there is a cubin for sm_90".into() },
            "kernel `conv2d::<f32, 3, 3>` has no code for a device of sm_75: there is a cubin for sm_90",
        );
        check(
            Error::PtxTooNew { kernel, ptx: "9.0".into(), driver: "12.4".into() },
            "kernel `conv2d::<f32, 3, 3>` has PTX of version 9.0, which is too new for the driver of CUDA 12.4",
        );
        check(
            Error::Jit { kernel, code: 218, log: "line 3: unknown symbol".into() },
            "the driver rejected kernel `conv2d::<f32, 3, 3>` (code 218): line 3: unknown symbol",
        );
        check(Error::no_device_memory("an array", 7), "not enough device memory for 7 bytes (an array)");
        let error = Error::OutOfMemory { memory: Memory::Pinned, purpose: "an array", bytes: 7 };
        check(error, "not enough pinned memory for 7 bytes (an array)");
        check(
            Error::Launch { code: 700, text: "a kernel touched an address that is not its own" },
            "a kernel failed on the device (code 700): a kernel touched an address that is not its own",
        );
        check(Error::WrongDevice { array: 0, stream: 1 }, "the array is on device 0, but the stream is on device 1");
        check(Error::Recording { what: "a copy" }, "a copy cannot be recorded");
        check(Error::Foreign { why: "it is far" }, "the memory cannot be used as an array: it is far");
        check(Error::GivenBack, "the memory of the array was given back to its owner");
        check(
            Error::Grid { kernel, blocks: [1, 2, 3_000_000_000] },
            "kernel `conv2d::<f32, 3, 3>`: 1 × 2 × 3000000000 blocks are more than a launch can have",
        );
        check(
            Error::Driver { call: "cuInit", code: 999, text: "an unknown error" },
            "`cuInit` failed (code 999): an unknown error",
        );
    }
}
