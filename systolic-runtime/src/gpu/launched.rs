//! What a launch returns: it can be awaited, and costs nothing if it is not.
use super::queue::Queue;
use super::reached::Reached;
use crate::error::Error;
use std::future::IntoFuture;
use std::sync::Arc;

/// Work that a stream was given, as the `launch` of a kernel and [`Sequence::replay`](crate::Sequence::replay) return it.
///
/// `blur::launch(&stream, &x, &mut y)?.await?` waits until the device has done it, in any executor. What the stream was given between
/// the launch and the `.await` may be waited for too, because the driver is asked only then.
///
/// Without `.await` it costs nothing: it may be dropped, the work runs on, and the arrays that it uses wait for it. It borrows nothing;
/// the stream lives as long as this or one of its clones.
#[derive(Debug)]
pub struct Launched(State);

#[derive(Debug)]
enum State {
    /// There was nothing to do: an output without elements.
    Nothing,
    /// A sequence has recorded the work, which does not run.
    Recorded,
    /// The work of a queue up to a ticket.
    Queued(Arc<Queue>, u64),
}

impl Launched {
    /// A launch that has nothing to do.
    #[doc(hidden)]
    pub fn nothing() -> Launched {
        Launched(State::Nothing)
    }

    pub(super) fn recorded() -> Launched {
        Launched(State::Recorded)
    }

    pub(super) fn queued(queue: &Arc<Queue>, ticket: u64) -> Launched {
        Launched(State::Queued(queue.clone(), ticket))
    }
}

impl IntoFuture for Launched {
    type Output = Result<(), Error>;
    type IntoFuture = Reached;

    /// Returns a future that is ready when the work is done. It fails if a kernel failed, if the device is lost, if no thread could be
    /// started, or with [`Error::Recording`] if a sequence has recorded the launch.
    fn into_future(self) -> Reached {
        match self.0 {
            State::Nothing => Reached::known(Ok(())),
            State::Recorded => Reached::known(Err(Error::Recording { what: "to wait for a launch" })),
            State::Queued(queue, ticket) if queue.is_done(ticket) => Reached::known(Ok(())),
            State::Queued(queue, _) => Reached::asked(&queue),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn nobody_waits_where_nothing_runs() {
        let polled = |launched: Launched| {
            let future = pin!(async { launched.await });
            future.poll(&mut Context::from_waker(Waker::noop()))
        };
        assert_eq!(polled(Launched::nothing()), Poll::Ready(Ok(())));
        assert!(matches!(polled(Launched::recorded()), Poll::Ready(Err(Error::Recording { .. }))));
    }

    #[test]
    fn it_travels_between_threads() {
        fn travels<F: IntoFuture + Send + Sync + Unpin + 'static>() {}
        travels::<Launched>();
    }
}
