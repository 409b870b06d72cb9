//! Ranks that are threads of one process: for tests, and to run several parts on one machine without MPI.
use crate::error::Lost;
use crate::transport::Transport;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Runs `work` on as many threads as there are ranks, each with its end of the transport, and waits for all of them. A rank
/// that panics is an `Err`, as [`std::thread::JoinHandle::join`] gives it; the others get an error that names it.
pub fn threads<R: Send>(ranks: usize, work: impl Fn(Threads) -> R + Sync) -> Vec<std::thread::Result<R>> {
    let ends = Threads::connect(ranks);
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = ends.into_iter().map(|end| scope.spawn(move || work(end))).collect();
        handles.into_iter().map(|handle| handle.join()).collect()
    })
}

/// One end of a transport between threads. A thread that drops it has left.
pub struct Threads {
    rank: usize,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Messages by sender and receiver: from · ranks + to.
    queues: Vec<VecDeque<Vec<u8>>>,
    left: Vec<bool>,
    failed: Option<Lost>,
}

impl Threads {
    /// As many ends as there are ranks, connected to each other.
    pub fn connect(ranks: usize) -> Vec<Threads> {
        let queues = (0..ranks * ranks).map(|_| VecDeque::new()).collect();
        let state = State { queues, left: vec![false; ranks], failed: None };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        (0..ranks).map(|rank| Threads { rank, shared: shared.clone() }).collect()
    }

    /// The state; a thread that panicked while it held the lock left nothing half done.
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.state().left.len()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), Lost> {
        let mut state = self.state();
        if let Some(lost) = &state.failed {
            return Err(lost.clone());
        }
        let ranks = state.left.len();
        if let Some(queue) = state.queues.get_mut(self.rank * ranks + to) {
            queue.push_back(message);
        }
        self.shared.changed.notify_all();
        Ok(())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Lost> {
        let mut state = self.state();
        loop {
            if let Some(lost) = &state.failed {
                return Err(lost.clone());
            }
            let queue = from * state.left.len() + self.rank;
            if let Some(message) = state.queues.get_mut(queue).and_then(VecDeque::pop_front) {
                return Ok(message);
            }
            if state.left.get(from).copied().unwrap_or(true) {
                return Err(Lost { rank: from, how: "has left the mesh".to_string() });
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give_up(&self, lost: &Lost) {
        self.state().failed.get_or_insert_with(|| lost.clone());
        self.shared.changed.notify_all();
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.give_up(&Lost { rank: self.rank, how: "panicked".to_string() });
        }
        let rank = self.rank;
        self.state().left[rank] = true;
        self.shared.changed.notify_all();
    }
}
