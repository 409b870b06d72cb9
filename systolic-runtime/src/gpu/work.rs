//! The work of a launch: it goes to a queue at once, or into a sequence that is recorded.
#![allow(unsafe_code)]
use super::queue::{Queue, State};
use super::raw::{self, Address, Function, Pattern, Shape};
use crate::error::Error;

/// A piece of work that was recorded.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A kernel with its parameter.
    Launch { function: Function, shape: Shape, words: Box<[u64]> },
    /// Elements that are set to one value.
    Fill { address: Address, pattern: Pattern, count: usize },
    /// Bytes that are set to 0.
    Clear { address: Address, bytes: usize },
}

impl Node {
    /// Enqueues it.
    ///
    /// # Safety
    ///
    /// The memory that it uses stays valid until it is done, and a kernel takes this parameter.
    pub unsafe fn enqueue(&self, context: &raw::Context, queue: raw::Queue) -> Result<(), Error> {
        match self {
            // SAFETY: guaranteed by the caller.
            Node::Launch { function, shape, words } => unsafe { context.launch(queue, *function, *shape, words) },
            Node::Fill { address, pattern, count } => context.fill(queue, *address, *pattern, *count),
            Node::Clear { address, bytes } => context.clear(queue, *address, *bytes),
        }
    }
}

/// Where work goes.
pub struct Work<'w> {
    pub queue: &'w Queue,
    /// The memory that launches use one after another.
    pub state: &'w mut State,
    /// The sequence that is recorded, if one is.
    pub nodes: Option<&'w mut Vec<Node>>,
}

impl Work<'_> {
    /// Adds a kernel.
    ///
    /// # Safety
    ///
    /// The kernel takes this parameter. The memory that it accesses stays valid until it is done, each time that it is done.
    pub unsafe fn launch(&mut self, function: Function, shape: Shape, words: &[u64]) -> Result<(), Error> {
        match &mut self.nodes {
            Some(nodes) => {
                nodes.push(Node::Launch { function, shape, words: words.into() });
                Ok(())
            }
            // SAFETY: guaranteed by the caller.
            None => unsafe { self.queue.context.raw.launch(self.queue.raw, function, shape, words) },
        }
    }

    /// Adds setting elements to one value.
    pub fn fill(&mut self, address: Address, pattern: Pattern, count: usize) -> Result<(), Error> {
        match &mut self.nodes {
            Some(nodes) => {
                nodes.push(Node::Fill { address, pattern, count });
                Ok(())
            }
            None => self.queue.context.raw.fill(self.queue.raw, address, pattern, count),
        }
    }

    /// Adds setting bytes to 0.
    pub fn clear(&mut self, address: Address, bytes: usize) -> Result<(), Error> {
        match &mut self.nodes {
            Some(nodes) => {
                nodes.push(Node::Clear { address, bytes });
                Ok(())
            }
            None => self.queue.context.raw.clear(self.queue.raw, address, bytes),
        }
    }
}
