//! Predicts the time of a launch from counts.
//!
//! Blocks run in waves of as many as fit at a time. Within a wave, warps circulate between memory, the second-level cache and
//! the busiest pipe, each of which serves one warp at a time (`queue`), and otherwise wait for loads that are under way.
use super::mix::Mix;
use super::order::{Level, Order};
use super::queue;
use crate::sorted::SortedMap;
use crate::target::Gpu;
use crate::target::effort;
use crate::target::timing::{HOP_SECONDS, Kind, Pipe};

/// A limit on the speed of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roof {
    /// Bytes from and to memory, each once.
    Memory,
    /// Bytes between the second-level cache and the multiprocessors.
    SecondCache,
    /// The instructions of one pipe, or all of them.
    Pipe(Pipe),
    /// The latency of one block: memory, and chains of dependent values.
    Latency,
    /// The rate at which blocks begin.
    Blocks,
    /// A few boundary blocks, which run longer than all others.
    Edges,
    /// The order of blocks: the longest chain of blocks that wait for each other.
    Order,
}

impl Roof {
    /// A name for people.
    pub fn name(self) -> &'static str {
        match self {
            Roof::Memory => "memory",
            Roof::SecondCache => "second cache",
            Roof::Pipe(pipe) => pipe.name(),
            Roof::Latency => "latency",
            Roof::Blocks => "blocks",
            Roof::Edges => "edges",
            Roof::Order => "order of blocks",
        }
    }
}

/// The work of one kind of block.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// How many such blocks there are.
    pub blocks: f64,
    /// The instructions of all its warps.
    pub mix: Mix,
    /// Cache lines that its accesses touch.
    pub lines: f64,
    /// Different elements of parameters passed by value that its lanes load.
    pub picks: f64,
    /// Bytes from the second-level cache.
    pub loaded: f64,
    /// Bytes to the second-level cache.
    pub stored: f64,
    /// How many stores these are.
    pub stores: f64,
    /// Instructions of its longest loop.
    pub loop_length: f64,
    /// Whether it is a boundary block.
    pub at_edge: bool,
    /// What one of its warps does on its own.
    pub alone: Alone,
}

impl Load {
    /// The work of a block of this many warps, from that of one warp.
    pub fn of_all(self, warps: f64) -> Load {
        Load {
            mix: self.mix * warps,
            lines: self.lines * warps,
            picks: self.picks * warps,
            loaded: self.loaded * warps,
            stored: self.stored * warps,
            stores: self.stores * warps,
            ..self
        }
    }
}

/// What one warp of a block does while nothing else runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone {
    /// Its steps; 1 without a loop.
    pub steps: f64,
    /// Clocks in which it works.
    pub doing: f64,
    /// Clocks in which it waits for the first-level cache.
    pub near: f64,
    /// How often it waits for memory.
    pub waits: f64,
    /// How often it waits at once for an element that its block has not loaded before: from memory or the second-level cache.
    pub stops: f64,
    /// How often it needs prefetched elements from memory.
    pub asked: f64,
    /// The clocks of the steps between these loads and their uses. They hide that much of the latency.
    pub between: f64,
    /// The chunks of streams that are copied while one is computed, at most; 0 without streams.
    pub chunks_ahead: f64,
}

impl Alone {
    /// The clocks in which it only waits, if its work takes `slower` times as long.
    fn waiting(&self, far: Far, slower: f64) -> f64 {
        let exposed = (self.asked * far.memory - slower * self.between).max(0.0);
        self.near + self.waits * far.memory + self.stops * far.stop + exposed
    }

    /// The clocks that all its chunks of streams are under way, as if one came after the other.
    fn under_way(&self, far: Far) -> f64 {
        self.asked * self.chunks_ahead * far.memory
    }

    /// All its clocks, working and waiting.
    fn clocks(&self, far: Far) -> f64 {
        self.doing + self.waiting(far, 1.0)
    }
}

/// The latency of loads, in clocks.
#[derive(Clone, Copy, Debug)]
struct Far {
    /// From memory.
    memory: f64,
    /// From memory or the second-level cache, on average.
    stop: f64,
}

