//! Counts to a time. Blocks run in waves, as many at a time as fit. In a wave the steps of all warps go around between
//! memory, the second cache and the busiest pipe, each of which serves one at a time, and wait for what lies far meanwhile.
use super::mix::Mix;
use super::queue;
use crate::target::Gpu;
use crate::target::effort;
use crate::target::timing::{Kind, Pipe};

/// What bounds the time of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roof {
    /// Bytes from and to memory, each once.
    Memory,
    /// Bytes between the second cache and the multiprocessors.
    SecondCache,
    /// Instructions, or those of one pipe.
    Pipe(Pipe),
    /// What one block waits for: memory, and values that need each other.
    Latency,
    /// The rate at which blocks begin.
    Blocks,
    /// A few blocks at the edges, which run longer than all others.
    Edges,
}

impl Roof {
    pub fn name(self) -> &'static str {
        match self {
            Roof::Memory => "memory",
            Roof::SecondCache => "second cache",
            Roof::Pipe(pipe) => pipe.name(),
            Roof::Latency => "latency",
            Roof::Blocks => "blocks",
            Roof::Edges => "edges",
        }
    }
}

/// One kind of block: all that it does.
#[derive(Clone, Debug, Default)]
pub struct Load {
    pub blocks: f64,
    /// Of all its warps.
    pub mix: Mix,
    /// Lines that its accesses fall into, and numbers that its lanes pick.
    pub lines: f64,
    pub picks: f64,
    /// Bytes from the second cache and to it, and how many stores those are.
    pub loaded: f64,
    pub stored: f64,
    pub stores: f64,
    /// Instructions of its longest loop.
    pub loop_length: f64,
    pub at_edge: bool,
    pub alone: Alone,
}

impl Load {
    /// Of so many warps, where this is of one.
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

/// What one warp of a block does when nobody else runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone {
    /// Its steps; 1 where there is no loop.
    pub steps: f64,
    /// Clocks in which it does something.
    pub doing: f64,
    /// Clocks in which it waits for what lies near.
    pub near: f64,
    /// How often it waits for what lies far.
    pub waits: f64,
    /// How often it waits for one load of what no load of its block has brought: from memory, or from the second cache.
    pub stops: f64,
    /// How often it needs what lies far and has asked for it before, and the clocks of the steps between: it waits for what
    /// these leave.
    pub asked: f64,
    pub between: f64,
}

impl Alone {
    /// Clocks in which it only waits, where what it does takes so many times as long.
    fn waiting(&self, far: Far, slower: f64) -> f64 {
        let asked = (self.asked * far.memory - slower * self.between).max(0.0);
        self.near + self.waits * far.memory + self.stops * far.stop + asked
    }

    /// All its clocks.
    fn clocks(&self, far: Far) -> f64 {
        self.doing + self.waiting(far, 1.0)
    }
}

/// Clocks until what lies far has come: from memory, and where it may lie in the second cache.
#[derive(Clone, Copy, Debug)]
struct Far {
    memory: f64,
    stop: f64,
}

impl Far {
    /// Where nobody else asks. Every byte comes from memory once; what is loaded again lies in the second cache.
    fn new(machine: &Gpu, launch: &Launch) -> Far {
        let loaded: f64 = launch.loads.iter().map(|l| l.blocks * l.loaded).sum();
        let share = (launch.read / loaded.max(1.0)).min(1.0);
        Far { memory: machine.timing.far, stop: share * machine.timing.far + (1.0 - share) * machine.timing.second }
    }

    /// Where others ask too.
    fn times(self, by: f64) -> Far {
        Far { memory: self.memory * by, stop: self.stop * by }
    }
}

/// A launch: what runs, how much of it at a time.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The blocks away from edges first.
    pub loads: Vec<Load>,
    /// Blocks of a multiprocessor at a time, and the warps of one.
    pub resident: usize,
    pub warps: usize,
    /// Bytes that come from memory and go there.
    pub read: f64,
    pub written: f64,
    /// Blocks at edges begin with the first wave.
    pub ends_first: bool,
}

/// The time of a launch in seconds, by each roof as if it were the only one, and by all.
#[derive(Clone, Debug)]
pub struct Time {
    pub roofs: Vec<(Roof, f64)>,
    pub total: f64,
    pub roof: Roof,
    /// Blocks of a multiprocessor by those at a time.
    pub waves: f64,
}

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
    Time { total: longest + machine.timing.launch, roof, roofs, waves: each / waves.resident }
}

/// The clocks of a multiprocessor in which so many blocks at a time come to their end.
fn wave(far: Far, launch: &Launch, parts: &[(Roof, f64)], blocks: f64) -> f64 {
    let of = |wanted: Roof| parts.iter().find(|(roof, _)| *roof == wanted).map_or(0.0, |(_, clocks)| *clocks);
    let pipes = parts.iter().filter(|(roof, _)| matches!(roof, Roof::Pipe(_))).map(|(_, clocks)| *clocks);
    let pipe = pipes.fold(0.0, f64::max);
    let warps = launch.warps.max(1) as f64;
    // Of one warp.
    let servers = [of(Roof::Memory), of(Roof::SecondCache), pipe].map(|clocks| clocks / warps);
    let doing = launch.mean(&|l| l.alone.doing);
    let under_way = (blocks * warps).round() as usize;
    // The busier memory is, the longer it takes to answer.
    let mut busy = 0.0;
    let mut rate = 0.0;
    for _ in 0..effort::COST_ROUNDS {
        let waiting = launch.mean(&|l| l.alone.waiting(far.times(1.0 + busy), 1.0));
        rate = queue::rate(under_way, &servers, (doing - servers[2]).max(0.0) + waiting);
        busy = (busy + (rate * servers[0]).min(1.0)) / 2.0;
    }
    blocks * warps / rate.max(f64::MIN_POSITIVE)
}

