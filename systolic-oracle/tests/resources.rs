//! Compares what the law `resources` counts with what GPU programs use: shared memory, and registers of wires.
//!
//! `SYSTOLIC_RESOURCES` is the number of random kernels, `SYSTOLIC_SEED` the first seed.
mod support;

use support::machine::{Effort, run};
use support::report::Report;
use support::seeds::over_all;
use support::{check_text, number};
use systolic_compiler::compile::compile;
use systolic_compiler::laws::{Count, Lawful, LawfulMap, waiting};
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::{Device, Int, Kernel};
use systolic_compiler::program::Shared;
use systolic_compiler::schedule::Schedule;
use systolic_compiler::target::GPU;
use systolic_oracle::random_kernel;

/// Kernels whose reads, implemented as written, would need more rings than fit into the shared memory of a block.
const CROWDED: [u64; 4] = [200236, 200679, 202483, 203485];

/// The bytes of rings and the words of rotations that the law counts.
fn counted(kernel: &Kernel, map: &LawfulMap, program: &Schedule) -> (Int, Int) {
    let count = if map.unused().is_empty() { Count::AtMost } else { Count::Exact };
    let waiting = waiting(kernel, map.mapping(), map.places(), map.ranges(), map.dependences(), count);
    let rings = waiting.ring_bytes(kernel).iter().sum::<Int>() * 32 * program.warp_count();
    (rings, waiting.registers(kernel).iter().sum())
}

/// Fails if a program uses more than the law has counted, or more than a block has.
fn judge_map(kernel: &Kernel, map: &LawfulMap, report: &mut Report) -> Result<(), String> {
    let Some(program) = compile(kernel, map, Target::Gpu).ok() else {
        report.count("no program");
        return Ok(());
    };
    let (most_rings, most_words) = counted(kernel, map, &program);
    let rings: Int = program.rings.iter().map(|ring| program.ring_bytes(ring)).sum();
    let (shared, words) = (Shared::of(&program).counted, program.registers_held(|r| !r.reuse));
    report.count("programs");
    if rings > 0 {
        report.count("programs with rings");
    }
    if !program.stages.is_empty() {
        report.count("programs with boxes");
    }
    if !map.unused().is_empty() {
        report.count("programs without reads that no point makes");
    }
    if shared > GPU.block_shared_bytes {
        return Err(format!("{shared} bytes of shared memory"));
    }
    if rings > most_rings {
        return Err(format!("{rings} bytes of rings, and the law counts {most_rings}"));
    }
    if words > most_words {
        return Err(format!("{words} words of rotations, and the law counts {most_words}"));
    }
    if words > GPU.lane_registers && map.mapping().on != Some(Device::Cpu) {
        return Err(format!("{words} words of rotations"));
    }
    Ok(())
}

fn lawful(text: &str) -> Vec<Lawful> {
    check_text(text).kernels.into_iter().flat_map(|(_, instances)| instances).collect()
}

fn judge(seed: u64, report: &mut Report) {
    let text = random_kernel(seed);
    let instances = lawful(&text);
    report.count(if instances.is_empty() { "refused" } else { "accepted" });
    for lawful in &instances {
        let default = if lawful.maps().is_empty() { default_map(lawful, Target::Gpu) } else { None };
        for map in lawful.maps().iter().chain(&default) {
            if let Err(why) = judge_map(map.kernel(lawful.kernel()), map, report) {
                report.wrong(format!("seed {seed}: {why}\n{text}"));
            }
        }
    }
}

#[test]
fn random_programs_have_no_more_than_the_law_counts() {
    let kernels = number("SYSTOLIC_RESOURCES", if cfg!(debug_assertions) { 500 } else { 5000 });
    let first = number("SYSTOLIC_SEED", 0);
    let report = over_all(first..first + kernels, judge);
    report.assert_nothing_wrong();
    assert!(report.counted("programs with rings") > 0, "{:?}", report.tally);
    assert!(report.counted("programs with boxes") > 0, "{:?}", report.tally);
}

#[test]
fn programs_with_little_room_leave_out_what_no_point_reads() {
    let mut report = Report::default();
    let effort = Effort { sizes: 3, ..Effort::with_points(200) };
    for seed in CROWDED {
        judge(seed, &mut report);
        lawful(&random_kernel(seed))
            .iter()
            .for_each(|lawful| run(lawful, &format!("seed {seed}"), effort, seed, &mut report));
    }
    report.assert_nothing_wrong();
    assert_eq!(report.counted("programs never run"), 0, "{:?}", report.tally);
    assert_eq!(report.counted("programs without reads that no point makes"), CROWDED.len(), "{:?}", report.tally);
}
