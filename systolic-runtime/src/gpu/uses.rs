//! Tracks which queues read and write a piece of memory, so that later work, copies to the host and freeing the memory can wait
//! for them.
use super::queue::Queue;
use crate::error::Error;
use std::sync::Arc;

/// The pieces of work that use a piece of memory and may still be running.
#[derive(Debug, Default)]
pub struct Uses {
    writer: Option<Use>,
    readers: Vec<Use>,
}

#[derive(Debug)]
struct Use {
    queue: Arc<Queue>,
    ticket: u64,
}

impl Uses {
    /// Makes further work on the queue wait until it may read.
    pub fn before_read(&self, queue: &Queue) -> Result<(), Error> {
        self.writer.iter().try_for_each(|writer| queue.wait_for(&writer.queue, writer.ticket))
    }

    /// Makes further work on the queue wait until it may write.
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
}