/// The blocks of a multiprocessor, some at a time.
struct Waves {
    resident: f64,
    /// Waves that are full, and the blocks of the one behind them, if there is one.
    full: f64,
    rest: f64,
}

impl Waves {
    fn new(each: f64, resident: f64) -> Waves {
        let resident = resident.min(each.ceil());
        let full = (each / resident).floor();
        // A multiprocessor has whole blocks.
        Waves { resident, full, rest: (each - full * resident).ceil() }
    }

    /// The clocks of all waves, by those of one of so many blocks.
    fn clocks(&self, wave: impl Fn(f64) -> f64) -> f64 {
        self.full * wave(self.resident) + if self.rest > 0.0 { wave(self.rest) } else { 0.0 }
    }

    /// The waves before the last one, and its blocks.
    fn last(&self) -> (f64, f64) {
        if self.rest > 0.0 { (self.full, self.rest) } else { (self.full - 1.0, self.resident) }
    }
}

impl Launch {
    pub fn blocks(&self) -> f64 {
        self.loads.iter().map(|l| l.blocks).sum()
    }

    /// The mean of all blocks.
    fn mean(&self, of: &dyn Fn(&Load) -> f64) -> f64 {
        self.loads.iter().map(|l| l.blocks * of(l)).sum::<f64>() / self.blocks().max(1.0)
    }

    /// The part of its speed at which a block runs while others fetch other instructions: those at edges, if one of them is
    /// under way at the same time.
    fn fetch_rate(&self, machine: &Gpu, load: &Load) -> f64 {
        let others = self.loads.iter().filter(|l| l.at_edge != load.at_edge);
        others.fold(machine.timing.fetch_rate(load.loop_length), |rate, other| {
            let meets = 1.0 - (1.0 - other.blocks / self.blocks().max(1.0)).powf(self.resident as f64 - 1.0);
            rate * (1.0 - meets) + meets * machine.timing.fetch_rate(load.loop_length + other.loop_length)
        })
    }
}

/// Clocks of a multiprocessor that a block keeps each part of the machine busy: the mean of all blocks.
fn parts(machine: &Gpu, launch: &Launch) -> Vec<(Roof, f64)> {
    let blocks = launch.blocks().max(1.0);
    let a_clock = |bytes_a_second: f64| bytes_a_second / machine.timing.clock / machine.timing.multiprocessors;
    let memory = (launch.read + launch.written) / blocks / a_clock(machine.timing.bandwidth);
    let second = |l: &Load| {
        let stores = (l.stores * machine.timing.store).max(l.stored / a_clock(machine.timing.second_cache_stores));
        stores.max((l.loaded + l.stored) / a_clock(machine.timing.second_cache))
    };
    let mut parts = vec![(Roof::Memory, memory), (Roof::SecondCache, launch.mean(&second))];
    let pipe = |pipe: &Pipe| launch.mean(&|l| busy(machine, l, *pipe, launch.fetch_rate(machine, l)));
    parts.extend(Pipe::ALL.iter().map(|p| (Roof::Pipe(*p), pipe(p))));
    parts
}

/// Clocks of a multiprocessor that a block keeps a pipe busy, at such a part of the full speed.
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

/// Clocks of the pipe that a block keeps busy longest.
pub fn busiest(machine: &Gpu, load: &Load) -> f64 {
    let rate = machine.timing.fetch_rate(load.loop_length);
    Pipe::ALL.iter().map(|pipe| busy(machine, load, *pipe, rate)).fold(0.0, f64::max)
}

/// Clocks until a block at an edge has ended that begins with the last wave, or with the first: it shares with the others as
/// long as they run, and is alone then.
fn edges(machine: &Gpu, far: Far, launch: &Launch, waves: &Waves, wave: &impl Fn(f64) -> f64) -> Option<f64> {
    let edge = launch.loads.get(1)?;
    let (before, others) = if launch.ends_first { (0.0, waves.resident) } else { waves.last() };
    let shared = wave(others);
    // What it does takes as many turns as there are blocks; what it waits for takes twice as long while memory is busy.
    let doing = (busiest(machine, edge) * others).max(edge.alone.doing);
    let beside = doing + edge.alone.waiting(far.times(2.0), doing / edge.alone.doing.max(1.0));
    let done = (shared / beside).min(1.0);
    Some(before * wave(waves.resident) + shared.min(beside) + (1.0 - done) * edge.alone.clocks(far))
}

fn greatest(all: &[(Roof, f64)]) -> (Roof, f64) {
    all.iter().copied().fold((Roof::Memory, 0.0), |most, one| if one.1 > most.1 { one } else { most })
}
