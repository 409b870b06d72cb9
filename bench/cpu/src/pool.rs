//! Runs work on one core or on all and measures its time.
use crate::contest::Cores;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A pool with one thread: parallel work in it stays on one core.
static SINGLE: LazyLock<Option<ThreadPool>> = LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().ok());

/// The number of cores.
pub fn cores() -> usize {
    rayon::current_num_threads()
}

/// Runs work on this many cores and returns its time and result.
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
