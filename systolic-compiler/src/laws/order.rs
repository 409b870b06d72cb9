//! An order in which the points and variables of a kernel can be evaluated: the proof that no value needs itself.
use crate::model::Int;

/// Evaluating in this order makes every value before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// One nest: these loops, outermost first; inside, the equations in this order, then the stores.
    Nest { loops: Vec<(usize, Direction)>, equations: Vec<usize> },
    /// No nest of the loops themselves will do. Every equation has a key, a linear form of the loops a level with a
    /// number before it: `[(n₀, h₀), (n₁, h₁), …]`, compared as n₀, h₀·z, n₁, h₁·z, …; shorter keys end in zeros.
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
}
