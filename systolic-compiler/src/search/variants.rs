//! Variants: other candidates of a search, for sizes at which the best one for large arrays is slow.
//!
//! ```text
//! a filter of 13 × 13 on 8192 × 8192       bands of 128 rows, so that few rows are loaded twice: 2048 blocks
//! on 1000 × 1000                           32 such blocks for 132 multiprocessors; tiles of 4 rows take a fifth of the time
//! ```
//!
//! The runtime chooses by the same rule that is used here (`seconds`): a pure function of sizes and multiprocessors.
use super::rank::Candidate;
use crate::cost::{self, Cost, Roof};
use crate::emit::Speed;
use crate::model::Int;
use crate::schedule::Schedule;
use crate::target::Gpu;
use crate::target::search::{FEW, GAIN, VARIANTS};

/// How fast a candidate is, from its cost at these sizes.
pub fn speed(schedule: &Schedule, cost: &Cost, rank: f64, sizes: &[Int]) -> Speed {
    let points = cost::points(schedule, sizes).max(1) as f64;
    let latency = cost.time.roofs.iter().find(|(roof, _)| *roof == Roof::Latency).map_or(0.0, |(_, time)| *time);
    Speed {
        busy: rank / (cost.blocks.max(1.0) * points),
        alone: latency / (cost.time.waves.ceil().max(1.0) * points),
        resident: u32::try_from(cost.launch.resident).unwrap_or(1).max(1),
    }
}

/// The time of a schedule for other sizes, as the runtime predicts it.
fn seconds(machine: &Gpu, schedule: &Schedule, speed: Speed, sizes: &[Int]) -> f64 {
    let blocks: f64 = cost::grid(schedule, sizes).iter().map(|(low, high)| ((high - low + 1).max(0)) as f64).product();
    let points = cost::points(schedule, sizes) as f64;
    let waves =
        (blocks / (machine.timing.multiprocessors * f64::from(speed.resident))).ceil().max(chain(schedule, sizes));
    (blocks * points * speed.busy).max(waves * points * speed.alone)
}

/// About how many blocks wait for each other one after another; 0 if none do.
fn chain(schedule: &Schedule, sizes: &[Int]) -> f64 {
    let Some(tickets) = &schedule.tickets else { return 0.0 };
    let axes = cost::grid(schedule, sizes).into_iter().skip(schedule.frame.launches).enumerate();
    let waiting = axes.filter(|(k, _)| tickets.waits.iter().any(|wait| wait.get(*k).is_some_and(|by| *by != 0)));
    1.0 + waiting.map(|(_, (low, high))| (high - low).max(0) as f64).sum::<f64>()
}

/// Sizes other than those of the search: smaller and larger ones, and each size short or 1.
fn profiles(sizes: &[Int]) -> Vec<Vec<Int>> {
    let scaled = |by: Int| sizes.iter().map(|n| (n * by / 8).max(1)).collect::<Vec<_>>();
    let mut all: Vec<Vec<Int>> = [1, 5, 10, 13].into_iter().map(scaled).collect();
    for k in 0..sizes.len() {
        for few in FEW {
            let mut profile = sizes.to_vec();
            profile[k] = few;
            all.push(profile);
        }
    }
    all
}

/// The candidates that are clearly faster than the first at some sizes, as positions in the list.
pub fn variants(machine: &Gpu, all: &[Candidate], sizes: &[Int]) -> Vec<usize> {
    let profiles = profiles(sizes);
    // What takes less than a launch is not worth a variant.
    let time =
        |c: &Candidate, profile: &Vec<Int>| seconds(machine, &c.schedule, c.speed, profile).max(machine.timing.launch);
    let times: Vec<Vec<f64>> = all.iter().map(|c| profiles.iter().map(|p| time(c, p)).collect()).collect();
    let Some(mut current) = times.first().cloned() else { return Vec::new() };
    let mut chosen = Vec::new();
    while chosen.len() < VARIANTS {
        // How much each would gain, over all profiles in which it gains much.
        let gain = |k: usize| -> f64 {
            let gains = current.iter().zip(&times[k]).filter(|(now, then)| **then > 0.0 && **now > GAIN * **then);
            gains.map(|(now, then)| (now / then).ln()).sum()
        };
        // With other lanes memory is accessed otherwise, of which the rule knows nothing.
        let similar = (1..all.len()).filter(|k| all[*k].has_lanes_of(&all[0]));
        let best = similar.map(|k| (k, gain(k))).fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
        if best.1 <= 0.0 {
            break;
        }
        chosen.push(best.0);
        current = current.iter().zip(&times[best.0]).map(|(a, b)| a.min(*b)).collect();
    }
    chosen
}
