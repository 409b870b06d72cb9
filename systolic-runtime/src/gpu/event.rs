//! Points in a stream's work, and the time between them.
use super::context::Context;
use super::queue::Queue;
use super::raw::Mark;
use crate::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// A point in the work of a stream.
#[derive(Debug)]
pub struct Event {
    context: Arc<Context>,
    mark: Mark,
}

impl Event {
    pub(super) fn record(queue: &Queue) -> Result<Event, Error> {
        let context = queue.context.clone();
        let event = Event { mark: context.raw.new_mark(true)?, context };
        event.context.raw.record(event.mark, queue.raw)?;
        Ok(event)
    }

    pub(super) fn hold(&self, queue: &Queue) -> Result<(), Error> {
        self.context.check_same(&queue.context)?;
        queue.submit(|_| queue.context.raw.wait(queue.raw, self.mark))?;
        Ok(())
    }

    /// Waits until the event is reached.
    ///
    /// # Errors
    ///
    /// A kernel that failed, or a device that is lost.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.context.raw.reach(self.mark)
    }

    /// The time from an earlier event to this one, on the device's clock; waits for both.
    ///
    /// # Errors
    ///
    /// A kernel that failed, an event of another device, or a device that is lost.
    pub fn since(&self, earlier: &Event) -> Result<Duration, Error> {
        earlier.synchronize()?;
        self.synchronize()?;
        let milliseconds = self.context.raw.milliseconds(earlier.mark, self.mark)?;
        // Below 0 where the events were given in the other order.
        Ok(Duration::from_secs_f64(f64::from(milliseconds).max(0.0) / 1000.0))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.context.raw.drop_mark(self.mark);
    }
}
