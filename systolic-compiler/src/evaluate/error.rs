//! The errors of the evaluator, with the point at which they occur.
use crate::model::{Array, Int};
use std::fmt;

/// Reads, accesses and stores are given by their number in `Kernel::reads`, `Kernel::accesses` and `Kernel::stores`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluateError {
    /// The number of sizes differs from the kernel's.
    SizeCount { expected: usize, found: usize },
    /// A size below 1 where an output is not empty.
    SizeBelowOne { size: usize },
    /// A condition of the kernel's `where` does not hold.
    Condition { condition: usize },
    /// An input whose kind, type or shape differs from its parameter's.
    Input { parameter: usize },
    /// An element of lengths, by its number in row-major order, that lies outside their range.
    Length { parameter: usize, item: usize },
    /// Too many values to hold at once, or a number beyond 127 bits.
    TooLarge,
    /// A variable is read outside the domain.
    Undefined { read: usize, point: Vec<Int>, source: Vec<Int> },
    /// An array is read out of range.
    ReadOutOfRange { access: usize, array: Array, point: Vec<Int>, index: Vec<Int> },
    /// An output is stored to out of range.
    StoreOutOfRange { store: usize, point: Vec<Int>, index: Vec<Int> },
    /// Values, each a variable at a point, of which each reads the next and the last reads the first.
    Cycle { ring: Vec<(usize, Vec<Int>)> },
    /// Two points store to one element.
    StoredTwice { store: usize, output: usize, element: Vec<Int>, first: Vec<Int>, second: Vec<Int> },
    /// No point stores to this element.
    NeverStored { output: usize, element: Vec<Int> },
    /// An operation that the types of its operands do not have: the model is not well typed.
    IllTyped,
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluateError::SizeCount { expected, found } => write!(f, "{expected} sizes expected, {found} came"),
            EvaluateError::SizeBelowOne { size } => write!(f, "size {size} is below 1 and an output is not empty"),
            EvaluateError::Condition { condition } => write!(f, "condition {condition} of the kernel does not hold"),
            EvaluateError::Input { parameter } => write!(f, "input {parameter} does not fit its parameter"),
            EvaluateError::Length { parameter, item } => {
                write!(f, "item {item} of the lengths in input {parameter} lies outside their range")
            }
            EvaluateError::TooLarge => write!(f, "too large to evaluate"),
            EvaluateError::Undefined { read, point, source } => {
                write!(f, "defined: point {point:?} reads {source:?}, outside the domain (read {read})")
            }
            EvaluateError::ReadOutOfRange { access, point, index, .. } => {
                write!(f, "bounds: point {point:?} reads an array at {index:?}, out of range (access {access})")
            }
            EvaluateError::StoreOutOfRange { store, point, index } => {
                write!(f, "bounds: point {point:?} stores at {index:?}, out of range (store {store})")
            }
            EvaluateError::Cycle { ring } => write!(f, "cycle: a value needs itself: {ring:?}"),
            EvaluateError::StoredTwice { output, element, first, second, .. } => {
                write!(f, "outputs: points {first:?} and {second:?} both store element {element:?} of output {output}")
            }
            EvaluateError::NeverStored { output, element } => {
                write!(f, "outputs: no point stores element {element:?} of output {output}")
            }
            EvaluateError::IllTyped => write!(f, "an operation on values of types that do not have it"),
        }
    }
}

impl std::error::Error for EvaluateError {}