impl Far {
    /// The latency without contention. Every byte comes from memory once; when it is loaded again it is in the second-level
    /// cache.
    fn new(machine: &Gpu, launch: &Launch) -> Far {
        let loaded: f64 = launch.loads.iter().map(|l| l.blocks * l.loaded).sum();
        let share = (launch.read / loaded.max(1.0)).min(1.0);
        Far { memory: machine.timing.far, stop: share * machine.timing.far + (1.0 - share) * machine.timing.second }
    }

    /// The latency multiplied, under contention.
    fn times(self, by: f64) -> Far {
        Far { memory: self.memory * by, stop: self.stop * by }
    }
}

/// A launch: which blocks run, and how many at a time.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kinds of blocks, interior blocks first.
    pub loads: Vec<Load>,
    /// Blocks that a multiprocessor runs at a time.
    pub resident: usize,
    /// Warps per block.
    pub warps: usize,
    /// Bytes from memory.
    pub read: f64,
    /// Bytes to memory.
    pub written: f64,
    /// Whether boundary blocks begin with the first wave.
    pub ends_first: bool,
    /// How launches and blocks follow each other.
    pub order: Order,
}

/// The predicted time of a launch, in seconds.
#[derive(Clone, Debug)]
pub struct Time {
    /// The time by each roof as if it were the only one.
    pub roofs: Vec<(Roof, f64)>,
    /// The time by all of them together.
    pub total: f64,
    /// The roof that limits the launch most.
    pub roof: Roof,
    /// Blocks per multiprocessor, divided by those that run at a time.
    pub waves: f64,
}

/// Predicts the time of a launch.
pub fn time(machine: &Gpu, launch: &Launch) -> Time {
    let each = launch.blocks().max(1.0) / machine.timing.multiprocessors;
    let waves = Waves::new(each, launch.resident.max(1) as f64);
    let parts = parts(machine, launch);
    let far = Far::new(machine, launch);
    let wave = |blocks: f64| wave(far, launch, &parts, blocks);
    let seconds = |clocks: f64| clocks / machine.timing.clock;
    let mut roofs: Vec<(Roof, f64)> =
        parts.iter().map(|(roof, clocks)| (*roof, seconds(waves.clocks(|blocks| blocks * clocks)))).collect();
    let alone = launch.mean(&|l| l.alone.clocks(far));
    roofs.push((Roof::Latency, seconds(waves.clocks(|_| alone))));
    roofs.push((Roof::Blocks, seconds(each * machine.timing.block_clocks(launch.warps))));
    let (mut roof, most) = greatest(&roofs);
    let mut longest = seconds(waves.clocks(wave)).max(most);
    if let Some(clocks) = edges(machine, far, launch, &waves, &wave) {
        roofs.push((Roof::Edges, seconds(clocks)));
        if seconds(clocks) > longest {
            (roof, longest) = (Roof::Edges, seconds(clocks));
        }
    }
    if let Some(clocks) = in_order(machine, launch, &waves, alone, &wave) {
        let chain = launch.order.groups() * (alone + machine.timing.clock * HOP_SECONDS);
        roofs.push((Roof::Order, seconds(chain)));
        if seconds(chain) > longest {
            roof = Roof::Order;
        }
        longest = longest.max(seconds(clocks));
    }
    let launches = launch.order.launches.max(1.0);
    roofs.iter_mut().for_each(|(_, time)| *time *= launches);
    let total = launches * (longest + machine.timing.launch);
    Time { total, roof, roofs, waves: each / waves.resident }
}

/// The clocks of blocks that wait for each other, level by level; `None` if none waits. A level that does not fill the machine
/// takes as long as one of its blocks, and until the next level knows of it.
fn in_order(machine: &Gpu, launch: &Launch, waves: &Waves, alone: f64, wave: &impl Fn(f64) -> f64) -> Option<f64> {
    if launch.order.levels.is_empty() {
        return None;
    }
    let hop = machine.timing.clock * HOP_SECONDS;
    let full = wave(waves.resident);
    // The number of blocks per multiprocessor decides, and there are few such numbers.
    let mut known: SortedMap<u64, f64> = SortedMap::new();
    let level = |level: &Level| {
        let each = level.blocks / machine.timing.multiprocessors;
        let clocks = match each >= waves.resident {
            true => full * each / waves.resident,
            false => *known.or_insert_with(each.ceil() as u64, |_| wave(each.ceil()).max(alone)) + hop,
        };
        level.groups * clocks
    };
    Some(launch.order.levels.iter().map(level).sum())
}

