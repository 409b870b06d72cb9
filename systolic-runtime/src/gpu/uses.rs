//! Tracks which queues read and write a piece of memory, so that later work, copies to the host and freeing the memory can wait
//! for them.
use super::queue::Queue;
use super::sync::lock;
use crate::error::Error;
use std::sync::{Arc, Mutex, MutexGuard};

/// The pieces of work that use a piece of memory and may still be running.
#[derive(Debug, Default)]
pub struct Uses {
    writer: Option<Use>,
    readers: Vec<Use>,
    /// The memory was given back to its owner.
    closed: bool,
}

#[derive(Debug)]
struct Use {
    queue: Arc<Queue>,
    ticket: u64,
}

impl Uses {
    /// Makes further work on the queue wait until it may read. Fails if the memory was given back.
    pub fn before_read(&self, queue: &Queue) -> Result<(), Error> {
        if self.closed {
            return Err(Error::GivenBack);
        }
        self.writer.iter().try_for_each(|writer| queue.wait_for(&writer.queue, writer.ticket))
    }

    /// Makes further work on the queue wait until it may write. Fails if the memory was given back.
    pub fn before_write(&self, queue: &Queue) -> Result<(), Error> {
        self.before_read(queue)?;
        self.readers.iter().try_for_each(|reader| queue.wait_for(&reader.queue, reader.ticket))
    }

    /// Records that a piece of work reads.
    pub fn read_by(&mut self, queue: &Arc<Queue>, ticket: u64) {
        if let Some(reader) = self.readers.iter_mut().find(|reader| Arc::ptr_eq(&reader.queue, queue)) {
            reader.ticket = reader.ticket.max(ticket);
            return;
        }
        self.readers.retain(|reader| !reader.queue.is_done(reader.ticket));
        self.readers.push(Use { queue: queue.clone(), ticket });
    }

    /// Records that a piece of work writes. It waits for all uses so far, so these are forgotten.
    pub fn written_by(&mut self, queue: &Arc<Queue>, ticket: u64) {
        self.readers.clear();
        match &mut self.writer {
            Some(writer) if Arc::ptr_eq(&writer.queue, queue) => writer.ticket = ticket,
            writer => *writer = Some(Use { queue: queue.clone(), ticket }),
        }
    }

    /// Waits on the host until no work writes.
    pub fn finish_writes(&self) -> Result<(), Error> {
        self.writer.iter().try_for_each(|writer| writer.queue.finish(writer.ticket))
    }

    /// Waits on the host until no work reads or writes. Waits for all of it even if one wait fails, and returns the first
    /// error.
    pub fn finish(&mut self) -> Result<(), Error> {
        let mut result = Ok(());
        for Use { queue, ticket } in self.writer.take().into_iter().chain(self.readers.drain(..)) {
            result = result.and(queue.finish(ticket));
        }
        result
    }

    /// Waits on the host for all uses, and refuses further ones.
    #[cfg(feature = "cuda")]
    pub fn close(&mut self) -> Result<(), Error> {
        self.closed = true;
        self.finish()
    }
}

/// The locked records of all memory that a piece of work uses. No other work can use the same memory between the waits of this one
/// and its entry in the records.
pub struct Held<'a>(Vec<(MutexGuard<'a, Uses>, bool)>);

impl<'a> Held<'a> {
    /// Locks these records; the flags say which memory is written. Each is locked once, and all threads lock in the same order.
    pub fn new(all: impl Iterator<Item = (&'a Mutex<Uses>, bool)>) -> Self {
        let mut all: Vec<(&Mutex<Uses>, bool)> = all.collect();
        // Of equal ones the first writes if any does.
        all.sort_unstable_by_key(|(uses, writes)| (std::ptr::from_ref(*uses).addr(), !writes));
        all.dedup_by_key(|(uses, _)| std::ptr::from_ref(*uses));
        Held(all.into_iter().map(|(uses, writes)| (lock(uses), writes)).collect())
    }

    /// Makes further work on the queue wait for all that it must not overtake.
    pub fn before(&self, queue: &Queue) -> Result<(), Error> {
        self.0.iter().try_for_each(|(uses, writes)| match writes {
            true => uses.before_write(queue),
            false => uses.before_read(queue),
        })
    }

    /// Records the work.
    pub fn after(mut self, queue: &Arc<Queue>, ticket: u64) {
        for (uses, writes) in &mut self.0 {
            if *writes { uses.written_by(queue, ticket) } else { uses.read_by(queue, ticket) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_is_locked_once_and_writes_win() {
        let (a, b) = (Mutex::default(), Mutex::default());
        let held = Held::new([(&a, false), (&b, false), (&a, true), (&a, false)].into_iter());
        let writes: Vec<bool> = held.0.iter().map(|(_, writes)| *writes).collect();
        let first_is_a = std::ptr::from_ref(&a) < std::ptr::from_ref(&b);
        assert_eq!(writes, if first_is_a { [true, false] } else { [false, true] });
        assert!(a.try_lock().is_err() && b.try_lock().is_err());
        drop(held);
        assert!(a.try_lock().is_ok() && b.try_lock().is_ok());
    }
}
