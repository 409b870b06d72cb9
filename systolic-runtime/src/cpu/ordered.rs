//! Runs blocks that wait for others, on several threads.
//!
//! A thread takes the next ticket, waits until the blocks that its block waits for have ended, and runs it. Those blocks have lower
//! tickets, and whoever holds a ticket runs: so the block with the lowest ticket that has not ended never waits for one that has
//! not, and there is no deadlock, however few threads there are.
use crate::error::{Error, Failure};
use crate::order::Order;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How often a waiting thread looks before it lets others run.
const LOOKS: usize = 256;

/// What the threads of a launch share.
struct Shared<'a> {
    tickets: &'a [u32],
    order: Order<'a>,
    lengths: [u64; 3],
    next: AtomicUsize,
    /// Of every block, whether it has ended.
    ended: Vec<AtomicBool>,
    /// Set if a block fails: then no other begins, and nobody waits.
    failed: AtomicBool,
    error: Mutex<Option<Failure>>,
    run: &'a (dyn Fn(u32) -> Result<(), Failure> + Sync),
}

/// Runs blocks in the order of their tickets, on this many threads. Returns the error of a block that failed.
pub fn run(
    tickets: &[u32],
    order: Order<'_>,
    lengths: [u64; 3],
    workers: usize,
    run: &(dyn Fn(u32) -> Result<(), Failure> + Sync),
) -> Result<(), Failure> {
    // Where every block waits for the one before it, threads would only hand over to each other.
    let follows = |pair: &[u32]| matches!(pair, [one, next] if order.before(*next, lengths).any(|b| b == *one));
    if workers < 2 || tickets.windows(2).all(follows) {
        return tickets.iter().try_for_each(|block| run(*block));
    }
    let mut ended = Vec::new();
    let none = |_| Error::no_memory("the order of blocks", tickets.len() as u128, 1);
    ended.try_reserve_exact(tickets.len()).map_err(none)?;
    ended.resize_with(tickets.len(), AtomicBool::default);
    let (next, failed, error) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    let shared = Shared { tickets, order, lengths, next, ended, failed, error, run };
    rayon_core::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(|_| shared.work());
        }
        shared.work();
    });
    let error = shared.error.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    error.map_or(Ok(()), Err)
}

/// Tells the others if the thread panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl Shared<'_> {
    /// Takes tickets and runs their blocks until none are left.
    fn work(&self) {
        let _alarm = Alarm(&self.failed);
        loop {
            let ticket = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = self.tickets.get(ticket).copied() else { return };
            if !self.order.before(block, self.lengths).all(|other| self.wait(other)) {
                return;
            }
            if let Err(found) = (self.run)(block) {
                self.error.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(found);
                self.failed.store(true, Ordering::Relaxed);
                return;
            }
            // What the block wrote is seen by who finds it ended.
            if let Some(ended) = self.ended.get(block as usize) {
                ended.store(true, Ordering::Release);
            }
        }
    }

    /// Waits until a block has ended. Returns whether it has; not if another one failed.
    fn wait(&self, block: u32) -> bool {
        let Some(ended) = self.ended.get(block as usize) else { return false };
        loop {
            for _ in 0..LOOKS {
                if ended.load(Ordering::Acquire) {
                    return true;
                }
                std::hint::spin_loop();
            }
            if self.failed.load(Ordering::Relaxed) {
                return false;
            }
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: [u64; 3] = [7, 9, 1];
    const ORDER: Order<'static> = Order { tickets: [1, 1, 0], waits: &[[1, 0, 0], [0, 1, 0]] };

    #[test]
    fn every_block_runs_after_those_it_waits_for() {
        let tickets = ORDER.blocks(LENGTHS).unwrap();
        for workers in [1, 2, 5, 40] {
            let ended: Vec<AtomicBool> = tickets.iter().map(|_| AtomicBool::new(false)).collect();
            let late = AtomicUsize::new(0);
            let block = |number: u32| {
                let missing = ORDER.before(number, LENGTHS).filter(|b| !ended[*b as usize].load(Ordering::Acquire));
                late.fetch_add(missing.count(), Ordering::Relaxed);
                ended[number as usize].store(true, Ordering::Release);
                Ok(())
            };
            run(&tickets, ORDER, LENGTHS, workers, &block).unwrap();
            assert!(ended.iter().all(|b| b.load(Ordering::Relaxed)), "{workers}");
            assert_eq!(late.into_inner(), 0, "{workers}");
        }
    }

    #[test]
    fn a_chain_of_blocks_stays_on_one_thread() {
        let (order, lengths) = (Order { tickets: [0, 1, 0], waits: &[[0, 1, 0], [0, 2, 0]] }, [1, 500, 1]);
        let (tickets, here) = (order.blocks(lengths).unwrap(), std::thread::current().id());
        let seen = Mutex::new(Vec::new());
        let block = |number: u32| {
            assert_eq!(std::thread::current().id(), here);
            seen.lock().unwrap().push(number);
            Ok(())
        };
        run(&tickets, order, lengths, 8, &block).unwrap();
        assert_eq!(seen.into_inner().unwrap(), tickets);
    }

    #[test]
    fn a_block_that_fails_ends_the_launch() {
        let tickets = ORDER.blocks(LENGTHS).unwrap();
        let error = || Failure::new(Error::NotCompiled { kernel: "k" });
        for workers in [1, 4] {
            let block = |number: u32| if number == 20 { Err(error()) } else { Ok(()) };
            assert_eq!(run(&tickets, ORDER, LENGTHS, workers, &block), Err(error()));
        }
    }
}
