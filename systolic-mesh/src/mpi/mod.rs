//! Ranks that are processes, connected by MPI.
//!
//! One thread of the process, the post, makes all calls of MPI: it can always receive, whatever the program computes, so no two
//! ranks wait for each other, and it gives signs of life. A rank that gives none is lost, and all others are told.
mod post;

use crate::error::{Error, Lost};
use crate::transport::Transport;
use post::Post;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// This process as a rank of MPI. When it is dropped, it waits until all ranks have left, and ends MPI.
///
/// To use one connection for several meshes, put it into an [`Arc`].
pub struct Mpi {
    rank: usize,
    ranks: usize,
    shared: Arc<Shared>,
}

/// What the post and the rest of the process share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Messages that were received, by sender.
    inbox: Vec<VecDeque<Vec<u8>>>,
    /// Messages to be sent.
    outbox: VecDeque<(usize, Vec<u8>)>,
    left: Vec<bool>,
    failed: Option<Lost>,
    /// Whether all ranks know of the failure.
    told: bool,
    leaving: bool,
    /// How many calls wait for messages.
    waiting: usize,
    /// Whether the post has ended.
    ended: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long to wait for the post when this process leaves, at most.
const LEAVING: Duration = Duration::from_secs(8);

impl Mpi {
    /// Initialises MPI and connects to all ranks of its world.
    ///
    /// # Errors
    ///
    /// Fails if MPI is initialised already, or if no thread can be started.
    pub fn new() -> Result<Mpi, Error> {
        let wrong = |why: &str| Error::Mpi { why: why.to_string() };
        let (send, receive) = std::sync::mpsc::channel();
        let started = std::thread::Builder::new().name("systolic-mesh post".to_string()).spawn(move || {
            let Some(post) = Post::start() else { return };
            let _ = send.send((post.rank(), post.ranks(), post.shared()));
            post.run();
        });
        started.map_err(|error| wrong(&format!("the thread for MPI could not be started: {error}")))?;
        let (rank, ranks, shared) =
            receive.recv().map_err(|_| wrong("MPI is initialised already, or could not be initialised"))?;
        Ok(Mpi { rank, ranks, shared })
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), Lost> {
        let mut state = self.shared.state();
        if let Some(lost) = &state.failed {
            return Err(lost.clone());
        }
        state.outbox.push_back((to, message));
        self.shared.changed.notify_all();
        Ok(())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Lost> {
        let mut state = self.shared.state();
        state.waiting += 1;
        self.shared.changed.notify_all();
        let result = loop {
            if let Some(lost) = &state.failed {
                break Err(lost.clone());
            }
            if let Some(message) = state.inbox.get_mut(from).and_then(VecDeque::pop_front) {
                break Ok(message);
            }
            if state.left.get(from).copied().unwrap_or(true) {
                break Err(Lost { rank: from, how: "has left the mesh".to_string() });
            }
            if state.ended {
                break Err(Lost { rank: self.rank, how: "has lost its connection to MPI".to_string() });
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.waiting -= 1;
        result
    }

    fn give_up(&self, lost: &Lost) {
        self.shared.state().failed.get_or_insert_with(|| lost.clone());
        self.shared.changed.notify_all();
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.give_up(&Lost { rank: self.rank, how: "panicked".to_string() });
        }
        let began = Instant::now();
        let mut state = self.shared.state();
        state.leaving = true;
        self.shared.changed.notify_all();
        while !state.ended && began.elapsed() < LEAVING {
            let waited = self.shared.changed.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
