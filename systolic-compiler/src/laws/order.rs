//! An order in which the values of a kernel can be evaluated: the proof that no value depends on itself.
use crate::model::Int;

/// An order of evaluation in which every value is computed before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// One nest: these loops, outermost first. Inside it run the equations in this order, then the stores.
    Nest { loops: Vec<(usize, Direction)>, equations: Vec<usize> },
    /// One key per equation, where no nest of the loops serves all. Each level of a key is a number and an affine form of the
    /// loops: `[(n₀, h₀, c₀), (n₁, h₁, c₁), …]`. Keys are compared lexicographically, as n₀, h₀·z + c₀, n₁, h₁·z + c₁, …;
    /// a shorter key continues with zeros.
    Keys(Vec<Vec<Key>>),
}

/// The direction of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

/// One level of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The number before the form.
    pub stage: usize,
    /// One coefficient per loop.
    pub row: Vec<Int>,
    pub constant: Int,
}
