//! Measures the machine with the kernels of `micro.cu`: the numbers that the compiler's cost model uses. The names are
//! those that the file prints when it is built alone.
use crate::Fallible;
use crate::code::Arguments;
use crate::contest;
use crate::lab::Lab;
use crate::probes::{Probe, table};
use systolic::interop;
use systolic::ndarray::Ix1;

/// The title by which these measurements are requested.
const TITLE: &str = "machine";
/// Instructions per loop iteration, and the iterations of the shorter of two runs.
const TURN: f64 = 256.0;
const TURNS: u64 = 400;
/// Kernels whose throughput and latency are measured, and kernels whose throughput only is measured.
const BOTH: [&str; 14] = [
    "fma_shared",
    "fma_own",
    "add_f32",
    "fma_f64",
    "fma_own_f64",
    "add_i32",
    "mad_i32",
    "shift",
    "half_up",
    "half_down",
    "to_i32",
    "power",
    "shuffle",
    "shared_load",
];
const RATES: [&str; 11] =
    ["max_f32", "max_i32", "select", "issue", "near_4", "near_16", "put_4", "put_one", "mixed", "pick", "barrier"];
const BODIES: [u64; 10] = [512, 1024, 1536, 1920, 2048, 2304, 2560, 3072, 4096, 8192];
/// The bits of a number that all lanes share.
const SHARED: i32 = 3;

/// Takes all measurements, if they are requested.
pub fn machine(lab: &Lab) -> Fallible<Vec<Probe>> {
    if !lab.plan.wants(TITLE) {
        return Ok(Vec::new());
    }
    let (x, y) = (lab.gpu.zeros::<u32, _>(Ix1(1024))?, lab.gpu.zeros::<f32, _>(Ix1(1 << 28))?);
    lab.gpu.own_stream().synchronize()?;
    let places = [interop::pointer(&x), interop::pointer(&y)];
    let blocks = u64::from(lab.gpu.properties().multiprocessors);
    let mut bench = Bench { lab, places, blocks, clock: 1.0, probes: Vec::new() };
    bench.ns("micro_clock", [blocks * 8, 1, 1], 256, 3000, SHARED)?;
    lab.stream.synchronize()?;
    let ticks = x.download()?;
    bench.clock = f64::from(ticks[0]) / f64::from(ticks[1]);
    bench.say("clock", bench.clock);
    bench.instructions()?;
    bench.bodies()?;
    bench.memory()?;
    bench.launches()?;
    println!("{}", table(&bench.probes));
    Ok(bench.probes)
}

struct Bench<'a> {
    lab: &'a Lab<'a>,
    /// The addresses of a few words and of 1 GB.
    places: [u64; 2],
    /// The number of multiprocessors.
    blocks: u64,
    /// Clock cycles per nanosecond.
    clock: f64,
    probes: Vec<Probe>,
}

