//! What carries messages between ranks: threads of one process, or MPI.
use crate::error::Lost;
use std::sync::Arc;

/// Carries messages between ranks. Messages from one rank to another arrive in the order in which they were sent.
///
/// No function waits for a rank that is lost: it returns an error that names it.
pub trait Transport: Send + Sync {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// Hands a message over. Does not wait until it is received.
    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), Lost>;

    /// Waits for the next message from a rank. Fails if that rank has left without sending one, or if any rank has failed.
    fn receive(&self, from: usize) -> Result<Vec<u8>, Lost>;

    /// Tells all ranks that a rank has failed, which may be this one: what they wait for then fails too, and names it.
    fn give_up(&self, lost: &Lost);
}

/// One connection for several meshes, which are used one after the other.
impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn rank(&self) -> usize {
        (**self).rank()
    }

    fn ranks(&self) -> usize {
        (**self).ranks()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), Lost> {
        (**self).send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Lost> {
        (**self).receive(from)
    }

    fn give_up(&self, lost: &Lost) {
        (**self).give_up(lost);
    }
}