/// The clocks in which a multiprocessor finishes a wave of this many blocks.
fn wave(far: Far, launch: &Launch, parts: &[(Roof, f64)], blocks: f64) -> f64 {
    let of = |which: Roof| parts.iter().find(|(roof, _)| *roof == which).map_or(0.0, |(_, clocks)| *clocks);
    let pipes = parts.iter().filter(|(roof, _)| matches!(roof, Roof::Pipe(_))).map(|(_, clocks)| *clocks);
    let pipe = pipes.fold(0.0, f64::max);
    let warps = launch.warps.max(1) as f64;
    // Clocks per warp.
    let servers = [of(Roof::Memory), of(Roof::SecondCache), pipe].map(|clocks| clocks / warps);
    let doing = launch.mean(&|l| l.alone.doing);
    let jobs = (blocks * warps).round() as usize;
    // With streams a warp computes one chunk while later ones are under way.
    let chunks = 1.0 + launch.mean(&|l| l.alone.chunks_ahead);
    let in_turn = |rate: f64, far: Far| {
        let alone = launch.mean(&|l| l.alone.clocks(far));
        rate.min(jobs as f64 / alone.max(1.0))
    };
    // The latency of memory grows with its load, and the load depends on the latency: iterate.
    let mut busy = 0.0;
    let mut rate = 0.0;
    for _ in 0..effort::COST_ROUNDS {
        let waiting = launch.mean(&|l| l.alone.waiting(far.times(1.0 + busy), 1.0));
        rate = match chunks > 1.0 {
            true => {
                let under_way = launch.mean(&|l| l.alone.under_way(far.times(1.0 + busy)));
                let many = (jobs as f64 * chunks).round() as usize;
                in_turn(queue::rate(many, &servers, under_way), far.times(1.0 + busy))
            }
            false => queue::rate(jobs, &servers, (doing - servers[2]).max(0.0) + waiting),
        };
        busy = (busy + (rate * servers[0]).min(1.0)) / 2.0;
    }
    blocks * warps / rate.max(f64::MIN_POSITIVE)
}

/// The waves in which a multiprocessor runs its blocks.
struct Waves {
    /// Blocks per full wave.
    resident: f64,
    /// The number of full waves.
    full: f64,
    /// The blocks of the partial wave after them; 0 if there is none.
    rest: f64,
}

impl Waves {
    fn new(each: f64, resident: f64) -> Waves {
        let resident = resident.min(each.ceil());
        let full = (each / resident).floor();
        // A multiprocessor runs whole blocks only.
        Waves { resident, full, rest: (each - full * resident).ceil() }
    }

    /// The clocks of all waves. `wave` gives those of one, by the number of its blocks.
    fn clocks(&self, wave: impl Fn(f64) -> f64) -> f64 {
        self.full * wave(self.resident) + if self.rest > 0.0 { wave(self.rest) } else { 0.0 }
    }

    /// The number of waves before the last one, and the blocks of the last one.
    fn last(&self) -> (f64, f64) {
        if self.rest > 0.0 { (self.full, self.rest) } else { (self.full - 1.0, self.resident) }
    }
}

impl Launch {
    /// All blocks of the grid.
    pub fn blocks(&self) -> f64 {
        self.loads.iter().map(|l| l.blocks).sum()
    }

    /// The mean over all blocks.
    fn mean(&self, of: &dyn Fn(&Load) -> f64) -> f64 {
        self.loads.iter().map(|l| l.blocks * of(l)).sum::<f64>() / self.blocks().max(1.0)
    }

