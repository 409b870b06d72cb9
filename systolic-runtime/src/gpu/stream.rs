//! Streams: the work on a stream runs in the order in which it was enqueued.
use super::event::Event;
use super::queue::Queue;
use super::sequence::Recording;
use crate::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// A stream of a device. Launches on one stream run in order. Launches on different streams may overlap, except if one
/// writes an array that the other uses: then the later one waits. A stream may be used from several threads. Clones refer
/// to the same stream.
#[derive(Clone, Debug)]
pub struct Stream {
    pub(super) queue: Arc<Queue>,
    /// The sequence that is recorded; `None` if work on the stream runs.
    pub(super) recording: Option<Arc<Recording>>,
}

impl Stream {
    pub(super) fn new(queue: Arc<Queue>) -> Stream {
        Stream { queue, recording: None }
    }

    /// Waits until all work on the stream is done.
    ///
    /// # Errors
    ///
    /// Fails if a kernel failed, or if the device is lost.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.check_runs("to wait for a stream")?;
        self.queue.synchronize()
    }

    /// Returns the number of the stream's device.
    pub fn ordinal(&self) -> usize {
        self.queue.context.properties.ordinal
    }

    /// Records an event, which is reached when all work enqueued so far is done.
    ///
    /// # Errors
    ///
    /// Fails if the device is lost.
    pub fn record(&self) -> Result<Event, Error> {
        self.check_runs("an event")?;
        Event::record(&self.queue)
    }

    /// Makes all further work on this stream wait for an event of any stream of the same device.
    ///
    /// # Errors
    ///
    /// Fails if the event is of another device, or if the device is lost.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        self.check_runs("to wait for an event")?;
        event.hold(&self.queue)
    }

    /// Waits for the work that the closure enqueues on the stream, and returns the time that the device takes for it.
    ///
    /// # Errors
    ///
    /// Fails if the closure fails, if a kernel failed, or if the device is lost.
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
