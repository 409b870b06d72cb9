//! Work in order: what is put on a stream runs after what was put there before.
use super::event::Event;
use super::queue::Queue;
use crate::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// A stream of a device. Launches on one stream run in order; on two they may overlap, but never where one writes what
/// the other touches: then the later one waits. A stream may be used from several threads, and clones are the same stream.
#[derive(Clone, Debug)]
pub struct Stream {
    pub(super) queue: Arc<Queue>,
}

impl Stream {
    /// Waits until everything on the stream is done.
    ///
    /// # Errors
    ///
    /// A kernel that failed, or a device that is lost.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.queue.synchronize()
    }

    /// The number of the stream's device.
    pub fn ordinal(&self) -> usize {
        self.queue.context.properties.ordinal
    }

    /// A point in the stream's work: reached when all that was put there before is done.
    ///
    /// # Errors
    ///
    /// A device that is lost.
    pub fn record(&self) -> Result<Event, Error> {
        Event::record(&self.queue)
    }

    /// What is put on this stream from now on waits for an event, of any stream of this device.
    ///
    /// # Errors
    ///
    /// An event of another device, or a device that is lost.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        event.hold(&self.queue)
    }

    /// The time that the device takes for what the closure puts on the stream; waits for it.
    ///
    /// # Errors
    ///
    /// What the closure gives, a kernel that failed, or a device that is lost.
    pub fn time<R>(&self, work: impl FnOnce(&Stream) -> Result<R, Error>) -> Result<(R, Duration), Error> {
        let start = self.record()?;
        let result = work(self)?;
        let end = self.record()?;
        Ok((result, end.since(&start)?))
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn handle(&self) -> usize {
        self.queue.raw.0
    }
}
