//! Runs steps side by side. A lane is a list of steps that run in order, because they build in the same folder: cargo lets only
//! one command at a time build in a folder, and a step may need what an earlier one built. Steps of different lanes share no
//! folder.
use crate::step::Step;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Steps that run in order.
pub struct Lane {
    steps: VecDeque<Step>,
    /// Whether one of its steps is running.
    is_busy: bool,
}

impl Lane {
    pub fn new(steps: Vec<Step>) -> Lane {
        Lane { steps: steps.into(), is_busy: false }
    }
}

struct State {
    lanes: Vec<Lane>,
    has_failed: bool,
}

impl State {
    /// The next step of the first lane that is not busy, and the number of the lane.
    fn take(&mut self) -> Option<(usize, Step)> {
        if self.has_failed {
            return None;
        }
        let free = self.lanes.iter().position(|lane| !lane.is_busy && !lane.steps.is_empty())?;
        let step = self.lanes[free].steps.pop_front()?;
        self.lanes[free].is_busy = true;
        Some((free, step))
    }
}

/// Runs the steps of all lanes, as many at a time as there are workers. `run` runs one step and returns whether it passed. After a
/// failure the steps that are running end, and no other begins.
pub fn run(lanes: Vec<Lane>, workers: usize, run: impl Fn(&Step) -> bool + Sync) {
    let state = Mutex::new(State { lanes, has_failed: false });
    let work = || {
        // If every lane with steps is busy, the workers of those lanes are enough: this one ends.
        while let Some((lane, step)) = { lock(&state).take() } {
            let has_passed = run(&step);
            let mut state = lock(&state);
            state.lanes[lane].is_busy = false;
            state.has_failed |= !has_passed;
        }
    };
    std::thread::scope(|scope| (0..workers.max(1)).for_each(|_| drop(scope.spawn(work))));
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Lane, run};
    use crate::step::{Outcome, Step};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::{Barrier, Mutex};

    fn lanes(names: &[&[&str]]) -> Vec<Lane> {
        let step = |name: &&str| Step::new(*name, || Outcome::Passed);
        names.iter().map(|lane| Lane::new(lane.iter().map(step).collect())).collect()
    }

    /// Runs lanes of steps that all pass, and returns the names in the order in which the steps began.
    fn order(names: &[&[&str]], workers: usize) -> Vec<String> {
        let begun = Mutex::new(Vec::new());
        run(lanes(names), workers, |step| {
            begun.lock().unwrap().push(step.name.clone());
            true
        });
        begun.into_inner().unwrap()
    }

    #[test]
    fn one_worker_runs_lane_after_lane() {
        assert_eq!(order(&[&["a", "b"], &[], &["c"], &["d", "e"]], 1), ["a", "b", "c", "d", "e"]);
        // At least one worker runs.
        assert_eq!(order(&[&["a"]], 0), ["a"]);
        assert!(order(&[], 2).is_empty());
    }

    #[test]
    fn every_step_runs_once_and_lanes_keep_their_order() {
        for workers in 1..5 {
            for _ in 0..50 {
                let begun = order(&[&["a1", "a2", "a3"], &["b1"], &["c1", "c2"]], workers);
                assert_eq!(begun.len(), 6, "{begun:?}");
                for lane in ["a", "b", "c"] {
                    let of_lane: Vec<&String> = begun.iter().filter(|name| name.starts_with(lane)).collect();
                    assert!(of_lane.is_sorted() && !of_lane.is_empty(), "{begun:?}");
                }
            }
        }
    }

    /// Both steps wait for each other, so this test ends only if they run at the same time.
    #[test]
    fn two_lanes_run_at_the_same_time() {
        let barrier = Barrier::new(2);
        run(lanes(&[&["a"], &["b"]]), 2, |_| {
            barrier.wait();
            true
        });
    }

    #[test]
    fn steps_of_one_lane_never_overlap() {
        let running = Mutex::new(());
        run(lanes(&[&["a1", "a2", "a3", "a4"]]), 3, |_| {
            let alone = running.try_lock().expect("no other step of the lane runs");
            std::thread::yield_now();
            drop(alone);
            true
        });
    }

    /// A worker whose lane is done takes the next lane while the other lane still runs.
    #[test]
    fn a_free_worker_takes_the_next_lane() {
        let (go, wait): (Sender<()>, Receiver<()>) = channel();
        let wait = Mutex::new(wait);
        run(lanes(&[&["long"], &["b"], &["c"]]), 2, |step| {
            match step.name.as_str() {
                "long" => wait.lock().unwrap().recv().expect("step `c` ran"),
                "c" => go.send(()).unwrap(),
                _ => {}
            }
            true
        });
    }

    #[test]
    fn after_a_failure_running_steps_end_and_no_other_begins() {
        let (failed, ended) = (Barrier::new(2), Mutex::new(Vec::new()));
        run(lanes(&[&["fails", "a2"], &["b1", "b2"], &["c1"]]), 2, |step| {
            if ["fails", "b1"].contains(&step.name.as_str()) {
                // Both are running when the first fails; the second runs on until that is known.
                failed.wait();
            }
            if step.name == "b1" {
                std::thread::sleep(std::time::Duration::from_millis(200));
            }
            ended.lock().unwrap().push(step.name.clone());
            step.name != "fails"
        });
        assert_eq!(ended.into_inner().unwrap(), ["fails", "b1"]);
    }
}
