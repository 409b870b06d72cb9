//! Events on a stream, and the time between them.
use super::context::Context;
use super::queue::Queue;
use super::raw::{Mark, Marks};
use crate::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// A point in the work of a stream, as [`Stream::record`](crate::Stream::record) returns it.
#[derive(Debug)]
pub struct Event {
    context: Arc<Context>,
    mark: Mark,
}

impl Event {
    pub(super) fn record(queue: &Queue) -> Result<Event, Error> {
        let context = queue.context.clone();
        let event = Event { mark: context.raw.new_mark(Marks::Timed)?, context };
        event.context.raw.record(event.mark, queue.raw)?;
        Ok(event)
    }

    /// An event that a thread waits for without taking time of a core, and the ticket that it covers.
    pub(super) fn awaited(queue: &Queue) -> Result<(Event, u64), Error> {
        let context = queue.context.clone();
        let event = Event { mark: context.raw.new_mark(Marks::Awaited)?, context };
        let ticket = queue.submit(|_| event.context.raw.record(event.mark, queue.raw))?;
        Ok((event, ticket))
    }

    pub(super) fn hold(&self, queue: &Queue) -> Result<(), Error> {
        self.context.check_same(&queue.context)?;
        queue.submit(|_| queue.context.raw.wait(queue.raw, self.mark))?;
        Ok(())
    }

    /// Waits until the stream has reached the event.
    ///
    /// # Errors
    ///
    /// Fails if a kernel failed, or if the device is lost.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.context.raw.reach(self.mark)
    }

    /// Waits for both events and returns the time from an earlier event to this one, by the device's clock.
    ///
    /// # Errors
    ///
    /// Fails if a kernel failed, if the events are of different devices, or if the device is lost.
    pub fn since(&self, earlier: &Event) -> Result<Duration, Error> {
        earlier.synchronize()?;
        self.synchronize()?;
        let milliseconds = self.context.raw.milliseconds(earlier.mark, self.mark)?;
        // Negative if `earlier` is in fact the later one.
        Ok(Duration::from_secs_f64(f64::from(milliseconds).max(0.0) / 1000.0))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.context.raw.drop_mark(self.mark);
    }
}
