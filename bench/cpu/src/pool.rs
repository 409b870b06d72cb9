//! Work on one core or on all of them, and its time.
use crate::contest::Cores;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// One thread: what spreads over the cores stays on it.
static SINGLE: LazyLock<Option<ThreadPool>> = LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().ok());

/// How many cores there are.
pub fn cores() -> usize {
    rayon::current_num_threads()
}

/// The time of a piece of work on so many cores.
pub fn timed<T: Send>(cores: Cores, work: impl FnOnce() -> T + Send) -> Result<(Duration, T), String> {
    let clocked = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed(), result)
    };
    match cores {
        Cores::All => Ok(clocked()),
        Cores::One => {
            let pool = SINGLE.as_ref().ok_or("a pool of one thread cannot be made")?;
            Ok(pool.install(clocked))
        }
    }
}
