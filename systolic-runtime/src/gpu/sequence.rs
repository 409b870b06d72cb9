//! Sequences: launches that are recorded once and replayed as a whole.
#![allow(unsafe_code)]
use super::context::Context;
use super::launched::Launched;
use super::piece::Piece;
use super::queue::{Queue, State};
use super::raw;
use super::stream::Stream;
use super::sync::lock;
use super::uses::{Held, Uses};
use super::work::{Node, Work};
use crate::error::Error;
use std::sync::{Arc, Mutex};

/// The driver's codes for a function that it does not have, and for one that the device does not support.
const WITHOUT_GRAPHS: [u32; 2] = [302, 801];

/// What is recorded so far; nothing after the end.
#[derive(Debug)]
pub struct Recording(Mutex<Option<Recorded>>);

/// Launches, and what they use.
#[derive(Debug)]
struct Recorded {
    context: Arc<Context>,
    nodes: Vec<Node>,
    /// The memory of arrays, and which is written. Each piece once.
    used: Vec<(Arc<Piece>, bool)>,
    /// Memory of the launches themselves.
    state: State,
}

impl Recording {
    fn new(context: Arc<Context>) -> Recording {
        let recorded = Recorded { context, nodes: Vec::new(), used: Vec::new(), state: State::kept() };
        Recording(Mutex::new(Some(recorded)))
    }

    /// Records a launch: its work, and the memory that it uses. If the work fails, nothing of it is recorded.
    pub fn add<'a>(
        &self,
        queue: &Queue,
        used: impl Iterator<Item = (&'a Arc<Piece>, bool)>,
        work: impl FnOnce(&mut Work<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut recorded = lock(&self.0);
        let Some(Recorded { nodes, used: all, state, .. }) = recorded.as_mut() else {
            return Err(Error::Recording { what: "a launch after the end of its sequence" });
        };
        let before = nodes.len();
        let done = work(&mut Work { queue, state, nodes: Some(nodes) });
        if let Err(error) = done {
            nodes.truncate(before);
            return Err(error);
        }
        for (piece, writes) in used {
            if writes {
                piece.note_sequence();
            }
            match all.iter_mut().find(|(known, _)| Arc::ptr_eq(known, piece)) {
                Some((_, written)) => *written |= writes,
                None => all.push((piece.clone(), writes)),
            }
        }
        Ok(())
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // Whoever replays it waits for the last replay before.
        self.state.free(&self.context);
    }
}

/// Launches that were recorded by [`Stream::sequence`]. A replay runs them in order, with one call of the driver for all.
///
/// It shares the memory of their arrays: an array may be dropped before the sequence. A replay waits for other work on the arrays, and
/// other work waits for the replay, as if the kernels were launched again.
#[derive(Debug)]
pub struct Sequence {
    recorded: Recorded,
    /// `None` if the driver has no graphs. Then a replay launches the kernels one by one.
    graph: Option<raw::Graph>,
    /// The replays: two at a time would use the same memory.
    replays: Mutex<Uses>,
}

impl Sequence {
    fn new(recorded: Recorded) -> Result<Sequence, Error> {
        let context = &recorded.context.raw;
        // SAFETY: what is enqueued while a graph is captured does not run, and the sequence keeps its memory as long as the graph.
        let enqueue = &mut |queue| recorded.nodes.iter().try_for_each(|node| unsafe { node.enqueue(context, queue) });
        let graph = match context.capture(enqueue) {
            Ok(graph) => Some(graph),
            Err(Error::Driver { code, .. }) if WITHOUT_GRAPHS.contains(&code) => None,
            Err(error) => return Err(error),
        };
        Ok(Sequence { recorded, graph, replays: Mutex::default() })
    }

    /// Runs the launches in order, on a stream of the same device. Does not wait for them: `sequence.replay(&stream)?.await?` does.
    ///
    /// # Errors
    ///
    /// Fails if the stream is of another device or records a sequence, or if the device is lost.
    pub fn replay(&self, stream: &Stream) -> Result<Launched, Error> {
        stream.check_runs("the replay of another sequence")?;
        self.recorded.context.check_same(&stream.queue.context)?;
        let queue = &stream.queue;
        let arrays = self.recorded.used.iter().map(|(piece, writes)| (&piece.uses, *writes));
        let held = Held::new(arrays.chain([(&self.replays, true)]));
        held.before(queue)?;
        let ticket = queue.submit(|_| {
            let context = &queue.context.raw;
            match self.graph {
                // SAFETY: the records above order it with all other uses of its memory, which the sequence keeps until it is done.
                Some(graph) => unsafe { context.launch_graph(queue.raw, graph) },
                // SAFETY: as above.
                None => self.recorded.nodes.iter().try_for_each(|node| unsafe { node.enqueue(context, queue.raw) }),
            }
        })?;
        held.after(queue, ticket);
        Ok(Launched::queued(queue, ticket))
    }

    /// Returns the number of kernels that a replay runs. A launch may run several.
    pub fn kernels(&self) -> usize {
        self.recorded.nodes.iter().filter(|node| matches!(node, Node::Launch { .. })).count()
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        // An error means that the device is lost, and then nothing runs there any more.
        let _ = lock(&self.replays).finish();
        if let Some(graph) = self.graph {
            self.recorded.context.raw.drop_graph(graph);
        }
    }
}

impl Stream {
    /// Records launches as one sequence, which can be replayed any number of times. The closure gets a stream to launch on; what it
    /// launches there is checked and recorded, but does not run. Kernels keep the sizes, constants and scalars that they were recorded
    /// with, and the arrays, whose elements may change.
    ///
    /// # Errors
    ///
    /// Fails if the closure fails, whose result is otherwise dropped, or if the device has too little memory. On the stream of the closure every call but a launch fails
    /// with [`Error::Recording`], and so does the launch of a kernel with lengths, because the lengths are checked when it is launched.
    /// This stream is not affected.
    pub fn sequence<R>(&self, record: impl FnOnce(&Stream) -> Result<R, Error>) -> Result<Sequence, Error> {
        self.check_runs("a sequence inside another")?;
        let recording = Arc::new(Recording::new(self.queue.context.clone()));
        record(&Stream { queue: self.queue.clone(), recording: Some(recording.clone()) })?;
        let recorded = lock(&recording.0).take();
        recorded.ok_or(Error::Recording { what: "a sequence that has ended" }).and_then(Sequence::new)
    }

    /// Fails if the stream records a sequence instead of running what it is given.
    pub(super) fn check_runs(&self, what: &'static str) -> Result<(), Error> {
        match self.recording {
            Some(_) => Err(Error::Recording { what }),
            None => Ok(()),
        }
    }
}
