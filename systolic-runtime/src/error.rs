//! Why a call of a kernel gave no result.
use crate::text::{list, names};
use std::fmt;

/// Why a call gave no result. The text names the parameter, what was expected of it and what came.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An array has not the shape that the sizes ask for.
    Shape {
        /// The parameter.
        parameter: &'static str,
        /// The shape that fits.
        expected: Box<Expected>,
        /// The shape that came.
        got: Vec<usize>,
    },
    /// No whole number is the size that this length stands for.
    Remainder {
        /// The parameter.
        parameter: &'static str,
        /// Which of its dimensions.
        axis: usize,
        /// The dimension as a form of the sizes, `2 * C + 3`.
        dimension: String,
        /// The length that came.
        length: usize,
        /// The size that has no value.
        size: &'static str,
    },
    /// A size is below 1 though an output has elements.
    Size {
        /// The size, its value and where it came from.
        size: SizeValue,
    },
    /// A condition of the kernel's `where` does not hold.
    Condition {
        /// The condition as written.
        condition: &'static str,
        /// The sizes it was tried with.
        sizes: Vec<SizeValue>,
    },
    /// A number is beyond what kernels count with.
    Limit {
        /// What is too large.
        what: String,
        /// Its value.
        value: i128,
        /// The largest that is accepted.
        limit: i128,
    },
    /// Memory for this many elements is not to be had.
    Memory {
        /// What they are for.
        purpose: &'static str,
        /// How many.
        elements: u128,
        /// The bytes of one.
        bytes: usize,
    },
    /// The kernel was refused when it was compiled: the compiler said why.
    NotCompiled {
        /// The kernel.
        kernel: &'static str,
    },
}

/// The shape that a call expected of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The dimensions as forms of the sizes: `C + 4`.
    pub dimensions: Vec<String>,
    /// Their values.
    pub lengths: Vec<usize>,
    /// The sizes in them.
    pub sizes: Vec<SizeValue>,
}

/// A size and where its value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
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
            Error::Remainder { parameter, axis, dimension, length, size } => write!(
                f,
                "`{parameter}`: dimension {axis} has length {length}, which is `{dimension}` for no whole number {size}"
            ),
            Error::Size { size } => write!(f, "size {size} is below 1, but an output is not empty"),
            Error::Condition { condition, sizes } if sizes.is_empty() => {
                write!(f, "`where {condition}` does not hold")
            }
            Error::Condition { condition, sizes } => {
                write!(f, "`where {condition}` does not hold with {}", names(sizes))
            }
            Error::Limit { what, value, limit } => write!(f, "limit: {what} is {value}; at most {limit} is accepted"),
            Error::Memory { purpose, elements, bytes } => {
                write!(f, "no memory for {elements} elements of {bytes} bytes ({purpose})")
            }
            Error::NotCompiled { kernel } => {
                write!(f, "kernel `{kernel}` was refused when it was compiled; see the compiler's errors")
            }
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
        // Above this, clippy asks every caller to box it.
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
            "`x`: dimension 0 has length 4, which is `2 * C + 3` for no whole number C",
        );
        check(Error::Size { size: size("steps", 0, "steps") }, "size steps = 0 is below 1, but an output is not empty");
        check(
            Error::Condition { condition: "R % 4 == 0", sizes: vec![size("R", 6, "x")] },
            "`where R % 4 == 0` does not hold with R = 6 (from `x`)",
        );
        check(Error::Limit { what: "size N".into(), value: 5, limit: 4 }, "limit: size N is 5; at most 4 is accepted");
        check(
            Error::Memory { purpose: "variable `Z`", elements: 10, bytes: 4 },
            "no memory for 10 elements of 4 bytes (variable `Z`)",
        );
    }
}
