//! A future that is ready when a stream has done its work. It belongs to no executor: a thread per stream waits for the device, starting
//! with the first future, and wakes the tasks. A callback of the driver would not do, because it is not called after a kernel has failed.
use super::event::Event;
use super::queue::Queue;
use super::stream::Stream;
use super::sync::lock;
use crate::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// Waits for the work on a stream, as [`Stream::reached`] and `.await` of a [`Launched`](crate::Launched) make it. It may be dropped at any time: the work runs on, and the arrays
/// that it uses wait for it.
#[derive(Debug)]
#[must_use = "a future does nothing unless it is awaited"]
pub struct Reached(Until);

#[derive(Debug)]
enum Until {
    /// The thread of the queue completes it.
    Completed(Arc<Progress>),
    /// Nothing is left to wait for.
    Known(Result<(), Error>),
}

/// What the waiting thread and the future share.
#[derive(Debug, Default)]
struct Progress(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    result: Option<Result<(), Error>>,
    /// The task to wake when there is one.
    task: Option<Waker>,
}

impl Progress {
    fn complete(&self, result: Result<(), Error>) {
        let mut state = lock(&self.0);
        state.result = Some(result);
        let waker = state.task.take();
        // A waker may poll at once.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn poll(&self, task: &Waker) -> Poll<Result<(), Error>> {
        let mut state = lock(&self.0);
        match (&state.result, &state.task) {
            (Some(result), _) => return Poll::Ready(result.clone()),
            (None, Some(known)) if known.will_wake(task) => {}
            _ => state.task = Some(task.clone()),
        }
        Poll::Pending
    }
}

impl Future for Reached {
    type Output = Result<(), Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &self.0 {
            Until::Completed(progress) => progress.poll(context.waker()),
            Until::Known(result) => Poll::Ready(result.clone()),
        }
    }
}

/// A point in the work of a queue that somebody waits for.
#[derive(Debug)]
pub struct Point {
    event: Event,
    queue: Arc<Queue>,
    ticket: u64,
    progress: Arc<Progress>,
}

/// The way to the thread that waits for a queue.
pub type Waiter = Mutex<Option<Sender<Point>>>;

/// Waits for the points in order, in which the queue reaches them. Ends with the queue, which has the other end.
fn wait(points: &Receiver<Point>) {
    while let Ok(Point { event, queue, ticket, progress }) = points.recv() {
        let result = event.synchronize();
        if result.is_ok() {
            queue.note_done(ticket);
        }
        progress.complete(result);
    }
}

fn start() -> Result<Sender<Point>, Error> {
    let (sender, receiver) = channel();
    let thread = std::thread::Builder::new().name("systolic stream".to_string());
    // As little as a thread needs; the exact number is not known here.
    let none = |_| Error::no_memory("a thread that waits for a stream", 1, STACK);
    thread.stack_size(STACK).spawn(move || wait(&receiver)).map_err(none)?;
    Ok(sender)
}

/// The stack of the thread, which only calls the driver.
const STACK: usize = 256 << 10;

/// Asks the thread of a queue to wait for all work so far.
fn ask(queue: &Arc<Queue>) -> Result<Arc<Progress>, Error> {
    let progress = Arc::new(Progress::default());
    let mut waiter = lock(&queue.waiter);
    let sender = match &*waiter {
        Some(sender) => sender.clone(),
        None => waiter.insert(start()?).clone(),
    };
    let (event, ticket) = Event::awaited(queue)?;
    let point = Point { event, queue: queue.clone(), ticket, progress: progress.clone() };
    // The thread ends only with the queue.
    sender.send(point).map_err(|_| Error::no_memory("a thread that waits for a stream", 1, STACK))?;
    Ok(progress)
}

impl Stream {
    /// Returns a future that is ready when all work enqueued so far is done. It may be awaited in any executor.
    ///
    /// The future fails if a kernel failed, if the device is lost, or if no thread could be started.
    pub fn reached(&self) -> Reached {
        match self.check_runs("to wait for a stream") {
            Ok(()) => Reached::asked(&self.queue),
            Err(error) => Reached::known(Err(error)),
        }
    }
}

impl Reached {
    /// Asks the thread of a queue to wait for all work so far.
    pub(super) fn asked(queue: &Arc<Queue>) -> Reached {
        ask(queue).map_or_else(|error| Reached::known(Err(error)), |progress| Reached(Until::Completed(progress)))
    }

    /// Where nobody has to wait.
    pub(super) fn known(result: Result<(), Error>) -> Reached {
        Reached(Until::Known(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn the_last_task_that_asked_is_woken_once() {
        let (first, last) = (Arc::new(Count::default()), Arc::new(Count::default()));
        let wakers = [&first, &last].map(|count| Waker::from(count.clone()));
        let progress = Arc::new(Progress::default());
        let mut future = Reached(Until::Completed(progress.clone()));
        for waker in [&wakers[0], &wakers[1], &wakers[1]] {
            assert!(Pin::new(&mut future).poll(&mut Context::from_waker(waker)).is_pending());
        }
        progress.complete(Err(Error::NoDriver));
        assert_eq!([first, last].map(|count| count.0.load(Ordering::Relaxed)), [0, 1]);
        for _ in 0..2 {
            let polled = Pin::new(&mut future).poll(&mut Context::from_waker(&wakers[0]));
            assert_eq!(polled, Poll::Ready(Err(Error::NoDriver)));
        }
    }

    #[test]
    fn nobody_needs_to_wait() {
        let progress = Arc::new(Progress::default());
        drop(Reached(Until::Completed(progress.clone())));
        progress.complete(Ok(()));
        let mut future = Reached(Until::Completed(progress));
        let waker = Waker::from(Arc::new(Count::default()));
        assert_eq!(Pin::new(&mut future).poll(&mut Context::from_waker(&waker)), Poll::Ready(Ok(())));
    }

    #[test]
    fn it_travels_between_threads() {
        fn travels<F: Future<Output = Result<(), Error>> + Send + Sync + Unpin + 'static>() {}
        travels::<Reached>();
    }
}
