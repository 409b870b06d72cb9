//! The same under MPI: starts itself with `mpirun`, with 1, 2, 3, 4 and 6 ranks, and with faults. A rank is started with
//! the name of its role.
#[path = "../all/kernels.rs"]
mod kernels;
mod launch;
mod roles;
#[path = "../all/table.rs"]
mod table;

use launch::{Launched, launch};

fn main() {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref().and_then(|argument| argument.strip_prefix("role=")).map(str::to_string) {
        Some(role) => roles::play(&role),
        None => all(),
    }
}

/// Starts everything.
fn all() {
    for ranks in [1, 2, 3, 4, 6] {
        let Launched { output, is_fine, took } = launch(ranks, "bits", false);
        assert!(is_fine, "{ranks} ranks:\n{output}");
        let told: Vec<&str> = output.lines().filter(|line| line.contains("runs have the bits of one device")).collect();
        assert_eq!(told.len(), ranks, "{output}");
        println!("mpirun -n {ranks}: {} ({:.1} s)", told[0], took.as_secs_f64());
    }
    let differ = "the ranks make different calls";
    every_rank_says(3, "shapes", differ, &[0, 1, 2], false);
    every_rank_says(3, "kernels", differ, &[0, 1, 2], false);
    every_rank_says(4, "meshes", differ, &[0, 1, 2, 3], false);
    every_rank_says(3, "turned", "the result would depend on the mesh", &[0, 1, 2], false);
    every_rank_says(3, "leaves", "rank 1 has left the mesh", &[0, 2], false);
    every_rank_says(3, "fails", "rank 1 failed in `items`", &[0, 2], false);
    every_rank_says(3, "panics", "rank 1 panicked", &[0, 2], true);
    every_rank_says(3, "hangs", "rank 1 has given no sign of life for 6 s", &[0, 2], true);
    every_rank_says(3, "killed", "rank 1 has given no sign of life for 6 s", &[0, 2], true);
    every_rank_says(3, "first killed", "rank 0 has given no sign of life for 6 s", &[1, 2], true);
    every_rank_says(3, "killed while writing", "rank 1 has given no sign of life for 6 s", &[0, 2], true);
    let Launched { output, is_fine, .. } = launch(3, "killed", false);
    assert!(!is_fine && output.contains("rank 1"), "without recovery mpirun itself names the rank:\n{output}");
    println!("killed, without recovery: mpirun ends all ranks and names rank 1");
}

/// Starts a role and expects that these ranks end with an error, in time. With `survive`, `mpirun` does not end them itself.
fn every_rank_says(ranks: usize, role: &str, error: &str, expected: &[usize], survive: bool) {
    let Launched { output, took, .. } = launch(ranks, role, survive);
    for rank in expected {
        let says = |line: &str| line.contains(&format!("role {role}: rank {rank} says: ")) && line.contains(error);
        assert!(output.lines().any(says), "{role}: rank {rank} does not say `{error}`:\n{output}");
    }
    println!("{role}: ranks {expected:?} say `{error}` ({:.1} s)", took.as_secs_f64());
}
