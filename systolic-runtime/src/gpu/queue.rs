//! A queue of work on a device, which runs in order. Every piece of work has a ticket, its number on the queue, so that others
//! can wait for it.
use super::context::Context;
use super::raw::{self, Address};
use super::reached::Waiter;
use super::sync::lock;
use crate::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A queue of work on a device.
#[derive(Debug)]
pub struct Queue {
    pub context: Arc<Context>,
    pub raw: raw::Queue,
    // An event that is recorded only when another queue has to wait.
    mark: raw::Mark,
    id: u64,
    // The host knows that every ticket up to this one is done.
    done: AtomicU64,
    state: Mutex<State>,
    /// To the thread that waits for the queue, once somebody has asked for one.
    pub waiter: Waiter,
}

/// The state that changes with every piece of work.
#[derive(Debug, Default)]
pub struct State {
    /// The last ticket that was issued.
    issued: u64,
    /// For other queues, by id, the ticket up to which this queue already waits for them.
    seen: Vec<(u64, u64)>,
    /// Device memory of the queue, by purpose. The launches of a queue use it one after another.
    memory: [Option<(Address, usize)>; 4],
    /// The order of blocks that the memory for it holds: lengths of the grid and numbers of the order.
    pub order: Option<([u64; 3], [i64; 3])>,
    /// For launches that are recorded: memory that was replaced, which earlier ones still use when they are replayed.
    replaced: Option<Vec<Address>>,
}

/// What a queue has memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Scratch rows that do not fit in shared memory.
    Rows = 0,
    /// Values that blocks leave for other blocks and launches.
    Faces = 1,
    /// The counter of tickets, a flag per block, and the order of blocks.
    Order = 2,
    /// The arrays between the launches of a series.
    Between = 3,
}

impl Purpose {
    /// What it is, for an error.
    pub fn text(self) -> &'static str {
        match self {
            Purpose::Rows => "scratch rows",
            Purpose::Faces => "values between blocks",
            Purpose::Order => "the order of blocks",
            Purpose::Between => "values between launches",
        }
    }
}

/// The most entries of `seen`. When they are full they are forgotten, which costs only repeated waits.
const MOST_SEEN: usize = 64;

impl Queue {
    pub fn new(context: Arc<Context>) -> Result<Arc<Queue>, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let raw = context.raw.new_queue()?;
        let mark = match context.raw.new_mark(raw::Marks::Plain) {
            Ok(mark) => mark,
            Err(error) => {
                context.raw.drop_queue(raw);
                return Err(error);
            }
        };
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(Queue {
            context,
            raw,
            mark,
            id,
            done: AtomicU64::new(0),
            state: Mutex::default(),
            waiter: Mutex::default(),
        }))
    }

    /// Enqueues a piece of work and returns its ticket.
    pub fn submit(&self, work: impl FnOnce(&mut State) -> Result<(), Error>) -> Result<u64, Error> {
        let mut state = lock(&self.state);
        state.issued += 1;
        match work(&mut state) {
            Ok(()) => Ok(state.issued),
            Err(error) => {
                // Part of the work may have been enqueued, and no ticket covers it, so wait for it here.
                let _ = self.context.raw.finish(self.raw);
                Err(error)
            }
        }
    }

    /// Makes all further work on this queue wait for a piece of work of another queue.
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
        // Another thread may have recorded the mark again; then it covers more work, never less.
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

    /// Returns whether the host knows that a piece of work is done.
    pub fn is_done(&self, ticket: u64) -> bool {
        self.done.load(Ordering::Acquire) >= ticket
    }

    /// Waits on the host for a piece of work, unless it is known to be done.
    pub fn finish(&self, ticket: u64) -> Result<(), Error> {
        if self.is_done(ticket) { Ok(()) } else { self.synchronize() }
    }

    /// Waits on the host for all work.
    pub fn synchronize(&self) -> Result<(), Error> {
        let issued = lock(&self.state).issued;
        self.context.raw.finish(self.raw)?;
        self.note_done(issued);
        Ok(())
    }

    /// Notes that all work up to a ticket is done.
    pub fn note_done(&self, ticket: u64) {
        self.done.fetch_max(ticket, Ordering::Release);
    }
}

impl State {
    /// The state of launches that are recorded: all memory is kept until the end.
    pub fn kept() -> State {
        State { replaced: Some(Vec::new()), ..State::default() }
    }

    /// Forgets the order of blocks before another one is written. If launches are recorded, those before keep theirs.
    pub fn forget_order(&mut self) {
        self.order = None;
        if let Some(replaced) = &mut self.replaced {
            replaced.extend(self.memory[Purpose::Order as usize].take().map(|(address, _)| address));
        }
    }

    /// Frees all memory. No work uses it any more.
    pub fn free(&mut self, context: &Context) {
        let memory = std::mem::take(&mut self.memory).into_iter().flatten().map(|(address, _)| address);
        memory.chain(self.replaced.take().into_iter().flatten()).for_each(|address| context.raw.free(address));
    }

    /// Returns memory of at least this many bytes for the next launch of this queue.
    pub fn reserve(&mut self, queue: &Queue, purpose: Purpose, bytes: usize) -> Result<Address, Error> {
        let memory = &mut self.memory[purpose as usize];
        match *memory {
            Some((address, enough)) if enough >= bytes => return Ok(address),
            Some((address, _)) => {
                match &mut self.replaced {
                    Some(replaced) => replaced.push(address),
                    None => {
                        // Earlier launches may still use it.
                        queue.context.raw.finish(queue.raw)?;
                        queue.context.raw.free(address);
                    }
                }
                *memory = None;
                if purpose == Purpose::Order {
                    self.order = None;
                }
            }
            None => {}
        }
        let address = queue.context.raw.allocate(bytes, purpose.text())?;
        *memory = Some((address, bytes));
        Ok(address)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let raw = &self.context.raw;
        // An error means that the device is lost, and then nothing runs there any more.
        let _ = raw.finish(self.raw);
        lock(&self.state).free(&self.context);
        raw.drop_mark(self.mark);
        raw.drop_queue(self.raw);
    }
}
