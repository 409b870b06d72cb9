//! Work in order on a device. Every piece has a ticket, its number on its queue, so that others can wait for it.
use super::context::Context;
use super::raw::{self, Address};
use super::sync::lock;
use crate::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A queue of work on a device.
#[derive(Debug)]
pub struct Queue {
    pub context: Arc<Context>,
    pub raw: raw::Queue,
    // Recorded when somebody has to wait, and never before.
    mark: raw::Mark,
    id: u64,
    // Every ticket up to this one is done, as the host has seen.
    done: AtomicU64,
    state: Mutex<State>,
}

/// What changes with every piece of work.
#[derive(Debug, Default)]
pub struct State {
    /// The last ticket given.
    issued: u64,
    /// Other queues by number, and up to which ticket this one waits for them already.
    seen: Vec<(u64, u64)>,
    /// Memory for rows that no block can hold: launches of a queue use it one after the other.
    scratch: Option<(Address, usize)>,
}

/// A queue that has met more others than this forgets them, and waits once more.
const MOST_SEEN: usize = 64;

impl Queue {
    pub fn new(context: Arc<Context>) -> Result<Arc<Queue>, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let raw = context.raw.new_queue()?;
        let mark = match context.raw.new_mark(false) {
            Ok(mark) => mark,
            Err(error) => {
                context.raw.drop_queue(raw);
                return Err(error);
            }
        };
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(Queue { context, raw, mark, id, done: AtomicU64::new(0), state: Mutex::default() }))
    }

    /// Puts a piece of work on the queue and gives its ticket.
    pub fn submit(&self, work: impl FnOnce(&mut State) -> Result<(), Error>) -> Result<u64, Error> {
        let mut state = lock(&self.state);
        state.issued += 1;
        match work(&mut state) {
            Ok(()) => Ok(state.issued),
            Err(error) => {
                // It may have been put there in part, and nobody will know of that part.
                let _ = self.context.raw.finish(self.raw);
                Err(error)
            }
        }
    }

    /// What comes next on this queue waits for a piece of another.
    pub fn wait_for(&self, other: &Queue, ticket: u64) -> Result<(), Error> {
        if self.id == other.id || other.is_done(ticket) || self.has_seen(other, ticket) {
            return Ok(());
        }
        let covered = {
            let state = lock(&other.state);
            other.context.raw.record(other.mark, other.raw)?;
            state.issued
        };
        let mut state = lock(&self.state);
        // Another thread may have recorded the mark again: then it stands for more, never for less.
        self.context.raw.wait(self.raw, other.mark)?;
        if state.seen.len() >= MOST_SEEN {
            state.seen.clear();
        }
        match state.seen.iter_mut().find(|(id, _)| *id == other.id) {
            Some((_, seen)) => *seen = covered.max(*seen),
            None => state.seen.push((other.id, covered)),
        }
        Ok(())
    }

    fn has_seen(&self, other: &Queue, ticket: u64) -> bool {
        lock(&self.state).seen.iter().any(|(id, seen)| *id == other.id && *seen >= ticket)
    }

    /// Whether the host has seen that a piece is done.
    pub fn is_done(&self, ticket: u64) -> bool {
        self.done.load(Ordering::Acquire) >= ticket
    }

    /// Waits on the host for a piece of work, if it has not done so yet.
    pub fn finish(&self, ticket: u64) -> Result<(), Error> {
        if self.is_done(ticket) { Ok(()) } else { self.synchronize() }
    }

    /// Waits on the host for all work.
    pub fn synchronize(&self) -> Result<(), Error> {
        let issued = lock(&self.state).issued;
        self.context.raw.finish(self.raw)?;
        self.done.fetch_max(issued, Ordering::Release);
        Ok(())
    }
}

impl State {
    /// Memory of at least so many bytes, for the next launch of this queue.
    pub fn scratch(&mut self, queue: &Queue, bytes: usize) -> Result<Address, Error> {
        match self.scratch {
            Some((address, enough)) if enough >= bytes => return Ok(address),
            Some((address, _)) => {
                // Launches before may still use it.
                queue.context.raw.finish(queue.raw)?;
                queue.context.raw.free(address);
                self.scratch = None;
            }
            None => {}
        }
        let address = queue.context.raw.allocate(bytes)?;
        self.scratch = Some((address, bytes));
        Ok(address)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let raw = &self.context.raw;
        // Where the device is lost nothing runs there any more.
        let _ = raw.finish(self.raw);
        if let Some((address, _)) = lock(&self.state).scratch.take() {
            raw.free(address);
        }
        raw.drop_mark(self.mark);
        raw.drop_queue(self.raw);
    }
}
