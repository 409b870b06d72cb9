//! The cost of programs: counts compared with counts by hand, and properties that hold for any kernel.
use crate::support::{self, program, text};
use systolic_compiler::compile::compile;
use systolic_compiler::cost::{Block, Cost, Kind, Roof, blocks, cost};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Int;
use systolic_compiler::target::gpu::H200;

/// A filter of 3 × 3 with an unrolled block of 8 rows and 128 columns.
fn filter(ty: &str) -> Lawful {
    text(&format!(
        "kernel filter(x: [{ty}; R + 2, C + 2], w: const [{ty}; 3, 3]) -> (z: [{ty}; R, C]) {{
            for r in 0..R, c in 0..C, p in 0..3, q in 0..3 {{
                Z[r, c, p, q] = x[r + p, c + q] * w[p, q]
                    + if q > 0 {{ Z[r, c, p, q - 1] }} else if p > 0 {{ Z[r, c, p - 1, q + 2] }} else {{ 0.0 }};
                if p == 2 && q == 2 {{ z[r, c] = Z[r, c, p, q]; }}
            }}
            map {{
                tile c by 128 as (cb, ci);
                tile r by 8 as (rb, ri);
                blocks (rb, cb);
                space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, -1, 0], [0, 0, 0, 1]];
                lanes s fold 4;
                unroll (t, u, v);
            }}
        }}"
    ))
}

/// One sum per lane, with weights that move from lane to lane.
fn moving() -> Lawful {
    text(
        "kernel moving(x: [f32; C + 4], w: const [f32; 5]) -> (z: [f32; C]) {
            for c in 0..C, q in 0..5 {
                X[c, q] = x[c + q];
                W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
                Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
                if q == 4 { z[c] = Z[c, q]; }
            }
            map {
                tile c by 32 as (cb, ci);
                blocks (cb);
                space_time (ci, q) -> (s, t) = [[1, 0], [1, 1]];
                lanes s;
            }
        }",
    )
}

/// A sum of three rows with a border, four elements per lane; rows unrolled or in a loop.
fn bordered(ty: &str, unroll: &str) -> Lawful {
    text(&format!(
        "kernel bordered(x: [{ty}; R, C] border clamp, w: const [{ty}; 3]) -> (y: [{ty}; R, C]) {{
            for r in 0..R, c in 0..C, p in 0..3 {{
                Z[r, c, p] = x[r + p - 1, c] * w[p] + if p > 0 {{ Z[r, c, p - 1] }} else {{ 0.0 }};
                if p == 2 {{ y[r, c] = Z[r, c, p]; }}
            }}
            map {{
                tile c by 128 as (cb, ci);
                tile r by 64 as (rb, ri);
                blocks (rb, cb);
                space_time (ci, ri, p) -> (s, t, u) = [[1, 0, 0], [0, 1, 1], [0, 0, -1]];
                lanes s fold 4;
                unroll ({unroll});
            }}
        }}"
    ))
}

fn costs(lawful: &Lawful, sizes: &[Int], registers: Option<usize>) -> Cost {
    cost(&H200, lawful.kernel(), &program(lawful, "", Target::Gpu), sizes, registers)
}

/// The number of instructions of a kind in all blocks.
fn all(cost: &Cost, kind: Kind) -> f64 {
    cost.launch.loads.iter().map(|load| load.blocks * load.mix.get(kind)).sum()
}

#[test]
fn nine_products_an_output() {
    let found = costs(&filter("f32"), &[1024, 2048], None);
    assert_eq!(found.blocks, 128.0 * 16.0);
    assert_eq!(all(&found, Kind::Fma) * 32.0, 9.0 * 1024.0 * 2048.0);
    assert_eq!((all(&found, Kind::Fma64), all(&found, Kind::OwnFma)), (0.0, 0.0));
    // A block reads ten rows, each by one load of the lane's own elements and one of the two next to them, and stores
    // eight rows.
    let accesses: f64 = found.launch.loads.iter().map(|load| load.mix.get(Kind::Access)).sum();
    assert_eq!(accesses, 28.0);
    assert_eq!(all(&found, Kind::Shuffle), 0.0);
}

#[test]
fn every_element_comes_and_goes_once() {
    let found = costs(&filter("f32"), &[1024, 2048], None);
    assert_eq!(found.launch.read, 4.0 * 1026.0 * 2050.0);
    assert_eq!(found.launch.written, 4.0 * 1024.0 * 2048.0);
    // A block reads ten rows of 130 columns, aligned to cache lines: 17 sectors of 32 bytes each.
    let load = &found.launch.loads[0];
    assert_eq!((load.loaded, load.stored), (10.0 * 17.0 * 32.0, 8.0 * 128.0 * 4.0));
}

#[test]
fn doubles_are_products_of_their_own_and_shuffles_of_two_words() {
    let (single, double) = (costs(&filter("f32"), &[64, 256], None), costs(&filter("f64"), &[64, 256], None));
    assert_eq!(all(&double, Kind::Fma64), all(&single, Kind::Fma));
    assert_eq!(all(&double, Kind::Fma), 0.0);
    assert_eq!(all(&double, Kind::Shuffle), 2.0 * all(&single, Kind::Shuffle));
}

#[test]
fn twice_the_rows_are_twice_the_work() {
    let lawful = filter("f32");
    let (one, two) = (costs(&lawful, &[4096, 8192], Some(94)), costs(&lawful, &[8192, 8192], Some(94)));
    assert_eq!(two.blocks, 2.0 * one.blocks);
    assert_eq!(two.launch.written, 2.0 * one.launch.written);
    for kind in Kind::ALL {
        assert_eq!(all(&two, kind), 2.0 * all(&one, kind), "{}", kind.name());
    }
    let ratio = (two.time.total - H200.timing.launch) / (one.time.total - H200.timing.launch);
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
}