impl Bench<'_> {
    fn say(&mut self, name: &str, value: f64) {
        self.probes.push(Probe { name: name.to_string(), value });
    }

    /// The nanoseconds of a launch.
    fn ns(&self, kernel: &str, grid: [u64; 3], threads: u32, n: u64, more: i32) -> Fallible<f64> {
        let [x, y] = self.places;
        let arguments = Arguments::default().words([x, y, n]).ints([more]);
        let kernel = self.lab.code.kernel(kernel, grid, threads, arguments)?;
        let run: contest::Run = Box::new(move |stream| kernel.launch(stream));
        Ok(contest::time(self.lab, &run)? * 1e6)
    }

    /// Throughput in lanes per clock of a multiprocessor, and latency in clocks of one warp, each from the difference
    /// of two runs of different lengths.
    fn instructions(&mut self) -> Fallible<()> {
        for name in BOTH.iter().chain(&RATES) {
            let kernel = format!("micro_rate_{name}");
            let run = |turns: u64| self.ns(&kernel, [self.blocks * 8, 1, 1], 256, turns, SHARED);
            let time = run(2 * TURNS)? - run(TURNS)?;
            self.say(&format!("rate_{name}"), TURNS as f64 * TURN * 256.0 * 8.0 / (time * self.clock));
        }
        for name in BOTH {
            let kernel = format!("micro_wait_{name}");
            let run = |turns: u64| self.ns(&kernel, [1, 1, 1], 32, turns, 1);
            let time = run(2 * TURNS)? - run(TURNS)?;
            self.say(&format!("wait_{name}"), time * self.clock / (TURNS as f64 * TURN));
        }
        Ok(())
    }

    /// Loops of several lengths, with four warps per quarter of a multiprocessor and with one; also with loaded
    /// constants.
    fn bodies(&mut self) -> Fallible<()> {
        let mut rows: Vec<(String, String, u64, u64)> = Vec::new();
        for length in BODIES {
            let kernel = format!("micro_body_{length}");
            rows.push((format!("body_{length}"), kernel.clone(), length, 4));
            rows.push((format!("body_{length}_alone"), kernel, length, 1));
        }
        for blocks in 1..=4 {
            for (name, kernel) in [("weights", "micro_weights"), ("weights_f64", "micro_weights_f64")] {
                rows.push((format!("{name}_warps_{}", 4 * blocks), kernel.to_string(), 1024, blocks));
            }
            rows.push((format!("body_1024_warps_{}", 4 * blocks), "micro_body_1024".to_string(), 1024, blocks));
        }
        for (name, kernel, length, blocks) in rows {
            let turns = (1 << 21) / length;
            let time = self.ns(&kernel, [self.blocks * blocks, 1, 1], 128, turns, SHARED)?;
            self.say(&name, (turns * length * 128 * blocks) as f64 / (time * self.clock));
        }
        Ok(())
    }

    /// Bytes per nanosecond of memory and of the second-level cache, and their latency.
    fn memory(&mut self) -> Fallible<()> {
        let (all, few, some) = (1u64 << 24, 1u64 << 20, self.blocks * 4);
        for (name, grid, bytes) in
            [("copy", all / 512, 32.0), ("read", self.blocks * 8, 16.0), ("write", all / 512, 16.0)]
        {
            let time = self.ns(&format!("micro_{name}"), [grid, 1, 1], 512, all, 1)?;
            self.say(&format!("{name}_dram"), bytes * all as f64 / time);
        }
        for (name, n, bytes) in [("copy", few / 2, 32.0), ("read", few, 16.0), ("write", few, 16.0)] {
            let run = |passes: i32| self.ns(&format!("micro_{name}"), [some, 1, 1], 512, n, passes);
            let time = run(80)? - run(16)?;
            self.say(&format!("{name}_l2"), 64.0 * bytes * n as f64 / time);
        }
        for ahead in [1u64, 2, 4, 8] {
            for bands in [2u64, 4, 8, 16, 32, 64] {
                let time = self.ns(&format!("micro_flow_{ahead}"), [64, bands, 1], 32, 0, 0)?;
                self.say(&format!("flow_ahead_{ahead}_warps_{}", 64 * bands), 2.0 * 8192.0 * 8192.0 * 4.0 / time);
            }
        }
        for (name, lines) in [("dram", 1u64 << 21), ("l2", 1 << 16)] {
            self.ns("micro_ring", [1024, 1, 1], 256, lines, 33)?;
            let run = |steps: u64| self.ns("micro_chase", [1, 1, 1], 1, steps, 0);
            run(lines.min(1 << 17))?;
            let time = run(24_576)? - run(8192)?;
            self.say(&format!("chase_{name}"), time / 16_384.0);
        }
        Ok(())
    }

    /// The nanoseconds of an empty launch, and the clocks of a multiprocessor from block to block.
    fn launches(&mut self) -> Fallible<()> {
        let launch = self.ns("micro_empty", [1, 1, 1], 32, 0, 0)?;
        self.say("launch", launch);
        for threads in [32, 128, 256, 512, 1024] {
            let run = |blocks: u64| self.ns("micro_empty", [self.blocks * blocks, 1, 1], threads, 0, 0);
            let time = run(2048)? - run(1024)?;
            self.say(&format!("blocks_of_{threads}"), time * self.clock / 1024.0);
        }
        Ok(())
    }
}
