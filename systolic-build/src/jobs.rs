//! Processes many items on a few threads.
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stack size of a thread. Kernels are nested expressions, and the compiler recurses over them.
const STACK: usize = 64 << 20;

/// Applies a function to each item, on at most this many threads. Returns the results in order, `None` for items on
/// which it panicked.
pub fn each<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let run = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(k) else { break };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(item))).ok();
            if let Ok(mut results) = results.lock() {
                results[k] = result;
            }
        }
    };
    std::thread::scope(|scope| {
        let spawn = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_ok();
        let threads = (0..threads.min(items.len())).filter(|_| spawn()).count();
        // If no thread could be started, this one does all the work.
        if threads == 0 {
            run();
        }
    });
    results.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_stand_in_order() {
        let items: Vec<usize> = (0..100).collect();
        for threads in [0, 1, 3, 1000] {
            let expected: Vec<Option<usize>> = items.iter().map(|k| Some(k * k)).collect();
            assert_eq!(each(&items, threads, |k| k * k), expected);
        }
        assert_eq!(each(&[] as &[usize], 2, |k| *k), []);
    }

    #[test]
    fn a_panic_costs_one_result() {
        let odd = |k: &usize| if k.is_multiple_of(2) { panic!("even") } else { *k };
        assert_eq!(each(&[0, 1, 2, 3], 2, odd), [None, Some(1), None, Some(3)]);
    }
}