#[test]
fn memory_is_the_roof_of_a_small_filter() {
    let found = costs(&filter("f32"), &[8192, 8192], Some(94));
    assert_eq!(found.time.roof, Roof::Memory);
    let least = (found.launch.read + found.launch.written) / H200.timing.bandwidth;
    assert!(found.time.total > least && found.time.total < 1.2 * least, "{} by {least}", found.time.total);
}

#[test]
fn a_weight_at_an_index_of_each_lane_is_picked() {
    let found = costs(&moving(), &[1 << 20], None);
    // In every block, each lane loads five per-lane constants, one per step.
    assert_eq!(found.launch.loads[0].picks, 32.0 * 5.0);
    assert_eq!(costs(&filter("f32"), &[64, 256], None).launch.loads[0].picks, 0.0);
}

/// Words are loaded directly into registers. Halves are extracted from words inside the guard, which waits for the
/// load.
#[test]
fn at_an_edge_a_warp_waits_for_halves_where_they_are_loaded() {
    for unroll in ["t, u", "u"] {
        // Rows whose length is not a multiple of a wide access.
        let [half, single, double] = ["f16", "f32", "f64"].map(|ty| costs(&bordered(ty, unroll), &[1000, 1001], None));
        let stops = |cost: &Cost| {
            let edge = cost.launch.loads.iter().find(|load| load.at_edge).expect("there are edges");
            (edge.alone.stops, edge.mix.get(Kind::Control))
        };
        assert_eq!((stops(&single).0, stops(&double).0), (0.0, 0.0), "{unroll}");
        assert!(stops(&half).0 > 0.0, "{unroll}: {}", stops(&half).0);
        assert!(stops(&single).1 > 0.0 && stops(&double).1 > stops(&single).1, "{unroll}");
    }
}

#[test]
fn parts_of_words_are_put_together() {
    let [half, single] = ["f16", "f32"].map(|ty| costs(&filter(ty), &[64, 256], None));
    let moves = |cost: &Cost| cost.launch.loads[0].mix.get(Kind::Alu);
    // Ten rows of four elements and eight of four, two instructions each; the two halo elements may be loaded
    // separately.
    assert!(moves(&half) >= moves(&single) + 2.0 * 72.0, "{} by {}", moves(&half), moves(&single));
}

/// The end of a loop waits for all loads that its steps have issued.
#[test]
fn one_step_lies_before_a_wait_however_many_are_asked_for() {
    let lawful = bordered("f32", "u");
    let program = program(&lawful, "", Target::Gpu);
    let written = program.sections().map(|section| section.prefetch.unroll).max().expect("there are pieces");
    assert!(written > 1);
    let alone = costs(&lawful, &[6400, 6400], None).launch.loads[0].alone;
    assert!(alone.asked > 0.0 && alone.asked < alone.steps, "{alone:?}");
    assert!(alone.between > 0.0 && alone.between < alone.doing / (written as f64 - 1.0), "{alone:?}");
}

#[test]
fn registers_warps_and_shared_memory_bound_the_blocks() {
    let at = |warps: usize, registers: usize, shared: usize| blocks(&H200, Block { warps, registers, shared });
    assert_eq!([at(1, 32, 0), at(1, 64, 0), at(1, 94, 0), at(1, 128, 0), at(1, 255, 0)], [32, 32, 20, 16, 8]);
    assert_eq!([at(8, 32, 0), at(8, 128, 0), at(1, 32, 100_000), at(1, 32, 300_000)], [8, 2, 2, 0]);
    for registers in 1..255 {
        assert!(at(4, registers + 1, 0) <= at(4, registers, 0), "{registers}");
    }
}

#[test]
fn more_registers_never_make_it_faster() {
    let lawful = filter("f32");
    let times = [32, 64, 96, 128, 168, 255].map(|registers| costs(&lawful, &[8192, 8192], Some(registers)).time.total);
    assert!(times.is_sorted(), "{times:?}");
    assert!(times[5] > times[0]);
}

#[test]
fn loops_longer_than_the_cache_run_slower() {
    assert!(H200.timing.fetch_rate(1000.0) > 0.95);
    assert!(H200.timing.fetch_rate(3000.0) < 0.75);
    let rates: Vec<f64> = (0..50).map(|k| H200.timing.fetch_rate(f64::from(k) * 100.0)).collect();
    assert!(rates.windows(2).all(|pair| pair[1] <= pair[0]), "{rates:?}");
}

/// Every workload of the repository has a predicted time, at small and large sizes.
#[test]
fn every_program_has_a_time() {
    let mut count = 0;
    let folder = format!("{}/../tests/kernels", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(folder).expect("the kernels are there") {
        let file = std::fs::read_to_string(entry.expect("an entry").path()).expect("a text");
        for block in file.split("systolic! {").skip(1) {
            let checked = systolic_compiler::check(block[..support::end(block)].parse().expect("tokens"));
            for lawful in checked.kernels.iter().filter_map(|(_, instances)| instances.first()) {
                for map in lawful.maps() {
                    let Some(program) = compile(lawful.kernel(), map, Target::Gpu).ok() else { continue };
                    for size in [1, 37, 1000] {
                        let found = cost(&H200, lawful.kernel(), &program, &vec![size; program.sizes.len()], None);
                        assert!(found.time.total.is_finite() && found.time.total >= H200.timing.launch, "{found}");
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 200, "{count}");
}