    /// The fraction of its full speed at which a block runs, limited by the instruction cache. Interior and boundary blocks
    /// run different code, and share that cache if both are resident at the same time.
    fn fetch_rate(&self, machine: &Gpu, load: &Load) -> f64 {
        let others = self.loads.iter().filter(|l| l.at_edge != load.at_edge);
        others.fold(machine.timing.fetch_rate(load.loop_length), |rate, other| {
            let meets = 1.0 - (1.0 - other.blocks / self.blocks().max(1.0)).powf(self.resident as f64 - 1.0);
            rate * (1.0 - meets) + meets * machine.timing.fetch_rate(load.loop_length + other.loop_length)
        })
    }
}

/// The clocks for which a block keeps each part of the machine busy, as a mean over all blocks.
fn parts(machine: &Gpu, launch: &Launch) -> Vec<(Roof, f64)> {
    let blocks = launch.blocks().max(1.0);
    let per_clock = |bytes_per_second: f64| bytes_per_second / machine.timing.clock / machine.timing.multiprocessors;
    let memory = (launch.read + launch.written) / blocks / per_clock(machine.timing.bandwidth);
    let second = |l: &Load| {
        let stores = (l.stores * machine.timing.store).max(l.stored / per_clock(machine.timing.second_cache_stores));
        stores.max((l.loaded + l.stored) / per_clock(machine.timing.second_cache))
    };
    let mut parts = vec![(Roof::Memory, memory), (Roof::SecondCache, launch.mean(&second))];
    let pipe = |pipe: &Pipe| launch.mean(&|l| busy(machine, l, *pipe, launch.fetch_rate(machine, l)));
    parts.extend(Pipe::ALL.iter().map(|p| (Roof::Pipe(*p), pipe(p))));
    parts
}

/// The clocks for which a block keeps a pipe busy, at this fraction of the full speed.
fn busy(machine: &Gpu, load: &Load, pipe: Pipe, rate: f64) -> f64 {
    let of = |kind: &Kind| load.mix.get(*kind) * 32.0 / machine.timing.lanes(*kind);
    let kinds: f64 = Kind::ALL.iter().filter(|k| machine.timing.pipe(**k) == pipe).map(of).sum();
    match pipe {
        Pipe::Issue => {
            let others =
                Kind::ALL.iter().filter(|k| machine.timing.pipe(**k) != pipe).map(|k| load.mix.get(*k)).sum::<f64>();
            (kinds + others * 32.0 / machine.timing.issue) / rate
        }
        Pipe::Exchange => kinds + load.lines * machine.timing.line,
        Pipe::Picks => load.picks * machine.timing.pick,
        _ => kinds / rate,
    }
}

/// The clocks of the pipe that a block keeps busy longest.
pub fn busiest(machine: &Gpu, load: &Load) -> f64 {
    let rate = machine.timing.fetch_rate(load.loop_length);
    Pipe::ALL.iter().map(|pipe| busy(machine, load, *pipe, rate)).fold(0.0, f64::max)
}

/// The clocks until the end of a boundary block that begins with the last wave, or with the first. It shares the
/// multiprocessor with the other blocks of that wave, and then runs alone. `None` if there are no boundary blocks.
fn edges(machine: &Gpu, far: Far, launch: &Launch, waves: &Waves, wave: &impl Fn(f64) -> f64) -> Option<f64> {
    let edge = launch.loads.get(1)?;
    let (before, others) = if launch.ends_first { (0.0, waves.resident) } else { waves.last() };
    let shared = wave(others);
    // Its work takes turns with the other blocks. Its loads take twice as long while memory is busy.
    let doing = (busiest(machine, edge) * others).max(edge.alone.doing);
    let beside = doing + edge.alone.waiting(far.times(2.0), doing / edge.alone.doing.max(1.0));
    let done = (shared / beside).min(1.0);
    Some(before * wave(waves.resident) + shared.min(beside) + (1.0 - done) * edge.alone.clocks(far))
}

/// The roof with the longest time.
fn greatest(all: &[(Roof, f64)]) -> (Roof, f64) {
    all.iter().copied().fold((Roof::Memory, 0.0), |most, one| if one.1 > most.1 { one } else { most })
}
