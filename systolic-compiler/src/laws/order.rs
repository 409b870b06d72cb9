//! An order in which the points and variables of a kernel can be evaluated: the proof that no value needs itself.
use crate::model::Int;

/// Evaluating in this order makes every value before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// One nest: these loops, outermost first; inside, the equations in this order, then the stores.
    Nest { loops: Vec<(usize, Direction)>, equations: Vec<usize> },
    /// No nest of the loops themselves will do. Every equation has a key, an affine form of the loops a level with a
    /// number before it: `[(n₀, h₀, c₀), (n₁, h₁, c₁), …]`, compared as n₀, h₀·z + c₀, n₁, h₁·z + c₁, …; shorter keys
    /// end in zeros.
    Keys(Vec<Vec<Key>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub stage: usize,
    /// One coefficient a loop.
    pub row: Vec<Int>,
    pub constant: Int,
}
