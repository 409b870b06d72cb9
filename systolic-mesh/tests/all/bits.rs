//! Kernels in parts have the bits of one device: a table of kernels on meshes of threads.
use super::table;

use systolic_mesh::{Mesh, threads};

#[test]
fn all_kernels_have_the_bits_of_one_device_on_every_mesh() {
    assert!(table::cases().len() >= 30);
    for ranks in [1, 2, 3, 4, 6] {
        for shape in table::meshes(ranks) {
            let results = threads(ranks, |rank| {
                let mesh = Mesh::new(rank, &shape).map_err(|error| error.to_string())?;
                table::run_all(&mesh)
            });
            for (rank, result) in results.into_iter().enumerate() {
                let runs = result.expect("no rank panics").unwrap_or_else(|why| panic!("rank {rank}: {why}"));
                assert!(runs > 0, "nothing ran on {shape:?}");
            }
        }
    }
}
