//! Predicts how a stencil in three dimensions scales from 1 to 10,000 GPUs, weakly and strongly:
//! `cargo run --release -p systolic-mesh --example scale [NETWORK]`.
mod model;
mod network;
#[cfg(test)]
mod tests;

use model::{Model, Step};
use network::{NETWORKS, Network};
use std::process::ExitCode;

/// One step of heat, as in `examples/heat`, with the map that the search of a build script finds for it.
const KERNEL: &str = "kernel heat(u: [f32; D, R, C] border symmetric, rate: f32) -> (v: [f32; D, R, C]) {
    for d in 0..D, r in 0..R, c in 0..C {
        v[d, r, c] = u[d, r, c] + rate * (u[d - 1, r, c] + u[d + 1, r, c] + u[d, r - 1, c] + u[d, r + 1, c]
            + u[d, r, c - 1] + u[d, r, c + 1] - 6.0 * u[d, r, c]);
    }
    map {
        tile d by 16 as (db, dw);
        tile dw by 4 as (dx, di);
        tile r by 4 as (rb, ri);
        tile c by 128 as (cb, ci);
        blocks (db, rb, cb);
        warps (dx);
        space_time (ci, di, ri) -> (s, t, u2) = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        lanes s fold 4;
        unroll (t, u2);
    }
}";

/// Ranks in the shape of cubes, and the end of the range.
const RANKS: [[usize; 3]; 10] = [
    [1, 1, 1],
    [2, 1, 1],
    [2, 2, 2],
    [4, 4, 4],
    [8, 8, 8],
    [10, 10, 10],
    [13, 13, 13],
    [16, 16, 16],
    [20, 20, 20],
    [25, 20, 20],
];

/// The edge of every rank's part, weakly.
const WEAK: usize = 512;
/// The edge of the whole, strongly.
const STRONG: usize = 2048;

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    let wanted = |network: &&Network| name.as_ref().is_none_or(|name| *name == network.name);
    let chosen: Vec<&Network> = NETWORKS.iter().filter(wanted).collect();
    let model = match Model::new(KERNEL) {
        Ok(model) if !chosen.is_empty() => model,
        Ok(_) => {
            let names: Vec<&str> = NETWORKS.iter().map(|network| network.name).collect();
            return ended(&format!("expected one of the networks {}", names.join(", ")));
        }
        Err(why) => return ended(&why),
    };
    for network in chosen {
        println!("{}: {:.1} us per message, {} GB/s\n", network.title, network.latency * 1e6, network.bandwidth / 1e9);
        for (title, steps) in [("weak", weak(&model, network)), ("strong", strong(&model, network))] {
            print(title, &steps);
        }
    }
    ExitCode::SUCCESS
}

fn ended(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}

/// A step for every number of ranks, and its efficiency.
type Steps = Vec<([usize; 3], Step, f64)>;

/// Every rank has a part of the same size.
fn weak(model: &Model, network: &Network) -> Steps {
    let one = model.step([1; 3], [WEAK; 3], network).total();
    let step = |ranks: [usize; 3]| {
        let step = model.step(ranks, [WEAK; 3], network);
        (ranks, step, one / step.total())
    };
    RANKS.map(step).to_vec()
}

/// All ranks together have an array of the same size.
fn strong(model: &Model, network: &Network) -> Steps {
    let one = model.step([1; 3], [STRONG; 3], network).total();
    let step = |ranks: [usize; 3]| {
        let part = ranks.map(|along| STRONG.div_ceil(along));
        let step = model.step(ranks, part, network);
        (ranks, step, one / step.total() / ranks.iter().product::<usize>() as f64)
    };
    RANKS.map(step).to_vec()
}

fn print(title: &str, steps: &Steps) {
    println!("| {title}: ranks | part | interior | exchange | around it | agreement | efficiency |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (ranks, step, efficiency) in steps {
        let [interior, exchange, around, agreement] = [step.interior, step.exchange, step.around, step.agreement]
            .map(|seconds| format!("{:.0} us", seconds * 1e6));
        let (count, [d, r, c]) = (ranks.iter().product::<usize>(), step.part);
        println!(
            "| {count} | {d} × {r} × {c} | {interior} | {exchange} | {around} | {agreement} | {:.1} % |",
            efficiency * 100.0
        );
    }
    match steps.iter().find(|(_, step, _)| step.exchange > step.interior) {
        Some((ranks, ..)) => println!("\nThe halo binds from {} ranks on.\n", ranks.iter().product::<usize>()),
        None => println!("\nThe halo is hidden up to 10,000 ranks.\n"),
    }
}
