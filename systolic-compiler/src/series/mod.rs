//! Splits a kernel into a series of kernels that run one after another, for kernels whose variables are carried along different
//! loops: no single map suits all of them.
//!
//! ```text
//! r[i, j] = x[i, j] + r[i, j - 1];    s[i, j] = r[i, j] + s[i - 1, j];    z[i, j] = s[i, j];
//!
//! kernel ─ graph ─▶ nodes ─ groups ─▶ [r], [s, z] ─ member ─▶ a kernel for r, which stores it in an array     ─▶ laws, search, …
//!                                                             a kernel for s and z, which reads that array    ─▶ laws, search, …
//! ```
//!
//! | file | does |
//! | --- | --- |
//! | `graph` | the nodes, variables and outputs, and who reads whom; strongly connected parts; along which loops each is carried |
//! | `groups` | joins the parts into the groups that become kernels, in an order in which they can run |
//! | `boxes` | the boxes of points: the arrays between kernels, and the loops that one of them needs only at one value |
//! | `member` | writes the syntax tree of each kernel; resolves and proves it like any user's |
//! | `text` | the groups as a line of text, kept beside the map of the first kernel |
//!
//! Every member has the parameters of the whole kernel, then an array per value that it reads from an earlier member. Its outputs are
//! those of the whole kernel that it stores, then an array per value that later members read. So sizes and arguments have the same
//! numbers in all of them.
//!
//! Each value is computed by the equation of the whole kernel, so its bits are the same.
mod boxes;
mod graph;
mod groups;
mod member;
mod text;

pub use groups::partitions;
pub use member::split;
pub use text::passes;
#[cfg(feature = "search")]
pub use text::{line, read_line};

use crate::laws::Lawful;
use crate::model::{Form, Kernel, Type};
use crate::syntax::tree;

/// A variable or an output of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// A variable, by the number of its equation.
    Variable(usize),
    /// An output, with all its stores.
    Output(usize),
}

/// What one kernel of a series computes.
pub type Group = Vec<Node>;

/// The groups of a series, in the order in which they run.
pub type Partition = Vec<Group>;

/// A kernel as a series of kernels.
#[derive(Clone, Debug)]
pub struct Series {
    pub members: Vec<Member>,
    /// The arrays between the members.
    pub between: Vec<Between>,
}

/// One kernel of a series.
#[derive(Clone, Debug)]
pub struct Member {
    /// As a user would write it.
    pub tree: tree::Kernel,
    pub lawful: Lawful,
    /// The outputs of the whole kernel that it stores, in order.
    pub outputs: Vec<usize>,
    /// The arrays between members that it reads and that it stores, in order.
    pub reads: Vec<usize>,
    pub stores: Vec<usize>,
}

/// An array that carries the values of a variable from one member to later ones.
#[derive(Clone, Debug)]
pub struct Between {
    pub name: String,
    pub variable: usize,
    pub ty: Type,
    /// Per axis: the loop along which the variable runs, its least value and the number of values, as forms of the sizes. Loops along
    /// which only one value is read have no axis.
    pub axes: Vec<Axis>,
    /// The loops without an axis, each with the value at which the variable is read.
    pub fixed: Vec<(usize, Form)>,
}

/// An axis of an array between members.
#[derive(Clone, Debug)]
pub struct Axis {
    pub of: usize,
    pub low: Form,
    pub length: Form,
}

/// The name of a node in the text.
pub fn name<'k>(kernel: &'k Kernel, node: &Node) -> &'k str {
    match node {
        Node::Variable(n) => &kernel.equations[*n].variable.text,
        Node::Output(n) => &kernel.outputs[*n].name.text,
    }
}
