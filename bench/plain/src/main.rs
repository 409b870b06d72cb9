//! Kernels without maps against plain loops, on one core.

/// A plain loop, compiled for the widest vectors.
macro_rules! plain {
    (|$y:ident| $body:expr) => {
        |$y| {
            $crate::vectors::widest(
                #[inline(always)]
                |_| $body,
            )
        }
    };
}

mod channels;
mod dynamic;
mod fresh;
mod images;
mod kinds;
mod race;
mod signals;
mod solvers;
#[path = "../../cpu/src/vectors.rs"]
mod vectors;

use race::Races;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    let mut only: Vec<String> = std::env::args().skip(1).collect();
    let quick = only.iter().any(|word| word == "--quick");
    only.retain(|word| word != "--quick");
    println!("{} rounds on one core, loops for {}; ns per element", if quick { 5 } else { 30 }, vectors::name());
    println!("{:<34} {:>9} {:>9} {:>7}", "kernel", "ours", "loop", "ratio");
    let mut races = Races { only, rounds: if quick { 5 } else { 30 }, rows: Vec::new() };
    signals::all(&mut races);
    images::all(&mut races);
    dynamic::all(&mut races);
    fresh::all(&mut races);
    kinds::all(&mut races);
    channels::all(&mut races);
    solvers::all(&mut races);
    let logs: f64 = races.rows.iter().map(|row| row.ratio().ln()).sum();
    let most = races.rows.iter().map(|row| row.ratio()).fold(0.0, f64::max);
    let above = races.rows.iter().filter(|row| row.ratio() > 1.15).count();
    let count = races.rows.len();
    println!("{count} kernels: geometric mean {:.2}, most {most:.2}, above 1.15: {above}", (logs / count as f64).exp());
}
