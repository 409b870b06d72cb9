//! Measures time as the minimum of several runs, which other load on the machine disturbs least.
use std::time::{Duration, Instant};

/// Runs `work` for at least a fifth of a second and at least three times.
pub fn least<T>(mut work: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    let mut least = Duration::MAX;
    let mut runs = 0;
    while runs < 3 || start.elapsed() < Duration::from_millis(200) {
        let begin = Instant::now();
        std::hint::black_box(work());
        least = least.min(begin.elapsed());
        runs += 1;
    }
    least
}

/// Milliseconds with two decimals.
pub fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}
